"""The agents that ship with the product."""

from __future__ import annotations

from compositor.agents._agent import Agent, Asks, When
from compositor.capabilities.approved_examples import approved_examples
from compositor.capabilities.brand_guide import brand_guide
from compositor.capabilities.claims import claims
from compositor.capabilities.cohesion import cohesion
from compositor.capabilities.domain_rules import domain_rules
from compositor.capabilities.email import email
from compositor.capabilities.image_inspection import image_inspection
from compositor.capabilities.reading import reading

GENERATE_EMAIL = Agent(
    operation="generate",
    content=email,
    always=(brand_guide, claims, cohesion, domain_rules, image_inspection, reading),
    when=(When(capability=approved_examples, asks=Asks(field="examples")),),
    withholds=("blueprint", "references"),
)
"""Ordinary email generation: the creative request and the resolved audience, without the upstream blueprint and the raw
reference attachments; approved examples when the request carries them."""

SHIPPED: tuple[Agent, ...] = (GENERATE_EMAIL,)
