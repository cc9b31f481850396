"""`goalspec fmt`: what it writes and what it leaves alone, what it prints, and its exit codes."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from goalspec.cli import files, group
from goalspec.grammar import formatting

LOOSE = 'goal g{objective "Ship it." # now\ncriterion "It holds"}'
NEAT = 'goal g {\n  objective "Ship it."  # now\n  criterion "It holds"\n}\n'
BROKEN = "goal g {\n  objective\n}\n"
LITERAL = 'goal g {\n  objective "x"\n  budget { runtime 10min }\n}\n'


def fmt(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    command = ["fmt", *map(str, arguments)]
    return CliRunner().invoke(group, command, input=stdin, catch_exceptions=False)


def put(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


# --- files


@pytest.mark.row("X09")
def test_files_are_rewritten(tmp_path: Path) -> None:
    loose, neat = put(tmp_path, "a.goal", LOOSE), put(tmp_path, "b/b.goal", NEAT)
    result = fmt(tmp_path)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "1 file reformatted, 1 left unchanged\n"
    assert loose.read_text() == neat.read_text() == NEAT
    assert fmt(tmp_path).stderr == "0 files reformatted, 2 left unchanged\n"


def test_an_unchanged_file_is_not_touched(tmp_path: Path) -> None:
    path = put(tmp_path, "a.goal", NEAT)
    before = path.stat()
    assert fmt(path).exit_code == 0
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    ("data", "after"),
    [
        (b"", b""),
        (b"\n\n", b""),
        (b"\xef\xbb\xbf", b""),
        (b"\r\n# only\r\n", b"# only\n"),
        (b"\xef\xbb\xbf" + NEAT.replace("\n", "\r\n").encode(), NEAT.encode()),
    ],
)
def test_bytes_at_the_ends(tmp_path: Path, data: bytes, after: bytes) -> None:
    path = put(tmp_path, "a.goal", data)
    for _ in range(2):
        assert fmt(path).exit_code == 0
        assert path.read_bytes() == after


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_permissions_stay(tmp_path: Path, mode: int) -> None:
    path = put(tmp_path, "a.goal", LOOSE)
    path.chmod(mode)
    assert fmt(path).exit_code == 0
    assert path.read_text() == NEAT
    assert path.stat().st_mode & 0o777 == mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target = put(tmp_path, "real/a.goal", LOOSE)
    link = tmp_path / "link.goal"
    link.symlink_to(target)
    assert fmt(link).exit_code == 0
    assert link.is_symlink()
    assert target.read_text() == NEAT


def test_a_link_out_of_a_folder_is_not_followed(tmp_path: Path) -> None:
    outside = put(tmp_path, "outside.goal", LOOSE)
    put(tmp_path, "tree/a.goal", LOOSE)
    (tmp_path / "tree" / "link.goal").symlink_to(outside)
    assert fmt(tmp_path / "tree").exit_code == 0
    assert outside.read_text() == LOOSE


def test_what_the_project_excludes_stays_as_it_is(tmp_path: Path) -> None:
    put(tmp_path, "pyproject.toml", '[tool.goalspec]\nexclude = ["vendor/**"]\n')
    (tmp_path / "vendor").mkdir()
    text = 'goal   g { objective "x" criterion c "It holds" }\n'
    kept = put(tmp_path, "vendor/a.goal", text)
    mine = put(tmp_path, "b.goal", text)
    assert fmt(tmp_path).exit_code == 0
    assert kept.read_text() == text
    assert mine.read_text() != text
    assert fmt(kept).exit_code == 0  # what is named itself is laid out
    assert kept.read_text() != text


def test_settings_that_mean_nothing_are_a_usage_error(tmp_path: Path) -> None:
    put(tmp_path, "pyproject.toml", "[tool.goalspec]\nexclud = []\n")
    path = put(tmp_path, "b.goal", 'goal   g { objective "x" criterion c "It holds" }\n')
    before = path.read_text()
    result = fmt(tmp_path)
    assert (result.exit_code, path.read_text()) == (2, before)
    assert "did you mean `exclude`?" in result.stderr


def test_what_init_writes_has_the_layout(tmp_path: Path) -> None:
    assert CliRunner().invoke(group, ["init", str(tmp_path)]).exit_code == 0
    assert fmt(tmp_path, "--check").exit_code == 0


# --- files that cannot be formatted


@pytest.mark.parametrize(
    ("text", "code"),
    [(BROKEN, "GS101"), (LITERAL, "GS004"), (b"\xff\xfea", "GS001"), (LOOSE + "\0", "GS001")],
)
@pytest.mark.parametrize("options", [[], ["--check"], ["--diff"]])
def test_a_file_with_mistakes_is_left_alone(
    tmp_path: Path, text: str | bytes, code: str, options: list[str]
) -> None:
    bad = put(tmp_path, "a.goal", text)
    before = bad.read_bytes()
    loose = put(tmp_path, "b.goal", LOOSE)
    result = fmt(tmp_path, *options)
    assert result.exit_code == 2
    assert f"error[{code}]" in result.stderr
    assert str(bad) in result.stderr
    assert bad.read_bytes() == before
    assert loose.read_text() == (LOOSE if options else NEAT)
    assert "1 with errors" in result.stderr


def test_a_file_that_only_means_nothing_is_formatted(tmp_path: Path) -> None:
    """Formatting asks how a file is written; that a fact is declared is for `lint`."""
    path = put(tmp_path, "a.goal", 'goal g{criterion "c" check no.such.fact}')
    assert fmt(path).exit_code == 0
    assert path.read_text() == 'goal g {\n  criterion "c"\n    check no.such.fact\n}\n'


def test_a_read_only_file(tmp_path: Path) -> None:
    path, other = put(tmp_path, "a.goal", LOOSE), put(tmp_path, "b.goal", LOOSE)
    path.chmod(0o444)
    result = fmt(tmp_path)
    assert result.exit_code == 2
    assert f"error[GS505]: {path}: it is read-only\n" in result.stderr
    assert path.read_text() == LOOSE
    assert other.read_text() == NEAT


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, "a.goal", LOOSE)

    class Full:
        def __init__(self, handle: int, *rest: Any, **more: Any) -> None:
            self.handle = handle

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *error: object) -> None:
            os.close(self.handle)

        def write(self, text: str) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files.os, "fdopen", Full)
    result = fmt(path)
    assert result.exit_code == 2
    assert f"error[GS505]: {path}: No space left on device\n" in result.stderr
    assert path.read_text() == LOOSE
    assert os.listdir(tmp_path) == ["a.goal"]


def test_a_file_that_nobody_can_read(tmp_path: Path) -> None:
    (tmp_path / "gone.goal").symlink_to(tmp_path / "nowhere")
    loose = put(tmp_path, "a.goal", LOOSE)
    result = fmt(tmp_path)
    assert result.exit_code == 2
    assert "error[GS505]" in result.stderr
    assert loose.read_text() == NEAT


@pytest.mark.parametrize("name", ["nowhere.goal", "*.goal"])
def test_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    result = fmt(name)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"goalspec: error[GS505]: {name}")
    loose = put(tmp_path, "a/b.goal", LOOSE)
    assert fmt(name, "a").exit_code == 2
    assert loose.read_text() == NEAT


def test_a_bug_of_the_formatter_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, "a.goal", LOOSE)
    monkeypatch.setattr(formatting, "render", lambda document: NEAT.replace("# now", ""))
    with pytest.raises(formatting.FormatFault):
        fmt(path)
    assert path.read_text() == LOOSE


# --- --check and --diff


@pytest.mark.parametrize(("text", "code"), [(LOOSE, 1), (NEAT, 0)])
@pytest.mark.parametrize("options", [["--check"], ["--diff"], ["--check", "--diff"]])
def test_looking_writes_nothing(tmp_path: Path, text: str, code: int, options: list[str]) -> None:
    path = put(tmp_path, "a.goal", text)
    result = fmt(path, *options)
    assert result.exit_code == code
    assert path.read_text() == text
    assert (f"would reformat {path}\n" in result.stderr) == bool(code)
    assert result.stderr.endswith(
        f"{code} file{'' if code else 's'} would be reformatted, {1 - code} left unchanged\n"
    )


@pytest.mark.parametrize("text", [LOOSE, LOOSE + "\n", "# a\r\nedition 1\n", "\ufeffedition  1\n"])
def test_the_diff_is_a_patch(tmp_path: Path, text: str) -> None:
    path = put(tmp_path, "a.goal", text)
    result = fmt(path, "--diff")
    patch = subprocess.run(
        ["git", "apply", "--unsafe-paths", f"--directory={tmp_path}", "-p0", "-"],
        input=result.stdout_bytes.replace(str(path).encode(), b"a.goal"), cwd=tmp_path,
        capture_output=True, check=False,
    )  # fmt: skip
    assert patch.stderr == b""
    patched = path.read_bytes()
    assert fmt(path).exit_code == 0
    assert path.read_bytes() == patched


# --- standard input


def test_standard_input(tmp_path: Path) -> None:
    result = fmt("-", stdin=LOOSE)
    assert (result.exit_code, result.stdout, result.stderr) == (0, NEAT, "")
    assert fmt("-", stdin=NEAT).stdout == NEAT


def test_standard_input_with_mistakes_is_not_echoed() -> None:
    result = fmt("-", "--stdin-path", "x/y.goal", stdin=BROKEN)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--> x/y.goal:3:1\n" in result.stderr


@pytest.mark.parametrize(("text", "code"), [(LOOSE, 1), (NEAT, 0)])
def test_looking_at_standard_input(text: str, code: int) -> None:
    result = fmt("-", "--check", "--stdin-path", "x.goal", stdin=text)
    assert (result.exit_code, result.stdout) == (code, "")
    assert ("would reformat x.goal\n" in result.stderr) == bool(code)
    assert fmt("-", "--diff", stdin=text).stdout.startswith("--- <stdin>") == bool(code)


# --- terminals


def test_names_cannot_paint(tmp_path: Path) -> None:
    put(tmp_path, "a\x1b[31m.goal", LOOSE)
    assert "\x1b" not in fmt(tmp_path, "--check").stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.parametrize("options", [[], ["--diff"]])
def test_text_cannot_paint_a_terminal(options: list[str]) -> None:
    text = "# \x1b[31mred \u202e\nedition  1\n"
    assert "\x1b[31mred" in fmt("-", *options, stdin=text).stdout
    screen, terminal = os.openpty()
    subprocess.run(
        [sys.executable, "-m", "goalspec", "fmt", "-", *options],
        input=text.encode(), stdout=terminal, stderr=subprocess.DEVNULL, timeout=20, check=False,
    )  # fmt: skip
    out = os.read(screen, 4096).decode()
    os.close(terminal)
    os.close(screen)
    assert "\\u{1b}[31mred" in out
    assert "\x1b" not in out
    assert "\u202e" not in out
