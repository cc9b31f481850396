"""What a collection answers: the new transcript, and for each tool result what became of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ...compiler.pinning import Root

Reason: TypeAlias = Literal[
    "recent", "barrier", "error", "signed", "short", "opaque", "pointer", "root", "unreachable"
]
Origin: TypeAlias = Literal["given", "barrier", "recent"]

_WORDS: Final[dict[str, str]] = {
    "recent": "it is among the last messages",
    "barrier": "a write barrier is required and none was given",
    "error": "it reports an error",
    "signed": "signed reasoning stands beside it",
    "short": "it is too short to be worth a pointer",
    "opaque": "it has no text",
    "pointer": "it was reclaimed before",
    "unreachable": "no root is mentioned in it",
}
_ORIGINS: Final[dict[str, str]] = {
    "given": "that was given",
    "barrier": "of the write barrier",
    "recent": "that the last messages mention",
}


class Wanted(NamedTuple):
    """A root, and where it comes from."""

    root: Root
    origin: Origin


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one tool result. *block* is its place among the parts of the message, where
    it is a part; *mention* is how it spells the root that keeps it. Lengths are in characters."""

    index: int
    block: int | None
    call: str | None
    reason: Reason
    chars: int = 0
    reclaimed_chars: int = 0
    sha256: str | None = None
    wanted: Wanted | None = None
    mention: str | None = None

    @property
    def reclaimed(self) -> bool:
        return self.reason == "unreachable"

    @property
    def place(self) -> str:
        block = "" if self.block is None else f".content[{self.block}]"
        return f"messages[{self.index}]{block}.content"

    @property
    def words(self) -> str:
        """Why, in words."""
        if self.wanted is None:
            return _WORDS[self.reason]
        root, origin = self.wanted
        spelled = "" if self.mention == root.text else f", as {self.mention}"
        return f"it mentions the {root.kind} {root.text}{spelled}, a root {_ORIGINS[origin]}"

    def to_json(self) -> dict[str, Any]:
        wanted = self.wanted
        root = {} if wanted is None else {
            "root": {"kind": wanted.root.kind, "text": wanted.root.text, "origin": wanted.origin},
            "mention": self.mention,
        }  # fmt: skip
        return {
            "place": self.place,
            "call": self.call,
            "reclaimed": self.reclaimed,
            "reason": self.reason,
            "words": self.words,
            "chars": self.chars,
            "reclaimed_chars": self.reclaimed_chars,
            "sha256": self.sha256,
            **root,
        }


@dataclass(frozen=True, slots=True)
class Projection:
    """A transcript whose unreachable tool results are pointers. *messages* shares every message
    that was not touched; *results* has each tool result, in order; *roots* what was wanted."""

    messages: Any
    results: tuple[Outcome, ...]
    roots: tuple[Wanted, ...]

    @property
    def reclaimed(self) -> tuple[Outcome, ...]:
        return tuple(result for result in self.results if result.reclaimed)

    @property
    def kept(self) -> tuple[Outcome, ...]:
        return tuple(result for result in self.results if not result.reclaimed)

    @property
    def reclaimed_chars(self) -> int:
        return sum(result.reclaimed_chars for result in self.results)

    @property
    def reclaimed_tokens(self) -> int:
        return estimated_tokens(self.reclaimed_chars)

    def to_json(self) -> dict[str, Any]:
        """The report; the messages themselves are no part of it."""
        return {
            "reclaimed": len(self.reclaimed),
            "kept": len(self.kept),
            "reclaimed_chars": self.reclaimed_chars,
            "reclaimed_tokens": self.reclaimed_tokens,
            "roots": [
                {"kind": root.kind, "text": root.text, "origin": origin}
                for root, origin in self.roots
            ],
            "results": [result.to_json() for result in self.results],
        }

    def lines(self) -> Iterator[str]:
        """The report for people, a line for each tool result."""
        for result in self.results:
            verb = "reclaimed" if result.reclaimed else "kept"
            yield f"{verb:9}  {result.place}: {result.words}"


def estimated_tokens(chars: int) -> int:
    """Four characters a token: what models of English and code come to, near enough."""
    return chars // 4


def pointer(chars: int, sha256: str) -> str:
    """The line in the place of a body."""
    tokens = estimated_tokens(chars)
    return (
        f"[tool result reclaimed: {chars} characters, about {tokens} tokens, sha256:{sha256}; "
        "call the tool again if it is needed]"
    )


_POINTER = re.compile(
    r"\[tool result reclaimed: \d+ characters, about \d+ tokens, sha256:[0-9a-f]{64}; "
)


def is_pointer(text: str) -> bool:
    """Does *text* stand in the place of a body already?"""
    return len(text) < 256 and _POINTER.match(text) is not None
