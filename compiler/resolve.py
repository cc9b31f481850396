"""Files and the names they share: `use`, the facts and presets that it brings, and their clashes.

A Loader reads each file once and keeps what it declares, so that a run over a whole repository
parses a shared pack a single time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..grammar import syntax as s
from ..grammar.codes import ENCODING
from ..grammar.diagnostics import Diagnostic, Label, nearest
from ..grammar.parser import Parsed, parse_bytes
from ..grammar.recovery import EVERYTHING
from ..grammar.source import Source, Span
from . import codes
from .context import Lowered, Names, Report, Spent, is_free
from .declare import declare, text_of
from .goals import Parts, lower_parts
from .ir.document import Fact
from .lower import Lowering
from .project import display_path, find_root, is_pack, pack_path, packs

MAX_FILES = 1_000
MAX_BYTES = 16 * 2**20


@dataclass
class Declared:
    """A fact as one file declares it."""

    fact: Fact
    source: Source
    span: Span


@dataclass
class Unit:
    """One file: its tree, and what it declares and uses."""

    path: Path | None
    name: str
    sha256: str
    parsed: Parsed
    found: list[Diagnostic] = field(default_factory=list)
    facts: dict[str, Declared] = field(default_factory=dict)
    lets: dict[str, Lowered | None] = field(default_factory=dict)
    presets: dict[str, Parts] = field(default_factory=dict)
    uses: list[tuple[s.Use, Unit]] = field(default_factory=list)
    lowered: dict[int, Lowered] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)

    @property
    def source(self) -> Source:
        return self.parsed.file.source

    def reach(self) -> list[Unit]:
        """This file and all that it uses, each once, itself first."""
        seen: dict[int, Unit] = {}
        stack = [self]
        while stack:
            unit = stack.pop()
            if id(unit) not in seen:
                seen[id(unit)] = unit
                stack.extend(used for _, used in reversed(unit.uses))
        return list(seen.values())

    def lost(self) -> frozenset[str]:
        """The kinds of names that may be missing because errors in a file in reach hide them."""
        kinds: set[str] = set()
        for unit in self.reach():
            kinds |= unit.parsed.file.lost
            for diagnostic in unit.found:
                kinds |= _HIDING.get(diagnostic.code, frozenset())
        return frozenset(kinds)


_HIDING = {
    **dict.fromkeys(
        (codes.USE_NOT_FOUND, codes.USE_OUTSIDE, codes.CIRCLE, codes.IMPORT_LIMIT),
        frozenset({"facts", "presets"}),
    ),
    codes.UNKNOWN_WORD: frozenset({"facts"}),
    codes.BAD_TYPE: frozenset({"facts"}),
    codes.LET_PLACE: frozenset({"lets"}),
    ENCODING: EVERYTHING,
}


class Loader:
    """Reads files and what they use, for one project."""

    def __init__(self, root: Path | None = None) -> None:
        self._given_root = root.resolve() if root is not None else None
        self.root = self._given_root or Path.cwd()
        self._units: dict[Path, Unit] = {}  # what was used; a file that is only linted is let go
        self._roots: dict[Path, Path] = {}
        self._open: list[Path] = []
        self._files = 0
        self._bytes = 0

    def load(self, path: Path, name: str | None = None) -> Unit:
        """The unit of the file at *path*. Raises OSError."""
        try:
            resolved = path.resolve()
        except RuntimeError as error:  # a link to itself, before Python 3.13
            raise OSError(str(error)) from None
        self._enter(resolved)
        known = self._units.get(resolved)
        if known is not None and name in (None, known.name):
            return known
        return self._make(resolved, resolved.read_bytes(), name or str(path))

    def load_text(self, data: bytes, name: str, path: Path | None) -> Unit:
        """The unit of *data*, which stands for the file *path* (standard input)."""
        resolved = path.resolve() if path is not None else None
        self._enter(resolved)
        return self._make(resolved, data, name)

    def _enter(self, path: Path | None) -> None:
        """Begin with the file at *path*: its project's root and the limits on what it uses."""
        self._files = self._bytes = 0
        folder = path.parent if path is not None else Path.cwd()
        self.root = self._given_root or self._root_of(folder)

    def _root_of(self, folder: Path) -> Path:
        if folder not in self._roots:
            self._roots[folder] = find_root(folder)
        return self._roots[folder]

    def _unit(self, path: Path, data: bytes, name: str) -> Unit:
        if path not in self._units:
            self._units[path] = self._make(path, data, name)
        return self._units[path]

    def _make(self, path: Path | None, data: bytes, name: str) -> Unit:
        unit = Unit(path, name, hashlib.sha256(data).hexdigest(), parse_bytes(data, name))
        unit.found += unit.parsed.diagnostics
        if path is not None:
            self._open.append(path)
        try:
            _Declarations(unit, self).run()
        finally:
            if path is not None:
                self._open.pop()
        return unit

    # --- use

    def used(self, unit: Unit, node: s.Use, report: Report) -> Unit | None:
        """The unit that *node* names; None, with a report, where it cannot be had."""
        text = text_of(node.target, report)
        if text is None:
            return None
        path = self._pack(node, text, report) if node.std else self._file(unit, node, text, report)
        if path is None:
            return None
        if path in self._open:
            self._circle(node, path, report)
            return None
        if path in self._units:
            return self._units[path]
        return self._read(node, path, text, report)

    def _pack(self, node: s.Use, name: str, report: Report) -> Path | None:
        path = pack_path(name)
        if path is None:
            near = nearest(name, packs())
            hint = f"did you mean `{near}`? " if near else ""
            report(
                codes.USE_NOT_FOUND, node.target.span, f"no pack `{name}` ships with goalspec",
                f"{hint}there are {', '.join(packs())}",
            )  # fmt: skip
        return path

    def _file(self, unit: Unit, node: s.Use, text: str, report: Report) -> Path | None:
        span = node.target.span
        base = unit.path.parent if unit.path is not None else Path.cwd()
        if unit.path is not None and is_pack(unit.path):
            report(codes.USE_OUTSIDE, span, "a pack uses packs only", 'write `use std "…"`')
            return None
        try:
            target = (base / text).resolve()
        except (OSError, ValueError, RuntimeError):
            report(codes.USE_NOT_FOUND, span, f"`{text}` is no path")
            return None
        if Path(text).is_absolute() or not target.is_relative_to(self.root):
            report(
                codes.USE_OUTSIDE, span, f"`{text}` leads out of the project",
                "the project's root is the nearest folder with `.git` or `[tool.goalspec]`; copy "
                "the file into it",
            )  # fmt: skip
            return None
        if target.suffix != ".goal":
            report(codes.USE_NOT_FOUND, span, f"`{text}` is no `.goal` file")
            return None
        return target

    def _read(self, node: s.Use, path: Path, text: str, report: Report) -> Unit | None:
        try:
            if not path.is_file():  # a device or a pipe could block for ever
                raise OSError("no such file")
            size = path.stat().st_size
            self._files += 1
            self._bytes += size
            if self._files > MAX_FILES or self._bytes > MAX_BYTES or len(self._open) > 100:
                report(
                    codes.IMPORT_LIMIT, node.span, f"more than {MAX_FILES:,} files, 16 MiB or 100 "
                    "levels are used in all", "join small files, or use fewer",
                )  # fmt: skip
                return None
            data = path.read_bytes()
        except OSError as error:
            reason = error.strerror or str(error)
            report(
                codes.USE_NOT_FOUND, node.target.span, f"`{text}` cannot be read: {reason}",
                "the path is relative to this file",
            )  # fmt: skip
            return None
        return self._unit(path, data, self._shown(path))

    def _shown(self, path: Path) -> str:
        """How a used file is called in messages: as from the working folder, if it is below it, so
        that it has the name there which it has as an argument."""
        if is_pack(path):
            return display_path(path, self.root)
        here = Path.cwd()
        return str(path.relative_to(here) if path.is_relative_to(here) else path)

    def _circle(self, node: s.Use, path: Path, report: Report) -> None:
        names = [p.name for p in self._open[self._open.index(path) :]]
        report(
            codes.CIRCLE, node.span, "the files use each other in a circle: "
            + " → ".join([*names, path.name]), "move what they share into a file of its own",
        )  # fmt: skip


