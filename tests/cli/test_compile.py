"""`goalspec compile`: what it writes, where, the same bytes each time, and what it refuses."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import rfc8785
from click.testing import CliRunner, Result
from goalspec.cli import group
from goalspec.compiler.ir.canonical import read_document

GOAL = """\
edition 1

facts {
  suite.passed : bool "every test passed"
  diff.files   : set of path
  deploy.state : "pending" | "live"
}

goal g {
  objective "Ship it."
  let green = suite.passed for 2 runs
  criterion stable "Twice in a row" check green
  criterion live "It is live" when suite.passed check deploy.state == "live"
  constraint no-auth "Leave auth.go" check all f in diff.files: not (f like "**/auth.go")
  budget { cost 5.00 USD turns 25 }
  pins { keep goal, decision kind note lane developer }
  protect "tests/**" allow new "tests/test_*.py"
}

test "one red run" for g {
  observe { suite.passed = false }
  expect stable unmet
}
"""
WRONG = GOAL.replace("check green", "check gren")
WARNED = GOAL.replace("  suite.passed", "  unread : int\n  suite.passed", 1)


def compile_(*arguments: str | Path, stdin: str | None = None) -> Result:
    command = ["compile", "--target", "json", *map(str, arguments)]
    return CliRunner().invoke(group, command, input=stdin, catch_exceptions=False)


def put(folder: Path, name: str, text: str = GOAL) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_one_file_goes_to_the_terminal(tmp_path: Path) -> None:
    result = compile_(put(tmp_path, "a.goal"))
    assert (result.exit_code, result.stderr) == (0, "")
    document = json.loads(result.stdout)
    assert document["ir_version"] == 1
    [goal] = document["goals"]
    assert [criterion["id"] for criterion in goal["criteria"]] == ["stable", "live"]
    assert read_document(result.stdout).goal("g").contract == goal["contract"]


def test_the_output_is_canonical_json(tmp_path: Path) -> None:
    text = compile_(put(tmp_path, "a.goal")).stdout
    assert text == rfc8785.dumps(json.loads(text)).decode() + "\n"


def test_the_output_is_what_the_schema_says(tmp_path: Path) -> None:
    schema = json.loads(CliRunner().invoke(group, ["schema"]).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    text = compile_(put(tmp_path, "a.goal")).stdout
    jsonschema.Draft202012Validator(schema).validate(json.loads(text))


@pytest.mark.ruling(32)
def test_the_source_is_named_outside_the_contract(tmp_path: Path) -> None:
    one = json.loads(compile_(put(tmp_path, "a.goal")).stdout)
    other = json.loads(compile_(put(tmp_path, "b.goal", "# hello\n" + GOAL)).stdout)
    [file] = one["source"]["files"]
    assert file["sha256"] == hashlib.sha256(GOAL.encode()).hexdigest()
    assert one["source"] != other["source"]
    assert one["goals"] == other["goals"]


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        (GOAL.replace("edition 1\n", ""), True),
        (GOAL.replace('"every test passed"', '"another description"'), True),
        (GOAL.replace("5.00 USD", "5 USD"), True),
        (GOAL.replace("\n", "\r\n"), True),
        (GOAL.replace("expect stable unmet", "expect not done"), True),
        (GOAL.replace("green", "lime"), True),
        (WARNED, True),
        (GOAL.replace("Ship it.", "Ship  it."), False),
        (GOAL.replace("2 runs", "3 runs"), False),
        (GOAL.replace("turns 25", "turns 24"), False),
        (GOAL.replace('"pending" | ', '"pending" | "lost" | '), False),
        (GOAL.replace("goal, decision", "goal"), False),
        (GOAL.replace('"tests/**"', '"test/**"'), False),
        (GOAL.replace("criterion live", "criterion alive"), False),
    ],
    ids=[
        "edition", "a fact's description", "money", "line ends", "a test", "a let's name",
        "an unread fact", "objective", "a count", "budget", "a type", "pins", "protect", "an id",
    ],
)  # fmt: skip
@pytest.mark.ruling(32)
def test_what_the_contract_covers(tmp_path: Path, changed: str, same: bool) -> None:
    assert changed != GOAL
    first, second = (
        json.loads(compile_(put(tmp_path, name, text)).stdout)["goals"][0]["contract"]
        for name, text in (("a.goal", GOAL), ("b.goal", changed))
    )
    assert (first == second) is same


def test_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    path = put(tmp_path, "a.goal")
    outputs = set()
    for seed in ("0", "1", "4242"):
        command = [sys.executable, "-m", "goalspec", "compile", "--target", "json", str(path)]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(command, capture_output=True, env=environment, timeout=20, check=True)
        outputs.add(done.stdout)
    assert outputs == {compile_(path).stdout.encode()}


# --- where it goes


def test_files_go_to_a_folder(tmp_path: Path) -> None:
    one, two = put(tmp_path, "a.goal"), put(tmp_path, "deep/b.goal")
    out = tmp_path / "new" / "folder"
    result = compile_(one, two, "-o", out)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"wrote {out / 'a.json'}\nwrote {out / 'b.json'}\n"
    assert sorted(path.name for path in out.iterdir()) == ["a.json", "b.json"]
    assert (out / "a.json").read_text() == compile_(one).stdout


def test_a_folder_of_goals(tmp_path: Path) -> None:
    put(tmp_path, "specs/a.goal")
    put(tmp_path, "specs/b.goal")
    assert compile_(tmp_path / "specs", "--output", tmp_path / "out").exit_code == 0
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_an_output_is_replaced(tmp_path: Path) -> None:
    path = put(tmp_path, "a.goal")
    old = put(tmp_path, "out/a.json", "old")
    assert compile_(path, "-o", tmp_path / "out").exit_code == 0
    assert old.read_text() == compile_(path).stdout


def test_what_the_project_excludes_is_left_out_of_a_folder(tmp_path: Path) -> None:
    put(tmp_path, "pyproject.toml", '[tool.goalspec]\nexclude = ["old/**"]\n')
    put(tmp_path, "a.goal")
    old = put(tmp_path, "old/b.goal", WRONG)
    assert compile_(tmp_path, "-o", tmp_path / "out").exit_code == 0
    assert compile_(old).exit_code == 2


def test_standard_input_beside_a_file(tmp_path: Path) -> None:
    result = compile_("-", put(tmp_path, "a.goal"), "-o", tmp_path / "out", stdin=GOAL)
    assert result.exit_code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.json", "stdin.json"]


def test_standard_input(tmp_path: Path) -> None:
    result = compile_("-", stdin=GOAL)
    assert json.loads(result.stdout)["source"]["files"][0]["path"] == "<stdin>"
    assert compile_("-", "-o", tmp_path, stdin=GOAL).exit_code == 0
    assert (tmp_path / "stdin.json").read_text() == result.stdout


# --- what is refused


@pytest.mark.ruling(16)
def test_a_file_with_errors_writes_nothing(tmp_path: Path) -> None:
    good, bad = put(tmp_path, "a.goal"), put(tmp_path, "b.goal", WRONG)
    result = compile_(good, bad, "-o", tmp_path / "out")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "error[GS201]" in result.stderr and "did you mean `green`?" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_warning_stops_nothing(tmp_path: Path) -> None:
    assert compile_(put(tmp_path, "a.goal", WARNED)).exit_code == 0


def test_several_files_need_a_folder(tmp_path: Path) -> None:
    result = compile_(put(tmp_path, "a.goal"), put(tmp_path, "b.goal"))
    assert result.exit_code == 2
    assert "2 artifacts need a folder: -o DIR" in result.stderr


def test_two_outputs_of_one_name(tmp_path: Path) -> None:
    one, two = put(tmp_path, "x/a.goal"), put(tmp_path, "y/a.goal")
    result = compile_(one, two, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert f"{one} and {two} would both be a.json: compile them apart" in result.stderr
    assert not (tmp_path / "out").exists()


def test_two_outputs_that_differ_in_case_are_one_file_to_some_systems(tmp_path: Path) -> None:
    one, two = put(tmp_path, "x/a.goal"), put(tmp_path, "y/A.goal")
    result = compile_(one, two, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "would both be A.json and a.json" in result.stderr


def test_the_errors_of_all_files_are_shown_at_once(tmp_path: Path) -> None:
    one, two = put(tmp_path, "a.goal", WRONG), put(tmp_path, "b.goal", WRONG)
    result = compile_(one, two, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert f"--> {one}:12:" in result.stderr
    assert f"--> {two}:12:" in result.stderr
    assert "2 errors in 2 files" in result.stderr


@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_file_where_the_folder_should_be(tmp_path: Path, below: str) -> None:
    path = put(tmp_path, "a.goal")
    taken = put(tmp_path, "out", "a file")
    result = compile_(path, "-o", taken / below)
    assert result.exit_code == 2
    assert result.stderr.startswith("goalspec: error[GS505]: ")
    assert taken.read_text() == "a file"


def test_a_write_that_fails_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, old = put(tmp_path, "a.goal"), put(tmp_path, "out/a.json", "old")

    def full(source: Any, target: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    result = compile_(path, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert result.stderr == f"goalspec: error[GS505]: {old}: No space left on device\n"
    assert [file.name for file in old.parent.iterdir()] == ["a.json"]
    assert old.read_text() == "old"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing argument 'PATH...'"),
        (["a.goal"], "Missing option '--target'"),
        (["a.goal", "--target", "jsn"], "there is no target `jsn`; did you mean `json`?"),
        (["a.goal", "--target", "json,x\x1b[2J"], r"there is no target `x\u{1b}[2J`; there are "),
        (["a.goal", "--target", " ,"], "--target names none"),
        (["a.goal", "--target", "json", "--check"], "-o DIR"),
        (["a.goal", "--target", "json", "--templates", "."], "json does not"),
    ],
)
def test_usage(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(group, ["compile", *arguments], catch_exceptions=False)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr
    assert said in " ".join(result.stderr.split())


def test_a_target_that_is_named_twice_is_asked_once(tmp_path: Path) -> None:
    path = put(tmp_path, "a.goal")
    command = ["compile", str(path), "--target", "json, json"]
    result = CliRunner().invoke(group, command, catch_exceptions=False)
    assert result.stdout == compile_(path).stdout


# --- is what a folder has current?


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder with the artifacts of two goal files that stand beside it."""
    one, two = put(tmp_path, "a.goal"), put(tmp_path, "b.goal")
    assert compile_(one, two, "-o", tmp_path / "out").exit_code == 0
    return tmp_path / "out"


