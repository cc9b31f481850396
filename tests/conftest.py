"""What every test may use: golden files, and the report of rows and rulings (rows.py). A test that
does not end fails.

`pytest --update-golden` rewrites the golden files that the selected tests compare; look at the diff
before you commit it. `pytest --rows` prints which rows and rulings have a passing test.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Generator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import FrameType

import pytest


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite golden files instead of comparing"
    )
    _register_rows(pluginmanager)


def _register_rows(pluginmanager: pytest.PytestPluginManager) -> None:
    """Load rows.py by its path: under importlib mode this folder is not on sys.path."""
    name = "goalspec_test_rows"
    spec = spec_from_file_location(name, Path(__file__).with_name("rows.py"))
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    pluginmanager.register(module, name)


@pytest.fixture(scope="session")
def golden(pytestconfig: pytest.Config) -> Callable[[Path, str], None]:
    """Compares a text byte for byte with the file at a path, or writes it (--update-golden)."""
    update: bool = pytestconfig.getoption("--update-golden")

    def compare(path: Path, text: str) -> None:
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        assert path.exists(), f"{path} is missing; run pytest --update-golden"
        assert text == path.read_bytes().decode()

    return compare


SECONDS = 240  # of one test: far beyond the slowest; a loop is a failed test, not a dead run


class Endless(BaseException):
    """Not an Exception: no `except` of the code under test may catch it."""


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Endless


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    if not hasattr(signal, "setitimer"):
        return (yield)
    before = signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return (yield)
    except Endless:
        pytest.fail(f"no end after {SECONDS} s", pytrace=False)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
