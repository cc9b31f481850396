"""C137: what a tool printed is data like what the file says: a value of a fact closes no fence, in
whatever spelling, and one that looks wrapped already is wrapped all the same."""

from __future__ import annotations

import pytest
from goalspec.compiler.rendering import State, parse_block, render
from goalspec.tests.cases.test_C136_fence import CLOSING, PLAIN


@pytest.mark.parametrize("text", CLOSING)
@pytest.mark.parametrize("name", ["continuation", "unmet"])
def test_no_value_of_a_fact_closes_the_fence(name: str, text: str) -> None:
    state = State({"checked": "unmet"}, explanations={"checked": f"title is {text}"})
    block = parse_block(render(PLAIN, name, state).text)
    [item] = [item for item in block.lists["Open"] if item.id == "checked"]
    assert item.details == [("unmet", f"title is {text}")]
