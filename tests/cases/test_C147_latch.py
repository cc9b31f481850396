"""C147: what keeps a second continuation away has an owner, a generation and an end, so that a
continuation that was swallowed stalls nothing."""

from __future__ import annotations

from goalspec.runtime.convergence import events
from goalspec.runtime.convergence.effects import Continue, WakeAt
from goalspec.runtime.record import read_stamp
from goalspec.tests.runtime.convergence.loop import Loop, checked


def test_a_continuation_that_was_swallowed_comes_again() -> None:
    loop = Loop(checked())
    loop.open()
    [given] = loop.found(Continue)
    claim = loop.record.claim
    assert claim is not None
    assert (claim.owner, claim.key) == ("host", f"ship:{loop.record.generation}:1")
    loop.send(events.Continued(loop.at, given.key, "started"))
    loop.now = read_stamp(claim.expires_at) - 1
    assert loop.tell(events.Timer) == "single_flight"
    loop.now += 1
    assert loop.tell(events.Timer) == "continuing"
    assert loop.found(Continue)[0].key == given.key


def test_every_wait_has_its_wake() -> None:
    loop = Loop(checked())
    loop.open()
    claim = loop.record.claim
    assert claim is not None
    assert loop.found(WakeAt) == [WakeAt(claim.expires_at, "the continuation begins")]
