"""C091: whatever is nested or chained without end is refused with a place, by every command, and
nothing overflows; what is just within the limits still goes through all of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from goalspec.tests.cases.commands import goalspec, put

MANY = 5_000
FACTS = "facts {\n  a.ok : bool\n  a.n  : int\n  a.ns : list of int\n}\n\n"
GOAL = 'goal g {\n  objective "Pass."\n  criterion listed "It is listed" check 1 in a.ns\n'


def checking(predicate: str) -> str:
    return f'{FACTS}{GOAL}  criterion c "It holds" check {predicate}\n}}\n'


def declaring(type: str) -> str:
    return checking("a.ok and a.n > 0").replace("a.ok : bool", f"b.x : {type}\n  a.ok : bool")


def observing(value: str) -> str:
    return (
        f'{checking("a.ok and a.n > 0")}\ntest "t" for g {{\n  observe {{ a.ns = {value} }}\n}}\n'
    )


DEEP = {
    "parentheses": checking("(" * MANY + "a.ok" + ")" * MANY),
    "open parentheses": checking("(" * MANY),
    "not": checking("not " * MANY + "a.ok"),
    "minus": checking("-" * MANY + "a.n > 0"),
    "and": checking("a.ok" + " and a.ok" * MANY),
    "or": checking("a.ok" + " or a.ok" * MANY),
    "plus": checking("a.n" + " + a.n" * MANY + " > 0"),
    "brackets": checking("[" * MANY + "1" + "]" * MANY + " == a.ns"),
    "calls": checking("abs(" * MANY + "a.n" + ")" * MANY + " > 0"),
    "quantifiers": checking("any x in a.ns: (" * MANY + "a.ok" + ")" * MANY),
    "keys": checking("a.m" + '["x"]' * MANY + " > 0"),
    "types": declaring("list of " * MANY + "int"),
    "records": declaring("{ f: " * MANY + "int" + " }" * MANY),
    "lists of a test": observing("[" * MANY + "1" + "]" * MANY),
    "records of a test": observing("{ f: " * MANY + "1" + " }" * MANY),
    "blocks": f"{FACTS}{GOAL}{'budget { ' * MANY}{'} ' * MANY}}}\n",
    "goals": "goal g { " * MANY,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_what_is_too_deep_is_refused_by_every_command(tmp_path: Path, text: str) -> None:
    spec = put(tmp_path / "deep.goal", text)
    facts = put(tmp_path / "facts.json", "{}")
    lint = goalspec("lint", spec)
    assert lint.exit_code in (1, 2)
    assert "deep.goal:" in lint.output
    assert goalspec("check", spec, "--facts", facts).exit_code == 2
    assert goalspec("compile", spec, "--target", "json").exit_code == 2
    assert goalspec("fmt", "--check", spec).exit_code in (0, 1, 2)


WITHIN = {
    "quantifiers": "a.ok and a.n > 0 and (any x in a.ns: (any y in a.ns: x == y))",
    "minus": "a.ok and " + "-(" * 30 + "a.n" + ")" * 30 + " > 0",
    "arithmetic": "a.ok and " + "(1 * (1 + " * 15 + "a.n" + "))" * 15 + " > 0",
    "parentheses": "(" * 64 + "a.ok" + ")" * 64 + " and a.n > 0",
    "not": "not " * 60 + "a.ok and a.n > 0",
    "and": "a.n > 0 and " + " and ".join(["a.ok"] * 999),
    "plus": "a.ok and " + " + ".join(["a.n"] * 1_000) + " > 0",
}


@pytest.mark.parametrize("predicate", WITHIN.values(), ids=WITHIN.keys())
def test_what_is_just_within_the_limits_is_met(tmp_path: Path, predicate: str) -> None:
    spec = put(tmp_path / "deep.goal", checking(predicate))
    facts = put(tmp_path / "facts.json", '{"a": {"ok": true, "n": 1, "ns": [1]}}')
    assert goalspec("lint", spec).exit_code == 0
    assert goalspec("check", spec, "--facts", facts).exit_code == 0
    assert goalspec("compile", spec, "--target", "json").exit_code == 0
    module = goalspec("compile", spec, "--target", "python")
    assert module.exit_code == 0
    emitted = put(tmp_path / "module.py", module.stdout_bytes)
    command = [sys.executable, str(emitted), "--facts", str(facts)]
    assert subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0
    assert goalspec("fmt", spec).exit_code == 0
    assert goalspec("lint", spec).exit_code == 0


@pytest.mark.parametrize("facts", ["[" * 100_000, '{"a":' * 100_000, "[" * 500 + "]" * 500])
def test_facts_that_are_too_deep_are_refused(tmp_path: Path, facts: str) -> None:
    spec = put(tmp_path / "deep.goal", checking("a.ok and a.n > 0"))
    result = goalspec("check", spec, "--facts", put(tmp_path / "facts.json", facts))
    assert result.exit_code == 2
    assert "GS503" in result.stderr
