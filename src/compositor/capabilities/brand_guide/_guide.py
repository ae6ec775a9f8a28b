"""The brand in words: two files, and what the writer is told."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from compositor._values import Json, thaw
from compositor.capabilities import Given, Instructions, View
from compositor.workspace.tokens import (
    NamedColour,
    brand_colours,
    brand_fonts,
    hex_of,
    never_together,
    resolve_tokens,
)

TOKENS = "brand/tokens.json"
GUIDE = "brand/guide.md"


def given_files(view: View) -> Mapping[str, Given]:
    """The resolved tokens and the guide; nothing where the request has no brand."""
    brand = thaw(view.get("brand", {}))
    if not brand:
        return {}
    tokens = json.dumps(_resolved(brand), ensure_ascii=False, indent=2) + "\n"
    return {
        TOKENS: Given(content=tokens, voice="brand", about="colours and fonts by role, and all tokens, resolved"),
        GUIDE: Given(content=_guide(brand), voice="brand", about="voice, logos, guidelines and disclaimers"),
    }


def instructions(view: View) -> Instructions:
    """How to use the guide; nothing where the request has no brand."""
    brand = view.get("brand", {})
    if not brand:
        return Instructions()
    strict = brand.get("palette", {}).get("severity", "should") == "must"
    return Instructions(
        f"## The brand\n\nYou work for {brand['name']}. `{GUIDE}` says how it speaks and looks, `{TOKENS}` gives its"
        " colours and fonts. Use its colours by role and its fonts with common fallbacks; invent no colours. Greys,"
        f" near-whites and near-blacks are free. Others are measured, and {'rejected' if strict else 'reported'}.",
    )


def _resolved(brand: Mapping[str, Json]) -> Mapping[str, Json]:
    tokens = resolve_tokens(brand.get("tokens") or {})
    return {
        "colors": dict(brand_colours(brand)),
        "fonts": {role: list(families) for role, families in brand_fonts(brand).items()},
        "tokens": {
            path: {"type": token.type, "value": hex_of(token.value) if token.type == "color" else thaw(token.value)}
            for path, token in tokens.items()
        },
    }


def _guide(brand: Mapping[str, Json]) -> str:
    blocks = [
        f"# {brand['name']}",
        *_opening(brand),
        *_voice(brand.get("tone") or {}),
        *_colours(brand),
        *_rules(brand),
    ]
    return "\n\n".join(blocks) + "\n"


def _opening(brand: Mapping[str, Json]) -> Iterator[str]:
    if tagline := brand.get("tagline"):
        yield f"Tagline: {tagline}"
    if url := brand.get("url"):
        yield f"Site: {url}"


def _voice(tone: Mapping[str, Json]) -> Iterator[str]:
    if voice := tone.get("voice"):
        yield f"## Voice\n\n{voice}"
    for key, title in (("attributes", "The voice is"), ("dos", "Do"), ("donts", "Do not")):
        if tone.get(key):
            yield f"## {title}\n\n{_list(tone[key])}"


def _colours(brand: Mapping[str, Json]) -> Iterator[str]:
    if colours := brand_colours(brand):
        yield f"## Colours\n\n{_list(f'{role}: {colour}' for role, colour in colours.items())}"
    if never := never_together(brand):
        yield f"## Never on each other\n\n{_list(f'{_colour(one)} and {_colour(other)}' for one, other in never)}"
    if fonts := brand_fonts(brand):
        yield f"## Fonts\n\n{_list(f'{role}: ' + ', '.join(families) for role, families in fonts.items())}"


def _colour(named: NamedColour) -> str:
    name, colour = named
    return colour if name == colour else f"{name} ({colour})"


def _rules(brand: Mapping[str, Json]) -> Iterator[str]:
    if logos := brand.get("logos"):
        yield f"## Logo\n\n{_list(_logo(logo) for logo in logos)}"
    if guidelines := brand.get("guidelines"):
        yield f"## Guidelines\n\n{_list(map(_guideline, guidelines))}"
    if disclaimers := brand.get("disclaimers"):
        yield f"## Disclaimers\n\n{_list(_disclaimer(disclaimer) for disclaimer in disclaimers)}"


def _logo(logo: Mapping[str, Json]) -> str:
    facts = [str(logo[key]) for key in ("variant", "orientation", "background") if logo.get(key)]
    if width := logo.get("min_width"):
        facts.append(f"at least {width:g} px wide")
    if space := logo.get("clear_space"):
        facts.append(f"clear space of {space:g} × its height on all sides")
    told = f"asset {logo['asset']}" + (f": {', '.join(facts)}" if facts else "")
    return f"{told} (must)" if logo.get("severity") == "must" else told


def _guideline(guideline: Mapping[str, Json]) -> str:
    return f"{'Must' if guideline.get('severity') == 'must' else 'Should'}: {guideline['rule']}"


def _disclaimer(disclaimer: Mapping[str, Json]) -> str:
    context = f" ({disclaimer['context']})" if disclaimer.get("context") else ""
    return f"{'Required' if disclaimer.get('required') else 'Where it fits'}{context}: {disclaimer['text']}"


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)
