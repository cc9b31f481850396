"""`goalspec test`: exit codes, what it selects, and its report as text, JSON and JUnit XML."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from goalspec.cli import group, test_command

GOLDEN = Path(__file__).parent / "golden" / "test"
SPECS = Path(__file__).resolve().parents[2] / "specs"
GOAL = """\
facts {
  ok : bool
  n  : int in 0..
}

goal g {
  objective "o"
  criterion fine "It is fine" check ok
  constraint few "Few" check n <= 3
}
"""
GOOD = 'test "fine" for g {\n  observe { ok = true  n = 3 }\n  expect done\n}\n'
BAD = 'test "bad" for g {\n  observe { ok = false }\n  expect fine met\n  expect not done\n}\n'
EMPTY = 'test "empty" for g {\n  observe { ok = true }\n}\n'
EDGE = 'test "edge" for g {\n  observe { n = 3 }\n  expect few held\n  observe { n = 4 }\n  expect few violated\n}\n'


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    command = ["test", *map(str, arguments)]
    return CliRunner().invoke(group, command, input=stdin, catch_exceptions=False)


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Writes a goal file with tests, and goes where it is; its name."""
    monkeypatch.chdir(tmp_path)

    def write(*tests: str, name: str = "g.goal") -> str:
        (tmp_path / name).write_text("\n".join([GOAL, *tests]), "utf-8")
        return name

    return write


# --- exit codes


@pytest.mark.row("X05")
def test_every_test_passes(put: Callable[..., str]) -> None:
    result = run(put(GOOD))
    assert result.exit_code == 0
    assert result.stdout.startswith("g.goal .\n")
    assert "1 passed in 1 file\ncoverage 33%: 2 of 6 outcomes seen\n" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("wrong", [BAD, EMPTY])
def test_a_test_that_does_not_pass(put: Callable[..., str], wrong: str) -> None:
    assert run(put(GOOD, wrong)).exit_code == 1


def test_a_file_with_errors_is_not_run(put: Callable[..., str]) -> None:
    result = run(
        put(GOOD, BAD.replace("expect fine met", "expect fin met")), put(GOOD, name="h.goal")
    )
    assert (result.exit_code, result.stdout) == (2, "")
    assert "error[GS206]" in result.stderr


def test_no_test_is_no_pass(put: Callable[..., str]) -> None:
    result = run(put())
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no test in 1 file" in result.stderr
    (Path.cwd() / "empty").mkdir()
    assert run("empty").exit_code == 2
    assert run("none.goal").exit_code == 2


def test_choosing_tests(put: Callable[..., str]) -> None:
    name = put(GOOD, BAD)
    assert run(name, "-k", "FINE").exit_code == 0
    assert "1 passed" in run(name, "-k", "FINE").stdout
    assert "1 failed, 1 passed" in run(name, "-k", "g").stdout
    result = run(name, "-k", "other\x1b")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "-k other\\u{1b} selects none of 2 tests" in result.stderr


def test_a_choice_covers_the_goals_that_it_is_about(put: Callable[..., str]) -> None:
    other = GOAL[GOAL.index("goal") :].replace("goal g", "goal other")
    name = put(other, GOOD)
    assert "2 of 12 outcomes seen" in run(name).stdout
    assert "2 of 6 outcomes seen" in run(name, "-k", "fine").stdout


def test_standard_input(put: Callable[..., str]) -> None:
    result = run("-", stdin=GOAL + GOOD)
    assert (result.exit_code, result.stdout.split("\n")[0]) == (0, "<stdin> .")
    assert run("-", stdin=GOAL + BAD).exit_code == 1


def test_the_least_that_must_be_covered(put: Callable[..., str]) -> None:
    name = put(GOOD)
    assert run(name, "--min-coverage", "33").exit_code == 0
    result = run(name, "--min-coverage", "34")
    assert result.exit_code == 1
    assert result.stderr == "the coverage is 33%, 34% is the least\n"
    assert run(name, "--min-coverage", "101").exit_code == 2


def test_the_least_that_must_be_noticed(put: Callable[..., str]) -> None:
    name = put(GOOD)
    assert run(name, "--mutate", "--min-score", "66").exit_code == 0
    result = run(name, "--mutate", "--min-score", "67")
    assert (result.exit_code, result.stderr) == (1, "the mutation score is 66%, 67% is the least\n")
    assert run(put(GOOD, EDGE), "--mutate", "--min-score", "100").exit_code == 0
    assert run(name, "--min-score", "1").exit_code == 2


