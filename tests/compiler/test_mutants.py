"""The mutants of a part: exactly those of the table, all of them predicates that the compiler takes,
in an order and a number that never change."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from goalspec import Document, compile_text, load
from goalspec.compiler.ir import expressions as ir
from goalspec.compiler.ir.document import Condition, Fact
from goalspec.compiler.ir.node import Node
from goalspec.compiler.ir.text import write_expression, write_fact
from goalspec.compiler.mutants import MOST, Mutant, mutants_of
from goalspec.runtime.coverage import conditions_of

SPECS = sorted((Path(__file__).resolve().parents[2] / "specs" / "examples").glob("*.goal"))
FACTS = """\
facts {
  n       : int in 0..
  z       : int
  x       : number
  ok      : bool
  idle    : bool
  cov     : percent
  took    : duration
  tooks   : list of duration
  size    : size
  cost    : money USD
  seen    : time
  day     : date
  version : version
  title   : string
  files   : set of path
  level   : "low" < "mid" < "high"
  state   : "none" | "live" | "broken"
  runs    : list of { name: string, ok: bool, main: bool }
}
"""
with Path(__file__).with_name("mutants.toml").open("rb") as file:
    CASES: list[dict[str, Any]] = tomllib.load(file)["case"]


def compiled(part: str) -> Document:
    document = compile_text(f'{FACTS}\ngoal g {{\n  objective "o"\n  {part}\n}}\n').document
    assert document is not None, part
    return document


def mutants(part: str) -> list[Mutant]:
    document = compiled(part)
    facts = {fact.name: fact for fact in document.facts}
    found, more = mutants_of(document.goals[0].criteria[0], facts)
    assert more == 0
    return found


def after(mutant: Mutant) -> str | None:
    return None if mutant.after is None else write_expression(mutant.after)


@pytest.mark.row("X05")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["check"])
def test_the_mutants_of_a_predicate(case: dict[str, Any]) -> None:
    found = [after(mutant) for mutant in mutants(f'criterion c "c" check {case["check"]}')]
    if "gives" in case:
        assert sorted(map(str, found)) == sorted(case["gives"])
    else:
        assert found and [text for text in case["lacks"] if text in found] == []


def test_clauses_are_left_out() -> None:
    found = mutants('criterion c "c" when ok given idle check n > 0')
    assert [(m.clause, m.what, after(m)) for m in found] == [
        ("when", "`when` is left out", None),
        ("when", "`ok` is negated", "not ok"),
        ("given", "`given` is left out", None),
        ("given", "`idle` is negated", "not idle"),
        ("check", "`0` becomes `1`", "n > 1"),
    ]
    assert found[0].condition.when is None and found[0].condition.given is not None
    assert found[2].condition.given is None and found[2].condition.when is not None


def test_a_part_that_a_judge_decides_has_none() -> None:
    assert mutants('criterion c "c"') == []


def test_names_of_let_around_a_change_are_written_out() -> None:
    source = (
        f'{FACTS}\ngoal g {{\n  objective "o"\n  let green = ok for 2 runs\n  let idles = idle\n'
        '  criterion c "c" check green and idles\n}\n'
    )
    document = compile_text(source).document
    assert document is not None
    found, _ = mutants_of(document.goals[0].criteria[0], {f.name: f for f in document.facts})
    by_what = {mutant.what: mutant for mutant in found}
    longer = by_what["`2 runs` becomes `3 runs`"]
    assert write_expression(longer.before) == "(ok for 2 runs) and idles"
    assert after(longer) == "(ok for 3 runs) and idles"
    assert write_expression(by_what["`and` becomes `or`"].before) == "green and idles"


def test_the_number_is_bounded_and_what_is_left_out_is_counted() -> None:
    members = ", ".join(f'"m{number}"' for number in range(100))
    document = compiled(f'criterion c "c" check title in [{members}]')
    facts = {fact.name: fact for fact in document.facts}
    found, more = mutants_of(document.goals[0].criteria[0], facts)
    assert (len(found), more) == (MOST, 101 - MOST)
    assert len({mutant.what for mutant in found}) == MOST


# --- all of them are predicates of the language


def shipped() -> Iterator[tuple[Document, Condition]]:
    for path in SPECS:
        document = load(path)
        for goal in document.goals:
            for _, condition in conditions_of(goal):
                yield document, condition


def unnamed(node: Any) -> Any:
    """*node* without the names of `let`."""
    if isinstance(node, ir.Named):
        return unnamed(node.of)
    if isinstance(node, Node):
        return type(node)(**{name: unnamed(getattr(node, name)) for name in node.field_names})
    return tuple(map(unnamed, node)) if isinstance(node, tuple) else node


def test_the_compiler_takes_every_mutant_as_what_it_is() -> None:
    tried = 0
    for document, condition in shipped():
        facts = {fact.name: fact for fact in document.facts}
        changed = [m for m in mutants_of(condition, facts)[0] if m.after is not None]
        if not changed:
            continue
        compilation = compile_text(source_of(document.facts, condition, changed))
        assert [f"{d.code.id} {d.message}" for d in compilation.errors] == []
        assert compilation.document is not None
        read = compilation.document.goals[0].criteria
        for mutant, criterion in zip(changed, read, strict=True):
            assert getattr(criterion, mutant.clause) == unnamed(mutant.after), mutant.what
        tried += len(changed)
    assert tried > 500


def source_of(facts: tuple[Fact, ...], condition: Condition, changed: list[Mutant]) -> str:
    """A goal file with a criterion for each mutant, its other clauses as they are."""
    lines = ["facts {", *(write_fact(fact) for fact in facts), "}", 'goal g {\n  objective "o"']
    for number, mutant in enumerate(changed):
        lines.append(f'  criterion m{number} "m"')
        for clause in ("when", "given", "check"):
            expr = getattr(mutant.condition, clause)
            if expr is not None:
                lines.append(f"    {clause} {write_expression(unnamed(expr))}")
    return "\n".join([*lines, "}"])


def test_each_is_another_predicate_and_differs_from_the_others() -> None:
    for document, condition in shipped():
        facts = {fact.name: fact for fact in document.facts}
        found = mutants_of(condition, facts)[0]
        assert found == mutants_of(condition, facts)[0]
        assert all(mutant.after != mutant.before for mutant in found)
        meanings = [(mutant.clause, mutant.condition) for mutant in found]
        assert len(set(meanings)) == len(meanings)
