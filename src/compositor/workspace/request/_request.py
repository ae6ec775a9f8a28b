"""The request: the versioned, closed package that a backend sends for one operation."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from compositor._values import Json
from compositor.workspace.request._blocks import (
    Asset,
    Audience,
    Block,
    Brand,
    Brief,
    Claim,
    Delivery,
    Edit,
    Evaluation,
    Example,
    Policy,
    Reference,
    Rules,
    Source,
)
from compositor.workspace.request._scalars import Id, Language, Name

SCHEMA_VERSION: Literal["1"] = "1"


class Request(Block):
    """Everything that one operation may know. `extensions.<capability>` is the one open door."""

    schema_version: Literal["1"] = SCHEMA_VERSION
    operation: Name = Field(description="generate or edit")
    content: Name = Field(description="the content type, e.g. email")
    locale: Language = Field(default="en", description="BCP 47 tag of the deliverable's language")
    document: Id | None = Field(default=None, description="the line of versions that the result joins")
    brief: Brief
    audience: Audience | None = None
    brand: Brand | None = None
    claims: tuple[Claim, ...] = ()
    sources: tuple[Source, ...] = ()
    rules: Rules | None = None
    assets: tuple[Asset, ...] = ()
    references: tuple[Reference, ...] = ()
    examples: tuple[Example, ...] = ()
    blueprint: dict[str, Json] | None = Field(default=None, description="the upstream plan, as it came")
    delivery: Delivery = Delivery()
    edit: Edit | None = None
    evaluation: Evaluation = Evaluation()
    policy: Policy = Policy()
    extensions: dict[Name, Json] = Field(default_factory=dict)


REFERENCE_LED = "reference-led"
"""The trait of a request that is led by existing work: one of its references has the use `lead`."""


def traits_of(request: Request) -> frozenset[str]:
    """The facts of a request, beside its operation and content type, that select an agent."""
    leads = any(reference.use == "lead" for reference in request.references)
    return frozenset({REFERENCE_LED} if leads else ())
