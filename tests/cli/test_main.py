"""The command line as a whole: help, versions, wrong commands, completion, and its own bugs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest
from click.testing import CliRunner, Result
from goalspec import cli
from goalspec.cli import COMMANDS, group


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, arguments, prog_name="goalspec", catch_exceptions=False)


def process(*arguments: str, **environment: str) -> Any:
    return subprocess.run(
        [sys.executable, "-m", "goalspec", *arguments],
        capture_output=True, text=True, timeout=20, check=False,
        env={**os.environ, **environment},
    )  # fmt: skip


def command_of(name: str) -> click.Command:
    module = import_module(f"goalspec.cli.{name.replace('-', '_')}_command")
    command: click.Command = module.command
    return command


# --- help


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help(option: str) -> None:
    result = run(option)
    assert result.exit_code == 0
    for name, words in COMMANDS.items():
        assert f"  {name:<11}  {words}\n" in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_each_command_says_of_itself(name: str) -> None:
    command = command_of(name)
    assert command.help is not None
    first = command.help.splitlines()[0]
    said = COMMANDS[name]
    assert first == said or first.startswith(said.rstrip(".") + " (")


def test_every_command_is_in_the_list() -> None:
    modules = (Path(cli.__file__).parent).glob("*_command.py")
    names = {path.stem.removesuffix("_command").replace("_", "-") for path in modules}
    assert names == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_of_a_command(name: str, option: str) -> None:
    result = run(name, option)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: goalspec {name} ")


def test_every_option_has_its_help() -> None:
    for name in COMMANDS:
        for parameter in command_of(name).params:
            if isinstance(parameter, click.Option):
                assert parameter.help and parameter.help.endswith("."), (name, parameter.name)


def test_without_a_command_help_is_shown() -> None:
    result = run()
    assert result.exit_code == 2
    assert "Commands:" in result.output


# --- commands that are none


@pytest.mark.ruling(16)
@pytest.mark.parametrize(
    ("name", "hint"), [("chekc", " Did you mean `check`?"), ("lnit", " Did you mean `lint`?"),
                       ("frobnicate", "")],
)  # fmt: skip
def test_a_command_that_is_none(name: str, hint: str) -> None:
    result = run(name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith(f"Error: There is no command `{name}`.{hint}\n")


@pytest.mark.parametrize("arguments", [["--verison"], ["-x"], ["--", "nothing"]])
def test_options_that_are_none(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


# --- version and process


def test_version() -> None:
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"goalspec {metadata.version('goalspec')}\n")


def test_as_a_module() -> None:
    done = process("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, run("--version").stdout, "")
    assert process("chekc").stderr.startswith("Usage: goalspec [OPTIONS] COMMAND [ARGS]...\n")


def test_help_loads_no_command_and_no_compiler() -> None:
    code = (
        "import sys\nfrom goalspec.cli import group\n"
        "group(['--help'], prog_name='goalspec', standalone_mode=False)\n"
        "heavy = [m for m in sys.modules if m in ('lark', 'pydantic', 'goalspec.compiler')]\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


# --- completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_GOALSPEC_COMPLETE=" + shell + "_complete" in result.stdout
    assert "goalspec" in result.stdout


@pytest.mark.parametrize("arguments", [[], ["tcsh"]])
def test_completion_of_another_shell(arguments: list[str]) -> None:
    assert run("completion", *arguments).exit_code == 2


def test_what_the_script_asks_for_is_answered() -> None:
    asked = {"_GOALSPEC_COMPLETE": "bash_complete", "COMP_WORDS": "goalspec c", "COMP_CWORD": "1"}
    done = process(**asked)
    found = ["check", "compile", "completion", "conformance"]
    assert done.stdout.split() == [f"plain,{name}" for name in found]
    asked = {**asked, "COMP_WORDS": "goalspec check --", "COMP_CWORD": "2"}
    assert "plain,--facts" in process(**asked).stdout.split()


# --- the schema


def test_schema() -> None:
    result = run("schema")
    assert result.exit_code == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(result.stdout))


# --- bugs of goalspec itself


def fail(message: str) -> Any:
    def command(**_: Any) -> None:
        raise RuntimeError(message)

    return command


@pytest.mark.ruling(16)
def test_a_bug_is_reported_and_not_spilled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GOALSPEC_TRACEBACK", raising=False)
    monkeypatch.setattr(cli, "group", fail("\x1b[31msecret of the file"))
    with pytest.raises(SystemExit) as exit_:
        cli.main()
    assert exit_.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("goalspec: internal error: RuntimeError at test_main.py:")
    assert "GOALSPEC_TRACEBACK=1" in said.err
    assert "secret" not in said.err and "Traceback" not in said.err


@pytest.mark.parametrize("name", COMMANDS)
def test_a_bug_inside_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    command: click.Command = command_of(name)
    monkeypatch.delenv("GOALSPEC_TRACEBACK", raising=False)
    monkeypatch.setattr(command, "callback", fail("x"))
    arguments = {
        "check": ["g.goal", "--facts", "f"], "compile": ["g.goal", "--target", "json"],
        "completion": ["bash"], "fmt": ["g.goal"], "lint": ["g.goal"], "render": ["g.goal"],
        "test": ["g.goal"], "fold": ["g.goal", "t"], "verify-fold": ["g.goal", "t", "u"],
        "goal": ["show"], "hook": ["stop"], "replay": ["s1"], "report": ["s1"], "run": ["g.goal", "--agent", "a"],
    }  # fmt: skip
    monkeypatch.setattr(sys, "argv", ["goalspec", name, *arguments.get(name, [])])
    with pytest.raises(SystemExit) as exit_:
        cli.main()
    assert exit_.value.code == 2
    assert capsys.readouterr().err.startswith("goalspec: internal error: RuntimeError at ")


def test_a_bug_with_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOALSPEC_TRACEBACK", "1")
    monkeypatch.setattr(cli, "group", fail("x"))
    with pytest.raises(RuntimeError):
        cli.main()


def test_an_exit_is_no_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["goalspec", "lint", "nowhere.goal"])
    with pytest.raises(SystemExit) as exit_:
        cli.main()
    assert exit_.value.code == 2


# --- a hostile environment


def shell(script: str, folder: Path, **environment: str) -> Any:
    """Run *script* with `$0` as the interpreter."""
    return subprocess.run(
        ["sh", "-c", script, sys.executable],
        cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True,
        encoding="latin-1", timeout=20, check=False,
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize(
    "script",
    [
        '"$0" -m goalspec lint - <&-',
        '"$0" -m goalspec lint a.goal >&-',
        pytest.param(
            '"$0" -m goalspec lint a.goal > /dev/full',
            marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full"),
        ),
    ],
    ids=["no input", "no output", "a full disk"],
)
def test_streams_that_do_not_work_are_no_bug_of_ours(tmp_path: Path, script: str) -> None:
    (tmp_path / "a.goal").write_text('goal g {\n  objective "x"\n  criterion c "x"\n}\n')
    assert "internal error" not in shell(script, tmp_path).stderr


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_an_output_that_is_not_unicode(tmp_path: Path) -> None:
    (tmp_path / "a.goal").write_text("goal g {\n  objective “Ship it.”\n}\n", encoding="utf-8")
    done = shell('"$0" -m goalspec lint a.goal', tmp_path, PYTHONIOENCODING="latin-1")
    assert "GS002" in done.stdout
    assert done.stderr == ""
