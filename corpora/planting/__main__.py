"""Make the corpora anew: `python -m corpora.planting`."""

from __future__ import annotations

import shutil
from pathlib import Path

from corpora.planting._controls import files_of, mails

FOLDER = Path(__file__).parent.parent / "email"


def main() -> None:
    """Write the clean documents and the faults."""
    controls = FOLDER / "controls"
    shutil.rmtree(controls, ignore_errors=True)
    for mail in mails():
        for name, content in files_of(mail).items():
            path = controls / mail.name / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)


if __name__ == "__main__":
    main()
