"""Four evaluators agree on random goals and histories: the reference interpreter, the runtime, the
generated Python module and the generated JavaScript module.

The last three give whole verdicts, with reasons, notes and explanations word for word; the
reference gives outcomes. A bounded run with fixed seeds, one Node process a batch. A disagreement
of JavaScript is cut down to one small predicate and few observations, and printed as the IR's JSON
and the observations; `tests/reference` cuts down one of the reference.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from goalspec.compiler.ir.canonical import plain
from goalspec.compiler.ir.document import Document, Goal
from goalspec.compiler.targets.javascript import TARGET
from goalspec.compiler.targets.target import Request
from goalspec.runtime import BadFacts, Monitor, RefusedObservation
from goalspec.runtime.facts import parse_json
from goalspec.tests.compiler.targets.javascript.node import HERE, as_json, run
from goalspec.tests.compiler.targets.test_python import imported, source
from goalspec.tests.reference.generate import FACTS, Predicates, Report, baseline, history
from goalspec.tests.reference.test_agreement import Disagreement, goal_of, smaller
from goalspec.tests.reference.test_agreement import expected as reference

PAIRS = 125_000  # more than 100,000 with a history that the reference interpreter reads
BATCHES = 5
PREDICATES = 50  # of one goal
HISTORIES = 10  # of each goal, to spread the cost of making and loading its modules


class Case(NamedTuple):
    """A goal in a module, and the history that it is tried on."""

    goal: Goal
    module: Path
    reports: Sequence[Report]
    base: Mapping[str, Any] | None

    def question(self) -> dict[str, Any]:
        """What observe.mjs is asked."""
        reports = [{**r._asdict(), "facts": as_json(r.facts)} for r in self.reports]
        base = None if self.base is None else as_json(self.base)
        return {"module": str(self.module), "baseline": base, "reports": reports}


def roughened(reports: Sequence[Report], rng: Random) -> list[Report]:
    """The reports as hosts send them: keys nested, misspelt, there twice; records with a field more
    than is declared."""
    return [report._replace(facts=_rough(report.facts, rng)) for report in reports]


def _rough(facts: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in facts.items():
        prefix, dot, last = name.partition(".")
        if isinstance(value, list) and rng.random() < 0.1:
            value = [
                {**item, "nane": 1, "n.": 2} if isinstance(item, dict) else item for item in value
            ]
        if dot and rng.random() < 0.3 and isinstance(made.setdefault(prefix, {}), dict):
            made[prefix][last] = value
        else:
            made[name] = value
        if rng.random() < 0.01:
            made[name.replace("s", "", 1) if rng.random() < 0.5 else f"{name}s"] = value
    if rng.random() < 0.03 and "suite.passed" in made:
        made["suite"] = {"passed": True}
    return made


def written(goal: Goal, folder: Path, name: str) -> Path:
    """The goal's module in a file."""
    document = Document(facts=FACTS, goals=(goal,))
    [text] = [a.text for a in TARGET.artifacts(Request(document, "g")) if a.name.endswith(".mjs")]
    path = folder / f"{name}.mjs"
    path.write_text(text, "utf-8")
    return path


def expected(case: Case) -> dict[str, Any]:
    """What the runtime shows, as observe.mjs prints it."""
    question = case.question()
    base = None if case.base is None else parse_json(question["baseline"])
    monitor = Monitor(case.goal, baseline=base)
    notes = [{"kind": n.kind, "fact": n.fact, "message": n.message} for n in monitor.baseline_notes]
    shown = [
        observed(monitor, parse_json(told["facts"]), report)
        for told, report in zip(question["reports"], case.reports, strict=True)
    ]
    return {"shown": shown, "notes": notes}


def observed(
    monitor: Any, facts: Any, report: Report, errors: Any = (BadFacts, RefusedObservation)
) -> dict[str, Any]:
    try:
        verdict = monitor.observe(facts, at=report.at, id=report.id, rev=report.rev)
    except errors as error:
        return {"error": type(error).__name__, "message": str(error)}
    check = verdict.to_goal_check()
    return {**verdict.to_json(), "goal_check": check, "exit_code": verdict.exit_code}


