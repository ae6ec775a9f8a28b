"""The blocks of a request. Names follow the field: AdCP (Apache-2.0) for brief and brand, DTCG 2025.10 for tokens."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from compositor._values import Json
from compositor.workspace.request._scalars import (
    Address,
    Date,
    Digest,
    Id,
    Jurisdiction,
    Language,
    Line,
    Mailbox,
    Name,
    Severity,
    Text,
)


class Block(BaseModel):
    """A closed part of a request: unknown keys are refused, values are not coerced."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class CallToAction(Block):
    """What the reader should do."""

    text: Line = Field(description="words on the button, 2 to 4 words")
    url: Address | None = Field(default=None, description="where it leads")


class KeyMessage(Block):
    """One thing to say, in priority order."""

    text: Text
    headline: Line | None = None
    asset: Id | None = Field(default=None, description="id of the picture that goes with it")
    cta: CallToAction | None = None
    claims: tuple[Id, ...] = Field(default=(), description="ids of the claims that it rests on")


class Detail(Block):
    """A fact with its label: date, place, price, code."""

    label: Line
    value: Line


class Quote(Block):
    """Words of somebody else, to be set as a quotation."""

    text: Text
    attribution: Line | None = None


class Messaging(Block):
    """The words that the deliverable must carry."""

    headline: Line | None = None
    tagline: Text | None = Field(default=None, description="one supporting line")
    cta: CallToAction | None = None
    key_messages: tuple[KeyMessage, ...] = ()
    details: tuple[Detail, ...] = ()
    quote: Quote | None = None


class Brief(Block):
    """The creative brief."""

    name: Line
    objective: Literal["awareness", "consideration", "conversion", "retention", "engagement"]
    description: Text | None = Field(default=None, description="the request in plain words")
    tone: Line | None = None
    messaging: Messaging = Messaging()
    must_include: tuple[Text, ...] = Field(default=(), description="words that must stand in the deliverable verbatim")
    avoid: tuple[Text, ...] = Field(default=(), description="words and ideas to keep out")


class Audience(Block):
    """Who receives it, as resolved by the caller."""

    description: Text | None = None
    territory: tuple[Jurisdiction, ...] = ()
    segments: tuple[Line, ...] = ()
    clients: tuple[Line, ...] = Field(default=(), description="programs it is opened with, e.g. gmail.ios")


class Logo(Block):
    """A logo and its rules."""

    asset: Id
    orientation: Literal["square", "horizontal", "vertical", "stacked"] | None = None
    background: Literal["dark-bg", "light-bg", "transparent-bg"] | None = None
    variant: Literal["primary", "secondary", "icon", "wordmark", "full-lockup"] | None = None
    min_width: float | None = Field(default=None, gt=0, description="pixels")
    clear_space: float | None = Field(default=None, ge=0, description="as a part of the logo's height")
    severity: Severity = Field(default="should", description="how strictly its rules bind")


class Voice(Block):
    """How the brand speaks."""

    voice: Line | None = None
    attributes: tuple[Line, ...] = ()
    dos: tuple[Line, ...] = ()
    donts: tuple[Line, ...] = ()


class Guideline(Block):
    """One rule of the brand in words."""

    rule: Text
    severity: Severity = "should"


class Disclaimer(Block):
    """A standing disclaimer of the brand."""

    text: Text
    context: Line | None = None
    required: bool = False


class PaletteRule(Block):
    """How strictly the palette binds."""

    severity: Severity = "should"
    tolerance: float | None = Field(default=None, ge=0, le=100, description="delta E 2000 still accepted")
    never: tuple[tuple[Line, Line], ...] = Field(
        default=(), description="pairs that never stand on each other: a role, an alias such as {color.red}, or #rrggbb"
    )


class Brand(Block):
    """The brand: design tokens, and the roles that they play."""

    name: Line
    url: Address | None = None
    tokens: dict[str, Json] = Field(default_factory=dict, description="DTCG 2025.10 groups and tokens")
    colors: dict[Literal["primary", "secondary", "accent", "background", "text"], Line] = Field(
        default_factory=dict, description="role → alias such as {color.red} or #rrggbb"
    )
    fonts: dict[Literal["heading", "body"], Line] = Field(
        default_factory=dict, description="role → alias or family list"
    )
    palette: PaletteRule = PaletteRule()
    logos: tuple[Logo, ...] = ()
    tone: Voice | None = None
    tagline: Line | None = None
    guidelines: tuple[Guideline, ...] = ()
    disclaimers: tuple[Disclaimer, ...] = ()


class Citation(Block):
    """Where in a source a claim stands."""

    source: Id
    place: Line | None = Field(default=None, description="section, page or table")


