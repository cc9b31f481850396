"""What people write from habit or paste from documents, and how the language writes it."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple


class Confusable(NamedTuple):
    """A character that does not belong: what is said of it, how many characters the trouble takes,
    and how many before it belong to it."""

    message: str
    hint: str | None
    length: int = 1
    back: int = 0


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
    ("|", "the operator is `or`"),
    ("**", "there is no power; multiply"),
    ("'", 'strings stand in double quotes, `"…"`'),
    (";", "a statement ends where the next keyword begins; leave `;` out"),
    ("//", "a comment begins with `#`"),
    ("%", "a percent follows its number at once: `85%`"),
    ("$", "names begin with a letter or `_`; there is no interpolation"),
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
            f"{shown} is {an(kind)} that the language does not know ({name})",
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
        length, back = 1, 0
        while offset + length < len(text) and text[offset + length].isalnum():
            length += 1
        while back < offset and _is_word(text[offset - back - 1]):
            back += 1
        return Confusable(
            f"`{text[offset - back : offset + length]}` is no name: it holds {shown}",
            "names have the letters A to Z and a to z, digits and `_`; other text goes into "
            "strings",
            length,
            back,
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
    if text.rstrip().rstrip('"').endswith("\\"):
        return (
            'a backslash before the end escapes it; write `\\\\`, or a string without escapes, r"…"'
        )
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


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def for_word(text: str) -> str | None:
    """How the language says what *text* says elsewhere."""
    return _WORDS.get(text)


def for_operator(text: str, offset: int) -> str | None:
    """The same for an operator of other languages at *offset*."""
    return next((hint for habit, hint in _HABITS if text.startswith(habit, offset)), None)


def an(noun: str) -> str:
    """*noun* with its article."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def _visible(char: str) -> str:
    if unicodedata.category(char)[0] in "CZ":
        return f"U+{ord(char):04X}"
    return f"`{char}` (U+{ord(char):04X})"
