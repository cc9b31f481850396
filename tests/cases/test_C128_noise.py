"""C128: no shell starts, so no profile prints before the document; and what a hook decided is done only
once the host has the answer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from goalspec.tests.cli.hooked import ENVIRONMENT, Hooked, answer_of


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    hooked = Hooked(tmp_path)
    hooked.create()
    return hooked


def test_what_profiles_and_commands_print_is_not_in_the_document(
    hooked: Hooked, tmp_path: Path
) -> None:
    noise = tmp_path / "noise"
    noise.write_text('echo "Welcome back!"\n')
    for name in (".profile", ".bashrc", ".bash_profile", ".zshenv"):
        (tmp_path / name).write_text(noise.read_text())
    script = hooked.project / "facts.py"
    script.write_text('import sys\nprint("loading", file=sys.stderr)\nprint(\'{"n": 0}\')\n')
    hooked.facts.write_text("{}")
    done = hooked.call(
        hooked.told(), "--facts-command", f"{sys.executable} facts.py", "--allow-run",
        HOME=str(tmp_path), BASH_ENV=str(noise), ENV=str(noise), ZDOTDIR=str(tmp_path),
        PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    )  # fmt: skip
    assert answer_of(done)["decision"] == "block"
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_an_answer_that_could_not_be_written_is_given_again(hooked: Hooked) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            hooked.command(), cwd=hooked.project, input=hooked.told(), stdout=full,
            stderr=subprocess.PIPE, timeout=60, check=False, env=ENVIRONMENT,
        )  # fmt: skip
    assert done.returncode == 0
    assert b"No space left" in done.stderr
    assert hooked.record().continuations == 0
    assert hooked.fire()["decision"] == "block"
    record = hooked.record()
    assert (record.continuations, record.usage.turns) == (1, 1)
