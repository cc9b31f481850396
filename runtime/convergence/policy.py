"""What of the loop a host sets, and the numbers that nobody does."""

from __future__ import annotations

from dataclasses import dataclass

from ...compiler.ir.document import Budget, Goal
from ..lifecycle.budget import enforced

CONTINUATIONS_WITHOUT_EFFECT = 8  # in a row
CONTINUATIONS_WITHOUT_PROGRESS = 60  # counted ones: those that monitors delayed are not
FINGERPRINTS = 256  # of effects that are not new again
LOOKS = 32  # at criteria, files and todos that are not new again
EQUAL_OUTPUTS = 3  # in a row, without an effect
TURNS_WITHOUT_TOOL = 3  # from then on the prompt leads with a stall check
TRUNCATION_RECOVERIES = 1  # in a row
ERROR_RECOVERIES = 1  # after a provider's terminal error, in a row
TRAILING_CONTINUATIONS = 8  # at a restart: then it waits for a person
REMINDERS = 2  # of open todos, in a chain of unattended turns

GRACE = 10.0  # seconds after a person's turn
MONITOR_WAIT = 240.0  # that monitors have to wake the agent
AWAITED_WAIT = 3600.0  # until it is looked again whether others did their part
BUSY_WAIT = 1.0  # until a busy session is asked again, doubling
ATTEMPTS = 4  # to start a continuation, and of a provider's error that may pass
FIRST_WAIT, LONGEST_WAIT = 2.0, 30.0  # between attempts, doubling
OUTAGE_WAITS = (60.0, 120.0, 240.0, 480.0, 960.0)  # between the judge's outages, then it pauses
CLAIM = 300  # seconds that a continuation has to begin


@dataclass(frozen=True, slots=True)
class Policy:
    """*owner* claims continuations; *interval* is after how many settled turns the judge is asked
    unbidden, 0 for never; *turns* those of a goal whose budget says nothing of them; of an
    *interactive* host a person is asked before a stopped goal goes on after a restart; one that
    *judges* has somebody to ask for a goal's judge. Raises ValueError."""

    owner: str
    interval: int = 0
    turns: int = 25
    interactive: bool = False
    judges: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.owner, str) or not self.owner.strip():
            raise ValueError(f"owner: it is the name of who continues, not {self.owner!r}")
        for name, least in (("interval", 0), ("turns", 1)):
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise ValueError(f"{name}: it is a whole number, {least} or more, not {value!r}")
        for name in ("interactive", "judges"):
            if type(value := getattr(self, name)) is not bool:
                raise ValueError(f"{name}: it is True or False, not {value!r}")

    def budget_of(self, goal: Goal) -> Budget:
        """What is enforced: without a number of its own, a goal has the default turns."""
        return enforced(goal.budget, self.turns)


def wait_before(attempt: int, first: float = FIRST_WAIT) -> float:
    """The seconds before another attempt, after *attempt* failures in a row."""
    return min(first * 2.0 ** min(attempt - 1, 16), LONGEST_WAIT)
