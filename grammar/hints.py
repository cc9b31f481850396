"""What people write from habit or paste from documents, and how the language writes it."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple


class Confusable(NamedTuple):
    """A character that does not belong: what is said of it, and how many characters it takes."""

    message: str
    hint: str | None
    length: int = 1


_PASTED = {
    **dict.fromkeys("“”„‟«»＂″", ("quotation mark", 'write the plain `"`')),
    **dict.fromkeys("‘’‚‛′＇`´", ("quotation mark", 'strings stand in plain `"…"`')),
    **dict.fromkeys("‐‑‒–—―−﹣－", ("dash", "write the plain `-`")),
    **dict.fromkeys("…", ("ellipsis", "a range is written with two dots, `1..10`")),
    **dict.fromkeys("≤＜", ("comparison", "write `<=`")),
    **dict.fromkeys("≥＞", ("comparison", "write `>=`")),
    **dict.fromkeys("≠", ("comparison", "write `!=`")),
    **dict.fromkeys("×", ("multiplication sign", "write `*`")),
    **dict.fromkeys("÷", ("division sign", "write `/`")),
    **dict.fromkeys("（）［］｛｝：，．＝％", ("full-width character", "write the plain one")),
}

_HABITS = (
    ("&&", "the operator is `and`"),
    ("||", "the operator is `or`"),
    ("!", "the operator is `not`; inequality is `!=`"),
    ("&", "the operator is `and`"),
    ("'", 'strings stand in double quotes, `"…"`'),
    (";", "a statement ends where the next keyword begins; leave `;` out"),
    ("%", "a percent follows its number at once: `85%`"),
    ("$", "names begin with a letter or `_`; there is no interpolation"),
    ("//", "a comment begins with `#`"),
    ("\\", "a backslash stands only inside a string"),
)


def for_character(text: str, offset: int) -> Confusable:
    """The trouble with the character at *offset*, which begins no token."""
    char = text[offset]
    shown = _visible(char)
    if char in _PASTED:
        kind, hint = _PASTED[char]
        name = unicodedata.name(char, "").lower()
        return Confusable(
            f"{shown} is a {kind} that the language does not know ({name})",
            f"{hint}; the text was perhaps pasted from a document",
        )
    for habit, hint in _HABITS:
        if text.startswith(habit, offset):
            return Confusable(f"unexpected `{habit}`", hint, len(habit))
    category = unicodedata.category(char)
    if category in ("Zs", "Zl", "Zp"):
        return Confusable(
            f"{shown} is white space that the language does not know", "write a plain space"
        )
    if category == "Cf":
        return Confusable(f"{shown} is an invisible character outside a string", "delete it")
    if category[0] == "L":
        length = 1
        while offset + length < len(text) and text[offset + length].isalnum():
            length += 1
        return Confusable(
            f"`{text[offset : offset + length]}` is no name",
            "names have the letters A to Z and a to z, digits and `_`; other text goes into "
            "strings",
            length,
        )
    return Confusable(f"unexpected character {shown}", None)


def after_unterminated(text: str) -> str | None:
    """Why the string *text* may lack its end."""
    for quote in "“”„″":
        if quote in text[1:]:
            return (
                f'it ends in {_visible(quote)}, which is not the plain `"`; the text was perhaps '
                "pasted from a document"
            )
    if text.rstrip().endswith("\\"):
        return "a backslash before the end escapes it; write `\\\\` for a backslash"
    return None


_WORDS = {
    "=": "equality is written `==`",
    "implies": "there is no implies: write `not (a) or b`, or put the condition after `when`",
    "is": "equality is written `==`",
    "unless": "write `when not (…)`",
    "if": "a condition on a criterion is written after `when`",
    "then": "a condition on a criterion is written after `when`, what must hold after `check`",
    "exists": "write `any x in xs: …`",
    "forall": "write `all x in xs: …`",
    "every": "write `all x in xs: …`, or `for 10m every 2m` after a predicate",
    "within": "write `for 10m` after a predicate, or `fresh 10m` after a fact",
    "None": "the null value is written `null`",
    "nil": "the null value is written `null`",
    "True": "write `true`",
    "False": "write `false`",
    "AND": "write `and`",
    "OR": "write `or`",
    "NOT": "write `not`",
}


def for_word(text: str) -> str | None:
    return _WORDS.get(text)


def _visible(char: str) -> str:
    if unicodedata.category(char)[0] in "CZ":
        return f"U+{ord(char):04X}"
    return f"`{char}` (U+{ord(char):04X})"
