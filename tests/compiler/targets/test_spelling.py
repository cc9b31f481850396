"""Values as Python source: what is spelled is the value again."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from goalspec.compiler import program
from goalspec.compiler.ir import types
from goalspec.compiler.targets.spelling import WIDTH, Reference, spell
from hypothesis import given
from hypothesis import strategies as st

NAMES = {**vars(program), **vars(types), "Decimal": Decimal}

SCALARS = st.none() | st.booleans() | st.integers() | st.text() | st.decimals(allow_nan=False)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_what_is_spelled_is_the_value(value: Any) -> None:
    assert eval(spell(value), dict(NAMES)) == value


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        ((), "()"),
        (("a",), "('a',)"),
        (frozenset(), "frozenset()"),
        (frozenset({"b", "a"}), "frozenset({'a', 'b'})"),
        (Reference("PREDICATE_1"), "PREDICATE_1"),
        (types.ScalarType(kind="bool"), "ScalarType(kind='bool')"),
        (types.ListType(of=types.ScalarType(kind="int"), max=3), "ListType(of=ScalarType(kind='int'), max=3)"),
        (program.LeafWording(text="x", reads=()), "LeafWording(text='x', reads=())"),
        (program.Wording(form=program.LetWording(name="x")), "Wording(form=LetWording(name='x'))"),
    ],
)  # fmt: skip
def test_only_what_differs_from_the_default_is_said(value: Any, spelled: str) -> None:
    assert spell(value) == spelled
    if not isinstance(value, Reference):
        assert eval(spelled, dict(NAMES)) == value


def test_long_values_are_laid_out_over_lines() -> None:
    value = tuple(program.KnownMention(name=f"fact.{n}", key="k" * 30) for n in range(4))
    text = spell(value)
    assert text.startswith("(\n    KnownMention(name='fact.0'")
    assert max(map(len, text.splitlines())) <= WIDTH
    assert eval(text, dict(NAMES)) == value
