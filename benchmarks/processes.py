"""The command line as its users run it: a process of its own, with its own cache folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import goalspec

_ANSWERS = (0, 1, 3)  # exit codes of a command that ran: it holds, does not hold, cannot be told


@dataclass(frozen=True)
class Shell:
    """Runs commands in *folder*, with caches in *cache*, and compiled modules kept."""

    folder: Path
    cache: Path

    def python(self, code: str) -> None:
        self._run([sys.executable, "-c", code])

    def goalspec(self, arguments: Sequence[str]) -> None:
        program = shutil.which("goalspec", path=sysconfig.get_path("scripts"))
        self._run([*([program] if program else [sys.executable, "-m", "goalspec"]), *arguments])

    def goalspec_cold(self, arguments: Sequence[str]) -> None:
        """The same with nothing known of any file; the grammar's tables stay."""
        for kept in self.cache.glob("*"):
            if not kept.name.startswith("tables-"):
                kept.unlink()
        self.goalspec(arguments)

    def _run(self, command: list[str]) -> None:
        environment = {**os.environ, "GOALSPEC_CACHE_DIR": str(self.cache)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True)
        if done.returncode not in _ANSWERS:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode()}")


def is_editable() -> bool:
    """Is goalspec run from its sources? Finding its modules takes longer then."""
    return not Path(goalspec.__file__).is_relative_to(sysconfig.get_path("purelib"))


@contextmanager
def cores(count: int) -> Iterator[None]:
    """Keep this process and those that it starts to *count* cores, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
