"""`goalspec lint` as a project adopts it: settings, fixes, diffs, counts, baselines, the cache."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from goalspec.cli import group

GOOD = 'goal g {\n  objective "Ship it."\n  criterion c "It holds"\n  judge { }\n}\n'
LOOSE = (
    "facts {\n  a.ok : bool\n}\n\n"
    'goal g {\n  objective "Ship it."  # now\n'
    '  criterion c "It holds"\n    check a.ok == true  # at last\n}\n'
)
NEAT = LOOSE.replace(" == true", "")
UNSAFE = LOOSE.replace("bool", "bool?")  # what may be null is no truth: the fix is a person's
WARNED = "facts {\n  a.ok : bool\n}\n\n" + GOOD
WRONG = LOOSE.replace("a.ok ==", "a.no ==")
BROKEN = "goal g {\n  objective\n}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in the working folder, and a cache of its own."""
    monkeypatch.setenv("GOALSPEC_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def lint(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    command = ["lint", *map(str, arguments)]
    return CliRunner().invoke(group, command, input=stdin, catch_exceptions=False)


def concise(*arguments: str | Path) -> list[str]:
    """The codes that are found, as `--format concise` prints them."""
    out = lint("--format", "concise", *arguments).stdout
    return [word.rstrip("]") for word in out.replace("[", " ").split() if word[:2] == "GS"]


def put(name: str, text: str | bytes) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


# --- what is looked for


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], ["GS402"]),
        (["--select", "GS402"], ["GS402"]),
        (["--select", "GS403,bool-comparison"], ["GS402"]),
        (["--select", "GS403", "--select", "GS40"], ["GS402"]),
        (["--select", "GS403"], []),
        (["--ignore", "GS402"], []),
        (["--ignore", "GS403, bool-comparison"], []),
        (["--ignore", "ALL"], []),
    ],
)
def test_select_and_ignore(project: Path, options: list[str], expected: list[str]) -> None:
    assert concise(put("a.goal", LOOSE), *options) == expected


@pytest.mark.row("D8")
def test_the_settings_of_the_project(project: Path) -> None:
    for name in ("a.goal", "old/a.goal", "vendor/a.goal"):
        put(name, LOOSE)
    assert concise(".") == ["GS402"] * 3
    put(
        "pyproject.toml",
        '[tool.goalspec]\nexclude = ["vendor/**"]\n'
        '[tool.goalspec.per-file-ignores]\n"old/**" = ["bool-comparison"]\n',
    )
    assert lint(".").stdout.endswith(
        "1 warning in 2 files\n1 finding can be fixed with goalspec lint --fix\n"
    )
    assert concise("vendor/a.goal") == ["GS402"]  # what is named itself is read
    put("pyproject.toml", '[tool.goalspec]\nselect = ["GS403"]\n')
    assert concise(".") == []
    assert concise(".", "--select", "GS402") == ["GS402"] * 3  # instead of the project's
    put("pyproject.toml", '[tool.goalspec]\nignore = ["GS402"]\n')
    assert concise(".", "--select", "ALL") == []


def test_each_file_has_its_own_projects_settings(project: Path) -> None:
    put("a.goal", LOOSE)
    put("inner/a.goal", LOOSE)
    put("inner/pyproject.toml", '[tool.goalspec]\nignore = ["GS402"]\n')
    assert lint("--format", "concise", ".").stdout.startswith("a.goal:8:11: ")
    assert concise(".") == ["GS402"]


