"""OpenAI's chat completions, and what is compatible with them: the common shape but for calls."""

from __future__ import annotations

from typing import Any

from .shape import UNREAD, Shape, is_unread, one, single, unread


def read(row: Any) -> Any:
    """`{"id", "type": "function", "function": {"name", "arguments"}}` is a call."""
    if not isinstance(row, dict) or not isinstance(row.get("tool_calls"), list):
        return row
    return {**row, "tool_calls": [_read_call(call) for call in row["tool_calls"]]}


def write(message: Any) -> Any:
    if not isinstance(message, dict) or not isinstance(message.get("tool_calls"), list):
        return message
    return {**message, "tool_calls": [_write_call(call) for call in message["tool_calls"]]}


def _read_call(call: Any) -> Any:
    """A call in the common shape; its type is left out where it is `function`, null where the row
    has none."""
    match call:
        case {"function": {"name": str(name), "arguments": arguments}} if _is_plain(call):
            outside = {k: v for k, v in call.items() if k not in ("type", "function")}
            inside = {k: v for k, v in call["function"].items() if k not in ("name", "arguments")}
            own: dict[str, Any] = {"function": inside} if inside else {}
            own |= {} if "type" in call else {"type": None}
            return {**outside, "name": name, "arguments": arguments, **own}
        case {"id": str(id)}:  # of another type
            return unread(call, id=id)
    return unread(call)


def _is_plain(call: dict[str, Any]) -> bool:
    plain = call.keys().isdisjoint(("name", "arguments", UNREAD))
    return plain and call.get("type", "function") == "function"


def _write_call(call: Any) -> Any:
    if is_unread(call):
        return call[UNREAD]
    if not isinstance(call, dict):
        return call
    inside = {key: call[key] for key in ("name", "arguments") if key in call}
    outside = {k: v for k, v in call.items() if k not in ("name", "arguments", "function", "type")}
    own = call.get("function")
    inside |= own if isinstance(own, dict) else {}
    type = {} if call.get("type", "function") is None else {"type": "function"}
    return {**outside, **type, "function": inside}


OPENAI_CHAT = Shape("openai-chat", "messages of chat completions", one(read), single(write))
