"""A goal's block in a transcript: the text, its stamp, and how a fold's own is known again.

A block vouches for itself: its fence's mark is made of what it holds. That alone does not make it a
fold's, for a person may quote one. It is one where the message's metadata say so, where a machine
wrote the message, or, in hosts without metadata, where it ends a user's message.
"""

from __future__ import annotations

import hashlib
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from ...compiler.ir.document import Goal
from ...compiler.rendering import PRESERVED_HEADER, render
from ...compiler.rendering.fence import mark_of
from ..transcript import call_ids, has_role, is_human, provenance_of, text_of
from ..transcript.messages import is_text, metadata_of

STAMP = "goalspec"
GAP = "\n\n"  # between the text of a message and a block that joins it

_OPEN = re.compile(r"^<(goal-[0-9a-f]{12})>\n", re.MULTILINE)
_CLOSING = re.compile(r"\n</(goal-[0-9a-f]{12})>")
_HEADER_LINE = re.compile(rf"^{re.escape(PRESERVED_HEADER)}$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Found:
    """A block at a place in a text. *whole*: it holds what its mark was made of."""

    start: int
    end: int
    text: str
    body: str
    whole: bool


def block_of(goal: Goal) -> str:
    """The block of a goal: its contract, word for word, under a header that commands nothing."""
    return render(goal, "preserved").text


def stamp_of(goal: Goal, generation: int, block: str) -> dict[str, Any]:
    return {
        "goal": goal.id,
        "contract": goal.contract,
        "generation": generation,
        "sha256": sha256(block),
    }


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def contract_in(block: str) -> str:
    """What of a block every text of the goal has: the body, without the lines that identify it."""
    (found,) = found_in(block)
    return found.body.split("\n", 2)[2]


def stamped(message: Any) -> dict[str, Any] | None:
    """The stamp of a message; what a host keeps under the same key is none."""
    stamp = metadata_of(message).get(STAMP)
    return stamp if isinstance(stamp, dict) and isinstance(stamp.get("sha256"), str) else None


def found_in(text: str) -> list[Found]:
    """The blocks in *text*, whole or not: each from a header line to the fence's end."""
    if PRESERVED_HEADER not in text:
        return []
    starts = [match.start() for match in _HEADER_LINE.finditer(text)]
    blocks = (_found(text, start, end) for start, end in pairwise([*starts, len(text)]))
    return [block for block in blocks if block is not None]


def _found(text: str, start: int, limit: int) -> Found | None:
    opened = _OPEN.search(text, start, limit)
    if opened is None:
        return None
    closing = f"\n</{opened[1]}>"
    close = text.find(closing, opened.end() - 1, limit)
    if close < 0:
        return None
    end = close + len(closing)
    body = text[opened.end() : close]
    return Found(start, end, text[start:end], body, _makes(body, opened[1]))


def _makes(body: str, mark: str) -> bool:
    """Is *mark* made of *body*?"""
    try:
        return mark_of(body) == mark
    except UnicodeEncodeError:  # a lone surrogate, which no block has
        return False


def bodies_in(text: str) -> Iterator[str]:
    """What stands in the fences of *text*, under whatever header, that hold what their marks were
    made of."""
    closings: dict[str, deque[int]] = {}
    for closing in _CLOSING.finditer(text):
        closings.setdefault(closing[1], deque()).append(closing.start())
    at = 0
    for opened in _OPEN.finditer(text):
        places = closings.get(opened[1], deque())
        while places and places[0] < opened.end() - 1:
            places.popleft()
        if opened.start() >= at and places:
            at = places[0]
            if _makes(text[opened.end() : at], opened[1]):
                yield text[opened.end() : at]


def is_written_by_machine(message: Any) -> bool:
    return provenance_of(message) in ("synthetic", "summary")


def may_hold(message: Any) -> bool:
    """Could a fold's block stand in *message*? Said of a hundred thousand messages, so it looks at
    as little as it can."""
    if not isinstance(message, dict):
        return False
    metadata = message.get("metadata")
    if metadata and isinstance(metadata, dict):
        if STAMP in metadata:
            return True
        provenance = metadata.get("provenance")
        if provenance == "human":
            return False
        if provenance in ("synthetic", "summary"):
            return True
    role = message.get("role")
    if role == "user":
        content = message.get("content")
        if isinstance(content, list):
            return any(map(_is_edged, (part["text"] for part in content if is_text(part))))
        return isinstance(content, str) and _is_edged(content)
    return role in ("system", "developer") and PRESERVED_HEADER in text_of(message)


def _is_edged(text: str) -> bool:
    return text.endswith(">") or text.startswith(PRESERVED_HEADER)


def folds_in(message: Any) -> list[Found]:
    """The blocks in *message* that folds wrote."""
    return [block for _, blocks in _located(message) for block in blocks]


def without_blocks(message: Any) -> Any:
    """*message* without the blocks that folds wrote into it, the same where there is none; None
    where nothing else was in it."""
    left = _without_located(message)
    if left is message or left is None or is_human(left) or not folds_in(left):
        return left
    return _without_headers(left)  # what is left closed up to a block again


def _without_headers(message: Any) -> Any:
    """A *message* of no person's in which nothing can pass for a block: no header line is left."""
    content = message["content"]
    if isinstance(content, str):
        return {**message, "content": _HEADER_LINE.sub("", content)}
    parts = [
        {**part, "text": _HEADER_LINE.sub("", part["text"])} if is_text(part) else part
        for part in content
    ]
    return {**message, "content": parts}


def _without_located(message: Any) -> Any:
    located = dict(_located(message))
    if not located:
        return message
    content, stamp = message["content"], stamped(message)
    left: str | list[Any] | None
    if isinstance(content, str):
        left = _without(content, located[0])
    else:
        left = list(_without_parts(content, located))
    whole = stamp is None or is_written_by_machine(message)  # a block is all that it was for
    if not left and left != "" and whole and not call_ids(message):
        return None
    return _unstamped({**message, "content": left or type(content)()})


def gone(message: Any) -> Any:
    """What stands in the place of a machine's *message* that goes, where one has to stand."""
    line = "[What stood here has its place elsewhere, or is over.]"
    return {**message, "content": line, "metadata": {"provenance": "synthetic"}}


def _unstamped(message: dict[str, Any]) -> dict[str, Any]:
    if stamped(message) is None:
        return message
    metadata = {key: value for key, value in message["metadata"].items() if key != STAMP}
    rest = {key: value for key, value in message.items() if key != "metadata"}
    return {**rest, "metadata": metadata} if metadata else rest


def _located(message: Any) -> Iterator[tuple[int, list[Found]]]:
    """The places of the texts in *message* that hold blocks of folds, with those. In a machine's
    message every block is a fold's, a damaged one too. A person's has the last that the stamp
    knows. Where nothing is marked, whole blocks are: in the instructions each, and in the user's
    place those that begin or end a text."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    texts = [(at, part["text"]) for at, part in enumerate(parts) if is_text(part)]
    stamp = stamped(message)
    if is_written_by_machine(message):
        located = ((at, found_in(text)) for at, text in texts)
    elif stamp is not None:
        matching = ((at, _stamped_in(text, stamp)) for at, text in reversed(texts))
        located = ((at, blocks[-1:]) for at, blocks in matching if blocks)
        yield from islice(located, 1)
        return
    elif has_role(message, "user"):
        located = ((at, _at_the_edges(found_in(text), text)) for at, text in texts)
    else:
        located = ((at, [one for one in found_in(text) if one.whole]) for at, text in texts)
    yield from ((at, blocks) for at, blocks in located if blocks)


def _at_the_edges(blocks: list[Found], text: str) -> list[Found]:
    """Those of the *blocks* in *text* that are whole and begin or end it, one after another."""
    start = 0
    first = 0
    for block in blocks:
        if not block.whole or block.start != start:
            break
        first += 1
        start = block.end + (len(GAP) if text.startswith(GAP, block.end) else 0)
    end, last = len(text), len(blocks)
    for block in reversed(blocks):
        if last == first or not block.whole or block.end != end:
            break
        last -= 1
        end = block.start - (len(GAP) if text.endswith(GAP, 0, block.start) else 0)
    return [*blocks[:first], *blocks[last:]]


def _stamped_in(text: str, stamp: dict[str, Any]) -> list[Found]:
    return [block for block in found_in(text) if _is_stamped(block, stamp)]


def _is_stamped(block: Found, stamp: dict[str, Any]) -> bool:
    return block.whole and stamp.get("sha256") == sha256(block.text)


def _without_parts(parts: list[Any], located: dict[int, list[Found]]) -> Iterator[Any]:
    for at, part in enumerate(parts):
        left = _without(part["text"], located[at]) if at in located else None
        if at not in located:
            yield part
        elif left is not None:
            yield {**part, "text": left}


def _without(text: str, blocks: list[Found]) -> str | None:
    """*text* without *blocks*; None where it was nothing else. A block that joined a text stands
    after a gap, which goes with it; after one that began the text, the gap behind it goes."""
    pieces: list[str] = []
    at = 0
    for block in blocks:
        pieces.append(text[at : block.start].removesuffix(GAP))
        at = block.end
        if block.start == 0 and text.startswith(GAP, at):
            at += len(GAP)
    left = "".join((*pieces, text[at:]))
    return left if left or text.startswith(GAP) else None
