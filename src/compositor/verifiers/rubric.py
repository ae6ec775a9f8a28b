"""A judgment from a rubric: the request's own criteria, or those that a content capability derives from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compositor.verifiers._judge import Criterion
from compositor.verifiers._report import Finding, Report, Where
from compositor.verifiers._verifier import CheckContext, Scope, Verifier
from compositor.workspace import COPY, RENDER, View

Derive = Callable[[View], Sequence[Criterion]]

EVALUATION = "evaluation"
"""The request field that holds `rubric` and `criteria`; a capability that uses this verifier reads it."""


def given_criteria(view: View) -> tuple[Criterion, ...]:
    """The criteria that the request itself carries."""
    given = view.get(f"{EVALUATION}.criteria") or ()
    return tuple(
        Criterion(id=item["id"], asks=item["asks"], blocking=item.get("severity", "must") == "must") for item in given
    )


COHESION = (
    Criterion(id="one-voice", asks="One voice speaks throughout, from the first line to the last."),
    Criterion(
        id="said-once", asks="No point is made twice in other words; each section adds something.", blocking=False
    ),
    Criterion(
        id="one-line-of-thought",
        asks="Each section follows from the one before it, and all of them lead to one thing to do.",
        blocking=False,
    ),
)
"""What of the cohesion of a work cannot be measured: items that the rubric of any content type may take up."""


def rubric(
    *, name: str = "rubric", version: str = "1", fields: Sequence[str], derive: Derive, labels: Sequence[str] = ()
) -> Verifier:
    """A judgment verifier that asks the judge for one answer per criterion.

    Args:
        name: of the verifier.
        version: of the verifier; its report has the evidence for every answer among its measures.
        fields: request fields that the rubric and the judge may see.
        derive: criteria that follow from the view, asked where the request gives none.
        labels: further labels that the judge may look at, beside `copy` and `render/`.
    """

    async def check(ctx: CheckContext) -> Report:
        criteria = given_criteria(ctx.view) or tuple(derive(ctx.view))
        if not criteria:
            return Report.not_applicable(0, of="criteria")
        opinion = await ctx.judge.review(criteria, show=ctx.artifacts.labels(RENDER))
        asked = {criterion.id: criterion for criterion in criteria}
        findings = tuple(
            Finding(
                code=f"unmet-{answer.criterion}",
                severity="blocking" if asked[answer.criterion].blocking else "warning",
                message=f"{asked[answer.criterion].asks} — not met: {answer.evidence}",
                where=Where(of=COPY),
                remedy=answer.recommendation or opinion.feedback,
            )
            for answer in opinion.answers
            if not answer.met
        )
        seen = {one.criterion: f"{'met' if one.met else 'not met'}: {one.evidence[:300]}" for one in opinion.answers}
        return Report(examined=len(opinion.answers), findings=findings, measures={"criteria": len(criteria), **seen})

    return Verifier(
        name=name,
        version=version,
        kind="judgment",
        check=check,
        reads=Scope(fields=tuple(fields), labels=(COPY, RENDER, *labels)),
    )
