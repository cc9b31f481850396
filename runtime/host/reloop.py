"""The options of an agent loop that ends when the goal is done and not before: each claim to be
done is gated by the goal's checks, what is open goes back to the agent, and after a few claims the
run ends as unverified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from typing import Any

from ...compiler.host_goal import BadGoal, Problems
from ...compiler.loop_options import (
    DONE_SENTINEL,
    MAX_ATTEMPTS,
    Inexpressible,
    gates,
    loop_limits,
)
from ...compiler.rendering import State, render
from ..engine import RefusedObservation
from ..facts import BadFacts
from ..monitor import Monitor
from ..observations import now_text
from ..verdict import Result, Verdict
from .bound import AnyGoal, BoundGoal, goal
from .judging import SEAMS, goal_judge
from .obligations import blocked_for_criteria, goal_under_obligations
from .requests import mapping, with_goal

FactsOf = Callable[[Mapping[str, Any]], Mapping[str, Any] | None]

_CONTROL = ("done_sentinel", "facts_fn", "judge", "max_attempts")


def goal_reloop(spec: AnyGoal, opts: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The options of an agent loop that works toward the goal.

    Of *opts*, `facts_fn` makes the facts of a claim's payload; `max_attempts` is how many claims
    are gated (the budget's attempts, or 3); `done_sentinel` is the word of a claim; `judge` is True
    or the options of `goal_judge` for a judge above the checks (a goal with a judge of its own has
    it unless it is False). All else is the loop's own and wins over what the goal gives, where it
    is not None: a preset's `None` switches nothing off. Raises BadGoal, also where nothing could
    ever say that the goal is done.
    """
    bound = goal(spec)
    given = mapping(opts, "opts")
    problems = Problems()
    control = _read_control(bound, given, problems)
    limits = _limits(bound, problems)
    problems.raise_any()
    own: dict[str, Any] = {
        "loop_until_done": True,
        "done_sentinel": control.done_sentinel,
        "max_iterations": control.max_attempts,
        **limits,
        "verify_completion": CompletionGate(
            bound, control.facts_fn, control.max_attempts, control.judge is not None
        ),
    }
    if control.judge is not None:
        own[control.seam] = goal_judge(bound, control.judge, control.seam)
    if "max_verify_attempts" in own:
        own["max_verify_attempts"] = control.max_attempts
    rest = {key: value for key, value in given.items() if key not in _CONTROL}
    passed = {key: value for key, value in rest.items() if value is not None or key not in own}
    for key, limit in limits.items():  # a preset may lower what the goal allows, never raise it
        if _is_number(passed.get(key)) and passed[key] > limit:
            del passed[key]
    options = with_goal({**own, **passed}, bound)
    policy = options.get("turn_policy")
    if isinstance(policy, Mapping) and policy.get("allow_done_sentinel") is False:
        options["turn_policy"] = {**policy, "allow_done_sentinel": True}
    return options


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# --- what the host says


@dataclass(frozen=True, slots=True)
class _Control:
    facts_fn: FactsOf | None
    max_attempts: int
    done_sentinel: str
    judge: Mapping[str, Any] | None
    seam: str


def _read_control(bound: BoundGoal, given: Mapping[str, Any], problems: Problems) -> _Control:
    facts_fn = given.get("facts_fn")
    if facts_fn is not None and not callable(facts_fn):
        problems.add("facts_fn", f"it is callable, not {type(facts_fn).__name__}")
    elif iscoroutinefunction(facts_fn) or iscoroutinefunction(type(facts_fn).__call__):
        problems.add("facts_fn", "it is async, and a loop calls its gate without awaiting it")
    attempts = given.get("max_attempts")
    if attempts is None:
        budget = bound.goal.budget
        attempts = (budget.attempts if budget is not None else None) or MAX_ATTEMPTS
    if isinstance(attempts, bool) or not isinstance(attempts, int) or attempts < 1:
        problems.add("max_attempts", "it is a whole number, 1 or more")
    sentinel = given.get("done_sentinel")
    if sentinel is None:
        sentinel = DONE_SENTINEL
    problems.text(sentinel, "done_sentinel", "a sentinel", "leave it out")
    # An older loop is known by its name for the judge's options, which its presets set to None.
    seam = SEAMS[1] if SEAMS[1] in given and SEAMS[0] not in given else SEAMS[0]
    judge = _judge_options(bound, given, problems)
    if given.get("verify_completion") is not None:
        problems.add(
            "verify_completion",
            "the goal's checks stand there: give what they read to `facts_fn`, or add a criterion",
        )
    if given.get("loop_until_done") not in (None, True):
        problems.add("loop_until_done", "the loop ends when the goal is done: leave it out")
    for name in SEAMS:
        own_judge = given.get(name)
        if isinstance(own_judge, Mapping) and own_judge.get("fail_open_on_error"):
            problems.add(f"{name}.fail_open_on_error", "nothing accepts on an error: leave it out")
    if judge is not None:
        for name in SEAMS:
            if given.get(name) is not None:
                problems.add(name, "it is a second judge beside `judge`: leave one out")
    elif not any(c.check is not None and c.mode != "advisory" for c in bound.goal.criteria):
        problems.add(
            "judge", "the goal has no check and no judge, so nothing can say that it is done: give "
            "a criterion a `check`, or set `judge`",
        )  # fmt: skip
    return _Control(facts_fn, attempts, sentinel, judge, seam)


