"""Is a quote what the judge was shown? White space is folded and Unicode composed; else it must
stand in one piece of the item, and not begin or end within a word or a number.
"""

from __future__ import annotations

import unicodedata

from ...compiler.rendering.escaping import unescaped

MIN_QUOTE = 4  # characters, folded; of a shorter text the quote is all


def folded(text: str) -> str:
    """*text* in composed form, each run of white space a single blank."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def stands_in(quote: str, pieces: tuple[str, ...]) -> bool:
    """Does *quote* stand in one of the *pieces* of an item? It may be spelled as the item is, or as
    the item was shown."""
    spellings = {folded(quote), folded(unescaped(f"\n{quote}"))}
    texts = [folded(piece) for piece in pieces]
    return any(_found(spelling, text) for spelling in spellings for text in texts)


def _found(quote: str, text: str) -> bool:
    if not any(map(str.isalnum, quote)) or (len(quote) < MIN_QUOTE and quote != text):
        return False
    at = text.find(quote)
    while at >= 0:
        end = at + len(quote)
        if not _joined(text, at) and not _joined(text, end):
            return True
        at = text.find(quote, at + 1)
    return False


def _joined(text: str, at: int) -> bool:
    """Does the place *at* lie within a word or a number? Only where words are set apart by blanks
    does this mean anything: `0 failed` is no quote of `10 failed`."""
    return 0 < at < len(text) and _is_word(text[at - 1]) and _is_word(text[at])


def _is_word(char: str) -> bool:
    return char.isdigit() or (char.isascii() and char.isalnum()) or char == "_"