class _Declarations:
    """Reads a unit's statements but its goals and tests."""

    def __init__(self, unit: Unit, loader: Loader) -> None:
        self.unit = unit
        self.loader = loader
        self.report = Report(unit.source, unit.found)

    def run(self) -> None:
        statements = self.unit.parsed.file.statements
        for place, node in enumerate(statements):
            match node:
                case s.Edition():
                    self._edition(node, first=place == 0)
                case s.Use():
                    used = self.loader.used(self.unit, node, self.report)
                    if used is not None:
                        self.unit.uses.append((node, used))
                case s.Facts():
                    for fact in node.facts:
                        self._fact(node, fact)
        facts = visible_facts(self.unit, self.report)
        outer = replace(names_of(self.unit, facts), lets=self.unit.lets)
        for node in statements:
            if isinstance(node, s.Let):
                self._let(node, outer)
        names = names_of(self.unit, facts)
        for node in statements:
            if isinstance(node, s.Preset):
                self._preset(node, names)

    def _edition(self, node: s.Edition, first: bool) -> None:
        number = node.number
        if not isinstance(number, s.Literal) or number.value != 1 or number.kind != "int":
            self.report(
                codes.EDITION, number.span, "this goalspec knows edition 1", "write `edition 1`"
            )
        elif not first:
            self.report(codes.EDITION, node.span, "`edition` opens the file", "move it to the top")

    def _fact(self, block: s.Facts, node: s.Fact) -> None:
        fact = declare(block, node, self.report)
        if fact is None:
            return
        declared = Declared(fact, self.unit.source, node.name.span)
        known = self.unit.facts.setdefault(fact.name, declared)
        if known is not declared:
            _compare(known, declared, self.report)

    def _let(self, node: s.Let, names: Names) -> None:
        if not is_free(node.name, names, self.report):
            return
        constants = Names({}, self.unit.lets, EVERYTHING, lowered=self.unit.lowered)
        value = Lowering(constants, self.report).value(node.value)
        if (value is None and not _is_constant(node.value)) or (value and not value.literal):
            self.report(
                codes.LET_PLACE, node.span, "at the top of a file `let` names a literal",
                "move it into the goal that it belongs to",
            )  # fmt: skip
            value = None
        self.unit.lets[node.name.text] = value

    def _preset(self, node: s.Preset, names: Names) -> None:
        first = self.unit.presets.get(node.id.text)
        if first is not None:
            self.report.twice(f"the preset `{node.id.text}`", node.id.span, first.span)
            return
        self.unit.presets[node.id.text] = lower_parts(node, names, self.report)


