"""What makes an effect the same again, and that any text has a fingerprint, in linear time."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.convergence import fingerprint
from goalspec.runtime.convergence.events import Effect
from goalspec.runtime.convergence.fingerprints import output_digest
from hypothesis import given
from hypothesis import strategies as st

TABLE = tomllib.loads(Path(__file__).with_name("fingerprints.toml").read_text("utf-8"))["pair"]


@pytest.mark.row("S06")
@pytest.mark.parametrize("pair", TABLE, ids=lambda pair: pair["name"])
def test_is_it_the_same_again(pair: dict[str, Any]) -> None:
    mutates = pair.get("mutates", True)
    first, second = (
        fingerprint(Effect(*pair[side], mutates=mutates)) for side in ("first", "second")
    )
    assert (first == second) is pair["same"]


@pytest.mark.row("S06")
@given(st.text(st.characters(exclude_categories=())), st.booleans())
def test_any_text_has_a_fingerprint(text: str, mutates: bool) -> None:
    one = fingerprint(Effect(text, text, text, mutates=mutates))
    assert one == fingerprint(Effect(text, text, text, mutates=mutates))
    assert len(one) == len(output_digest(text)) == 16


@pytest.mark.row("S06")
@pytest.mark.parametrize("piece", ["a", "1", "0-", "12:", "2026-03-01T", "f0", "1 ", "e-"])
def test_a_long_result_takes_no_longer_than_its_length(piece: str) -> None:
    began = time.perf_counter()
    fingerprint(Effect("t", piece * 200_000, piece * 200_000, mutates=False))
    assert time.perf_counter() - began < 5