@pytest.mark.parametrize(
    ("options", "settings", "says"),
    [
        (["--select", "GS4O2"], "", "there is no code `GS4O2`; did you mean GS4"),
        (["--ignore", "bool-compare"], "", "did you mean bool-comparison?"),
        (["--ignore", "GS101"], "", "GS101 is an error of the language and is always told"),
        ([], 'ignore = ["bool-compare"]', "did you mean bool-comparison?"),
        ([], "selct = []", "there is no key `selct`; did you mean `select`?"),
        ([], "select = 5", "`select` is a list of strings"),
        ([], "select = [", "pyproject.toml: "),
    ],
)
def test_what_cannot_be_asked(project: Path, options: list[str], settings: str, says: str) -> None:
    put("pyproject.toml", f"[tool.goalspec]\n{settings}\n")
    result = lint(put("a.goal", LOOSE), *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr


@pytest.mark.parametrize("form", ["sarif", "github", "gitlab", "junit"])
def test_counts_have_no_form_of_their_own_for_what_reads_reports(project: Path, form: str) -> None:
    put("a.goal", LOOSE)
    result = lint("a.goal", "--statistics", "--format", form)
    assert result.exit_code == 2
    assert "--statistics is written as text or json" in result.stderr


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
def test_neither_settings_nor_a_baseline_are_read_from_a_device(project: Path) -> None:
    put("a.goal", LOOSE)
    put("pyproject.toml", '[tool.goalspec]\nbaseline = "/dev/zero"\n')
    assert "leads out of the project" in lint(".").stderr
    (project / "pyproject.toml").unlink()
    (project / "pyproject.toml").symlink_to("/dev/zero")
    result = lint(".")
    assert result.exit_code == 2
    assert "pyproject.toml: it is no regular file" in result.stderr


def test_settings_cannot_paint(project: Path) -> None:
    put("pyproject.toml", '[tool.goalspec]\nignore = ["\\u001b]0;owned\\u0007\\u202e"]\n')
    result = lint(put("a.goal", LOOSE))
    assert "\\u{1b}]0;owned\\u{7}\\u{202e}" in result.stderr
    assert not {"\x1b", "\x07", "\u202e"} & set(result.stderr)


# --- fixes


@pytest.mark.row("X09")
def test_fix(project: Path) -> None:
    path = put("a.goal", LOOSE)
    untouched = put("b.goal", GOOD).stat().st_mtime_ns
    result = lint("--fix", ".")
    assert (result.exit_code, result.stdout) == (0, "no findings in 2 files\n")
    assert result.stderr == "mended 1 finding in 1 file\n"
    assert path.read_text() == NEAT
    assert Path("b.goal").stat().st_mtime_ns == untouched
    assert lint("--fix", ".").stderr == ""


@pytest.mark.row("X09")
def test_an_unsafe_fix_is_asked_for(project: Path) -> None:
    path = put("a.goal", UNSAFE)
    before = concise(path)
    assert "GS402" in before
    lint("--fix", path)
    assert path.read_text() == UNSAFE
    lint("--fix", "--unsafe-fixes", path)
    assert path.read_text() == UNSAFE.replace(" == true", "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (LOOSE.replace("\n", "\r\n"), NEAT.replace("\n", "\r\n")),
        (LOOSE.replace("\n", "\r"), NEAT.replace("\n", "\r")),
        ("\ufeff" + LOOSE, "\ufeff" + NEAT),
        (LOOSE.rstrip("\n"), NEAT.rstrip("\n")),
        (LOOSE.replace("Ship it.", "Größe 🚀\u2028"), NEAT.replace("Ship it.", "Größe 🚀\u2028")),
    ],
    ids=["CRLF", "CR", "a byte-order mark", "no end", "other characters"],
)
def test_a_fix_leaves_all_else_as_it_was(project: Path, before: str, after: str) -> None:
    path = put("a.goal", before)
    for _ in range(2):
        lint("--fix", path, "--ignore", "GS418")
        assert path.read_bytes() == after.encode()


def test_what_is_left_after_the_fixes_is_told(project: Path) -> None:
    path = put("a.goal", LOOSE.replace("}\n\n", "  b.ok : bool\n}\n\n"))
    result = lint("--fix", path)
    assert result.stdout.endswith("1 warning in 1 file\n")
    assert "GS402" not in result.stdout


def test_a_file_with_errors_keeps_its_comments(project: Path) -> None:
    """Rules do not look at a file with errors, so that nothing there is known to be unused."""
    text = LOOSE.replace("# at last", "# goalspec: ignore GS402 -- the report spells it so")
    path = put("a.goal", text.replace("Ship", 'x"\n  criterion d "y" check a.no\n  # "Ship', 1))
    before = path.read_bytes()
    assert lint("--fix", path).exit_code == 1
    assert path.read_bytes() == before


def test_a_link_and_its_permissions_stay(project: Path) -> None:
    path = put("real/a.goal", LOOSE)
    path.chmod(0o640)
    Path("link.goal").symlink_to(path)
    assert lint("--fix", "link.goal").exit_code == 0
    assert Path("link.goal").is_symlink()
    assert (path.read_text(), path.stat().st_mode & 0o777) == (NEAT, 0o640)


def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(handle: int, *rest: Any, **more: Any) -> None:
        os.close(handle)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fdopen", refuse)


