"""Linting a thousand files, beside two parsers that do nothing else: python-hcl2 and
gherkin-official.

A peer reads its files and parses each, in this process and on one core. goalspec's cold lint is all
that the command line does, its start included: reading, parsing, types, every rule, the report, and
keeping the answers. It uses every core, so what it does with one is told too.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from corpus import Corpus, write_corpus
from goalspec.compiler.cache import Cache
from goalspec.compiler.lint.run import Run
from goalspec.grammar import parse_file
from processes import Shell, cores
from timing import Aim, Times, Work, duration, measure, rate, row

_LINT = ("lint", ".")


def run(quick: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        corpus = write_corpus(Path(folder), 60 if quick else 1_000)
        here = corpus.folders["goal"]
        forgetful, keeping = (Shell(here, Path(folder, name)) for name in ("cold", "kept"))
        _compare(corpus, forgetful, keeping, 1 if quick else 5)


def _compare(corpus: Corpus, forgetful: Shell, keeping: Shell, rounds: int) -> None:
    files, lines = corpus.files("goal"), corpus.lines["goal"]
    print(f"\nlinting: {len(files):,} files, {lines:,} lines, {os.cpu_count()} cores")

    def on_one_core(arguments: Sequence[str]) -> None:
        with cores(1):
            forgetful.goalspec_cold(arguments)

    def lint_here(paths: list[Path]) -> None:
        Run(Cache(None), jobs=1).lint(paths)

    parsing = Work("goalspec, parsing only", _each(parse_file), files, units=lines)
    here = Work("goalspec, linting, one process", lint_here, files, units=lines)
    alone = Work("goalspec lint on one core", on_one_core, _LINT, units=lines)
    cold = Work("goalspec lint on all cores", forgetful.goalspec_cold, _LINT, units=lines)
    again = Work("goalspec lint again", keeping.goalspec, _LINT, units=lines)
    hcl, gherkin = _hcl(corpus), _gherkin(corpus)
    works = [*hcl, *gherkin, parsing, here, alone, cold, again]
    times = measure(works, rounds)
    for work in works:
        row(work.name, rate(times.of[work.name]))
    _against("python-hcl2", hcl[:1], alone, cold, times, Aim(5, at_least=True))
    _against("gherkin-official", gherkin, alone, cold, times, Aim(0.5, at_least=True))
    whole = [seconds * lines for seconds in times.of[again.name]]
    row("lint again / cold", duration(whole), times.speed(again, cold), Aim(20, at_least=True))


def _against(
    peer: str, works: list[Work], alone: Work, cold: Work, times: Times, aim: Aim
) -> None:  # fmt: skip
    """The speed of cold lints beside a peer's, if it is installed."""
    if not works:
        row(peer, "not installed")
        return
    row(f"lint on one core / {peer}", "", times.speed(alone, works[0]))
    row(f"lint on all cores / {peer}", "", times.speed(cold, works[0]), aim)


def _hcl(corpus: Corpus) -> list[Work]:
    try:
        import hcl2
    except ImportError:
        return []
    files, lines = corpus.files("hcl"), corpus.lines["hcl"]
    return [
        Work("python-hcl2, tree", _each_text(hcl2.parses_to_tree), files, units=lines),
        Work("python-hcl2, tree to dictionary", _each_text(hcl2.loads), files, units=lines),
    ]


def _gherkin(corpus: Corpus) -> list[Work]:
    try:
        from gherkin.parser import Parser
    except ImportError:
        return []
    files, lines = corpus.files("gherkin"), corpus.lines["gherkin"]
    return [Work("gherkin-official", _each_text(Parser().parse), files, units=lines)]


def _each_text(parse: Callable[[str], object]) -> Callable[[list[Path]], None]:
    return _each(lambda path: parse(path.read_text(encoding="utf-8")))


def _each(parse: Callable[[Path], object]) -> Callable[[list[Path]], None]:
    def parse_all(paths: list[Path]) -> None:
        for path in paths:
            parse(path)

    return parse_all
