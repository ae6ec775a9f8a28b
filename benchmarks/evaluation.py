"""One evaluation of the demo email (three renders, all measurements) against the same drawing done by hand.

By hand is one reused Playwright page that does `set_content` and a full-page screenshot at each width, and measures
nothing. Both are counted as whole process trees in the same run, in turn, so that a slow machine slows both.
"""

from __future__ import annotations

import statistics
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.cpu import tree_seconds
from compositor.adapters.browser import find_browser
from compositor.agents import compose
from compositor.agents.shipped import GENERATE_EMAIL
from compositor.operations import Environment, Result, generate
from compositor.operations._package import load_package
from compositor.runtime import Evaluator, Spending, Unrecorded, Work
from compositor.workspace import Entry, Page, Renderer, Rendering, Screen, Snapshot
from compositor.workspace.ports import Isolation
from compositor.workspace.request import read_request

DEMO = Path(__file__).parent.parent / "examples" / "retail-sale" / "request.json"
WIDTHS = (600, 375, 320)
ROUNDS = 12
GOAL = 1.5


@dataclass(slots=True)
class Counting:
    """A renderer that counts."""

    renderer: Renderer
    renders: int = 0

    async def prepare(self) -> Isolation:
        """As the renderer does."""
        return await self.renderer.prepare()

    def processes(self) -> frozenset[int]:
        """As the renderer does."""
        return self.renderer.processes()

    async def render(self, page: Page, screens: Sequence[Screen]) -> tuple[Rendering, ...]:
        """As the renderer does, counted."""
        self.renders += 1
        return await self.renderer.render(page, screens)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """CPU milliseconds per evaluation and per hand-drawn set, their ratio, and renders of a second evaluation."""

    evaluation_ms: float
    by_hand_ms: float
    ratio: float
    second_renders: int


async def measure() -> Measured:
    """Run both, in turn."""
    with TemporaryDirectory() as folder:
        async with Environment(Path(folder)) as environment:
            result = await generate(DEMO, environment=environment)
            work = await _work(result, environment)
            html = (await _bytes(result, environment, "email.html")).decode()
            pictures = {
                path.split("/")[-1]: await environment.blobs.get(entry.sha256)
                for path, entry in work.snapshot.files.items()
                if path.startswith("assets/")
            }
            return await _compared(work, html, pictures)


async def _compared(work: Work, html: str, pictures: dict[str, bytes]) -> Measured:
    from playwright.async_api import Route, async_playwright

    counting = Counting(renderer=work.ports.renderer)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(find_browser()), args=["--no-sandbox"])
        page = await browser.new_page(java_script_enabled=False)

        async def answer(route: Route) -> None:
            name = route.request.url.rpartition("/")[2]
            await (route.fulfill(body=pictures[name]) if name in pictures else route.abort())

        await page.route("**/*", answer)

        async def by_hand() -> None:
            for width in WIDTHS:
                await page.set_viewport_size({"width": width, "height": 800})
                await page.set_content(html)
                await page.screenshot(full_page=True)

        async def evaluated() -> None:
            await _evaluator(work).examine()

        ours, theirs = [], []
        for _ in range(ROUNDS):
            theirs.append(await _cost(by_hand))
            ours.append(await _cost(evaluated))
        await browser.close()
    evaluator = _evaluator(replace_renderer(work, counting))
    await evaluator.examine()
    first = counting.renders
    await evaluator.examine()
    ratios = [mine / other for mine, other in zip(ours[1:], theirs[1:], strict=True)]
    return Measured(
        evaluation_ms=1000 * statistics.median(ours[1:]),
        by_hand_ms=1000 * statistics.median(theirs[1:]),
        ratio=statistics.median(ratios),
        second_renders=counting.renders - first,
    )


async def _cost(task: Callable[[], Awaitable[None]]) -> float:
    before = tree_seconds()
    await task()
    return tree_seconds() - before


def _evaluator(work: Work) -> Evaluator:
    """An evaluator that has seen nothing yet, over the same draft."""
    return Evaluator(replace(work), Unrecorded(), Spending(budget=work.composition.budget), None)


def replace_renderer(work: Work, renderer: Renderer) -> Work:
    """The same work with another renderer."""
    from compositor.workspace import Ports

    ports = Ports(renderer=renderer, compiler=work.ports.compiler, pictures=work.ports.pictures)
    return replace(work, ports=ports)


async def _work(result: Result, environment: Environment) -> Work:
    """The finished draft of an operation, ready to be evaluated again."""
    request = await load_package(
        read_request(DEMO.read_bytes()), DEMO.parent, environment.ports.pictures, environment.blobs
    )
    composition = compose(GENERATE_EMAIL, request.request)
    files = dict(request.files)
    for artifact in result.artifacts:
        if artifact.label == artifact.path and not any(
            o.derived and o.path == artifact.path for o in composition.outputs
        ):
            data = await environment.blobs.get(artifact.sha256)
            files[artifact.path] = Entry(sha256=artifact.sha256, size=len(data))
    return Work(
        composition=composition, blobs=environment.blobs, ports=environment.ports, snapshot=Snapshot(files=files)
    )


async def _bytes(result: Result, environment: Environment, label: str) -> bytes:
    address = next(artifact.sha256 for artifact in result.artifacts if artifact.label == label)
    return await environment.blobs.get(address)
