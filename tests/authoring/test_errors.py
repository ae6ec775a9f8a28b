"""Errors: one tree, fields first, and a text that says what happened, where, and the likely cure."""

from __future__ import annotations

import inspect
import re

import pytest

from compositor import errors
from compositor.errors import CompositorError, Problem, ProblemsFound

TOLD: list[tuple[CompositorError, dict[str, object], str]] = [
    (errors.PathRefused("../x", "it climbs"), {"path": "../x", "reason": "it climbs"},
     "the path '../x' is refused: it climbs. Use a relative path such as 'folder/name.txt'"),
    (errors.NotOwned("a", "write", ["b", "c/"]), {"path": "a", "action": "write", "allowed": ("b", "c/")},
     "may not write 'a' here. Allowed: b, c/"),
    (errors.NotOwned("a", "read", []), {"allowed": ()}, "may not read 'a' here. Allowed: nothing"),
    (errors.FileMissing("a"), {"path": "a", "present": ()}, "no file 'a'"),
    (errors.FileMissing("a", ["b", "c"]), {"present": ("b", "c")}, "no file 'a'. There is: b, c"),
    (errors.FieldNotInView("brand", ["brief"]), {"field": "brand", "declared": ("brief",)},
     "'brand' is not among the declared reads (brief); add it to `reads`"),
    (errors.PortError("renderer", "it crashed"), {"port": "renderer", "reason": "it crashed", "cure": ""},
     "renderer: it crashed"),
    (errors.PictureRefused("pictures", "a bomb", "send a smaller one"), {"cure": "send a smaller one"},
     "pictures: a bomb → send a smaller one"),
    (errors.CompileFailed("compiler", "unclosed tag", 7), {"line": 7}, "compiler: unclosed tag (line 7)"),
    (errors.CompileFailed("compiler", "no root"), {"line": None}, "compiler: no root"),
    (errors.AdapterError("offline", "no designer"), {"adapter": "offline", "reason": "no designer"},
     "offline: no designer"),
    (errors.JudgeFailed("taste", "no verdict"), {"judge": "taste", "reason": "no verdict"},
     "the judge taste failed: no verdict"),
    (errors.ToolError("write it first"), {}, "write it first"),
    (errors.OperationUnknown("op-1"), {"operation": "op-1"},
     "no operation 'op-1' in this store; `operations` lists them"),
    (errors.OperationUnknown("op-1", "/data"), {}, "no operation 'op-1' in /data; `operations` lists them"),
    (errors.OperationBusy("op-1", "process 7"), {"operation": "op-1", "holder": "process 7"},
     "op-1 is busy: process 7 → wait for it, or cancel it"),
    (errors.OperationEnded("op-1", "cancelled"), {"status": "cancelled"},
     "op-1 ended (cancelled); start a new operation"),
    (errors.OperationStopped("op-1"), {"operation": "op-1"},
     "op-1 was interrupted; `compositor resume op-1` continues it"),
    (errors.OperationStopped(""), {"operation": ""}, "the operation was interrupted; it had not begun"),
]  # fmt: skip


@pytest.mark.parametrize(("error", "fields", "text"), TOLD, ids=lambda value: type(value).__name__)
def test_an_error_carries_its_fields_and_says_the_cure(
    error: CompositorError, fields: dict[str, object], text: str
) -> None:
    assert {name: getattr(error, name) for name in fields} == fields
    assert str(error) == text


def test_a_refused_resume_lists_what_changed() -> None:
    error = errors.CompositionChanged("op-1", ["budget.steps: 10 → 9", "tools.stamp: removed"])
    assert error.changes == ("budget.steps: 10 → 9", "tools.stamp: removed")
    assert "under another composition:\n  - budget.steps: 10 → 9\n  - tools.stamp: removed\nResume it" in str(error)


def test_problems_are_listed_all_at_once() -> None:
    one = Problem(code="no-name", message="the name is missing", where="$.name", cure="add it")
    other = Problem(code="odd", message="this is odd", concerns=("a",))
    error = errors.RequestError("request.json", [one, other])
    assert str(error) == (
        "request.json: 2 problems\n"
        "  - $.name: the name is missing [no-name] → add it\n"
        "  - this is odd [odd]"
    )  # fmt: skip
    assert error.codes == ("no-name", "odd")
    assert str(errors.EnvironmentUnfit("this machine", [other])).startswith("this machine: 1 problem\n")


def test_a_path_that_is_far_too_long_is_cut_in_the_text_alone() -> None:
    error = errors.PathRefused("a" * 5000, "it is too long")
    assert error.path == "a" * 5000
    assert len(str(error)) < 400


def test_the_tree_at_the_top_of_the_file_is_the_tree_of_the_classes() -> None:
    drawn = re.findall(
        r"^ {4}(?:([│ ├└─]*)\s)?(\w+)", (errors.__doc__ or "").partition("Errors carry")[0], re.MULTILINE
    )
    declared = {
        name: value.__mro__[1].__name__
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, CompositorError)
    }
    line_of_parents: dict[int, str] = {}
    tree = {}
    for branch, name in drawn:
        depth = (len(branch) + 1) // 4
        line_of_parents[depth] = name
        tree[name] = line_of_parents.get(depth - 1, "Exception")
    assert tree == declared


def test_every_error_of_the_tree_can_be_caught_by_its_root() -> None:
    assert all(isinstance(error, CompositorError) for error, _, _ in TOLD)
    assert issubclass(ProblemsFound, CompositorError)
