"""The tables of the embedded store. A release that changes them adds a migration; it never edits an older one."""

from __future__ import annotations

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE operations (
        id TEXT PRIMARY KEY,
        operation TEXT NOT NULL,
        content TEXT NOT NULL,
        document TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('open', 'interrupted', 'ended')),
        attempt INTEGER NOT NULL,
        opened_at TEXT NOT NULL,
        opening TEXT NOT NULL,
        result TEXT,
        status TEXT
    ) STRICT;
    -- one active operation per document
    CREATE UNIQUE INDEX active_document ON operations (document) WHERE state != 'ended';
    CREATE TABLE effects (
        operation TEXT NOT NULL REFERENCES operations (id),
        position INTEGER NOT NULL,
        key TEXT NOT NULL,
        name TEXT NOT NULL,
        arguments TEXT NOT NULL,
        result TEXT NOT NULL,
        seconds REAL NOT NULL,
        PRIMARY KEY (operation, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE events (
        operation TEXT NOT NULL REFERENCES operations (id),
        seq INTEGER NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (operation, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE versions (
        document TEXT NOT NULL,
        number INTEGER NOT NULL,
        parent INTEGER,
        operation TEXT NOT NULL REFERENCES operations (id),
        snapshot TEXT NOT NULL,
        artifacts TEXT NOT NULL,
        verification TEXT NOT NULL,
        isolation TEXT,
        saved_at TEXT NOT NULL,
        PRIMARY KEY (document, number)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    ALTER TABLE operations ADD COLUMN cancel_requested INTEGER NOT NULL DEFAULT 0;
    -- effects in the order of their rows: nothing has to be counted to record one
    CREATE TABLE ordered_effects (
        position INTEGER PRIMARY KEY,
        operation TEXT NOT NULL REFERENCES operations (id),
        key TEXT NOT NULL,
        name TEXT NOT NULL,
        arguments TEXT NOT NULL,
        result TEXT NOT NULL,
        seconds REAL NOT NULL,
        UNIQUE (operation, key)
    ) STRICT;
    INSERT INTO ordered_effects (operation, key, name, arguments, result, seconds)
        SELECT operation, key, name, arguments, result, seconds FROM effects ORDER BY operation, position;
    DROP TABLE effects;
    ALTER TABLE ordered_effects RENAME TO effects;
    -- an answer says by address what it showed, since that may be a smaller copy: once it gave labels of what it made
    UPDATE effects SET result = json_set(result, '$.images', (
        SELECT json_group_array(json_object(
            'image', json_extract(result, '$.made."' || value || '".sha256'),
            'label', value,
            'media_type', json_extract(result, '$.made."' || value || '".media_type')
        )) FROM json_each(result, '$.images')
    )) WHERE name = 'tool_call' AND json_type(result, '$.images[0]') = 'text';
    -- a judge's tool gave label, address and kind
    UPDATE effects SET result = json_set(result, '$.images', (
        SELECT json_group_array(json_object(
            'image', json_extract(value, '$[1]'),
            'label', json_extract(value, '$[0]'),
            'media_type', json_extract(value, '$[2]')
        )) FROM json_each(result, '$.images')
    )) WHERE name = 'tool_call' AND json_type(result, '$.images[0]') = 'array';
    -- small blobs stand in the transaction that first refers to them
    CREATE TABLE blobs (
        address TEXT PRIMARY KEY,
        data BLOB NOT NULL,
        at REAL NOT NULL
    ) STRICT;
    """,
)
"""Statements, cut at each semicolon. `user_version` of the file is the number of migrations that it has seen."""

REFERRING = """
    SELECT opening || ' ' || ifnull(result, '') FROM operations
    UNION ALL SELECT arguments || ' ' || result FROM effects
    UNION ALL SELECT event FROM events
    UNION ALL SELECT snapshot || ' ' || artifacts FROM versions
"""
"""All texts that may hold the address of a blob."""
