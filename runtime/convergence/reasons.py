"""Why a decision is what it is: the closed table of codes, each with its words and the stage that
gives it. The page on convergence prints it."""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, Mapping[str, str]] = {
    "bound": {
        "no_goal": "the session has no goal",
        "todo_reminder": "no goal owns the turn's end, todos are open, and the agent is reminded",
    },
    "terminal": {"terminal": "the goal is complete or ended, and nothing leads back"},
    "person": {
        "person_spoke": "a person's message was accepted, and its run comes first",
        "interrupted": "a person interrupted: the goal is paused",
        "person_waits": "a person's message waits for its run to settle",
        "held": "the restart found too many continuations in a row: it waits for a person",
        "ask_first": "a stopped goal goes on after a restart only if a person says so",
    },
    "barrier": {
        "paused": "the goal is paused",
        "blocked": "the goal is blocked",
        "budget_limited": "the budget is exhausted, and a person may raise it",
        "parked": "the goal waits for the clock",
        "turn_open": "a run is at work",
        "recovered": "the continuation that a crash cut off is given again, under its key",
        "single_flight": "a continuation is on its way",
        "claim_held": "another owner has the continuation",
        "deferred": "the continuation waits until it is tried again",
        "retry_exhausted": "the continuation could not be started, time and again",
        "monitors": "monitors run, and will wake the agent",
    },
    "account": {
        "proposed": "the agent proposed an end, to be decided when its run settles",
        "charged": "a subagent's usage was charged",
    },
    "floor": {
        "observing": "the facts are taken",
        "awaiting_facts": "the facts are being taken",
        "awaiting_judge": "the judge is being asked",
        "stopped": "a stop of the goal is true",
        "awaited": "only what others bring about is open",
        "impasse": "the agent is blocked, and there is no judge to doubt it",
    },
    "drift": {},
    "judge": {
        "complete": "every criterion is met, and nothing is left to a judge",
        "accepted": "the floor is met, and the judge accepts",
        "judging": "the judge is asked",
        "outage": "nobody answered for the judge: it is asked again after a wait",
        "outage_exhausted": "nobody answered for the judge, time and again",
        "unreachable": "the judge's route is closed until a person mends it",
        "judge_blocked": "the judge finds the goal blocked from outside",
        "judge_stopped": "the judge finds that a stop has come about",
        "judge_exhausted": "the judge was asked as often as the goal allows",
        "unverified": "the judge failed, and nothing shows the goal to be met",
        "judge_paused": "the judge failed, and a person is to look",
        "undecided": "the end is proposed, and nobody is there to judge what is left",
        "nothing_to_meet": "the goal has no check and no judge, so nothing could end it",
    },
    "budget": {
        "budget": "a limit of the budget is reached",
        "attempts": "no further attempt to complete is allowed",
    },
    "progress": {
        "provider_retry": "a provider's error may pass: the next turn waits",
        "provider_login": "the provider lets nobody in (401, 403)",
        "provider_policy": "the provider refuses the work",
        "provider_limit": "the provider's usage limit is reached",
        "provider_error": "a provider's error came again after the one recovery",
        "truncated": "the answer was cut off again after the one recovery",
        "stale": "nothing settled since the last continuation",
        "repetition": "the same words came again and again, without an effect",
        "no_effect": "too many continuations in a row had no effect",
        "no_progress": "too many continuations brought nothing new",
    },
    "claim": {
        "grace": "a person may go on talking before the goal does",
        "continuing": "the goal continues",
    },
}
"""By the stage that gives them, in the order of the stages."""
