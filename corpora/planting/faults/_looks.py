"""Faults that are seen: text that is cut, faint or small, targets that are missed, colours and logos against rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from corpora.planting._kind import Document, Kind, kind
from corpora.planting._pictures import digests
from corpora.planting.faults._parts import on_picture

Json = Any


def _places(d: Document) -> list[str]:
    """Texts of the mail as they stand in the source, with what encloses them."""
    first = d.mail.messages[0]
    spoken = [f">{d.escaped(d.theme['motto'])}<", f">{d.escaped(d.theme['prominent'])}<", f">{d.escaped(d.mail.sub)}<"]
    spoken += [f">{d.escaped(d.theme['footer'])}<", f">{first.marked(d.mail.way)}<"]
    return [text for text in spoken if text in d.source]


def styled(*styles: str) -> Callable[[Document], Json]:
    """One of the texts in one of the styles, another one in each document."""

    def plant(d: Document) -> Json:
        places, at = _places(d), sum(map(ord, d.name))
        place = places[at % len(places)]
        style = styles[at % len(styles)].replace("PRIMARY", d.theme["colors"]["primary"])
        return d.put(place, f'><div style="{style}">{place[1:-1]}</div><')

    return plant


def under(*blocks: str) -> Callable[[Document], Json]:
    """Something right behind one of the texts."""

    def plant(d: Document) -> Json:
        places, at = _places(d), sum(map(ord, d.name))
        place = places[at % len(places)]
        return d.put(place, f"{place[:-1]}{blocks[at % len(blocks)]}<")

    return plant


def _no_picture(tag: str) -> str:
    """The address of a picture that was never made."""
    return re.sub(r"/mail/\w", "/mail/0", tag) if "/mail/0" not in tag else re.sub(r"/mail/0", "/mail/1", tag)


def _small_picture_large(d: Document) -> Json:
    """A small picture in the place of the large one."""
    large = d.first(r'<mj-image [^>]*width="(?:600|552)px"[^>]*/>')
    return d.put(large, large.replace(digests()["hero.jpg"], digests()["one.jpg"])) if large else None


LAYOUT: Sequence[Kind] = (
    kind(
        "cut-below",
        "clipped-text",
        styled("height:8px;overflow:hidden", "height:10px;line-height:16px;overflow:hidden"),
    ),
    kind("cut-at-the-side", "clipped-text", styled("width:60px;overflow:hidden;white-space:nowrap")),
    kind("ellipsis", "shortened-text", styled("width:70px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis")),
    kind("on-top-of-the-next", "overlapping-text", under('<p style="margin:-14px 0 0">Only this week in our shop</p>')),
    kind(
        "pulled-up",
        "overlapping-text",
        under('<p style="position:relative;top:-16px;margin:0">And so much more to see</p>'),
    ),
    kind(
        "covered",
        "covered-text",
        under('<div style="position:relative;margin-top:-60px;height:64px;background:#ffffff"></div>'),
    ),
    kind(
        "off-the-page",
        "text-off-page",
        styled("position:relative;left:-400px", "text-indent:-900px;white-space:nowrap"),
    ),
    kind(
        "too-wide",
        "sideways-scroll",
        under(
            '<table width="760"><tr><td>To the right of everything</td></tr></table>',
            '<div style="width:660px">Far too wide</div>',
        ),
    ),
    kind(
        "too-wide-on-a-phone",
        "sideways-scroll",
        under('<table width="430"><tr><td>Wider than a phone</td></tr></table>'),
    ),
    kind("no-picture", "broken-image refused-image", on_picture(_no_picture)),
    kind("stretched", "distorted-image", on_picture(lambda tag: tag.replace(' width="', ' height="90px" width="'))),
    kind("drawn-too-large", "upscaled-image", _small_picture_large),
)


def _on_button(color: str, background: str) -> Callable[[Document], Json]:
    def plant(d: Document) -> Json:
        tag = d.first(r"<mj-button [^>]*>")
        changed = re.sub(
            r'background-color="[^"]*" color="[^"]*"', f'background-color="{background}" color="{color}"', tag
        )
        return d.put(tag, changed)

    return plant


def _bright_behind(d: Document) -> Json:
    """The white words lie on the bright picture."""
    return (
        d.put(digests()["night.jpg"] + '.jpg" background-color', digests()["hero.jpg"] + '.jpg" background-color')
        if "<mj-hero" in d.source
        else None
    )


def _dark_words_on_dark(d: Document) -> Json:
    """Words on the dark picture that are as dark."""
    place = f">{d.escaped(d.mail.headline)}</h1>"
    return d.put(place, f'><span style="color:#2a3040">{place[1:-5]}</span></h1>') if "<mj-hero" in d.source else None


CONTRAST: Sequence[Kind] = (
    kind("grey-on-white", "low-contrast", styled("color:#b8b8b8", "color:#c9ccd1")),
    kind("nearly-enough", "low-contrast", styled("color:#8a8a8a")),
    kind("hidden-words", "low-contrast", styled("color:#fdfdfd", "color:#f4f4f4;background:#ffffff")),
    kind("pale-button", "low-contrast", _on_button("#ffffff", "#e8b04a")),
    kind("grey-button", "low-contrast", _on_button("#777777", "#cccccc")),
    kind("on-a-dark-plate", "low-contrast", styled("color:#333333;background:#111111")),
    kind(
        "link-in-small-print",
        "low-contrast",
        lambda d: d.put(d.first(r'style="color:#\w+">(?=[^<]*</a></mj-text>)'), 'style="color:#a9b2bb">'),
    ),
    kind("bright-picture", "low-contrast-on-picture low-contrast", _bright_behind),
    kind("dark-on-dark", "low-contrast-on-picture low-contrast", _dark_words_on_dark),
)


def _sized(size: str) -> Callable[[Document], Json]:
    """A text of the body at that size."""

    def plant(d: Document) -> Json:
        texts = [f">{d.escaped(d.theme['motto'])}<", f">{d.escaped(d.theme['prominent'])}<"]
        place = texts[sum(map(ord, d.name)) % 2]
        return d.put(place, f'><span style="font-size:{size}">{place[1:-1]}</span><')

    return plant


SMALL_TEXT: Sequence[Kind] = (
    kind("small-body", "small-text", _sized("12px")),
    kind("a-little-small", "small-text", _sized("13px")),
    kind("tiny-body", "tiny-text", _sized("9px")),
    kind(
        "tiny-print",
        "tiny-text",
        lambda d: d.put(
            f">{d.escaped(d.theme['footer'])}<", f'><span style="font-size:8px">{d.escaped(d.theme["footer"])}</span><'
        ),
    ),
    kind(
        "tiny-button",
        "tiny-text small-text",
        lambda d: d.put(
            d.first(r"<mj-button [^>]*>"), d.first(r"<mj-button [^>]*>").replace('font-size="16px"', 'font-size="10px"')
        ),
    ),
    kind(
        "small-on-a-phone",
        "small-text",
        lambda d: [
            d.put(
                "</mj-style>",
                "@media only screen and (max-width:480px) { .closer div { font-size:11.5px !important; } }</mj-style>",
            ),
            d.put('css-class="section-closing"', 'css-class="section-closing closer"'),
        ],
    ),
)


ROW = (
    '<div style="line-height:14px">'
    + "".join(
        f'<a href="https://a.test/{name}" style="display:block;font-size:12px;line-height:14px">{name}</a>'
        for name in ("Lamps", "Vases", "Throws")
    )
    + "</div>"
)
ICONS = (
    "<div>"
    + "".join(
        f'<a href="https://a.test/{name}" style="display:inline-block;width:16px;height:16px;background:#222222"></a>'
        for name in ("in", "ig", "yt")
    )
    + "</div>"
)


def _button(**changes: str) -> Callable[[Document], Json]:
    def plant(d: Document) -> Json:
        tag = d.first(r"<mj-button [^>]*>")
        changed = tag
        for name, value in changes.items():
            changed = re.sub(
                rf'(?<= ){name.replace("_", "-")}="[^"]*"', f'{name.replace("_", "-")}="{value}"', changed, count=1
            )
        return d.put(tag, changed)

    return plant


TAPS: Sequence[Kind] = (
    kind("links-in-a-stack", "small-target", under(ROW)),
    kind("row-of-icons", "small-target", under(ICONS)),
    kind("pressed-dots", "small-target", under(ICONS.replace("16px", "10px"))),
    kind("flat-button", "small-main-action", _button(inner_padding="4px 28px")),
    kind("button-a-little-flat", "small-main-action", _button(inner_padding="9px 28px")),
    kind(
        "flat-on-a-phone",
        "small-main-action",
        lambda d: [
            d.put(
                "</mj-style>",
                "@media only screen and (max-width:480px) { .press a { padding:2px 12px !important; } }</mj-style>",
            ),
            d.put("<mj-button ", '<mj-button css-class="press" '),
        ],
    ),
)


def _ground(color: str) -> Callable[[Document], Json]:
    """A section in another colour."""

    def plant(d: Document) -> Json:
        tag = d.first(r'<mj-section css-class="section-closing"[^>]*>')
        return d.put(tag, re.sub(r'background-color="[^"]*"', f'background-color="{color}"', tag))

    return plant


OTHER_HUES = ("#b1007a", "#7a3cff", "#e0007b")
"""Colours that no theme has, or is near to."""

PALETTE: Sequence[Kind] = (
    kind("button-in-another-colour", "off-palette", _on_button("#ffffff", OTHER_HUES[0])),
    kind("section-in-another-colour", "off-palette", _ground("#ffd9f2")),
    kind("loud-section", "off-palette", _ground("#e9d5ff")),
    kind("bar", "off-palette", under(f'<div style="height:24px;background:{OTHER_HUES[1]}"></div>')),
    kind("frame", "off-palette", styled(f"border:6px solid {OTHER_HUES[2]};padding:8px")),
    kind("plate", "off-palette", styled(f"background:{OTHER_HUES[1]};color:#ffffff;padding:12px")),
    kind(
        "nearly-the-colour", "near-palette", lambda d: _on_button("#ffffff", _shifted(d.theme["colors"]["accent"]))(d)
    ),
)


def _shifted(color: str) -> str:
    """The colour, with a little more red and less blue: not the brand's, and not far from it."""
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return f"#{min(255, red + 22):02x}{green:02x}{max(0, blue - 12):02x}"


