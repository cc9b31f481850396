"""Is a quote what the judge was shown? White space is folded and Unicode composed; else it must
stand in one piece of the item, and not begin or end within a word or a number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from ...compiler.rendering.escaping import unescaped

MIN_QUOTE = 4  # characters, folded; of a shorter text the quote is all

# Only where words are set apart by blanks does it mean something to stand within one.
_WORD = r"[\dA-Za-z_]"


def folded(text: str) -> str:
    """*text* in composed form, each run of white space a single blank."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def stands_in(quote: str, pieces: Iterable[str]) -> bool:
    """Does *quote* stand in one of the *pieces* of an item, which are folded? It may be spelled as
    the item is, or as the item was shown."""
    spellings = {folded(quote), folded(unescaped(f"\n{quote}"))}
    return any(_found(spelling, piece) for spelling in spellings for piece in pieces)


def _found(quote: str, text: str) -> bool:
    """`0 failed` is not found in `10 failed`."""
    if not any(map(str.isalnum, quote)) or (len(quote) < MIN_QUOTE and quote != text):
        return False
    before = rf"(?<!{_WORD})" if re.match(_WORD, quote) else ""
    after = rf"(?!{_WORD})" if re.match(_WORD, quote[-1]) else ""
    return re.search(f"{before}{re.escape(quote)}{after}", text) is not None
