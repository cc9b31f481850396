"""What can be asked of a session's goal. Each command is plain JSON told apart by its `kind`, so
that it can wait in an inbox and stand in a journal."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from ...compiler.ir.document import Goal
from ...compiler.ir.node import ByKind, Json, Node, node
from ..record.parts import Metadata, Usage


@node
class OfGoal(Node):
    """A command that may name the *generation* of the goal that it was meant for: of another one it
    is refused, so that nothing that waited, or was thought about, falls on another goal."""

    generation: int | None = None


@node
class Create(OfGoal):
    """Give the session a goal. Over an unfinished one only a person's `replace` does; a finished
    one is archived. *objective* is the whole text where the goal's is capped, *contract* the file's
    hash where the goal's differs, since the environment lowered its budget."""

    kind: Literal["create"] = "create"
    goal: Goal
    contract: str | None = None
    metadata: Metadata = Metadata()
    objective: str | None = None
    replace: bool = False


@node
class Amend(OfGoal):
    """Another goal under the same id, with the reason and the measurement that showed the need.
    *contract* of the record stays the file's where *from_file* is false."""

    kind: Literal["amend"] = "amend"
    goal: Goal
    reason: str
    measurement: Json = None
    from_file: bool = False


@node
class Retarget(OfGoal):
    """A new objective; the criteria retire. *goal* is what `goal_under_obligations` makes of the
    record's; without criteria of its own the goal blocks for want of them."""

    kind: Literal["retarget"] = "retarget"
    goal: Goal
    control_id: str
    message_id: str | None = None


@node
class SetMetadata(OfGoal):
    kind: Literal["set_metadata"] = "set_metadata"
    metadata: Metadata


@node
class Begin(Node):
    """A run's turn begins. Over an open marker the predecessor's goal is cleared; `recover` comes
    first where its lineage is the same and its owner's lease is dead. A run that a continuation
    began names its *claim*, which is done with it."""

    kind: Literal["begin"] = "begin"
    run: str
    claim: str | None = None


@node
class Recover(Node):
    """Close the open marker of a run that died, as failed, and keep the goal."""

    kind: Literal["recover"] = "recover"
    run: str


@node
class Finish(Node):
    """A run's turn returned, normally or not; the goal stays."""

    kind: Literal["finish"] = "finish"
    run: str
    failed: bool = False
    reason: str | None = None


@node
class Cancel(OfGoal):
    """The run is cancelled: its goal is cleared, then the record is sealed."""

    kind: Literal["cancel"] = "cancel"
    reason: str | None = None


@node
class Reset(OfGoal):
    """Clear the goal and close the marker."""

    kind: Literal["reset"] = "reset"


@node
class Clear(OfGoal):
    kind: Literal["clear"] = "clear"


@node
class Pause(OfGoal):
    kind: Literal["pause"] = "pause"
    reason: str | None = None


@node
class Resume(OfGoal):
    kind: Literal["resume"] = "resume"


@node
class Park(Node):
    """Wait until *until*, 24 hours at most."""

    kind: Literal["park"] = "park"
    reason: str
    until: str


@node
class Wake(Node):
    """The clock reached what was waited for: a park, a deferred or an expired claim."""

    kind: Literal["wake"] = "wake"


@node
class Block(Node):
    kind: Literal["block"] = "block"
    reason: str
    mechanical: bool = False


@node
class Input(Node):
    """A person's message was accepted: a mechanical block lifts."""

    kind: Literal["input"] = "input"


@node
class Limit(Node):
    """A budget is exhausted, with what was reached. *turns* are those that the host allows a goal
    that says nothing of them. What was charged must show it."""

    kind: Literal["limit"] = "limit"
    reason: str
    turns: int | None = None


@node
class Complete(OfGoal):
    """The goal is done: by a person's word, or by the runtime's, whose *reason* says what showed
    it."""

    kind: Literal["complete"] = "complete"
    reason: str | None = None


@node
class End(OfGoal):
    """The run is over and the goal is not shown to be met: nobody could verify it, or a person says
    that it is impossible."""

    kind: Literal["end"] = "end"
    ending: Literal["unverified", "impossible"]
    reason: str


@node
class Propose(Node):
    """An agent proposes an end, which an evaluation decides. `blocked` has a reason."""

    kind: Literal["propose"] = "propose"
    outcome: Literal["complete", "blocked"]
    reason: str | None = None


@node
class Settle(Node):
    """A run settled: its usage is charged once, by its *settlement* id, and joins what awaits an
    evaluation. The newest output counts; a candidate stays until it is evaluated. What is a *part*
    of a run (a subagent's) leaves the candidate to the run itself."""

    kind: Literal["settle"] = "settle"
    settlement: str
    usage: Usage
    output: str = ""
    part: bool = False


@node
class Evaluated(Node):
    """The evaluation *evaluation* has its answer; under any but the current id it is refused."""

    kind: Literal["evaluated"] = "evaluated"
    evaluation: str
    outcome: Literal["continue", "complete", "blocked"]
    reason: str | None = None


@node
class TakeClaim(Node):
    """Claim the next continuation for *owner*, for *seconds*. The same owner's second asking gives
    the same claim and no event."""

    kind: Literal["take_claim"] = "take_claim"
    owner: str
    seconds: int = 300


@node
class DeferClaim(Node):
    """The session is busy: try again at *retry_at*."""

    kind: Literal["defer_claim"] = "defer_claim"
    key: str
    owner: str
    retry_at: str
    reason: str | None = None


@node
class StartClaim(Node):
    kind: Literal["start_claim"] = "start_claim"
    key: str
    owner: str


@node
class EndClaim(Node):
    """The continuation began its run, or cannot be: *failed* says why."""

    kind: Literal["end_claim"] = "end_claim"
    key: str
    owner: str
    failed: str | None = None


@node
class Observe(Node):
    """The Monitor's state after an observation."""

    kind: Literal["observe"] = "observe"
    monitor: Json


@node
class Keep(Node):
    """What the loop's reducer knows from now on. It outlives the goal: the ledger and the effects
    are the session's."""

    kind: Literal["keep"] = "keep"
    loop: Json
    effects: tuple[str, ...] = ()
    gates: Json = None


@node
class Show(Node):
    """Show or hide the session's dashboard."""

    kind: Literal["show"] = "show"
    hidden: bool


Command: TypeAlias = Annotated[
    Create | Amend | Retarget | SetMetadata | Begin | Recover | Finish | Cancel | Reset | Clear
    | Pause | Resume | Park | Wake | Block | Input | Limit | Complete | End | Propose | Settle
    | Evaluated | TakeClaim | DeferClaim | StartClaim | EndClaim | Observe | Keep
    | Show,
    ByKind(),
]  # fmt: skip
