"""The page on conformance is in step with the code: its tables are made from it, and goalspec answers
its examples as it says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from goalspec.compiler.ir.canonical import plain
from goalspec.runtime.conformance import FAMILIES, answer_line, load_cases
from goalspec.runtime.conformance.matching import differences
from goalspec.runtime.conformance.requests import Decide, Evaluate, Judge, Seen
from goalspec.runtime.conformance.spelling import EVENTS, Answered, Taken, spelled
from goalspec.tests.runtime.conformance.recorder import DUE
from goalspec.tests.runtime.convergence.loop import checked, judged

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"
_MADE = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_JSON = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HELD = re.compile(r"^(\d+) cases, none failed$", re.MULTILINE)


def families() -> str:
    rows = ["| family | cases | `kind` |", "| --- | --- | --- |"]
    for family in FAMILIES:
        cases = load_cases([family])
        [kind] = {case.request["kind"] for case in cases}
        rows.append(f"| `{family}` | {len(cases)} | `{kind}` |")
    return "\n".join(rows)


def fields_of(kind: Any) -> str:
    """The names of its fields; a default is what it is without them."""
    return ", ".join(f"`{name}`" for name in kind.__dataclass_fields__ if name != "at")


def events() -> str:
    spelled_otherwise = {"observed": Taken, "judged": Answered}
    rows = ["| event | fields |", "| --- | --- |"]
    rows += (
        f"| `{name}` | {fields_of(spelled_otherwise.get(name, kind))} |"
        for name, kind in EVENTS.items()
    )
    return "\n".join(rows)


def effects() -> str:
    rows = ["| effect | fields |", "| --- | --- |"]
    rows += (
        f"| `{spelled(kind)}` | {', '.join(f'`{name}`' for name in names)} |"
        for kind, names in DUE.items()
    )
    return "\n".join(rows)


PARTS: dict[str, Callable[[], str]] = {"families": families, "events": events, "effects": effects}


@pytest.mark.row("X16")
def test_the_tables_are_in_step(golden: Callable[[Path, str], None]) -> None:
    page = PAGE.read_text("utf-8")
    assert [match[2] for match in _MADE.finditer(page)] == list(PARTS)
    made = _MADE.sub(lambda part: f"{part[1]}{PARTS[part[2]]()}\n{part[3]}", page)
    assert len(_HELD.findall(made)) == 1
    golden(PAGE, _HELD.sub(f"{len(load_cases())} cases, none failed", made))


@pytest.mark.row("X16")
def test_goalspec_answers_the_examples_as_the_page_says() -> None:
    goals = {"GOAL": plain(checked()), "JUDGED": plain(judged())}
    examples = [json.loads(block) for block in _JSON.findall(PAGE.read_text("utf-8"))]
    pairs = list(zip(examples[::2], examples[1::2], strict=True))
    assert [request["kind"] for request, _ in pairs] == ["evaluate", "judge", "decide"]
    for request, due in pairs:
        line = json.dumps(request)
        for name, goal in goals.items():
            line = line.replace(json.dumps({"$goal": name}), json.dumps(goal))
        answer = json.loads(answer_line(line.encode()))
        assert list(differences(due, answer)) == []


def test_the_page_names_every_field_of_a_request() -> None:
    page = PAGE.read_text("utf-8")
    for kind in (Evaluate, Judge, Decide, Seen):
        for name in kind.field_names:
            assert f"`{name}`" in page, name
