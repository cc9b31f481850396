"""Scripts of the loop: its guards, a provider's errors, the continuation's claim, persons, the
ledger."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from goalspec.runtime.convergence import Policy, events
from goalspec.runtime.convergence.effects import Continue
from goalspec.runtime.lifecycle.commands import Create, Pause, Resume, TakeClaim
from goalspec.runtime.record import Usage
from goalspec.tests.runtime.conformance.recorder import MILLISECOND, Recorder
from goalspec.tests.runtime.conformance.scripts import MET, proposed, script
from goalspec.tests.runtime.convergence.loop import POLICY, checked, judged, says, tool
from goalspec.tests.runtime.record.records import at

# --- the guards


def word(n: int) -> str:
    """A word that is no other number's, and no number."""
    return f"y{chr(ord('a') + n // 16)}{chr(ord('a') + n % 16)}"


for _since, _more, _says in (
    (255, 59, "with 255 others since it is nothing new"),
    (256, 60, "with 256 it is new"),
):

    @script(f"guard: an effect comes again, and {_says}")
    def _(loop: Recorder, since: int = _since, more: int = _more) -> None:
        loop.open()
        loop.turn(effects=(tool("first"),))
        loop.turn(effects=tuple(tool(word(n)) for n in range(since)))
        loop.turn(effects=(tool("first"),))
        found = [loop.turn(effects=(tool(word(99)),)) for _ in range(more)]
        assert found == ["continuing"] * (more - 1) + ["no_progress"]


@script("guard: the prompt leads with a stall check from the third turn without a tool")
def _(loop: Recorder) -> None:
    loop.open()
    stalled = []
    for _ in range(4):
        loop.turn()
        stalled.append(loop.found(Continue)[0].stalled)
    assert stalled == [False, False, True, True]
    loop.turn(effects=(tool("ok"),))
    assert not loop.found(Continue)[0].stalled


@script("guard: a person has 10 seconds after their turn")
def _(loop: Recorder) -> None:
    loop.open()
    loop.send(events.Spoke(loop.at))
    loop.begin()
    assert loop.settle(by="person") == "grace"
    loop.until_due("grace", short=1)
    assert loop.tell(events.Timer) == "grace"
    loop.until_due("grace")
    assert loop.tell(events.Timer) == "continuing"


@script("guard: monitors have 240 seconds to wake the agent")
def _(loop: Recorder) -> None:
    loop.open()
    loop.start()
    assert loop.settle(monitors=1) == "monitors"
    loop.until_due("monitors run", short=1)
    assert loop.tell(events.Timer) == "monitors"
    loop.until_due("monitors run")
    assert loop.tell(events.Timer) == "continuing"


@script("guard: a mechanical block lifts with a message, and the guard begins again")
def _(loop: Recorder) -> None:
    loop.open()
    assert [loop.turn(output="All done.") for _ in range(3)][-1] == "repetition"
    assert loop.send(events.Spoke(loop.at)) == "person_spoke"
    loop.begin()
    loop.settle(by="person")
    loop.later(10)
    assert loop.tell(events.Timer) == "continuing"
    assert loop.turn(output="All done.") == "continuing"


@script("guard: the counters outlive a restart and end with a resume")
def _(loop: Recorder) -> None:
    loop.open()
    for _ in range(7):
        loop.turn()
    assert loop.open() == "recovered"
    assert loop.turn() == "no_effect"
    assert loop.open() == "blocked"
    loop.ask(Resume(), "person")
    assert loop.tell(events.Timer) == "continuing"


@script("guard: an answer that was cut off has one recovery, and a clean turn forgives")
def _(loop: Recorder) -> None:
    loop.open()
    assert loop.turn(stop="length") == "continuing"
    assert loop.turn() == "continuing"
    assert loop.turn(stop="length") == "continuing"
    assert loop.turn(stop="length") == "truncated"


for _trailing, _reason in ((7, "continuing"), (8, "held")):

    @script(f"guard: a restart after {_trailing} continuations that nobody answered")
    def _(loop: Recorder, trailing: int = _trailing, reason: str = _reason) -> None:
        assert loop.tell(events.Restarted, trailing) == reason


@script("guard: todos are recalled twice where there is no goal", goal=None)
def _(loop: Recorder) -> None:
    found = [loop.send(events.Settled(loop.at, f"r{n}", f"s{n}", todos=(2, 3))) for n in range(3)]
    assert found == ["todo_reminder", "todo_reminder", "no_goal"]


# --- errors of the provider


for _error, _reason in (("auth", "provider_login"), ("policy", "provider_policy")):

    @script(f"provider: {_error} blocks on the first hit")
    def _(loop: Recorder, error: Any = _error, reason: str = _reason) -> None:
        loop.open()
        assert loop.turn(stop="error", error=error, detail="403") == reason
        loop.send(events.Spoke(loop.at))


@script("provider: a usage limit waits as long as it says")
def _(loop: Recorder) -> None:
    loop.open()
    assert loop.turn(stop="error", error="usage_limit", retry_at=at(600)) == "provider_limit"
    loop.until_due("usage limit", short=1)
    assert loop.tell(events.Timer) == "parked"
    loop.now += 2 * MILLISECOND
    assert loop.tell(events.Timer) == "continuing"


@script("provider: a usage limit without an end waits for a person")
def _(loop: Recorder) -> None:
    loop.open()
    assert loop.turn(stop="error", error="usage_limit") == "provider_limit"


@script("provider: an error that may pass waits 2 seconds first")
def _(loop: Recorder) -> None:
    loop.open()
    assert loop.turn(stop="error", error="retriable", detail="429") == "provider_retry"
    loop.until_due("the provider", short=1)
    assert loop.tell(events.Timer) == "provider_retry"
    loop.until_due("the provider")
    assert loop.tell(events.Timer) == "continuing"


