"""The files that are worked on: what counts as a change, what does not, and of which commit it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from goalspec.runtime.pinned import WorkTree, reading, work_tree
from goalspec.runtime.pinned.commit import NO_COMMIT, commit_of

CHANGES: dict[str, tuple[Callable[[Path], object], bool]] = {
    "nothing": (lambda r: None, False),
    "a text": (lambda r: (r / "a.py").write_text("b"), True),
    "a text of the same size, and its time set back": (lambda r: _behind(r / "a.py", "b"), True),
    "the same text, written again": (lambda r: (r / "a.py").write_text("a"), False),
    "a new file": (lambda r: (r / "b.py").write_text(""), True),
    "a file that went": (lambda r: (r / "a.py").unlink(), True),
    "another name": (lambda r: (r / "a.py").rename(r / "c.py"), True),
    "the right to run": (lambda r: (r / "a.py").chmod(0o755), os.name == "posix"),
    "a link": (lambda r: (r / "l").symlink_to("a.py"), True),
    "an empty folder": (lambda r: (r / "empty").mkdir(), False),
    "a cache": (lambda r: _cache(r), False),
    "an unreadable pipe": (lambda r: os.mkfifo(r / "pipe"), True),
}


def _behind(path: Path, text: str) -> None:
    found = path.stat()
    path.write_text(text)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def _cache(root: Path) -> None:
    for name in ("__pycache__", "d/.pytest_cache", ".git", "node_modules"):
        (root / name).mkdir(parents=True)
        (root / name / "f").write_text("x")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("a")
    (tmp_path / "d").mkdir()
    (tmp_path / "d/e.py").write_text("e")
    return tmp_path


@pytest.mark.parametrize("settled", [True, False], ids=["long after", "at once"])
@pytest.mark.parametrize("kind", CHANGES)
def test_what_counts_as_a_change(
    root: Path, kind: str, settled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if settled:  # the first look may keep what it read
        time.sleep(0.02)
        monkeypatch.setattr(work_tree, "_SETTLED", 10_000_000)
    change, changes = CHANGES[kind]
    tree = WorkTree(root)
    before = tree.digest()
    change(root)
    assert before is not None
    assert (tree.digest() != before) is changes
    assert WorkTree(root).digest() == tree.digest()  # nothing hangs on what was kept


def test_only_what_changed_is_read_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_tree, "_SETTLED", 10_000_000)
    read: list[str] = []

    def file_hash(path: str) -> str | None:
        read.append(Path(path).name)
        return reading.file_hash(path)

    monkeypatch.setattr(work_tree, "file_hash", file_hash)
    time.sleep(0.02)
    tree = WorkTree(root)
    tree.digest()
    assert sorted(read) == ["a.py", "e.py"]
    (root / "a.py").write_text("new")
    tree.digest()
    assert sorted(read) == ["a.py", "a.py", "e.py"]
    tree.digest()  # `a.py` was written just now, and might have changed since
    assert sorted(read) == ["a.py", "a.py", "a.py", "e.py"]


def test_too_many_files_have_no_digest(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_FILES", 1)
    assert WorkTree(root).digest() is None


# --- the commit


@pytest.fixture
def git(root: Path) -> Callable[..., str]:
    if shutil.which("git") is None:
        pytest.skip("there is no git")

    def run(*arguments: str, at: Path = root) -> str:
        names = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        command = ["git", "-C", str(at), *names, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    run("init", "-q", "-b", "main")
    return run


@pytest.mark.ruling(2)
def test_the_commit_is_the_one_that_git_names(root: Path, git: Callable[..., str]) -> None:
    assert commit_of(root) == NO_COMMIT
    git("add", ".")
    git("commit", "-qm", "one")
    first = git("rev-parse", "HEAD")
    assert commit_of(root) == commit_of(root / "d") == first
    git("branch", "side/of/it")
    git("pack-refs", "--all")
    assert not (root / ".git/refs/heads/main").exists()
    assert commit_of(root) == first
    git("commit", "-qm", "two", "--allow-empty")  # loose again, before the packed one
    second = git("rev-parse", "HEAD")
    assert commit_of(root) == second != first
    other = root.with_name(root.name + "-other")
    git("worktree", "add", "-q", str(other), "side/of/it")
    assert commit_of(other) == first
    git("checkout", "-q", "--detach", "main", at=other)
    assert commit_of(other) == second


@pytest.mark.ruling(2)
def test_a_revision_is_the_commit_and_what_was_changed(root: Path, git: Callable[..., str]) -> None:
    git("add", ".")
    git("commit", "-qm", "one")
    tree = WorkTree(root)
    first = tree.revision()
    assert first is not None and first.startswith(git("rev-parse", "HEAD") + "+")
    (root / "a.py").write_text("dirty")
    dirty = tree.revision()
    (root / "__pycache__").mkdir()
    (root / "__pycache__/a.pyc").write_text("x")
    assert dirty == tree.revision() != first
    (root / "a.py").write_text("a")
    assert tree.revision() == first
    git("commit", "-qm", "two", "--allow-empty")
    assert tree.revision() != first


def test_outside_of_a_repository_there_is_no_revision(root: Path) -> None:
    assert commit_of(root) is None  # the tests' folder lies in none
    assert WorkTree(root).revision() is None


BROKEN = {
    "a ref that leads out": {"HEAD": "ref: refs/../../a.py"},
    "a circle": {"HEAD": "ref: refs/heads/a", "refs/heads/a": "ref: refs/heads/a"},
    "nonsense": {"HEAD": "\x00\xff nonsense"},
    "empty": {"HEAD": ""},
    "no HEAD": {"config": ""},
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_repository_that_is_broken_has_no_commit(root: Path, kind: str) -> None:
    for name, text in BROKEN[kind].items():
        path = root / ".git" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert commit_of(root) == NO_COMMIT
    revision = WorkTree(root).revision()
    assert revision is not None and revision.startswith("none+")
