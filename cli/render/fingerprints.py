"""What a service knows a finding by from one run to the next.

A fingerprint is made of code, file and message, not of the line, so that it stays the same when
text is added above; equal ones are told apart by counting.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from urllib.parse import quote

from ...grammar.diagnostics import Diagnostic


def fingerprints(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """The fingerprint of each of *diagnostics*, which stand in the order of their places."""
    seen: Counter[str] = Counter()
    for diagnostic in diagnostics:
        parts = (diagnostic.code.id, uri(diagnostic.path), diagnostic.message)
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
        seen[digest] += 1
        yield f"{digest}:{seen[digest]}"


def uri(path: str) -> str:
    """*path* as a reference relative to where the tool ran; an absolute path as a `file` URI."""
    pure = PurePath(path)
    return pure.as_uri() if pure.is_absolute() else quote(pure.as_posix(), errors="surrogateescape")