# --- the continuation


def answered(loop: Recorder, outcome: Any) -> str:
    [given] = loop.found(Continue)
    return loop.send(events.Continued(loop.at, given.key, outcome, "so"))


@script("claim: a crash gives the continuation again under its key")
def _(loop: Recorder) -> None:
    loop.open()
    assert loop.open() == "recovered"
    assert answered(loop, "started") == "single_flight"
    assert loop.open() == "recovered"
    loop.start()


@script("claim: a crash in a run closes its turn and keeps the goal")
def _(loop: Recorder) -> None:
    loop.open()
    loop.start()
    assert loop.open() == "continuing"


@script("claim: another owner's is left to it until it expires")
def _(loop: Recorder) -> None:
    loop.ask(TakeClaim(owner="other"), "runtime")
    assert loop.open() == "claim_held"
    loop.until_due("the continuation begins", short=1)
    assert loop.tell(events.Timer) == "claim_held"
    loop.now += 2 * MILLISECOND
    assert loop.tell(events.Timer) == "continuing"


@script("claim: it is held until it expires, and is then given again under its key")
def _(loop: Recorder) -> None:
    loop.open()
    loop.until_due("the continuation begins", short=1)
    assert loop.tell(events.Timer) == "single_flight"
    loop.until_due("the continuation begins")
    assert loop.tell(events.Timer) == "continuing"


@script("claim: four attempts, and then it blocks")
def _(loop: Recorder) -> None:
    loop.open()
    for _ in range(3):
        assert answered(loop, "unavailable") == "deferred"
        loop.until_due("the session is busy", short=1)
        assert loop.tell(events.Timer) == "deferred"
        loop.until_due("the session is busy")
        assert loop.tell(events.Timer) == "continuing"
    assert answered(loop, "unavailable") == "retry_exhausted"


@script("claim: a busy session is waited for and never blocks")
def _(loop: Recorder) -> None:
    loop.open()
    for _ in range(8):
        assert answered(loop, "busy") == "deferred"
        loop.until_due("the session is busy")
        assert loop.tell(events.Timer) == "continuing"


@script("claim: one that nobody answers for is tried four times")
def _(loop: Recorder) -> None:
    loop.open()
    for n in range(4):
        loop.until_due("the continuation begins")
        assert loop.tell(events.Timer) == ("continuing" if n < 3 else "retry_exhausted")


@script("claim: a restart loses no question to the judge", goal=judged(), facts=MET)
def _(loop: Recorder) -> None:
    assert proposed(loop) == "judging"
    assert loop.open() == "judging"
    assert loop.judge(says("accept")) == "accepted"


# --- persons


@script("person: an interrupt pauses, and what the run took is charged")
def _(loop: Recorder) -> None:
    loop.open()
    loop.start()
    assert loop.send(events.Interrupted(loop.at)) == "interrupted"
    assert loop.settle(stop="interrupted") == "interrupted"


@script("person: an interrupt disarms the continuation")
def _(loop: Recorder) -> None:
    loop.open()
    [given] = loop.found(Continue)
    assert loop.send(events.Interrupted(loop.at)) == "interrupted"
    assert loop.send(events.Continued(loop.at, given.key, "started")) == "paused"


@script("person: an interactive host asks before a stopped goal goes on",
        policy=replace(POLICY, interactive=True))  # fmt: skip
def _(loop: Recorder) -> None:
    loop.open()
    loop.ask(Pause(reason="lunch"), "person")
    assert loop.open() == "ask_first"


@script("person: a pause is a barrier until it is resumed")
def _(loop: Recorder) -> None:
    loop.open()
    loop.ask(Pause(), "person")
    assert loop.tell(events.Timer) == "paused"
    loop.ask(Resume(), "person")
    assert loop.tell(events.Timer) == "continuing"


# --- the ledger


@script("charge: a settlement is charged once however often it is told")
def _(loop: Recorder) -> None:
    loop.open()
    loop.start()
    loop.settle()
    for _ in range(3):
        loop.tell(events.Settled, "run-1", "s-1", Usage(turns=1, tokens=10))
    assert loop.record.usage == Usage(turns=1, tokens=10)


@script("charge: a subagent is charged to the goal and is no turn")
def _(loop: Recorder) -> None:
    loop.open()
    loop.start()
    for _ in range(2):
        charged = events.Charged(loop.at, "sub-1", Usage(turns=4, tokens=50))
        assert loop.send(charged) == "turn_open"
    loop.settle()
    assert loop.record.usage == Usage(turns=1, tokens=60)


@script("charge: attempts alone end in a block", goal=checked("budget { attempts 3 }"))
def _(loop: Recorder) -> None:
    loop.open()
    for n in (1, 2, 3):
        loop.start()
        loop.propose()
        assert loop.settle() == ("attempts" if n == 3 else "continuing")


@script("charge: an advisory budget stops nothing", goal=checked("budget advisory { turns 1 }"))
def _(loop: Recorder) -> None:
    loop.open()
    assert [loop.turn() for _ in range(3)] == ["continuing"] * 3


@script("charge: 25 turns are the budget of a goal without one", policy=Policy(owner="host"))
def _(loop: Recorder) -> None:
    loop.open()
    found = [loop.turn(effects=(tool("x" * n),)) for n in range(25)]
    assert found == ["continuing"] * 24 + ["budget"]


@script("charge: a goal that replaces another has a budget of its own")
def _(loop: Recorder) -> None:
    loop.open()
    loop.turn()
    loop.ask(Create(goal=judged(), replace=True), "person")
    loop.open()
    loop.turn()
    assert loop.record.usage.tokens == 10
