"""Where everything stands that a document says: its files, its facts, each value of its goals, with
the preset that a goal took it from, and its tests. What nobody said, a default, has no place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..grammar import syntax as s
from ..grammar.source import Source, Span
from .goals import Parts
from .ir import document as ir
from .project import display_path
from .resolve import Declared, Unit

# A goal takes each of these whole, from whoever says it first; a budget key by key.
_WHOLE = ("objective", "pins", "judge")


def origin_of(
    unit: Unit, facts: Mapping[str, Declared], goals: Mapping[str, Sequence[Parts]], root: Path
) -> ir.Origin:
    """The files of *unit*, and the places of its *facts*, of what its *goals* say (each by what it
    was merged from, its own parts first) and of its tests."""
    names: dict[int, str] = {}
    files: list[ir.SourceFile] = []
    for part in unit.reach():
        name = display_path(part.path, root) if part.path is not None else part.name
        names[id(part.source)] = name
        files.append(ir.SourceFile(path=name, sha256=part.sha256))

    def place(source: Source, span: Span, preset: str | None = None) -> ir.Place:
        at = source.position(span.start)
        return ir.Place(file=names[id(source)], line=at.line, column=at.column, preset=preset)

    places: dict[str, ir.Place] = {}
    for id_, merged in goals.items():
        own = merged[0]
        places[id_] = place(own.source, own.span)
        for node in unit.parsed.file.statements:
            if isinstance(node, s.Edition):
                places[f"{id_}.edition"] = place(own.source, node.span)
        for key, (parts, span) in _said(merged).items():
            preset = None if parts is own else parts.name
            places[id_ + key] = place(parts.source, span, preset)
    return ir.Origin(
        files=tuple(sorted(files, key=lambda file: file.path)),
        places=places,
        facts={name: place(fact.source, fact.span) for name, fact in facts.items()},
        tests={key: place(unit.source, span) for key, span in _tests(unit.parsed.file)},
    )


def _tests(file: s.File) -> Iterator[tuple[str, Span]]:
    tests = (node for node in file.statements if isinstance(node, s.Test))
    for number, test in enumerate(tests):
        yield f"{number}", test.span
        for place, step in enumerate(test.steps):
            yield f"{number}.{place}", step.span


def _said(merged: Sequence[Parts]) -> dict[str, tuple[Parts, Span]]:
    """The parts that say each value of a goal, and where: as merging takes them."""
    found: dict[str, tuple[Parts, Span]] = {}
    for parts in merged:
        for key, span in parts.spans.items():
            block = f".{key.partition('.')[0]}"
            first = found.get(block, (parts, span))[0]
            if first is parts or block[1:] not in _WHOLE:
                found.setdefault(f".{key}", (parts, span))
        for key, span in _conditions(parts):
            found[f"/{key}"] = (parts, span)
    for name, spans in _added(merged):
        for number, where in enumerate(spans):
            found[f".{name}.{number}"] = where
    return found


def _conditions(parts: Parts) -> Iterator[tuple[str, Span]]:
    for kept in parts.conditions.values():
        for condition, node in kept:
            yield condition.id, node.span
            if node.modifier is not None:
                yield f"{condition.id}.mode", node.modifier.span
            for clause in node.clauses:
                yield f"{condition.id}.{clause.keyword}", clause.span


def _added(merged: Sequence[Parts]) -> Iterator[tuple[str, list[tuple[Parts, Span]]]]:
    """What a goal has one after the other, its own first."""
    yield "pinned", [(parts, span) for parts in merged for _, span in parts.pinned]
    yield "protect", [(parts, span) for parts in merged for _, span in parts.protect]
