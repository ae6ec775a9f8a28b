"""The folder of a replay: the files after each step, the outputs and pictures of each draft, and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from anyio import to_thread

from compositor.operations._closing import place_of
from compositor.operations._export import refuse_folder, unwritable
from compositor.operations._replay import Moment
from compositor.operations._replay_page import replay_page, wanted
from compositor.runtime.events import DeliverableBuilt, StepTaken, ToolAnswered
from compositor.workspace import Blobs, covered

PAGE = "replay.html"


def refuse_filled(folder: Path) -> None:
    """Refuse a folder that could not be written, or that holds anything: a replay is not mixed with other files.

    Raises:
        RequestError
    """
    refuse_folder(folder)
    if folder.is_dir() and any(folder.iterdir()):
        raise unwritable(folder, "the folder is not empty")


async def export_replay(moments: Sequence[Moment], blobs: Blobs, folder: Path) -> None:
    """Write `step-NN/…`, `draft-N/…` and the page into an empty folder.

    Args:
        moments: of one operation, from its opening on.
        blobs: where the bytes of its files are.
        folder: empty, or not there yet.

    Raises:
        RequestError: the folder is not empty or cannot be written.
        PortError: bytes that a file or the page needs are not there any more.
    """
    refuse_filled(folder)
    for path, address in files_of(moments).items():
        await to_thread.run_sync(_write, folder, path, await blobs.get(address))
    pictures = {address: await blobs.get(address) for address in wanted(moments)}
    await to_thread.run_sync(_write, folder, PAGE, replay_page(moments, pictures).encode())


def files_of(moments: Sequence[Moment]) -> Mapping[str, str]:
    """Every file of the folder but the page: path → hex SHA-256.

    A step has all files of the workspace as they stood when its last call was answered; a draft has the outputs, and
    its artifacts under the names that they have in the folder of a result.
    """
    steps = 0
    after: dict[str, Moment] = {}
    for moment in moments:
        what = moment.event.what
        steps += isinstance(what, StepTaken)
        if isinstance(what, StepTaken | ToolAnswered):
            after[f"step-{steps:02}"] = moment
        elif isinstance(what, DeliverableBuilt):
            after[f"draft-{what.draft}"] = moment
    return {f"{place}/{path}": address for place, moment in after.items() for path, address in _files(moment).items()}


def _files(moment: Moment) -> Mapping[str, str]:
    files = {path: entry.sha256 for path, entry in moment.snapshot.files.items()}
    if not isinstance(moment.event.what, DeliverableBuilt):
        return files
    outputs = {path: address for path, address in files.items() if covered(path, moment.outputs)}
    placed = {place_of(label, a.media_type, outputs): a.sha256 for label, a in sorted(moment.made.items())}
    return {**outputs, **placed}


def _write(folder: Path, path: str, data: bytes) -> None:
    target = folder / path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    except OSError as error:
        raise unwritable(folder, f"{error.strerror}: {error.filename}") from error
