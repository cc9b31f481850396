"""A pytest plugin that says which promised capabilities have a passing test.

Owns the markers `row("H07", …)` and `ruling(19, …)`: an id that rows.toml or rulings.toml does not
list is a usage error. With `--rows` the summary prints every listed id with the number of its
passed tests, then those without one. A missing test is reported, never failed.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest


@dataclass(frozen=True)
class _Entry:
    title: str
    due: str | None = None


@dataclass(frozen=True)
class _Register:
    """One marker, the entries it may name, and the passed tests of each."""

    marker: str
    plural: str
    entries: Mapping[str, _Entry]
    passed: Counter[str] = field(default_factory=Counter)

    def named(self, item: pytest.Item) -> Iterator[str]:
        """The ids that the item's markers name; a usage error for anything else."""
        for mark in item.iter_markers(self.marker):
            if not mark.args or mark.kwargs:
                raise pytest.UsageError(f"{item.nodeid}: {self.marker}(…) takes ids, one or more")
            for argument in mark.args:
                if str(argument) not in self.entries:
                    raise pytest.UsageError(f"{item.nodeid}: no {self.marker} {argument!r}")
                yield str(argument)


_REGISTERS = pytest.StashKey[tuple[_Register, ...]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rows", action="store_true", help="print the rows and rulings with their passed tests"
    )


def pytest_configure(config: pytest.Config) -> None:
    registers = (
        _Register("row", "rows", _read("rows.toml")),
        _Register("ruling", "rulings", _read("rulings.toml")),
    )
    config.stash[_REGISTERS] = registers
    config.pluginmanager.register(_Counting(registers))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Check every marker, and note its ids where the test's report will carry them."""
    for item in items:
        for register in config.stash[_REGISTERS]:
            item.user_properties += ((register.marker, name) for name in register.named(item))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if not config.getoption("--rows"):
        return
    for register in config.stash[_REGISTERS]:
        terminalreporter.section(register.plural)
        for line in _table(register):
            terminalreporter.line(line)


class _Counting:
    """Counts the passed tests of each id; an unexpected pass is no proof."""

    def __init__(self, registers: Iterable[_Register]) -> None:
        self._registers = {register.marker: register for register in registers}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" or not report.passed or hasattr(report, "wasxfail"):
            return
        for marker, name in set(report.user_properties):
            if marker in self._registers:
                self._registers[marker].passed[str(name)] += 1


def _read(name: str) -> dict[str, _Entry]:
    """The entries of a table beside this file: a title, or {title, due}, under each id."""
    with Path(__file__).with_name(name).open("rb") as file:
        table = tomllib.load(file)
    return {key: _entry(value) for key, value in table.items()}


def _entry(value: str | dict[str, str | int]) -> _Entry:
    if isinstance(value, str):
        return _Entry(value)
    due = value["due"]
    return _Entry(str(value["title"]), due if isinstance(due, str) else f"issue {due}")


def _table(register: _Register) -> Iterator[str]:
    for name, entry in register.entries.items():
        due = "" if entry.due is None else f"{entry.due:<8} "
        yield f"{name:<4} {register.passed[name]:>4}  {due}{entry.title}"
    missing = [name for name in register.entries if not register.passed[name]]
    yield f"{register.plural} without a passing test ({len(missing)} of {len(register.entries)}):"
    for start in range(0, len(missing), 16):
        yield "  " + " ".join(missing[start : start + 16])
