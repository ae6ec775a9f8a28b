"""How a clean document is set: nine bodies between one header and one footer.

They are written as people write MJML, and differ in what checks have to cope with: columns, groups, wrappers, tables,
lists, text on a picture, no picture at all, a right-to-left script.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from corpora.planting._pictures import digests

if TYPE_CHECKING:
    from corpora.planting._controls import Mail

Json = Any
RTL = {"ar"}
FONTS = {
    "ja": "'Hiragino Sans','Noto Sans CJK JP',sans-serif",
    "ar": "'Noto Sans Arabic',Tahoma,'DejaVu Sans',sans-serif",
}
GREETINGS = {"en": "Dear {},", "de": "Guten Tag {},", "fr": "Bonjour {},", "es": "Hola, {}:"}
NAMES = {"handlebars": "{{first_name}}", "mailchimp": "*|FNAME|*", "salesforce": "%%firstname%%"}


def page(mail: Mail) -> tuple[list[Json], str]:
    """The sections of the plan, and the MJML."""
    setting = _Setting(mail)
    setting.header()
    BODIES[mail.way](setting)
    setting.terms()
    setting.closing()
    setting.references()
    setting.imprint()
    return setting.planned, setting.document()


class _Setting:
    """A document in the making: sections are added in the order in which they are read."""

    def __init__(self, mail: Mail) -> None:
        self.mail, self.theme = mail, mail.theme
        self.color: Mapping[str, str] = mail.theme["colors"]
        self.side = "right" if mail.theme["locale"] in RTL else "left"
        self.planned: list[Json] = []
        self._parts: list[str] = []
        self._pictures = digests()

    def add(self, name: str, role: str, mjml: str, evidence: Sequence[str]) -> None:
        """A section: in the plan and in the source."""
        self.planned.append({"id": name, "role": role, "evidence": list(evidence)})
        self._parts.append(mjml.replace("SECTION", f"section-{name}"))

    def source_of(self, picture: str) -> str:
        """The address of a picture."""
        return f"{self.mail.site}/mail/{self._pictures[picture]}.{picture.rpartition('.')[2]}"

    def header(self) -> None:
        """The logo, with room around it."""
        logo = (
            f'<mj-image src="{self.source_of("logo.png")}" srcset="{self.source_of("logo.png")} 2x"'
            f' alt="{escape(self.theme["name"])}" width="160px"'
            f' align="{self.side}" padding="24px 24px 24px" />'
        )
        self.add("header", "header", _section(_column(logo), "white"), ["brand.name"])

    def heading(self, size: int = 32, color: str = "text") -> str:
        """The headline."""
        return self.text(
            f'<h1 style="margin:0;font-size:{size}px;line-height:{size + 8}px">{escape(self.mail.headline)}</h1>',
            size=size,
            color=color,
        )

    def sub(self, color: str = "text") -> str:
        """The line below the headline."""
        return self.text(f'<p style="margin:0">{escape(self.mail.sub)}</p>', size=18, color=color)

    def text(self, inner: str, *, size: int = 16, color: str = "text", padding: str = "8px 24px") -> str:
        """A text component."""
        shown = self.color.get(color, color)
        return (
            f'<mj-text align="{self.side}" font-size="{size}px" line-height="{round(size * 1.5)}px" color="{shown}"'
            f' padding="{padding}">{inner}</mj-text>'
        )

    def button(self, padding: str = "16px 24px 24px") -> str:
        """The one thing to do."""
        return (
            f'<mj-button href="{self.mail.site}{self.theme["path"]}" align="{self.side}" font-size="16px"'
            f' line-height="24px"'
            f' background-color="{self.color["accent"]}" color="#ffffff" inner-padding="12px 28px"'
            f' border-radius="4px" padding="{padding}">{escape(self.theme["cta"])}</mj-button>'
        )

    def picture(self, name: str, alt: str, width: int, padding: str = "0") -> str:
        """A picture with its words."""
        return f'<mj-image src="{self.source_of(name)}" alt="{escape(alt)}" width="{width}px" padding="{padding}" />'

    def message(self, at: int, *, size: int = 20) -> str:
        """A message: its title and its words."""
        one = self.mail.messages[at]
        return self.text(
            f'<h2 style="margin:0 0 8px;font-size:{size}px;line-height:{size + 8}px">{escape(one.title)}</h2>'
            f'<p style="margin:0">{one.marked(self.mail.way)}</p>'
        )

    def evidence(self, *at: int) -> list[str]:
        """What these messages rest on."""
        claims = [self.mail.messages[one].claim for one in at]
        return ["brief.messaging.key_messages", *(claim for claim in claims if claim)]

    def terms(self) -> None:
        """Required words in a section of their own."""
        inner = self.text(escape(self.theme["prominent"]), size=14, padding="16px 24px")
        self.add("terms", "notice", _section(_column(inner), self.color["ground"]), ["rules.required_disclosures"])

    def closing(self) -> None:
        """What the sender says at the end."""
        inner = self.text(f'<p style="margin:0">{escape(self.theme["motto"])}</p>', size=18, padding="24px 24px 8px")
        self.add("closing", "closing", _section(_column(inner), "white"), ["brand.tagline"])

    def references(self) -> None:
        """The list of references."""
        listed = "".join(self.text(escape(one), size=12, padding="4px 24px") for one in self.mail.references)
        self.add("references", "references", _section(_column(listed), "white"), ["sources"])

    def imprint(self) -> None:
        """Required small print, the address, and the way to leave."""
        words = escape(self.theme["unsubscribe"])
        leave = f'<a href="{escape(self.mail.unsubscribe)}" style="color:{self.color["text"]}">{words}</a>'
        lines = [escape(self.theme["footer"]), escape(self.theme["address"]), leave]
        inner = "".join(self.text(line, size=12, padding="4px 24px") for line in lines)
        self.add(
            "footer", "footer", _section(_column(inner), self.color["ground"], padding="16px 0"), ["rules", "delivery"]
        )

    def document(self) -> str:
        """The whole source."""
        locale = self.theme["locale"]
        fonts = FONTS.get(
            locale.partition("-")[0],
            "Georgia,'Times New Roman',serif" if self.mail.way % 2 else "Helvetica,Arial,sans-serif",
        )
        return (
            f'<mjml lang="{locale}" dir="{"rtl" if locale in RTL else "ltr"}">\n<mj-head>\n'
            f"<mj-title>{escape(self.theme['name'])}: {escape(self.mail.headline)}</mj-title>\n"
            f"<mj-preview>{escape(self.mail.preheader)}</mj-preview>\n"
            f'<mj-attributes><mj-all font-family="{fonts}" /></mj-attributes>\n'
            f"<mj-style>a {{ text-decoration: underline; }}</mj-style>\n</mj-head>\n"
            f'<mj-body width="600px" background-color="{self.color["ground"]}">\n'
            + "\n".join(self._parts)
            + "\n</mj-body>\n</mjml>\n"
        )


def _section(inner: str, background: str, *, padding: str = "0", more: str = "") -> str:
    shown = "#ffffff" if background == "white" else background
    return (
        f'<mj-section css-class="SECTION" background-color="{shown}" padding="{padding}"{more}>\n{inner}\n</mj-section>'
    )


def _column(inner: str, *, width: str = "", more: str = "") -> str:
    at = f' width="{width}"' if width else ""
    return f"<mj-column{at}{more}>\n{inner}\n</mj-column>"


def _one_by_one(one: _Setting) -> None:
    """The messages one under another, each in a section of its own."""
    for at in range(4):
        one.add(
            f"message-{at + 1}",
            "statement",
            _section(_column(one.message(at)), "white", padding="8px 0"),
            one.evidence(at),
        )


def _stacked(one: _Setting) -> None:
    """A picture, the headline below it, and the messages one under another."""
    hero = one.picture("hero.jpg", one.theme["tagline"], 600) + one.heading() + one.sub() + one.button()
    one.add("hero", "hero", _section(_column(hero), "white"), ["brief.messaging"])
    _one_by_one(one)


def _beside(one: _Setting) -> None:
    """Words beside a picture, twice, the second time the other way round."""
    words, picture = (
        _column(one.heading(28) + one.sub() + one.button(), width="55%"),
        one.picture("one.jpg", one.theme["messages"][0][0], 240),
    )
    one.add(
        "hero", "hero", _section(words + _column(picture, width="45%"), "white", padding="16px 0"), ["brief.messaging"]
    )
    other = _column(one.picture("two.jpg", one.theme["messages"][1][0], 240), width="45%") + _column(
        one.message(0), width="55%"
    )
    one.add(
        "message-1", "feature", _section(other, "white", padding="16px 0", more=' direction="rtl"'), one.evidence(0)
    )
    rest = _column(one.message(1), width="50%") + _column(one.message(2), width="50%")
    one.add("message-2", "list", _section(rest, one.color["ground"], padding="16px 0"), one.evidence(1, 2))
    one.add("message-3", "statement", _section(_column(one.message(3)), "white"), one.evidence(3))


def _band(one: _Setting) -> None:
    """A band of the brand's colour, and a list of rows with lines between them."""
    said = one.heading(36, "#ffffff") + one.sub("#ffffff")
    one.add("hero", "hero", _section(_column(said), one.color["primary"], padding="40px 0"), ["brief.messaging"])
    line = f'<mj-divider border-width="1px" border-color="{one.color["ground"]}" padding="8px 24px" />'
    rows = line.join(one.message(at) for at in range(4))
    one.add(
        "messages", "list", _section(_column(rows + one.button()), "white", padding="16px 0"), one.evidence(0, 1, 2, 3)
    )


