"""C124: an agent says in any language that it is done, again and again, or says nothing any more. What
ends it is that nothing happens, whatever the words are."""

from __future__ import annotations

import pytest
from goalspec.tests.runtime.convergence.loop import Loop, checked


@pytest.mark.parametrize("word", ["All done.", "已完成。", "", "Fertig! ✅"])
@pytest.mark.parametrize("proposes", [False, True])
def test_equal_words_end_after_three_turns(word: str, proposes: bool) -> None:
    loop = Loop(checked())
    reason, turns = loop.open(), 0
    while reason == "continuing":
        turns += 1
        loop.start()
        if proposes:
            loop.propose()
        reason = loop.settle(output=word)
    assert (reason, turns) == ("repetition", 3)


@pytest.mark.parametrize(
    "words", [["已完成", "完成了", "全部完成", "done", "fertig", "klar", "fait", "hecho"]]
)
def test_other_words_for_the_same_end_after_eight(words: list[str]) -> None:
    loop = Loop(checked())
    loop.open()
    said = [loop.turn(output=word) for word in words]
    assert said == ["continuing"] * 7 + ["no_effect"]
