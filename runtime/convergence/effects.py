"""What the driver is to do after a decision. An effect that a crash kept from happening is found
again from the state: a restart asks, claims and waits anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ..record.parts import StatusName
from .state import PromptKind

LoopEventKind: TypeAlias = Literal["auto_continued", "retry_scheduled", "retry_exhausted", "error"]
"""What the loop tells beside the journal's events, which the sink is told too."""


@dataclass(frozen=True, slots=True)
class ObserveFacts:
    """Take the facts and the hashes; answer with Observed."""

    number: int


@dataclass(frozen=True, slots=True)
class AskJudge:
    """Ask the judge about what settled up to *evaluation*; answer with Judged."""

    number: int
    evaluation: str
    mode: Literal["full", "unmet_floor"]


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The question *number* to the judge is of no use any more: the goal is another one. Nobody
    waits for its answer, and none comes."""

    number: int


@dataclass(frozen=True, slots=True)
class Continue:
    """Start a turn under the claim *key* if the session is idle and nothing waits in it; answer
    with Continued. *stalled* turns without a tool lead the prompt with a stall check, worded for
    running *monitors* where there are some. The same key again is the same continuation."""

    key: str
    prompt: PromptKind
    feedback: str | None = None
    turns_without_tool: int = 0
    stalled: bool = False
    monitors: bool = False


@dataclass(frozen=True, slots=True)
class Disarm:
    """The continuation *key* is not to begin any more."""

    key: str
    reason: str


@dataclass(frozen=True, slots=True)
class WakeAt:
    """Send Timer at the time *at*; *why* is shown beside the countdown."""

    at: str
    why: str


@dataclass(frozen=True, slots=True)
class Tell:
    """Tell the sink. One that fails changes nothing."""

    kind: LoopEventKind
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RemindTodos:
    """No goal owns the turn's end, and todos are open: remind the agent once more."""

    open: int


@dataclass(frozen=True, slots=True)
class AskToResume:
    """Ask the person whether the stopped goal goes on."""

    reason: str


@dataclass(frozen=True, slots=True)
class EndRun:
    """The run is over: the goal stands as *status*."""

    status: StatusName
    reason: str


LoopEffect: TypeAlias = (
    ObserveFacts | AskJudge | Withdraw | Continue | Disarm | WakeAt | Tell | RemindTodos
    | AskToResume | EndRun
)  # fmt: skip
