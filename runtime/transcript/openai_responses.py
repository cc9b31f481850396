"""OpenAI's responses: items of several types, each of which is one message.

A message's parts are `input_text` and `output_text`; a call and its result are items of their own.
Reasoning, and whatever else there is, has no role in the common shape and rides along.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .shape import UNREAD, Shape, is_unread, one, unread

CALL, RESULT = "function_call", "function_call_output"
_COMMON = ("role", "content", "tool_calls", "tool_call_id", UNREAD)
_INPUT, _OUTPUT = "input_text", "output_text"


def read(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    match item:
        case {"type": str(type), "call_id": str(id)} if item.keys().isdisjoint(_COMMON):
            return _read_round(item, type, id)
        case {"role": role, "content": content} if _is_message(item):
            return {**item, "content": _read_content(content, _text_type(role))}
    return unread(item)


def _is_message(item: dict[str, Any]) -> bool:
    plain = item.keys().isdisjoint(("tool_calls", "tool_call_id", UNREAD))
    return plain and item.get("type", "message") == "message"


def _read_round(item: dict[str, Any], type: str, id: str) -> dict[str, Any]:
    """A call, or the result of one."""
    if type == CALL and isinstance(item.get("name"), str) and "arguments" in item:
        call = {"id": id, "name": item["name"], "arguments": item["arguments"]}
        rest = _without(item, "call_id", "name", "arguments")
        return {**rest, "role": "assistant", "content": "", "tool_calls": [call]}
    if type.endswith("_output") and "output" in item:
        content = _read_content(item["output"], _INPUT)
        rest = _without(item, "call_id", "output")
        return {**rest, "role": "tool", "tool_call_id": id, "content": content}
    if type.endswith("_call"):  # of a tool that is no function
        call = {"id": id, "name": type, "arguments": None}
        return unread(item, role="assistant", content="", tool_calls=[call])
    return unread(item)


def write(messages: Sequence[Any]) -> list[Any]:
    (message,) = messages
    if not isinstance(message, dict):
        return [message]
    if is_unread(message):
        return [message[UNREAD]]
    return list(_items(message))


def _items(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    content = message.get("content")
    calls, answered = message.get("tool_calls"), message.get("tool_call_id")
    if message.get("role") == "tool" and isinstance(answered, str):
        rest = {"type": RESULT, **_without(message, "role", "content", "tool_call_id")}
        yield {**rest, "call_id": answered, "output": _write_content(content, _INPUT)}
        return
    if message.get("type") == CALL and isinstance(calls, list) and len(calls) == 1:
        yield {**_without(message, "role", "content", "tool_calls"), **_write_call(calls[0])}
        return
    if content or not isinstance(calls, list):
        type = _text_type(message.get("role"))
        written = {"content": _write_content(content, type)} if "content" in message else {}
        yield {**_without(message, "tool_calls"), **written}
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            yield {"type": CALL, **_write_call(call)}


def _write_call(call: dict[str, Any]) -> dict[str, Any]:
    return {
        "call_id": call.get("id"), "name": call.get("name"), "arguments": call.get("arguments"),
    }  # fmt: skip


def _text_type(role: Any) -> str:
    return _OUTPUT if role == "assistant" else _INPUT


def _read_content(content: Any, type: str) -> Any:
    return [_read_part(part, type) for part in content] if isinstance(content, list) else content


def _write_content(content: Any, type: str) -> Any:
    return [_write_part(part, type) for part in content] if isinstance(content, list) else content


def _read_part(part: Any, type: str) -> Any:
    if not isinstance(part, dict):
        return part
    if part.get("type") == "text" or is_unread(part):
        return unread(part)
    return {**part, "type": "text"} if part.get("type") == type else part


def _write_part(part: Any, type: str) -> Any:
    if is_unread(part):
        return part[UNREAD]
    if isinstance(part, dict) and part.get("type") == "text":
        return {**part, "type": type}
    return part


def _without(item: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in item.items() if key not in keys}


OPENAI_RESPONSES = Shape(
    "openai-responses", "input and output items of responses", one(read), write
)
