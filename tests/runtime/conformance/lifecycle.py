"""Commands as conformance cases, from the table of transitions (tests/runtime/lifecycle): each that
changes something, from one of the states it does so in; and in each state all that are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goalspec.compiler.ir.document import Goal
from goalspec.runtime.lifecycle import AUTHORITY, Command
from goalspec.runtime.lifecycle.commands import (
    Amend,
    Finish,
    Park,
    Pause,
    Retarget,
    Settle,
    TakeClaim,
)
from goalspec.runtime.lifecycle.reading import write_command
from goalspec.runtime.record import Usage
from goalspec.tests.runtime.conformance.cases import Written
from goalspec.tests.runtime.lifecycle import states
from goalspec.tests.runtime.lifecycle.states import COMMANDS, ONCE, PATHS
from goalspec.tests.runtime.lifecycle.test_transitions import TABLE
from goalspec.tests.runtime.record.records import GOAL, at

HOUR = 3600
MORE: tuple[tuple[str, str, str, tuple[Command, str], dict[str, Any]], ...] = (
    ("finish-another-run", "another run than the open one finishes", "open",
     (Finish(run="run-9"), "runtime"), {"refused": "another_run"}),
    ("amend-another-goal", "an amendment under another id", "active",
     (Amend(goal=states.OTHER, reason="another"), "person"), {"refused": "another_goal"}),
    ("pause-of-the-past", "a command that was meant for another generation", "active",
     (Pause(generation=7), "person"), {"refused": "stale_goal"}),
    ("pause-of-now", "a command that was meant for this generation", "active",
     (Pause(generation=1), "person"), {"events": ["status_changed"]}),
    ("claim-of-another", "a claim that another owner has", "claimed",
     (TakeClaim(owner="other"), "runtime"), {"refused": "claim_held"}),
    ("claim-again", "a claim that its owner asks for again", "claimed",
     (TakeClaim(owner="host"), "runtime"), {"events": [], "record": {"claim": {"key": "ship:1:1"}}}),
    ("claim-for-a-day", "a claim of 24 hours", "active",
     (TakeClaim(owner="host", seconds=24 * HOUR), "runtime"), {"events": ["continuation_claimed"]}),
    ("claim-for-longer", "a claim of more than 24 hours", "active",
     (TakeClaim(owner="host", seconds=24 * HOUR + 1), "runtime"), {"refused": "too_long"}),
    ("park-for-a-day", "a park of 24 hours", "active",
     (Park(reason="CI", until="2026-03-02T12:01:00.000000Z"), "runtime"),
     {"record": {"status": {"name": "parked", "until": "2026-03-02T12:01:00.000000Z"}}}),
    ("park-for-longer", "a park of more than 24 hours", "active",
     (Park(reason="CI", until="2026-03-02T12:01:01.000000Z"), "runtime"), {"refused": "too_long"}),
    ("settle-twice", "a settlement that is told again", "pending",
     (Settle(settlement="s-1", usage=Usage(turns=1, tokens=10)), "runtime"),
     {"events": [], "record": {"usage": {"turns": 1, "tokens": 10}}}),
    ("settle-below-nothing", "usage only grows", "active",
     (Settle(settlement="s-1", usage=Usage(tokens=-1)), "runtime"), {"refused": "bad_usage"}),
    ("settle-in-another-currency", "a cost in another currency than the budget's", "active",
     (Settle(settlement="s-1", usage=Usage(cost="1.00 EUR")), "runtime"),
     {"refused": "another_currency"}),
    ("retarget-that-retires-nothing", "a retarget whose criteria go on", "active",
     (Retarget(goal=states.ADDED, control_id="c-9"), "person"), {"refused": "not_a_retarget"}),
)  # fmt: skip
PRIVATE = ("observe", "keep")  # what a runtime keeps for itself is spelled as it likes
GOALS = {
    GOAL.contract: "the goal",
    states.ADDED.contract: "the goal with another criterion",
    states.RAISED.contract: "the goal with a higher budget",
    states.OTHER.contract: "another goal",
    states.retargeted().contract: "the goal retargeted, without criteria",
}


def written() -> Iterator[Written]:
    yield from _transitions()
    yield from _refusals()
    yield from _authority()
    for name, says, state, command, due in MORE:
        yield _case(name, says, state, [command], [due])


def _transitions() -> Iterator[Written]:
    for name, row in TABLE.items():
        for outcome, found in row.items():
            word, *kinds = outcome.split()
            if outcome == "actor" or word == "refused" or name in PRIVATE:
                continue
            if name == "evaluated":
                continue  # under an id that is the runtime's own
            state = found[0]
            due: dict[str, Any] = {"events": kinds}
            if word != "unchanged":
                due["record"] = {"status": {"name": word}}
            says = f"{name} from {state}: {outcome}"
            yield _case(f"{name}-{state}", says, state, [(COMMANDS[name], row["actor"])], [due])


def _refusals() -> Iterator[Written]:
    """A refusal changes nothing, so that they can follow each other."""
    for state in PATHS:
        asked = [
            (name, row["actor"], outcome.split()[1])
            for name, row in TABLE.items()
            for outcome, found in row.items()
            if outcome.startswith("refused") and state in found and name not in PRIVATE
        ]
        commands = [(COMMANDS[name], actor) for name, actor, _ in asked]
        due = [{"refused": code} for _, _, code in asked]
        if asked:
            yield _case(f"refused-{state}", f"what is refused in {state}", state, commands, due)


def _authority() -> Iterator[Written]:
    """Who may not ask: over an active goal, whose the command is instead."""
    whose = {"person": "not_a_person", "runtime": "not_the_runtime", "agent": "not_the_agent"}
    for actor in ("person", "agent", "runtime"):
        commands, due = [], []
        for name, command in COMMANDS.items():
            leaves = AUTHORITY[command.kind]
            if leaves[actor] == "no" and name not in PRIVATE:
                owner = next(one for one in ("person", "runtime", "agent") if leaves[one] != "no")
                commands.append((command, actor))
                due.append({"refused": whose[owner]})
        yield _case(f"not-by-{actor}", f"what is not the {actor}'s to ask", "active", commands, due)
    weaker = [(COMMANDS[name], "agent") for name in ("create", "replace", "raise")]
    yield _case(
        "agent-weakens-nothing", "an agent replaces and weakens no goal", "active", weaker,
        [{"refused": "not_a_person"}] * len(weaker),
    )  # fmt: skip
    adds = [(COMMANDS["amend"], "agent")]
    yield _case(
        "agent-adds", "an agent adds a criterion", "active", adds,
        [{"events": ["amended"], "record": {"generation": 2, "status": {"name": "active"}}}],
    )  # fmt: skip


def _case(
    name: str, says: str, state: str, commands: list[tuple[Command, str]], due: list[Any]
) -> Written:
    before = [_step(c, actor, second) for second, (c, actor) in enumerate(PATHS[state])]
    steps = [*before, *(_step(c, actor, ONCE) for c, actor in commands)]
    goals: dict[str, Goal] = {}
    return Written(
        name, says,
        {"kind": "decide", "session": "s-1", "steps": [with_goals(s, goals) for s in steps]},
        {"steps": [*({"refused": None} for _ in before), *due]},
        goals,
    )  # fmt: skip


def _step(command: Command, actor: str, second: int) -> dict[str, Any]:
    goal = getattr(command, "goal", None)
    asked = write_command(command)
    return {"command": {**asked, "goal": goal} if goal else asked, "actor": actor, "at": at(second)}


def with_goals(step: Mapping[str, Any], goals: dict[str, Goal]) -> dict[str, Any]:
    """The step with its goal by name, which is added to *goals*."""
    goal = step["command"].get("goal")
    if goal is None:
        return dict(step)
    about = GOALS.get(goal.contract, "the goal retargeted")
    goals[about] = goal
    return {**step, "command": {**step["command"], "goal": {"$goal": about}}}