def _is_constant(node: s.Expr) -> bool:
    return isinstance(node, s.Literal | s.BadLiteral | s.ListLiteral | s.TooDeep)


def _compare(known: Declared, other: Declared, report: Report) -> None:
    """One fact from two places must be declared the same; descriptions may differ."""
    same = replace(known.fact, description=None) == replace(other.fact, description=None)
    if not same:
        label = Label(known.source, known.span, "declared here first")
        Report(other.source, report.found)(
            codes.DUPLICATE, other.span, f"the fact `{other.fact.name}` is declared twice, and "
            "differently", "declare it once, or the same in both places", (label,),
        )  # fmt: skip


def visible_facts(unit: Unit, report: Report) -> dict[str, Declared]:
    """The facts that predicates of *unit* may read, its own and those of all that it uses."""
    facts: dict[str, Declared] = {}
    for part in unit.reach():
        for name, declared in part.facts.items():
            known = facts.setdefault(name, declared)
            if known is not declared and part is not unit:
                _compare(declared, known, report) if known.source is unit.source else _compare(
                    known, declared, report
                )
    _check_prefixes(facts, unit, report)
    return facts


def _check_prefixes(facts: dict[str, Declared], unit: Unit, report: Report) -> None:
    """A fact that is the beginning of another's name; two of one used file are that file's."""
    for name, declared in facts.items():
        for place, char in enumerate(name):
            shorter = facts.get(name[:place]) if char == "." else None
            if shorter is None:
                continue
            own = [d for d in (declared, shorter) if d.source is unit.source]
            if not own and declared.source is shorter.source:
                continue
            at = own[0].span if own else unit.uses[-1][0].span
            other = shorter if own and own[0] is declared else declared
            label = Label(other.source, other.span, "this fact")
            report(
                codes.FACT_PREFIX, at,
                f"`{name[:place]}`, the beginning of `{name}`, is a fact itself",
                f"give one another name, or make `{name[:place]}` a record", (label,),
            )  # fmt: skip