def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.goal").chmod(0o444)


@pytest.mark.parametrize(
    ("trouble", "says"),
    [(full_disk, "No space left on device"), (read_only, "it is read-only")],
)
def test_a_file_that_cannot_be_written(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    trouble: Callable[[pytest.MonkeyPatch], None],
    says: str,
) -> None:
    """It is named, its findings are still told, and the other files are mended."""
    put("a.goal", LOOSE)
    put("b.goal", GOOD)
    trouble(monkeypatch)
    result = lint("--fix", ".")
    assert result.exit_code == 2
    assert result.stderr == f"goalspec: error[GS505]: a.goal: {says}\n"
    assert "warning[GS402]" in result.stdout
    assert "1 warning in 2 files\n" in result.stdout
    assert Path("a.goal").read_text() == LOOSE
    assert sorted(os.listdir()) == [".git", "a.goal", "b.goal"]
    if trouble is read_only:
        put("b.goal", LOOSE)
        assert "mended 1 finding in 1 file\n" in lint("--fix", ".").stderr
        assert Path("b.goal").read_text() == NEAT


# --- diffs


@pytest.mark.parametrize(
    "text",
    [LOOSE, LOOSE.rstrip("\n"), LOOSE.replace("\n", "\r\n"), "\ufeff" + LOOSE],
    ids=["plain", "no end", "CRLF", "a byte-order mark"],
)
def test_the_diff_is_a_patch(project: Path, text: str) -> None:
    path = put("a.goal", text)
    result = lint("--diff", path)
    assert result.exit_code == 1
    assert result.stderr.startswith("would mend 1 finding in 1 file\n")
    assert path.read_bytes() == text.encode()
    patch = ["git", "apply", "-p0", "-"]
    subprocess.run(patch, input=result.stdout_bytes, check=True)
    patched = path.read_bytes()
    path.write_bytes(text.encode())
    lint("--fix", path)
    assert path.read_bytes() == patched
    assert lint("--diff", path).stdout == ""
    assert lint("--diff", path).exit_code == 0


@pytest.mark.parametrize(("text", "code"), [(WRONG, 1), (BROKEN, 2)])
def test_what_no_fix_ends_stands_beside_the_diff(project: Path, text: str, code: int) -> None:
    result = lint("--diff", put("a.goal", text))
    assert (result.exit_code, result.stdout) == (code, "")
    assert "error[GS" in result.stderr


# --- standard input


@pytest.mark.parametrize(
    "text", [LOOSE, NEAT, WRONG, BROKEN, "\ufeff" + LOOSE.replace("\n", "\r\n")]
)
def test_the_mended_text_of_standard_input(project: Path, text: str) -> None:
    result = lint("--fix", "-", stdin=text)
    expected = text.replace(" == true", "") if text != WRONG else text
    assert result.stdout_bytes == expected.encode()
    assert result.stderr.endswith("1 file\n")
    assert result.exit_code == {WRONG: 1, BROKEN: 2}.get(text, 0)


@pytest.mark.parametrize("data", [b"\xff\xfe", LOOSE.encode() + b"# \xff", LOOSE.encode() + b"\0"])
def test_bytes_that_are_no_text_are_not_cut(project: Path, data: bytes) -> None:
    result = lint("--fix", "-", stdin=data)
    assert (result.exit_code, result.stdout_bytes) == (2, b"")
    assert "GS001" in result.stderr
    path = put("a.goal", data)
    lint("--fix", path)
    assert path.read_bytes() == data


# --- counts and exit codes


def test_statistics(project: Path) -> None:
    path = put("a.goal", LOOSE)
    out = lint("--statistics", path).stdout
    assert out.startswith("1  GS402  [*]  bool-comparison\n")
    assert json.loads(lint("--statistics", "--format", "json", path).stdout) == [
        {"code": "GS402", "name": "bool-comparison", "count": 1, "fixable": 1}
    ]
    assert lint("--statistics", put("b.goal", GOOD)).stdout == ""


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        (WARNED, [], 0),
        (WARNED, ["--max-warnings", "1"], 0),
        (WARNED, ["--max-warnings", "0"], 1),
        (WARNED, ["--max-warnings", "0", "--exit-zero"], 0),
        (WARNED, ["--max-warnings", "0", "--ignore", "ALL"], 0),
        (WRONG, ["--max-warnings", "9"], 1),
        (WRONG, ["--exit-zero"], 0),
        (BROKEN, ["--exit-zero"], 2),
        (LOOSE, ["--diff", "--exit-zero"], 0),
        (WARNED, ["--max-warnings", "-1"], 2),
        (WARNED, ["--max-warnings", "few"], 2),
    ],
)
def test_exit_codes(project: Path, text: str, options: list[str], code: int) -> None:
    assert lint(put("a.goal", text), *options).exit_code == code