class Claim(Block):
    """A statement that may be made, and on what terms."""

    id: Id
    text: Text
    variants: tuple[Text, ...] = ()
    status: Literal["approved", "pending", "rejected", "retired"] = "approved"
    expires: Date | None = None
    markets: tuple[Jurisdiction, ...] = Field(default=(), description="where it may be made; empty: everywhere")
    audiences: tuple[Line, ...] = Field(default=(), description="segments it may be told to; empty: everybody")
    sources: tuple[Citation, ...] = ()
    disclosures: tuple[Id, ...] = Field(default=(), description="ids of disclosures that must go with it")
    use: Literal["exact", "paraphrase"] = "exact"


class Source(Block):
    """A document that claims rest on."""

    id: Id
    title: Line
    citation: Text | None = Field(
        default=None, description="its words in a list of references; without any, it is not cited to readers"
    )
    url: Address | None = None


class Disclosure(Block):
    """Required words, verbatim."""

    id: Id
    text: Text
    position: Literal["prominent", "footer", "overlay", "end_card", "companion"] = "footer"
    jurisdictions: tuple[Jurisdiction, ...] = ()
    regulation: Line | None = None
    language: Language | None = None


class Prohibited(Block):
    """Words that must not appear."""

    text: Text
    reason: Line | None = None


class Rules(Block):
    """What law and policy ask for."""

    required_disclosures: tuple[Disclosure, ...] = ()
    prohibited_claims: tuple[Prohibited, ...] = ()
    packs: tuple[Name, ...] = Field(default=(), description="rule packs that apply beside those of the markets")


class Point(Block):
    """A point in a picture, as parts of its width and height."""

    x: float = Field(ge=0, le=1)
    y: float = Field(ge=0, le=1)


class Rights(Block):
    """What may be done with an asset."""

    holder: Line | None = None
    licence: Line | None = None
    expires: Date | None = None
    territory: tuple[Jurisdiction, ...] = ()


class Asset(Block):
    """A picture that comes with the package: a file beside it, or an address in the store.

    What is left out below `rights` is filled in from the file when the operation opens. `media_type`, `width` and
    `height` are what the file is: if given, they must agree with it. The rest is advice: what is given stands.
    """

    id: Id
    path: Line | None = Field(default=None, description="relative to the request file")
    sha256: Digest | None = None
    role: Literal["logo", "hero", "product", "picture", "icon", "background"] = "picture"
    alt: Annotated[str, StringConstraints(max_length=1_000)] | None = Field(
        default=None, description="empty for decoration"
    )
    rights: Rights | None = None
    focal_point: Point | None = Field(default=None, description="what a crop must keep; else where the eye goes")
    media_type: Line | None = None
    width: int | None = Field(default=None, gt=0)
    height: int | None = Field(default=None, gt=0)
    colours: tuple[Line, ...] = Field(default=(), description="main colours, #rrggbb, the largest first")
    lightness: float | None = Field(default=None, ge=0, le=1, description="mean CIE L*, from black to white")
    words_likely: float | None = Field(default=None, ge=0, le=1, description="how likely words are drawn in it")


class Reference(Block):
    """Existing work to look at. `lead` makes the request reference-led: it has an agent of its own."""

    id: Id
    asset: Id | None = None
    note: Text | None = None
    use: Literal["lead", "layout", "inspire"] = "inspire"


class Example(Block):
    """An approved design example."""

    id: Id
    asset: Id | None = None
    text: Text | None = None
    note: Text | None = None


class Sender(Block):
    """Who it comes from."""

    name: Line
    email: Mailbox | None = None


class Delivery(Block):
    """How it reaches the reader."""

    send_on: Date | None = Field(default=None, description="the day it goes out; by default the day of opening")
    subject: Line | None = None
    preheader: Line | None = None
    sender: Sender | None = None
    postal_address: Line | None = None
    unsubscribe: Address | None = Field(default=None, description="address or merge tag")
    merge_tags: Literal["handlebars", "mailchimp", "salesforce", "none"] = Field(
        default="none", description="{{ }}, *| |* or %% %%"
    )
    asset_base_url: Address = "https://assets.invalid/"


class Edit(Block):
    """What an edit starts from and must keep."""

    base_version: Line
    instruction: Text
    protected: tuple[Text, ...] = ()


class JudgedItem(Block):
    """One yes-or-no item for the judge."""

    id: Id
    asks: Line
    severity: Severity = "must"


class Evaluation(Block):
    """Whether and by what the result is judged."""

    enabled: bool = True
    rubric: Line | None = None
    criteria: tuple[JudgedItem, ...] = ()


class Budgets(Block):
    """Limits that the caller sets; they may only be tighter than the agent's."""

    steps: int | None = Field(default=None, ge=1)
    rejections: int | None = Field(default=None, ge=0)
    judge_steps: int | None = Field(default=None, ge=1)
    tokens: int | None = Field(default=None, ge=1)
    cost: float | None = Field(default=None, gt=0, description="US dollars")
    seconds: float | None = Field(default=None, gt=0)


class Policy(Block):
    """How the operation may complete."""

    completion: Literal["draft_allowed", "verified_only"] | None = None
    budgets: Budgets = Budgets()
