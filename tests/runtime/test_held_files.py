"""Files that are open through SQLite: nothing of this process opens them in another way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from goalspec.runtime import held_files
from goalspec.runtime.goals import Goals
from goalspec.runtime.lifecycle.commands import Create
from goalspec.runtime.pinned import WorkTree
from goalspec.runtime.pinned.reading import open_regular
from goalspec.runtime.store import open_store
from goalspec.tests.runtime.convergence.loop import checked

USES_IT = """
import sys
from goalspec.runtime.goals import Goals
from goalspec.runtime.lifecycle.commands import Pause
from goalspec.runtime.store import open_store
store = open_store(sys.argv[1])
Goals(store).perform("s-1", Pause(), "person")
store.close()
"""


@pytest.mark.row("S12")
@pytest.mark.skipif(os.name != "posix", reason="only there a closed file ends other files' locks")
def test_a_store_that_is_opened_again_keeps_the_locks_of_the_first(tmp_path: Path) -> None:
    file = tmp_path / "goals.sqlite"
    first = open_store(str(file))
    Goals(first).perform("s-1", Create(goal=checked()), "person")
    open_store(str(file)).close()
    # Who closes a file last takes its log away; without its locks, the first would not be seen.
    subprocess.run([sys.executable, "-c", USES_IT, str(file)], check=True)
    assert Path(f"{file}-wal").exists()
    Goals(first).perform("s-2", Create(goal=checked()), "person")
    assert Goals(open_store(str(file))).record("s-1").status.name == "paused"
    first.close()


def test_an_open_store_is_no_file_that_is_worked_on(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a = 1")
    tree = WorkTree(tmp_path)
    before = tree.digest()
    file = tmp_path / "goals.sqlite"
    store = open_store(str(file))
    assert tree.digest() == before
    Goals(store).perform("s-1", Create(goal=checked()), "person")
    assert Path(f"{file}-wal").exists()
    assert tree.digest() == before
    with pytest.raises(OSError, match="a store that is open"):
        open_regular(str(file))
    link = tmp_path / "link"
    os.link(file, link)
    assert held_files.is_held(str(link))
    store.close()
    assert not held_files.is_held(str(file))
    assert tree.digest() != before
