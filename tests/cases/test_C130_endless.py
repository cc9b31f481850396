"""C130: a standard input that never ends is waited for five seconds, and a terminal not at all."""

from __future__ import annotations

import os
import pty
import subprocess
import time
from pathlib import Path

import pytest
from goalspec.tests.cli.hooked import ENVIRONMENT, Hooked


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    hooked = Hooked(tmp_path)
    hooked.create()
    return hooked


def left_open(hooked: Hooked, data: bytes) -> tuple[bytes, bytes, int, float]:
    """What a hook prints whose host writes *data* and does not close the stream; its exit code, and
    the seconds that it took."""
    began = time.monotonic()
    process = subprocess.Popen(
        hooked.command(), cwd=hooked.project, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=ENVIRONMENT,
    )  # fmt: skip
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(data)
    process.stdin.flush()
    out, err = process.stdout.read(), process.stderr.read()
    took = time.monotonic() - began
    process.stdin.close()
    return out, err, process.wait(20), took


def test_nothing_is_decided_where_nothing_whole_came(hooked: Hooked) -> None:
    out, err, code, took = left_open(hooked, b'{"session_id": "s-1"')
    assert (out, code) == (b"{}\n", 0)
    assert err.count(b"\n") == 1
    assert 5 <= took < 20
    assert hooked.record().usage.turns == 0


def test_an_object_that_is_whole_is_decided_on(hooked: Hooked) -> None:
    out, err, code, took = left_open(hooked, hooked.told())
    assert out.startswith(b'{"decision": "block"')
    assert (err, code) == (b"", 0)
    assert 5 <= took < 20


def test_a_terminal_is_refused_at_once(hooked: Hooked) -> None:
    ours, theirs = pty.openpty()
    try:
        began = time.monotonic()
        done = subprocess.run(
            hooked.command(), cwd=hooked.project, stdin=theirs, capture_output=True, timeout=20,
            check=False, env=ENVIRONMENT,
        )  # fmt: skip
        assert time.monotonic() - began < 5
    finally:
        os.close(ours)
        os.close(theirs)
    assert (done.stdout, done.returncode) == (b"{}\n", 0)
    assert b"terminal" in done.stderr
