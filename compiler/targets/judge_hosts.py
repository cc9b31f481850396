"""The judge as particular hosts take it: requests with structured output, the options of an agent
loop, a grader of outputs. Each has the host's own keys and, beside or inside them, the stamp."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ir.document import Goal, Judge
from ..judging import MESSAGE, PLACEHOLDERS, conditional, judged, verdict_schema
from ..loop_options import loop_judges
from .target import Refusal, stamp

# What a strict schema may hold at OpenAI, which states it; Anthropic states no number.
MAX_PROPERTIES = 5_000
MAX_SCHEMA_NAMES = 120_000  # characters in all names and enumerated values

_TOKENS_BASE, _TOKENS_PER_PART = 8_192, 512  # of an answer, with what is thought before it


def openai(goal: Goal) -> dict[str, Any]:
    """A chat completion, for OpenAI and what is compatible with it."""
    _check_size(goal)
    return {
        "goalspec": stamp(goal, "judge"),
        **_unset(goal, but="anthropic"),
        "placeholders": dict(PLACEHOLDERS),
        "conditional": conditional(goal),
        "request": {**_model(goal, but="anthropic"), **_completion(goal, accept=True)},
        "without_accept": _completion(goal, accept=False),
    }


def _completion(goal: Goal, accept: bool) -> dict[str, Any]:
    from ..rendering import judge_brief

    schema = verdict_schema(goal, accept)
    return {
        "messages": [
            {"role": "system", "content": judge_brief(goal, accept=accept)},
            {"role": "user", "content": MESSAGE},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "verdict", "strict": True, "schema": schema},
        },
    }


def anthropic(goal: Goal) -> dict[str, Any]:
    """A message. `output_config.format` rather than a tool that is forced: the judge may think
    before it answers, which a forced tool forbids."""
    return {
        "goalspec": stamp(goal, "judge"),
        **_unset(goal, only="anthropic"),
        "placeholders": dict(PLACEHOLDERS),
        "conditional": conditional(goal),
        "request": {**_model(goal, only="anthropic"), **_message(goal, accept=True)},
        "without_accept": _message(goal, accept=False),
    }


def _message(goal: Goal, accept: bool) -> dict[str, Any]:
    from ..rendering import judge_brief

    parts = sum(len(ids) for _, ids in judged(goal).lists())
    schema = verdict_schema(goal, accept)
    return {
        "max_tokens": _TOKENS_BASE + _TOKENS_PER_PART * parts,
        "system": judge_brief(goal, accept=accept),
        "messages": [{"role": "user", "content": MESSAGE}],
        "output_config": {"format": {"type": "json_schema", "schema": schema}},
    }


def loop(goal: Goal) -> dict[str, Any]:
    """An agent loop's options, under the name that each generation of such loops gives them."""
    return {
        "goalspec": stamp(goal, "judge"),
        **_unset(goal),
        **loop_judges(goal, _judge_of(goal)),
    }


def promptfoo(goal: Goal) -> dict[str, Any]:
    """A test case for `defaultTest: file://…`. The threshold keeps a score below 1 from passing."""
    from ..rendering import judge_brief

    judge = _judge_of(goal)
    known = judge.model is not None and judge.provider is not None
    kind = ":messages" if judge.provider == "anthropic" else ""
    provider = {"provider": f"{judge.provider}{kind}:{judge.model}"} if known else {}
    return {
        "metadata": {
            "goalspec": stamp(goal, "judge"),
            **({} if known else {"unset": ["provider"]}),
        },
        "assert": [
            {
                "type": "llm-rubric",
                "value": judge_brief(goal, "rubric"),
                "threshold": 1,
                **provider,
            }
        ],
    }


def named_model(goal: Goal) -> dict[str, Any]:
    """The goal's model and provider, and what is left to the host."""
    judge = _judge_of(goal)
    named = {"model": judge.model, "provider": judge.provider}
    unset = [key for key, value in named.items() if value is None]
    return {
        **{key: value for key, value in named.items() if value is not None},
        **({"unset": unset} if unset else {}),
    }


def _model(goal: Goal, only: str | None = None, but: str | None = None) -> dict[str, str]:
    """The goal's model, where its provider can be meant here."""
    judge = _judge_of(goal)
    fits = judge.provider is None or (judge.provider == only if only else judge.provider != but)
    return {"model": judge.model} if judge.model is not None and fits else {}


def _unset(goal: Goal, only: str | None = None, but: str | None = None) -> dict[str, list[str]]:
    return {} if _model(goal, only, but) else {"unset": ["model"]}


def _judge_of(goal: Goal) -> Judge:
    assert goal.judge is not None
    return goal.judge


def _check_size(goal: Goal) -> None:
    properties = 0
    names = 0
    for name, is_property in _names(verdict_schema(goal)):
        properties += is_property
        names += len(name)
    if properties > MAX_PROPERTIES or names > MAX_SCHEMA_NAMES:
        raise Refusal(
            f"the goal {goal.id} has more judged parts than a strict schema may ask for: "
            f"{properties:,} properties with {names:,} characters, {MAX_PROPERTIES:,} and "
            f"{MAX_SCHEMA_NAMES:,} are the most; give parts a `check`, or split the goal"
        )


def _names(schema: Any) -> Iterator[tuple[str, bool]]:
    """The names and enumerated values of a schema; is it a property's?"""
    if isinstance(schema, list):
        for item in schema:
            yield from _names(item)
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            yield from ((name, key == "properties") for name in value)
            yield from _names(list(value.values()))
        elif key == "enum":
            yield from ((word, False) for word in value)
        else:
            yield from _names(value)
