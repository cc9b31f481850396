"""The command line as the cases call it, and the files that it is given."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result
from goalspec.cli import group


def goalspec(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    """Run a command in this process; an exception that it does not handle fails the test."""
    command = [str(argument) for argument in arguments]
    return CliRunner().invoke(group, command, input=stdin, catch_exceptions=False)


def formatted(text: str) -> str:
    """The text in its canonical layout, as `goalspec fmt -` writes it."""
    result = goalspec("fmt", "-", stdin=text.encode())
    assert result.exit_code == 0, result.output
    return result.stdout_bytes.decode()


def put(path: Path, content: str | bytes) -> Path:
    """Write a file byte for byte; its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
