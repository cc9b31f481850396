"""Who decides the parts without a check: the judge's configuration, one file for each kind of host.

| file | for |
| --- | --- |
| `GOAL.judge.json` | a host that calls a model itself: everything below |
| `GOAL.judge.openai.json` | a chat completion with strict structured output, as OpenAI has it |
| `GOAL.judge.anthropic.json` | a message with structured output, as Anthropic has it |
| `GOAL.judge.loop.json` | an agent loop whose judge is a record of options |
| `GOAL.judge.promptfoo.json` | promptfoo's `llm-rubric`, as a `defaultTest` |

`system` is the judge's brief: the whole contract, never shortened, inside the fence; the rules of
evidence; and the answer, explained from the same table as `schema`, the JSON Schema of a verdict.
The schema asks for exactly the judged parts of this goal. `message` is what the judge is asked,
with `placeholders` for the evidence and the worker's claim. `without_accept` has the brief and the
schema for a judge that is asked while the floor is not met: it cannot accept. `conditional` lists
judged parts with a `when`; where the host finds it false, the part is left out of the schema.

`model` and `provider` stand there where the goal names them. What it does not name is listed under
`unset`: the host must set it, and the worker's own model is never meant. `on_error` says what
follows when the judge fails (`fail` ends the run as unverified, `pause` waits for a person);
nothing accepts on an error.

A goal without a `judge` block has no judge. Then there is `GOAL.judge.json` alone, with `"judge":
null` and, under `undecided`, the parts that will stay open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ir.document import Goal
from ..json_text import json_text
from ..judging import MESSAGE, PLACEHOLDERS, conditional, judged, verdict_schema
from .judge_hosts import anthropic, loop, named_model, openai, promptfoo
from .target import Artifact, Request, Target, stamp

_HOSTS = {"openai": openai, "anthropic": anthropic, "loop": loop, "promptfoo": promptfoo}


def _artifacts(request: Request) -> Iterator[Artifact]:
    for goal in request.document.goals:
        yield Artifact(f"{goal.id}.judge.json", json_text(_judge_file(goal)))
        if goal.judge is not None:
            for host, config in _HOSTS.items():
                yield Artifact(f"{goal.id}.judge.{host}.json", json_text(config(goal)))


def _judge_file(goal: Goal) -> dict[str, Any]:
    lists = dict(judged(goal).lists())
    if goal.judge is None:
        undecided = [id for ids in lists.values() for id in ids]
        return {"goalspec": stamp(goal, "judge"), "judge": None, "undecided": undecided}
    return {"goalspec": stamp(goal, "judge"), "judge": _judge(goal), "judged": lists}


def _judge(goal: Goal) -> dict[str, Any]:
    from ..rendering import judge_brief, judge_feedback

    assert goal.judge is not None
    quorum = goal.judge.quorum
    return {
        **named_model(goal),
        "max_invocations": goal.judge.max_invocations,
        **({"quorum": {"needed": quorum.needed, "of": quorum.of}} if quorum else {}),
        "on_error": goal.judge.on_error,
        "fail_open_on_error": False,
        "feedback_fallback": judge_feedback(goal),
        "system": judge_brief(goal),
        "message": MESSAGE,
        "placeholders": dict(PLACEHOLDERS),
        "schema": verdict_schema(goal),
        "without_accept": {
            "system": judge_brief(goal, accept=False),
            "schema": verdict_schema(goal, accept=False),
        },
        "conditional": conditional(goal),
    }


TARGET = Target(
    name="judge",
    summary="The judge of the parts without a check: brief, verdict schema, configs for hosts.",
    writes=("GOAL.judge.json", *(f"GOAL.judge.{host}.json" for host in _HOSTS)),
    artifacts=_artifacts,
)
