"""C145: a new session's id orphans no goal, and a goal that is weeks old does not revive in it."""

from __future__ import annotations

import pytest
from goalspec.runtime.lifecycle import Refusal, adopt, is_unfinished
from goalspec.runtime.record import Record, read_stamp, write_stamp
from goalspec.tests.runtime.lifecycle.states import STATES

DAY = 86_400
SOURCE = STATES["active"]


def after(seconds: float) -> str:
    return write_stamp(read_stamp(SOURCE.updated_at) + int(seconds * 1_000_000))


@pytest.mark.ruling(56)
@pytest.mark.parametrize("seconds", [0, 1, DAY - 1, DAY])
def test_within_a_day_it_is_carried_over_with_its_lineage(seconds: int) -> None:
    here, there = adopt(SOURCE, Record(session="s-2"), "s-2", after(seconds))
    assert (here.record.goal, here.record.status) == (SOURCE.goal, SOURCE.status)
    assert [one.session for one in here.record.lineage] == ["s-1"]
    assert not is_unfinished(there.record)


@pytest.mark.ruling(56)
@pytest.mark.parametrize("seconds", [DAY + 0.000001, DAY + 1, 21 * DAY])
def test_after_a_day_it_is_not(seconds: float) -> None:
    with pytest.raises(Refusal) as caught:
        adopt(SOURCE, Record(session="s-2"), "s-2", after(seconds))
    assert caught.value.code == "too_old"
    assert "create it anew" in str(caught.value)


def test_a_clock_that_is_wrong_makes_nothing_young() -> None:
    with pytest.raises(Refusal) as caught:
        adopt(SOURCE, Record(session="s-2"), "s-2", after(-301))
    assert caught.value.code == "clock"
    adopt(SOURCE, Record(session="s-2"), "s-2", after(-300))


def test_an_orphan_is_active_and_can_be_told_by_its_last_change() -> None:
    assert is_unfinished(SOURCE)
    assert SOURCE.updated_at < after(DAY)
