"""A completion hook in its host's JSON: what it tells when its agent wants to stop, and how it is
answered. Nothing is decided here."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..prompting import bounded

MAX_INPUT = 1 << 20  # bytes of what a host tells
MAX_REASON = 10_000  # UTF-16 code units of what it is answered: hosts cut what is longer

REFUSALS = {"claude": "block", "codex": "block", "gemini": "deny"}
"""How each host spells that its agent is not to stop."""

NOTHING = "{}\n"
"""The answer that decides nothing: the agent may stop."""

_ENDS = ("Stop", "AfterAgent")  # the events by which a session's own agent wants to stop
_MARK = 100  # more than the words take that say what is left out


class BadFiring(ValueError):
    """What a host told is nothing to decide on."""


@dataclass(frozen=True, slots=True)
class Firing:
    """A session's agent wants to stop. *turn* is the host's own name of the turn, where it has one,
    *output* what the agent said last; *again*: did it go on because a hook refused its stop?"""

    session: str
    turn: str | None
    output: str
    again: bool
    folder: str | None

    def settlement(self, continuations: int) -> str:
        """The id of the turn that is over, the same whenever it is told before another
        continuation began; *continuations* are those that did."""
        told = [self.session, self.turn, self.output, self.again, continuations]
        return f"hook-{sha256(json.dumps(told).encode()).hexdigest()[:32]}"

    def working_folder(self) -> Path:
        """Where the host's agent works. Raises BadFiring."""
        folder = Path(self.folder or os.getcwd())
        if not folder.is_dir():
            raise BadFiring(f"cwd: there is no folder {folder}")
        return folder


def read_firing(data: bytes) -> Firing:
    """Raises BadFiring. Members that are not known are no trouble: hosts grow new ones."""
    values = _object(data)
    event = _text(values, "hook_event_name")
    if event is not None and event not in _ENDS:
        raise BadFiring(f"hook_event_name: {event} is not the end of a session's own turn")
    session = _text(values, "session_id")
    if not session:
        raise BadFiring("session_id: it is missing, and nobody knows whose goal it is")
    again = values.get("stop_hook_active")
    if not isinstance(again, bool | None):
        raise BadFiring("stop_hook_active: it is true or false")
    return Firing(
        session=session,
        turn=_text(values, "turn_id") or _text(values, "prompt_id"),
        output=_text(values, "last_assistant_message") or _text(values, "prompt_response") or "",
        again=again is not False,  # only a host that says so shows that a person spoke
        folder=_text(values, "cwd"),
    )


def _object(data: bytes) -> Mapping[str, Any]:
    if len(data) > MAX_INPUT:
        raise BadFiring(f"it is longer than {MAX_INPUT:,} bytes")
    try:
        values = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadFiring(f"it is no JSON object: {error}") from None
    if not isinstance(values, Mapping):
        raise BadFiring("it is JSON, and no object")
    return values


def _text(values: Mapping[str, Any], name: str) -> str | None:
    text = values.get(name)
    if not isinstance(text, str | None):
        raise BadFiring(f"{name}: it is a text")
    return None if text is None else plain(text)


def refusal(host: str, reason: str) -> str:
    """The JSON document by which *host* lets its agent work on, told *reason*."""
    document = {"decision": REFUSALS[host], "reason": capped(reason)}
    return f"{json.dumps(document, ensure_ascii=True)}\n"


def capped(reason: str) -> str:
    """*reason* as hosts take it: where it is too long the beginning and the end, and between them
    how much is left out."""
    reason = plain(reason)
    if _units(reason) <= MAX_REASON:
        return reason
    room = MAX_REASON - _MARK
    cut = bounded(reason, room)
    return cut if _units(cut) <= MAX_REASON else bounded(reason, room // 2)


def plain(text: str) -> str:
    """*text* with U+FFFD for what no host takes: half a character, and controls but for tabs and
    the ends of lines."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return "".join(char if char >= " " or char in "\t\n\r" else "\ufffd" for char in whole)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
