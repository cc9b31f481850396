"""Anthropic's messages: calls are parts of the assistant's, results are parts of the user's.

An assistant's row is one message, its parts left in their order, with the calls listed beside them.
A user's row becomes a message for each result and for each run of other parts between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from .shape import JOINED, UNREAD, Shape, is_unread, unread

_PLACE = "goalspec:row"  # fields of a user's row whose first part is a result
_TAKEN = (JOINED, _PLACE, "tool_calls", "tool_call_id")


def read(row: Any) -> list[Any]:
    if not isinstance(row, dict):
        return [row]
    if not row.keys().isdisjoint(_TAKEN) or row.get("role") == "tool" or is_unread(row):
        return [unread(row)]
    content = row.get("content")
    if not isinstance(content, list):
        return [row]
    if row.get("role") == "assistant":
        calls = [_call(part) for part in content if _is_call(part)]
        return [{**row, "tool_calls": calls}] if calls else [row]
    if row.get("role") == "user" and any(_is_result(part) for part in content):
        return _split(row, content)
    return [row]


def write(messages: Sequence[Any]) -> list[Any]:
    first = messages[0]
    if not isinstance(first, dict):
        return [first]
    if is_unread(first):
        return [first[UNREAD]]
    if first.get("role") == "assistant":
        return [_write_assistant(first)]
    if len(messages) == 1 and first.get("role") != "tool":
        return [{key: value for key, value in first.items() if key != JOINED}]
    return [_join(messages)]


# --- an assistant's row


def _is_call(part: Any) -> bool:
    match part:
        case {"type": "tool_use", "id": str(), "name": str(), "input": _}:
            return True
    return False


def _call(part: dict[str, Any]) -> dict[str, Any]:
    return {"id": part["id"], "name": part["name"], "arguments": part["input"]}


def _write_assistant(message: dict[str, Any]) -> dict[str, Any]:
    """Calls that no part has, of a message that was made elsewhere, become parts."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        return message
    row = {key: value for key, value in message.items() if key != "tool_calls"}
    content = row.get("content")
    parts = content if isinstance(content, list) else _parts(content)
    there = {part["id"] for part in parts if _is_call(part)}
    added = [_use(call) for call in calls if _is_listed(call) and call["id"] not in there]
    return {**row, "content": [*parts, *added]} if added else row


def _is_listed(call: Any) -> bool:
    return isinstance(call, dict) and isinstance(call.get("id"), str)


def _use(call: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "tool_use", "id": call["id"], "name": call.get("name"),
        "input": call.get("arguments"),
    }  # fmt: skip


def _parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) and content else []


# --- a user's row with results


def _is_result(part: Any) -> bool:
    match part:
        case {"type": "tool_result", "tool_use_id": str()}:
            taken: bool = not part.keys().isdisjoint((*_TAKEN, "role", "metadata"))
            return not taken
    return False


def _split(row: dict[str, Any], content: list[Any]) -> list[Any]:
    messages: list[dict[str, Any]] = []
    for result, parts in groupby(content, _is_result):
        run = list(parts)
        messages += map(_result, run) if result else [{"role": "user", "content": run}]
    rest = {key: value for key, value in row.items() if key not in ("role", "content")}
    if messages[0]["role"] == "tool":
        messages[0] |= {_PLACE: rest} if rest else {}
    else:
        messages[0] |= rest
    return [messages[0], *({**message, JOINED: True} for message in messages[1:])]


def _result(part: dict[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in part.items() if key not in ("type", "tool_use_id")}
    return {"role": "tool", "tool_call_id": part["tool_use_id"], **rest}


def _join(messages: Sequence[dict[str, Any]]) -> dict[str, Any]:
    first = messages[0]
    if first.get("role") == "tool":
        rest = {**first.get(_PLACE, {}), **_kept_metadata(first)}
    else:
        rest = {
            key: value for key, value in first.items() if key not in ("role", "content", JOINED)
        }
    return {"role": "user", "content": [*_joined(messages)], **rest}


def _kept_metadata(message: dict[str, Any]) -> dict[str, Any]:
    return {"metadata": message["metadata"]} if "metadata" in message else {}


def _joined(messages: Sequence[dict[str, Any]]) -> Iterator[Any]:
    for message in messages:
        if message.get("role") == "tool":
            left_out = ("role", "tool_call_id", "metadata", JOINED, _PLACE)
            rest = {key: value for key, value in message.items() if key not in left_out}
            yield {"type": "tool_result", "tool_use_id": message.get("tool_call_id"), **rest}
        else:
            content = message.get("content")
            yield from content if isinstance(content, list) else _parts(content)


ANTHROPIC = Shape("anthropic", "messages of Anthropic's API", read, write)