def checked(built: Path) -> Result:
    return compile_(built.parent / "*.goal", "-o", built, "--check")


def test_artifacts_that_are_current(built: Path) -> None:
    result = checked(built)
    assert (result.exit_code, result.stderr) == (0, "2 artifacts up to date\n")


def test_stale_and_missing_artifacts_are_named_and_left_as_they_are(built: Path) -> None:
    stale = put(built, "a.json", "old")
    (built / "b.json").unlink()
    result = checked(built)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"{built / 'a.json'}: stale\n{built / 'b.json'}: missing\n2 artifacts to renew: "
        f"goalspec compile '{built.parent}/*.goal' --target json -o {built}\n"
    )
    assert stale.read_text() == "old"
    assert [path.name for path in built.iterdir()] == ["a.json"]


def test_line_ends_that_a_checkout_changed_are_stale(built: Path) -> None:
    path = built / "a.json"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert checked(built).exit_code == 1


def test_an_artifact_whose_file_is_gone_is_left_over(built: Path) -> None:
    (built.parent / "b.goal").unlink()
    result = checked(built)
    assert result.exit_code == 1
    gone = f"{built / 'b.json'}: no goal file is compiled to it; delete it\n"
    assert result.stderr == gone
    assert (built / "b.json").exists()


@pytest.mark.parametrize("text", ["{}", "", "[1]", '{"facts": 1}', "\0\xff"])
def test_files_that_goalspec_did_not_write_are_not_its_business(built: Path, text: str) -> None:
    put(built, "package.json", text)
    put(built, "deeper/c.json", (built / "a.json").read_text())
    assert checked(built).exit_code == 0


def test_a_folder_that_is_not_there_lacks_everything(tmp_path: Path) -> None:
    result = compile_(put(tmp_path, "a.goal"), "-o", tmp_path / "out", "--check")
    assert result.exit_code == 1
    assert "a.json: missing" in result.stderr
    assert not (tmp_path / "out").exists()


def test_an_artifact_that_cannot_be_read(built: Path) -> None:
    (built / "a.json").unlink()
    (built / "a.json").mkdir()
    result = checked(built)
    assert result.exit_code == 2
    assert result.stderr.startswith("goalspec: error[GS505]: ")


def test_errors_come_before_staleness(built: Path) -> None:
    put(built.parent, "a.goal", WRONG)
    assert checked(built).exit_code == 2


# --- and where nothing is


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert compile_(tmp_path / "nowhere.goal").exit_code == 2
