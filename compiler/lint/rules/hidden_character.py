from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ....grammar import syntax as s
from ....grammar.comments import STRING
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ....grammar.source import Span
from ..rule import Place, Rule

# Formats, fillers, directions, tags and variation selectors: what leaves no ink of its own. Listed
# here, since the tables of Unicode differ between versions of Python.
_INVISIBLE = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_ASCII_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# These are compiled when a text first needs them: few do, and it takes longer than all else here.
_HIDDEN = f"[{_INVISIBLE}]"
# In a string a control character is an error of the language.
_HIDDEN_OR_CONTROL = rf"[{_INVISIBLE}\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
_STRING_OR_COMMENT = re.compile(rf"(?P<string>{STRING})|#[^\r\n]*")
_MOST = 20  # findings in one file

_JOINER, _NON_JOINER = "\u200d", "\u200c"
# Arabic, the scripts of India, Tibetan, Burmese, Khmer and Mongolian shape letters by joiners.
_JOINING = "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ua840-\uabff]"
_IDEOGRAPH = "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_MONGOLIAN = "[\u1820-\u18af]"
_EMOJI = (
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_KEYCAP = "[0-9#*]\ufe0f\u20e3"


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
        if _is_called_for(text, match.start()):
            continue
        if match.start() != end:
            if start >= 0:
                yield Span(start, end)
            start = match.start()
        end = match.end()
    if start >= 0:
        yield Span(start, end)


def _is_called_for(text: str, place: int) -> bool:
    """Does the character at *place* shape what stands beside it?"""
    char, before, after = text[place], text[place - 1 : place], text[place + 1 : place + 2]
    if char in (_JOINER, _NON_JOINER):
        if re.match(_JOINING, before) and re.match(_JOINING, after):
            return True
        shown = text[place - 2 : place - 1] if before == "\ufe0f" else before
        return bool(char == _JOINER and re.match(_EMOJI, shown) and re.match(_EMOJI, after))
    if "\ufe0e" <= char <= "\ufe0f":
        return bool(re.match(_EMOJI, before) or re.match(_KEYCAP, text[place - 1 : place + 2]))
    if "\ufe00" <= char <= "\ufe0d" or "\U000e0100" <= char <= "\U000e01ef":
        return re.match(_IDEOGRAPH, before) is not None
    return "\u180b" <= char <= "\u180f" and re.match(_MONGOLIAN, before) is not None


def _names(found: str) -> str:
    """The code points of *found*, the first with its name."""
    import unicodedata

    first = f"U+{ord(found[0]):04X} ({unicodedata.name(found[0], 'control character').lower()})"
    if len(found) == 1:
        return f"{first}, which does not show"
    return f"{first} and {len(found) - 1} more that do not show"
