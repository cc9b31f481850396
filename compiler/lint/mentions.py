"""What a description mentions: its words, and the paths among them, as globs. English."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..patterns import PatternError, compile_glob

_WORD = re.compile(r"[^\W_]+")
_PATH = re.compile(r"(?:[\w.*?-]+/)*[\w.*?-]*")
_MARKS = "`'\"“”‘’()[]<>,;:!?"
_ENDINGS = frozenset(
    "c cc cfg cpp cs css csv env go goal gradle h hpp html ini ipynb java js json jsx kt lock md "
    "mod php proto py rb rs rst scala scss sh sql sum swift tf toml ts tsx txt xml yaml yml".split()
)
# What ends like a file and is none.
_PRODUCTS = frozenset("d3.js express.js next.js node.js nuxt.js three.js vue.js".split())
# `src/login` is a path, `read/write` is two words: without an ending, the first folder tells.
_FOLDERS = frozenset(
    ".github app apps cmd config docs internal lib migrations packages pkg scripts src test tests "
    "vendor".split()
)


def words(text: str) -> list[str]:
    """The words of *text* in small letters, each in the singular, in order."""
    return [_singular(word) for word in _WORD.findall(text.lower())]


def first_path(text: str) -> tuple[str, str] | None:
    """The first path that *text* names, as it is written, and a glob of what it stands for."""
    return next(_paths(text), None)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _paths(text: str) -> Iterator[tuple[str, str]]:
    for word in text.split():
        path = word.strip(_MARKS).removesuffix("'s").removesuffix("’s").strip(_MARKS).rstrip(".")
        glob = _glob(path) if len(path) < 200 and _PATH.fullmatch(path) else None
        if glob is not None and _is_good(glob):
            yield path, glob


def _glob(path: str) -> str | None:
    folders, _, name = path.rpartition("/")
    if not any(char.isalpha() for char in path):
        return None
    if not name:
        return f"{path}**"
    stem, dot, ending = name.rpartition(".")
    if dot and ending in _ENDINGS and name.lower() not in _PRODUCTS and (stem or folders):
        return path if folders else f"**/{path}"
    if folders and "*" in path:
        return path
    return f"{path}/**" if path.partition("/")[0] in _FOLDERS and folders else None


def _is_good(glob: str) -> bool:
    try:
        compile_glob(glob)
    except PatternError:
        return False
    return True
