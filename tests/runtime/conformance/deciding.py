"""Scripts of the loop: the order of its stages, the floor, the judge, pinned files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from goalspec.compiler.ir.canonical import seal
from goalspec.compiler.ir.document import Goal, Protect
from goalspec.runtime.convergence import events
from goalspec.runtime.convergence.effects import Continue
from goalspec.runtime.judge.answer import Invalid
from goalspec.runtime.judge.outcome import Exhausted, Misconfigured, NoJudge, Outage, Unusable
from goalspec.runtime.lifecycle.commands import Amend, Create
from goalspec.runtime.record import Usage
from goalspec.tests.runtime.conformance.recorder import MILLISECOND, Recorder
from goalspec.tests.runtime.conformance.scripts import MET, UNMET, proposed, script
from goalspec.tests.runtime.convergence.loop import CHECKED, POLICY, checked, judged, says
from goalspec.tests.runtime.judge.goals import goal_of

PINNED = {"ship.goal": "a", "tests/test_it.py": "b"}
DOWN = Outage("server", "503", closed=False)

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