def _on_picture(one: _Setting) -> None:
    """White words on a dark picture."""
    said = one.heading(34, "#ffffff") + one.sub("#ffffff") + one.button()
    hero = (
        f'<mj-hero css-class="SECTION" mode="fixed-height" height="320px" background-width="600px"'
        f' background-height="320px" background-url="{one.source_of("night.jpg")}" background-color="#10141f"'
        f' vertical-align="middle" padding="0">{said}</mj-hero>'
    )
    one.add("hero", "hero", hero, ["brief.messaging"])
    _one_by_one(one)


def _cards(one: _Setting) -> None:
    """Three cards in a row under the headline."""
    one.add("hero", "hero", _section(_column(one.heading() + one.sub() + one.button()), "white"), ["brief.messaging"])
    names = ("one.jpg", "two.jpg", "three.jpg")
    alts = [message[0] for message in one.theme["messages"]]
    cards = "".join(
        _column(one.picture(name, alts[at], 176, "8px 12px") + one.message(at, size=18), width="33.33%")
        for at, name in enumerate(names)
    )
    one.add("cards", "cards", _section(cards, one.color["ground"], padding="16px 0"), one.evidence(0, 1, 2))
    one.add("message-4", "statement", _section(_column(one.message(3)), "white", padding="16px 0"), one.evidence(3))