def test_no_mutant_is_tried_where_a_test_fails(put: Callable[..., str]) -> None:
    result = run(put(BAD), "--mutate", "--min-score", "0")
    assert result.exit_code == 1
    assert result.stderr == "no mutants were tried, since a test fails\n"
    assert "mutation score" not in result.stdout


def test_the_shipped_specs_pass() -> None:
    result = run(SPECS)
    assert result.exit_code == 0, result.stdout
    assert result.stderr == ""


# --- what is written


def everything(put: Callable[..., str]) -> str:
    again = BAD.replace("ok = false", "ok = false  n = 9").replace("expect not done", "expect done")
    early = 'test "early" for g {\n  expect few held\n}\n'
    return put(GOOD, BAD, again, EMPTY, early)


@pytest.mark.parametrize("options", [[], ["-v", "--coverage"]], ids=["short", "long"])
def test_the_text(
    put: Callable[..., str], golden: Callable[[Path, str], None], options: list[str]
) -> None:
    result = run(everything(put), *options)
    golden(GOLDEN / f"{'long' if options else 'short'}.txt", result.stdout)


def test_the_survivors(put: Callable[..., str], golden: Callable[[Path, str], None]) -> None:
    untested = GOAL[GOAL.index("goal") :].replace("goal g", "goal other")
    when = untested.replace("goal other", "goal more").replace("check ok", "when n > 0 check ok")
    about = 'test "more" for more {\n  observe { ok = true  n = 1 }\n  expect fine met\n  observe { n = 0 }\n}\n'
    result = run(put(untested, when, GOOD, about), "--mutate")
    golden(GOLDEN / "survivors.txt", result.stdout)


def test_the_json(put: Callable[..., str], golden: Callable[[Path, str], None]) -> None:
    result = run(everything(put), "--json")
    assert result.exit_code == 1
    golden(GOLDEN / "failed.json", result.stdout)
    report: dict[str, Any] = json.loads(result.stdout)
    assert (report["passed"], report["failed"], report["mutation"]) == (1, 4, None)
    golden(GOLDEN / "mutated.json", run(put(GOOD), "--json", "--mutate").stdout)


def test_the_junit_file(put: Callable[..., str], golden: Callable[[Path, str], None]) -> None:
    result = run(everything(put), "--junit", "out/report.xml")
    assert result.exit_code == 1
    text = Path("out/report.xml").read_text("utf-8")
    golden(GOLDEN / "junit.xml", text)
    [suite] = ElementTree.fromstring(text)
    assert suite.attrib == {"name": "g.goal", "tests": "5", "failures": "2", "errors": "2"}
    names = [case.attrib["name"] for case in suite]
    assert len(set(names)) == 5  # services take tests of one name for one


def test_a_name_paints_nothing(put: Callable[..., str]) -> None:
    name = put(BAD.replace('"bad"', '"\u202e]]></failure>\ufeff"'))
    result = run(name, "-v", "--junit", "r.xml")
    assert "\u202e" not in result.stdout and "\\u{202e}" in result.stdout
    text = Path("r.xml").read_text("utf-8")
    assert "\u202e" not in text
    assert len(list(ElementTree.fromstring(text).iter("testcase"))) == 1
    assert "\u202e" not in run(name, "--json").stdout


def test_values_that_do_not_enter_are_said(put: Callable[..., str]) -> None:
    wrong = 'test "w" for g {\n  observe { n = -1 }\n  expect few unknown\n}\n'
    result = run(put(wrong))
    assert result.exit_code == 0
    assert result.stderr.startswith("g.goal:12: warning[GS501]: n: ")


def test_colours_on_a_terminal_only(
    put: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = put(GOOD, BAD)
    assert "\x1b[" not in run(name).stdout
    monkeypatch.setattr(test_command, "wants_color", lambda: True)
    colored = CliRunner().invoke(group, ["test", name], color=True)
    assert "\x1b[31m\x1b[1mF\x1b[0m" in colored.stdout


def test_the_same_text_each_time(put: Callable[..., str]) -> None:
    arguments = (SPECS, "--mutate", "--json")
    assert run(*arguments).stdout == run(*arguments).stdout
