"""Several sinks: one that fails is named once, and keeps no other from being told."""

from __future__ import annotations

import pytest
from goalspec.runtime.sinks import Notice, Several, SinkFailed
from goalspec.tests.runtime.sinks.notices import NOTICE


class Listening:
    def __init__(self) -> None:
        self.told: list[Notice] = []
        self.closed = 0

    def tell(self, notice: Notice) -> None:
        self.told.append(notice)

    def close(self) -> None:
        self.closed += 1


class Failing(Listening):
    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    def tell(self, notice: Notice) -> None:
        super().tell(notice)
        raise self.error


class ClosingBadly(Listening):
    def close(self) -> None:
        super().close()
        raise SinkFailed("the rest cannot be written: No space left on device")


@pytest.mark.row("P09")
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            SinkFailed("the disk is full"),
            "the disk is full; the run goes on, and Failing is told no more",
        ),
        (KeyError("x"), "KeyError: 'x'; the run goes on, and Failing is told no more"),
    ],
)
def test_one_that_fails_is_named_once_and_told_no_more(error: Exception, said: str) -> None:
    first, bad, last = Listening(), Failing(error), Listening()
    complaints: list[str] = []
    several = Several([first, bad, last], complaints.append)
    for _ in range(3):
        several.tell(NOTICE)
    several.close()
    assert complaints == [said]
    assert (len(first.told), len(bad.told), len(last.told)) == (3, 1, 3)
    assert (first.closed, bad.closed, last.closed) == (1, 0, 1)


def test_one_that_cannot_be_closed_is_named_and_the_others_are_closed() -> None:
    bad, last = ClosingBadly(), Listening()
    complaints: list[str] = []
    several = Several([bad, last], complaints.append)
    several.close()
    several.close()
    assert (bad.closed, last.closed, len(complaints)) == (1, 1, 1)


def test_an_interrupt_goes_through() -> None:
    several = Several([Failing(KeyboardInterrupt())], lambda said: None)
    with pytest.raises(KeyboardInterrupt):
        several.tell(NOTICE)
