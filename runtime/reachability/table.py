"""Roots in tables, so that a text is searched for all of them at once.

A text is cut into plain words at the speed of C, and a look at one set tells that it holds no word
of any root; so ends the search of most texts. Only where such a word is there are the tokens around
it read and looked up: names by equality, hashes by their first seven digits, paths by the folders
above them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from ...compiler.patterns import Matcher, PatternError, compile_glob
from .projection import Wanted
from .references import (
    ISSUES,
    LONGEST,
    TOKEN,
    WORD,
    composed,
    normal,
    path_of,
    readings,
    repository,
    spellings,
    tokens_in,
    trimmed,
)

Mention: TypeAlias = tuple[Wanted, str]  # a root, and how the text spells it

CHUNK: Final = 1 << 16  # bytes that are cut into words at a time: the words fit a cache
MOST_GATES: Final = 8  # beyond it, looking for each costs what cutting into words does
DEEPEST: Final = 64  # folders of a path of which any may be the project's
FEW: Final = 16  # so many needles are looked for one by one; with more, every token is read

_PLAIN = bytes(
    byte if chr(byte).isascii() and (chr(byte).isalnum() or byte == 95) else 32
    for byte in range(256)
)
_NO_WORD = re.compile(rb"[^A-Za-z0-9_]")
_GLUE = ("", "n", "r", "t")  # what is left of an escaped line break before a word
_WILD = re.compile(r"\[[^\]/]*\]|[*?]")
# A word that nothing makes longer: neither a wildcard nor a letter that may be spelled in two ways.
_WHOLE_WORD = re.compile(r"(?<![^\x01-\x7f])(?<!\w)[A-Za-z0-9_]+(?!\w)(?![^\x01-\x7f])")
_SIGNS = re.compile(r"[/\\:#@+~%$]+")
_JOINT = re.compile(r"::|[.#]")
_HEX = re.compile(r"[0-9A-Fa-f]{7,64}")
_NUMBER = re.compile(r"0*([0-9]+)$")
_FULL_HASHES = frozenset((40, 64))


class _Needle(NamedTuple):
    """What a text holds where it mentions a root: all of *words* as words of their own (or one of
    them, with *either*), and all of *parts* somewhere."""

    words: tuple[str, ...]
    parts: tuple[str, ...]
    either: bool = False


class Table:
    """The roots that are *wanted*; *root* is the project's absolute folder, where it is known. A
    root that was given covers what lies below it; one of the last messages does not, or a search
    in `src/` would keep all that was ever read there."""

    def __init__(self, wanted: Iterable[Wanted], root: str | None = None) -> None:
        self.wanted = tuple(wanted)
        self._root = None if root is None else (normal(root) or "").rstrip("/")
        self._names: dict[str, Wanted] = {}
        self._symbols: dict[str, Wanted] = {}
        self._hashes: dict[str, list[Wanted]] = {}
        self._issues: dict[str, dict[str, Wanted]] = {}  # by number, then by repository
        self._files: dict[str, Wanted] = {}
        self._folders: dict[str, Wanted] = {}
        self._globs: list[tuple[Matcher, Wanted]] = []
        self._odd: list[tuple[str, Wanted]] = []
        entered = (self._enter(one) for one in self.wanted)
        needles = [needle for needle in entered if needle is not None]
        needles += [_in_capitals(needle) for needle in needles if needle.either]
        self._everywhere = [("", needle) for needle in needles if not needle.words]
        self._everywhere += self._shortened()
        self._anchored = _anchored([needle for needle in needles if needle.words])
        self._words = frozenset(self._anchored)
        self._gates = _gates([*(needle for _, needle in self._everywhere), *needles])

    # --- entering

    def _enter(self, wanted: Wanted) -> _Needle | None:
        kind, text = wanted.root.kind, composed(wanted.root.text.strip())
        if kind == "issue" and (number := _NUMBER.search(text)):
            issue = ISSUES.search(text)
            home = repository(issue).lower() if issue else ""
            self._issues.setdefault(number[1], {}).setdefault(home, wanted)
            return _Needle((number[1],), (number[1],))
        if kind == "hash" and _HEX.fullmatch(text):
            return self._enter_hash(wanted, text.lower())
        if kind in ("path", "directory", "glob"):
            return self._enter_path(wanted, text)
        if not (name := trimmed(text)):
            return None
        (self._symbols if kind == "symbol" else self._names).setdefault(name, wanted)
        self._keep_odd(name, wanted)
        return _needle([name])

    def _enter_hash(self, wanted: Wanted, text: str) -> _Needle:
        self._hashes.setdefault(text[:7], []).append(wanted)
        shortened = tuple(text[:length] for length in range(7, len(text) + 1))
        return _Needle(shortened, (text[:7],), either=True)

    def _shortened(self) -> list[tuple[str, _Needle]]:
        """Needles for hashes that a text may have in full, where they are few: a word in full is
        not the word that is looked for. Many are found by the length of a hash in full."""
        starts = [
            start
            for start, all_wanted in self._hashes.items()
            if any(len(wanted.root.text.strip()) not in _FULL_HASHES for wanted in all_wanted)
        ]
        self._many_shortened = len(starts) > FEW // 4
        needles = [_Needle((), (one,)) for one in starts]
        needles += [_in_capitals(needle) for needle in needles]
        return [] if self._many_shortened else [("", needle) for needle in needles]

    def _enter_path(self, wanted: Wanted, text: str) -> _Needle | None:
        if wanted.root.kind == "glob":
            glob = self._relative(text.removeprefix("./")) or ""
            if (matcher := _matcher(glob)) is not None:
                self._globs.append((matcher, wanted))
                return _needle(_WILD.sub("\0", glob).split("/"))
        path = self._relative(path_of(text))
        if path is None:
            return None  # it leads out of the project
        segments = [part for part in path.split("/") if part]
        names = [path]
        if self._floats(path):
            names += ["/".join(segments[at:]) for at in range(1, len(segments) - 1)]
            segments = segments[-2:]
        for name in names:
            self._files.setdefault(name, wanted)
            self._keep_odd(name, wanted)
            if wanted.origin != "recent":
                self._folders.setdefault(name.rstrip("/"), wanted)
        return _needle(segments)

    def _keep_odd(self, text: str, wanted: Wanted) -> None:
        """Remember a root that is no single token: a file whose name has a space, say."""
        if text and (len(text) > LONGEST or TOKEN.fullmatch(text) is None):
            self._odd.append((text, wanted))

    def _relative(self, path: str | None) -> str | None:
        """*path* below the project's root, where it is absolute and the root is known."""
        if path is None or self._root is None or not path.startswith("/"):
            return path
        if path == self._root:
            return ""
        return path[len(self._root) + 1 :] if path.startswith(f"{self._root}/") else path

    def _floats(self, path: str) -> bool:
        """May any folder of *path* be the project's?"""
        return path.startswith("~/") or (path.startswith("/") and self._root is None)

    # --- searching

    def find(self, text: str) -> Mention | None:
        """The first mention of a root in *text*, if there is one."""
        for reading in readings(text):
            if (mention := self._find(reading)) is not None:
                return mention
        return None

    def _find(self, text: str) -> Mention | None:
        if self._gates and not any(map(text.__contains__, self._gates)):
            return None
        near = [*self._everywhere, *self._near(text)]
        if len(near) <= FEW:
            near = [one for one in near if all(part in text for part in one[1].parts)]
        words = list(dict.fromkeys(word for word, _ in near))
        if not words:
            return None
        text = composed(text)
        issue = self._issue(text) if any(word in self._issues for word in words) else None
        return issue or self._spelled(text) or self._token(text, words)

    def _near(self, text: str) -> Iterator[tuple[str, _Needle]]:
        """The needles of which *text* holds the word."""
        if not self._words:
            return
        found: set[bytes] = set()
        data = text.encode("utf-8", "surrogatepass")
        start = 0
        while start < len(data):
            gap = _NO_WORD.search(data, start + CHUNK)
            end = len(data) if gap is None else gap.end()
            words = data[start:end].translate(_PLAIN).split()
            found |= self._words.intersection(words)
            if self._many_shortened and not _FULL_HASHES.isdisjoint(map(len, words)):
                full = (word[:7] for word in words if len(word) in _FULL_HASHES)
                found |= self._words.intersection(full)
            start = end
        for word in sorted(found):
            yield from self._anchored[word]

    def _issue(self, text: str) -> Mention | None:
        for match in ISSUES.finditer(text):
            if homes := self._issues.get(match[1].lstrip("0")):
                home = repository(match).lower() or next(iter(homes))
                if wanted := homes.get(home) or homes.get(""):
                    return wanted, match[0]
        return None

    def _spelled(self, text: str) -> Mention | None:
        """A root that is no single token, letter for letter."""
        for name, wanted in self._odd:
            start = text.find(name)
            while start >= 0:
                end = start + len(name)
                if not _joins(text[start - 1 : start]) and not _joins(text[end : end + 1]):
                    return wanted, name
                start = text.find(name, end)
        return None

    def _token(self, text: str, words: list[str]) -> Mention | None:
        some = words if len(words) <= FEW else [""]
        for token in tokens_in(text):
            if any(word in token for word in some):
                for spelling in spellings(token):
                    if wanted := self.named(spelling):
                        return wanted, trimmed(spelling)
        return None

    def named(self, token: str) -> Wanted | None:
        """The root that *token* names."""
        token = trimmed(token)
        return self._name(token) or self._symbol(token) or self._path(token)

    def _name(self, token: str) -> Wanted | None:
        pieces = [token, *(piece.strip(".-") for piece in _SIGNS.split(token))]
        for piece in pieces:
            if wanted := self._names.get(piece):
                return wanted
            if _HEX.fullmatch(piece):
                said = piece.lower()
                for wanted in self._hashes.get(said[:7], ()):
                    digits = wanted.root.text.strip().lower()
                    if said.startswith(digits) or digits.startswith(said):
                        return wanted
        return None

    def _symbol(self, token: str) -> Wanted | None:
        if not self._symbols or "/" in token:
            return None
        joints = list(_JOINT.finditer(token))
        ends = (token[joint.end() :] for joint in joints)
        starts = (token[: joint.start()] for joint in joints)
        for name in (token, *ends, *starts, *WORD.findall(token)):
            if wanted := self._symbols.get(name):
                return wanted
        return None

    def _path(self, token: str) -> Wanted | None:
        for path in self._paths(token):
            if wanted := self._files.get(path):
                return wanted
            if self._folders:
                for folder in _above(path):
                    if wanted := self._folders.get(folder):
                        return wanted
            for matches, wanted in self._globs:
                if path and matches(path):
                    return wanted
        return None

    def _paths(self, token: str) -> Iterator[str]:
        """The paths that *token* may stand for; `a/` and `b/` are the two sides of a diff."""
        path = self._relative(path_of(token))
        if path is None:
            return
        yield path
        if path.startswith(("a/", "b/")):
            yield path[2:]
        if self._floats(path):
            segments = path.split("/")[1:][-DEEPEST:]
            for at in range(len(segments)):
                yield "/".join(segments[at:])


