"""C149: what was dealt with keeps no goal open. The agent and the judge are told how things stand, which is
made of the last observation, and never what was noticed on the way to it."""

from __future__ import annotations

from goalspec.runtime.convergence import Policy
from goalspec.runtime.convergence.events import Effect
from goalspec.runtime.driving import Host, Judging, Proposal, Turn, Worked, run
from goalspec.runtime.prompting import Prompts
from goalspec.tests.runtime.driving.hosts import Facts, Script, TurnedClock, driven
from goalspec.tests.runtime.judge import scripted
from goalspec.tests.runtime.judge.goals import goal_of

JOB = "job-7f3"
GOAL = goal_of("""
facts { jobs.open : set of string }
goal ship {
  objective "Ship it."
  criterion handled "No job is left" check count(jobs.open) == 0
  criterion cause "The message explains the cause"
  judge { model "judge-1"  provider "acme" }
}
""")
CONTINUE = {
    "criteria": {
        "cause": {"evidence": [], "reason": "No message is shown.", "outcome": "unmet"},
    },
    "decision": "continue",
    "next_step": {"part": "cause", "step": "Show the message."},
}


def test_what_was_dealt_with_is_in_no_later_prompt() -> None:
    clock, facts = TurnedClock(), Facts({"jobs.open": [JOB]})
    policy = Policy(owner="driver", turns=3)

    def waits(turn: Turn) -> Worked:
        return Worked(output=f"{JOB} runs", effects=(Effect("jobs", "list", f"{JOB}: running"),))

    def handles(turn: Turn) -> Worked:
        facts.values["jobs.open"] = []
        looked = Effect("jobs", "list", "none")
        return Worked(output="all done", effects=(looked,), proposal=Proposal("complete"))

    agent, judge = Script([waits, handles]), scripted.Script([CONTINUE, CONTINUE, CONTINUE])
    host = Host(agent, facts, Prompts(policy), Judging(judge), clock=clock)
    driven(run(GOAL, host, policy=policy), clock)
    told = [JOB in turn.prompt for turn in agent.seen]
    assert told == [True, True, False]
    assert judge.asked
    for asked in judge.asked:
        assert JOB not in asked.message
        assert JOB not in asked.system