def _logo(pattern: str, put: str) -> Callable[[Document], Json]:
    def plant(d: Document) -> Json:
        tag = d.first(r'<mj-image [^>]*width="160px"[^>]*/>')
        return d.put(tag, re.sub(pattern, put, tag, count=1))

    return plant


def _small_line(d: Document, padding: str) -> str:
    """A line of small words on the side on which the logo stands."""
    look = f'align="{"right" if d.language == "ar" else "left"}" font-size="14px" line-height="14px"'
    return f'<mj-text {look} padding="{padding}">{d.escaped(d.theme["tagline"])}</mj-text>'


def _words_at_logo(d: Document, padding: str, of_words: str) -> Json:
    tag = d.first(r'<mj-image [^>]*width="160px"[^>]*/>')
    words = _small_line(d, of_words)
    return d.put(tag, tag.replace('padding="24px 24px 24px"', f'padding="{padding}"') + words)


def _words_above_logo(d: Document) -> Json:
    tag = d.first(r'<mj-image [^>]*width="160px"[^>]*/>')
    words = _small_line(d, "16px 24px 0")
    return d.put(tag, words + tag.replace('padding="24px 24px 24px"', 'padding="2px 24px 24px"'))


LOGO: Sequence[Kind] = (
    kind("small", "small-logo", _logo('width="160px"', 'width="90px"')),
    kind("a-little-small", "small-logo", _logo('width="160px"', 'width="116px"')),
    kind(
        "small-on-a-phone",
        "small-logo",
        lambda d: [
            d.put(
                "</mj-style>",
                "@media screen and (max-width:480px) { .mark img, .mark td { width:80px !important; } }</mj-style>",
            ),
            d.put(' alt="', ' css-class="mark" alt="'),
        ],
    ),
    kind("no-room-below", "crowded-logo", lambda d: _words_at_logo(d, "24px 24px 0", "0 24px")),
    kind("no-room-above", "crowded-logo", _words_above_logo),
    kind("at-the-edge", "crowded-logo", _logo('padding="24px 24px 24px"', 'padding="24px 0"')),
)


