"""Every code's page is true: its bad file gives the code and nothing else, its good file nothing.

The renderings of the bad files are golden files, so that every message is read by a person before
it changes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from goalspec.cli.render.text import render
from goalspec.compiler.codes import BY_ID, CODES
from goalspec.compiler.compilation import Compilation, Compiler
from goalspec.grammar import Severity

HERE = Path(__file__).parent
STATIC = [code for code in CODES if code.stage in ("lex", "parse", "resolve", "type")]
STATIC_IDS = [code.id for code in STATIC]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty project: `use` may read below it and nothing else."""
    (tmp_path / ".git").mkdir()
    return tmp_path


def _not_utf8(project: Path) -> bytes:
    return b'goal g {\n  objective "caf\xe9"\n  criterion c "x"\n}\n'


def _many_errors(project: Path) -> bytes:
    return ("goal g {\n" + "  objective\n" * 150 + "}\n").encode()


def _deep(project: Path) -> bytes:
    check = "(" * 10_000 + "a.ok" + ")" * 10_000
    return BY_ID["GS305"].good.replace("suite.failed : int", "a.ok : bool").replace(
        "suite.failed == 0", check
    ).encode()  # fmt: skip


def _many_files(project: Path) -> bytes:
    for number in range(1_001):
        (project / f"f{number}.goal").write_text("")
    uses = "".join(f'use "f{number}.goal"\n' for number in range(1_001))
    return f"{uses}\n{BY_ID['GS209'].good}".encode()


# The codes whose bad file cannot stand on a page.
BUILT = {"GS001": _not_utf8, "GS102": _many_errors, "GS103": _deep, "GS215": _many_files}


def compiled(text: str | bytes, project: Path) -> Compilation:
    data = text.encode() if isinstance(text, str) else text
    return Compiler().compile_bytes(data, "spec.goal", project / "spec.goal")


def bad(id: str, project: Path) -> Compilation:
    return compiled(BUILT[id](project) if id in BUILT else BY_ID[id].bad, project)


@pytest.mark.row("X01")
@pytest.mark.parametrize("id", STATIC_IDS)
def test_the_bad_file_gives_its_code_and_nothing_else(id: str, project: Path) -> None:
    found = [diagnostic.code.id for diagnostic in bad(id, project).diagnostics]
    # a hundred mistakes come before it
    assert found == (["GS101"] * 100 + ["GS102"] if id == "GS102" else [id])


@pytest.mark.parametrize("id", STATIC_IDS)
def test_the_good_file_gives_nothing(id: str, project: Path) -> None:
    assert [d.message for d in compiled(BY_ID[id].good, project).diagnostics] == []


@pytest.mark.parametrize("id", STATIC_IDS)
def test_the_report_reads_well(id: str, project: Path, golden: Callable[[Path, str], None]) -> None:
    found = [d for d in bad(id, project).diagnostics if d.code.id == id]
    assert found
    golden(HERE / "golden" / f"{id}.txt", render(found, 1, color=False))


@pytest.mark.parametrize("id", STATIC_IDS)
def test_errors_leave_no_document_and_warnings_do(id: str, project: Path) -> None:
    compilation = bad(id, project)
    assert (compilation.document is None) == (BY_ID[id].severity is Severity.ERROR)


def test_every_code_has_its_own_id_and_name() -> None:
    assert len({code.id for code in CODES}) == len({code.name for code in CODES}) == len(CODES)
    assert [code.id for code in CODES] == sorted(code.id for code in CODES)


def test_every_golden_file_is_of_a_code() -> None:
    assert {path.stem for path in (HERE / "golden").iterdir()} == set(STATIC_IDS)


@pytest.mark.parametrize("code", CODES, ids=[code.id for code in CODES])
def test_a_code_says_why_in_sentences(code: object) -> None:
    page = BY_ID[code.id]  # type: ignore[attr-defined]
    assert page.why[0].isupper() or page.why[0] == "`"
    assert page.why.endswith((".", "`."))
    assert page.bad.endswith("\n")
    assert page.good.endswith("\n")
