"""The linker: what a generated Python module takes from goalspec's own source.

The engine and the kernel are ordinary modules that are tested as such. A generated module gets from
them the definitions that it needs, and those that they need, each with its comments, as it is
written; imports of the standard library are gathered, and those inside of goalspec fall away. So
the source is read as text, as a linker reads its libraries, and nothing of it is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TypeVar

_PACKAGE = __package__.split(".")[0]
_Value = TypeVar("_Value")


class CannotLink(Exception):
    """Source that does not link: two definitions have one name, or a root has none."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A top-level statement with the names that it defines and those that it needs."""

    module: str
    place: int  # among the statements of its module
    text: str
    names: frozenset[str]
    needs: frozenset[str]


@dataclass
class _Module:
    """A module's definitions, and what its other names stand for: a name of another module of
    goalspec's, or an import statement of the standard library's."""

    definitions: dict[str, Definition] = field(default_factory=dict)
    taken: dict[str, tuple[str, str]] = field(default_factory=dict)
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)  # (module, name or "")


@dataclass(frozen=True, slots=True)
class Linked:
    """The text of the definitions, and the import statements that stand above them."""

    imports: str
    text: str


def defined(names: Iterable[str], modules: Iterable[str]) -> list[tuple[str, str]]:
    """The definitions of *names* in *modules*, to be linked; the others are somebody else's."""
    wanted = sorted(set(names))
    return [(m, name) for m in modules for name in wanted if name in _module(m).definitions]


def link(
    roots: Iterable[tuple[str, str]],
    given: Mapping[str, str],
    imported: Mapping[str, tuple[str, str]],
) -> Linked:
    """Link the definitions *roots*, pairs of a module (`runtime.engine`) and a name in it, and all
    that they need.

    *given* are statements that stand in for the definitions of their names, *imported* further
    names that the module takes from the standard library. Raises CannotLink.
    """
    found: dict[str, Definition] = {}
    imports = dict(imported)
    waiting = list(roots)
    for module_name, name in waiting:
        if name not in _module(module_name).definitions:
            raise CannotLink(f"{module_name} defines no {name}")
    while waiting:
        module_name, name = waiting.pop()
        module = _module(module_name)
        if name in given:
            continue
        if name in module.taken:
            waiting.append(module.taken[name])
        elif name in module.imported:
            _add(imports, name, module.imported[name])
        elif name in module.definitions:
            definition = module.definitions[name]
            if found.get(name) != definition:
                for each in definition.names:
                    _add(found, each, definition)
                waiting += ((module_name, need) for need in definition.needs)
    both = found.keys() & imports.keys()
    if both:
        raise CannotLink(f"imported and defined: {', '.join(sorted(both))}")
    text = "\n\n\n".join([*given.values(), *_in_order(found.values())])
    return Linked(_import_lines(imports), text)


def check_names(source: str) -> None:
    """Raises CannotLink where two statements of *source* define one name."""
    names = [name for statement in ast.parse(source).body for name in _defined(statement)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise CannotLink(f"two definitions have the name {', '.join(twice)}")


def _add(into: dict[str, _Value], name: str, value: _Value) -> None:
    if into.setdefault(name, value) != value:
        raise CannotLink(f"two definitions have the name {name}")


def _in_order(definitions: Iterable[Definition]) -> Iterator[str]:
    """Their texts: a module after those that it takes from, statements as they stand in it."""
    unique = set(definitions)
    for name in _dependencies({definition.module for definition in unique}):
        of_module = [d for d in unique if d.module == name]
        yield from (d.text for d in sorted(of_module, key=lambda d: d.place))


def _dependencies(names: Iterable[str]) -> list[str]:
    done: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in done:
            for module, _ in sorted(_module(name).taken.values()):
                visit(module)
            done[name] = None

    for name in sorted(names):
        visit(name)
    return list(done)


def _import_lines(imports: Mapping[str, tuple[str, str]]) -> str:
    plain, of_module = [], dict[str, list[str]]()
    for name, (module, taken) in sorted(imports.items()):
        if not taken:
            plain.append(f"import {module}" + (f" as {name}" if name != module else ""))
        else:
            spelled = taken if taken == name else f"{taken} as {name}"
            of_module.setdefault(module, []).append(spelled)
    lines = sorted(plain)
    lines += (
        f"from {module} import {', '.join(of_module[module])}" for module in sorted(of_module)
    )
    return "\n".join(lines)


# --- reading source


@cache
def _module(name: str) -> _Module:
    path = files(_PACKAGE).joinpath(*name.split(".")[:-1], f"{name.split('.')[-1]}.py")
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    module = _Module()
    for place, statement in enumerate(ast.parse(text).body):
        match statement:
            case ast.ImportFrom(level=0):
                for alias in statement.names:
                    taken = (statement.module or "", alias.name)
                    module.imported[alias.asname or alias.name] = taken
            case ast.Import():
                for alias in statement.names:
                    module.imported[alias.asname or alias.name] = (alias.name, "")
            case ast.ImportFrom():
                parts = name.split(".")[: -statement.level]
                source = ".".join([*parts, *(statement.module or "").split(".")])
                for alias in statement.names:
                    module.taken[alias.asname or alias.name] = (source, alias.name)
            case _:
                for defined in _defined(statement):
                    module.definitions[defined] = _definition(name, place, statement, lines)
    return module


def _defined(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            names = [n for target in targets for n in ast.walk(target)]
            return [n.id for n in names if isinstance(n, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:  # a docstring, or what only a type checker sees
            return []


def _definition(module: str, place: int, statement: ast.stmt, lines: list[str]) -> Definition:
    decorators = getattr(statement, "decorator_list", [])
    start = min([statement.lineno, *(d.lineno for d in decorators)]) - 1
    end = statement.end_lineno or statement.lineno
    while start and lines[start - 1].startswith("#") and not lines[start - 1].startswith("# ---"):
        start -= 1
    text = "".join(lines[start:end]).rstrip()
    names = frozenset(_defined(statement))
    return Definition(module, place, text, names, _needed(statement) - names)


def _needed(statement: ast.stmt) -> frozenset[str]:
    """The names that a statement reads. Those of its own variables and of Python's are among them:
    no module defines them, so that they lead nowhere."""
    names = (n for n in ast.walk(statement) if isinstance(n, ast.Name))
    return frozenset(n.id for n in names if isinstance(n.ctx, ast.Load))
