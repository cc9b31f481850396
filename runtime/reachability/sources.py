"""What is wanted: the roots that were given, those of the write barrier, and what the last messages
mention.

From what a person or the model says, and from the arguments of calls, everything counts that names
something. The bodies of recent results name files, commits and issues, but no symbols and folders:
one listing would keep all that was ever read of the project. Names of tools and ids of calls count
nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...compiler.pinning import Root, root_of
from .projection import Origin, Wanted
from .references import WORD, named_by, roots_in, tokens_in, trimmed
from .results import arguments, calls, is_result, spoken, strings


@dataclass(slots=True)
class Sources:
    """Roots, each once with where it came from first, and the plain words that were said: by these
    alone a reference field can be known, as in `{"object_id": "widget"}`."""

    roots: dict[Root, Origin] = field(default_factory=dict)
    words: dict[str, Origin] = field(default_factory=dict)

    @property
    def wanted(self) -> list[Wanted]:
        return [Wanted(root, origin) for root, origin in self.roots.items()]

    def give(self, given: Iterable[Root | str], origin: Origin) -> None:
        for one in given:
            if isinstance(one, Root):
                self.roots.setdefault(one, origin)
            elif len(one.split()) == 1:
                self.roots.setdefault(_root(one.strip()), origin)
            else:
                self._say(one, origin)

    def hear(self, message: Any) -> None:
        """Take up what a recent message mentions."""
        if not isinstance(message, dict):
            return
        for text in spoken(message):
            self._say(text, "recent")
        for call in calls(message):
            for _, text in strings(arguments(call)):
                self._say(text, "recent")
        for text in _shown(message):
            for root in roots_in(text):
                if root.kind not in ("symbol", "directory"):
                    self.roots.setdefault(root, "recent")

    def _say(self, text: str, origin: Origin) -> None:
        for root in roots_in(text):
            self.roots.setdefault(root, origin)
        for token in tokens_in(text):
            self.words.setdefault(trimmed(token), origin)
        for word in WORD.findall(text):
            self.words.setdefault(word, origin)


def _root(text: str) -> Root:
    """A text that is one token, as the root that its giver means."""
    if any(sign in text for sign in "*?["):
        return Root("glob", text)
    known = root_of(text)
    if known is not None and known.kind == "issue":
        return known
    return named_by(text) or known or Root("id", text)


def _shown(message: dict[str, Any]) -> Iterator[str]:
    """The texts of the results in a message."""
    content = message.get("content")
    shown = [content] if is_result(message) else []
    if isinstance(content, list):
        shown += [part.get("content") for part in content if is_result(part)]
    for _, text in strings(shown):
        yield text