def _letter(one: _Setting) -> None:
    """A letter: a greeting, and words alone."""
    name = NAMES.get(one.theme["merge_tags"])
    greeting = GREETINGS.get(one.theme["locale"].partition("-")[0])
    begin = one.text(f'<p style="margin:0">{greeting.format(name)}</p>') if name and greeting else ""
    said = one.heading(26) + begin + one.sub() + "".join(one.message(at, size=18) for at in range(4)) + one.button()
    one.add(
        "hero",
        "hero",
        _section(_column(said), "white", padding="8px 0"),
        ["brief.messaging", *one.evidence(0, 1, 2, 3)],
    )


def _table(one: _Setting) -> None:
    """The facts in a table of data, the messages in two columns."""
    one.add("hero", "hero", _section(_column(one.heading() + one.sub() + one.button()), "white"), ["brief.messaging"])
    rows = "".join(
        f'<tr><th scope="row" align="{one.side}" style="padding:8px 0">{escape(label)}</th>'
        f'<td style="padding:8px 0">{escape(value)}</td></tr>'
        for label, value in one.theme["details"]
    )
    look = f'color="{one.color["text"]}" font-size="16px" line-height="24px" padding="8px 24px"'
    shown = f"<mj-table {look}>{rows}</mj-table>"
    one.add("details", "details", _section(_column(shown), one.color["ground"]), ["brief.messaging.details"])
    for at in (0, 2):
        pair = _column(one.message(at), width="50%") + _column(one.message(at + 1), width="50%")
        one.add(f"message-{at + 1}", "list", _section(pair, "white", padding="16px 0"), one.evidence(at, at + 1))


def _wrapped(one: _Setting) -> None:
    """A wrapper around two sections, and the facts side by side, on a phone too."""
    first = _section(_column(one.picture("hero.jpg", one.theme["tagline"], 552)), "white").replace(
        ' css-class="SECTION"', ""
    )
    second = _section(_column(one.heading(30) + one.sub() + one.button()), "white").replace(' css-class="SECTION"', "")
    look = f'css-class="SECTION" background-color="{one.color["ground"]}" padding="24px"'
    wrapper = f"<mj-wrapper {look}>{first}{second}</mj-wrapper>"
    one.add("hero", "hero", wrapper, ["brief.messaging"])
    facts = "".join(
        _column(
            one.text(f"{escape(label)}<br /><strong>{escape(value)}</strong>", size=14, padding="8px 12px"),
            width="33.33%",
        )
        for label, value in one.theme["details"]
    )
    one.add("details", "strip", _section(f"<mj-group>{facts}</mj-group>", "white"), ["brief.messaging.details"])
    one.add(
        "messages",
        "list",
        _section(_column("".join(one.message(at) for at in range(4))), "white"),
        one.evidence(0, 1, 2, 3),
    )


def _quoted(one: _Setting) -> None:
    """A customer's words after the headline, and the messages in an ordered list."""
    one.add(
        "hero", "hero", _section(_column(one.heading() + one.sub()), "white", padding="16px 0"), ["brief.messaging"]
    )
    words, name = one.theme["quote"]
    said = one.text(f'<p style="margin:0">{escape(words)}</p>', size=22) + one.text(escape(name), size=14)
    one.add("quote", "quote", _section(_column(said), one.color["ground"], padding="16px 0"), ["brief.messaging.quote"])
    items = "".join(f'<li style="margin:0 0 16px">{message.marked(one.mail.way)}</li>' for message in one.mail.messages)
    inner = one.text(f'<ol style="margin:0;padding:0 24px">{items}</ol>') + one.button()
    one.add("messages", "list", _section(_column(inner), "white", padding="16px 0"), one.evidence(0, 1, 2, 3))


BODIES: tuple[Callable[[_Setting], None], ...] = (
    _stacked,
    _beside,
    _band,
    _on_picture,
    _cards,
    _letter,
    _table,
    _wrapped,
    _quoted,
)
