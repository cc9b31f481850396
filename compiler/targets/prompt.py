"""The goal's text for a model, one fragment for each occasion of a run, ready to be sent.

`fragments` holds them: `goal` is the plain block for a system prompt; `continuation` sends the
agent on; `preserved` carries the contract over a compaction; `unmet` tells what keeps the goal from
being done; `stall` and `stall_monitored` ask what is going on when turns pass without a tool, the
latter while something that the work waits for is still running; `audit` comes before the goal is
said to be done. Each is complete without any state of the run. `sizes` gives each fragment's length
in code points and an estimate in tokens (a token for each 4 characters begun).

`unmet` is `fragments.unmet` in pieces, for a host that names only what is open: `before`, the lines
of the open parts by their ids, `after`, joined by newlines. Every string of the goal file stands in
the fence, escaped, so any choice of lines is safe; what a host adds must be escaped likewise.

`headers` are the first lines of `continuation` and `preserved`, by which a host finds them again in
a conversation, and `stall_from_turn` the number of turns in a row without a tool from which the
stall check belongs in front of the continuation. `goalspec render` shows each fragment, and with
`--facts` as a run would see it; `--templates` puts templates of your own in place of the built-in
ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..ir.document import Goal
from ..json_text import json_text
from .target import Artifact, Refusal, Request, Target, stamp

if TYPE_CHECKING:
    from ..rendering import Templates


def _artifacts(request: Request) -> Iterator[Artifact]:
    from ..rendering import BadTemplate, read_templates

    try:
        folder = request.templates
        templates = None if folder is None else read_templates(folder)
        for goal in request.document.goals:
            yield Artifact(f"{goal.id}.prompt.json", json_text(_prompt(goal, templates)))
    except BadTemplate as error:
        raise Refusal(str(error)) from None


def _prompt(goal: Goal, templates: Templates | None) -> dict[str, Any]:
    from .. import rendering

    monitored = rendering.State({}, monitors=True)
    texts = {one.name: one for one in rendering.render_all(goal, templates=templates)}
    texts["stall_monitored"] = rendering.render(goal, "stall", monitored, templates)
    pieces = rendering.unmet_pieces(goal, templates)
    return {
        "goalspec": stamp(goal, "prompt"),
        "fragments": {name: one.text for name, one in texts.items()},
        "sizes": {
            name: {"characters": one.characters, "estimated_tokens": one.estimated_tokens}
            for name, one in texts.items()
        },
        "unmet": {"before": pieces.before, "lines": pieces.lines, "after": pieces.after},
        "headers": {
            "continuation": rendering.CONTINUATION_HEADER,
            "preserved": rendering.PRESERVED_HEADER,
        },
        "stall_from_turn": rendering.STALLED,
    }


TARGET = Target(
    name="prompt",
    summary="The goal's text for a model: a fragment for each occasion of a run.",
    writes=("GOAL.prompt.json",),
    artifacts=_artifacts,
    renders=True,
)
