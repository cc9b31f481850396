"""`goalspec render`: a goal's fragments for a model, with their sizes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .render.words import count
from .spec import choose_goal, load_spec
from .terminal import complain, emit, json_text

if TYPE_CHECKING:
    from ..compiler.ir import Document, Goal
    from ..compiler.rendering import Fragment, State, Templates

JUDGE = "judge"  # no fragment of the worker's, but a text for a model like them


@click.command()
@click.argument("file", type=click.Path())
@click.option("--goal", "goal_id", metavar="ID", help="One of several goals.")
@click.option(
    "--fragment", "name", metavar="NAME",
    help="goal, continuation, preserved, unmet, stall, audit, or judge: the judge's brief.",
)  # fmt: skip
@click.option(
    "--facts", metavar="FACTS", type=click.Path(),
    help="As the run stands after these observations.",
)  # fmt: skip
@click.option(
    "--baseline", metavar="FACTS", type=click.Path(), help="The facts that `at baseline` reads."
)
@click.option(
    "--templates", metavar="DIR", type=click.Path(),
    help="Templates of your own, in place of the built-in ones.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print texts and sizes as JSON.")
def command(
    file: str, goal_id: str | None, name: str | None, facts: str | None, baseline: str | None,
    templates: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Show a goal's text for a model.

    With --fragment that text alone goes to standard output, exactly as a model would get it, and
    its size to standard error; without it all of them are shown. The estimate in tokens is a token
    for each 4 characters begun.
    """
    from ..compiler.rendering import BadTemplate, read_templates

    if [file, facts, baseline].count("-") > 1:
        raise click.UsageError("only one of the spec, the facts and the baseline is standard input")
    if baseline is not None and facts is None:
        raise click.UsageError("--baseline goes with --facts")
    names = _names(name)
    document = load_spec(file)
    goal = choose_goal(document, goal_id)
    try:
        own = None if templates is None else read_templates(Path(templates))
        state = None if facts is None else _state(document, goal, facts, baseline)
        wanted = [one for one in names if one == name or one != JUDGE or goal.judge is not None]
        shown = [_fragment(goal, one, state, own) for one in wanted]
    except BadTemplate as error:
        complain(error.place, "error", "GS506", error.message)
        raise SystemExit(2) from None
    if as_json:
        emit(json_text(_json(goal, shown)))
    elif name is not None:
        emit(shown[0].text + "\n")
        click.echo(_size(shown[0]), err=True)
    else:
        emit("\n".join(f"--- {_size(one)} ---\n\n{one.text}\n" for one in shown))


def _names(name: str | None) -> tuple[str, ...]:
    from ..compiler.rendering import FRAGMENTS
    from ..grammar.diagnostics import nearest

    known = (*FRAGMENTS, JUDGE)
    if name is None:
        return known
    if name not in known:
        near = nearest(name, known)
        hint = f"did you mean `{near}`?" if near else f"there are {', '.join(known)}"
        raise click.UsageError(f"there is no fragment `{name}`; {hint}")
    return (name,)


def _state(document: Document, goal: Goal, facts: str, baseline: str | None) -> State:
    """How a run stands that has seen *facts*."""
    from ..compiler.rendering import State
    from .verdicts import observed

    verdict = observed(document, goal, facts, baseline, strict=False)[-1]
    parts = (*verdict.criteria, *verdict.constraints, *verdict.stops)
    return State(
        outcomes={part.id: part.outcome for part in parts},
        explanations={part.id: part.explanation for part in parts},
    )


def _fragment(goal: Goal, name: str, state: State | None, templates: Templates | None) -> Fragment:
    from ..compiler.rendering import Fragment, judge_brief, render

    if name == JUDGE:
        if goal.judge is None:
            raise click.UsageError(f"the goal `{goal.id}` has no judge: write `judge {{ … }}`")
        return Fragment(name, judge_brief(goal))
    return render(goal, name, state, templates)


def _size(fragment: Fragment) -> str:
    tokens = count(fragment.estimated_tokens, "token")
    return f"{fragment.name}: {count(fragment.characters, 'character')}, about {tokens}"


def _json(goal: Goal, fragments: list[Fragment]) -> dict[str, Any]:
    return {
        "goal": goal.id,
        "contract": goal.contract,
        "fragments": {
            one.name: {
                "text": one.text,
                "characters": one.characters,
                "estimated_tokens": one.estimated_tokens,
            }
            for one in fragments
        },
    }
