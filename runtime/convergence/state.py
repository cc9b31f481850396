"""What the loop's reducer remembers between two events, as plain JSON beside the record: its
guards, its ledger, the last run that settled, and what it has asked for and awaits."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from ...compiler.ir.node import Node, node
from ..record.parts import Record, Usage
from ..record.reading import read_as

By: TypeAlias = Literal["continuation", "person", "monitor"]
"""Who began a run."""

StopReason: TypeAlias = Literal["end", "length", "error", "interrupted"]
"""Why a run stopped: by itself, cut off at its length, by an error, by a person."""

ErrorKind: TypeAlias = Literal["retriable", "terminal", "auth", "policy", "usage_limit", "system"]
"""What a provider's error means: it may pass; it does not, here; nobody is logged in (401, 403);
the provider refuses the content; the account's limit is used up; the host itself failed."""

PromptKind: TypeAlias = Literal["full", "minimal", "floor_failed"]
Path: TypeAlias = Literal["immediate", "timer", "monitor", "restart"]
"""What led to the decision: a run that settled just now, or something that came later."""

NOTHING_SETTLED = "-"  # in the place of a settlement's id, before the first


@node
class LastTurn(Node):
    """The last run that settled. *retry_at* is when its provider lets someone through again."""

    settlement: str
    at: str
    by: By = "continuation"
    stop: StopReason = "end"
    error: ErrorKind | None = None
    detail: str | None = None
    retry_at: str | None = None


@node
class Asked(Node):
    """What is awaited, the facts or a judgement, under a number that no other question has.
    *evaluation* is the pending one that a judgement is of."""

    what: Literal["facts", "judge"]
    number: int
    evaluation: str | None = None
    mode: Literal["full", "unmet_floor"] = "full"


@node
class Prompt(Node):
    """What the next continuation says: *feedback* is what keeps the goal from being done."""

    kind: PromptKind = "full"
    feedback: str | None = None


@node
class Guards(Node):
    """The counters of the guards against a loop that leads nowhere. They are the goal's, and a
    person's act sets them back."""

    without_effect: int = 0  # continuations in a row
    without_progress: int = 0  # counted continuations since the last effect that was new
    without_tool: int = 0  # settled runs in a row
    outputs: tuple[str, ...] = ()  # hashes of the last outputs without an effect, all equal
    truncations: int = 0  # runs in a row that were cut off
    errors: int = 0  # runs in a row that a provider's error ended
    failures: int = 0  # of the continuation that is on its way to begin
    outages: int = 0  # of the judge, in a row


@node
class Ledger(Node):
    """What the session was charged over all its goals, and what the judge of this goal took."""

    session: Usage = Usage()
    judgements: int = 0
    judge_tokens: int = 0
    judge_cost: str = "0"


@node
class State(Node):
    """*goal* (when it was created), *generation* and *since* are of the record that the reducer
    saw last: where one of them differs, somebody else changed it in between."""

    state_version: Literal[1] = 1
    goal: str = ""
    generation: int = 0
    since: str = ""
    guards: Guards = Guards()
    ledger: Ledger = Ledger()
    turn: LastTurn | None = None
    path: Path = "immediate"
    fresh: bool = False  # were the facts taken since the last run settled?
    asked: Asked | None = None
    asks: int = 0  # the number of the last question
    judge_at: str | None = None  # not before then, after an outage
    judged_turns: int = 0  # the settled turns at the last evaluation
    prompt: Prompt = Prompt()
    counted: str | None = None  # the claim whose start was counted last
    continued_after: str | None = None  # the settlement that the last continuation followed
    monitors: int = 0  # that run beside the agent, and will wake it
    released: bool = False  # was the monitors' wait for this settlement over?
    delayed: bool = False  # did the continuation wait for monitors?
    outcomes: dict[str, str] = field(default_factory=dict)  # by the parts' ids, as last observed
    told: dict[str, str] = field(default_factory=dict)  # those that the last turn began with
    exhibit: str | None = None  # the SHA-256 of what was filed of the last judgement
    looks: tuple[str, ...] = ()  # digests of what observations saw, the last ones
    drift: tuple[str, ...] = ()  # what of the pinned files is not as it was, in words
    todos: tuple[int, int] | None = None  # open and all
    reminders: int = 0  # of open todos, in a chain of unattended turns without a goal
    person_waits: bool = False  # is a person's message accepted and not answered yet?
    held: bool = False  # does it wait for a person, since a restart found too many continuations?


def state_of(record: Record) -> State:
    """What the record's `loop` holds. Raises BadRecord."""
    if record.loop is None:
        return State()
    state: State = read_as(State, record.loop, "loop")
    return state
