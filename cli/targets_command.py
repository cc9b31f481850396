"""`goalspec targets`: what `goalspec compile` can make, with what other packages bring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .terminal import complain, emit, json_text, visible

if TYPE_CHECKING:
    from ..compiler.targets.registry import Installed


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """List the targets of `goalspec compile`.

    Below each stand the files that it writes: GOAL is a goal's id, STEM the goal file's name. Other
    packages may bring targets; one that cannot be used is named, and the exit code is 2.
    """
    from ..compiler.targets.registry import BrokenTarget, Installed, all_targets

    every = list(all_targets())
    found = [one for one in every if isinstance(one, Installed)]
    if as_json:
        emit(json_text([_described(one) for one in found]))
    else:
        width = max(len(visible(one.target.name)) for one in found)
        for one in found:
            click.echo(_listed(one, width))
    broken = [one for one in every if isinstance(one, BrokenTarget)]
    for each in broken:
        complain("goalspec", "error", "GS506", str(each))
    raise SystemExit(2 if broken else 0)


def _described(one: Installed) -> dict[str, Any]:
    target = one.target
    return {
        "name": target.name,
        "summary": target.summary,
        "artifacts": list(target.writes),
        "templates": target.renders,
        "package": one.package,
    }


def _listed(one: Installed, width: int) -> str:
    target = one.target
    source = "" if one.is_own else f" (of {one.package})"
    head = f"{visible(target.name):<{width}}  {visible(target.summary + source)}"
    return f"{head}\n{'':<{width}}  {visible(', '.join(target.writes))}"
