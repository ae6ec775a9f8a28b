"""A bench for support capabilities: words as any deliverable has them, and the verdict of a verifier on these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compositor._values import Json
from compositor.authoring import Capability, Section
from compositor.verifiers import Verdict
from compositor.workspace import COPY, copy_json, made
from tests.email.bench import Bench


async def verdict_on_copy(
    capability: Capability, check: str, sections: Sequence[Section], request: Mapping[str, Json]
) -> Verdict:
    """The verdict of a verifier of a support capability on the words of a deliverable."""
    bench = Bench(request, capability=capability)
    bench.artifacts[COPY] = await made(bench.blobs, copy_json(sections), "application/json", {})
    return await bench.check(check)


def passages(*texts: str, role: str = "body", evidence: Sequence[str] = ()) -> tuple[Section, ...]:
    """Pieces of copy in one role, each at a line and a box of its own."""
    return tuple(
        Section(
            id=f"{role}-{number}",
            role=role,
            text=text,
            place=f"email.mjml:{number}",
            box=(0, number * 20, 300, 18),
            size=16,
            evidence=tuple(evidence),
        )
        for number, text in enumerate(texts, 1)
    )
