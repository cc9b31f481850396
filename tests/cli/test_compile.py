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
    assert "several files need a folder: -o DIR" in result.stderr


def test_two_outputs_of_one_name(tmp_path: Path) -> None:
    one, two = put(tmp_path, "x/a.goal"), put(tmp_path, "y/a.goal")
    result = compile_(one, two, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "two files would both be a.json" in result.stderr
    assert not (tmp_path / "out").exists()


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


@pytest.mark.parametrize("arguments", [[], ["a.goal"], ["a.goal", "--target", "prose"]])
def test_usage(arguments: list[str]) -> None:
    result = CliRunner().invoke(group, ["compile", *arguments], catch_exceptions=False)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert compile_(tmp_path / "nowhere.goal").exit_code == 2
