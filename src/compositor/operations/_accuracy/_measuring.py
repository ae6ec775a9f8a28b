"""Measuring the measurements: every clean control before all of them, every planted fault before the one it is for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from statistics import median

import anyio

from compositor.agents import Agent
from compositor.errors import Problem, RequestError
from compositor.operations._accuracy._corpus import Corpus, Fault
from compositor.operations._accuracy._figures import Accuracy, Alarm, Figures, Missed
from compositor.operations._accuracy._planting import clean, planted
from compositor.operations._accuracy._trial import Trial, Verdicts
from compositor.operations._environment import Environment
from compositor.verifiers import Verdict

Progress = Callable[[str], None]

SIDE_BY_SIDE = 3
"""Faults that are tried at once: while the browser draws one, the others compile and are checked."""


async def accuracy(
    corpus: Corpus,
    environment: Environment,
    *,
    agents: Sequence[Agent] | None = None,
    only: Collection[str] = (),
    progress: Progress = lambda _: None,
) -> Accuracy:
    """Hold the measurements against a corpus.

    Args:
        corpus: the cases.
        environment: with a real compiler and renderer, or the figures mean nothing.
        agents: the agents to choose from; the shipped ones by default.
        only: names of measurements; all by default.
        progress: is told a line now and then.

    Raises:
        CorpusFaulty, RequestError, UnsupportedRequest, CompositionError, EnvironmentUnfit, PortError
    """
    trial = Trial.within(environment, _shipped() if agents is None else agents)
    controls = await _controls(corpus, trial, only, progress)
    costs = {name: median(taken) for name, taken in trial.meter.checks.items() if taken}
    build = median(trial.meter.builds or [0.0])
    names = sorted({name for verdicts in controls.values() for name in verdicts})
    _refuse_unknown(only, names)
    missed = {name: await _missed(name, corpus, trial, progress) for name in names}
    alarms = {name: tuple(_alarms(name, controls)) for name in names}
    return Accuracy(
        content=str(next(iter(corpus.controls.values())).request.get("content", "")),
        figures=tuple(
            Figures(
                check=name,
                kinds=len({fault.kind for fault in corpus.faults.get(name, ())}),
                faults=len(corpus.faults.get(name, ())),
                found=len(corpus.faults.get(name, ())) - len(missed[name]),
                controls=sum(1 for verdicts in controls.values() if _had_a_subject(verdicts.get(name))),
                alarms=len({alarm.control for alarm in alarms[name]}),
                milliseconds=round(costs.get(name, 0.0), 2),
            )
            for name in names
        ),
        missed=tuple(one for name in names for one in missed[name]),
        alarms=tuple(one for name in names for one in alarms[name]),
        untested=tuple(name for name in names if not corpus.faults.get(name)),
        build_milliseconds=round(build, 1),
    )


def _refuse_unknown(only: Collection[str], names: Sequence[str]) -> None:
    """A name that is misspelled must not look like a measurement with which nothing is wrong."""
    problems = [
        Problem(code="unknown-check", message=f"no control has a measurement {name!r}", cure="correct the name")
        for name in only
        if name not in names
    ]
    if problems:
        raise RequestError("the measurements that are asked for", problems)


def _shipped() -> Sequence[Agent]:
    from compositor.agents.shipped import SHIPPED

    return SHIPPED


async def _controls(corpus: Corpus, trial: Trial, only: Collection[str], progress: Progress) -> Mapping[str, Verdicts]:
    seen: dict[str, Verdicts] = {}
    for name, control in corpus.controls.items():
        seen[name] = await trial.of(clean(control), only)
        if len(seen) % 20 == 0:
            progress(f"{len(seen)} of {len(corpus.controls)} controls")
    return seen


async def _missed(check: str, corpus: Corpus, trial: Trial, progress: Progress) -> tuple[Missed, ...]:
    """What the measurement does not find of its faults. Some are tried side by side: builds wait for the browser."""
    faults = corpus.faults.get(check, ())
    missed: dict[str, Missed] = {}
    side_by_side = anyio.CapacityLimiter(SIDE_BY_SIDE)

    async def one(fault: Fault) -> None:
        async with side_by_side:
            said = await _instead(trial, check, fault, corpus)
        if said:
            missed[fault.id] = Missed(check=check, fault=fault.id, kind=fault.kind, control=fault.control, said=said)

    async with anyio.create_task_group() as all_of_them:
        for fault in faults:
            all_of_them.start_soon(one, fault)
    progress(f"{check}: {len(faults) - len(missed)} of {len(faults)} found")
    return tuple(missed[fault.id] for fault in faults if fault.id in missed)


async def _instead(trial: Trial, check: str, fault: Fault, corpus: Corpus) -> str:
    """What a measurement says in place of finding a fault; empty where it finds it."""
    try:
        verdict = (await trial.of(planted(corpus.controls[fault.control], fault), {check})).get(check)
    except RequestError as error:  # nothing is measured where the request itself is refused
        return f"refused: {error}"
    if verdict is None:
        return "it is not in the composition of this request"
    return "" if _finds(verdict, fault) else _said(verdict)


def _finds(verdict: Verdict, fault: Fault) -> bool:
    return any(finding.code in fault.codes for finding in verdict.findings if finding.severity != "note")


def _alarms(check: str, controls: Mapping[str, Verdicts]) -> Iterator[Alarm]:
    """Anything but a note in a clean document, and anything but a clear word on a subject that is there."""
    for name, verdicts in controls.items():
        verdict = verdicts.get(check)
        if verdict is None:
            continue
        found = any(finding.severity != "note" for finding in verdict.findings)
        if found or verdict.status not in {"passed", "not_applicable"}:
            yield Alarm(check=check, control=name, said=_said(verdict))


def _had_a_subject(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.status != "not_applicable"


def _said(verdict: Verdict) -> str:
    """The verdict in a line."""
    found = "; ".join(f"{finding.code} at {finding.where}: {finding.message}" for finding in verdict.findings[:3])
    return f"{verdict.status}{f' ({verdict.reason})' if verdict.reason else ''}{f': {found}' if found else ''}"[:600]
