"""The build: from the writer's source and plan to the mail as it is sent, and the evidence of how it looks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from compositor._values import Json
from compositor.capabilities import COPY, RENDER, Artifact, BuildContext, Built, Finding, Where, copy_json
from compositor.capabilities.email._assets import showable
from compositor.capabilities.email._copy import LEGAL_ROLES, copy_of
from compositor.capabilities.email._deliverable import (
    DELIVERY,
    EML,
    HTML,
    LAYOUT,
    ORIGIN,
    OUTSIDE,
    PLAN,
    SCREENS,
    SOURCE,
    TEXT,
)
from compositor.capabilities.email._delivery import delivery_manifest
from compositor.capabilities.email._drawing import Drawn, drawn, layout_artifact
from compositor.capabilities.email._eml import message_bytes
from compositor.capabilities.email._merge_tags import declared, expanded
from compositor.capabilities.email._passages import Passage, passages
from compositor.capabilities.email._plain_text import plain_text
from compositor.capabilities.email._plan import Plan, PlanFaulty, read_plan
from compositor.errors import CompileFailed
from compositor.workspace import Files, Ports

LANGUAGE = "mjml"


async def build(ctx: BuildContext) -> Built:
    """Make the derived outputs, and the artifacts `copy`, `render/*`, `layout/*` and `source`.

    A source that is missing or does not compile is a blocking finding. A plan that cannot be read is the matter of the
    verifier `plan`; the mail is built without it.

    Raises:
        PortError: the renderer or the compiler broke down.
    """
    source = await _source(ctx)
    if isinstance(source, Finding):
        return Built(findings=(source,))
    plan = await _plan(ctx.files)
    made = passages(source.html)
    text = plain_text(made, small_print=frozenset(s.id for s in plan.sections if s.role in LEGAL_ROLES))
    manifest = delivery_manifest(ctx.view, plan, source.html, text, await showable(ctx.files, ctx.view))
    message = message_bytes(manifest, source.html, text, await _shown(ctx.files, manifest))
    drawings = await _drawings(ctx, source.html)
    return Built(
        outputs={HTML: source.html, TEXT: text, DELIVERY: _json(manifest), EML: message},
        artifacts={
            **await _pictures(ctx, drawings),
            COPY: await _copy(ctx, source, made, plan, drawings[0]),
            ORIGIN: await ctx.store(source.text.encode("utf-8", "replace"), "text/plain", {"path": source.path}),
        },
    )


async def _drawings(ctx: BuildContext, html: str) -> tuple[Drawn, ...]:
    """The mail on each screen; on the narrowest, its merge tags stand for words as long as data may have."""
    full = expanded(html, declared(ctx.view))
    if full == html:
        return await drawn(ctx, html, SCREENS)
    *others, narrowest = SCREENS
    return (*await drawn(ctx, html, others), *await drawn(ctx, full, (narrowest,)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """The document to deliver, what it was written as, and the file where that can be corrected."""

    html: str
    text: str
    path: str


async def _source(ctx: BuildContext) -> _Source | Finding:
    if ctx.files.exists(SOURCE):
        text = await ctx.files.read_text(SOURCE)
        try:
            return _Source(html=await compiled(ctx.ports, text), text=text, path=SOURCE)
        except CompileFailed as error:
            return compile_finding(error)
    if ctx.files.exists(OUTSIDE):
        html = await ctx.files.read_text(OUTSIDE)
        return _Source(html=html, text=html, path=HTML)
    return Finding(
        code="missing-output",
        severity="blocking",
        message=f"the required output {SOURCE} is missing",
        where=Where(of=SOURCE),
        remedy=f"write {SOURCE} and {PLAN}",
    )


async def compiled(ports: Ports, source: str) -> str:
    """The HTML of an MJML source.

    Raises:
        CompileFailed: a fault of the source.
    """
    return await ports.compiler.compile(source, LANGUAGE)


def compile_finding(error: CompileFailed) -> Finding:
    """What the writer should know about a source that does not compile."""
    return Finding(
        code="compile-failed",
        severity="blocking",
        message=f"{SOURCE} does not compile: {error.reason}",
        where=Where(of=SOURCE, line=error.line),
        remedy="correct the source at that line: close every tag, and write & and < in text as &amp; and &lt;",
    )


async def _plan(files: Files) -> Plan:
    if not files.exists(PLAN):
        return Plan()
    try:
        return read_plan(await files.read_text(PLAN))
    except PlanFaulty:
        return Plan()


async def _shown(files: Files, manifest: Mapping[str, Json]) -> Mapping[str, bytes]:
    """The pictures of a mail that are at hand; a file that is verified alone comes without them."""
    paths = [asset["path"] for asset in manifest["assets"]]
    return {path: await files.read(path) for path in paths if files.exists(path)}


async def _pictures(ctx: BuildContext, drawings: tuple[Drawn, ...]) -> dict[str, Artifact]:
    artifacts: dict[str, Artifact] = {}
    for drawing in drawings:
        artifacts[RENDER + drawing.screen.name] = drawing.picture
        artifacts[LAYOUT + drawing.screen.name] = await layout_artifact(ctx, drawing)
    return artifacts


async def _copy(ctx: BuildContext, source: _Source, made: tuple[Passage, ...], plan: Plan, first: Drawn) -> Artifact:
    written = passages(source.text) if source.path == SOURCE else made
    sections = copy_of(made, of=HTML, plan=plan, source=written, source_name=source.path, facts=first.layout)
    return await ctx.store(copy_json(sections), "application/json")


def _json(value: Mapping[str, Json]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