def of_python(case: Case, module: ModuleType) -> dict[str, Any]:
    """What the generated Python module shows."""
    question = case.question()
    base = None if case.base is None else module.parse_json(question["baseline"])
    monitor = module.Monitor(base)
    notes = [{"kind": n.kind, "fact": n.fact, "message": n.message} for n in monitor.baseline_notes]
    errors = (module.BadFacts, module.RefusedObservation)
    shown = [
        observed(monitor, module.parse_json(told["facts"]), report, errors)
        for told, report in zip(question["reports"], case.reports, strict=True)
    ]
    return {"shown": shown, "notes": notes}


def check_reference(case: Case, wanted: Mapping[str, Any]) -> None:
    """Hold the runtime's outcomes to those of the reference interpreter."""
    words = reference(case.goal, case.reports, case.base)
    for outcomes, shown in zip(words, wanted["shown"], strict=True):
        for criterion, outcome in zip(case.goal.criteria, outcomes, strict=True):
            assert criterion.id in shown[outcome.word], (plain(criterion.check), outcome)
            assert (criterion.id in shown["reasons"]) == (outcome.reason is not None)


def differing(cases: Sequence[Case]) -> Iterator[tuple[Case, Any, Any]]:
    """Those on which the two differ, with what each shows."""
    answers = run(HERE / "observe.mjs", (case.question() for case in cases))
    for case, answer in zip(cases, answers, strict=True):
        wanted = expected(case)
        if answer != wanted:
            yield case, wanted, answer


def cut_down(case: Case, folder: Path) -> tuple[Case, Any, Any]:
    """A small case on which the two differ: of one predicate if one alone will do, then with less
    of it and of the history, as long as that helps."""
    checks = [criterion.check for criterion in case.goal.criteria if criterion.check is not None]
    candidates = [Disagreement(check, case.reports, case.base) for check in checks]
    found = next(differing([case]))
    for round_ in range(60):
        cases = [as_case(c, folder, f"cut{round_}_{n}") for n, c in enumerate(candidates)]
        better = next(differing([c for c in cases if c is not None]), None)
        if better is None:
            return found
        found = better
        [criterion] = found[0].goal.criteria
        assert criterion.check is not None
        candidates = [*smaller(Disagreement(criterion.check, found[0].reports, found[0].base))]
    return found


def as_case(candidate: Disagreement, folder: Path, name: str) -> Case | None:
    try:
        goal = goal_of([candidate.predicate])
        return Case(goal, written(goal, folder, name), candidate.reports, candidate.base)
    except Exception:  # a part that is no predicate by itself
        return None


def report_of(case: Case, wanted: Any, answer: Any) -> str:
    lines = [""]
    lines += [json.dumps(plain(criterion.check)) for criterion in case.goal.criteria]
    lines.append(f"baseline {case.base}")
    for report, want, got in zip(case.reports, wanted["shown"], answer["shown"], strict=True):
        lines.append(str(report))
        lines += [
            f"    {key}\n        runtime    {want.get(key)}\n        javascript {got.get(key)}"
            for key in {**want, **got}
            if want.get(key) != got.get(key)
        ]
    return "\n".join(lines)


@pytest.mark.row("D6", "X02", "X03")
@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_goals_and_histories_agree(batch: int, tmp_path: Path) -> None:
    rng = Random(f"javascript {batch}")
    cases: list[Case] = []
    python: list[ModuleType] = []  # of each case
    smooth: list[bool] = []  # is its history one that the reference reads?
    pairs = 0
    while pairs < PAIRS // BATCHES:
        goal = goal_of([Predicates(rng).top() for _ in range(PREDICATES)])
        module = written(goal, tmp_path, f"goal{len(cases)}")
        emitted = imported(source(Document(facts=FACTS, goals=(goal,))), f"python{len(cases)}")
        for _ in range(HISTORIES):
            reports = history(rng)
            smooth.append(rng.random() < 0.85)
            if not smooth[-1]:
                reports = roughened(reports, rng)
            cases.append(Case(goal, module, reports, baseline(rng)))
            python.append(emitted)
            pairs += PREDICATES * len(cases[-1].reports)
    answers = run(HERE / "observe.mjs", (case.question() for case in cases))
    for case, emitted, whole, answer in zip(cases, python, smooth, answers, strict=True):
        wanted = expected(case)
        if whole:
            check_reference(case, wanted)
        assert of_python(case, emitted) == wanted
        if answer != wanted:
            pytest.fail(report_of(*cut_down(case, tmp_path)), pytrace=False)
