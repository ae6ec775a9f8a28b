"""A bench for a capability: its tools, build and verifiers over an in-memory workspace and fakes of the ports."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from compositor._values import Json, sha256
from compositor.adapters.compiler import MjmlCompiler
from compositor.authoring import Artifact, Built, Capability, Finding, Tool, ToolResult, ToolRun, View
from compositor.capabilities.email import email
from compositor.errors import PortError
from compositor.testing import MemoryBlobs, PlainImages, PlainPictures
from compositor.verifiers import Judge, Verdict, verdict_of
from compositor.workspace import (
    EVERYTHING,
    Artifacts,
    Compiler,
    Entry,
    Files,
    ImageModel,
    Isolation,
    Page,
    Pictures,
    Ports,
    Renderer,
    Rendering,
    Screen,
    Snapshot,
    Trace,
    made,
)

REQUEST: Mapping[str, Json] = {
    "brief": {"name": "spring", "objective": "conversion", "messaging": {"headline": "Spring is here"}},
    "locale": "en-GB",
    "delivery": {
        "sender": {"name": "Lumen"},
        "postal_address": "Lumen, 1 Mill Lane, York",
        "unsubscribe": "https://shop.lumen.test/unsubscribe",
    },
}
FONT = '<mj-attributes><mj-all font-family="Arial, sans-serif"/></mj-attributes>'
"""Without a family of its own, the compiler loads one of its own."""
HEAD = f"<mj-head><mj-title>Spring</mj-title><mj-preview>New lamps, old prices</mj-preview>{FONT}</mj-head>"
FOOTER = (
    '<mj-section css-class="section-footer"><mj-column><mj-text>Lumen, 1 Mill Lane, York'
    ' <a href="https://shop.lumen.test/unsubscribe">Unsubscribe</a></mj-text></mj-column></mj-section>'
)
PLAN: Mapping[str, Json] = {
    "schema_version": "1",
    "header": {"subject": "Spring is here", "preheader": "New lamps, old prices"},
    "sections": [
        {"id": "hero", "role": "hero", "evidence": ["brief.messaging.headline"]},
        {"id": "footer", "role": "footer", "evidence": ["delivery.postal_address"]},
    ],
}


def mail(hero: str, *, head: str = HEAD, lang: str = "en-GB") -> str:
    """A whole mail: the given components in the hero's column on lines of their own, and a footer."""
    return (
        f'<mjml lang="{lang}">\n{head}\n<mj-body>\n<mj-section css-class="section-hero"><mj-column>\n'
        f"{hero}\n</mj-column></mj-section>\n{FOOTER}\n</mj-body>\n</mjml>\n"
    )


def clean_mail() -> str:
    """A mail with which nothing is wrong."""
    return mail(
        "<mj-text><h1>Spring is here</h1><p>Lamps for light evenings.</p></mj-text>\n"
        '<mj-button href="https://shop.lumen.test/lamps">See the lamps</mj-button>'
    )


def plan_text(**changes: Json) -> str:
    """A plan with which nothing is wrong, with top-level keys changed."""
    return json.dumps({**PLAN, **changes})


Measure = Callable[[Page, Screen], Mapping[str, Json]]


def seen(text: str, **facts: Json) -> Mapping[str, Json]:
    """A text as the renderer lists it: dark on white in 16 px, with facts changed."""
    style = {"size": 16, "weight": 400, "colour": "#222222", "behind": "#ffffff", "family": "Arial"}
    place = {"box": [20, 20, 200, 20], "selector": "p", "visible": True, "lines": 1}
    return {"text": text, **style, **place, **facts}


def nothing_measured(page: Page, screen: Screen) -> Mapping[str, Json]:
    """Facts of a page with one visible text."""
    return {
        "screen": screen.name,
        "document": {"width": screen.width, "height": 900, "viewport": screen.width},
        "texts": [seen("seen")],
        "colours": [],
        "images": [],
        "targets": [],
        "faults": [],
        "truncated": False,
    }


class PaperRenderer:
    """Implements `Renderer`: draws nothing, measures what it is told, asks for the URLs it is told."""

    def __init__(self, measure: Measure = nothing_measured, asks: Sequence[str] = ()) -> None:
        self.measure, self.asks = measure, asks
        self.pages: list[Page] = []
        self.answers: dict[str, bytes | None] = {}

    async def prepare(self) -> Isolation:
        return "jail"

    def processes(self) -> frozenset[int]:
        return frozenset()

    async def render(self, page: Page, screens: Sequence[Screen]) -> tuple[Rendering, ...]:
        self.pages.append(page)
        for url in self.asks:
            resource = await page.fulfil(url)
            self.answers[url] = resource.data if resource else None
        refused = tuple(sorted(url for url, data in self.answers.items() if data is None))
        return tuple(
            Rendering(
                screen=screen,
                picture=f"picture {screen.name}".encode(),
                width=screen.width,
                height=900,
                facts=self.measure(page, screen),
                refused=refused,
            )
            for screen in screens
        )


@dataclass(kw_only=True)
class Scope:
    """Implements the contexts of tools, builds and checks."""

    files: Files
    artifacts: Artifacts
    view: View
    ports: Ports
    blobs: MemoryBlobs
    thresholds: Mapping[str, Json] = field(default_factory=dict)
    record: tuple[ToolRun, ...] = ()
    given_judge: Judge | None = None

    @property
    def judge(self) -> Judge:
        if self.given_judge is None:
            raise PortError("judge", "there is none here")
        return self.given_judge

    async def store(self, data: bytes, media_type: str, facts: Mapping[str, Json] | None = None) -> Artifact:
        return await made(self.blobs, data, media_type, facts)

    def emit(self, note: str) -> None:
        assert note


