"""The pipeline: files to a document, with every diagnostic of the way.

A Compiler holds what a run over many files shares. Compiling never raises for what a file says;
what cannot be compiled has diagnostics and no document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..grammar import syntax as s
from ..grammar.diagnostics import Diagnostic, Severity
from ..grammar.source import Span
from . import codes
from .context import Names, Report
from .expectations import lower_test
from .goals import Parts, lower_parts
from .ir import document as ir
from .ir.canonical import seal
from .merge import Merge
from .origins import origin_of
from .reads import facts_read
from .resolve import (
    Declared,
    Loader,
    Unit,
    check_preset_circles,
    check_preset_names,
    names_of,
    presets_for,
    visible_facts,
    visible_presets,
)
from .spec_error import SpecError


@dataclass(frozen=True)
class Compilation:
    """What came out of one file: the document where it has no errors, and all diagnostics, sorted
    by place."""

    document: ir.Document | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.severity is Severity.ERROR)


@dataclass(frozen=True)
class Checked:
    """A file after every check: its tree with what it means, and what was found, sorted by place.

    *goals* have their presets merged and no contract's hash yet; *parts* are what each was merged
    from, its own first.
    """

    unit: Unit
    facts: Mapping[str, Declared]
    goals: Mapping[str, ir.Goal]
    parts: Mapping[str, Sequence[Parts]]
    tests: tuple[ir.Test, ...]
    found: tuple[Diagnostic, ...]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.found if d.severity is Severity.ERROR)

    @property
    def has_errors(self) -> bool:
        return bool(self.errors)


def check(unit: Unit) -> Checked:
    """Check the goals and tests of *unit*, whose declarations its loader has checked."""
    report = Report(unit.source, [d for part in unit.reach() for d in part.found])
    facts = visible_facts(unit, Report(unit.source, []))
    names = names_of(unit, facts)
    parts: dict[str, Sequence[Parts]] = {}
    goals: dict[str, ir.Goal] = {}
    for merge in _merges(unit, names, report):
        goals[merge.own.name] = merge.run()
        parts[merge.own.name] = merge.all
    tests = _lower_tests(unit, goals, names, report)
    if not any(d.severity is Severity.ERROR for d in report.found):
        _check_unused(unit, facts, goals, report)
    return Checked(unit, facts, goals, parts, tests, _in_order(report.found))


class Compiler:
    """Compiles files of one project; a file that several use is read once."""

    def __init__(self, root: Path | None = None) -> None:
        self._loader = Loader(root)

    def compile_file(self, path: Path, name: str | None = None) -> Compilation:
        """Compile the file at *path*, called *name* in messages. Raises OSError."""
        return self._compile(self._loader.load(path, name))

    def compile_bytes(self, data: bytes, name: str, path: Path | None = None) -> Compilation:
        """Compile *data* as if it stood at *path* (which places its `use`)."""
        return self._compile(self._loader.load_text(data, name, path))

    def check_file(self, path: Path, name: str | None = None) -> Checked:
        """What `compile_file` finds, without a document. Raises OSError."""
        return check(self._loader.load(path, name))

    def check_bytes(self, data: bytes, name: str, path: Path | None = None) -> Checked:
        """What `compile_bytes` finds, without a document."""
        return check(self._loader.load_text(data, name, path))

    def _compile(self, unit: Unit) -> Compilation:
        checked = check(unit)
        document = None if checked.has_errors else self.document_of(checked)
        return Compilation(document, checked.found)

    def document_of(self, checked: Checked) -> ir.Document:
        """The document of a file that was checked last, and has no errors."""
        return ir.Document(
            facts=tuple(declared.fact for _, declared in sorted(checked.facts.items())),
            goals=tuple(seal(goal) for goal in checked.goals.values()),
            tests=checked.tests,
            source=origin_of(checked.unit, checked.facts, checked.parts, self._loader.root),
        )


def _merges(unit: Unit, names: Names, report: Report) -> Iterator[Merge]:
    """The goals of *unit*, each lowered and ready to be joined with its presets."""
    presets = visible_presets(unit, report)
    seen: dict[str, Span] = {}
    if "presets" not in names.lost:
        check_preset_names(unit.presets, presets, report.found)
    check_preset_circles(unit.presets, report.found)
    for node in unit.parsed.file.statements:
        if not isinstance(node, s.Goal):
            continue
        first = seen.setdefault(node.id.text, node.id.span)
        if first != node.id.span:
            report.twice(f"the goal `{node.id.text}`", node.id.span, first)
            continue
        own = lower_parts(node, names, report)
        taken = presets_for(own.presets, presets, report, names.lost)
        facts = _facts_of(unit, names, taken)
        yield Merge(node, own, taken, facts, report, names.lost)


def _facts_of(unit: Unit, names: Names, presets: list[Parts]) -> dict[str, ir.Fact]:
    facts = dict(names.declared)
    sources = {id(preset.source) for preset in presets}
    for part in unit.reach():
        if id(part.source) in sources:
            for name, declared in visible_facts(part, Report(part.source, [])).items():
                facts.setdefault(name, declared.fact)
    return facts


def _lower_tests(
    unit: Unit, goals: dict[str, ir.Goal], names: Names, report: Report
) -> tuple[ir.Test, ...]:
    facts = dict(names.declared)
    tests = (
        lower_test(node, goals, facts, report, names.lost)
        for node in unit.parsed.file.statements
        if isinstance(node, s.Test)
    )
    return tuple(test for test in tests if test is not None)


def _check_unused(
    unit: Unit, facts: dict[str, Declared], goals: dict[str, ir.Goal], report: Report
) -> None:
    """Facts of this file that nothing in it reads; a file of facts alone is for others."""
    if not goals:
        return
    read = {fact.name for goal in goals.values() for fact in goal.facts}
    for parts in unit.presets.values():
        for kept in parts.conditions.values():
            for condition, _ in kept:
                for expr in (condition.when, condition.given, condition.check):
                    read |= facts_read(expr) if expr is not None else set()
    for name, declared in unit.facts.items():
        if name not in read:
            report(
                codes.UNUSED_FACT, declared.span, f"no predicate reads the fact `{name}`",
                "check it in a criterion, or delete it",
            )  # fmt: skip


def _in_order(found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    unique = {d.sort_key: d for d in found}
    return tuple(sorted(unique.values(), key=lambda d: d.sort_key))


def compile(path: Path | str) -> Compilation:
    """Compile the `.goal` file at *path*; never raises for what it says. Raises OSError."""
    return Compiler().compile_file(Path(path))


def compile_text(text: str, name: str = "text.goal", path: Path | None = None) -> Compilation:
    """Compile one text; *path* is where it would stand, for `use`."""
    return Compiler().compile_bytes(text.encode("utf-8", "surrogatepass"), name, path)


def load(path: Path | str) -> ir.Document:
    """The document of a `.goal` file. Raises SpecError with all diagnostics, or OSError."""
    compilation = Compiler().compile_file(Path(path))
    if compilation.document is None:
        raise SpecError(compilation.errors)
    return compilation.document
