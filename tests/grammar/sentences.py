"""Random goal files from the grammar itself, and any text's tokens set apart anew.

A sentence is drawn from the productions that Lark compiled from `goal.lark`, so that every one of
them is met and none can be forgotten. The tokens are then joined by white space, line ends of all
kinds and comments, wherever the language allows them. All randomness comes from the
`random.Random` that is handed in.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from goalspec.grammar.tables import concrete_parser
from lark import Token, Tree
from lark.grammar import Rule, Symbol

TEXTS = {
    "ID": ["a", "land-it", "no_auth", "goal-2"],
    "NAME": ["a", "b_2", "count", "longer_name"],
    "DOTTED": ["suite.passed", "a.b.c"],
    "DECLARED": ["a", "suite.passed", "goal", "test.check"],
    "ASSIGNED": ["a", "suite.passed", "expect", "ABC"],
    "KEY": ["turns", "cost", "x", "ABC"],
    "CURRENCY": ["USD"],
    "RUNS": ["run", "runs"],
    "QUANTITY": ["0", "25", "1_000", "200k", "12.5", "85%", "1h30m", "64KiB"],
    "MONEY": ["5.00 USD", "12\tEUR"],
    "TIME": ["2026-12-31T18:00Z", "2026-12-31T18:00:30.5+02:00"],
    "DATE": ["2026-12-31"],
    "VERSION": ["v1.4.0", "v2.0.0-rc.1"],
    "STRING": [
        '""', '"Ship it."', r'"a \"b\" \\ | # no comment"', r'r"^\d+#\.py$"', '"""one\n  two  \n"""',
        '"""\r\n    # no comment\r\n\t"quoted"\r\n"""', '""""""',
        '"a text so long that the line which holds it has to be broken at another place"',
    ],
    "FOR_COUNT": ["for"],
}  # fmt: skip
COMMENTS = [
    "#", "# why", "#no space", '# "', '# """', "# { [ (", "# trailing blanks \t ", "## two # marks",
    "# goalspec: ignore GS402 -- a reason", "# größer 🚀", "# check a.b == 1", "#\tx",
]  # fmt: skip
MAX_DEPTH = 60  # of productions; with what ends them, less than the parser takes
BLANKS = ["", " ", "  ", "\t", " \t "]
LINE_ENDS = ["\n", "\r\n", "\r"]
_CURRENCY = re.compile(r"[A-Z]{3}")


class Piece(NamedTuple):
    """A token: its terminal and its text."""

    type: str
    text: str


class _Productions:
    """The grammar's rules by what they make, and how deep the smallest tree of each is."""

    def __init__(self) -> None:
        parser: Any = concrete_parser()
        self.all: list[Rule] = parser.rules
        self.rules: dict[str, list[Rule]] = defaultdict(list)
        for rule in self.all:
            self.rules[rule.origin.name].append(rule)
        self.terminals = {terminal.name: terminal.pattern for terminal in parser.terminals}
        self.height: dict[str, int] = {}
        known = -1
        while known != len(self.height):
            known = len(self.height)
            for name, rules in self.rules.items():
                heights = [self.rule_height(rule) for rule in rules]
                found = [height for height in heights if height is not None]
                if found and name not in self.height:
                    self.height[name] = min(found)

    def rule_height(self, rule: Rule) -> int | None:
        parts = [0 if symbol.is_term else self.height.get(symbol.name) for symbol in rule.expansion]
        known = [part for part in parts if part is not None]
        return 1 + max(known, default=0) if len(known) == len(parts) else None

    def smallest(self, name: str) -> Rule:
        return min(self.rules[name], key=lambda rule: self.rule_height(rule) or 0)


@lru_cache(maxsize=1)
def productions() -> _Productions:
    return _Productions()


def sentence(random: Random, used: set[Rule] | None = None) -> list[Piece]:
    """The tokens of a valid file: some dozens of productions, and what it takes to end them."""
    grammar = productions()
    size = random.choice([10, 20, 30, 100])
    pieces: list[Piece] = []
    waiting: list[tuple[Symbol, int]] = [(grammar.rules["start"][0].origin, 0)]
    while waiting:
        symbol, depth = waiting.pop()
        if symbol.is_term:
            pieces.append(Piece(symbol.name, _text(symbol.name, random)))
            continue
        size -= 1
        rules = grammar.rules[symbol.name]
        if symbol.name == "start":
            rule = max(rules, key=lambda rule: len(rule.expansion))
        elif size > 0 and depth < MAX_DEPTH:
            rule = random.choice(rules)
        else:
            rule = grammar.smallest(symbol.name)
        if used is not None:
            used.add(rule)
        waiting.extend((part, depth + 1) for part in reversed(rule.expansion))
    return pieces


def _text(terminal: str, random: Random) -> str:
    if terminal in TEXTS:
        return random.choice(TEXTS[terminal])
    pattern = productions().terminals[terminal]
    word = pattern.value.partition("(?!")[0]
    return word.replace("runs?", "runs")


def pieces_of(text: str) -> list[Piece]:
    """The tokens of a valid text."""
    return list(_leaves(concrete_parser().parse(text)))


def _leaves(tree: Tree[Token]) -> Iterator[Piece]:
    waiting: list[Any] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Tree):
            waiting.extend(reversed(node.children))
        elif node is not None:
            yield Piece(node.type, str(node))


def disturbed(pieces: list[Piece], random: Random, comments: float = 0.15) -> str:
    """The tokens with anything between them that keeps them apart; so many gaps hold *comments*."""
    parts = [_gap(random, comments), random.choice(["", "\n"])]
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        parts.append(piece.text)
        if following is None:
            break
        if piece.type in ("DECLARED", "ASSIGNED"):  # a name because of what follows on its line
            parts.append(random.choice(BLANKS))
            continue
        gap = _gap(random, comments)
        if _CURRENCY.fullmatch(following.text) and following.type != "CURRENCY":
            gap += random.choice(LINE_ENDS)
        parts.append(gap if gap or _may_touch(piece, following) else " ")
    parts.append(_gap(random, comments))
    text = "".join(parts)
    return text.rstrip("\r\n") if random.random() < 0.2 else text


def _gap(random: Random, comments: float) -> str:
    gap = random.choice(BLANKS)
    if random.random() < 0.2:
        gap += random.choice(LINE_ENDS) * random.randrange(1, 4) + random.choice(BLANKS)
    while random.random() < comments:
        gap += random.choice(COMMENTS) + random.choice(LINE_ENDS) * random.randrange(1, 3)
        gap += random.choice(BLANKS)
    return gap


def _may_touch(piece: Piece, following: Piece) -> bool:
    marks = set("{}()[],")
    return piece.text in marks or following.text in marks


def plain(pieces: list[Piece], separator: str) -> str:
    """The tokens with *separator* between them, where the language allows it."""
    parts = []
    for piece, following in zip(pieces, [*pieces[1:], Piece("", "")], strict=True):
        kept = piece.type in ("DECLARED", "ASSIGNED")
        apart = _CURRENCY.fullmatch(following.text) and following.type != "CURRENCY"
        parts += [piece.text, " " if kept else "\n" if apart else separator]
    return "".join(parts)
