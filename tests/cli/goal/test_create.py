"""`goalspec goal create`: from a file, from a text, under the environment's limits."""

from __future__ import annotations

import json

import pytest
from goalspec.cli.goal.creating import TEXT_TURNS
from goalspec.compiler.ir.document import MAX_OBJECTIVE
from goalspec.tests.cli.goal.sessions import SPEC, Commands, refused

TWO = SPEC + 'goal other {\n  objective "Other."\n  criterion c "It is done"\n  judge {}\n}\n'


@pytest.mark.row("P01", "S01", "H17")
def test_a_goal_from_a_file_with_its_metadata(goal: Commands) -> None:
    result = goal.person(
        "create", goal.file("g.goal"), "--acceptance-note", "Ask Ann.", "--verification",
        "pytest -q", "--source", "issue 7",
    )  # fmt: skip
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "active: Ship it. [0 of 10 turns]\n"
    shown = goal.shown()
    assert shown["goal"]["id"] == "ship"
    assert shown["goal"]["contract"] == shown["goal"]["file_contract"]
    assert shown["metadata"] == {
        "acceptance_note": "Ask Ann.", "criterion_sources": {}, "source": "issue 7",
        "verification": {"command": "pytest -q"},
    }  # fmt: skip


@pytest.mark.row("S01")
def test_one_goal_a_session(goal: Commands) -> None:
    goal.created()
    result = goal.person("create", goal.file("g.goal"))
    assert refused(result, "unfinished_goal")
    assert "complete or clear it first, or replace it (`--replace`)" in result.stderr
    assert goal.person("create", goal.file("g.goal"), session="s2").exit_code == 0
    goal.person("complete", stdin="ship\n")
    assert goal.person("create", goal.file("g.goal")).exit_code == 0
    (archived,) = json.loads(goal.agent("history", "--json").stdout)["goals"]
    assert archived["status"]["name"] == "complete"


def test_one_of_several_goals(goal: Commands) -> None:
    file = goal.file("two.goal", TWO)
    which = goal.person("create", file)
    assert which.exit_code == 2
    assert "the file has 2 goals, choose one: --goal ship | other" in which.stderr
    assert "did you mean `other`?" in goal.person("create", file, "--goal", "othr").stderr
    assert goal.person("create", file, "--goal", "other").exit_code == 0
    assert goal.shown()["goal"]["id"] == "other"


def test_a_spec_with_errors_changes_nothing(goal: Commands) -> None:
    result = goal.person("create", goal.file("bad.goal", "goal x {\n"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "error[GS101]" in result.stderr
    assert goal.person("create", str(goal.folder / "none.goal")).exit_code == 2
    assert goal.agent("show").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "give either a goal file or an objective: FILE, or --text TEXT"),
        (["g.goal", "--text", "x"], "give either a goal file or an objective"),
        (["--text", "x", "--goal", "g"], "--goal chooses one of the goals in FILE"),
        (["--text", "  "], "--text: objective: an objective is blank: say it in a sentence"),
        (["--text", "a\udc80b"], "a lone surrogate"),
    ],
)
def test_wrong_arguments(goal: Commands, arguments: list[str], says: str) -> None:
    result = goal.person("create", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in " ".join(result.stderr.split())


# --- ad hoc


@pytest.mark.row("S13", "P02")
def test_a_text_is_a_goal_that_is_judged(goal: Commands) -> None:
    assert goal.agent("create", "--text", "  Fix the build.\n").exit_code == 0
    shown = goal.shown()
    assert shown["goal"]["objective"] == "Fix the build."
    assert shown["goal"]["criteria"] == ["objective"]
    assert shown["budget"]["turns"] == TEXT_TURNS


@pytest.mark.row("S13")
@pytest.mark.ruling(54)
def test_a_long_text_is_cut_and_kept_whole_beside_it(goal: Commands) -> None:
    text = "word " * 1_000
    assert goal.agent("create", "--text", text).exit_code == 0
    record = json.loads(goal.agent("export").stdout)
    assert record["objective"] == text.strip() == goal.shown()["goal"]["objective"]
    assert len(record["goal"]["objective"]) <= MAX_OBJECTIVE
    long = goal.file("long.goal", SPEC.replace("Ship it.", text))
    assert goal.person("create", long, session="s2").exit_code == 2  # a file's is never cut


# --- the environment


@pytest.mark.row("P02")
@pytest.mark.ruling(40)
def test_the_environment_lowers_budgets(goal: Commands) -> None:
    goal.environment |= {
        "GOALSPEC_MAX_TURNS": "3", "GOALSPEC_MAX_TOKENS": "1000", "GOALSPEC_MAX_RUNTIME": "90m",
    }  # fmt: skip
    goal.created()
    shown = goal.shown()
    assert [shown["budget"][key] for key in ("turns", "tokens", "runtime")] == [3, 1000, "90m"]
    assert shown["goal"]["contract"] != shown["goal"]["file_contract"]
    file = goal.agent("create", "--json", goal.file("g.goal"), session="plain")
    assert json.loads(file.stdout)["goal"]["file_contract"] == shown["goal"]["file_contract"]


@pytest.mark.ruling(40)
def test_the_environment_limits_a_goal_without_a_budget(goal: Commands) -> None:
    goal.environment["GOALSPEC_MAX_TURNS"] = "3"
    goal.created(SPEC.replace("  budget { turns 10  tokens 1000  runtime 2h }\n", ""))
    assert goal.shown()["budget"]["turns"] == 3


@pytest.mark.ruling(40)
@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("TURNS", "11", "the goal's own limit is 10, and the environment can only lower it"),
        ("TOKENS", "1001", "the goal's own limit is 1000, and the environment can only lower it"),
        ("RUNTIME", "121m", "the goal's own limit is 2h, and the environment can only lower it"),
        *(
            ("TURNS", value, "it is no limit: write one above 0, such as 20, or unset")
            for value in ("0", "-1", "many", "1.5", "9" * 40, "9" * 5000, "٣", "\x1b[31m")
        ),
        *(
            ("RUNTIME", value, "it is no limit: write one above 0, such as 90m, or unset")
            for value in ("0s", "30", "5 USD", "soon", "\udc80")
        ),
    ],
)
def test_the_environment_neither_raises_nor_babbles(
    goal: Commands, name: str, value: str, says: str
) -> None:
    goal.environment[f"GOALSPEC_MAX_{name}"] = value
    result = goal.person("create", goal.file("g.goal"))
    assert (result.exit_code, result.stdout) == (2, "")
    said = " ".join(result.stderr.split())
    assert f"GOALSPEC_MAX_{name}=" in said
    assert "\x1b" not in said
    assert says in said
    assert goal.agent("show").exit_code == 1
