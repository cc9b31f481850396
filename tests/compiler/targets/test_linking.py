"""The linker: definitions with all that they need, and no two of one name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from goalspec.compiler.targets import linking
from goalspec.compiler.targets.linking import CannotLink, check_names, defined, link


def names(text: str) -> list[str]:
    kinds = (ast.FunctionDef, ast.ClassDef)
    return [node.name for node in ast.parse(text).body if isinstance(node, kinds)]


def test_a_definition_comes_with_what_it_needs_and_nothing_else() -> None:
    linked = link([("compiler.kernel", "move_date")], {}, {})
    assert names(linked.text) == ["Undecided", "move_date"]
    assert "DAY: Final = 86_400 * 10**9" in linked.text
    assert linked.imports == "from typing import Final"


def test_what_is_taken_from_another_module_stands_before() -> None:
    found = names(link([("runtime.temporal", "initial")], {"Type": "Type = object"}, {}).text)
    assert found.index("Unknown") < found.index("Form") < found.index("Streak")
    assert found[-1] == "initial"


def test_comments_and_decorators_come_along() -> None:
    text = link([("compiler.kernel", "UNDECIDED")], {}, {}).text
    assert "# What the straight form may raise" in text
    text = link([("compiler.kernel", "Unknown")], {}, {}).text
    assert "@dataclass(frozen=True, slots=True)\nclass Unknown:" in text


def test_given_statements_stand_in() -> None:
    linked = link([("compiler.ir.types", "describe")], {"Type": "Type = object"}, {})
    assert linked.text.startswith("Type = object\n")
    assert "ByKind" not in linked.text


def test_further_imports_are_merged() -> None:
    imported = {"sys": ("sys", ""), "Any": ("typing", "Any")}
    linked = link([("compiler.kernel", "move_date")], {}, imported)
    assert linked.imports == "import sys\nfrom typing import Any, Final"


def test_the_order_of_the_roots_does_not_matter() -> None:
    roots = [
        ("compiler.kernel", "mean"),
        ("runtime.weight", "weigher"),
        ("compiler.paths", "normal_path"),
    ]
    given = {"Type": "Type = object"}
    assert link(roots, given, {}) == link(roots[::-1], given, {})


def test_a_root_that_is_nowhere_is_named() -> None:
    with pytest.raises(CannotLink, match=r"compiler\.kernel defines no nothing"):
        link([("compiler.kernel", "nothing")], {}, {})


def test_two_definitions_of_one_name_do_not_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text("def same(): return 1\n")
    (tmp_path / "b.py").write_text("from .a import same as other\ndef same(): return other()\n")
    monkeypatch.setattr(linking, "files", lambda _: tmp_path)
    linking._module.cache_clear()
    try:
        with pytest.raises(CannotLink, match="two definitions have the name same"):
            link([("a", "same"), ("b", "same")], {}, {})
    finally:
        linking._module.cache_clear()
    with pytest.raises(CannotLink, match="two definitions have the name x"):
        check_names("x = 1\ndef y(): pass\nx: int = 2\n")


def test_names_are_found_where_they_are_defined() -> None:
    wanted = ["leaf", "compile_globs", "Decimal", "v_x"]
    modules = ["compiler.folding", "compiler.patterns"]
    assert defined(wanted, modules) == [
        ("compiler.folding", "leaf"),
        ("compiler.patterns", "compile_globs"),
    ]
