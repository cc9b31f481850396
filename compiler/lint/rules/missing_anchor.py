from __future__ import annotations

import re
from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ....grammar.source import Span
from ..pattern_literals import Piece, patterns, pieces, within
from ..rule import Place, Rule

_ANCHORS = {"^": ("^", r"\A"), "$": ("$", r"\z")}
_WORD = re.compile(r"[A-Za-z0-9_]+")


class MissingAnchor(Rule):
    """`^fix|feat`, and `["^fix: ", "feat: "]`."""

    code = Code(
        "GS413", "missing-anchor", "lint", Severity.WARNING,
        "A regular expression is searched for, so what has no `^` is found anywhere: `^fix|feat` "
        "is `^fix` at the beginning, or `feat` in the middle of any word, since `|` binds loosest. "
        "Alternatives that begin alike, and patterns of a list that look alike, are compared; what "
        "looks different is taken to be meant.",
        """\
facts {
  commit.title : string
}

goal g {
  objective "Mend the login."
  criterion titled "The commit says what kind of change it is"
    check commit.title matches r"^fix|feat"
}
""",
        """\
facts {
  commit.title : string
}

goal g {
  objective "Mend the login."
  criterion titled "The commit says what kind of change it is"
    check commit.title matches r"^(?:fix|feat)"
}
""",
    )  # fmt: skip
    on = (s.TextTest,)

    def look(self, node: s.TextTest, at: Place) -> Iterator[Diagnostic]:
        if node.op != "matches":
            return
        written = patterns(node, at)
        for pattern, span in written:
            if "|" in pattern:
                yield from self._alternatives(pattern, span, at)
        if len(written) > 1:
            yield from self._list(written, at)

    def _alternatives(self, pattern: str, span: Span, at: Place) -> Iterator[Diagnostic]:
        flags, branches = _branches(pattern)
        bare = {sign: branch for sign in "^$" if (branch := _bare(branches, sign)) is not None}
        if not bare:
            return
        sign, branch = next(iter(bare.items()))
        inside = "|".join(_text(_without(branch, *bare)) for branch in branches)
        grouped = f"{'^' if '^' in bare else ''}(?:{inside}){'$' if '$' in bare else ''}"
        place = within(span, branch[0].start, branch[-1].start + len(branch[-1].text), at)
        yield self.finding(
            at, place, f"`{_text(branch)}` has no `{sign}`, unlike the alternative beside it",
            f"write `{flags}{grouped}`",
        )  # fmt: skip

    def _list(self, written: list[tuple[str, Span]], at: Place) -> Iterator[Diagnostic]:
        split = [(*_branches(pattern), pattern, span) for pattern, span in written]
        single = [(flags, of[0], text, span) for flags, of, text, span in split if len(of) == 1]
        for sign in "^$":
            anchored = {_shape(of, sign) for _, of, _, _ in single if _has(of, sign)}
            for flags, of, text, span in single:
                if not _has(of, sign) and _shape(of, sign) in anchored:
                    mended = f"{flags}^{_text(of)}" if sign == "^" else f"{text}$"
                    yield self.finding(
                        at, span, f"`{text}` has no `{sign}`, unlike the pattern beside it",
                        f"write `{mended}`",
                    )  # fmt: skip


def _branches(pattern: str) -> tuple[str, list[list[Piece]]]:
    """The flags of *pattern*, and its alternatives outside every group."""
    found = pieces(pattern)
    flags = ""
    if found and found[0].text.startswith("(?") and found[0].text.endswith(")"):
        flags = found.pop(0).text
    branches: list[list[Piece]] = [[]]
    depth = 0
    for piece in found:
        depth += piece.text.startswith("(") - (piece.text == ")")
        if piece.text == "|" and depth == 0:
            branches.append([])
        else:
            branches[-1].append(piece)
    return flags, branches


def _bare(branches: list[list[Piece]], sign: str) -> list[Piece] | None:
    """The first alternative with a plain character where another one has the anchor before (or
    behind) such a character."""
    inner = [_without(branch, sign) for branch in branches]
    outer = 0 if sign == "^" else -1
    plain = [b for b, rest in zip(branches, inner, strict=True) if rest and _is_plain(rest[outer])]
    if not any(_has(branch, sign) for branch in plain):
        return None
    return next((branch for branch in plain if not _has(branch, sign)), None)


def _has(branch: list[Piece], sign: str) -> bool:
    return bool(branch) and branch[0 if sign == "^" else -1].text in _ANCHORS[sign]


def _without(branch: list[Piece], *signs: str) -> list[Piece]:
    first = 1 if "^" in signs and _has(branch, "^") else 0
    last = 1 if "$" in signs and _has(branch, "$") else 0
    return branch[first : len(branch) - last]


def _text(branch: list[Piece]) -> str:
    return "".join(piece.text for piece in branch)


def _shape(branch: list[Piece], sign: str) -> str:
    return _WORD.sub("a", _text(_without(branch, sign)))


def _is_plain(piece: Piece) -> bool:
    return _WORD.fullmatch(piece.text) is not None