def names_of(unit: Unit, facts: dict[str, Declared]) -> Names:
    types = {name: entry.fact.type for name, entry in facts.items()}
    declared = {name: entry.fact for name, entry in facts.items()}
    return Names(types, dict(unit.lets), unit.lost(), declared, unit.lowered, unit.spent)


def visible_presets(unit: Unit, report: Report) -> dict[str, Parts]:
    presets: dict[str, Parts] = {}
    for part in unit.reach():
        for name, preset in part.presets.items():
            if name in presets and part is not unit:
                span = next((use.span for use, used in unit.uses if part in used.reach()), None)
                report(
                    codes.DUPLICATE, span or Span(0, 0),
                    f"the preset `{name}` comes from two files: {presets[name].source.path} and "
                    f"{part.name}", "rename one",
                )  # fmt: skip
            presets.setdefault(name, preset)
    return presets


def presets_for(
    names: Iterable[s.Name], presets: dict[str, Parts], report: Report, lost: frozenset[str]
) -> list[Parts]:
    """The presets that *names* bring, in order, each once, with those that they build on."""
    result: list[Parts] = []
    taken: set[str] = set()
    waiting = [(name, report) for name in names][::-1]
    while waiting:
        name, place = waiting.pop()
        parts = presets.get(name.text)
        if parts is None:
            if "presets" not in lost:
                _unknown_preset(name, presets, place)
        elif name.text not in taken:
            taken.add(name.text)
            result.append(parts)
            inner = Report(parts.source, report.found)
            waiting += [(child, inner) for child in parts.presets][::-1]
    return result


def _unknown_preset(name: s.Name, presets: dict[str, Parts], report: Report) -> None:
    near = nearest(name.text, list(presets))
    hint = (
        f"did you mean `{near}`?"
        if near
        else 'import its file with `use "…"`, or the shipped ones with `use std "captains/1"`'
    )
    report(codes.UNKNOWN_PRESET, name.span, f"there is no preset `{name.text}`", hint)


def check_preset_names(
    own: dict[str, Parts], presets: dict[str, Parts], found: list[Diagnostic]
) -> None:
    """Report what a file's presets build on and is not there, also where no goal takes them."""
    for parts in own.values():
        for name in parts.presets:
            if name.text not in presets:
                _unknown_preset(name, presets, Report(parts.source, found))


def check_preset_circles(presets: dict[str, Parts], found: list[Diagnostic]) -> None:
    """Report each circle of presets that build on each other, once."""
    done: set[str] = set()
    for start in presets:
        path: list[str] = []
        stack = [(start, iter(presets[start].presets))]
        while stack:
            current, children = stack[-1]
            if current not in path:
                path.append(current)
            child = next(children, None)
            if child is None:
                stack.pop()
                done.add(path.pop())
            elif child.text in path:
                circle = " → ".join([*path[path.index(child.text) :], child.text])
                Report(presets[current].source, found)(
                    codes.CIRCLE, child.span,
                    f"the presets build on each other in a circle: {circle}",
                )  # fmt: skip
            elif child.text in presets and child.text not in done:
                stack.append((child.text, iter(presets[child.text].presets)))