class Bench:
    """One workspace and everything that may happen to it."""

    def __init__(
        self,
        request: Mapping[str, Json] = REQUEST,
        *,
        renderer: Renderer | None = None,
        compiler: Compiler | None = None,
        pictures: Pictures | None = None,
        images: ImageModel | None = None,
        capability: Capability = email,
    ) -> None:
        self.request, self.capability = request, capability
        self.blobs = MemoryBlobs()
        self.snapshot = Snapshot()
        self.artifacts: dict[str, Artifact] = {}
        self.record: list[ToolRun] = []
        self.renderer = renderer or PaperRenderer()
        self.ports = Ports(
            renderer=self.renderer,
            compiler=compiler or MjmlCompiler(),
            pictures=pictures or PlainPictures(),
            images=images or PlainImages(),
        )
        self.trace = Trace()

    @property
    def view(self) -> View:
        return View.of(self.request, self.capability.reads.all)

    async def lay(self, files: Mapping[str, str | bytes], *, by_writer: bool = True) -> Bench:
        """Put files into the workspace, as the writer's work or as something from outside."""
        for path, content in files.items():
            data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
            entry = Entry(sha256=await self.blobs.put(data), size=len(data))
            self.snapshot = self.snapshot.merged({path: entry})
            if by_writer:
                self.record.append(ToolRun(tool="write_file", changed=(path,)))
        return self

    async def text(self, path: str) -> str:
        return (await self.blobs.get(self.snapshot.files[path].sha256)).decode()

    async def call(self, name: str, /, **arguments: Any) -> ToolResult:
        """Run a tool and take up what it changed."""
        tool = self.tool(name)
        owned = tuple(output.path for output in self.capability.owns)
        written = tuple(output.path for output in self.capability.owns if not output.derived)
        reads = owned if tool.reads == ("*",) else tool.reads
        writes = written if tool.writes == ("*",) else tool.writes
        scope = self._scope(Files(self.snapshot, self.blobs, reads=reads, writes=writes), EVERYTHING)
        result = await tool.run(scope, **arguments)
        self.record.append(ToolRun(tool=name, changed=tuple(scope.files.delta)))
        self.snapshot = self.snapshot.merged(scope.files.delta)
        return result

    def tool(self, name: str) -> Tool:
        return next(tool for tool in self.capability.tools if tool.name == name)

    async def build(self) -> Built:
        """Build and take up what it made."""
        assert self.capability.build is not None
        self.trace = Trace()
        files = Files(self.snapshot, self.blobs, trace=self.trace)
        built = await self.capability.build(self._scope(files, EVERYTHING))
        for path, content in built.outputs.items():
            await self.lay({path: content}, by_writer=False)
        self.artifacts.update(built.artifacts)
        return built

    async def check(self, name: str, *, judge: Judge | None = None) -> Verdict:
        """The verdict of a verifier on what stands."""
        verifier = next(verifier for verifier in self.capability.verifiers if verifier.name == name)
        scope = self._scope(Files(self.snapshot, self.blobs, reads=verifier.reads.files), verifier.reads.labels)
        scope.view = View.of(self.request, verifier.reads.fields)
        scope.thresholds, scope.given_judge = verifier.thresholds, judge
        return verdict_of(verifier, await verifier.check(scope))

    def _scope(self, files: Files, labels: tuple[str, ...]) -> Scope:
        artifacts = Artifacts(self.artifacts, self.blobs, reads=labels)
        return Scope(
            files=files,
            artifacts=artifacts,
            view=self.view,
            ports=self.ports.only(self.capability.ports),
            blobs=self.blobs,
            record=tuple(self.record),
        )


async def verdict_on(
    source: str,
    check: str,
    *,
    plan: str | None = None,
    request: Mapping[str, Json] = REQUEST,
    by_writer: bool = True,
) -> Verdict:
    """Build a mail from a source, and the verdict of one verifier on it."""
    bench = await Bench(request).lay({"email.mjml": source, "plan.json": plan or plan_text()}, by_writer=by_writer)
    built = await bench.build()
    assert not built.findings, built.findings
    return await bench.check(check)


async def verdict_on_html(html: str, check: str, *, request: Mapping[str, Json] = REQUEST) -> Verdict:
    """The verdict of one verifier on an HTML mail from outside."""
    bench = await Bench(request).lay({"outside.html": html}, by_writer=False)
    await bench.build()
    return await bench.check(check)


def codes(findings: Sequence[Finding]) -> list[str]:
    """The code of each finding, in order."""
    return [finding.code for finding in findings]


def with_delivery(**fields: Json) -> Mapping[str, Json]:
    """The request with fields of its delivery changed."""
    return {**REQUEST, "delivery": {**REQUEST["delivery"], **fields}}


PICTURE = b"the bytes of a picture"
"""What the one asset of `with_picture` holds; nobody decodes it."""


def with_picture(base: str = "https://pictures.lumen.test/") -> Mapping[str, Json]:
    """The request with one asset, `lamp`."""
    asset = {"id": "lamp", "role": "hero", "sha256": sha256(PICTURE), "media_type": "image/jpeg"}
    return {**with_delivery(asset_base_url=base), "assets": [asset]}
