"""The goal's own commands: what is selected, and what is unknown."""

from __future__ import annotations

import json
import shlex
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime import Monitor
from goalspec.runtime.sources import DeclaredFacts
from goalspec.tests.runtime.sources.goals import asked, goal_with, python, why, write


def block(code: str, facts: str, more: str = "") -> str:
    """A block of facts `from run` a piece of Python."""
    lines = "\n".join(f"  {line.strip()}" for line in facts.strip().splitlines())
    return f"facts from run {json.dumps(shlex.join(python(code)))} {more} {{\n{lines}\n}}\n"


def given(root: Path, *blocks: str) -> Any:
    return asked(DeclaredFacts(goal_with("".join(blocks)), root, allow_run=True))


REPORT = (
    'print(\'{"failed": 3, "deep": [{"a/b": {"~": "x"}}], "none": null}\'); raise SystemExit(1)'
)


@pytest.mark.ruling(64)
def test_what_is_selected(tmp_path: Path) -> None:
    answer = given(tmp_path, block(REPORT, """
      ok : bool
      code : int in 0..1
      said : int at "exit"
      fine : bool at "exit"
      took : duration at "took"
      failed : int at "/failed"
      deep : string at "/deep/0/a~1b/~0"
      nil : string? at "/none"
      gone : string at "/deep/1"
      odd : string at "/deep/00"
      text : string at "out"
    """))  # fmt: skip
    assert answer["ok"] is False and answer["fine"] is False
    assert answer["code"] == answer["said"] == 1
    assert answer["took"].endswith(("ms", "s"))
    assert (answer["failed"], answer["deep"], answer["nil"]) == (3, "x", None)
    assert why(answer, "gone") == ("missing", "there is nothing at /deep/1 in the output")
    assert why(answer, "odd")[0] == "missing"
    assert answer["text"].endswith('"none": null}')


OUTPUTS = {
    "one line": ("'a\\n'", "string", "a"),
    "of Windows": ("'a\\r\\n'", "string", "a"),
    "only the last line end": ("'a\\n\\n'", "string", "a\n"),
    "none": ("'a'", "string", "a"),
    "empty": ("''", "string", ""),
    "a number": ("'12\\n'", "int", 12),
    "a decimal": ("'0.10'", "number", Decimal("0.10")),
    "a ratio": ("'0.84\\n'", "percent as ratio", Decimal("0.84")),
    "a percent": ("'84%'", "percent as ratio", "84%"),
    "digits that are text": ("'12\\n'", "string", "12"),
    "no number": ("'many\\n'", "int", "many"),
}


@pytest.mark.parametrize("kind", OUTPUTS)
def test_the_output_as_a_value(tmp_path: Path, kind: str) -> None:
    printed, type, value = OUTPUTS[kind]
    code = f"import sys; sys.stdout.buffer.write({printed}.encode())"
    assert given(tmp_path, block(code, f'x : {type} at "out"')) == {"x": value}


def test_what_cannot_be_selected(tmp_path: Path) -> None:
    answer = given(tmp_path, block(r"import sys; sys.stdout.buffer.write(b'\xff')", """
      ok : bool
      out : string at "out"
      a : int at "/a"
      odd : int at "stderr"
      unsaid : string
    """))  # fmt: skip
    assert answer["ok"] is True
    assert "not UTF-8" in why(answer, "out")[1]
    assert "not UTF-8" in why(answer, "a")[1]
    assert why(answer, "odd")[1].startswith("`stderr` is none of")
    assert why(answer, "unsaid")[0] == "invalid"


@pytest.mark.ruling(64)
def test_a_block_is_one_execution(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = f"open({str(log)!r}, 'a').write('x')"
    facts = block(code, "a : bool\nb : int") + block(code, "c : bool")
    other = block(code, "d : bool", "timeout 1m")
    source = DeclaredFacts(goal_with(facts + other), tmp_path, allow_run=True)
    assert asked(source) == {"a": True, "b": 0, "c": True, "d": True}
    assert log.read_text() == "xx"
    asked(source)
    assert log.read_text() == "xxxx"


@pytest.mark.ruling(64)
def test_what_does_not_end_well_is_unknown(tmp_path: Path) -> None:
    answer = given(
        tmp_path,
        'facts from run "no-such-command" {\n  unstarted : bool\n}\n',
        block("import os; os.kill(os.getpid(), 15)", "killed : int"),
        block("import time; time.sleep(60)", "late : bool", "timeout 300ms"),
        'facts from run "it\'s" {\n  unquoted : bool\n}\n',
        'facts from run "" {\n  empty : bool\n}\n',
        "facts from run {\n  unsaid : bool\n}\n",
        block("pass", "fine : bool"),
    )
    assert answer.pop("fine") is True
    words = {name: why(answer, name) for name in answer}
    assert {reason for reason, _ in words.values()} == {"error"}
    assert "was not started" in words["unstarted"][1]
    assert "killed by signal 15" in words["killed"][1]
    assert "killed after 0.3s" in words["late"][1]
    assert "is no command: No closing quotation" in words["unquoted"][1]
    assert "empty" in words["empty"][1]
    assert "there is no command" in words["unsaid"][1]


@pytest.mark.ruling(64)
def test_the_range_of_an_int_has_the_legal_exit_codes(tmp_path: Path) -> None:
    goal = goal_with(block("raise SystemExit(2)", "code : int in 0..1"))
    verdict = Monitor(goal).observe(asked(DeclaredFacts(goal, tmp_path, allow_run=True)))
    assert [note.kind for note in verdict.notes] == ["invalid"]
    assert verdict.criteria[0].outcome == "unmet"  # the code is not known


def test_the_folder(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root / "web/here", "")
    write(tmp_path / "outside/there", "")
    (root / "out").symlink_to("../outside")
    code = "import os; print(*os.listdir())"
    assert given(root, block(code, 'x : string at "out"', 'in "web"')) == {"x": "here"}
    gone = given(root, block(code, "x : bool", 'in "gone"'))
    assert "there is no folder" in why(gone, "x")[1]
    out = given(root, block(code, "x : bool", 'in "out"'))
    assert "leads out of the project" in why(out, "x")[1]


def test_there_is_no_shell(tmp_path: Path) -> None:
    goal = goal_with('facts from run "echo \'$HOME\' *; touch x" {\n  x : string at "out"\n}\n')
    answer = asked(DeclaredFacts(goal, tmp_path, allow_run=True))
    assert answer == {"x": "$HOME *; touch x"}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.ruling(41)
def test_nothing_runs_that_is_not_allowed(tmp_path: Path) -> None:
    goal = goal_with(block(f"open({str(tmp_path / 'ran')!r}, 'w')", "x : bool"))
    assert why(asked(DeclaredFacts(goal, tmp_path)), "x")[0] == "error"
    assert not (tmp_path / "ran").exists()


def test_facts_of_other_sources_are_left_to_others(tmp_path: Path) -> None:
    others = 'facts {\n  a : bool from person\n  b : string from env "B"\n  c : bool\n}\n'
    goal = goal_with(others + block("pass", "x : bool"))
    source = DeclaredFacts(goal, tmp_path, allow_run=True)
    assert [fact.name for fact in source.facts] == ["x"]
    assert asked(source) == {"x": True}
