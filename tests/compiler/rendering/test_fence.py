"""The fence: its mark, and the proof that no data are outside of one."""

from __future__ import annotations

import hashlib

import pytest
from goalspec.compiler.rendering.fence import TASK, Data, Unproven, fence, proven

fenced = fence(TASK)


@pytest.mark.ruling(38)
def test_the_mark_follows_from_the_content() -> None:
    one, same, other = (proven(fenced(lambda t=t: t)).text for t in ("a", "a", "b"))
    assert one == same
    assert one != other


@pytest.mark.ruling(38)
def test_a_content_that_holds_its_own_mark_gets_another(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []

    class Predictable:
        """A digest that an attacker could foresee: it counts how often it was fed."""

        def __init__(self, data: bytes) -> None:
            made.append(data)

        def update(self, data: bytes) -> None:
            made.append(data)

        def hexdigest(self) -> str:
            return f"{len(made):064d}"[::-1]

    monkeypatch.setattr(hashlib, "sha256", Predictable)
    text = proven(fenced(lambda: "x goal-100000000000 goal-200000000000")).text
    assert text.endswith("</goal-300000000000>")
    assert len(made) == 3


def test_data_outside_of_a_fence_are_no_text() -> None:
    with pytest.raises(Unproven, match="outside"):
        proven(f"before {Data('x')}")
    with pytest.raises(Unproven, match="outside"):
        proven(fenced(lambda: "x") + str(Data("y")))


def test_data_that_were_cut_are_no_text() -> None:
    for piece in (str(Data("abc"))[:-1], str(Data("abc"))[1:], str(Data("a"))[:2] + str(Data("b"))):
        with pytest.raises(Unproven, match="cut"):
            proven(fenced(lambda piece=piece: piece))


def test_a_fence_does_not_stand_in_a_fence() -> None:
    with pytest.raises(Unproven, match="inside another"):
        fenced(lambda: fenced(lambda: "x"))


def test_what_was_printed_is_known() -> None:
    shown = proven(fenced(lambda: f"one {Data('a')} two {Data('')}{Data('b')}"))
    assert shown.data == ("a", "", "b")
    assert "one a two b" in shown.text
