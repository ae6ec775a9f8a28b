"""`compositor explain` and `compositor check`: compositions, without a model, a browser or a network."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from compositor.cli._exits import fail
from compositor.cli._options import AsJson
from compositor.errors import CompositorError, Problem, RequestError

if TYPE_CHECKING:
    from compositor.agents import Composition


class Format(Enum):
    """How a composition is shown."""

    TEXT = "text"
    JSON = "json"
    MERMAID = "mermaid"


def explain(
    content: Annotated[str, typer.Argument(help="The content type, for example email.")],
    operation: Annotated[str, typer.Argument(help="generate or edit.")],
    *,
    request: Annotated[Path | None, typer.Option(help="Compose for this request instead of the smallest one.")] = None,
    mode: Annotated[str | None, typer.Option(help="A named narrowing of the agent.")] = None,
    shown: Annotated[Format, typer.Option("--format", help="How it is shown.")] = Format.TEXT,
) -> None:
    """Show what an agent is made of: who may see, call, own and check what, and what is withheld."""
    import json

    from compositor.agents import explain as explain_text
    from compositor.agents import explain_json, explain_mermaid

    try:
        composition = _composed(content, operation, request, mode)
    except CompositorError as error:
        fail(error)
    if shown is Format.JSON:
        typer.echo(json.dumps(explain_json(composition), indent=2, sort_keys=True, default=dict))
    else:
        typer.echo(explain_mermaid(composition) if shown is Format.MERMAID else explain_text(composition))


def _composed(content: str, operation: str, request: Path | None, mode: str | None) -> Composition:
    from compositor.agents import compose, dispatch, sample_request
    from compositor.agents.shipped import SHIPPED
    from compositor.operations import read_package
    from compositor.workspace.request import traits_of

    if request is None:
        agent = dispatch(SHIPPED, operation=operation, content=content)
        return compose(agent, sample_request(agent), mode)
    package, _ = read_package(request)
    agent = dispatch(SHIPPED, operation=operation, content=content, traits=traits_of(package))
    if (package.operation, package.content) != (operation, content):
        what = f"it asks for {package.operation} {package.content}, not for {operation} {content}"
        raise RequestError(str(request), [Problem(code="wrong-content", message=what, where="$.content")])
    return compose(agent, package, mode)


def check(*, as_json: AsJson = False) -> None:
    """Compose every agent in every variant and mode. Exit 2 where one is refused."""
    import json

    from compositor.agents import check as check_agents
    from compositor.agents.shipped import SHIPPED

    tried = check_agents(SHIPPED)
    if as_json:
        typer.echo(json.dumps([one.as_json() for one in tried], indent=2))
    else:
        for one in tried:
            mode = f" ({one.mode})" if one.mode else ""
            typer.echo(f"{'✗' if one.problems else '✓'} {one.agent}{mode}: {', '.join(one.capabilities)}")
            for problem in one.problems:
                typer.echo(f"    {problem}")
    if any(one.problems for one in tried):
        raise typer.Exit(2)
