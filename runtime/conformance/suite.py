"""The cases as they ship: for each family a file of the goals that its cases are about, and of
requests with the answers that are due."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal, TypeAlias, get_args

Family: TypeAlias = Literal["evaluation", "judge", "lifecycle", "loop"]
FAMILIES: tuple[Family, ...] = get_args(Family)


@dataclass(frozen=True, slots=True)
class Case:
    """A *request*, and of its *answer* all that is due; *says* is what the case is about."""

    name: str
    says: str
    request: Mapping[str, Any]
    answer: Mapping[str, Any]


def load_cases(families: Iterable[Family] = FAMILIES) -> list[Case]:
    """The cases of the *families*, their goals put in."""
    return [case for family in families for case in _cases_of(family)]


def _cases_of(family: Family) -> Iterator[Case]:
    text = (files(__package__) / "cases" / f"{family}.json").read_text("utf-8")
    file = json.loads(text)
    goals = {name: entry["goal"] for name, entry in file["goals"].items()}
    for case in file["cases"]:
        name = f"{family}/{case['name']}"
        request = {"id": name, **_with_goals(case["request"], goals)}
        yield Case(name, case["says"], request, case["answer"])


def _with_goals(value: Any, goals: Mapping[str, Any]) -> Any:
    """*value* with the goals themselves in the place of `{"$goal": NAME}`."""
    if isinstance(value, dict):
        if value.keys() == {"$goal"}:
            return goals[value["$goal"]]
        return {key: _with_goals(item, goals) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_goals(item, goals) for item in value]
    return value
