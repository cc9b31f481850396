"""`goalspec lint`: which files it reads, what it prints in each format, and its exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from goalspec.cli import group
from goalspec.cli.render import FORMATS

SCHEMA = json.loads((Path(__file__).parent / "render" / "data" / "sarif-2.1.0.json").read_bytes())

GOOD = 'goal g {\n  objective "Ship it."\n  criterion c "It holds"\n  judge { }\n}\n'
CHECKED = GOOD.replace('"It holds"', '"It holds" check a.ok').replace("  judge { }\n", "")
WARNED = "facts {\n  a.ok : bool\n}\n\n" + GOOD
WRONG = (
    "facts {\n  coverage.line : percent\n}\n\n"
    'goal g {\n  objective "Ship it."\n'
    '  criterion c "It holds"\n    check coverage.lin >= 85%\n'
    '  criterion d "It holds too"\n    check coverage.line >= 85\n}\n'
)
BROKEN = 'goal g {\n  objective\n  criterion c "It holds"\n  budget { turn 5 }\n}\n'
HOSTILE = "\x1b]0;owned\x07\x9b31m\u202eevil\u2066\u200b"
ESCAPE_CODES = re.compile("[\x1b\x9b]")


def lint(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    command = ["lint", *map(str, arguments)]
    return CliRunner().invoke(group, command, input=stdin, catch_exceptions=False)


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def process(*arguments: str | Path, timeout: float = 20, **rest: Any) -> Any:
    command = [sys.executable, "-m", "goalspec", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=timeout, check=False, **rest)


def summary(result: Result) -> str:
    return result.stdout.splitlines()[-1]


# --- exit codes


@pytest.mark.ruling(16)
@pytest.mark.parametrize(
    ("texts", "code"),
    [
        ([GOOD], 0),
        ([WARNED], 0),
        ([WRONG], 1),
        ([BROKEN], 2),
        ([GOOD, WARNED], 0),
        ([GOOD, WRONG], 1),
        ([WRONG, BROKEN], 2),
        (["goal g {\n  objective “Ship it.”\n}\n"], 2),
        ([GOOD.replace("}", "  budget { runtime 10min }\n}")], 2),
        ([""], 0),
    ],
    ids=[
        "good", "a warning", "an error", "unparsable", "good and a warning", "good and an error",
        "an error and unparsable", "curved quotes", "a bad literal", "empty",
    ],
)  # fmt: skip
def test_exit_code(tmp_path: Path, texts: list[str], code: int) -> None:
    files = [put(tmp_path, f"{place}.goal", text) for place, text in enumerate(texts)]
    assert lint(*files).exit_code == code


@pytest.mark.ruling(16)
@pytest.mark.parametrize(
    "name", ["nowhere.goal", "nowhere", "no/where.goal", "*.goal", "x[1].goal"]
)
def test_what_is_not_there_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = lint(name)
    assert result.exit_code == 2
    assert result.stderr.startswith("goalspec: error[GS505]: " + name)


@pytest.mark.ruling(16)
def test_a_folder_without_a_goal_file(tmp_path: Path) -> None:
    put(tmp_path, "readme.md", "no goal")
    result = lint(tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no .goal file here" in result.stderr


def test_one_bad_argument_among_good_ones(tmp_path: Path) -> None:
    assert lint(put(tmp_path, "a.goal", GOOD), tmp_path / "nowhere").exit_code == 2


@pytest.mark.parametrize(
    "arguments", [[], ["--format", "xml", "x"], ["--unsafe-fixes", "x"], ["--fix", "--diff", "x"]]
)
def test_usage(arguments: list[str]) -> None:
    result = lint(*arguments)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr


# --- findings


@pytest.mark.row("X01")
def test_every_mistake_with_its_place_and_what_to_write(tmp_path: Path) -> None:
    path = put(tmp_path, "a.goal", WRONG)
    out = lint(path).stdout
    assert f"--> {path}:8:11\n" in out
    assert f"--> {path}:10:28\n" in out
    assert "error[GS201]: the fact `coverage.lin` is not declared" in out
    assert "hint: did you mean `coverage.line`?" in out
    assert "error[GS302]: a unit is missing or wrong" in out
    assert "hint: write `85%`" in out
    assert out.endswith("2 errors in 1 file\n")


def test_errors_behind_a_syntax_error_are_reported_in_the_same_run(tmp_path: Path) -> None:
    out = lint(put(tmp_path, "a.goal", BROKEN)).stdout
    assert "error[GS101]" in out
    assert "hint: did you mean `turns`?" in out


def test_a_shared_file_is_reported_once(tmp_path: Path) -> None:
    put(tmp_path, "facts.goal", "facts {\n  a.ok : boolean\n}\n")
    for name in ("a", "b"):
        put(tmp_path, f"{name}.goal", 'use "facts.goal"\n' + GOOD)
    assert summary(lint(tmp_path)) == "1 error in 3 files"


def test_the_summary_counts(tmp_path: Path) -> None:
    assert lint(put(tmp_path, "a.goal", GOOD)).stdout == "no findings in 1 file\n"
    put(tmp_path, "b.goal", WARNED)
    assert summary(lint(tmp_path)) == "1 warning in 2 files"
    put(tmp_path, "c.goal", WRONG)
    assert summary(lint(tmp_path)) == "2 errors, 1 warning in 3 files"


# --- formats


def test_json(tmp_path: Path) -> None:
    result = lint("--format", "json", put(tmp_path, "a.goal", WRONG))
    found = json.loads(result.stdout)
    assert (found["version"], found["files"], found["errors"]) == (1, 1, 2)
    first = found["diagnostics"][0]
    assert first["code"] == "GS201"
    assert (first["start"]["line"], first["start"]["column"]) == (8, 11)
    assert result.exit_code == 1


@pytest.mark.parametrize("text", [GOOD, WARNED, WRONG, BROKEN], ids=str.split)
def test_sarif_is_what_its_schema_says(tmp_path: Path, text: str) -> None:
    result = lint("--format", "sarif", put(tmp_path, "a.goal", text))
    log = json.loads(result.stdout)
    jsonschema.Draft7Validator(SCHEMA).validate(log)
    [run] = log["runs"]
    assert bool(run["results"]) is (text != GOOD)
    assert {found["ruleId"] for found in run["results"]} <= {
        rule["id"] for rule in run["tool"]["driver"]["rules"]
    }


def test_github(tmp_path: Path) -> None:
    path = put(tmp_path, "a.goal", WRONG)
    lines = lint("--format", "github", path).stdout.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("::error ") and "GS" in line for line in lines)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_the_same_exit_codes(tmp_path: Path, form: str) -> None:
    for text, code in ((GOOD, 0), (WRONG, 1), (BROKEN, 2)):
        assert lint("--format", form, put(tmp_path, "a.goal", text)).exit_code == code


# --- standard input


def test_standard_input() -> None:
    result = lint("-", stdin=WRONG)
    assert result.exit_code == 1
    assert "--> <stdin>:8:11" in result.stdout


@pytest.mark.ruling(30)
def test_stdin_path_places_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "specs/facts.goal", "facts {\n  a.ok : bool\n}\n")
    text = 'use "facts.goal"\n' + CHECKED
    result = lint("-", "--stdin-path", "specs/new.goal", stdin=text)
    assert (result.exit_code, result.stdout) == (0, "no findings in 1 file\n")
    elsewhere = lint("-", stdin=text)
    assert elsewhere.exit_code == 1
    assert "error[GS212]" in elsewhere.stdout


@pytest.mark.ruling(30)
def test_stdin_path_names_standard_input(tmp_path: Path) -> None:
    result = lint("-", "--stdin-path", "specs/new.goal", stdin=WRONG)
    assert "--> specs/new.goal:8:11" in result.stdout


def test_standard_input_beside_a_file(tmp_path: Path) -> None:
    result = lint("-", put(tmp_path, "a.goal", WARNED), stdin=WRONG)
    assert summary(result) == "2 errors, 1 warning in 2 files"


# --- folders and globs


def test_a_folder_with_all_below_it(tmp_path: Path) -> None:
    for name in ("a.goal", "deep/er/b.goal", "deep/c.goal", "not-a-goal.txt"):
        put(tmp_path, name, GOOD)
    assert summary(lint(tmp_path)) == "no findings in 3 files"


@pytest.mark.parametrize(
    "folder", [".git", ".hidden", "node_modules", "build", "dist", "venv", "deep/__pycache__"]
)
def test_hidden_and_built_folders_stay_out(tmp_path: Path, folder: str) -> None:
    put(tmp_path, "a.goal", GOOD)
    inside = put(tmp_path, f"{folder}/b.goal", BROKEN)
    assert summary(lint(tmp_path)) == "no findings in 1 file"
    assert lint(inside).exit_code == 2  # what is named itself is read


def test_a_file_counts_once_however_often_it_is_named(tmp_path: Path) -> None:
    path = put(tmp_path, "a.goal", WRONG)
    assert summary(lint(path, tmp_path, path)) == "2 errors in 1 file"


def test_a_circle_of_links_ends(tmp_path: Path) -> None:
    put(tmp_path, "specs/a.goal", GOOD)
    (tmp_path / "specs" / "again").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "specs" / "self").symlink_to("self")
    assert summary(lint(tmp_path)) == "no findings in 1 file"


def test_a_link_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "link.goal").symlink_to("nowhere.goal")
    for argument in (tmp_path, tmp_path / "link.goal"):
        assert lint(argument).exit_code == 2


def test_a_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "link.goal").symlink_to("link.goal")
    assert lint(tmp_path).exit_code == 2


@pytest.mark.parametrize(
    ("pattern", "files"), [("*.goal", 1), ("**/*.goal", 3), ("deep/?.goal", 1), ("[a-z].goal", 1)]
)
def test_globs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str, files: int) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.goal", "deep/b.goal", "deep/er/c.goal"):
        put(tmp_path, name, GOOD)
    assert summary(lint(pattern)).startswith(f"no findings in {files} file")


@pytest.mark.parametrize("pattern", ["**/*.goal", "*/*.goal", "a/**"])
def test_a_glob_follows_no_link_in_circles_or_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    put(tmp_path, "secret.goal", BROKEN)
    put(tmp_path, "project/a/a.goal", GOOD)
    monkeypatch.chdir(tmp_path / "project")
    for name in ("one", "two", "a/three"):  # 2^40 paths, for whoever follows them
        (tmp_path / "project" / name).symlink_to(tmp_path / "project", target_is_directory=True)
    (tmp_path / "project" / "a" / "out.goal").symlink_to(tmp_path / "secret.goal")
    assert summary(lint(pattern)) == "no findings in 1 file"


def test_a_glob_is_one_of_the_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = lint("*.{goal,spec}")
    assert result.exit_code == 2
    assert "braces are not known in globs" in result.stderr


def test_a_file_whose_name_looks_like_a_glob(tmp_path: Path) -> None:
    path = put(tmp_path, "a[1]*.goal", WRONG)
    assert lint(path).exit_code == 1


def test_an_unreadable_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a.goal", GOOD)
    put(tmp_path, "locked/b.goal", GOOD)
    scandir = os.scandir

    def refuse(path: Any) -> Any:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    result = lint(tmp_path)
    assert result.exit_code == 2
    assert result.stderr == f"goalspec: error[GS505]: {tmp_path / 'locked'}: Permission denied\n"


def test_an_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, "a.goal", GOOD)

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    result = lint(path)
    assert result.exit_code == 2
    assert result.stderr == f"goalspec: error[GS505]: {path}: Permission denied\n"


def test_a_name_that_no_file_can_have() -> None:
    assert lint("a" * 5_000).exit_code == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_named_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.goal")
    assert process("lint", tmp_path, timeout=1.5).returncode == 2


# --- what is not a goal file at all


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfeg\x00", b"\x00\x01\x02", b"caf\xe9", b"\xed\xa0\x80", bytes(range(256)),
        b"goal " * 5_000, b"{" * 10_000, b'"' * 9_999, b"goal g { criterion c " + b"(" * 50_000,
        b"\r" * 1_000, b"%PDF-1.4\n" * 100,
    ],
    ids=[
        "utf-16", "binary", "latin-1", "surrogate", "every byte", "keywords", "braces", "quotes",
        "parentheses", "line ends", "pdf",
    ],
)  # fmt: skip
def test_any_bytes_end_in_findings(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.goal"
    path.write_bytes(data)
    for form in ("text", "sarif"):
        assert lint("--format", form, path).exit_code in (0, 1, 2)
    assert lint("-", stdin=data).exit_code in (0, 1, 2)


# --- the terminal


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("}", "") + f'  criterion d "{HOSTILE}" check a.b\n}}\n',
        GOOD.replace("}", "") + f"  criterion d {HOSTILE}\n}}\n",
        GOOD.replace("}", "") + f'  criterion d "x" check a.b # {HOSTILE}\n}}\n',
    ],
    ids=["in a string", "in the code", "in a comment"],
)
def test_hostile_text_never_reaches_the_terminal_raw(tmp_path: Path, text: str, form: str) -> None:
    result = lint("--format", form, put(tmp_path, "a.goal", text))
    assert result.exit_code in (1, 2)
    seen = result.stdout + result.stderr
    assert not [char for char in HOSTILE if not char.isprintable() and char in seen]


@pytest.mark.parametrize("form", FORMATS)
def test_a_hostile_file_name(tmp_path: Path, form: str) -> None:
    path = put(tmp_path, "a\x1b[31m\u202e.goal", WRONG)
    seen = lint("--format", form, path).stdout
    assert "\x1b" not in seen and "\u202e" not in seen


def test_no_escape_codes_in_a_pipe(tmp_path: Path) -> None:
    path = put(tmp_path, "a.goal", WRONG)
    assert not ESCAPE_CODES.search(process("lint", path).stdout.decode())


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("no_color", "colored"), [("", True), ("1", False)])
def test_colour_on_a_terminal_unless_no_color(tmp_path: Path, no_color: str, colored: bool) -> None:
    import pty

    path = put(tmp_path, "a.goal", WRONG)
    ours, theirs = pty.openpty()
    environment = {**os.environ, "NO_COLOR": no_color, "TERM": "xterm"}
    subprocess.run(
        [sys.executable, "-m", "goalspec", "lint", str(path)],
        stdout=theirs, env=environment, timeout=20, check=False,
    )  # fmt: skip
    os.close(theirs)
    seen = os.read(ours, 65_536).decode()
    os.close(ours)
    assert "GS201" in seen
    assert bool(ESCAPE_CODES.search(seen)) is colored


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    many = "".join(f'  criterion c{n} "x" check no.such_{n}\n' for n in range(900))
    path = put(tmp_path, "a.goal", f'goal g {{\n  objective "Ship it."\n{many}}}\n')
    with subprocess.Popen(
        [sys.executable, "-m", "goalspec", "lint", str(path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as running:  # fmt: skip
        assert running.stdout is not None and running.stderr is not None
        assert running.stdout.readline().startswith(b"error[GS201]")
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(20) != 0
