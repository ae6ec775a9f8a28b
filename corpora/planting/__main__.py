"""Make the corpora anew: `python -m corpora.planting`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from corpora.planting._controls import files_of, mails
from corpora.planting._kind import document, planted
from corpora.planting.faults import KINDS

FOLDER = Path(__file__).parent.parent / "email"


def main(folder: Path = FOLDER) -> None:
    """Write the clean documents and the faults; the pictures stay."""
    for part in ("controls", "faults"):
        shutil.rmtree(folder / part, ignore_errors=True)
    everything = list(mails())
    for mail in everything:
        for name, content in files_of(mail).items():
            _write(folder / "controls" / mail.name / name, content)
    documents = [document(mail) for mail in everything]
    for check, kinds in KINDS.items():
        told = {"schema_version": "1", "check": check, "faults": list(planted(check, kinds, documents))}
        _write(folder / "faults" / f"{check}.json", json.dumps(told, ensure_ascii=False, indent=1) + "\n")


def _write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


if __name__ == "__main__":
    main()
