"""A goal as one Python module that needs nothing but the standard library of Python 3.11 or newer.

The module answers as goalspec's own runtime does, explanations included, because it is made of it:
the predicates' code that the runtime would compile, and the engine's source below it.

    from fix_flaky_login import Monitor, check

    verdict = check({"suite": {"passed": True}})         # one observation
    print(verdict.done, verdict.to_goal_check())

    monitor = Monitor()                                  # or several, for streaks and holds
    for facts in observations:
        verdict = monitor.observe(facts, at="2026-03-01T10:00Z")
    for result in verdict.criteria:
        print(result.id, result.outcome, result.explanation)

`python fix_flaky_login.py --facts facts.jsonl [--json]` checks a file of facts, and exits as
`goalspec check` does; absolute paths are accepted below `--root`, since a module knows no project.
`GoalFacts` is a TypedDict of what a host may give; `GOAL` and `CONTRACT` are the goal's id and its
contract's hash.
"""

from __future__ import annotations

import ast
import keyword
import sys
from collections.abc import Iterable
from typing import Any

from ..codegen import predicate_code, program_of
from ..codegen.pieces import Site
from ..codegen.wordings import wording
from ..ir.document import Document, Goal
from ..ir.expressions import Expr
from ..ir.text import write_expression
from ..ir.types import Type
from .fact_types import fact_types
from .linking import check_names, defined, link
from .spelling import Reference, inline, spell
from .target import Artifact, Refusal, Request, Target, stamp_line

# What every module has, whatever its goal.
_ROOTS = (
    ("runtime.engine", "Engine"),
    ("runtime.engine", "HostCheck"),
    ("runtime.engine", "RefusedObservation"),
    ("runtime.facts", "BadFacts"),
    ("runtime.standalone", "run"),
    ("runtime.verdict", "Verdict"),
)
# The IR's own definitions mark the union for the library that reads its JSON.
_GIVEN = {
    "Type": "Type: TypeAlias = (\n"
    '    "ScalarType | MoneyType | EnumType | ListType | SetType | MapType | RecordType"\n'
    '    " | OptionalType"\n)',
    "AnyType": "AnyType: TypeAlias = Type",
}
_IMPORTED = {
    name: ("typing", name) for name in ("Any", "Literal", "NotRequired", "TypeAlias", "TypedDict")
} | {
    "Decimal": ("decimal", "Decimal"),
    "sys": ("sys", ""),
    "Mapping": ("collections.abc", "Mapping"),
}
# Where the names that predicates and the program use are defined.
_MODULES = (
    "compiler.kernel",
    "compiler.folding",
    "compiler.patterns",
    "compiler.program",
    "compiler.ir.types",
)

# What the standard library has in one at least of Python 3.11 to 3.14, whichever runs here.
_STANDARD = {name for name in sys.stdlib_module_names if not name.startswith("_")} | {
    "aifc", "annotationlib", "asynchat", "asyncore", "audioop", "cgi", "cgitb", "chunk",
    "compression", "crypt", "distutils", "imghdr", "imp", "lib2to3", "mailcap", "msilib", "nis",
    "nntplib", "ossaudiodev", "pipes", "smtpd", "sndhdr", "spwd", "sunau", "telnetlib", "uu",
    "xdrlib",
}  # fmt: skip

_LAYOUT = '''"""{objective}

{stamp}

What stands between the two lines of dashes is goalspec's engine; below it are the facts, the goal,
and what a host calls: `check` and `Monitor`. Do not edit: compile the goal file again.
"""
# fmt: off
# ruff: noqa
# pylint: skip-file
from __future__ import annotations

{imports}

# ------------------------------------------------------------------------------------- the engine


{engine}


# -------------------------------------------------------------------------------------- the facts

{types}

# --------------------------------------------------------------------------------------- the goal

GOAL = {goal!r}
CONTRACT = {contract!r}

{code}

PROGRAM = {program}


class Monitor(Engine):
    """Checks the goal over a series of observations; `observe` gives a Verdict for each.

    *baseline* holds the values of `at baseline`; below *root*, an absolute path, absolute paths are
    accepted; *host_checks* are the host's own checks by name.
    """

    def __init__(
        self,
        baseline: GoalFacts | None = None,
        root: str | None = None,
        host_checks: Mapping[str, HostCheck] | None = None,
    ) -> None:
        super().__init__(PROGRAM, baseline, root, host_checks)


def check(
    facts: GoalFacts,
    at: str | None = None,
    baseline: GoalFacts | None = None,
    root: str | None = None,
    host_checks: Mapping[str, HostCheck] | None = None,
) -> Verdict:
    """What one observation shows of the goal; *at* is its time (RFC 3339), the rest as for Monitor.

    Raises BadFacts where a fact is there twice, dotted and nested.
    """
    return Monitor(baseline, root, host_checks).observe(facts, at=at)


__all__ = [
    "CONTRACT", "GOAL", "BadFacts", "GoalFacts", "Monitor", "RefusedObservation", "Verdict",
    "check",
]

if __name__ == "__main__":
    sys.exit(run(PROGRAM))
'''


