"""C111: which findings fail a run is said on the command line and in its help, and a switch that does
not exist, or lacks its value, is wrong usage."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.tests.cases.commands import goalspec, put

WARNED = (
    "facts {\n  a.ok : bool\n  a.idle : bool\n  b.idle : bool\n}\n\n"
    'goal g {\n  objective "o"\n  criterion c "It holds" check a.ok\n}\n'
)


@pytest.mark.parametrize(
    ("switches", "code"),
    [
        ([], 0),
        (["--max-warnings", "2"], 0),
        (["--max-warnings", "1"], 1),
        (["--max-warnings", "0"], 1),
        (["--max-warnings=0", "--exit-zero"], 0),
        (["--max-warnings"], 2),
        (["--max-warnings", "-1"], 2),
        (["--max-warnings", "few"], 2),
        (["--maximum-warnings", "1"], 2),
        (["--format", "xml"], 2),
    ],
    ids=str,
)  # fmt: skip
def test_what_fails_a_run(tmp_path: Path, switches: list[str], code: int) -> None:
    spec = put(tmp_path / "c.goal", WARNED)
    result = goalspec("lint", spec, *switches)
    assert result.exit_code == code, result.output


@pytest.mark.parametrize(
    "arguments", [["lint"], ["check"], ["check", "c.goal"], ["nothing"], ["compile"]]
)
def test_wrong_arguments_are_no_success(arguments: list[str]) -> None:
    assert goalspec(*arguments).exit_code == 2


@pytest.mark.parametrize(("command", "codes"), [("lint", "012"), ("check", "01234"), ("fmt", "12")])
def test_the_help_says_the_exit_codes(command: str, codes: str) -> None:
    words = goalspec(command, "--help").output
    assert all(code in words for code in codes)