def _plate(style: str) -> Callable[[Document], Json]:
    """A text in one colour on another, both the brand's."""

    def plant(d: Document) -> Json:
        colors = d.theme["colors"]
        return styled(style.replace("TEXT", colors["text"]).replace("NEAR", _near(colors["primary"])))(d)

    return plant


def _near(color: str) -> str:
    """A colour that nobody can tell from it."""
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return f"#{red + 1:02x}{green + 1:02x}{blue + 1:02x}"


def _dark_headline(d: Document) -> Json:
    """The headline on the band of the brand's colour, in the colour of text."""
    white = d.first(r'color="#ffffff" padding="8px 24px"><h1')
    if not white or "<mj-hero" in d.source:
        return None
    return d.put(white, white.replace("#ffffff", d.theme["colors"]["text"]))


PAIRS: Sequence[Kind] = (
    kind("plate", "colours-never-together", _plate("background:PRIMARY;color:TEXT;padding:12px")),
    kind("plate-nearly", "colours-never-together", _plate("background:NEAR;color:TEXT;padding:12px")),
    kind(
        "button",
        "colours-never-together",
        lambda d: _on_button(d.theme["colors"]["text"], d.theme["colors"]["primary"])(d),
    ),
    kind("section", "colours-never-together", lambda d: _ground(d.theme["colors"]["primary"])(d)),
    kind("band", "colours-never-together", _dark_headline),
    kind(
        "cell",
        "colours-never-together",
        lambda d: (
            d.put('<td style="padding:8px 0">', f'<td style="padding:8px;background:{d.theme["colors"]["primary"]}">')
            if "<mj-table" in d.source
            else None
        ),
    ),
)
