"""Pinned files: every way in which one can drift shows, and nothing that lies in the way of a look
stops it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from goalspec.compiler.ir.document import Protect
from goalspec.runtime.convergence.drift import drifted
from goalspec.runtime.pinned import PinnedFiles, pinned_files, reading

PROTECT = (Protect(globs=("tests/**", "gate.ini"), allow_new=("tests/new_*.py",)),)
FILES = {
    "g.goal": "goal",
    "baseline.json": "{}",
    "scripts/check.sh": "true",
    "gate.ini": "[gate]",
    "pyproject.toml": '[project]\nname = "p"\n[tool.goalspec]\nexclude = ["a"]\n',
    "tests/test_a.py": "a",
    "tests/deep/test_b.py": "b",
    "data/one.txt": "1",
    "data/two.txt": "2",
    "src/app.py": "app",
}
posix = pytest.mark.skipif(sys.platform == "win32", reason="pipes and permissions of POSIX")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        write(tmp_path / name, text)
    (tmp_path / "tests/data.txt").symlink_to("../data/one.txt")
    (tmp_path / "tests/folder").symlink_to("../data")
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def pinned(root: Path) -> PinnedFiles:
    return PinnedFiles(root, ["g.goal", "baseline.json", "scripts/check.sh"], PROTECT)


def retarget(link: Path, to: str) -> None:
    link.unlink()
    link.symlink_to(to)


def each(*steps: Callable[[Path], object]) -> Callable[[Path], object]:
    def change(root: Path) -> None:
        for step in steps:
            step(root)

    return change


DRIFTS: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "changed": (lambda r: write(r / "tests/test_a.py", "A"), ["tests/test_a.py was changed"]),
    "changed, and its times set back": (
        each(
            lambda r: write(r / "gate.ini", "[GATE]"),
            lambda r: os.utime(r / "gate.ini", ns=(0, 0)),
        ),
        ["gate.ini was changed"],
    ),
    "gone": (lambda r: (r / "tests/test_a.py").unlink(), ["tests/test_a.py is gone"]),
    "added": (lambda r: write(r / "tests/conftest.py", ""), ["tests/conftest.py was added"]),
    "added, as is allowed": (lambda r: write(r / "tests/new_1.py", ""), []),
    "added elsewhere": (lambda r: write(r / "src/new.py", ""), []),
    "renamed": (
        lambda r: (r / "tests/test_a.py").rename(r / "tests/test_z.py"),
        ["tests/test_a.py is gone", "tests/test_z.py was added"],
    ),
    "renamed to what is allowed": (
        lambda r: (r / "tests/test_a.py").rename(r / "tests/new_a.py"),
        ["tests/test_a.py is gone"],
    ),
    "a link to another": (
        lambda r: retarget(r / "tests/data.txt", "../data/two.txt"),
        ["tests/data.txt was changed"],
    ),
    "a link by another text": (
        lambda r: retarget(r / "tests/data.txt", "../data/../data/one.txt"),
        ["tests/data.txt was changed"],
    ),
    "what a link leads to": (
        lambda r: write(r / "data/one.txt", "!"),
        ["tests/data.txt was changed", "tests/folder was changed"],
    ),
    "in a folder that a link leads to": (
        lambda r: write(r / "data/three.txt", "3"),
        ["tests/folder was changed"],
    ),
    "a link in place of a file of the same text": (
        each(
            lambda r: write(r / "src/copy", "a"),
            lambda r: retarget(r / "tests/test_a.py", "../src/copy"),
        ),
        ["tests/test_a.py was changed"],
    ),
    "a link in place of a folder": (
        each(
            lambda r: (r / "tests/deep").rename(r / "src/deep"),
            lambda r: (r / "tests/deep").symlink_to("../src/deep"),
        ),
        ["tests/deep was added", "tests/deep/test_b.py is gone"],
    ),
    "a folder in place of a file": (
        each(lambda r: (r / "gate.ini").unlink(), lambda r: (r / "gate.ini").mkdir()),
        ["gate.ini is gone"],
    ),
    "the goal's file": (lambda r: write(r / "g.goal", "easier"), ["g.goal was changed"]),
    "the baseline": (lambda r: write(r / "baseline.json", "[]"), ["baseline.json was changed"]),
    "a script": (lambda r: write(r / "scripts/check.sh", ""), ["scripts/check.sh was changed"]),
    "the settings": (
        lambda r: write(r / "pyproject.toml", "[tool.goalspec]\nexclude = []\n"),
        ["pyproject.toml [tool.goalspec] was changed"],
    ),
    "no settings any more": (
        lambda r: write(r / "pyproject.toml", ""),
        ["pyproject.toml [tool.goalspec] is gone"],
    ),
    "settings that are no TOML": (
        lambda r: write(r / "pyproject.toml", "[tool"),
        ["pyproject.toml [tool.goalspec] cannot be read"],
    ),
    "the file of the settings, beside them": (
        lambda r: write(
            r / "pyproject.toml", "[tool.goalspec]\nexclude = [ 'a' ]\n[project]\nname = 'q'\n"
        ),
        [],
    ),
    "what tools fill": (lambda r: write(r / "tests/__pycache__/a.pyc", "x"), []),
    "the same text again": (lambda r: write(r / "tests/test_a.py", "a"), []),
}  # fmt: skip


@pytest.mark.row("X11")
@pytest.mark.ruling(34)
@pytest.mark.parametrize("kind", DRIFTS)
def test_drift(root: Path, kind: str) -> None:
    change, said = DRIFTS[kind]
    pins = pinned(root)
    before = pins.hashes()
    change(root)
    assert list(drifted(before, pins.hashes(), PROTECT)) == said


def test_what_is_pinned(root: Path) -> None:
    assert sorted(pinned(root).hashes()) == [
        "baseline.json",
        "g.goal",
        "gate.ini",
        "pyproject.toml [tool.goalspec]",
        "scripts/check.sh",
        "tests/data.txt",
        "tests/deep/test_b.py",
        "tests/folder",
        "tests/test_a.py",
    ]


def test_settings_that_come_are_an_addition(tmp_path: Path) -> None:
    pins = PinnedFiles(tmp_path, [])
    before = pins.hashes()
    write(tmp_path / "pyproject.toml", "[tool.goalspec]")
    assert drifted(before, pins.hashes(), ()) == ("pyproject.toml [tool.goalspec] was added",)


@pytest.mark.row("X11")
@pytest.mark.ruling(13)
def test_what_cannot_be_read_is_drift(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pins = pinned(root)
    before = pins.hashes()
    locked = {str(root / "tests/test_a.py"), str(root / "tests/deep")}

    def refusing(ask: Callable[..., Any]) -> Callable[..., Any]:
        def refused(path: str, *rest: Any) -> Any:
            if path in locked:
                raise PermissionError(13, "Permission denied", path)
            return ask(path, *rest)

        return refused

    for name in ("open", "scandir"):  # the tests may run as who reads everything
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    assert drifted(before, pins.hashes(), PROTECT) == (
        "tests/deep was added",
        "tests/deep/test_b.py is gone",
        "tests/test_a.py cannot be read",
    )


@posix
@pytest.mark.row("X11")
def test_pipes_devices_and_circles_hang_nothing(root: Path) -> None:
    pins = pinned(root)
    before = pins.hashes()
    for name in ("gate.ini", "g.goal"):
        (root / name).unlink()
        os.mkfifo(root / name)
    os.mkfifo(root / "tests/pipe")
    (root / "tests/self").symlink_to("self")
    (root / "tests/up").symlink_to("..")
    (root / "data/back").symlink_to("../tests")
    (root / "tests/device").symlink_to("/dev/zero")
    retarget(root / "tests/data.txt", "../gate.ini")
    hashes = pins.hashes()
    assert {name for name, held in hashes.items() if held is None} == {
        "gate.ini", "g.goal", "tests/pipe", "tests/data.txt", "tests/self",
    }  # fmt: skip
    assert set(drifted(before, hashes, PROTECT)) == {
        "g.goal cannot be read",
        "gate.ini cannot be read",
        "tests/data.txt cannot be read",
        "tests/device was added",
        "tests/folder was changed",
        "tests/pipe was added",
        "tests/self was added",
        "tests/up was added",
    }


@posix
def test_a_file_that_becomes_a_pipe_while_it_is_looked_at_hangs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "file", "")
    os.mkfifo(tmp_path / "pipe")
    before = os.lstat(tmp_path / "file")
    monkeypatch.setattr(os, "lstat", lambda path: before)
    assert reading.file_hash(str(tmp_path / "pipe")) is None


def test_what_a_link_leads_to_outside_is_not_looked_at(root: Path, tmp_path: Path) -> None:
    outside = tmp_path.with_name(tmp_path.name + "-outside")
    write(outside / "secret.txt", "1")
    (root / "tests/file").symlink_to(outside / "secret.txt")
    (root / "tests/all").symlink_to(outside)
    pins = pinned(root)
    before = pins.hashes()
    write(outside / "secret.txt", "2")
    assert drifted(before, pins.hashes(), PROTECT) == ()
    retarget(root / "tests/file", str(outside))
    assert drifted(before, pins.hashes(), PROTECT) == ("tests/file was changed",)


GLOBS = {
    "tests": {"tests/data.txt", "tests/deep/test_b.py", "tests/folder", "tests/test_a.py"},
    "tests/*.py": {"tests/test_a.py"},
    "tests/*/test_*.py": {"tests/deep/test_b.py"},
    "tests/*/*.txt": {"tests/folder"},
    "**/*.py": {"tests/test_a.py", "tests/deep/test_b.py", "src/app.py"},
    "no-such-folder/**": set(),
    "node_modules/**": {"node_modules/m/index.js"},
    ".git/hooks/*": {".git/hooks/pre-commit"},
    "**/index.js": set(),
}


@pytest.mark.parametrize("glob", GLOBS)
def test_what_a_glob_protects(root: Path, glob: str) -> None:
    write(root / "node_modules/m/index.js", "")
    write(root / ".git/hooks/pre-commit", "")
    found = PinnedFiles(root, [], (Protect(globs=(glob,)),)).hashes()
    assert found.keys() - {pinned_files.SETTINGS} == GLOBS[glob]


@posix
def test_names_that_are_no_utf_8_can_be_stored(root: Path) -> None:
    name = os.fsencode(root / "tests") + b"/\xff.py"
    try:
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
    except OSError:
        pytest.skip("the file system has only names in UTF-8")
    hashes = pinned(root).hashes()
    assert hashes["tests/\\xff.py"] is not None
    assert "\n".join(hashes).encode()


def test_a_file_that_is_named_absolutely(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    write(tmp_path / "baseline.json", "{}")
    name = (tmp_path / "baseline.json").as_posix()
    assert PinnedFiles(root, [name]).hashes().keys() == {name}


@pytest.mark.row("X11")
def test_the_number_of_files_and_their_size_are_bounded(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pins = pinned(root)
    monkeypatch.setattr(reading, "MAX_FILES", 3)
    hashes = pins.hashes()
    assert hashes[pinned_files.TOO_MANY] is None
    assert hashes["g.goal"] is not None  # what is named comes first
    assert "narrow the globs: the rest cannot be read" in drifted(hashes, hashes, PROTECT)[0]
    monkeypatch.undo()
    monkeypatch.setattr(reading, "MAX_BYTES", 5)
    assert {name for name, held in pins.hashes().items() if held is None} == {"gate.ini"}
