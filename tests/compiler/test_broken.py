"""Broken files: each mistake is reported once, at its place, under its code (broken/README.md)."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from goalspec.compiler.compilation import Compilation, Compiler, compile_text
from goalspec.tests.marks import unmarked

BROKEN = Path(__file__).parent / "broken"
_CASE = re.compile(r"^=== (.+)\n", re.MULTILINE)


class Case(NamedTuple):
    """A text, the `line:column code` that it is to give, and words of its messages."""

    text: str
    expected: list[str]
    words: list[str]


def cases(path: Path) -> Iterator[tuple[str, Case]]:
    parts = _CASE.split(path.read_text("utf-8"))[1:]
    template = "$"
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        if name == "template":
            template = body
            continue
        words = re.findall(r"^~ (.+)\n", body, re.MULTILINE)
        marked = re.sub(r"^~ .+\n", "", body, flags=re.MULTILINE)
        if template != "$":
            marked = marked.removesuffix("\n")
            # a mark alone on the last line stands before the template's next line
            place = "$\n" if re.search(r"\n(⟪GS\d+⟫)+\Z", marked) else "$"
            marked = template.replace(place, marked, 1)
        yield f"{path.stem}: {name}", Case(*unmarked(marked), words)


def said(compilation: Compilation) -> list[str]:
    return [f"{d.start.line}:{d.start.column} {d.code.id}" for d in compilation.diagnostics]


ALL = dict(entry for path in sorted(BROKEN.glob("*.txt")) for entry in cases(path))


@pytest.mark.row("X01")
@pytest.mark.parametrize("case", ALL.values(), ids=ALL.keys())
def test_each_mistake_is_reported_once_at_its_place(case: Case) -> None:
    compilation = compile_text(case.text, "broken.goal")
    assert said(compilation) == case.expected, [d.message for d in compilation.diagnostics]
    messages = "\n".join(f"{d.message}\n{d.hint or ''}" for d in compilation.diagnostics)
    for words in case.words:
        assert words in messages


def test_there_are_hundreds_of_cases() -> None:
    assert len(ALL) >= 200
    assert sum(len(list(cases(path))) for path in BROKEN.glob("*.txt")) == len(ALL)


# --- files that a collection cannot hold

with (BROKEN / "files.toml").open("rb") as _file:
    FILES = tomllib.load(_file)


@pytest.mark.parametrize("name", FILES)
def test_files_of_odd_bytes(name: str) -> None:
    path = BROKEN / name
    assert said(Compiler().compile_file(path, name)) == FILES[name]


def test_every_file_is_expected() -> None:
    assert {path.name for path in BROKEN.glob("*.goal")} == set(FILES)


# --- what is built: caps

FACTS = "facts {\n  a.ok : bool\n  a.n : int\n}\n\n"
START = FACTS + 'goal g {\n  objective "Ship it."\n  criterion c "It holds"\n    check '


def checked(predicate: str) -> Compilation:
    return compile_text(f"{START}{predicate}\n}}\n", "caps.goal")


@pytest.mark.ruling(26)
@pytest.mark.parametrize(
    ("predicate", "code"),
    [
        ("(" * 10_000 + "a.ok" + ")" * 10_000, "GS103"),
        ("not " * 10_000 + "a.ok", "GS103"),
        ("not " * 65 + "a.ok", "GS103"),
        (" and ".join(["a.ok"] * 1_001), "GS103"),
        (" or ".join(["a.ok"] * 1_001), "GS103"),
        (" + ".join(["a.n"] * 1_002) + " > 5", "GS103"),
        ("-" * 201 + "a.n > 5", "GS103"),
        ("[" * 300 + "]" * 300 + " == [1]", "GS103"),
        ("abs(" * 70 + "a.n" + ")" * 70 + " > 5", "GS103"),
    ],
    ids=lambda value: value if len(value) < 10 else f"{value[:5]}…{len(value)}",
)
def test_a_predicate_beyond_the_caps_is_refused_once(predicate: str, code: str) -> None:
    """The place is the predicate's beginning: no part of it is more to blame than another."""
    assert said(checked(predicate)) == [f"9:11 {code}"]


@pytest.mark.ruling(26)
@pytest.mark.parametrize(
    "predicate",
    [
        "not " * 64 + "a.ok",
        " and ".join(["a.ok"] * 1_000),
        " + ".join(["a.n"] * 1_000) + " > 5",
        "(" * 64 + "a.ok" + ")" * 64,
        "a.n in [" + ", ".join(map(str, range(3_000))) + "]",
    ],
    ids=["64 nots", "1,000 ands", "1,000 terms", "64 parentheses", "3,000 literals"],
)
def test_a_predicate_at_the_caps_is_accepted(predicate: str) -> None:
    assert [d.message for d in checked(predicate).errors] == []


