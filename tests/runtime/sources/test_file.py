"""Facts files that are read anew, and those that the agent could write."""

from __future__ import annotations

import os
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from goalspec.runtime.sources import FactsFileRefused, FileFacts, answers
from goalspec.tests.runtime.sources.goals import asked, goal_with, why, write

FACTS = goal_with("facts {\n  suite.ok : bool\n  line : percent as ratio\n}").facts


def test_the_file_is_read_at_each_asking(tmp_path: Path) -> None:
    path = write(tmp_path / "f.json", '{"suite": {"ok": true}, "line": 0.842}')
    source = FileFacts(path, FACTS)
    assert asked(source) == {"suite.ok": True, "line": Decimal("0.842")}
    write(path, '{"facts": {"suite.ok": false}}')
    answer = asked(source)
    assert answer["suite.ok"] is False
    assert why(answer, "line") == ("missing", f"{path} does not say it")  # nothing stays of before
    path.unlink()
    assert why(asked(source), "suite.ok") == ("error", f"{path}: No such file or directory")


def test_a_key_that_nobody_declared_is_kept_for_its_warning(tmp_path: Path) -> None:
    path = write(tmp_path / "f.json", '{"suite": {"okay": true}, "lines": 1}')
    answer = asked(FileFacts(path, FACTS))
    assert answer.keys() == {"suite.ok", "line", "suite.okay", "lines"}
    assert {why(answer, name)[0] for name in answer} == {"missing"}


BAD = {
    "{": "not JSON",
    "": "the facts are empty",
    "[1]": "an observation is a JSON object",
    '{"suite.ok": true, "suite": {"ok": true}}': "is there twice",
    '{"line": 1, "line": 2}': "is there twice",
    '{"line": 1}\n{"line": 2}': "one observation",
    '{"at": "2026-01-01T00:00Z", "facts": {}}': "no `at`, `id` or `rev`",
    '{"rev": "a", "facts": {}}': "no `at`, `id` or `rev`",
    "[" * 100_000: "nests too deep",
}


@pytest.mark.ruling(11)
@pytest.mark.parametrize("text", BAD, ids=[text[:20] for text in BAD])
def test_what_cannot_be_read_makes_every_fact_unknown(tmp_path: Path, text: str) -> None:
    answer = asked(FileFacts(write(tmp_path / "f.json", text), FACTS))
    assert answer.keys() == {"suite.ok", "line"}
    for name in answer:
        reason, words = why(answer, name)
        assert reason == "error" and BAD[text] in words


def test_other_bytes_than_utf_8_and_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f.json"
    path.write_bytes(b'{"line": "\xff"}')
    assert "not UTF-8" in why(asked(FileFacts(path, FACTS)), "line")[1]
    monkeypatch.setattr("goalspec.runtime.sources.file.MAX_FACTS", 10)
    assert "at most 10 bytes" in why(asked(FileFacts(path, FACTS)), "line")[1]
    assert answers.MAX_FACTS > 1024 * 1024  # more than one fact may be


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes in folders")
def test_what_is_no_file_hangs_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        assert "no regular file" in why(asked(FileFacts(path, FACTS)), "line")[1]


@pytest.mark.ruling(41)
def test_a_file_in_the_agents_folder_is_refused(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    inside = write(agent / "deep/f.json", '{"suite.ok": true}')
    with pytest.raises(FactsFileRefused, match="the agent could write it"):
        FileFacts(inside, FACTS, agent)
    with pytest.raises(FactsFileRefused):
        FileFacts(agent / "not/there.json", FACTS, agent)
    (tmp_path / "link").symlink_to(inside)
    with pytest.raises(FactsFileRefused):
        FileFacts(tmp_path / "link", FACTS, agent)
    (tmp_path / "other-name").symlink_to(agent)
    with pytest.raises(FactsFileRefused):
        FileFacts(inside, FACTS, tmp_path / "other-name")
    assert asked(FileFacts(inside, FACTS, agent, from_agent=True))["suite.ok"] is True


@pytest.mark.ruling(41)
def test_a_link_that_leads_into_the_agents_folder_later(tmp_path: Path) -> None:
    inside = write(tmp_path / "agent/f.json", '{"suite.ok": true}')
    path = write(tmp_path / "f.json", '{"suite.ok": false}')
    source = FileFacts(path, FACTS, tmp_path / "agent")
    assert asked(source)["suite.ok"] is False
    path.unlink()
    path.symlink_to(inside)
    assert why(asked(source), "suite.ok")[0] == "error"


def test_a_folder_that_begins_alike_is_another(tmp_path: Path) -> None:
    path = write(tmp_path / "agent-facts/f.json", '{"suite.ok": true}')
    assert asked(FileFacts(path, FACTS, tmp_path / "agent"))["suite.ok"] is True
