"""What all tests share: the async backend, the outside material, and the honest handling of what is not there."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import anyio
import pytest

CHECKOUT = Path(__file__).parents[1]
MATERIAL = Path(os.environ.get("COMPOSITOR_MATERIAL") or CHECKOUT.parent / "shared" / "material")
IN_CI = os.environ.get("CI", "").lower() in {"1", "true"}


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """All async tests run on asyncio, as the product does."""
    return "asyncio"


@pytest.fixture(scope="session")
def material() -> Callable[[str], Path]:
    """Finds outside test data: `material("images/pillow")`.

    Without the material the test is skipped; with it, a path that is not there is a failure, since a test that finds
    nothing to look at would never say so.
    """

    def find(path: str = "") -> Path:
        if not MATERIAL.is_dir():
            pytest.skip("the outside material is absent (COMPOSITOR_MATERIAL names its folder)")
        assert (MATERIAL / path).exists(), f"{path} is not in the outside material at {MATERIAL}"
        return MATERIAL / path

    return find


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test that needs a browser is skipped where there is none; in CI there must be one."""
    if item.get_closest_marker("browser") is None or not (reason := _no_browser()):
        return
    if IN_CI:
        pytest.fail(f"CI needs a browser: {reason}", pytrace=False)
    pytest.skip(f"no browser: {reason}")


@cache
def _no_browser() -> str:
    """Why no page can be drawn here, or nothing. Tried once."""
    from compositor.adapters import shipped
    from compositor.errors import EnvironmentUnfit

    async def draw() -> None:
        async with shipped.renderer() as renderer:
            await renderer.prepare()

    try:
        anyio.run(draw)
    except EnvironmentUnfit as error:
        return "; ".join(problem.message for problem in error.problems)
    return ""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many tests were skipped, and why: a skip that nobody sees is a hole."""
    reasons = Counter(
        str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr).removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
    )
    terminalreporter.section(f"{reasons.total()} skipped")
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count} × {reason}")