def artifacts(request: Request) -> Iterable[Artifact]:
    for goal in request.document.goals:
        yield Artifact(f"{module_name(goal)}.py", _module(goal, request.document))


def module_name(goal: Goal) -> str:
    """The name by which a host imports the module."""
    name = goal.id.replace("-", "_")
    if keyword.iskeyword(name):
        raise Refusal(f"the goal `{goal.id}` has the name of a word of Python's; rename the goal")
    if name in _STANDARD:  # run as a script, the module would import itself
        raise Refusal(
            f"the goal `{goal.id}` has the name of a module of Python's standard library; "
            "rename the goal"
        )
    return name


def _module(goal: Goal, document: Document) -> str:
    writer = _Writer({fact.name: fact.type for fact in goal.facts})
    program = _in_ascii(spell(program_of(goal, document.facts, writer.predicate)))
    writer.write_wordings()
    code = _in_ascii("\n\n".join(writer.statements))
    types = _in_ascii(
        fact_types({fact.name: fact for fact in (*document.facts, *goal.facts)}.values())
    )
    linked = link([*_ROOTS, *_used(f"{code}\n{program}")], _GIVEN, _IMPORTED)
    text = _LAYOUT.format(
        stamp=stamp_line(goal, TARGET.name), objective=inline(goal.objective),
        imports=linked.imports, engine=linked.text, types=types, goal=goal.id,
        contract=goal.contract, code=code, program=program,
    )  # fmt: skip
    check_names(text)
    return text


class _Writer:
    """The predicates of one goal as statements; each is written once, whoever asks for it."""

    def __init__(self, types: dict[str, Type]) -> None:
        self.types = types
        self.statements: list[str] = []
        self.waiting: list[tuple[int, tuple[Site, ...]]] = []
        self.written: dict[Expr, Reference] = {}

    def predicate(self, expr: Expr) -> Any:
        """The name of the predicate *expr*."""
        if expr not in self.written:
            number = len(self.written)
            self.written[expr] = Reference(f"PREDICATE_{number}")
            code = predicate_code(expr, self.types, f"_{number}")
            module = ast.fix_missing_locations(ast.Module(code.statements, []))
            self.statements.append(
                f"# {inline(write_expression(expr))}\n{ast.unparse(module)}\n\n"
                f"PREDICATE_{number} = Predicate(decide=decide_{number}, explain=explain_{number}, "
                f"wordings=lambda: wordings_{number}())"
            )
            self.waiting.append((number, code.sites))
        return self.written[expr]

    def write_wordings(self) -> None:
        """What explanations say; it may need further predicates."""
        while self.waiting:
            number, sites = self.waiting.pop(0)
            said = tuple(wording(site, lambda expr, _: self.predicate(expr)) for site in sites)
            body = spell(said, 4, len("return "))
            self.statements.append(
                f"def wordings_{number}() -> tuple[Wording, ...]:\n    return {body}"
            )


def _used(source: str) -> list[tuple[str, str]]:
    """The definitions that *source* needs."""
    names = (node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name))
    return defined(names, _MODULES)


def _in_ascii(source: str) -> str:
    """*source* with escapes for all else: which characters `repr` leaves as they are depends on the
    version of Python."""
    return source.encode("ascii", "backslashreplace").decode()


TARGET = Target(
    name="python",
    summary="A module that checks the goal, with Python's standard library alone.",
    writes=("GOAL.py",),
    artifacts=artifacts,
)
