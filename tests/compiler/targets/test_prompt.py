"""The target `prompt`: every fragment, ready to be sent, and `unmet` in pieces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from goalspec.compiler.ir import document as ir
from goalspec.compiler.rendering import FRAGMENTS, State, goal_block, parse_block, render
from goalspec.compiler.targets.registry import find_target
from goalspec.compiler.targets.target import Refusal, Request
from goalspec.tests.compiler.rendering.goals import goal_of, named

GOAL = goal_of(named)


def compiled(goal: ir.Goal = GOAL, templates: Path | None = None) -> dict[str, Any]:
    request = Request(ir.Document(goals=(goal,)), "t", templates)
    (artifact,) = find_target("prompt").artifacts(request)
    assert artifact.name == "g.prompt.json"
    loaded: dict[str, Any] = json.loads(artifact.text)
    return loaded


@pytest.mark.row("D4")
def test_each_fragment_is_there_as_it_is_rendered() -> None:
    prompt = compiled()
    assert list(prompt["fragments"]) == [*FRAGMENTS, "stall_monitored"]
    for name in FRAGMENTS:
        assert prompt["fragments"][name] == render(GOAL, name).text
    monitored = render(GOAL, "stall", State({}, monitors=True)).text
    assert prompt["fragments"]["stall_monitored"] == monitored
    assert prompt["goalspec"]["contract"] == GOAL.contract


@pytest.mark.row("H11")
def test_the_block_of_the_system_prompt_is_one_of_them() -> None:
    assert compiled()["fragments"]["goal"] == goal_block(GOAL)


def test_sizes_are_those_of_the_texts() -> None:
    prompt = compiled()
    for name, size in prompt["sizes"].items():
        length = len(prompt["fragments"][name])
        assert size == {"characters": length, "estimated_tokens": (length + 3) // 4}


def test_the_pieces_of_unmet_give_the_fragment() -> None:
    prompt = compiled()
    pieces = prompt["unmet"]
    whole = "\n".join((pieces["before"], *pieces["lines"].values(), pieces["after"]))
    assert whole == prompt["fragments"]["unmet"]
    few = "\n".join((pieces["before"], pieces["lines"]["kept"], pieces["after"]))
    assert [item.id for item in parse_block(few).lists["Open"]] == ["kept"]


def test_headers_are_first_lines() -> None:
    prompt = compiled()
    for name, header in prompt["headers"].items():
        assert prompt["fragments"][name].split("\n")[0] == header


def test_the_users_templates_are_used(tmp_path: Path) -> None:
    (tmp_path / "stall.j2").write_text("Nothing happens.\n", "utf-8")
    prompt = compiled(templates=tmp_path)
    assert prompt["fragments"]["stall"] == "Nothing happens."
    assert prompt["fragments"]["goal"] == goal_block(GOAL)


def test_a_wrong_template_is_a_refusal(tmp_path: Path) -> None:
    (tmp_path / "goal.j2").write_text("\n{{ gaol }}\n", "utf-8")
    with pytest.raises(Refusal, match=r"goal\.j2:2: `gaol` is not defined; did you mean `goal`"):
        compiled(templates=tmp_path)


def test_pieces_need_the_open_parts_together(tmp_path: Path) -> None:
    (tmp_path / "open.j2").write_text(
        "Open:\n{% for part in state.open %}\n{{ part.text }}\n{% endfor %}\n", "utf-8"
    )
    with pytest.raises(Refusal, match=r"unmet\.j2: the open parts do not stand one after another"):
        compiled(templates=tmp_path)


def test_a_goal_without_anything_to_ask_for_has_no_lines() -> None:
    awaited = ir.Criterion(id="a", text="x", check=GOAL.criteria[0].check, mode="awaited")
    bare = ir.Goal(id="g", objective="x", criteria=(awaited,), contract="c1:0")
    assert compiled(bare)["unmet"]["lines"] == {}
