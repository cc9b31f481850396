from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ..pattern_literals import Piece, patterns, pieces, within
from ..rule import Place, Rule

_QUANTIFIER = re.compile(r"[*+?].?|\{.*")
_GROUPING = re.compile(r"\((?:\?.*)?|[)|]")
# Dates, times and addresses hold such classes to say what a field may be.
_SEPARATORS = (":", "-", "/", r"\:", r"\-", r"\/")


class RegexDigits(Rule):
    """A regular expression that compares a number, digit by digit."""

    code = Code(
        "GS412", "regex-digits", "lint", Severity.WARNING,
        "The regular expression tells one number from another by its digits. Such a bound is hard "
        "to read, and mostly wrong at its edges: `8[5-9]|9\\d` leaves 100 out. Declare the number "
        "as a fact of its own, with its unit, and compare it. Dates, times, years and numbers that "
        "only must not begin with 0 are let be.",
        """\
facts {
  coverage.summary : string
}

goal g {
  objective "Cover the parser."
  criterion covered "Most lines are covered"
    check coverage.summary matches r"lines: (8[5-9]|9\\d)%"
}
""",
        """\
facts {
  coverage.line : percent
}

goal g {
  objective "Cover the parser."
  criterion covered "Most lines are covered"
    check coverage.line >= 85%
}
""",
    )  # fmt: skip
    on = (s.TextTest,)

    def look(self, node: s.TextTest, at: Place) -> Iterator[Diagnostic]:
        if node.op != "matches":
            return
        for pattern, span in patterns(node, at):
            piece = _compared(pattern) if "[" in pattern else None
            if piece is not None:
                place = within(span, piece.start, piece.start + len(piece.text), at)
                yield self.finding(
                    at, place, f"`{piece.text}` compares a number by its digits",
                    "declare the number as a fact (`int`, `percent`, `version`) and compare it: "
                    "`x >= 85%`",
                )  # fmt: skip


class _Atom(NamedTuple):
    piece: Piece
    quantifier: str


def _compared(regex: str) -> Piece | None:
    """The first class that only some digits belong to, as part of a number."""
    atoms = _atoms(regex)
    if _is_format(atoms):
        return None
    around = (None, *atoms, None)
    for number, (before, atom, after) in enumerate(zip(around, atoms, around[2:], strict=False)):
        if not _is_some_digits(atom.piece.text):
            continue
        first = before is None or not _is_digit(before.piece.text)
        last = after is None or not _is_digit(after.piece.text)
        if first and last and (not atom.quantifier or atom.quantifier.startswith("?")):
            continue
        no_leading_zero = atom.piece.text == "[1-9]" and first and after is not None and (
            after.quantifier.startswith(("*", "?", "{0"))
        )  # fmt: skip
        century = "".join(a.piece.text for a in atoms[max(0, number - 2) : number])
        if not no_leading_zero and century not in ("19", "20"):
            return atom.piece
    return None


def _atoms(regex: str) -> list[_Atom]:
    """The pieces that match a character, each with its quantifier, and the groups' signs."""
    atoms: list[_Atom] = []
    for piece in pieces(regex):
        if _QUANTIFIER.fullmatch(piece.text):
            if atoms:
                atoms[-1] = atoms[-1]._replace(quantifier=piece.text)
        else:
            atoms.append(_Atom(piece, ""))
    return atoms


def _is_format(atoms: list[_Atom]) -> bool:
    """Does it describe a date, a time, or a number with two dots, such as an address?"""
    plain = [a.piece.text for a in atoms if not _GROUPING.fullmatch(a.piece.text)]
    dots = 0
    for before, text, after in zip(plain, plain[1:], plain[2:], strict=False):
        if _is_digit(before) and _is_digit(after):
            if text in _SEPARATORS:
                return True
            dots += text in (".", r"\.")
    return dots > 1


def _is_digit(text: str) -> bool:
    return text in (r"\d", "[0-9]") or (text.isascii() and text.isdigit()) or _is_some_digits(text)


def _is_some_digits(text: str) -> bool:
    """Is it a range of digits, or a list of the last ones? Binary and octal digits are no bound."""
    if not (text[:1] == "[" and text[-1:] == "]" and text.isascii()):
        return False
    inside = text[1:-1]
    if len(inside) == 3 and inside[1] == "-":
        return (inside[0] + inside[2]).isdigit() and inside not in ("0-9", "0-1", "0-7")
    return 1 < len(inside) < 10 and "0123456789".endswith(inside)
