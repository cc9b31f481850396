"""C152: a store is made whole or not at all, and one that cannot be loaded is never taken for an
empty one, nor written over."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from goalspec.runtime.store import StoreError, open_store
from goalspec.tests.runtime.store.decisions import count

OPEN = "import sys; from goalspec.runtime.store import open_store; open_store(sys.argv[1])"


@pytest.mark.parametrize("after", [0.3, 0.5, 0.6, 0.7, 0.8])
def test_a_store_whose_maker_is_killed_is_whole_or_not_there(tmp_path: Path, after: float) -> None:
    path = tmp_path / "goals.db"
    maker = subprocess.Popen([sys.executable, "-c", OPEN, str(path)])
    time.sleep(after)
    os.kill(maker.pid, signal.SIGKILL)
    maker.wait()
    store = open_store(str(path))
    assert store.mutate("s", count).version == 1
    store.close()


@pytest.mark.parametrize("left", ["nothing", "half", "a log alone"])
def test_what_a_crash_left_is_not_begun_anew(tmp_path: Path, left: str) -> None:
    path = tmp_path / "goals.db"
    store = open_store(str(path))
    store.mutate("s", count)
    store.close()
    whole = path.read_bytes()
    if left == "a log alone":
        path.unlink()
        (tmp_path / "goals.db-wal").write_bytes(whole)
    else:
        path.write_bytes(whole[: len(whole) // 2 if left == "half" else 0])
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(StoreError, match=r"goals\.db"):
        open_store(str(path))
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