def _needle(segments: list[str]) -> _Needle:
    words = [word for segment in segments for word in _WHOLE_WORD.findall(segment)]
    plain = (segment for segment in segments if segment.isascii() and "\0" not in segment)
    return _Needle(tuple(dict.fromkeys(words)), tuple(plain))


def _in_capitals(needle: _Needle) -> _Needle:
    """The needle of a hash that a text has in capitals."""
    words, parts = (tuple(map(str.upper, some)) for some in needle[:2])
    return _Needle(words, parts, needle.either)


def _anchored(needles: list[_Needle]) -> dict[bytes, list[tuple[str, _Needle]]]:
    """Each needle under the word of it that fewest others have."""
    shared = Counter(word for needle in needles for word in needle.words)
    table: dict[bytes, list[tuple[str, _Needle]]] = {}
    for needle in needles:
        rarest = min(needle.words, key=lambda word: (shared[word], -len(word), word))
        for word in needle.words if needle.either else (rarest,):
            for glue in _GLUE:
                table.setdefault((glue + word).encode(), []).append((word, needle))
    return table


def _gates(needles: list[_Needle]) -> tuple[str, ...]:
    """A few texts of which each needle's parts have one, such as the folder `src`: where none of
    them is, no needle is. Empty where it takes more than a few."""
    gates: list[str] = []
    while needles:
        shared = Counter(part for needle in needles for part in needle.parts)
        if len(gates) == MOST_GATES or not all(needle.parts for needle in needles):
            return ()
        gates.append(max(shared, key=lambda part: (shared[part], len(part), part)))
        needles = [needle for needle in needles if gates[-1] not in needle.parts]
    return tuple(gates)


def _above(path: str) -> Iterator[str]:
    """The folders above *path*, and itself, the nearest first."""
    while path:
        yield path
        path = path[: max(path.rfind("/"), 0)]
    yield ""


def _joins(char: str) -> bool:
    return char.isalnum() or char in ("_", "/", "-")


def _matcher(glob: str) -> Matcher | None:
    try:
        return compile_glob(glob)
    except PatternError:
        return None  # its signs are letters of a name, as in `app/[id]/page.tsx`
