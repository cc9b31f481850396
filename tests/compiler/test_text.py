"""The IR written back in the language means what it meant: what is read again is the same IR."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec import Document, compile_text, load
from goalspec.compiler.ir.document import Condition, Goal
from goalspec.compiler.ir.text import lets_of, write_expression, write_fact

SPECS = Path(__file__).resolve().parents[2] / "specs"
FILES = sorted(SPECS.rglob("*.goal"))
ODD = """\
facts {
  a.note   : string max 50 lasting "what \\"users\\" read"
  a.took   : duration as ms in 0s..5m
  a.cost   : money USD?
  a.alert  : ("low" < "high")?
  a.checks : map max 9 of "ok" | "bro\\nken"
  a.runs   : (list max 200 of { start: time, passed: bool?, took: (set of path)? } by start)?
  a.deep   : list max 20 of list max 20 of { n: int, s: size as KB } by n
  a.b      : bool
  a.exit   : int in -1.. from run "npm test" in "web" timeout 10m at "exit"
}

goal g {
  objective "x"
  let deep = a.b and not a.b
  let both = deep or a.b
  criterion c "y"
    when both for 2 runs
    given (a.b and (a.b or not a.b)) for 10m every 2m
    check none r in a.deep: any q in r: q.n - (1 - q.n) > -2 * (q.n + 1)
  criterion d "y" check count(r in a.deep where (not (any q in r: q.n > 1))) == 1
  criterion e "y" check a.took fresh 10m > (a.took at start ?? 5m)
  criterion f "y" check a.checks["ok"] == "ok" and a.note like ["*a*", "b"]
  criterion h "y" check a.cost == null or a.alert == "low" or a.runs == null or a.exit in ..0
}
"""


def written(goal: Goal, condition: Condition) -> str:
    """A goal that says *condition* alone, in a file of its own."""
    clauses = {name: getattr(condition, name) for name in ("when", "given", "check")}
    said = {name: expr for name, expr in clauses.items() if expr is not None}
    lets = {name: of for expr in said.values() for name, of in lets_of(expr).items()}
    lines = ["facts {", *(f"  {write_fact(fact)}" for fact in goal.facts), "}"]
    lines += ["goal g {", '  objective "x"']
    lines += [f"  let {name} = {write_expression(of)}" for name, of in lets.items()]
    lines += [f'  criterion {condition.id} "y"']
    lines += [f"    {name} {write_expression(expr)}" for name, expr in said.items()]
    return "\n".join([*lines, "}", ""])


def agree(document: Document) -> int:
    """Hold each condition with a check against what it was written as; how many there were."""
    compared = 0
    for goal in document.goals:
        facts = {fact.name: fact for fact in goal.facts}
        for condition in (*goal.criteria, *goal.constraints, *goal.stops):
            if condition.check is None:
                continue
            text = written(goal, condition)
            again = compile_text(text)
            assert again.document is not None, text + str(again.errors)
            [other] = again.document.goals[0].criteria
            assert (other.when, other.given, other.check) == (
                condition.when, condition.given, condition.check,
            ), text  # fmt: skip
            assert [facts[fact.name] for fact in again.document.goals[0].facts] == [
                *again.document.goals[0].facts
            ]
            compared += 1
    return compared


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SPECS).as_posix())
def test_shipped_files(path: Path) -> None:
    compared = agree(load(path))
    assert compared > 0 or "packs" in path.parts


def test_odd_forms() -> None:
    compilation = compile_text(ODD)
    assert compilation.document is not None, compilation.errors
    assert agree(compilation.document) == 5
