from __future__ import annotations

import re
from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.comments import STRING
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ....grammar.source import Span
from ..rule import Place, Rule

# The bytes as Latin-1 shows them, and as Windows-1252 does where it has other characters.
_BYTES = {chr(byte): byte for byte in range(0x80, 0x100)}
_BYTES |= {
    char: byte for byte in range(0x80, 0x100) if (char := bytes([byte]).decode("cp1252", "ignore"))
}


def _bytes(first: int, last: int) -> str:
    chars = (char for char, byte in _BYTES.items() if first <= byte <= last)
    return "[" + "".join(map(re.escape, chars)) + "]"


_REST = _bytes(0x80, 0xBF)
_RUN = re.compile(
    f"(?:{_bytes(0xC2, 0xDF)}{_REST}|{_bytes(0xE0, 0xEF)}{_REST}{{2}}"
    f"|{_bytes(0xF0, 0xF4)}{_REST}{{3}})+"
    "|\N{REPLACEMENT CHARACTER}+"
)
_STRING_OR_COMMENT = re.compile(STRING + r"|#[^\r\n]*")
_CONTROL = re.compile(r"[\x80-\x9f]")
# What closes a word that ends in a capital with an accent: `AMANHÃ”`.
_CLOSING = frozenset("“”’»›…–—")
_ROUNDS = 3  # some texts were decoded wrongly more than once


class Mojibake(Rule):
    """Text that was decoded in the wrong encoding: `Ã©` for `é`."""

    code = Code(
        "GS433", "mojibake", "lint", Severity.WARNING,
        "UTF-8 that a program once took for Windows-1252 or Latin-1 looks like `Ã©` or `â€™`, and "
        "a model or a person who reads it has to guess what stood there. A pattern or a name with "
        "such a text matches nothing any more. The fix writes what the bytes say in UTF-8; where "
        "U+FFFD stands, the original is lost and has to be looked up.",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Ship the cafÃ©â€™s new menu."
  criterion green "The suite passes"
    check suite.passed
}
""",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Ship the café’s new menu."
  criterion green "The suite passes"
    check suite.passed
}
""",
    )  # fmt: skip
    on = (s.File,)
    fix = "unsafe"

    def look(self, node: s.File, at: Place) -> Iterator[Diagnostic]:
        text = at.source.text
        if text.isascii():
            return
        for outer in _STRING_OR_COMMENT.finditer(text):
            for match in _RUN.finditer(text, *outer.span()):
                yield from self._run(match, at)

    def _run(self, match: re.Match[str], at: Place) -> Iterator[Diagnostic]:
        span = Span(*match.span())
        if match[0][0] == "\N{REPLACEMENT CHARACTER}":
            yield self.finding(
                at, span, "U+FFFD stands where a character could not be decoded",
                "look the text up where it came from",
            )  # fmt: skip
            return
        repaired = _repaired(match[0])
        if repaired is not None and not _may_be_meant(match):
            yield self.finding(
                at, span, f"`{match[0]}` is `{repaired}`, decoded in the wrong encoding",
                f"write `{repaired}`",
                Fix(f"write `{repaired}`", (Edit(span, repaired),), safe=False),
            )  # fmt: skip


def _repaired(run: str) -> str | None:
    """What the bytes of *run* say in UTF-8; None where they say nothing."""
    text = run
    for _ in range(_ROUNDS):
        try:
            text = bytes(_BYTES[char] for char in text).decode("utf-8")
        except (KeyError, UnicodeDecodeError):
            break
    return text if text != run and _CONTROL.search(text) is None else None


def _may_be_meant(match: re.Match[str]) -> bool:
    """Is it a letter and what stands behind it: `Spaß“`, `café…»`? Two in a row are not."""
    run, text = match[0], match.string
    if len(run) > 3 or run[0] == "â":
        return False
    if run[0] not in "ÂÃÄÅ":
        return True
    return run[1] in _CLOSING and not text[match.end() : match.end() + 1].isalpha()
