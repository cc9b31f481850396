"""The loop as conformance cases: what happens in each is scripted here, beside the reasons that are
due by docs/convergence.md; the steps between them are those of the tests' host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from goalspec.compiler.ir.canonical import seal
from goalspec.compiler.ir.document import Goal, Protect
from goalspec.runtime.convergence import Policy, events
from goalspec.runtime.convergence.effects import Continue
from goalspec.runtime.judge.answer import Invalid
from goalspec.runtime.judge.outcome import Exhausted, Misconfigured, NoJudge, Outage, Unusable
from goalspec.runtime.lifecycle.commands import Amend, Create, Pause, Resume, TakeClaim
from goalspec.runtime.record import Usage
from goalspec.tests.runtime.conformance.cases import Written
from goalspec.tests.runtime.conformance.recorder import MILLISECOND, Recorder
from goalspec.tests.runtime.convergence import test_budgets, test_guards
from goalspec.tests.runtime.convergence.loop import CHECKED, POLICY, checked, judged, says, tool
from goalspec.tests.runtime.judge.goals import goal_of
from goalspec.tests.runtime.record.records import at

MET = {"suite.passed": True}
UNMET = {"suite.passed": False}
PINNED = {"ship.goal": "a", "tests/test_it.py": "b"}
DOWN = Outage("server", "503", closed=False)
LONG = ("monitor",)  # of the guards that take 60 turns, the one that no other case shows

SCRIPTS: list[tuple[str, Callable[[Recorder], None], dict[str, Any]]] = []


def script(title: str, **values: Any) -> Callable[[Callable[[Recorder], None]], None]:
    """A case: what it is about, by its *title*; its loop begins with *values*."""

    def add(play: Callable[[Recorder], None]) -> None:
        SCRIPTS.append((title, play, {"goal": checked(), **values}))

    return add


def written() -> Iterator[Written]:
    yield from _guards()
    yield from _budgets()
    for title, play, values in SCRIPTS:
        loop = Recorder(**values)
        play(loop)
        yield loop.written(_name(title), title)


def _name(title: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in title.lower()).split())


def _guards() -> Iterator[Written]:
    for row in test_guards.TABLE:
        after = {int(n): reason for n, reason in row["after"].items()}
        if max(after) > 20 and row["turns"] not in LONG:
            continue
        loop = Recorder(checked())
        loop.open()
        for n in range(1, max(after) + 1):
            assert test_guards.turn(loop, row["turns"], n) == after.get(n, "continuing")
        title = f"guard: {row['name']}"
        yield loop.written(_name(title), title)


def _budgets() -> Iterator[Written]:
    for row in test_budgets.TABLE:
        after = {int(n): reason for n, reason in row["after"].items()}
        limits = row["limits"].replace(" tokens", "\ntokens").replace(" cost", "\ncost")
        loop = Recorder(checked(f"budget {{ {limits} }}"))
        loop.open()
        for n in range(1, max(after) + 1):
            reason = loop.turn(usage=Usage(**row.get("usage", {"turns": 1})))
            assert reason == after.get(n, "continuing")
        title = f"budget: {row['limits']}"
        yield loop.written(_name(title), title)


# --- the order


@script("order: no goal, nothing to do", goal=None)
def _(loop: Recorder) -> None:
    assert loop.open() == "no_goal"


@script("order: a goal that is complete stays so, whatever comes", facts=MET)
def _(loop: Recorder) -> None:
    assert loop.open() == "complete"
    for event in (events.Timer, events.Spoke, events.Woke, events.Interrupted, events.Restarted):
        assert loop.send(event(loop.at)) == "terminal"


@script("order: a true stop blocks before a met floor completes",
        goal=checked('stop broken "It broke" check suite.passed\n'), facts=MET)  # fmt: skip
def _(loop: Recorder) -> None:
    assert loop.open() == "stopped"


@script("order: a person's message goes before the continuation")
def _(loop: Recorder) -> None:
    loop.open()
    [given] = loop.found(Continue)
    assert loop.send(events.Spoke(loop.at)) == "person_spoke"
    assert loop.send(events.Continued(loop.at, given.key, "started")) == "person_waits"
    assert loop.tell(events.Timer) == "person_waits"


@script("order: nothing starts beside a run at work")
def _(loop: Recorder) -> None:
    loop.open()
    loop.start()
    assert loop.send(events.Timer(loop.at)) == "turn_open"
    assert loop.send(events.Woke(loop.at)) == "turn_open"
    assert loop.settle() == "continuing"


@script("order: what awaits its facts asks for nothing else")
def _(loop: Recorder) -> None:
    assert loop.send(events.Restarted(loop.at)) == "observing"
    assert loop.send(events.Timer(loop.at)) == "awaiting_facts"
    assert loop.observe(1) == "continuing"


@script("order: facts that were asked for before a restart are of the past")
def _(loop: Recorder) -> None:
    loop.send(events.Restarted(loop.at))
    loop.send(events.Restarted(loop.at))
    assert loop.observe(1) == "awaiting_facts"
    assert loop.observe(2) == "continuing"


@script("order: a turn that completes on the last allowed turn is complete",
        goal=checked("budget { turns 1 }"))  # fmt: skip
def _(loop: Recorder) -> None:
    loop.open()
    loop.facts = MET
    assert loop.turn() == "complete"


@script("order: a budget and a guard at once, the budget says it",
        goal=checked("budget { turns 3 }"))  # fmt: skip
def _(loop: Recorder) -> None:
    loop.open()
    assert [loop.turn(output="Done.") for _ in range(3)] == ["continuing", "continuing", "budget"]


@script("order: a budget that is used up is a barrier", goal=checked("budget { turns 1 }"))
def _(loop: Recorder) -> None:
    loop.open()
    assert loop.turn() == "budget"
    assert loop.tell(events.Timer) == "budget_limited"


@script("order: what comes between two runs decides nothing", facts=MET)
def _(loop: Recorder) -> None:
    loop.ask(Create(goal=judged(), replace=True), "person")
    assert loop.send(events.Charged(loop.at, "sub-1", Usage(tokens=50))) == "charged"
    assert loop.send(events.Proposed(loop.at, "complete")) == "proposed"
    assert loop.open() == "continuing"


@script("order: nothing settled since the last continuation")
def _(loop: Recorder) -> None:
    loop.open()
    loop.turn()
    loop.start()
    assert loop.tell(events.Settled, "run-2", "s-1") == "stale"


# --- the floor


@script("floor: a proposed end over an open floor is vetoed with what is open")
def _(loop: Recorder) -> None:
    loop.open()
    loop.start()
    loop.propose()
    assert loop.settle() == "continuing"
    assert loop.found(Continue)[0].prompt == "floor_failed"


@script("floor: an unknown fact is no met floor", facts={})
def _(loop: Recorder) -> None:
    loop.open()
    loop.start()
    loop.propose()
    assert loop.settle() == "continuing"


@script("floor: a met floor completes without a proposal")
def _(loop: Recorder) -> None:
    loop.open()
    loop.facts = MET
    assert loop.turn() == "complete"


@script("floor: a criterion that has to hold for two runs",
        goal=goal_of(CHECKED.replace("check suite.passed", "check suite.passed for 2 runs") + "}"))  # fmt: skip
def _(loop: Recorder) -> None:
    loop.facts = MET
    assert loop.open() == "continuing"
    assert loop.turn() == "complete"


@script("floor: where only others can go on it parks for an hour and looks again",
        goal=checked('awaited criterion seen "Two people" check reviewed\n'),
        facts={"suite.passed": True, "reviewed": False})  # fmt: skip
def _(loop: Recorder) -> None:
    assert loop.open() == "awaited"
    loop.facts = {"suite.passed": True, "reviewed": True}
    loop.until_due("others", short=1)
    assert loop.tell(events.Timer) == "parked"
    loop.now += 2 * MILLISECOND
    assert loop.tell(events.Timer) == "complete"


@script("floor: without a judge an impasse is the agent's word")
def _(loop: Recorder) -> None:
    loop.open()
    loop.start()
    loop.propose("blocked", "no access")
    assert loop.settle() == "impasse"


@script("floor: a goal that nothing could end does not start", facts={},
        goal=goal_of('goal g { objective "It." criterion a "It is good" }'))  # fmt: skip
def _(loop: Recorder) -> None:
    assert loop.open() == "nothing_to_meet"


# --- the judge


def proposed(loop: Recorder, outcome: str = "complete") -> str:
    loop.open()
    loop.start()
    loop.propose(outcome, "no access")
    return loop.settle()


JUDGE_STOP = 'stop no-access "A credential is missing"\n'
for _says, _outcome, _facts, _rest, _reason in (
    ("a proposed end over a met floor asks it", "complete", MET, "", "judging"),
    ("an impasse over a met floor asks it", "blocked", MET, "", "judging"),
    ("an impasse over an open floor asks it, and it cannot accept", "blocked", UNMET, "", "judging"),
    ("a proposed end over an open floor asks nobody", "complete", UNMET, "", "continuing"),
    ("a proposed end over an unknown floor asks nobody", "complete", {}, "", "continuing"),
    ("a stop that is left to it is asked for over an open floor", "complete", UNMET, JUDGE_STOP, "judging"),
):  # fmt: skip

    @script(f"judge: {_says}", goal=judged(_rest), facts=_facts)
    def _(loop: Recorder, outcome: str = _outcome, reason: str = _reason) -> None:
        assert proposed(loop, outcome) == reason


UNJUDGED = (
    ("an outage waits", DOWN, "outage"),
    ("a closed route blocks until a person mends it", Outage("auth", "401", closed=True), "unreachable"),
    ("a wrong setting ends unverified", Misconfigured("no model"), "unverified"),
    ("nobody to judge ends undecided", NoJudge(), "undecided"),
    ("judgements used up block", Exhausted("invocations", "3 of 3"), "judge_exhausted"),
    ("a deadline that was reached ends unverified", Exhausted("deadline", "too slow"), "unverified"),
    ("no answer that counts ends unverified", Unusable(Invalid("word", "It is no answer.")), "unverified"),
)  # fmt: skip
for _says, _answer, _reason in (
    ("it accepts", says("accept"), "accepted"),
    ("it has something to do", says("continue"), "continuing"),
    ("it finds the goal blocked", says("blocked", text="Ask for access."), "judge_blocked"),
    ("it finds a stop", says("continue", stop="no-access"), "judge_stopped"),
    *UNJUDGED,
):

    @script(f"judge: {_says}", goal=judged(), facts=MET)
    def _(loop: Recorder, answer: Any = _answer, reason: str = _reason) -> None:
        assert proposed(loop) == "judging"
        assert loop.judge(answer) == reason


@script("judge: on_error pause waits for a person", facts=MET,
        goal=goal_of(CHECKED + 'criterion cause "The cause"\njudge { on_error pause }\n}'))  # fmt: skip
def _(loop: Recorder) -> None:
    assert proposed(loop) == "judging"
    assert loop.judge(Misconfigured("no model")) == "judge_paused"


@script("judge: five outages wait longer and longer, the sixth pauses", goal=judged(), facts=MET)
def _(loop: Recorder) -> None:
    proposed(loop)
    for _ in range(5):
        assert loop.judge(DOWN, judgements=0) == "outage"
        loop.until_due("the judge", short=1)
        assert loop.tell(events.Timer) == "outage"
        loop.until_due("the judge")
        assert loop.tell(events.Timer) == "judging"
    assert loop.judge(DOWN, judgements=0) == "outage_exhausted"


@script("judge: an outage waits as long as the provider asks", goal=judged(), facts=MET)
def _(loop: Recorder) -> None:
    proposed(loop)
    loop.judge(Outage("rate_limited", "429", closed=False, retry_after=300.0))
    loop.until_due("the judge")
    assert loop.tell(events.Timer) == "judging"


@script("judge: what settles meanwhile makes its answer one of the past", goal=judged(), facts=MET)
def _(loop: Recorder) -> None:
    proposed(loop)
    loop.runs += 1
    assert loop.settle(output="newer") == "awaiting_judge"
    assert loop.judge(says("accept")) == "judging"
    assert loop.judge(says("accept")) == "accepted"


@script("judge: an accept over a floor that fell completes nothing", goal=judged(), facts=MET)
def _(loop: Recorder) -> None:
    proposed(loop)
    loop.facts = UNMET
    loop.runs += 1
    loop.settle()
    assert loop.judge(says("accept")) == "continuing"


@script("judge: an accept in the mode of an open floor completes nothing",
        goal=judged(), facts=UNMET)  # fmt: skip
def _(loop: Recorder) -> None:
    proposed(loop, "blocked")
    assert loop.judge(says("accept")) == "continuing"


@script("judge: it is asked unbidden after an interval", goal=judged(), facts=MET,
        policy=replace(POLICY, interval=3))  # fmt: skip
def _(loop: Recorder) -> None:
    loop.open()
    assert [loop.turn() for _ in range(3)] == ["continuing", "continuing", "judging"]
    assert loop.judge(says("continue")) == "continuing"


@script("judge: the last allowed turn is judged", goal=judged("budget { turns 2 }"), facts=MET)
def _(loop: Recorder) -> None:
    loop.open()
    assert [loop.turn(), loop.turn()] == ["continuing", "judging"]
    assert loop.judge(says("continue")) == "budget"


@script("judge: without one what is judged ends undecided", facts=MET,
        goal=goal_of(CHECKED + 'criterion cause "The cause"\n}'))  # fmt: skip
def _(loop: Recorder) -> None:
    assert proposed(loop) == "undecided"


# --- pinned files


def protecting(entry: Protect) -> Goal:
    return seal(replace(checked(), protect=(entry,)))


@script("drift: it vetoes a met floor until the file is as it was", gates=PINNED)
def _(loop: Recorder) -> None:
    loop.open()
    loop.gates, loop.facts = {**PINNED, "ship.goal": "c"}, MET
    loop.start()
    loop.propose()
    assert loop.settle() == "continuing"
    loop.gates = PINNED
    assert loop.turn() == "complete"


for _says, _gates in (
    ("a file that is gone", {"ship.goal": "a"}),
    ("a file that came", {**PINNED, "tests/test_new.py": "n"}),
    ("a file that cannot be read", {**PINNED, "ship.goal": None}),
):

    @script(f"drift: {_says} vetoes a met floor", gates=PINNED)
    def _(loop: Recorder, gates: Any = _gates) -> None:
        loop.open()
        loop.gates, loop.facts = gates, MET
        assert loop.turn() == "continuing"


@script("drift: a file that could not be read at the start vetoes a met floor",
        gates={"ship.goal": None}, facts=MET)  # fmt: skip
def _(loop: Recorder) -> None:
    assert loop.open() == "continuing"


@script("drift: a file that may come vetoes nothing", gates=PINNED,
        goal=protecting(Protect(globs=("tests/**",), allow_new=("tests/test_*.py",))))  # fmt: skip
def _(loop: Recorder) -> None:
    loop.open()
    loop.gates, loop.facts = {**PINNED, "tests/test_new.py": "n"}, MET
    assert loop.turn() == "complete"


AMENDED = protecting(Protect(globs=("tests/**",)))
for _actor, _reason in (("person", "complete"), ("agent", "continuing")):

    @script(f"drift: the amendment is a {_actor}'s", gates=PINNED)
    def _(loop: Recorder, actor: Any = _actor, reason: str = _reason) -> None:
        loop.open()
        loop.gates, loop.facts = {**PINNED, "ship.goal": "c"}, MET
        assert loop.turn() == "continuing"
        loop.ask(Amend(goal=AMENDED, reason="the file moved"), actor)
        assert loop.open() == reason


@script("drift: the hashes that come with an accept count", goal=judged(), facts=MET, gates=PINNED)
def _(loop: Recorder) -> None:
    proposed(loop)
    assert loop.judge(says("accept"), gates={**PINNED, "ship.goal": "c"}) == "continuing"


@script("drift: the hashes that come with an accept count, also where no end was proposed",
        goal=judged(), facts=MET, gates=PINNED, policy=replace(POLICY, interval=1))  # fmt: skip
def _(loop: Recorder) -> None:
    loop.open()
    assert loop.turn() == "judging"
    assert loop.judge(says("accept"), gates={**PINNED, "ship.goal": "c"}) == "continuing"


@script("drift: an accept of a judge that was asked over it completes nothing when it is gone",
        goal=judged(), facts=MET, gates=PINNED, policy=replace(POLICY, interval=1))  # fmt: skip
def _(loop: Recorder) -> None:
    loop.open()
    loop.gates = {**PINNED, "ship.goal": "c"}
    assert loop.turn() == "judging"
    assert loop.asked_judge().mode == "unmet_floor"
    assert loop.judge(says("accept"), gates=PINNED) == "continuing"


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