def _judge_options(
    bound: BoundGoal, given: Mapping[str, Any], problems: Problems
) -> Mapping[str, Any] | None:
    judge = given.get("judge")
    if judge is None:
        judge = bound.goal.judge is not None
    if isinstance(judge, bool):
        return {} if judge else None
    if isinstance(judge, Mapping):
        return judge
    problems.add("judge", f"it is True, False or the judge's options, not {type(judge).__name__}")
    return None


def _limits(bound: BoundGoal, problems: Problems) -> dict[str, Any]:
    try:
        return loop_limits(bound.goal)
    except Inexpressible as error:
        problems.add("budget", str(error))
        return {}


# --- the gate


@dataclass(slots=True)
class _Session:
    """One session's work toward one contract."""

    monitor: Monitor
    attempts: int = 0


@dataclass(slots=True)
class CompletionGate:
    """What a loop calls when the agent claims to be done; the answer is a plain mapping.

    `{confirm: True}` where every check holds, which leaves what is judged to the judge. Otherwise
    `{confirm: False, feedback}`, or `{confirm: False, action: "stop_unverified", reason}` where
    another turn would be of no use. A session has *max_attempts* claims for one contract, whoever
    turned them down; no later one is looked at. No trouble of a check's or of *facts_fn*'s is
    success, and none ends the run with an exception.
    """

    goal: BoundGoal
    facts_fn: FactsOf | None
    max_attempts: int
    has_judge: bool
    _sessions: dict[tuple[str, str], _Session] = field(default_factory=dict, repr=False)

    def __call__(self, payload: Mapping[str, Any] | None = None) -> dict[str, Any]:
        claim = payload if isinstance(payload, Mapping) else {}
        try:
            bound = goal_under_obligations(self.goal, claim.get("obligations"))
        except BadGoal as error:
            return _veto(f"The goal cannot be told from the obligations: {error}")
        key = (str(claim.get("session_id", "")), bound.goal.contract)
        session = self._sessions.setdefault(key, _Session(bound.monitor()))
        session.attempts += 1
        if session.attempts > self.max_attempts:
            return _stop(
                f"{self.max_attempts} claims to be done were made, and no more are allowed"
            )
        verdict, trouble = self._look(session.monitor, claim)
        if verdict is None:
            outcomes = dict.fromkeys(gates(bound.goal), "unknown")
            return self._again(bound, State(outcomes, dict.fromkeys(outcomes, trouble)), session)
        stopped = [stop.id for stop in verdict.stops if stop.outcome == "stopped"]
        if stopped:
            return _stop(f"a stop of the goal is true: {', '.join(stopped)}")
        still = list(_open(verdict))
        if not still and (self.has_judge or verdict.to_goal_check()["done"]):
            return {"confirm": True}
        if not still and blocked_for_criteria(bound.goal):
            return _stop("the new objective came without criteria, and there is no judge")
        if not still:
            return _stop("no criterion with a check applies, so nothing shows that it is done")
        if all(result.mode == "awaited" for result in still):
            return _stop(f"only others can bring about {', '.join(one.id for one in still)}")
        return self._again(bound, _state(verdict), session)

    def _look(self, monitor: Monitor, claim: Mapping[str, Any]) -> tuple[Verdict | None, str]:
        """The verdict on the claim's facts, or None and why there is none."""
        try:
            facts = {} if self.facts_fn is None else self.facts_fn(claim)
        except Exception as error:  # whatever it is: facts that failed show nothing
            return None, f"the facts could not be had: {type(error).__name__}: {error}"
        if facts is None:
            facts = {}
        if not isinstance(facts, Mapping):
            return None, f"the facts are {type(facts).__name__}, and a mapping is due"
        try:
            return monitor.observe(facts, at=now_text()), ""
        except (BadFacts, RefusedObservation) as error:
            return None, f"the facts were refused: {error}"

    def _again(self, bound: BoundGoal, state: State, session: _Session) -> dict[str, Any]:
        if session.attempts >= self.max_attempts:
            still = [id for id, outcome in state.outcomes.items() if outcome in _NOT_SHOWN]
            open_parts = f", and still open: {', '.join(still)}" if still else ""
            return _stop(f"{session.attempts} claims to be done were not true{open_parts}")
        return _veto(render(bound.goal, "unmet", state).text)


_NOT_SHOWN = ("unmet", "unknown", "violated")


def _open(verdict: Verdict) -> Iterator[Result]:
    """What a machine finds open: it vetoes, whatever a judge would say."""
    for result in (*verdict.gating, *verdict.binding):
        if result.outcome in _NOT_SHOWN:
            yield result


def _state(verdict: Verdict) -> State:
    results = (*verdict.gating, *verdict.binding)
    return State(
        {result.id: result.outcome for result in results},
        {result.id: result.explanation for result in results if result.outcome in _NOT_SHOWN},
    )


def _veto(feedback: str) -> dict[str, Any]:
    return {"confirm": False, "feedback": feedback}


def _stop(reason: str) -> dict[str, Any]:
    return {"confirm": False, "action": "stop_unverified", "reason": reason}
