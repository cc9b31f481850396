"""Findings that were there before: what a baseline holds, and what it silences."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from goalspec.compiler.lint.baseline import (
    BadBaseline,
    read_baseline,
    without_known,
    write_baseline,
)
from goalspec.compiler.lint.linter import Linter
from goalspec.compiler.lint.run import Answer

TEXT = (
    'facts {\n  a.ok : bool\n}\ngoal g {\n  objective "Ship it."\n'
    '  criterion c "x"\n    check a.ok == true\n}\n'
)
SAME = TEXT[:-2] + '  criterion d "y"\n    check a.ok == true and a.ok == true\n}\n'


def answer(text: str, name: str = "a.goal") -> Answer:
    linted = Linter().lint_bytes(text.encode(), name)
    return Answer(name, Path(name), linted.checked.unit.source, linted.found)


def place_of(answer: Answer) -> str:
    return answer.name


def codes(answers: list[Answer]) -> list[str]:
    return [d.code.id for a in answers for d in a.found]


def test_what_was_written_is_silent() -> None:
    answers = [answer(TEXT), answer(SAME, "b.goal")]
    assert codes(answers)
    kept, gone = without_known(answers, read_baseline(write_baseline(answers, place_of)), place_of)
    assert (codes(kept), gone) == ([], 0)


def test_the_form() -> None:
    document = json.loads(write_baseline([answer(TEXT)], place_of))
    assert document == {
        "version": 1,
        "findings": [
            {
                "path": "a.goal",
                "code": "GS402",
                "message": "`a.ok == true` compares a truth with a truth",
                "count": 1,
            }
        ],
    }


def test_the_same_findings_are_the_same_bytes() -> None:
    one, other = answer(TEXT), answer(SAME, "b.goal")
    assert write_baseline([one, other], place_of) == write_baseline([other, one], place_of)


def test_text_above_a_finding_changes_nothing() -> None:
    baseline = read_baseline(write_baseline([answer(TEXT)], place_of))
    kept, gone = without_known([answer("# new\n\n" + TEXT)], baseline, place_of)
    assert (codes(kept), gone) == ([], 0)


def test_of_several_alike_as_many_are_silent_as_there_were() -> None:
    baseline = read_baseline(write_baseline([answer(TEXT)], place_of))
    kept, gone = without_known([answer(SAME)], baseline, place_of)
    assert codes(kept).count("GS402") == codes([answer(SAME)]).count("GS402") - 1
    assert gone == 0


def test_another_file_or_message_is_new() -> None:
    baseline = read_baseline(write_baseline([answer(TEXT)], place_of))
    for new in (answer(TEXT, "b.goal"), answer(TEXT.replace("a.ok", "b.ok"))):
        assert codes(without_known([new], baseline, place_of)[0]) == ["GS402"]


def test_what_is_no_longer_there_is_counted_for_the_files_of_the_run() -> None:
    baseline = read_baseline(write_baseline([answer(TEXT), answer(TEXT, "b.goal")], place_of))
    mended = answer(TEXT.replace(" == true", ""))
    assert without_known([mended], baseline, place_of)[1] == 1
    assert baseline == read_baseline(
        write_baseline([answer(TEXT), answer(TEXT, "b.goal")], place_of)
    )


def test_errors_of_the_language_are_never_in_it() -> None:
    wrong = answer(TEXT.replace("a.ok ==", "a.no =="))
    assert codes([wrong]) == ["GS201"]
    assert json.loads(write_baseline([wrong], place_of))["findings"] == []


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "5", "null", '"x"', "{}", '{"version": 1}', '{"version": 1, "findings": 5}',
        '{"version": 1, "findings": [5]}', '{"version": 1, "findings": [{}]}', "[" * 100_000,
        '{"version": 1, "findings": [{"path": "a", "code": "b", "message": "c"}]}',
        '{"version": 1, "findings": [{"path": "a", "code": "b", "message": "c", "count": 1e999}]}',
        '{"version": 1, "findings": [{"path": "a", "code": "b", "message": "c", "count": "2"}]}',
        b"\xff\xfe", b"\x80",
    ],
)  # fmt: skip
def test_what_is_no_baseline(text: str | bytes) -> None:
    with pytest.raises(BadBaseline, match="write one with --write-baseline"):
        read_baseline(text)


def test_a_later_version() -> None:
    with pytest.raises(BadBaseline, match="version 1"):
        read_baseline('{"version": 2, "findings": []}')


def test_entries_that_are_there_twice_add_up() -> None:
    entry = {"path": "a", "code": "b", "message": "c", "count": 2}
    text = json.dumps({"version": 1, "findings": [entry, entry]})
    assert read_baseline(text) == Counter({("a", "b", "c"): 4})
