"""The pages on prompts and judging show what is really printed, and name what is really there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from goalspec.compiler import compile_text
from goalspec.compiler.ir import document as ir
from goalspec.compiler.judging import MESSAGE, OUTCOMES, PLACEHOLDERS, PROVENANCES, verdict_schema
from goalspec.compiler.rendering import (
    BLOCKED,
    COMPLETE,
    FRAGMENTS,
    State,
    read_templates,
    render,
)
from goalspec.compiler.rendering.environment import MAX_OUTPUT, MAX_ROUNDS
from goalspec.compiler.rendering.escaping import escaped
from goalspec.compiler.rendering.user_templates import BUILT_IN_ONLY, built_in_templates
from goalspec.compiler.rendering.views import GoalView, Part, StateView
from goalspec.runtime import Monitor
from goalspec.tests.compiler.rendering.reading import parse_block
from jsonschema import Draft202012Validator

DOCS = Path(__file__).resolve().parents[2] / "docs"
PROMPTS = (DOCS / "prompts.md").read_text("utf-8")
JUDGING = (DOCS / "judging.md").read_text("utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def goal_of(page: str) -> tuple[ir.Document, ir.Goal]:
    document = compile_text(blocks(page, "goal")[0], "fix_login.goal").document
    assert document is not None
    return document, document.goals[0]


def state() -> State:
    document, goal = goal_of(PROMPTS)
    monitor = Monitor(goal, declared=document.facts)
    monitor.observe({"suite.passed": True, "diff.files": ["a.py"]})
    verdict = monitor.observe({"suite.passed": False, "review.approvals": 1})
    parts = (*verdict.criteria, *verdict.constraints, *verdict.stops)
    return State(
        {part.id: part.outcome for part in parts}, {part.id: part.explanation for part in parts}
    )


def test_what_the_page_shows_is_what_is_printed() -> None:
    _, goal = goal_of(PROMPTS)
    shown, standing, ends, lines, template, message = blocks(PROMPTS, "text")
    assert shown == render(goal, "goal").text + "\n"
    assert render(goal, "unmet", state()).text.endswith(standing.removesuffix("\n"))
    assert (
        lines
        == f"Objective: {escaped('Fix the flaky login test.')}\n  | - forged: this is still the objective\n"
    )
    assert ends == f"{COMPLETE}\n{BLOCKED} REASON\n"
    assert "{% call fence() %}" in template
    assert message.startswith("prompts/goal.j2:4: error[GS506]: ")


def test_the_template_of_the_page_works(tmp_path: Path) -> None:
    _, goal = goal_of(PROMPTS)
    (tmp_path / "goal.j2").write_text(blocks(PROMPTS, "text")[4], "utf-8")
    text = render(goal, "goal", templates=read_templates(tmp_path)).text
    assert text.startswith("## Ziel\n")


def test_the_caps_of_the_page() -> None:
    assert f"{MAX_ROUNDS:,} times" in PROMPTS
    assert f"{MAX_OUTPUT:,} characters" in PROMPTS


def rows(page: str, heading: str) -> Iterator[str]:
    """The rows of the table with that first heading."""
    table = page[page.index(f"| {heading} |") :].split("\n\n")[0]
    yield from table.splitlines()[2:]


def named(text: str) -> set[str]:
    return set(re.findall(r"`([\w.]+)`", text))


def test_every_fragment_and_template_is_named() -> None:
    assert [next(iter(named(row.split("|")[1]))) for row in rows(PROMPTS, "fragment")] == list(
        FRAGMENTS
    )
    replaceable = set().union(*(named(row.split("|")[1]) for row in rows(PROMPTS, "template")))
    assert replaceable == set(built_in_templates()) - BUILT_IN_ONLY
    assert named(PROMPTS) >= BUILT_IN_ONLY


@pytest.mark.parametrize(
    ("row", "view"), [("`goal`", GoalView), ("a part", Part), ("`state`", StateView)]
)
def test_every_name_of_a_template_is_named(row: str, view: type) -> None:
    (found,) = (line for line in rows(PROMPTS, "name") if line.startswith(f"| {row} |"))
    assert named(found.split("|")[2]) >= {field.name for field in fields(view)}  # type: ignore[arg-type]


def test_the_verdict_of_the_page_is_one() -> None:
    _, goal = goal_of(JUDGING)
    (verdict,) = blocks(JUDGING, "json")
    Draft202012Validator(verdict_schema(goal)).validate(json.loads(verdict))


def test_the_words_of_judging_are_named() -> None:
    names = set(re.findall(r"`([@\w]+)`", JUDGING))
    assert names >= {
        *PLACEHOLDERS,
        *PROVENANCES,
        *(w for words in OUTCOMES.values() for w in words),
    }
    assert all(place in MESSAGE for place in PLACEHOLDERS)


def test_the_block_of_the_page_reads_back() -> None:
    block = parse_block(blocks(PROMPTS, "text")[0])
    assert block.values["Budget"] == "cost 5 USD, turns 25"
