"""Runs over many files: answers from the cache are those that linting gives, in every circumstance
that an answer depends on, and many processes answer as one does."""

from __future__ import annotations

import concurrent.futures
import os
import subprocess
import sys
from pathlib import Path

import pytest
from goalspec.compiler import cache as cache_module
from goalspec.compiler.cache import Cache
from goalspec.compiler.lint import run as module
from goalspec.compiler.lint.config import ANYTHING, BadConfig, Question, UnknownCode
from goalspec.compiler.lint.run import Answer, Run
from goalspec.grammar.diagnostics import Diagnostic

FACTS = "facts {\n  a.ok : bool\n}\n"
USING = (
    'use "facts.goal"\ngoal g {\n  objective "Ship it."\n'
    '  criterion c "It holds"\n    check a.ok == true\n}\n'
)
GOOD = "facts {\n  a.ok : bool\n}\n" + USING.partition("\n")[2].replace(" == true", "")


def put(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in the working folder, beside a folder for the cache."""
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    put(project, "facts.goal", FACTS)
    put(project, "a.goal", USING)
    monkeypatch.chdir(project)
    return project


class Counted:
    """Lints with a cache beside the project, and counts what had to be linted."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cache_folder = folder.parent / "cache"
        self.cache_folder.mkdir(exist_ok=True)
        self.linted = 0
        lint_all = module._lint_all

        def counting(tasks: list[module._Task]) -> object:
            self.linted += len(tasks)
            return lint_all(tasks)

        monkeypatch.setattr(module, "_lint_all", counting)

    def __call__(self, *names: str | Path, asked: Question = ANYTHING) -> list[Answer]:
        self.linted = 0
        cache = Cache(self.cache_folder)
        answers = Run(cache, asked, jobs=1).lint([Path(name) for name in names])
        cache.close()
        return answers


@pytest.fixture
def lint(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(folder, monkeypatch)


def codes(answer: Answer) -> list[str]:
    return [diagnostic.code.id for diagnostic in answer.found]


def seen(answer: Answer) -> tuple[object, ...]:
    """All that a report shows of an answer."""

    def shown(d: Diagnostic) -> tuple[object, ...]:
        labels = [(label.source.path, label.source.text, label.span) for label in d.labels]
        return d.code, d.path, d.source.text, d.span, d.message, d.hint, labels, d.fix

    return answer.name, answer.source, answer.failed, [shown(d) for d in answer.found]


def fresh(*names: str | Path) -> list[tuple[object, ...]]:
    """What a run without a cache says."""
    return [seen(a) for a in Run(Cache(None), jobs=1).lint([Path(name) for name in names])]


def test_the_second_run_lints_nothing_and_says_the_same(lint: Counted) -> None:
    first = lint("a.goal", "facts.goal")
    assert lint.linted == 2
    assert codes(first[0]) == ["GS402"]
    second = lint("a.goal", "facts.goal")
    assert lint.linted == 0
    assert [seen(a) for a in second] == [seen(a) for a in first] == fresh("a.goal", "facts.goal")


CHANGES: dict[str, dict[str, str | None]] = {  # files and their new texts; None is gone
    "its text": {"a.goal": USING.replace(" == true", "")},
    "a used file's text": {"facts.goal": FACTS.replace("bool", "int")},
    "a used file is gone": {"facts.goal": None},
    "a used file is a folder": {"facts.goal": None, "facts.goal/b.goal": FACTS},
    "a used file leads out": {"../out.goal": FACTS, "facts.goal": "-> ../out.goal"},
    "a used file leads elsewhere": {"b/facts.goal": FACTS, "facts.goal": "-> b/facts.goal"},
    "the settings": {"pyproject.toml": '[tool.goalspec]\nignore = ["GS402"]\n'},
    "settings for the file": {
        "pyproject.toml": '[tool.goalspec.per-file-ignores]\n"a.*" = ["GS402"]\n'
    },
    "the project's root": {
        ".git": None,
        "../pyproject.toml": '[tool.goalspec]\nignore = ["bool-comparison"]\n',
    },
}


def change(name: str, text: str | None) -> None:
    if text is None and Path(name).is_dir():
        Path(name).rmdir()
    elif text is None:
        Path(name).unlink()
    elif text.startswith("-> "):
        Path(name).unlink()
        Path(name).symlink_to(text.removeprefix("-> "))
    else:
        put(Path(), name, text)


@pytest.mark.parametrize("changed", CHANGES)
def test_what_an_answer_depends_on(lint: Counted, changed: str) -> None:
    lint("a.goal")
    for name, text in CHANGES[changed].items():
        change(name, text)
    [answer] = lint("a.goal")
    assert lint.linted == 1
    assert [seen(answer)] == fresh("a.goal")


def test_a_used_file_appears(lint: Counted) -> None:
    Path("facts.goal").unlink()
    assert codes(lint("a.goal")[0]) == ["GS212"]
    assert codes(lint("a.goal")[0]) == ["GS212"]
    assert lint.linted == 1  # whether the file is there was not kept
    put(Path(), "facts.goal", FACTS)
    assert codes(lint("a.goal")[0]) == ["GS402"]


def test_a_file_that_a_used_file_uses_changes(lint: Counted) -> None:
    put(Path(), "facts.goal", 'use "deep/more.goal"\n')
    put(Path(), "deep/more.goal", FACTS)
    assert codes(lint("a.goal")[0]) == ["GS402"]
    put(Path(), "deep/more.goal", FACTS.replace("a.ok", "a.good"))
    assert "GS201" in codes(lint("a.goal")[0])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_used_file_becomes_a_pipe(lint: Counted) -> None:
    lint("a.goal")
    Path("facts.goal").unlink()
    os.mkfifo("facts.goal")
    assert codes(lint("a.goal")[0]) == ["GS212"]


def test_what_is_asked_counts(lint: Counted) -> None:
    assert codes(lint("a.goal")[0]) == ["GS402"]
    assert codes(lint("a.goal", asked=Question(ignore=("GS402",)))[0]) == []
    assert codes(lint("a.goal", asked=Question(select=("GS403",)))[0]) == []
    assert codes(lint("a.goal")[0]) == ["GS402"]
    assert lint.linted == 0


def test_a_file_under_two_names(lint: Counted, folder: Path) -> None:
    """A finding names its file as the command line does."""
    lint("a.goal")
    [answer] = lint(folder / "a.goal")
    assert [d.path for d in answer.found] == [str(folder / "a.goal")]
    put(folder, "copy.goal", USING)
    [answer] = lint("copy.goal")
    assert [d.path for d in answer.found] == ["copy.goal"]


def test_another_working_folder(
    lint: Counted, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A used file is named as from the working folder."""
    put(folder, "facts.goal", FACTS.replace("bool", "boolean"))
    assert "facts.goal" in {d.path for d in lint("a.goal")[0].found}
    monkeypatch.chdir(folder.parent)
    [answer] = lint("project/a.goal")
    assert "project/facts.goal" in {d.path for d in answer.found}
    assert [seen(answer)] == fresh("project/a.goal")


def test_a_project_that_moved_keeps_its_answers(
    lint: Counted, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lint("a.goal")
    moved = folder.rename(folder.parent / "moved")
    monkeypatch.chdir(moved)
    [answer] = lint("a.goal")
    assert (lint.linted, codes(answer)) == (0, ["GS402"])


def test_another_version_knows_nothing(lint: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    lint("a.goal")
    monkeypatch.setattr(module, "code_digest", lambda: b"another version")
    lint("a.goal")
    assert lint.linted == 1
    monkeypatch.setattr(module, "code_digest", cache_module.code_digest)
    lint("a.goal")
    assert lint.linted == 0


def test_two_runs_at_once(lint: Counted, folder: Path) -> None:
    for number in range(30):
        put(folder, f"many/{number}.goal", GOOD)
    command = [sys.executable, "-m", "goalspec", "lint", "many"]
    environment = {**os.environ, "GOALSPEC_CACHE_DIR": str(lint.cache_folder)}
    lint.cache_folder.chmod(0o700)
    started = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(3)
    ]
    assert {run.communicate(timeout=60)[0] for run in started} == {b"no findings in 30 files\n"}
    lint(*(f"many/{number}.goal" for number in range(30)))
    assert lint.linted == 0


# --- files that cannot be read, settings that cannot be meant


def test_unreadable_files_do_not_stop_the_others(lint: Counted, folder: Path) -> None:
    (folder / "folder.goal").mkdir()
    (folder / "gone.goal").symlink_to("nowhere")
    names = ["gone.goal", "a.goal", "folder.goal", "nowhere.goal", "facts.goal"]
    for _ in range(2):
        answers = lint(*names)
        assert [a.name for a in answers] == names
        assert [a.failed is None for a in answers] == [False, True, False, False, True]
        assert codes(answers[1]) == ["GS402"]


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ("[tool.goalspec]\nselct = []\n", BadConfig),
        ('[tool.goalspec]\nignore = ["GS9999"]\n', UnknownCode),
    ],
)
def test_settings_that_cannot_be_meant(
    lint: Counted, settings: str, error: type[Exception]
) -> None:
    lint("a.goal")
    put(Path(), "pyproject.toml", settings)
    with pytest.raises(error):
        lint("a.goal")


def test_a_text_is_linted_where_it_would_stand(lint: Counted) -> None:
    put(Path(), "pyproject.toml", '[tool.goalspec.per-file-ignores]\n"old/**" = ["GS402"]\n')
    put(Path(), "old/facts.goal", FACTS)
    run = Run(Cache(None))
    assert codes(run.lint_text(USING.encode(), "<stdin>", Path("a.goal"))) == ["GS402"]
    assert codes(run.lint_text(USING.encode(), "<stdin>", Path("old/a.goal"))) == []


# --- many files


@pytest.fixture
def many(folder: Path) -> list[Path]:
    """More files than one process gets: good, with findings, broken, no text, and not there."""
    texts: list[str | bytes] = [GOOD, USING, GOOD.replace("check", "chek"), b"\xff\xfe\x00", ""]
    paths = []
    for number in range(90):
        if number % 7 == 6:
            paths.append(Path(f"nowhere{number}.goal"))
            continue
        paths.append(put(folder, f"{number}.goal", texts[number % 5]))
    return paths


@pytest.mark.parametrize("files", [47, 48, 90])
def test_many_processes_answer_as_one(many: list[Path], files: int) -> None:
    paths = many[:files]
    one = Run(Cache(None), jobs=1).lint(paths)
    told: list[int] = []
    three = Run(Cache(None), jobs=3).lint(paths, told.append)
    assert [seen(a) for a in three] == [seen(a) for a in one]
    assert sum(told) == files


def test_without_processes_a_thread_answers(
    many: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError("no semaphores here")

    one = Run(Cache(None), jobs=1).lint(many)
    monkeypatch.setattr(concurrent.futures, "ProcessPoolExecutor", refuse)
    assert [seen(a) for a in Run(Cache(None), jobs=3).lint(many)] == [seen(a) for a in one]


def test_an_unknown_code_comes_back_from_a_process(many: list[Path]) -> None:
    with pytest.raises(UnknownCode, match="did you mean"):
        Run(Cache(None), Question(ignore=("GS492",)), jobs=3).lint(many)
