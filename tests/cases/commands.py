"""The command line as the cases call it, and the files that it is given."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result
from goalspec.cli import group


def goalspec(*arguments: str | Path) -> Result:
    """Run a command in this process; an exception that it does not handle fails the test."""
    return CliRunner().invoke(group, [str(a) for a in arguments], catch_exceptions=False)


def put(path: Path, content: str | bytes) -> Path:
    """Write a file byte for byte; its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