def test_too_many_warnings_are_named(project: Path) -> None:
    result = lint(put("a.goal", WARNED), "--max-warnings", "0")
    assert result.stderr == "1 warning: --max-warnings allows 0\n"


# --- baselines


@pytest.mark.row("D8")
def test_a_baseline_silences_what_was_there(project: Path) -> None:
    put("a.goal", LOOSE)
    result = lint(".", "--write-baseline", "known.json")
    assert (result.exit_code, result.stdout) == (0, "no findings in 1 file\n")
    assert result.stderr == "wrote known.json\n"
    assert concise(".", "--baseline", "known.json") == []
    put("b.goal", LOOSE)
    assert lint("--format", "concise", ".", "--baseline", "known.json").stdout.startswith("b.goal:")
    put("pyproject.toml", '[tool.goalspec]\nbaseline = "known.json"\n')
    assert concise(".") == ["GS402"]
    Path("deep").mkdir()
    os.chdir("deep")  # a baseline of the settings stands in the project
    assert concise("..") == ["GS402"]
    assert concise("../a.goal") == []


def test_a_baseline_that_is_out_of_date(project: Path) -> None:
    put("a.goal", LOOSE)
    lint(".", "--write-baseline", "known.json")
    put("a.goal", NEAT)
    says = "known.json: 1 finding of it no longer there; write it again with --write-baseline\n"
    assert lint(".", "--baseline", "known.json").stderr == says
    for options in (["--select", "GS403"], ["--ignore", "GS402"]):  # not looked for is not gone
        assert lint(".", "--baseline", "known.json", *options).stderr == ""


def test_a_baseline_can_be_written_where_the_settings_name_it_first(project: Path) -> None:
    put("pyproject.toml", '[tool.goalspec]\nbaseline = "known.json"\n')
    put("a.goal", LOOSE)
    assert lint(".").exit_code == 2
    assert lint(".", "--write-baseline", "known.json").exit_code == 0
    assert lint(".").stdout == "no findings in 1 file\n"


@pytest.mark.parametrize(("text", "code"), [(WRONG, 1), (BROKEN, 2)])
def test_what_a_baseline_cannot_hold_is_still_told(project: Path, text: str, code: int) -> None:
    put("a.goal", text)
    put("b.goal", LOOSE)
    result = lint(".", "--write-baseline", "known.json")
    assert result.exit_code == code
    assert "error[GS" in result.stdout and "GS402" not in result.stdout


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nowhere.json", "nowhere.json: No such file or directory"),
        ("folder", "folder: it is no regular file"),
        ("bad.json", "bad.json: it is no baseline; write one with --write-baseline"),
    ],
)
def test_a_baseline_that_cannot_be_read(project: Path, name: str, says: str) -> None:
    put("a.goal", LOOSE)
    put("bad.json", "[]")
    Path("folder").mkdir()
    result = lint("a.goal", "--baseline", name)
    assert (result.exit_code, result.stderr) == (2, f"goalspec: error[GS505]: {says}\n")


# --- the cache


def test_the_cache_is_used_and_can_be_left_alone(project: Path) -> None:
    put("a.goal", LOOSE)
    cache = project.parent / "cache"
    first = lint("--no-cache", ".")
    assert not cache.exists() or not list(cache.glob("cache*"))
    for _ in range(2):
        assert lint(".").stdout == first.stdout
    assert list(cache.glob("cache*"))


def test_a_known_file_costs_no_rule(project: Path) -> None:
    """What the cache knows needs neither the parser nor the rules."""
    put("a.goal", LOOSE)
    assert lint(".").exit_code == 0
    code = (
        "import sys\nfrom goalspec.cli import group\n"
        "try:\n    group(['lint', '.'])\nexcept SystemExit:\n    pass\n"
        "print(sorted(m for m in sys.modules if m.startswith(('lark', 'pydantic', 'goalspec.compiler.lint.rules'))))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"
