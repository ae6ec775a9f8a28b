"""Drawing a mail: HTML on screens, through the renderer, with assets from the workspace."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from compositor._values import Json, thaw
from compositor.capabilities import Artifact
from compositor.capabilities.email._assets import addressed, fulfilment
from compositor.verifiers.surroundings import colour_pairs, placements
from compositor.workspace import Files, Page, Ports, Rendering, Screen, View


class Drawer(Protocol):
    """What drawing needs of a tool's or a build's context."""

    @property
    def files(self) -> Files:
        """The workspace."""
        ...

    @property
    def view(self) -> View:
        """The request."""
        ...

    @property
    def ports(self) -> Ports:
        """The outside world."""
        ...

    async def store(self, data: bytes, media_type: str, facts: Mapping[str, Json] | None = None) -> Artifact:
        """Keep bytes as an artifact."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A mail on one screen: what was measured there, and the picture."""

    screen: Screen
    layout: Mapping[str, Json]
    picture: Artifact


async def drawn(ctx: Drawer, html: str, screens: Sequence[Screen]) -> tuple[Drawn, ...]:
    """The mail on each screen, in order. The mail's own JavaScript never runs.

    Raises:
        PortError: the renderer failed.
    """
    page = Page(html=html, fulfil=fulfilment(ctx.files, ctx.view, ctx.ports))
    assets = {url: str(asset["id"]) for asset, url in addressed(ctx.view)}
    return tuple([await _kept(ctx, rendering, assets) for rendering in await ctx.ports.renderer.render(page, screens)])


async def _kept(ctx: Drawer, rendering: Rendering, assets: Mapping[str, str]) -> Drawn:
    measured = rendering.facts
    facts = {
        "width": rendering.width,
        "height": rendering.height,
        "colours": thaw(measured.get("colours", ())),
        "pairs": [pair.as_json() for pair in colour_pairs(measured)],
        "images": [placement.as_json() for placement in placements(measured, assets)],
    }
    return Drawn(
        screen=rendering.screen,
        layout={**thaw(measured), "refused": list(rendering.refused)},
        picture=await ctx.store(rendering.picture, "image/png", facts),
    )


async def layout_artifact(ctx: Drawer, drawing: Drawn) -> Artifact:
    """What was measured on a screen, as an artifact."""
    return await ctx.store(json.dumps(drawing.layout, ensure_ascii=False).encode("utf-8"), "application/json")