@pytest.mark.ruling(72)
def test_a_let_is_written_out_before_it_is_measured() -> None:
    doubled = "".join(
        f"  let l{n} = (l{n - 1} or not l{n - 1}) and a.ok\n" for n in range(1, 20)
    )  # fmt: skip
    text = FACTS + (
        f'goal g {{\n  objective "Ship it."\n  let l0 = a.ok\n{doubled}'
        '  criterion c "It holds" check l19\n}\n'
    )
    found = compile_text(text).errors
    assert [d.code.id for d in found] == ["GS315"]


@pytest.mark.ruling(26)
def test_types_nest_so_deep_and_no_deeper() -> None:
    def declared(depth: int) -> Compilation:
        return compile_text("facts {\n  a.x : " + "list of " * depth + "int\n}\n")

    assert said(declared(16)) == []
    assert said(declared(17)) == ["2:9 GS103"]
    assert [d.code.id for d in declared(5_000).diagnostics] == ["GS103"]


@pytest.mark.ruling(26)
def test_values_of_tests_nest_so_deep_and_no_deeper() -> None:
    text = START + 'a.ok\n}\n\ntest "t" for g {\n  observe { a.n = ' + "[" * 5_000 + "]" * 5_000
    found = compile_text(text + " }\n}\n").errors
    assert [d.start.line for d in found] == [13]


def test_a_long_objective_is_refused_whole() -> None:
    text = f'goal g {{\n  objective "{"x" * 4_001}"\n  criterion c "It holds"\n}}\n'
    assert said(compile_text(text)) == ["2:13 GS225"]
    assert said(compile_text(text.replace("x" * 4_001, "🚀" * 4_000))) == []


def test_a_hundred_syntax_errors_are_enough() -> None:
    found = compile_text("goal g {\n" + "  objective\n" * 5_000 + "}\n").diagnostics
    assert [d.code.id for d in found] == ["GS101"] * 100 + ["GS102"]


# --- use


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (tmp_path / "outside.goal").write_text("facts { x.ok : bool }\n")
    monkeypatch.chdir(root)  # files are named as from here
    return root


def written(project: Path, name: str, text: str) -> Path:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


GOAL = 'goal g {\n  objective "Ship it."\n  criterion c "It holds"\n}\n'


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("../outside.goal", "GS213"),
        ("sub/../../outside.goal", "GS213"),
        ("link.goal", "GS213"),
        ("folder/outside.goal", "GS213"),
        ("sub", "GS212"),
        ("sub.goal", "GS212"),
        ("none.goal", "GS212"),
        ("", "GS212"),
    ],
)
def test_use_stays_in_the_project(project: Path, target: str, code: str) -> None:
    (project / "sub").mkdir()
    (project / "sub.goal").mkdir()
    (project / "link.goal").symlink_to(project.parent / "outside.goal")
    (project / "folder").symlink_to(project.parent)
    path = written(project, "a.goal", f'use "{target}"\n\n{GOAL}')
    found = Compiler().compile_file(path).diagnostics
    assert [(d.code.id, d.start.line, d.start.column) for d in found] == [(code, 1, 5)]


def test_use_of_an_absolute_path_is_refused_also_below_the_root(project: Path) -> None:
    other = written(project, "b.goal", "facts { x.ok : bool }\n")
    path = written(project, "a.goal", f'use "{other}"\n\n{GOAL}')
    assert said(Compiler().compile_file(path)) == ["1:5 GS213"]


def test_files_that_use_each_other_are_a_circle(project: Path) -> None:
    written(project, "b.goal", 'use "c.goal"\n')
    written(project, "c.goal", '\nuse "a.goal"\n')
    path = written(project, "a.goal", f'use "b.goal"\n\n{GOAL}')
    (found,) = Compiler().compile_file(path, "a.goal").diagnostics
    assert (found.path, found.code.id, found.start.line) == ("c.goal", "GS214", 2)
    assert "a.goal → b.goal → c.goal → a.goal" in found.message


def test_a_file_that_uses_itself_is_a_circle(project: Path) -> None:
    path = written(project, "a.goal", f'use "a.goal"\n\n{GOAL}')
    assert said(Compiler().compile_file(path)) == ["1:1 GS214"]


def test_a_file_used_by_two_roads_is_read_once(project: Path) -> None:
    written(project, "facts.goal", "facts { x.ok : bool }\n")
    written(project, "b.goal", 'use "facts.goal"\n')
    path = written(project, "a.goal", f'use "facts.goal"\nuse "b.goal"\nuse "b.goal"\n\n{GOAL}')
    assert said(Compiler().compile_file(path)) == []


def test_mistakes_of_a_used_file_are_reported_in_that_file_once(project: Path) -> None:
    written(project, "facts.goal", "facts {\n  x.ok : boolean\n}\n")
    written(project, "b.goal", 'use "facts.goal"\n')
    path = written(
        project, "a.goal",
        'use "facts.goal"\nuse "b.goal"\n\n' + GOAL.replace('"It holds"', '"It holds" check x.ok'),
    )  # fmt: skip
    found = Compiler().compile_file(path, "a.goal").diagnostics
    assert [(d.path, d.start.line, d.code.id) for d in found] == [("facts.goal", 2, "GS203")]


