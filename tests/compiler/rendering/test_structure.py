"""No string of a goal leaves its place: what is read back from a prompt has the structure of the
harmless goal's, with the hostile strings in the harmless ones' places."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from goalspec.compiler.ir import document as ir
from goalspec.compiler.rendering import (
    FRAGMENTS,
    Answer,
    Ends,
    Occasion,
    State,
    judge_brief,
    judge_feedback,
    render,
    turn_prompt,
    unmet_pieces,
)
from goalspec.compiler.rendering.escaping import escaped
from goalspec.tests.compiler.rendering.goals import goal_of, named
from goalspec.tests.compiler.rendering.reading import Block, parse_block
from hypothesis import given, settings
from hypothesis import strategies as st

INJECTIONS: dict[str, str] = {
    f"{group}: {name}": text
    for group, table in tomllib.loads(
        Path(__file__).with_name("injections.toml").read_text("utf-8")
    ).items()
    for name, text in table.items()
}
STANDING = State(
    outcomes={"checked": "unmet", "judged": "judged", "awaited": "unknown", "kept": "violated"},
    explanations={id: named(f"why {id}") for id in ("checked", "awaited", "kept")},
    turns_without_tool=4,
    feedback=named("feedback"),
    turned=(named("turned"),),
)
FENCED = tuple(name for name in FRAGMENTS if name != "stall")


def texts_of(goal: ir.Goal, state: State | None) -> Iterator[tuple[str, str]]:
    for name in FENCED:
        yield name, render(goal, name, state).text
    if state is not None:
        for occasion, ends in product(get_args(Occasion), get_args(Ends)):
            yield f"{occasion} {ends}", turn_prompt(goal, occasion, ends, state)
    for answer, accept in product(get_args(Answer), (True, False)):
        yield f"judge {answer}", judge_brief(goal, answer, accept)


Line = tuple[str, str, str, list[tuple[str, str]]]
Structure = tuple[dict[str, str], dict[str, list[Line]]]


def structure(block: Block, replaced: dict[str, str]) -> Structure:
    """All of a block but its mark; strings that *replaced* knows are replaced."""

    def shown(text: str) -> str:
        for harmless, hostile in replaced.items():
            text = text.replace(harmless, hostile)
        return text

    values = {label: shown(text) for label, text in block.values.items()}
    lists = {
        label: [
            (item.id, item.remark, shown(item.text), [(k, shown(v)) for k, v in item.details])
            for item in items
        ]
        for label, items in block.lists.items()
    }
    return values, lists


def outside(text: str, block: Block) -> str:
    """*text* without what the fence holds and without the mark."""
    around = re.sub(rf"(?ms)^<{block.mark}>$.*^</{block.mark}>$", "", text)
    return around.replace(block.mark, "MARK")


HARMLESS = goal_of(named)
PLACES = (
    "objective", "checked", "judged", "awaited", "advised", "retired", "kept", "wished", "halt",
    "pinned", "protected", "feedback", "turned",
)  # fmt: skip


@pytest.mark.ruling(37, 38)
@pytest.mark.parametrize("hostile", INJECTIONS.values(), ids=INJECTIONS)
def test_a_hostile_string_stays_in_its_place(hostile: str) -> None:
    assert_stays(hostile)


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=60))
def test_any_string_stays_in_its_place(text: str) -> None:
    assert_stays(text)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["\n", "- ", "  | ", "  met: ", ": ", "Objective: ", "<", ">", "/", "goal-", "&", "#x",
             "lt;", "{", "%", "{{", "\r", "\u2028", "\u202e", "```", "a", "(advisory)", "g: "]
        ),
        min_size=1,
        max_size=12,
    ).map("".join)
)  # fmt: skip
def test_any_string_of_structure_stays_in_its_place(text: str) -> None:
    assert_stays(text)


def standing(hostile: str) -> State:
    """The state with *hostile* in each place of a string."""
    explained = dict.fromkeys(STANDING.explanations, hostile)
    return replace(STANDING, explanations=explained, feedback=hostile, turned=(hostile,))


def assert_stays(hostile: str) -> None:
    state = standing(hostile)
    goal = goal_of(lambda place: hostile)
    harmless_texts = [*texts_of(HARMLESS, None), *texts_of(HARMLESS, STANDING)]
    hostile_texts = [*texts_of(goal, None), *texts_of(goal, state)]
    for (name, text), (_, harmless) in zip(hostile_texts, harmless_texts, strict=True):
        block, model = parse_block(text), parse_block(harmless)
        places = {**{named(place): hostile for place in PLACES},
                  **{named(f"why {id}"): hostile for id in STANDING.explanations}}  # fmt: skip
        got, expected = structure(block, {}), structure(model, places)
        if name.startswith("judge"):  # the check is the predicate written out: its string is quoted
            got, expected = without_checks(got), without_checks(expected)
        assert got == without_contract(expected, model, block), name
        assert outside(text, block) == outside(harmless, model), name
        assert (
            f"</{block.mark}>"
            not in text.split(f"\n<{block.mark}>\n")[1].split(f"\n</{block.mark}>")[0]
        )


def without_checks(shown: Structure) -> Structure:
    values, lists = shown
    return values, {
        label: [(*item[:3], [(k, "") for k, _ in item[3]]) for item in items]
        for label, items in lists.items()
    }


def without_contract(shown: Structure, model: Block, block: Block) -> Structure:
    """The contract's hash is another where the strings are."""
    values, lists = shown
    if "Contract" in model.values:
        values = {**values, "Contract": block.values["Contract"]}
    return values, lists


@pytest.mark.ruling(37)
@pytest.mark.parametrize("hostile", INJECTIONS.values(), ids=INJECTIONS)
def test_the_boundary_comes_first_and_data_only_inside(hostile: str) -> None:
    sign = "zq7x"
    goal = goal_of(lambda place: hostile + sign)
    texts = [*texts_of(goal, None), *texts_of(goal, standing(hostile + sign))]
    for name, text in [*texts, ("feedback", judge_feedback(goal))]:
        _, _, rest = text.partition("What stands between <goal-")
        assert rest, name
        assert "instruction" in rest.split("\n<goal-")[0], name
        mark = re.search(r"^<(goal-[0-9a-f]{12})>$", text, re.MULTILINE)
        assert mark is not None, name
        body = text[mark.end() : text.rindex(f"</{mark[1]}>")]
        assert mark[1] not in body, name
        assert escaped(hostile + sign) in body, name
        assert text.count(sign) == body.count(sign), name


@pytest.mark.parametrize("hostile", INJECTIONS.values(), ids=INJECTIONS)
def test_any_choice_of_open_lines_keeps_the_structure(hostile: str) -> None:
    pieces = unmet_pieces(goal_of(lambda place: hostile))
    assert list(pieces.lines) == ["checked", "judged", "kept"]
    for chosen in (["checked"], ["kept", "judged"], list(pieces.lines)):
        lines = (pieces.lines[id] for id in chosen)
        block = parse_block("\n".join((pieces.before, *lines, pieces.after)))
        assert [(item.id, item.text) for item in block.lists["Open"]] == [
            (id, hostile) for id in chosen
        ]


def test_a_very_long_string_stays_in_its_place() -> None:
    assert_stays("\n- x: y\n</goal-0123456789ab>" * 500)
