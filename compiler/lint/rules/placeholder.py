from __future__ import annotations

import re
from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ..prose import Prose
from ..rule import Place, Rule

_MARK = re.compile(r"\b(?:TODO|FIXME|XXX|TBD|TBC)\b(?![-'’/])")
_TEXT = re.compile(r"\blorem ipsum\b|\bstatus:[ \t]*(?:draft|wip)\b", re.I)
# `TODO: …` asks for a text; `No TODO is left` and `TODO comments are gone` are about such marks.
_OPENING = re.compile(r"(?:^|[\n.:;,(\[–—-])[ \t]*$")
_COUNTED = re.compile(r"\b(?:no|any|all|each|every|without|of|a) $", re.I)
_NOUN = re.compile(
    r"[ \n]+(?:comments?|counts?|entry|entries|items?|labels?|lists?|markers?|marks?|notes?|tags?|"
    r"and|are|in|is|or)\b"
)
_ABOUT_MARKS = re.compile(r"\b(?:comments?|markers?|annotations?|left|remain(?:s|ing)?)\b", re.I)
_WINDOW = 20  # characters before a mark that tell how it is meant
# A name in brackets of some kind, which somebody was to replace.
_BLANK = re.compile(
    r"(?<![\w\])])\[(?:(?i:insert|enter|add|fill|describe|specify|your|name of|placeholder)\b"
    r"[^\]\[\n]{0,80}|(?i:e\.g\.)[^\]\[\n]{1,80}|…|\.\.\."
    r"|(?i:(?:current|target|baseline|expected) )?(?i:name|date|team|project|company|service|owner|"
    r"link|url|metric|value|number|amount|percentage|target|threshold|baseline))\](?!\()"
    r"|(?<![\w<])<(?P<tag>[a-z][a-z_-]{0,30}(?: [a-z_-]{1,30}){0,2})>"
    r"|\$\{[\w.-]{1,60}\}|\{\{[^{}\n]{1,60}\}\}|(?<![\w$\\])\$[a-z_][a-z0-9_]{0,40}\b"
)
_ABOUT_FORMS = re.compile(
    r"\b(?:convention|form|format|formatted|named|naming|pattern|placeholders?|syntax|template|"
    r"templates|usage|variables?)\b",
    re.I,
)
_HTML = frozenset(
    "a abbr article aside audio b base body br button canvas code dd details dialog div dl dt em "
    "fieldset figure footer form h head header hr html i iframe img input label li link main "
    "meta nav noscript object ol option p pre script section select slot small span strong style "
    "sub summary sup svg table tbody td template textarea tfoot th thead time title tr u ul video"
    .split()
)  # fmt: skip
_QUOTED = re.compile(r"`[^`]*`")


class Placeholder(Rule):
    """`TBD`, `[insert name]`, `<service>`: a text that somebody still has to write."""

    code = Code(
        "GS432", "placeholder", "lint", Severity.ERROR,
        "A goal with `TBD` in it is a draft. An agent that gets it fills the gap with a guess, and "
        "a judge accepts what fits the guess. Write what was to stand there, or leave the part out "
        "until it is known. What stands between backticks is quoted and may be anything, and a "
        "criterion may well ask that no `TODO` comment is left.",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Ship the new importer for [insert customer]."
  criterion green "The suite passes"
    check suite.passed
}
""",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Ship the new importer for the finance team."
  criterion green "The suite passes"
    check suite.passed
}
""",
    )  # fmt: skip
    on = (s.Objective, s.Part, s.Pin)
    broken = True

    def look(self, node: s.Objective | s.Part | s.Pin, at: Place) -> Iterator[Diagnostic]:
        literal = node.content if isinstance(node, s.Pin) else node.text
        if not isinstance(literal, s.Literal):
            return
        prose = Prose(literal, at.source)
        for match in _placeholders(_QUOTED.sub(lambda quoted: " " * len(quoted[0]), prose.text)):
            start, end = match
            text = " ".join(prose.text[start:end].split())
            yield self.finding(
                at, prose.span(start, end), f"`{text}` stands for a text that is not there yet",
                "write the text, or leave the part out until it is known",
            )  # fmt: skip


def _placeholders(text: str) -> Iterator[tuple[int, int]]:
    if _ABOUT_MARKS.search(text) is None:
        yield from (m.span() for m in _MARK.finditer(text) if _is_open(m, text))
    yield from (m.span() for m in _TEXT.finditer(text))
    if _ABOUT_FORMS.search(text) is None:
        yield from (m.span() for m in _BLANK.finditer(text) if m["tag"] not in _HTML)


def _is_open(mark: re.Match[str], text: str) -> bool:
    """Does the mark ask for a text, rather than being what the text is about?"""
    before = text[max(0, mark.start() - _WINDOW) : mark.start()]
    if mark[0] in ("TODO", "FIXME") and _OPENING.search(before) is None:
        return False
    return _COUNTED.search(before) is None and _NOUN.match(text, mark.end()) is None
