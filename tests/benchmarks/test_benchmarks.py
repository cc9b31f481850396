"""The benchmarks run and print what they compare; how fast anything is, no test says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parents[2] / "benchmarks" / "run.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(RUN), *arguments], capture_output=True, text=True, encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("evaluation", ["handwritten", "all facts known"]),
        ("parsing", ["plain Lark", "its syntax tree"]),
        ("conversion", ["objects: pydantic-core", "JSON: Monitor.observe"]),
        ("linting", ["goalspec lint on all cores", "lint again / cold"]),
        ("folding", ["json.loads and json.dumps", "fold", "verify_fold", "peak memory"]),
        ("reachability", ["json.loads and json.dumps", "reclaim, a message", "peak memory"]),
        ("store", ["SQLite", "mutate, store", "PostgreSQL", "claim, bare"]),
        ("startup", ["goalspec --version", "check merge.goal, cached"]),
    ],
)
def test_each_runs_at_a_small_size(name: str, rows: list[str]) -> None:
    done = run("--quick", name)
    assert done.returncode == 0, done.stderr
    assert [row for row in rows if row not in done.stdout] == []


def test_a_benchmark_that_there_is_not_is_named() -> None:
    done = run("linitng")
    assert done.returncode == 2
    assert "there is no linitng" in done.stderr


def test_the_corpus_has_the_findings_that_it_is_meant_to_have(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Otherwise a lint of it would measure something else."""
    monkeypatch.syspath_prepend(str(RUN.parent))
    from corpus import write_corpus
    from goalspec.compiler.lint.linter import Linter

    corpus = write_corpus(tmp_path, 48)
    linter = Linter()
    found = {path.name: linter.lint_file(path).found for path in corpus.files("goal")}
    flawed = {f"change{number:04}.goal" for number in range(0, 48, 6)}
    assert {name for name, diagnostics in found.items() if diagnostics} == flawed
