from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ....grammar import syntax as s
from ....grammar.comments import STRING
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ....grammar.source import Span
from ...hidden import INVISIBLE, is_called_for
from ..rule import Place, Rule

_ASCII_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# These are compiled when a text first needs them: few do, and it takes longer than all else here.
_HIDDEN = f"[{INVISIBLE}]"
# In a string a control character is an error of the language.
_HIDDEN_OR_CONTROL = rf"[{INVISIBLE}\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
_STRING_OR_COMMENT = re.compile(rf"(?P<string>{STRING})|#[^\r\n]*")
_MOST = 20  # findings in one file


class HiddenCharacter(Rule):
    """A character in a string or a comment that nobody sees."""

    code = Code(
        "GS418", "hidden-character", "lint", Severity.ERROR,
        "The text holds a character that does not show: a reviewer reads one thing, a model or a "
        "comparison another. Marks that turn the writing direction make a line look like what it "
        "is not, and tag characters can carry whole instructions. In a string write it as "
        "`\\u{…}` if it is meant, elsewhere delete it. Joiners and selectors are let be where "
        "scripts and emoji need them. Below, a zero width space stands before the P.",
        """\
facts {
  pr.title : string lasting
}

goal g {
  objective "Mend the login."
  criterion ready "The title does not say that it is a draft"
    check not (pr.title contains "WI\u200bP")
}
""",
        """\
facts {
  pr.title : string lasting
}

goal g {
  objective "Mend the login."
  criterion ready "The title does not say that it is a draft"
    check not (pr.title contains "WIP")
}
""",
    )  # fmt: skip
    on = (s.File,)
    fix = "safe"
    broken = True

    def look(self, node: s.File, at: Place) -> Iterator[Diagnostic]:
        text = at.source.text
        if not text.isascii() or _ASCII_CONTROL.search(text):
            yield from islice(self._findings(at), _MOST)

    def _findings(self, at: Place) -> Iterator[Diagnostic]:
        text = at.source.text
        for place in _STRING_OR_COMMENT.finditer(text):
            is_string = place["string"] is not None
            hidden = _HIDDEN if is_string else _HIDDEN_OR_CONTROL
            for span in _runs(text, hidden, Span(*place.span())):
                found = text[span.start : span.end]
                if is_string:
                    raw = place[0].startswith("r") or text[span.start - 1] == "\\"
                    fix = None if raw else _written_out(span, found)
                else:
                    fix = Fix("delete it", (Edit(span, ""),), safe=True)
                yield self.finding(
                    at, span, f"the {'string' if is_string else 'comment'} holds {_names(found)}",
                    f"delete it, or {fix.title} if it is meant" if is_string and fix
                    else "delete it",
                    fix,
                )  # fmt: skip


def _written_out(span: Span, found: str) -> Fix:
    escaped = "".join(f"\\u{{{ord(char):x}}}" for char in found)
    return Fix(f"write `{escaped}`", (Edit(span, escaped),), safe=True)


def _runs(text: str, hidden: str, inside: Span) -> Iterator[Span]:
    """Where hidden characters that nothing calls for stand, neighbours together."""
    start = end = -1
    for match in re.compile(hidden).finditer(text, *inside):
        if is_called_for(text, match.start()):
            continue
        if match.start() != end:
            if start >= 0:
                yield Span(start, end)
            start = match.start()
        end = match.end()
    if start >= 0:
        yield Span(start, end)


def _names(found: str) -> str:
    """The code points of *found*, the first with its name."""
    import unicodedata

    first = f"U+{ord(found[0]):04X} ({unicodedata.name(found[0], 'control character').lower()})"
    if len(found) == 1:
        return f"{first}, which does not show"
    return f"{first} and {len(found) - 1} more that do not show"
