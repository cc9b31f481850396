"""C096: nothing that is written short becomes long without a limit: names that stand for names,
presets that build on presets, files that use files, facts that repeat."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from goalspec.tests.cases.commands import goalspec, put

GENERATIONS = 60  # doubled as often, one predicate would have 2^60 parts
SECONDS = 20
GOAL = 'goal g {\n  objective "o"\n  criterion c "It holds" check a.ok\n}\n'


def lets(operator: str) -> str:
    lines = "".join(f"  let l{n + 1} = l{n} {operator} l{n}\n" for n in range(GENERATIONS))
    return (
        'facts {\n  a.ok : bool\n}\n\ngoal g {\n  objective "o"\n  let l0 = a.ok\n'
        f'{lines}  criterion c "It holds" check l{GENERATIONS}\n}}\n'
    )


def presets() -> str:
    lines = "".join(
        f"preset p{n + 1} {{ preset q{n}  preset r{n} }}\n"
        f"preset q{n} {{ preset p{n} }}\npreset r{n} {{ preset p{n} }}\n"
        for n in range(GENERATIONS)
    )
    facts = "facts {\n  a.ok : bool\n}\n\n"
    base = 'preset p0 { criterion base "It holds" check a.ok }\n'
    return f"{facts}{base}{lines}{GOAL.replace('objective', f'preset p{GENERATIONS} objective')}"


TEXTS = {"lets by and": lets("and"), "lets by or": lets("or"), "presets": presets()}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_doubling_ends_soon(tmp_path: Path, text: str) -> None:
    spec = put(tmp_path / "c.goal", text)
    began = time.monotonic()
    assert goalspec("lint", spec).exit_code in (0, 1)
    assert goalspec("compile", spec, "--target", "json", "-o", tmp_path).exit_code in (0, 2)
    assert time.monotonic() - began < SECONDS
    made = tmp_path / "c.json"
    assert not made.exists() or made.stat().st_size < 1_000_000


def test_a_name_that_stands_for_too_much_is_an_error(tmp_path: Path) -> None:
    result = goalspec("lint", put(tmp_path / "c.goal", lets("and")))
    assert result.exit_code == 1
    assert "GS103" in result.output or "GS315" in result.output


def test_files_that_use_each_other_twice_are_read_once(tmp_path: Path) -> None:
    for n in range(GENERATIONS):
        for name in ("a", "b"):
            uses = f'use "a{n + 1}.goal"\nuse "b{n + 1}.goal"\n' if n + 1 < GENERATIONS else ""
            put(tmp_path / f"{name}{n}.goal", uses)
    text = 'use "a0.goal"\nuse "b0.goal"\nfacts {\n  a.ok : bool\n}\n' + GOAL
    spec = put(tmp_path / "c.goal", text)
    began = time.monotonic()
    assert goalspec("lint", spec).exit_code == 0
    assert time.monotonic() - began < SECONDS


def test_a_fact_that_is_too_large_is_invalid(tmp_path: Path) -> None:
    text = (
        "facts {\n  a.names : list of string\n}\n\n"
        'goal g {\n  objective "o"\n  criterion c "It holds" check "x" in a.names\n}\n'
    )
    spec = put(tmp_path / "c.goal", text)
    many = ",".join(['"x"'] * 3_001)
    long = f'"x","{"y" * 65_000}",' * 20 + '"x"'
    for values in (many, long):
        facts = put(tmp_path / "facts.json", f'{{"a.names": [{values}]}}')
        result = goalspec("check", spec, "--facts", facts)
        assert result.exit_code == 3
        assert "GS501" in result.stderr


def test_a_long_list_that_many_parts_read_is_an_error(tmp_path: Path) -> None:
    """Each use of a `let` is written out: 3,000 uses of 19,000 names would be 57 million parts."""
    names = ", ".join(f'"s{n}"' for n in range(19_000))
    parts = "".join(f'  criterion c{n} "It holds"\n    check a.s in big\n' for n in range(3_000))
    text = f'facts {{ a.s : string }}\nlet big = [{names}]\ngoal g {{\n  objective "o"\n{parts}}}\n'
    began = time.monotonic()
    result = goalspec("lint", put(tmp_path / "c.goal", text))
    assert result.exit_code == 1
    assert result.stdout.count("error[GS315]") == 1
    assert time.monotonic() - began < SECONDS


@pytest.mark.parametrize(
    "template",
    [
        "{% for a in goal.criteria %}" * 12 + "x" + "{% endfor %}" * 12,
        "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
        "{{ 'x' * 1000000000 }}",
        '{% include "goal.j2" %}',
    ],
)
def test_a_template_ends_soon(tmp_path: Path, template: str) -> None:
    criteria = "".join(f'  criterion c{n} "It holds" check a.ok\n' for n in range(40))
    spec = put(
        tmp_path / "c.goal",
        f'facts {{\n  a.ok : bool\n}}\ngoal g {{\n  objective "o"\n{criteria}}}\n',
    )
    put(tmp_path / "own" / "goal.j2", template)
    started = time.monotonic()
    result = goalspec("render", spec, "--fragment", "goal", "--templates", tmp_path / "own")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "goal.j2" in result.stderr
    assert time.monotonic() - started < SECONDS
