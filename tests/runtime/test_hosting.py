"""Checks of the host's own: only True is true, and no trouble of theirs is success."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from goalspec.compiler.ir import expressions as ir
from goalspec.compiler.ir.canonical import plain, read_document, seal, write_document
from goalspec.compiler.ir.document import Criterion, Document, Goal, Retired
from goalspec.runtime import Monitor, Verdict


def goal(check: ir.Expr | None = None) -> Goal:
    criterion = Criterion(id="green", text="CI is green", check=check or ir.HostCheck(name="green"))
    return seal(Goal(id="g", objective="o", criteria=(criterion,), contract=""))


def observed(check: Callable[[Mapping[str, Any]], Any], facts: Mapping[str, Any]) -> Verdict:
    return Monitor(goal(), host_checks={"green": check}).observe(facts)


async def later(facts: Mapping[str, Any]) -> bool:
    return True


def raising(facts: Mapping[str, Any]) -> bool:
    raise OSError("disk full " + "x" * 1_000)


@pytest.mark.ruling(55)
@pytest.mark.parametrize(("answer", "outcome"), [(True, "met"), (False, "unmet")])
def test_a_check_answers_with_a_bool(answer: bool, outcome: str) -> None:
    verdict = observed(lambda facts: facts["ci_green"], {"ci_green": answer})
    assert verdict.criteria[0].outcome == outcome
    assert verdict.to_goal_check()["done"] is answer


@pytest.mark.ruling(55)
@pytest.mark.parametrize(
    ("check", "reason", "words"),
    [
        (lambda facts: None, "missing", "the check returned None"),
        (lambda facts: 1, "invalid", "the check returned int, no bool"),
        (lambda facts: "yes", "invalid", "the check returned str, no bool"),
        (lambda facts: facts["ci"], "error", "KeyError: 'ci'"),
        (raising, "error", "OSError: disk full"),
        (later, "invalid", "the check is async"),
    ],
)
def test_anything_else_is_unknown_and_never_met(check: Any, reason: str, words: str) -> None:
    result = observed(check, {}).criteria[0]
    assert (result.outcome, result.reason) == ("unknown", reason)
    assert words in result.explanation
    assert len(result.explanation) < 300


@pytest.mark.ruling(55)
def test_unbound_it_is_unknown() -> None:
    result = Monitor(goal()).observe({"green": True}).criteria[0]
    assert (result.outcome, result.reason) == ("unknown", "missing")
    assert result.explanation == 'host_check("green") is unknown (the host bound no check to green)'


def test_it_folds_with_other_parts() -> None:
    both = ir.And(items=(ir.HostCheck(name="green"), ir.HostCheck(name="lint")))
    monitor = Monitor(
        goal(both), host_checks={"green": lambda f: f["green"], "lint": lambda f: f["lint"]}
    )
    assert monitor.observe({"green": False}).criteria[0].outcome == "unmet"
    assert monitor.observe({"green": True}).criteria[0].outcome == "unknown"
    assert monitor.observe({"green": True, "lint": True}).criteria[0].outcome == "met"


def test_a_document_keeps_the_name_and_what_was_retired() -> None:
    from dataclasses import replace

    retired = replace(goal(), retired=(Retired(id="green", text="CI is green"),))
    text = write_document(Document(goals=(retired,)))
    assert read_document(text).goals == (retired,)
    assert plain(retired)["criteria"][0]["check"] == {"kind": "host_check", "name": "green"}
    assert seal(retired).contract == goal().contract  # what is no longer owed is not in the hash
