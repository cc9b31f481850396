"""An objective that somebody typed is cut to what is shown, and kept whole beside it."""

from __future__ import annotations

import unicodedata

import pytest
from goalspec.compiler import compile_text
from goalspec.compiler.ir.document import MAX_OBJECTIVE
from goalspec.runtime.record import capped_objective
from hypothesis import given
from hypothesis import strategies as st

MARK = " […the objective goes on: {} characters, whole in the record]"


def shown(text: str) -> str:
    """What is shown of *text* before the mark."""
    cut, whole = capped_objective(text)
    assert whole == text.strip()
    assert len(cut) <= MAX_OBJECTIVE
    mark = MARK.format(len(whole))
    assert cut.endswith(mark)
    return cut.removesuffix(mark)


@pytest.mark.row("S13")
@pytest.mark.parametrize("text", ["", "  Fix it.\n", "x" * 4_000, " " + "é" * 4_000 + "\t"])
def test_what_fits_is_trimmed_and_whole(text: str) -> None:
    assert capped_objective(text) == (text.strip(), None)


@pytest.mark.row("S13")
@pytest.mark.ruling(54)
def test_a_long_one_is_cut_at_white_space_that_is_near() -> None:
    room = MAX_OBJECTIVE - len(MARK.format(5_000))
    near = "a" * (room - 199) + " " + "b" * (5_000 - room + 198)
    assert shown(near) == "a" * (room - 199)
    far = "a" * (room - 200) + " " + "b" * (5_000 - room + 199)
    assert len(shown(far)) == room


@pytest.mark.row("S13")
@pytest.mark.parametrize(
    "character",
    [
        "e\u0301",
        "o\u0302\u0303",
        "👩\u200d👩\u200d👧",
        "👍🏽",
        "🇩🇪",
        "\ud83d\ude00",
        "न\u0940",
        "✔\ufe0f",
    ],
)
@pytest.mark.parametrize("shift", range(8))
def test_a_cut_is_never_inside_of_a_character(character: str, shift: int) -> None:
    text = "x" * shift + character * 5_000
    kept = shown(text).removeprefix("x" * shift)
    assert len(kept) % len(character) == 0
    assert kept == character * (len(kept) // len(character))


def test_marks_without_end_are_cut_somewhere() -> None:
    assert len(shown("a" + "\u0301" * 9_000)) > 3_000


@given(st.text(st.sampled_from("a \n\u0301\u200d🇩👍🏽"), min_size=1), st.integers(4_000, 6_000))
def test_whatever_was_typed_is_kept_and_what_is_shown_begins_it(unit: str, length: int) -> None:
    text = (unit * length)[:length]
    cut, whole = capped_objective(text)
    if whole is None:
        assert cut == text.strip()
        return
    kept = shown(text)
    assert whole.startswith(kept)
    assert not kept or not kept[-1].isspace()
    assert (
        len(kept) > MAX_OBJECTIVE - 300 or not unicodedata.normalize("NFC", whole)[:4_000].strip()
    )


@pytest.mark.ruling(54)
def test_a_file_s_objective_is_never_cut() -> None:
    text = f'goal g {{\n  objective "{"x" * 4_001}"\n  criterion c "y"\n}}\n'
    compilation = compile_text(text)
    assert compilation.document is None
    assert "4,000" in str(compilation.diagnostics) or "4000" in str(compilation.diagnostics)