@pytest.mark.ruling(31)
def test_a_fact_from_two_files_is_declared_the_same(project: Path) -> None:
    written(project, "b.goal", 'facts {\n  x.ok : bool "said another way"\n  x.n : int\n}\n')
    path = written(project, "a.goal", f'use "b.goal"\n\nfacts {{ x.ok : bool "one way" }}\n{GOAL}')
    assert [d.code.id for d in Compiler().compile_file(path).errors] == []
    path.write_text(f'use "b.goal"\n\nfacts {{\n  x.n : number\n}}\n{GOAL}')
    (found,) = Compiler().compile_file(path, "a.goal").errors
    assert (found.path, found.start.line, found.code.id) == ("a.goal", 4, "GS208")
    assert found.labels[0].source.path == "b.goal"


@pytest.mark.ruling(31)
def test_a_fact_from_two_used_files_is_declared_the_same(project: Path) -> None:
    written(project, "b.goal", "facts { x.n : int }\n")
    written(project, "c.goal", "facts { x.n : number }\n")
    path = written(project, "a.goal", f'use "b.goal"\nuse "c.goal"\n\n{GOAL}')
    found = Compiler().compile_file(path, "a.goal").errors
    assert [d.code.id for d in found] == ["GS208"]


@pytest.mark.ruling(28)
def test_a_fact_is_no_prefix_of_a_used_one(project: Path) -> None:
    written(project, "b.goal", "facts { deploy : bool }\n")
    path = written(project, "a.goal", f'use "b.goal"\n\nfacts {{ deploy.state : string }}\n{GOAL}')
    (found,) = Compiler().compile_file(path, "a.goal").errors
    assert (found.path, found.code.id, found.start.line) == ("a.goal", "GS217", 3)


@pytest.mark.ruling(28)
def test_a_used_fact_is_no_extension_of_one_here(project: Path) -> None:
    written(project, "b.goal", "facts { deploy.state : string }\n")
    path = written(project, "a.goal", f'use "b.goal"\n\nfacts {{ deploy : bool }}\n{GOAL}')
    (found,) = Compiler().compile_file(path, "a.goal").errors
    assert (found.path, found.code.id) == ("a.goal", "GS217")


@pytest.mark.ruling(28)
def test_facts_of_two_used_files_are_no_prefixes_of_each_other(project: Path) -> None:
    written(project, "b.goal", "facts { deploy.state : string }\n")
    written(project, "c.goal", "facts { deploy : bool }\n")
    path = written(project, "a.goal", f'use "b.goal"\nuse "c.goal"\n\n{GOAL}')
    assert [d.code.id for d in Compiler().compile_file(path).errors] == ["GS217"]


def test_a_preset_from_two_files_is_refused_at_the_use(project: Path) -> None:
    written(project, "b.goal", "preset p { budget { turns 5 } }\n")
    written(project, "c.goal", "preset p { budget { turns 6 } }\n")
    path = written(project, "a.goal", f'use "b.goal"\nuse "c.goal"\n\n{GOAL}')
    (found,) = Compiler().compile_file(path, "a.goal").errors
    assert (found.path, found.code.id, found.start.line) == ("a.goal", "GS208", 2)


@pytest.mark.ruling(26)
def test_too_many_bytes_of_files_are_refused(project: Path) -> None:
    for number in range(5):
        written(project, f"f{number}.goal", "#" * (4 * 2**20))
    uses = "".join(f'use "f{number}.goal"\n' for number in range(5))
    path = written(project, "a.goal", uses + GOAL)
    assert said(Compiler().compile_file(path)) == ["5:1 GS215"]


@pytest.mark.ruling(26)
def test_a_chain_of_files_ends(project: Path) -> None:
    for number in range(150):
        written(project, f"f{number}.goal", f'use "f{number + 1}.goal"\n')
    written(project, "f150.goal", "")
    found = Compiler().compile_file(written(project, "a.goal", f'use "f0.goal"\n{GOAL}')).errors
    assert [d.code.id for d in found] == ["GS215"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_does_not_block_the_compiler(project: Path) -> None:
    os.mkfifo(project / "pipe.goal")
    path = written(project, "a.goal", f'use "pipe.goal"\n\n{GOAL}')
    assert said(Compiler().compile_file(path)) == ["1:5 GS212"]


def test_the_root_is_the_nearest_configured_folder(project: Path) -> None:
    written(project, "sub/pyproject.toml", "[tool.goalspec]\n")
    written(project, "facts.goal", "facts { x.ok : bool }\n")
    path = written(project, "sub/a.goal", f'use "../facts.goal"\n\n{GOAL}')
    assert said(Compiler().compile_file(path)) == ["1:5 GS213"]
    (project / "sub/pyproject.toml").write_text("[tool.other]\n")
    assert said(Compiler().compile_file(path)) == []
