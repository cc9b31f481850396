"""The package as it is built and imported: its folders, its public names, what a start costs."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import goalspec
import pytest

ROOT = Path(__file__).parents[1]


def run(*arguments: str) -> str:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True
    ).stdout


def test_every_folder_with_code_is_in_the_package_list() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    folders = {
        ".".join(("goalspec", *path.parent.relative_to(ROOT).parts))
        for top in ("grammar", "compiler", "runtime", "cli", "specs")
        for path in (ROOT / top).rglob("*.py")
        if "__pycache__" not in path.parts
    }
    assert {"goalspec", *folders} == set(listed["packages"])


@pytest.mark.parametrize("name", goalspec.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(goalspec, name).__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="compiel"):
        goalspec.compiel  # noqa: B018


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["--version"], {"lark", "pydantic", "rfc8785", "jinja2"}),
        (["--help"], {"lark", "pydantic", "rfc8785", "jinja2"}),
        (["compile", str(ROOT / "specs/examples/merge.goal"), "--target", "json"], {"jinja2"}),
        (["explain", "GS201"], {"jsonschema", "asyncio", "jinja2"}),
        (["goal", "--help"], {"sqlalchemy", "pydantic", "lark", "platformdirs"}),
        (["goal", "pause", "--help"], {"sqlalchemy", "pydantic", "lark", "platformdirs"}),
        (["goal", "show", "--store", "memory:"], {"sqlalchemy", "alembic", "lark", "jinja2"}),
        (["replay", "--help"], {"sqlalchemy", "pydantic", "lark", "jinja2"}),
        (["replay", "s1", "--store", "memory:"], {"sqlalchemy", "lark", "jinja2", "asyncio"}),
        (["report", "--help"], {"sqlalchemy", "pydantic", "lark", "platformdirs", "jinja2"}),
        (["run", "--help"], {"sqlalchemy", "pydantic", "lark", "platformdirs", "jinja2", "rich"}),
        (["lint", str(ROOT / "specs")], {"jinja2", "asyncio", "unittest", "http"}),
    ],
)
def test_a_command_imports_only_what_it_needs(arguments: list[str], absent: set[str]) -> None:
    code = (
        "import sys; sys.argv = ['goalspec', *sys.argv[1:]]\n"
        "from goalspec.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print('\\nMODULES', *sys.modules)"
    )
    output = run("-c", code, *arguments)
    loaded = set(output.rsplit("MODULES", 1)[1].split())
    assert not absent & loaded


def test_importing_goalspec_imports_nothing_else_of_it() -> None:
    output = run("-c", "import goalspec, sys; print(*(m for m in sys.modules if 'goalspec.' in m))")
    assert output.split() == ["goalspec.exports"]


def test_typed() -> None:
    assert (Path(goalspec.__file__).parent / "py.typed").exists()
