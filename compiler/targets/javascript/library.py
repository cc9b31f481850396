"""The linker of the JavaScript library: what a generated module takes from the rooms in `lib`.

The rooms are ES modules that are tested as such. A generated module gets the definitions that it
needs, and those that they need, as they are written and in their order; imports and `export` fall
away. A definition is a block of text that begins at the margin, after an empty line; what it needs
are the names that stand in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# In the order in which they build upon one another.
ROOMS = (
    "text", "decimal", "literals", "values", "patterns", "kernel", "folding", "json", "facts",
    "conversion", "temporal", "notes", "verdict", "explanation", "engine",
)  # fmt: skip

_BLOCK = re.compile(r"\n\n(?=\S)")
_DEFINED = re.compile(r"^(?:export )?(?:const|let|function|class) (?:(\w+)|\[([\w, ]+)\])", re.M)
_COMMENT = re.compile(r"/\*\*.*?\*/|^ *// [^\n]*$", re.S | re.M)
_NAME = re.compile(r"(?<![\w$#])(?<!(?<!\.)\.)[A-Za-z]\w*")  # and no property, but a spread
_EXPORT = re.compile(r"^export (?=const|let|function|class)", re.M)
_TYPE_IMPORT = re.compile(r"^/\*\* @typedef \{import\(.*\n|import\(\"\./\w+\.mjs\"\)\.", re.M)


class CannotLink(Exception):
    """A name that the library does not define, or defines twice."""


@dataclass(frozen=True, slots=True)
class _Block:
    text: str
    names: frozenset[str]
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Room:
    """A room: its opening comment, and its blocks."""

    opening: str
    blocks: tuple[_Block, ...]


@cache
def library() -> dict[str, _Block]:
    """Each name of the library with the block that defines it. Raises CannotLink."""
    found: dict[str, _Block] = {}
    for room in _rooms():
        for block in room.blocks:
            for name in block.names:
                if name in found:
                    raise CannotLink(f"the library defines {name} twice")
                found[name] = block
    return found


def names_in(source: str) -> set[str]:
    """The names that JavaScript code refers to, and some words of its texts and comments."""
    return set(_NAME.findall(source))


def link(roots: Iterable[str]) -> str:
    """The text of the definitions *roots* and of all that they need. Raises CannotLink."""
    known = library()
    needed: set[_Block] = set()
    waiting = list(roots)
    for name in waiting:
        if name not in known:
            raise CannotLink(f"the library defines no {name}")
    while waiting:
        block = known.get(waiting.pop())
        if block is not None and block not in needed:
            needed.add(block)
            waiting += block.needs
    return "\n\n".join(
        "\n\n".join([room.opening, *(block.text for block in room.blocks if block in needed)])
        for room in _rooms()
        if not needed.isdisjoint(room.blocks)
    )


@cache
def _rooms() -> tuple[_Room, ...]:
    folder = files(__package__) / "lib"
    return tuple(_room((folder / f"{name}.mjs").read_text("utf-8")) for name in ROOMS)


def _room(text: str) -> _Room:
    opening, *blocks = _BLOCK.split(text.rstrip("\n"))
    return _Room(opening, tuple(block for block in map(_block, blocks) if block.names))


def _block(text: str) -> _Block:
    names = {
        name
        for one, several in _DEFINED.findall(text)
        for name in (several.split(", ") if several else [one])
    }
    plain = _TYPE_IMPORT.sub("", _EXPORT.sub("", text))
    return _Block(plain, frozenset(names), frozenset(names_in(_COMMENT.sub("", text)) - names))
