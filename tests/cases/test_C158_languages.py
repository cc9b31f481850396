"""C158: no verdict hangs on finding a word somewhere: verdicts are fixed ASCII words in their own
places, quotes are compared in composed form and by whole words, in any language."""

from __future__ import annotations

import json
import unicodedata

import pytest
from goalspec.runtime.judge import Answer, Evidence, Invalid, read_answer
from goalspec.tests.runtime.judge.goals import DIFF, changed, request, said

TEXTS = [
    "ทดสอบผ่านทั้งหมดแล้ว",
    "सभी परीक्षण सफल रहे",
    "sabhi parikshan safal rahe",
    "Tất cả các kiểm thử đều đạt",
    "全部测试通过",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_quote_in_any_language_is_found_in_either_form(text: str, form: str) -> None:
    asked = request(evidence=(Evidence("e1", "tool", unicodedata.normalize("NFD", text)), DIFF))
    quotes = [{"source": "e1", "quote": unicodedata.normalize(form, text)}]  # type: ignore[arg-type]
    answer = changed(lambda a: a["criteria"]["cause"].update(evidence=quotes, reason=text))
    assert isinstance(read_answer(json.dumps(answer), asked), Answer)


@pytest.mark.parametrize("word", ["ผ่าน", "सफल", "đạt", "通过", "ｍｅｔ", "мet"])
def test_a_verdict_has_no_translation(word: str) -> None:
    read = read_answer(
        json.dumps(changed(lambda a: a["criteria"]["cause"].update(outcome=word))), request()
    )
    assert isinstance(read, Invalid)
    assert read.kind == "word"


@pytest.mark.parametrize(
    "reason", ["No, nothing is wrong.", "It is not unmet.", "no", "Not met? Met."]
)
def test_what_a_reason_says_decides_nothing(reason: str) -> None:
    met = changed(lambda a: a["criteria"]["cause"].update(reason=reason))
    unmet = said("continue", cause="unmet")
    unmet["criteria"]["cause"]["reason"] = reason
    for answer, decision in ((met, "accept"), (unmet, "continue")):
        read = read_answer(json.dumps(answer), request())
        assert isinstance(read, Answer)
        assert read.decision == decision


@pytest.mark.parametrize(
    ("quote", "text"), [("0 failed", "10 failed"), ("failed: 1", "failed: 12")]
)
def test_a_part_of_a_number_is_no_quote(quote: str, text: str) -> None:
    asked = request(evidence=(Evidence("e1", "tool", text), DIFF))
    quotes = [{"source": "e1", "quote": quote}]
    read = read_answer(
        json.dumps(changed(lambda a: a["criteria"]["cause"].update(evidence=quotes))), asked
    )
    assert isinstance(read, Invalid)
    assert read.kind == "quote"
