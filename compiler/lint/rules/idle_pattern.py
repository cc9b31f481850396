from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ....grammar.source import Span
from ...ir import expressions as ir
from ...patterns import compile_glob, compile_regex
from ..pattern_literals import patterns
from ..rule import Place, Rule

# A pattern that matches all of these matches everything: the forms that could tell them from other
# texts (look-around, back-references) are not in the language.
_EVERY = "".join(map(chr, range(0x20, 0x7F)))
_TEXTS = ("", "\n", "\t", "é", "a", "0", "_", " ", "-", (_EVERY + "\n€") * 20)
_PATHS = (*(char for char in _EVERY if char not in "./"), "é", "a/b", ".a/.b", "a b/é/x.y")

_MESSAGES = {
    "contains": "every text contains the empty one",
    "like": "every path is like `{}`",
    "matches": "every text matches `{}`",
}
_HINTS = {
    "contains": "write the text that must be there",
    "like": "write which paths are meant, such as `src/**`, or leave the test out",
    "matches": 'write what must be there, or leave the test out; `x != ""` says that it is not '
    "empty",
}


class IdlePattern(Rule):
    """`contains ""`, `like "**"`, `matches r".*"`."""

    code = Code(
        "GS415", "idle-pattern", "lint", Severity.WARNING,
        "Every text contains nothing, every path is `like \"**\"`, and a regular expression that "
        "may match nothing is found in any text, since it is searched for: `r\"\\d*\"` matches "
        "where no digit is. In a list such a pattern makes the others idle.",
        """\
facts {
  pr.title : string lasting
}

goal g {
  objective "Name the ticket."
  criterion ticket "The title begins with the ticket's number"
    check pr.title matches r"^\\d*"
}
""",
        """\
facts {
  pr.title : string lasting
}

goal g {
  objective "Name the ticket."
  criterion ticket "The title begins with the ticket's number"
    check pr.title matches r"^\\d+"
}
""",
    )  # fmt: skip
    on = (s.TextTest,)

    def look(self, node: s.TextTest, at: Place) -> Iterator[Diagnostic]:
        for text, span in _idle(node, at):
            yield self.finding(at, span, _MESSAGES[node.op].format(text), _HINTS[node.op])


def _idle(node: s.TextTest, at: Place) -> Iterator[tuple[str, Span]]:
    if node.op == "contains":
        meaning = at.meaning(node)
        if meaning is not None and isinstance(meaning.ir, ir.Contains):
            text = meaning.ir.text.of if isinstance(meaning.ir.text, ir.Named) else meaning.ir.text
            if isinstance(text, ir.Literal) and text.value == "":
                yield "", node.right.span
        return
    for pattern, span in patterns(node, at):
        if _matches_all_paths(pattern) if node.op == "like" else _matches_all_texts(pattern):
            yield pattern, span


def _matches_all_paths(glob: str) -> bool:
    return glob.startswith("**") and all(map(compile_glob(glob), _PATHS))


def _matches_all_texts(regex: str) -> bool:
    return all(map(compile_regex(regex), _TEXTS))
