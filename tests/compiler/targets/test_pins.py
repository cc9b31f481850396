"""The `pins` target."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import goalspec
import pytest
from goalspec.compiler import compile_text, load
from goalspec.compiler.ir.document import Document
from goalspec.compiler.targets.pins import TARGET
from goalspec.compiler.targets.target import Refusal, Request

SPECS = Path(goalspec.__path__[0], "specs", "examples")


def made(document: Document) -> dict[str, Any]:
    [artifact] = TARGET.artifacts(Request(document, "x"))
    value: dict[str, Any] = json.loads(artifact.text)
    return value


@pytest.mark.row("H08", "H14")
@pytest.mark.parametrize("path", sorted(SPECS.glob("*.goal")), ids=lambda path: path.stem)
def test_a_reminder_for_each_pin_and_stable_keys(path: Path) -> None:
    document = load(path)
    value = made(document)
    assert value == made(load(path))
    pins, reminders = value["pins"], value["reminders"]
    assert [pin["dedupe_key"] for pin in pins] == [one["dedupe_key"] for one in reminders]
    assert len({pin["dedupe_key"] for pin in pins}) == len(pins)
    assert all(one["preserve_on_compact"] is True for one in reminders)
    assert len(value["compaction_policy"]["preserve"]) == len(pins)
    assert [p["dedupe_key"] for p in pins if p["kind"] == "goal"] in (["pin/goal"], [])


def document(extra: str) -> Document:
    found = compile_text(
        'facts {\n  s.ok : bool\n}\ngoal g {\n  objective "Ship it."\n'
        f'  criterion c "It is ok" check s.ok\n  {extra}\n}}\n'
    )
    assert found.document is not None, found.diagnostics
    return found.document


def test_a_kind_of_the_host_s_own_has_the_lane_it_was_given() -> None:
    value = made(document('pins { keep goal  kind runbook lane developer }\n  pin runbook "Ask."'))
    assert [(pin["kind"], pin["role_hint"]) for pin in value["pins"]] == [
        ("goal", "system"), ("runbook", "developer"),
    ]  # fmt: skip


@pytest.mark.ruling(54)
def test_a_goal_that_does_not_fit_is_refused() -> None:
    with pytest.raises(Refusal, match=r"the goal `g`: the goal pin `g` has \d+ characters"):
        made(document("pins { keep goal  max_body 100 }"))


def test_evidence_is_cut_to_max_body() -> None:
    value = made(document(f'pins {{ max_body 500 }}\n  pin decision "{"long " * 200}"'))
    assert value["pins"][0]["content"] == ("long " * 200)
    assert len(value["reminders"][0]["body"]) <= 500
    assert "[cut: " in value["reminders"][0]["body"]
