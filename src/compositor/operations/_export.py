"""The output folder of a result: outputs, pictures, evidence, `result.json`, and a page that a person likes to read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from anyio import to_thread

from compositor.errors import Problem, RequestError
from compositor.operations._report_page import report_page
from compositor.operations._result import Result
from compositor.workspace import RENDER, Blobs

RESULT, REPORT = "result.json", "report.html"


def refuse_folder(folder: Path) -> None:
    """Refuse a folder that could not be written, before any work is done for it. Makes nothing.

    Raises:
        RequestError
    """
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not there.is_dir():
        raise unwritable(folder, f"{there} is a file")
    if not os.access(there, os.W_OK | os.X_OK):
        raise unwritable(folder, f"no right to write into {there}")


async def export(result: Result, blobs: Blobs, folder: Path) -> None:
    """Write everything that a result names into a folder. Files of other names that are there stay.

    Each file appears whole or not at all.

    Raises:
        RequestError: the folder cannot be written.
    """
    document = result.model_dump(mode="json")
    contents: dict[str, bytes] = {artifact.path: await blobs.get(artifact.sha256) for artifact in result.artifacts}
    pictures: Mapping[str, bytes] = {
        artifact.label: contents[artifact.path]
        for artifact in result.artifacts
        if artifact.label.startswith(RENDER) and artifact.media_type == "image/png"
    }
    contents[RESULT] = json.dumps(document, indent=2, ensure_ascii=False).encode()
    contents[REPORT] = report_page(document, pictures).encode()
    await to_thread.run_sync(_write, folder, contents)


def _write(folder: Path, contents: Mapping[str, bytes]) -> None:
    try:
        for path, data in contents.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            partial = target.with_name(f".{target.name}.partial")
            partial.write_bytes(data)
            partial.replace(target)
    except OSError as error:
        raise unwritable(folder, f"{error.strerror}: {error.filename}") from error


def unwritable(folder: Path, reason: str) -> RequestError:
    """The refusal of a folder, with its cure."""
    problem = Problem(
        code="unwritable-output",
        message=f"cannot write: {reason}",
        where=str(folder),
        cure="choose another folder; `compositor show OPERATION -o FOLDER` writes what is saved",
    )
    return RequestError("the output folder", [problem])
