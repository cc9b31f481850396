"""JSON Lines: whole lines, at once, after what is there; and what happens when that cannot be."""

from __future__ import annotations

import io
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from goalspec.runtime.sinks import JsonlSink, SinkFailed
from goalspec.tests.runtime.sinks.notices import NOTICE


@pytest.mark.row("P09")
def test_each_notice_is_a_line_that_is_there_at_once(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    sink = JsonlSink(path)
    sink.tell(NOTICE)
    assert json.loads(path.read_text("utf-8")) == {
        "session": "s-1", "goal": "ship", "generation": 1, "at": NOTICE.at, "kind": "begun",
        "actor": "runtime", "details": {"run": "run-1"},
    }  # fmt: skip
    sink.tell(NOTICE)
    sink.close()
    assert path.read_text("utf-8").count("\n") == 2


def test_a_line_stays_one_whatever_its_texts_are(tmp_path: Path) -> None:
    text = "a\nb\r\x1b[31m\x85\u2028\ud800é"
    path = tmp_path / "events.jsonl"
    sink = JsonlSink(str(path))
    sink.tell(replace(NOTICE, details={"run": text}))
    sink.close()
    written = path.read_text("utf-8")
    assert len(written.splitlines()) == 1
    assert "é" in written and "\x1b" not in written
    assert json.loads(written)["details"]["run"] == text


@pytest.mark.parametrize(
    ("before", "after"), [(b"", b""), (b"{}\n", b"{}\n"), (b'{}\n{"cut', b'{}\n{"cut\n')]
)
def test_it_goes_on_after_what_is_there(tmp_path: Path, before: bytes, after: bytes) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(before)
    sink = JsonlSink(path)
    sink.tell(NOTICE)
    sink.close()
    written = path.read_bytes()
    assert written.startswith(after + b'{"session"')


def test_a_hosts_stream_stays_open() -> None:
    stream = io.BytesIO()
    sink = JsonlSink(stream)
    sink.tell(NOTICE)
    sink.close()
    assert json.loads(stream.getvalue())["kind"] == "begun"


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(SinkFailed, match=r"gone/events\.jsonl cannot be written: No such file"):
        JsonlSink(tmp_path / "gone" / "events.jsonl")
    with pytest.raises(SinkFailed, match="cannot be written: Is a directory"):
        JsonlSink(tmp_path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full disk to offer")
def test_a_full_disk_is_said() -> None:
    sink = JsonlSink("/dev/full")
    for _ in range(2):
        with pytest.raises(SinkFailed, match="/dev/full cannot be written: No space left"):
            sink.tell(NOTICE)
    with pytest.raises(SinkFailed):
        sink.close()


@pytest.mark.skipif(sys.platform == "win32", reason="pipes there break otherwise")
def test_a_closed_pipe_is_said() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb", buffering=0) as stream:
        sink = JsonlSink(stream)
        sink.tell(NOTICE)
        os.close(reading)
        with pytest.raises(SinkFailed, match="stream of events cannot be written: Broken pipe"):
            sink.tell(NOTICE)


def test_a_stream_that_was_closed_is_said() -> None:
    stream = io.BytesIO()
    sink = JsonlSink(stream)
    stream.close()
    with pytest.raises(SinkFailed, match="closed file"):
        sink.tell(NOTICE)
