"""The truth tables bite: each of the faults in mutants.toml makes one of their rows fail.

A fault is put into a copy of the package, and the tables that should notice it are run against the
copy in a process of its own, two at a time. The copy without a fault must pass.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import goalspec
import pytest

ROOT = Path(goalspec.__path__[0])
COPIED = ("compiler", "grammar", "runtime", "specs", "tests/reference", "tests/tables")
FILES = ("__init__.py", "pyproject.toml", "tests/conftest.py", "tests/rows.py")
TABLES = "tests/tables/test_tables.py"
PROCESSES = 2
FAILED = 1  # pytest's exit code where tests ran and failed; an error in collection is another


class Mutant(NamedTuple):
    """One fault, and the tables that should notice it."""

    name: str
    file: str
    old: str
    new: str
    tables: Sequence[str]


def load() -> dict[str, Mutant]:
    with Path(__file__).with_name("mutants.toml").open("rb") as file:
        mutants = [Mutant(**row) for row in tomllib.load(file)["mutant"]]
    assert len({mutant.name for mutant in mutants}) == len(mutants)
    return {mutant.name: mutant for mutant in mutants}


MUTANTS = load()


def copied(folder: Path) -> Path:
    """A copy of the package below *folder*, compiled modules included: they make it fast."""
    copy = folder / "goalspec"
    for name in COPIED:
        shutil.copytree(ROOT / name, copy / name)
    for path in (*(ROOT / name for name in FILES), *(ROOT / "tests").glob("*.toml")):
        shutil.copy2(path, copy / path.relative_to(ROOT))
    return copy


def put_in(mutant: Mutant, copy: Path) -> None:
    """Put the fault into the copy."""
    path = copy / mutant.file
    text = path.read_text()
    found = text.count(mutant.old)
    if found != 1:
        raise ValueError(
            f"mutants.toml: `{mutant.name}`: its old text stands {found} times in {mutant.file}, "
            "not once; say it as the file has it now"
        )
    path.write_text(text.replace(mutant.old, mutant.new))
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()  # its size and second may be those of the new text


def run_tables(copy: Path, selected: str) -> tuple[int, str]:
    """Run the tables against a copy: pytest's exit code, and what it printed."""
    path = os.pathsep.join(filter(None, [str(copy.parent), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    finished = subprocess.run(
        [*command, "--tb=line", "--assert=plain", TABLES, "-k", selected],
        cwd=copy,
        env={
            **os.environ,
            "PYTHONPATH": path,
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # half of the time, for nothing needed here
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    return finished.returncode, finished.stdout + finished.stderr


def tried(mutant: Mutant, folder: Path) -> tuple[int, str]:
    copy = copied(folder)
    try:
        put_in(mutant, copy)
        names = " or ".join(f"{table}:" for table in mutant.tables)
        return run_tables(copy, f"test_monitor and ({names})")
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def trials(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mapping[str, Future[tuple[int, str]]]]:
    """The runs of the mutants that were selected, a few at a time."""
    wanted = [
        str(item.callspec.params["name"])
        for item in request.session.items
        if isinstance(item, pytest.Function)
        and item.originalname == test_tables_notice.__name__
        and item.path == Path(__file__)
    ]
    with ThreadPoolExecutor(PROCESSES) as pool:
        yield {
            name: pool.submit(tried, MUTANTS[name], tmp_path_factory.mktemp("mutant"))
            for name in wanted
        }
        pool.shutdown(cancel_futures=True)


def test_there_are_enough_mutants() -> None:
    assert len(MUTANTS) >= 30
    assert {mutant.file for mutant in MUTANTS.values()} == {
        "compiler/folding.py",
        "compiler/kernel.py",
        "compiler/codegen/pieces.py",
        "compiler/codegen/straight.py",
        "compiler/codegen/three_valued.py",
        "runtime/temporal.py",
        "runtime/engine.py",
    }


@pytest.mark.parametrize("name", MUTANTS)
def test_tables_notice(name: str, trials: Mapping[str, Future[tuple[int, str]]]) -> None:
    code, said = trials[name].result()
    assert code == FAILED, f"the tables {MUTANTS[name].tables} did not notice; {said}"


def test_the_copy_itself_passes(tmp_path: Path) -> None:
    code, said = run_tables(copied(tmp_path), "test_monitor or test_there_are_enough_rows")
    assert code == 0, said


def test_the_tables_are_run_against_the_copy(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    with (copy / "runtime" / "engine.py").open("a") as file:
        file.write("raise RuntimeError('this is the copy')\n")
    code, said = run_tables(copy, "test_there_are_enough_rows")
    assert code not in (0, FAILED)
    assert "this is the copy" in said


def test_an_old_text_that_is_not_there_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\nx = 1\n")
    for old in ("x = 1", "y = 1"):
        with pytest.raises(ValueError, match="not once"):
            put_in(Mutant("m", "a.py", old, "z", ()), tmp_path)
