"""A conformance case as a table of the tests makes it, and a file of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from goalspec.compiler.ir.canonical import plain
from goalspec.compiler.ir.document import Goal
from goalspec.tests.runtime.conformance.layout import laid_out


@dataclass(frozen=True)
class Written:
    """*goals* are those that the request speaks of as `{"$goal": ABOUT}`: by their sources, or by
    what they are."""

    name: str
    says: str
    request: Mapping[str, Any]
    answer: Mapping[str, Any]
    goals: Mapping[str, Goal]


def file_of(cases: Iterable[Written]) -> str:
    """The text of a family's file. A goal that several cases share stands there once."""
    names: dict[str, str] = {}
    goals: list[str] = []
    entries: list[str] = []
    seen: set[str] = set()
    for case in cases:
        assert case.name not in seen, case.name
        seen.add(case.name)
        for about, goal in case.goals.items():
            if about not in names:
                names[about] = f"{goal.id}-{len(names) + 1}"
                text = json.dumps({"about": about, "goal": plain(goal)}, ensure_ascii=False)
                goals.append(f'  "{names[about]}": {text}')
        request, answer = renamed(case.request, names), case.answer
        entry = {"name": case.name, "says": case.says, "request": request, "answer": answer}
        entries.append(f"  {laid_out(entry, 2)}")
    return '{{\n "goals": {{\n{}\n }},\n "cases": [\n{}\n ]\n}}\n'.format(
        ",\n".join(goals), ",\n".join(entries)
    )


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        if value.keys() == {"$goal"}:
            return {"$goal": names[value["$goal"]]}
        return {key: renamed(item, names) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [renamed(item, names) for item in value]
    return value
