"""`goalspec compile --target json --explain`: where each value of a goal comes from, and so how
presets merge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from goalspec import load
from goalspec.cli import group
from goalspec.cli.origin_table import values
from goalspec.compiler.ir.canonical import contract_hash, plain
from goalspec.compiler.project import PACKS

EXAMPLES = sorted((PACKS.parent / "examples").glob("*.goal"))
SHARED = """\
facts {
  b.ok : bool lasting
}

preset first {
  objective "The first preset's."
  criterion from-first "It is first" check b.ok
  budget { turns 60  runtime 8h }
  budget advisory { turns 5 }
  judge { model "one" }
  pin decision "first"
}

preset second {
  preset third
  criterion from-second "It is second" check b.ok
  constraint also "It stays" check b.ok
  budget { turns 9  tokens 2k }
  pins { keep goal, own  kind own lane developer }
  judge { on_error pause }
  protect "second/**"
}

preset third {
  awaited criterion from-third "It is third" when b.ok check b.ok
  stop over "It is over"
  pins { max_body 10 }
  pin artifact_ref "third"
}
"""
GOAL = """\
edition 1
use "shared.goal"

goal g {
  preset second, first
  criterion own "It is its own" check b.ok
  budget { turns 20 }
  pin decision "own"
  protect "own/**"
}
"""
# The path of a value, its text, and where it comes from.
MERGED = """
edition | 1 | spec.goal:1
objective | The first preset's. | shared.goal:6 first
budget.tokens | 2000 | shared.goal:18 second
budget.turns | 20 | spec.goal:7
budget.runtime | 8h | shared.goal:8 first
advisory_budget.turns | 5 | shared.goal:9 first
pins.keep | goal, own | shared.goal:19 second
pins.lanes.own | developer | shared.goal:19 second
judge.max_invocations | 3 | default
judge.on_error | pause | shared.goal:20 second
pinned.0 | decision: own | spec.goal:8
pinned.1 | artifact_ref: third | shared.goal:28 third
pinned.2 | decision: first | shared.goal:11 first
protect.0 | own/** | spec.goal:9
protect.1 | second/** | shared.goal:21 second
criteria.own.text | It is its own | spec.goal:6
criteria.own.mode | gating | default
criteria.own.check | b.ok | spec.goal:6
criteria.from-second.text | It is second | shared.goal:16 second
criteria.from-second.mode | gating | default
criteria.from-second.check | b.ok | shared.goal:16 second
criteria.from-third.text | It is third | shared.goal:25 third
criteria.from-third.mode | awaited | shared.goal:25 third
criteria.from-third.when | b.ok | shared.goal:25 third
criteria.from-third.check | b.ok | shared.goal:25 third
criteria.from-first.text | It is first | shared.goal:7 first
criteria.from-first.mode | gating | default
criteria.from-first.check | b.ok | shared.goal:7 first
constraints.also.text | It stays | shared.goal:17 second
constraints.also.mode | gating | default
constraints.also.check | b.ok | shared.goal:17 second
stops.over.text | It is over | shared.goal:26 third
facts.b.ok | b.ok : bool lasting | shared.goal:2
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "shared.goal").write_text(SHARED, "utf-8")
    (tmp_path / "spec.goal").write_text(GOAL, "utf-8")
    return tmp_path


def explained(*paths: str | Path, stdin: str | None = None, more: tuple[str, ...] = ()) -> Result:
    command = ["compile", *map(str, paths), "--target", "json", "--explain", *more]
    return CliRunner().invoke(group, command, input=stdin, catch_exceptions=False)


def machine(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(explained(path, more=("--json",)).stdout)
    return found


def rows(goal: dict[str, Any]) -> str:
    lines = []
    for value in goal["values"]:
        place = value["place"]
        where = "default" if place is None else f"{place['file']}:{place['line']}"
        preset = f" {value['preset']}" if value["preset"] else ""
        lines.append(f"{value['path']} | {value['value']} | {where}{preset}")
    return "\n".join(["", *lines, ""])


@pytest.mark.ruling(30, 31)
@pytest.mark.row("D8")
def test_presets_in_order_after_the_goals_own_and_what_they_build_on(project: Path) -> None:
    [goal] = machine(project / "spec.goal")
    assert goal["goal"] == "g"
    assert rows(goal) == MERGED


@pytest.mark.ruling(31)
def test_the_order_of_presets_decides_who_fills_what_the_goal_leaves_unsaid(project: Path) -> None:
    spec = project / "spec.goal"
    spec.write_text(GOAL.replace("second, first", "first, second"))
    found = {v["path"]: (v["value"], v["preset"]) for v in machine(spec)[0]["values"]}
    assert found["judge.model"] == ("one", "first")
    assert found["judge.on_error"] == ("fail", None)  # not `pause`: a judge is taken whole
    assert found["pins.keep"] == ("goal, own", "second")
    assert "pins.max_body" not in found
    assert found["budget.turns"] == ("20", None)
    assert found["budget.tokens"] == ("2000", "second")
    criteria = [path for path in found if path.startswith("criteria.") and path.endswith(".text")]
    assert criteria == [
        f"criteria.{id}.text" for id in ("own", "from-first", "from-second", "from-third")
    ]


@pytest.mark.ruling(30)
@pytest.mark.row("D8")
def test_a_pack_is_named_with_its_version(project: Path) -> None:
    spec = project / "spec.goal"
    spec.write_text('use std "captains/1"\ngoal g {\n  preset merge_captain\n  objective "x"\n}\n')
    goal = machine(spec)[0]
    found = {value["path"]: value for value in goal["values"]}
    turns = found["budget.turns"]
    assert (turns["place"]["file"], turns["preset"]) == ("std:captains/1", "merge_captain")
    source = (PACKS / "captains/1.goal").read_text("utf-8").splitlines()
    assert f"turns {turns['value']}" in source[turns["place"]["line"] - 1]
    assert found["facts.pr.state"]["place"]["file"] == "std:review/1"
    assert found["objective"]["place"]["file"] == "spec.goal"


def test_the_table(project: Path) -> None:
    result = explained(project / "spec.goal")
    assert (result.exit_code, result.stderr) == (0, "")
    head, *lines = result.stdout.splitlines()
    assert head.split() == ["g", load(project / "spec.goal").goals[0].contract]
    assert len(lines) == len(MERGED.split("\n")) - 2
    assert "  budget.turns                spec.goal:7              20" in lines
    assert "  budget.runtime              shared.goal:8 (first)    8h" in lines
    assert "  judge.max_invocations       default                  3" in lines


def test_the_table_shows_what_would_hide_or_paint(project: Path) -> None:
    text = 'goal g {\n  objective "a\\u{1b}[31m\\u{202e}b\\nc"\n  criterion c "d"\n}\n'
    assert "a\\u{1b}[31m\\u{202e}b c\n" in explained("-", stdin=text).stdout


def test_names_of_let_are_said(project: Path) -> None:
    text = GOAL.replace("  criterion own", "  let fine = b.ok\n  criterion own", 1)
    (project / "spec.goal").write_text(text.replace('own" check b.ok', 'own" check fine', 1))
    assert " fine, where fine = b.ok\n" in explained(project / "spec.goal").stdout


def test_several_files(project: Path) -> None:
    (project / "other.goal").write_text(GOAL.replace("goal g", "goal h"))
    found = json.loads(explained(project, more=("--json",)).stdout)
    assert [goal["goal"] for goal in found] == ["h", "g"]
    assert len(explained(project).stdout.split("\n\n")) == 2


# --- nothing is left out, and every place is right

WORDS = {
    "text": ("awaited", "advisory", "criterion", "constraint", "stop"),
    "mode": ("awaited", "advisory"),
    "objective": ("objective",),
    "edition": ("edition",),
    "keep": ("keep",),
}  # fmt: skip


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_value_of_a_goal_is_there_and_stands_where_it_is_said_to(path: Path) -> None:
    document = load(path)
    root = PACKS.parents[1]
    for goal in document.goals:
        assert contract_hash(plain(goal)) == goal.contract
        found = list(values(document, goal))
        assert {value.path for value in found} == set(paths(plain(goal)))
        for value in found:
            if value.place is None:
                assert value.text in ("gating", "3", "fail"), value
                continue
            file = value.place.file
            source = PACKS / f"{file[4:]}.goal" if file.startswith("std:") else root / file
            line = source.read_text("utf-8").splitlines()[value.place.line - 1]
            word = line[value.place.column - 1 :]
            last = value.path.rpartition(".")[2]
            if value.path.startswith("facts."):
                assert word.startswith(value.path.removeprefix("facts.")), value
            elif value.path.startswith("protect."):
                assert word.startswith("protect"), value
            elif value.path.startswith("pinned."):
                assert word.startswith(value.text.split(":")[0]), value
            else:
                assert word.startswith(WORDS.get(last, (last,))), value
            own = value.place.preset is None
            assert own or file.startswith("std:") or value.path.startswith("facts.")


def paths(goal: dict[str, Any]) -> list[str]:
    """The paths of all values in a goal's JSON."""
    found = ["edition", "objective"]
    for kind in ("criteria", "constraints", "stops"):
        for part in goal[kind]:
            found += [f"{kind}.{part['id']}.{key}" for key in part if key != "id"]
    for name in ("budget", "advisory_budget", "pins", "judge"):
        for key, value in goal.get(name, {}).items():
            if isinstance(value, dict) and key == "lanes":
                found += [f"{name}.{key}.{kind}" for kind in value]
            elif value != []:
                found.append(f"{name}.{key}")
    found += [f"{name}.{at}" for name in ("pinned", "protect") for at, _ in enumerate(goal[name])]
    return found + [f"facts.{fact['name']}" for fact in goal["facts"]]


# --- usage


@pytest.mark.parametrize(
    "more",
    [("-o", "out"), ("--check", "-o", "out"), ("--target", "markdown")],
    ids=["output", "check", "another target"],
)
def test_explain_writes_nothing(project: Path, more: tuple[str, ...]) -> None:
    result = explained(project / "spec.goal", more=more)
    assert result.exit_code == 2
    assert "--explain" in result.stderr


def test_json_alone(project: Path) -> None:
    command = ["compile", str(project / "spec.goal"), "--target", "json", "--json"]
    result = CliRunner().invoke(group, command)
    assert (result.exit_code, "--json goes with --explain" in result.stderr) == (2, True)


def test_a_file_without_goals(project: Path) -> None:
    result = explained(project / "shared.goal")
    assert (result.exit_code, "no goal here" in result.stderr) == (2, True)


def test_errors_are_shown(project: Path) -> None:
    result = explained("-", stdin="goal g {}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "GS" in result.stderr
