"""A goal as one ES module that needs nothing but Node 18 or newer, or a browser, with the types of
its facts for hosts written in TypeScript.

The module answers as goalspec's own runtime does, explanations included: its predicates are those
that the runtime would compile, printed as JavaScript, and below them stands as much of goalspec's
JavaScript library as they need.

    import { Monitor, check } from "./fix-flaky-login.mjs";

    let verdict = check({ suite: { passed: true } });       // one observation
    console.log(verdict.done, verdict.toGoalCheck());

    const monitor = new Monitor();                          // or several, for streaks and holds
    for (const { facts, at } of observations) {
      const { criteria } = monitor.observe(facts, { at });
      for (const { id, outcome, explanation } of criteria) console.log(id, outcome, explanation);
    }

Numbers are exact: whole numbers are BigInt inside, others decimals. A text is read as JSON without
the loss that `JSON.parse` has, and `parse` does the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...codegen import predicate_code, program_of
from ...codegen.wordings import wording
from ...ir.document import Document, Goal
from ...ir.expressions import Expr
from ...ir.text import write_expression
from ...ir.types import Type
from ..spelling import Reference, inline
from ..target import Artifact, Request, Target, stamp_line
from .declarations import declarations
from .library import library, link, names_in
from .printer import print_statement
from .spelling import Speller, spell_text

_ROOTS = ("BadFacts", "Engine", "RefusedObservation", "Verdict", "parse")

_LAYOUT = """\
// {objective}
//
// {stamp}
//
// What stands first is goalspec's library; below the line of dashes are the goal, and what a host
// calls: `check` and `Monitor`. Do not edit: compile the goal file again.

{library}

// --------------------------------------------------------------------------------------- the goal

export const GOAL = {goal};
export const CONTRACT = {contract};

{code}

const PROGRAM = {program};

/** Checks the goal over a series of observations; `observe` gives a Verdict for each. */
export class Monitor extends Engine {{
  constructor(options = {{}}) {{
    super(PROGRAM, options);
  }}
}}

/** What one observation shows of the goal. */
export function check(facts, options = {{}}) {{
  return new Monitor(options).observe(facts, options);
}}

export {{ BadFacts, RefusedObservation, Verdict, parse }};
"""


def artifacts(request: Request) -> Iterable[Artifact]:
    for goal in request.document.goals:
        facts = {fact.name: fact for fact in (*request.document.facts, *goal.facts)}
        yield Artifact(f"{goal.id}.mjs", _module(goal, request.document))
        types = declarations(goal, facts.values(), stamp_line(goal, TARGET.name))
        yield Artifact(f"{goal.id}.d.mts", types)


def _module(goal: Goal, document: Document) -> str:
    writer = _Writer({fact.name: fact.type for fact in goal.facts})
    program = writer.speller.spell(program_of(goal, document.facts, writer.predicate))
    code = "\n\n".join(writer.statements)
    used = names_in(f"{code}\n{program}") & library().keys()
    return _LAYOUT.format(
        objective=inline(goal.objective),
        stamp=stamp_line(goal, TARGET.name),
        library=link([*_ROOTS, *used]),
        goal=spell_text(goal.id),
        contract=spell_text(goal.contract),
        code=code,
        program=program,
    )


class _Writer:
    """The predicates and the types of one goal as statements; each is written once, whoever asks
    for it, and after what it refers to."""

    def __init__(self, types: dict[str, Type]) -> None:
        self.types = types
        self.statements: list[str] = []
        self.speller = Speller(self.statements)
        self.predicates: dict[Expr, Reference] = {}

    def predicate(self, expr: Expr) -> Any:
        """The name of the predicate *expr*."""
        if expr not in self.predicates:
            number = len(self.predicates)
            self.predicates[expr] = Reference(f"PREDICATE_{number}")
            code = predicate_code(expr, self.types, f"_{number}")
            said = tuple(wording(site, lambda expr, _: self.predicate(expr)) for site in code.sites)
            wordings = self.speller.spell(said, 2, len("wordings: "))
            self.statements.append(
                f"// {inline(write_expression(expr))}\n"
                + "\n".join(map(print_statement, code.statements))
                + f"\n\nconst PREDICATE_{number} = {{\n"
                f"  decide: decide_{number},\n  explain: explain_{number},\n"
                f"  wordings: {wordings},\n}};"
            )
        return self.predicates[expr]


TARGET = Target(
    name="javascript",
    summary="an ES module of checks that needs no dependency, with types for TypeScript",
    writes=("GOAL.mjs", "GOAL.d.mts"),
    artifacts=artifacts,
)
