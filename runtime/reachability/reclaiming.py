"""The pass over a transcript: each stale result is kept, with why, or becomes a pointer.

Pure: the messages that are given stay as they are, and those that are not touched are the very same
objects in the answer. Nothing is dropped, moved or renamed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

from ...compiler.pinning import Root
from .policy import Policy
from .projection import Origin, Outcome, Projection, Reason, Wanted, is_pointer, pointer
from .results import Result, fields, is_error, is_signed, results, with_body
from .sources import Sources
from .table import Mention, Table


def reclaim(
    messages: Any,
    roots: Iterable[Root | str] = (),
    policy: Policy | None = None,
    root: str | None = None,
) -> Projection:
    """*messages* without the bodies of those stale tool results that mention nothing wanted.

    *roots* are typed, or texts: one that is a single token names a root, in a longer one those that
    it mentions are found. *root* is the project's absolute folder, below which absolute paths lie.
    Any JSON is accepted as messages; what has no results comes back as it is.
    """
    policy = policy or Policy()
    given = messages if isinstance(messages, list) else []
    stale = max(len(given) - policy.window, 0)
    sources = Sources()
    sources.give(roots, "given")
    sources.give(policy.barrier, "barrier")
    for message in given[stale:]:
        sources.hear(message)
    table = Table(sources.wanted, root)
    collection = _Collection(policy, stale, table, sources.words)
    outcomes: list[Outcome] = []
    new = list(given)
    for result in results(given):
        outcome, line = collection.judge(result, given[result.index])
        outcomes.append(outcome)
        if line is not None:
            _replace(new, given, result, line)
    some = any(outcome.reclaimed for outcome in outcomes)
    return Projection(new if some else messages, tuple(outcomes), table.wanted)


def _replace(new: list[Any], given: list[Any], result: Result, line: str) -> None:
    """Put *line* in the place of the body of *result*, in a copy of its message."""
    index, block = result.index, result.block
    if block is None:
        new[index] = {**given[index], "content": with_body(given[index]["content"], line)}
        return
    if new[index] is given[index]:  # one copy, however many of its parts are reclaimed
        new[index] = {**given[index], "content": list(given[index]["content"])}
    part = given[index]["content"][block]
    new[index]["content"][block] = {**part, "content": with_body(part["content"], line)}


class _Collection(NamedTuple):
    policy: Policy
    stale: int  # messages before this one are
    table: Table
    words: dict[str, Origin]

    def judge(self, result: Result, message: dict[str, Any]) -> tuple[Outcome, str | None]:
        """What becomes of a result, and the line in its place where it is reclaimed."""
        text = result.text or ""
        at = (result.index, result.block, result.id)
        kept = self._untouched(result, message)
        if kept is not None:
            return Outcome(*at, kept, len(text)), None
        if (mention := self._mention(result, text)) is not None:
            wanted, spelled = mention
            return Outcome(*at, "root", len(text), wanted=wanted, mention=spelled), None
        sha256 = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        line = pointer(len(text), sha256)
        saved = len(text) - len(line)
        if saved <= 0:
            return Outcome(*at, "short", len(text)), None
        return Outcome(*at, "unreachable", len(text), saved, sha256), line

    def _untouched(self, result: Result, message: dict[str, Any]) -> Reason | None:
        """Why a result stays whatever it mentions."""
        if result.index >= self.stale:
            return "recent"
        if result.text is None:
            return "opaque"
        if is_pointer(result.text):
            return "pointer"
        if len(result.text) < self.policy.min_chars:
            return "short"
        if is_error(result.holder, result.text):
            return "error"
        if is_signed(message):
            return "signed"
        if self.policy.require_barrier and not self.policy.barrier:
            return "barrier"
        return None

    def _mention(self, result: Result, text: str) -> Mention | None:
        said = fields(result)
        for place in ("\n".join(said.texts), text):
            if place and (mention := self.table.find(place)) is not None:
                return mention
        for name in said.names:
            if (origin := self.words.get(name)) is not None:
                return Wanted(Root("id", name), origin), name
        return None
