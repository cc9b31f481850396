"""The common chat shape, and small readers of it that any JSON may be given to.

A message has a role and a content, a text or parts; an assistant's may have calls of tools, each of
which a message of the role `tool` answers. Who a user's message comes from stands in its metadata.
Fields that are not named here are nobody's business but the host's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict

Provenance: TypeAlias = Literal["human", "synthetic", "summary"]
"""Whose words a message has: a person's, the runtime's, or a model's about the messages before."""


class Call(TypedDict, total=False):
    """A tool that an assistant calls; *arguments* are as the host has them, text or an object."""

    id: str
    name: str
    arguments: Any


class Stamp(TypedDict, total=False):
    """Which block of a goal a message carries: its goal, the hash of its contract, the record's
    generation, and the SHA-256 of the block. *stale*: nobody could tell whether it still holds."""

    goal: str
    contract: str
    generation: int
    sha256: str
    stale: bool


class Metadata(TypedDict, total=False):
    """What a host keeps of a message and no model sees."""

    provenance: Provenance
    goalspec: Stamp


class Message(TypedDict, total=False):
    """One row of a transcript. A part of its content is `{"type": "text", "text": …}`, or of a kind
    that is left as it is."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[dict[str, Any]]
    tool_calls: list[Call]
    tool_call_id: str
    is_error: bool
    metadata: Metadata


def has_role(message: Any, *roles: str) -> bool:
    """Is *message* a message of one of *roles*?"""
    return isinstance(message, dict) and message.get("role") in roles


def text_of(message: Any) -> str:
    """The text of a message; its text parts follow one another on lines of their own."""
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    return "\n".join(texts(content)) if isinstance(content, list) else ""


def texts(parts: Sequence[Any]) -> Iterator[str]:
    """The texts of the text parts among *parts*."""
    for part in parts:
        if is_text(part):
            yield part["text"]


def is_text(part: Any) -> bool:
    return (
        isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)
    )


def metadata_of(message: Any) -> Mapping[str, Any]:
    metadata = message.get("metadata") if isinstance(message, dict) else None
    return metadata if isinstance(metadata, dict) else {}


def provenance_of(message: Any) -> str | None:
    """What a message's metadata say of whose words it has; None where they say nothing."""
    provenance = metadata_of(message).get("provenance")
    return provenance if provenance in ("human", "synthetic", "summary") else None


def is_human(message: Any) -> bool:
    """Is it a person's message? A user's is, unless its metadata say that a machine wrote it."""
    return has_role(message, "user") and provenance_of(message) in (None, "human")


def is_machine_user(message: Any) -> bool:
    """Is it a message in the user's place that a machine wrote?"""
    return has_role(message, "user") and provenance_of(message) in ("synthetic", "summary")


def call_ids(message: Any) -> list[str]:
    """The ids of the calls that an assistant's message makes."""
    calls = message.get("tool_calls") if has_role(message, "assistant") else None
    if not isinstance(calls, list):
        return []
    return [
        call["id"] for call in calls if isinstance(call, dict) and isinstance(call.get("id"), str)
    ]


def result_id(message: Any) -> str | None:
    """The id of the call that a tool's message answers."""
    id = message.get("tool_call_id") if has_role(message, "tool") else None
    return id if isinstance(id, str) else None


@dataclass(frozen=True, slots=True)
class Unpaired:
    """Places and ids of calls that no result answers, and of results that answer no call."""

    calls: tuple[tuple[int, str], ...]
    results: tuple[tuple[int, str], ...]


def unpaired(messages: Sequence[Any]) -> Unpaired:
    """The calls and results in *messages* that miss the other. The calls that the
    transcript ends with wait for their results and miss nothing; a result answers the last open
    call of its id."""
    open_calls: dict[str, list[int]] = {}
    results = []
    for at, message in enumerate(messages):
        for id in call_ids(message):
            open_calls.setdefault(id, []).append(at)
        answered = result_id(message)
        if answered is None:
            continue
        if open_calls.get(answered):
            open_calls[answered].pop()
        else:
            results.append((at, answered))
    pending = free_place(messages)
    calls = sorted((at, id) for id, places in open_calls.items() for at in places if at < pending)
    return Unpaired(tuple(calls), tuple(results))


def free_place(messages: Sequence[Any]) -> int:
    """The last place where a message may stand without coming between a call and its result: the
    end, or, while calls wait for their results, before the first message of those calls."""
    place = len(messages)
    owed = Counter[str]()  # results whose calls are further up
    owing = 0  # how many they are
    unsettled = called = False
    for at in range(len(messages) - 1, -1, -1):
        message = messages[at]
        ids, answered = call_ids(message), result_id(message)
        if answered is not None:
            if called and not owing:
                break  # an earlier round, which is whole
            owed[answered] += 1
            owing += 1
        elif not ids and isinstance(message, dict) and "role" in message:
            break
        for id in ids:
            called = True
            if owed[id]:
                owed[id] -= 1
                owing -= 1
            else:
                unsettled = True
        if unsettled:
            place = at
            unsettled = owing > 0
    return place


def bare(messages: Iterable[Any]) -> list[Any]:
    """*messages* without their metadata, for a host or a provider that refuses fields of others."""
    return [
        {key: value for key, value in message.items() if key != "metadata"}
        if isinstance(message, dict) and "metadata" in message
        else message
        for message in messages
    ]
