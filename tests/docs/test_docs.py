"""The documentation holds: examples compile, links lead somewhere, generated pages are in step.

The pages under docs/codes, docs/rules, docs/cli.md and docs/ir.schema.json are made from the code: after a
change, `pytest --update-golden` renews them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import click
import pytest
from click.testing import CliRunner
from goalspec.cli import COMMANDS, group
from goalspec.cli.pages import page
from goalspec.compiler import compile_text
from goalspec.compiler.lint.catalogue import CODES, FIXES
from goalspec.compiler.lint.linter import Linter
from goalspec.grammar.diagnostics import Code
from goalspec.runtime.testing import run_test

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GOLDEN = Callable[[Path, str], None]
MADE = "<!-- Made by tests/docs/test_docs.py; renew with `pytest --update-golden`. -->"


def written() -> list[Path]:
    """The pages that people wrote; those of codes hold examples that are wrong on purpose."""
    return [path for path in (ROOT / "README.md", *sorted(DOCS.glob("*.md"))) if path.exists()]


class Block(NamedTuple):
    """A fenced block: its page, the line after its fence, and its text."""

    page: Path
    line: int
    text: str


_FENCE = re.compile(r"^```goal\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> Iterator[Block]:
    for path in written():
        text = path.read_text("utf-8")
        for match in _FENCE.finditer(text):
            yield Block(path, text.count("\n", 0, match.start(1)) + 1, match[1])


def name(block: Block) -> str:
    return f"{block.page.name}:{block.line}"


BLOCKS = list(blocks())


# --- examples


def test_there_are_examples() -> None:
    assert len(BLOCKS) >= 15


@pytest.mark.parametrize("block", BLOCKS, ids=name)
def test_an_example_has_no_finding(block: Block) -> None:
    found = Linter().lint_bytes(block.text.encode(), name(block), block.page).found
    assert [f"{d.start.line}: {d.code.id} {d.message}" for d in found] == []


@pytest.mark.ruling(35, 74)
@pytest.mark.parametrize("block", [b for b in BLOCKS if "\ntest " in b.text], ids=name)
def test_what_the_tests_in_an_example_expect_is_so(block: Block) -> None:
    document = compile_text(block.text, name(block), block.page).document
    assert document is not None
    assert document.tests
    for test in document.tests:
        run = run_test(document, test)
        assert (run.misses, run.fault) == ((), None)


# --- output that a page shows

_TEXT = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_messages_that_the_guide_shows_are_real(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, *shown = _TEXT.findall((DOCS / "messages.md").read_text("utf-8"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spec.goal").write_text(spec, "utf-8")
    real = CliRunner().invoke(group, ["lint", "spec.goal"]).stdout
    (tmp_path / "facts.json").write_text('{"coverage.line": 85}')
    (tmp_path / "good.goal").write_text(
        "facts {\n  coverage.line : percent\n}\n\n"
        'goal g {\n  objective "x"\n  criterion c "x" check coverage.line > 80%\n}\n'
    )
    real += CliRunner().invoke(group, ["check", "good.goal", "--facts", "facts.json"]).stderr
    assert [text for text in shown if text not in real] == []


# --- generated pages


def page_name(code: Code) -> str:
    return f"{code.id}-{code.name}.md"


def codes_index() -> str:
    """docs/codes/README.md: a table of the codes of all stages but lint."""
    lines = [
        MADE, "", "# Messages", "",
        "Every message of goalspec has a code that stays the same. `goalspec explain CODE` prints",
        "the page of one. [How messages are written](../messages.md) says what they owe you; what",
        "lint looks for has [pages of its own](../rules/README.md).", "",
        "| code | name | severity | stage |", "| --- | --- | --- | --- |",
    ]  # fmt: skip
    for code in CODES:
        if code.stage != "lint":
            link = f"[{code.id}]({page_name(code)})"
            lines.append(f"| {link} | {code.name} | {code.severity.value} | {code.stage} |")
    return "\n".join(lines) + "\n"


def rules_index() -> str:
    """docs/rules/README.md: a table of what lint looks for."""
    lines = [
        MADE, "", "# What lint looks for", "",
        "In files that have no error of the language, `goalspec lint` looks for what is most likely",
        "not meant, or will not be read as it is meant. [Linting](../linting.md) says how to choose,",
        "to silence and to mend.", "",
        "| code | name | severity | fix |", "| --- | --- | --- | --- |",
    ]  # fmt: skip
    for code in CODES:
        if code.stage == "lint":
            link = f"[{code.id}]({page_name(code)})"
            fix = FIXES.get(code.id, "")
            lines.append(f"| {link} | {code.name} | {code.severity.value} | {fix} |")
    return "\n".join(lines) + "\n"


def folder_of(code: Code) -> Path:
    return DOCS / ("rules" if code.stage == "lint" else "codes")


def command_line() -> str:
    """docs/cli.md: what each command says of itself, rendered at a width of 80."""
    parts = [
        MADE, "", "# The command line", "",
        "What `--help` says. Exit codes: 0 holds, 1 does not hold, 2 usage, a spec with errors, or",
        "I/O, 3 cannot be told, 4 a stop is true; [the language](language.md#when-a-goal-is-done)",
        "has the table. Colours are used on a terminal only, and not where `NO_COLOR` is set.", "",
        "```text", help_of(), "```",
    ]  # fmt: skip
    for words in commands():
        parts += ["", f"## goalspec {' '.join(words)}", "", "```text", help_of(*words), "```"]
    return "\n".join(parts) + "\n"


def commands() -> Iterator[tuple[str, ...]]:
    """Every command, and the verbs of those that have some."""
    context = click.Context(group)
    for name in sorted(COMMANDS):
        yield (name,)
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from ((name, verb) for verb in command.list_commands(context))


def help_of(*words: str) -> str:
    context: dict[str, Any] = {"terminal_width": 80, "max_content_width": 80}
    command = [*words, "--help"]
    result = CliRunner().invoke(
        group, command, prog_name="goalspec", catch_exceptions=False, **context
    )
    assert result.exit_code == 0
    return "\n".join(line.rstrip() for line in click.unstyle(result.stdout).rstrip().split("\n"))


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_the_page_of_a_code_is_in_step(code: Code, golden: GOLDEN) -> None:
    golden(folder_of(code) / page_name(code), page(code, FIXES.get(code.id)))


def test_the_index_of_codes_is_in_step(golden: GOLDEN) -> None:
    golden(DOCS / "codes" / "README.md", codes_index())
    golden(DOCS / "rules" / "README.md", rules_index())


def test_no_page_is_left_of_a_code_that_is_gone() -> None:
    known = {folder_of(code) / page_name(code) for code in CODES}
    known |= {DOCS / "codes" / "README.md", DOCS / "rules" / "README.md"}
    assert {*(DOCS / "codes").iterdir(), *(DOCS / "rules").iterdir()} == known


def test_the_page_of_the_command_line_is_in_step(golden: GOLDEN) -> None:
    golden(DOCS / "cli.md", command_line())


def test_the_schema_is_in_step(golden: GOLDEN) -> None:
    golden(DOCS / "ir.schema.json", CliRunner().invoke(group, ["schema"]).stdout)


# --- links

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def links(path: Path) -> list[str]:
    text = _CODE.sub(lambda match: "`…`", path.read_text("utf-8"))
    return [link for link in _LINK.findall(text) if not re.match(r"[a-z]+:", link)]


def anchors(path: Path) -> set[str]:
    """The headings of a page, as a forge links to them."""
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    slugs = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(text))
    return {slug.replace(" ", "-") for slug in slugs}


@pytest.mark.parametrize(
    "path",
    [*written(), DOCS / "codes" / "README.md", DOCS / "rules" / "README.md"],
    ids=lambda path: path.parent.name + path.name,
)
def test_relative_links_lead_to_files(path: Path) -> None:
    broken = []
    for link in links(path):
        file, _, anchor = unquote(link).partition("#")
        target = (path.parent / file).resolve() if file else path
        inside = target.is_relative_to(ROOT) and target.exists()
        if not inside or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []
