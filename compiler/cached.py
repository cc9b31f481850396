"""Compiled files, kept by content: a file whose text and surroundings are the same has the same
document, and reading that needs neither the parser nor the compiler.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from .cache import Cache, code_digest
from .project import find_root
from .used_files import UsedFiles, used_files

if TYPE_CHECKING:
    from .ir.document import Document


def load_cached(path: Path, name: str, cache: Cache) -> Document:
    """The document of the file at *path*, called *name* in messages. Raises SpecError, OSError."""
    data = path.read_bytes()
    place = Path(os.path.realpath(path))
    root = find_root(place.parent)
    where = os.path.relpath(place, root).encode(errors="surrogateescape")
    key = sha256(code_digest() + b"document\0" + where + b"\0" + data).digest()
    entry = cache.get([key]).get(key)
    if entry is not None and UsedFiles().are_unchanged(root, entry["uses"]):
        from .ir.packed import unpack

        return unpack(entry["document"])
    from .compilation import Compiler
    from .ir.packed import pack
    from .spec_error import SpecError

    compiler = Compiler(root)
    checked = compiler.check_bytes(data, name, place)
    if checked.has_errors:
        raise SpecError(checked.errors)
    document = compiler.document_of(checked)
    used = used_files(checked.unit, root)
    if used is not None:
        cache.put([(key, {"uses": used, "document": pack(document)})])
    return document
