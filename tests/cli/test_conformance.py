"""`goalspec conformance`: exit codes, what is said, and goalspec as a program that is held."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from goalspec.runtime.conformance import FAMILIES, load_cases

GOALSPEC = [sys.executable, "-m", "goalspec"]
SERVE = [*GOALSPEC, "conformance", "--serve"]
# What goalspec answers, except that it says of each judgement that it was accepted.
LIAR = (
    "import json, subprocess, sys\n"
    "told = subprocess.run(sys.argv[1:], input=sys.stdin.read(), capture_output=True, text=True)\n"
    "for line in told.stdout.splitlines():\n"
    "    answer = json.loads(line)\n"
    "    if 'consequence' in answer: answer['consequence'] = 'accept'\n"
    "    print(json.dumps(answer))\n"
)


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*GOALSPEC, "conformance", *arguments], input=stdin, capture_output=True)


@pytest.mark.row("X16")
def test_goalspec_is_held_to_all_cases() -> None:
    done = run("--timeout", "60", "--", *SERVE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"{len(load_cases())} cases, none failed\n"


@pytest.mark.row("X16")
def test_a_liar_is_told_where_it_lies() -> None:
    liar = [sys.executable, "-c", LIAR, *SERVE]
    done = run("--only", "judge", "--", *liar)
    said = done.stdout.decode()
    assert done.returncode == 1
    assert (
        "judge/route-no-model-is-set-up: route: no model is set up\n"
        '  consequence: it is "accept", and "unverified" is due\n'
    ) in said
    assert said.endswith(" failed\n")

    done = run("--only", "judge", "--json", "--", *liar)
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["holds"] is False
    assert [case["name"] for case in report["cases"]] == [c.name for c in load_cases(["judge"])]
    lied = {case["name"] for case in report["cases"] if not case["holds"]}
    assert "judge/route-no-model-is-set-up" in lied
    assert "judge/answer-the-good-answer" not in lied
    assert all(bool(case["problems"]) is not case["holds"] for case in report["cases"])


@pytest.mark.parametrize("family", FAMILIES)
def test_one_family_is_asked_for(family: str) -> None:
    done = run("--only", family, "--json", "--", sys.executable, "-c", "")
    cases = json.loads(done.stdout)["cases"]
    assert done.returncode == 1
    assert {case["name"].partition("/")[0] for case in cases} == {family}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "name the program"),
        (("--serve", "--", "cat"), "name the program"),
        (("--only", "loops", "--", "cat"), "'loops' is not one of"),
        (("--timeout", "0", "--", "cat"), "--timeout"),
        (("--", "/no/such/program"), "/no/such/program: No such file or directory"),
    ],
)
def test_usage(arguments: tuple[str, ...], says: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert says in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def test_serving_answers_each_line_whatever_it_is() -> None:
    good = json.dumps(load_cases(["loop"])[0].request).encode()
    done = run("--serve", stdin=b"\xff\n\n[]\n" + good + b"\n{}")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, b"")
    assert ["error" in answer for answer in answers] == [True, True, False, True]


def test_of_many_problems_the_first_are_said() -> None:
    empty = "import json, sys\nfor l in sys.stdin: print(json.dumps({'id': json.loads(l)['id'], 'steps': []}))"
    lost = "import json, sys\nfor l in sys.stdin: r = json.loads(l); print(json.dumps({'id': r['id'], 'steps': [{}] * len(r['steps'])}))"
    short = run("--only", "loop", "--", sys.executable, "-c", empty).stdout.decode()
    assert "  steps: it has 0 elements, and 19 are due\n" in short
    long = run("--only", "loop", "--", sys.executable, "-c", lost).stdout.decode()
    assert max(len(case.splitlines()) for case in long.split("\nloop/")[:-1]) == 7
    assert re.search(r"^  and \d+ more$", long, re.MULTILINE)


def test_the_output_of_a_program_paints_nothing(tmp_path: Path) -> None:
    rude = tmp_path / "rude.py"
    rude.write_text("print('\\x1b[31mred', flush=True)")
    done = run("--only", "loop", "--", sys.executable, str(rude))
    assert done.returncode == 1
    assert b"\x1b" not in done.stdout
    assert b"\\u{1b}[31mred" in done.stdout
