"""From the brand's tokens to the colours of an email.

A *ground* is a fill with everything that may stand on it. Whoever sets a text asks its ground for the colour, so that
contrast is settled here, by measurement, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from compositor._values import Json
from compositor.capabilities.email._designer._colours import (
    BLACK,
    WHITE,
    at,
    chroma,
    contrast,
    difference,
    lightness,
    mixed,
    most_readable,
    quiet,
    readable,
)
from compositor.verifiers.palette import PALETTE_THRESHOLDS
from compositor.workspace.tokens import brand_colours, palette

BODY_CONTRAST = 7.0
"""WCAG 2.2, 1.4.6 (AAA): what text gets wherever the colours allow it."""
TEXT_CONTRAST = 4.5
"""WCAG 2.2, 1.4.3 (AA): no text stands below it."""
SHAPE_CONTRAST = 3.0
"""WCAG 2.2, 1.4.11: a button against the ground that it stands on."""
QUIET_CONTRAST = 5.2
"""Muted text: visibly quieter than the body, and clear of 4.5 after the rounding of a colour."""

_HAIRLINE = 0.12
_SAME, _KIN = float(PALETTE_THRESHOLDS["fails"]), 22.0
"""Delta E 2000 within which a colour passes for the accent, as the palette check sees it, and for a shade of it."""
_PAGE_DEPTH, _PANEL_DEPTH = 0.045, 0.025
_TINT_CHROMA = 0.012
_PAPER_LIGHTNESS = 0.9
_PAPER_CHROMA = 0.05
_PLAIN_INK, _PLAIN_ACCENT = "#22272b", "#1f5060"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A fill, and the colours of what stands on it. All are `#rrggbb`."""

    fill: str
    ink: str
    muted: str
    hairline: str
    link: str
    action: str
    on_action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The grounds of an email.

    Attributes:
        page: around the card.
        surface: the card.
        raised: a panel on the card.
        band: the brand's own colour, for the moments that matter.
    """

    page: Ground
    surface: Ground
    raised: Ground
    band: Ground


def light_theme(brand: Mapping[str, Json], *, tokens_only: bool = False) -> Theme:
    """The theme of a brand.

    Args:
        brand: the request's brand as plain JSON; may be empty.
        tokens_only: take each colour from the palette where one of it serves; tints are not derived.
    """
    roles, named = brand_colours(brand), [colour for _, colour in palette(brand)]
    accent = roles.get("accent") or roles.get("primary") or _PLAIN_ACCENT
    primary = roles.get("primary") or accent
    ink = roles.get("text") or _PLAIN_INK
    surface = roles.get("background") or WHITE
    made = Theme(
        page=_ground(_paper(surface, primary, named, _PAGE_DEPTH), ink, accent, named),
        surface=_ground(surface, ink, accent, named),
        raised=_ground(_paper(surface, primary, named, _PANEL_DEPTH), ink, accent, named),
        band=_ground(primary, most_readable((surface, ink, WHITE), primary), accent, named),
    )
    return _snapped(made, named) if tokens_only and named else made


def dark_theme(light: Theme) -> Theme:
    """The same email for readers whose program is set to dark: the hues stay, the lightness is turned round."""
    hue, accent = light.band.fill, light.surface.action
    ink = at(hue, light=0.94, most_chroma=_TINT_CHROMA)

    def dimmed(depth: float) -> Ground:
        return _ground(at(hue, light=depth, most_chroma=2 * _TINT_CHROMA), ink, accent, (accent,))

    band = light.band if lightness(light.band.fill) < 0.6 else _ground(at(hue, light=0.4), ink, accent, (accent,))
    return Theme(page=dimmed(0.18), surface=dimmed(0.23), raised=dimmed(0.28), band=band)


def _ground(fill: str, ink: str, accent: str, named: Sequence[str]) -> Ground:
    body = readable(ink, fill, BODY_CONTRAST)
    action = accent if contrast(accent, fill) >= SHAPE_CONTRAST else body
    return Ground(
        fill=fill,
        ink=body,
        muted=quiet(body, fill, QUIET_CONTRAST),
        hairline=mixed(fill, body, _HAIRLINE),
        link=_link(accent, fill, body, named),
        action=action,
        on_action=_on(action, fill, body),
    )


def _link(accent: str, fill: str, ink: str, named: Sequence[str]) -> str:
    """The accent as text: itself, a deeper one of the brand, or moved a little; else the ink."""
    kin = sorted((difference(accent, colour), colour) for colour in named)
    deeper = [colour for distance, colour in kin if distance <= _KIN]
    moved = readable(accent, fill, TEXT_CONTRAST)
    near = [moved] if difference(accent, moved) <= _SAME else []
    return next((c for c in (accent, *deeper, *near) if contrast(c, fill) >= TEXT_CONTRAST), ink)


def _on(action: str, *familiar: str) -> str:
    """The text colour of a button: white or a colour that its ground already has, else whatever can be read."""
    best = next((colour for colour in (WHITE, *familiar) if contrast(colour, action) >= TEXT_CONTRAST), None)
    return best or most_readable((WHITE, BLACK), action)


def _paper(surface: str, hue: str, named: Sequence[str], depth: float) -> str:
    """A quiet tint beside the surface: the brand's own where it has one, else one derived from its hue."""
    wanted = lightness(surface) - depth if lightness(surface) > depth else lightness(surface) + depth
    own = [
        colour
        for colour in named
        if colour != surface and lightness(colour) > _PAPER_LIGHTNESS and chroma(colour) < _PAPER_CHROMA
    ]
    nearest = min(own, key=lambda colour: abs(lightness(colour) - wanted), default=None)
    if nearest and lightness(surface) > _PAPER_LIGHTNESS:
        return nearest
    return at(hue, light=wanted, most_chroma=_TINT_CHROMA)


def _snapped(made: Theme, named: Sequence[str]) -> Theme:
    """Each colour as the nearest of the palette that can still be read on its ground."""
    return Theme(**{each.name: _snapped_ground(getattr(made, each.name), named) for each in fields(made)})


def _snapped_ground(ground: Ground, named: Sequence[str]) -> Ground:
    fill = _nearest(ground.fill, named, "", 1.0)
    action = _nearest(ground.action, named, fill, SHAPE_CONTRAST)
    return replace(
        ground,
        fill=fill,
        ink=_nearest(ground.ink, named, fill, TEXT_CONTRAST),
        muted=_nearest(ground.muted, named, fill, TEXT_CONTRAST),
        hairline=mixed(fill, _nearest(ground.ink, named, fill, TEXT_CONTRAST), _HAIRLINE),
        link=_nearest(ground.link, named, fill, TEXT_CONTRAST),
        action=action,
        on_action=_nearest(ground.on_action, named, action, TEXT_CONTRAST),
    )


def _nearest(colour: str, named: Sequence[str], ground: str, ratio: float) -> str:
    serves = [other for other in (*named, WHITE, BLACK) if not ground or contrast(other, ground) >= ratio]
    return min(serves, key=lambda other: difference(colour, other))
