"""The tool results of a transcript: where they stand, what their bodies say, which call they
answer, and what else of them refers to something. Any JSON is read; what is no result is passed by.

A result is a message of the role `tool`, or a part `tool_result` of a user's message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

_ROLES: Final = ("tool", "tool_result", "function")
# What a result says of itself in its own frame, rather than of the work.
_FRAME: Final = frozenset(
    "role type content name tool_name tool_call_id tool_use_id call_id id is_error isError "
    "metadata status cache_control".split()
)
# What hosts say of a row under a key of their own: `_harn`, `_meta`.
_ENVELOPE: Final = frozenset("role type kind status outcome schema".split())
_BLOBS: Final = frozenset("data signature encrypted_content thought_signature image_url".split())
_MAX_ARGUMENTS: Final = 4_096  # characters of arguments that are read as JSON


class Call(NamedTuple):
    """A tool call: its id, the tool, and its arguments as the host has them."""

    id: str | None
    name: str | None
    arguments: Any


@dataclass(frozen=True, slots=True)
class Result:
    """A tool result: the message or the part that holds it, its text, None where it has none, and
    the call that it answers."""

    index: int
    block: int | None
    holder: Mapping[str, Any]
    text: str | None
    id: str | None
    call: Call | None


def results(messages: list[Any]) -> Iterator[Result]:
    """Each tool result, with the nearest earlier call of its id, or, where it has none, of its
    tool."""
    by_id: dict[str, Call] = {}
    by_name: dict[str, Call] = {}
    for index, message in enumerate(messages):
        if not isinstance(message, dict):
            continue
        content = message.get("content")
        if "tool_calls" in message or isinstance(content, list):
            for made in calls(message):
                if made.id is not None:
                    by_id[made.id] = made
                if made.name is not None:
                    by_name[made.name] = made
        for block, holder in _holders(message, content):
            id = _text(holder, "tool_call_id", "tool_use_id", "call_id")
            name = _text(holder, "name", "tool_name")
            call = by_id.get(id) if id is not None else by_name.get(name or "")
            yield Result(index, block, holder, body(holder.get("content")), id, call)


def _holders(message: dict[str, Any], content: Any) -> list[tuple[int | None, dict[str, Any]]]:
    if is_result(message):
        return [(None, message)]
    if isinstance(content, list) and message.get("role") == "user":
        return [(block, part) for block, part in enumerate(content) if is_result(part)]
    return []


def is_result(value: Any) -> bool:
    """Is *value* a message or a part that answers a call?"""
    if not isinstance(value, dict):
        return False
    return value.get("role") in _ROLES or value.get("type") == "tool_result"


def spoken(message: dict[str, Any]) -> Iterator[str]:
    """What is said in a message: its texts, without calls and results."""
    if is_result(message):
        return
    content = message.get("content")
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, dict):
            if part.get("type") in ("tool_use", "tool_result"):
                continue
            part = {key: value for key, value in part.items() if key not in ("type", "id")}
        for _, text in strings(part):
            yield text


def calls(message: dict[str, Any]) -> Iterator[Call]:
    """The tool calls of a message, in the common shape, that of functions, or as parts."""
    given = message.get("tool_calls")
    for call in given if isinstance(given, list) else ():
        if isinstance(call, dict):
            function = call.get("function")
            inner = function if isinstance(function, dict) else call
            yield Call(_text(call, "id"), _text(inner, "name"), inner.get("arguments"))
    content = message.get("content")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") == "tool_use":
            yield Call(_text(part, "id"), _text(part, "name"), part.get("input"))


def _text(holder: dict[str, Any], *keys: str) -> str | None:
    for key in keys:
        value = holder.get(key)
        if isinstance(value, str):
            return value
    return None


def body(content: Any) -> str | None:
    """The text of a result: of its text parts, where it has parts. None where it has no text."""
    if isinstance(content, str):
        return content
    texts = [part["text"] for part in content if is_text(part)] if isinstance(content, list) else []
    return "\n".join(texts) if texts else None


def is_text(part: Any) -> bool:
    """Is *part* a text part of a content?"""
    kind = part.get("type") if isinstance(part, dict) else None
    return kind == "text" and isinstance(part.get("text"), str)


def with_body(content: Any, text: str) -> Any:
    """*content* with *text* in the place of its text; parts of other kinds stay."""
    if isinstance(content, str):
        return text
    first = next(at for at, part in enumerate(content) if is_text(part))
    rest = [part for part in content[first + 1 :] if not is_text(part)]
    return [*content[:first], {**content[first], "text": text}, *rest]


# --- errors and signatures

_FAILED: Final = frozenset("error failed failure rejected exception denied timeout".split())
_FLAGS: Final = frozenset(
    "is_error isError error status success ok exit_code exitCode returncode".split()
)
_ERROR_TEXT = re.compile(
    r"\s*(?:error(?:\[\w+\]| \w+)?:|tool error\b|(?:failed|failure|fatal|exception|panic):"
    r"|traceback \(most recent)",
    re.IGNORECASE,
)
_ERROR_FIELD = re.compile(r'"(?:is_error|isError)"\s*:\s*true')


def is_error(holder: Mapping[str, Any], text: str) -> bool:
    """Does a result report an error, by a flag, its status, or its first words?"""
    if not _FLAGS.isdisjoint(holder) and _is_flagged(holder):
        return True
    if _ERROR_TEXT.match(text):
        return True
    return text.startswith(("{", "[")) and _ERROR_FIELD.search(text) is not None


def _is_flagged(holder: Mapping[str, Any]) -> bool:
    if any(holder.get(key) for key in ("is_error", "isError", "error")):
        return True
    status = holder.get("status")
    if isinstance(status, str) and status.lower() in _FAILED:
        return True
    if any(holder.get(key) is False for key in ("success", "ok")):
        return True
    return any(_is_failure(holder.get(key)) for key in ("exit_code", "exitCode", "returncode"))


def _is_failure(code: Any) -> bool:
    return isinstance(code, int) and code != 0


_SIGNATURES: Final = frozenset(
    "signature thought_signature thoughtSignature encrypted_content".split()
)
_REASONING: Final = frozenset(("thinking", "redacted_thinking", "reasoning"))


def is_signed(message: Mapping[str, Any]) -> bool:
    """Does reasoning that its provider signed stand in a message? Such a message comes back to the
    provider as it was."""
    if not _SIGNATURES.isdisjoint(message) and any(message.get(key) for key in _SIGNATURES):
        return True
    for key in ("content", "reasoning_details", "reasoning"):
        parts = message.get(key)
        for part in parts if isinstance(parts, list) else ():
            if isinstance(part, dict) and _is_signed_part(part):
                return True
    return False


def _is_signed_part(part: dict[str, Any]) -> bool:
    if any(part.get(key) for key in _SIGNATURES):
        return True
    kind = part.get("type")
    is_reasoning = isinstance(kind, str) and kind.split(".")[0] in _REASONING
    return is_reasoning and bool(part.get("data"))


# --- what a result refers to beside its text

_IDS = re.compile(r"(?:.*_)?(?:ids?|numbers?|symbols?)")
_REFERENCES = re.compile(
    r"(?:.*_)?(?:ids?|numbers?|symbols?|paths?|files?|sha|hash|commit|revision|ref)"
    r"|filename|reference|name|kind"
)
_SHORT_NUMBER = re.compile(r"[0-9]{1,2}")
_PLAIN_WORD = re.compile(r"[a-z]+")


class Fields(NamedTuple):
    """The texts of a value, and of its reference fields the values that name something where they
    are a word like any other: `{"object_id": "widget"}`."""

    texts: list[str]
    names: list[str]


def fields(result: Result) -> Fields:
    """What the call and the other fields of *result* say. The tool's name is none of it: a recent
    call of a tool says nothing of an old one."""
    found = Fields([], [])
    if result.call is not None:
        _collect(arguments(result.call), found)
    if _FRAME.issuperset(result.holder):
        return found
    for key, value in result.holder.items():
        if key not in _FRAME:
            if isinstance(value, dict) and key.startswith("_"):
                value = {inner: of for inner, of in value.items() if inner not in _ENVELOPE}
            if isinstance(value, str | int | dict | list):
                _collect({key: value}, found)
    return found


def arguments(call: Call) -> Any:
    """The arguments as JSON, read where a host has them as text."""
    given = call.arguments
    if isinstance(given, str) and len(given) <= _MAX_ARGUMENTS and given[:1] in ("{", "["):
        try:
            return json.loads(given)
        except (ValueError, RecursionError):
            return given
    return given


def _collect(value: Any, found: Fields) -> None:
    for key, text in strings(value):
        refers, is_id = _meaning(key)
        if not refers:
            found.texts.append(text)
            continue
        found.texts.append(f"{key}: {text}" if is_id else text)
        if not _SHORT_NUMBER.fullmatch(text) and (is_id or not _PLAIN_WORD.fullmatch(text)):
            found.names.append(text)


@lru_cache(1_024)
def _meaning(key: str) -> tuple[bool, bool]:
    """Does a field refer to something, and is it by an id?"""
    return _REFERENCES.fullmatch(key) is not None, _IDS.fullmatch(key) is not None


def strings(value: Any) -> Iterator[tuple[str, str]]:
    """Each text and whole number inside *value*, with the key that it stands under. What is no
    text for people, such as an image, is passed by."""
    stack = [("", value)]
    while stack:
        key, value = stack.pop()
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, dict):
            stack += [
                (str(inner), of)
                for inner, of in value.items()
                if not (inner in _BLOBS and isinstance(of, str))
            ]
        elif isinstance(value, list):
            stack += [(key, of) for of in value]
        elif isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 64:
            yield key, str(value)
