"""A policy as hosts write it (row H06)."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec.runtime.reachability import BadPolicy, Policy, read_policy


@pytest.mark.row("H06")
@pytest.mark.parametrize(
    ("given", "policy"),
    [
        ("reachability_gc", Policy()),
        ("context_gc", Policy()),
        ({}, Policy()),
        ({"policy": "tool_result_gc", "root_window": 1, "min_chars": 100}, Policy(1, 100)),
        ({"keep_last": 3, "min_reclaim_chars": 0}, Policy(3, 0)),
        (
            {"write_barrier": "src/a.rs", "barrier_refs": ["b"], "require_write_barrier": True},
            Policy(barrier=("src/a.rs", "b"), require_barrier=True),
        ),
    ],
)
def test_what_is_read(given: Any, policy: Policy) -> None:
    assert read_policy(given) == policy


@pytest.mark.row("H06")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("bogus", "`bogus` is no policy of reclaiming; there is reachability_gc"),
        (7, "a policy is a name or an object, not int"),
        (None, "a policy is a name or an object, not NoneType"),
        ({"policy": ["x"]}, "no policy of reclaiming"),
        ({"root_windw": 1}, "a policy has no `root_windw`; did you mean root_window?"),
        ({"zzzzzz": 1}, "a policy has no `zzzzzz`; there are policy, root_window"),
        ({"keep_last": -1}, "keep_last is a whole number from 0, not -1"),
        ({"keep_last": True}, "keep_last is a whole number from 0, not True"),
        ({"min_chars": 1.5}, "min_chars is a whole number from 0, not 1.5"),
        ({"require_write_barrier": "yes"}, "require_write_barrier is true or false, not 'yes'"),
        ({"write_barrier": [1]}, r"write_barrier is a text or a list of texts, not \[1\]"),
    ],
)
def test_what_is_refused(given: Any, message: str) -> None:
    with pytest.raises(BadPolicy, match=message):
        read_policy(given)
