"""C079: a text over several lines survives being formatted and printed: empty, with quotes, with
backslashes, with anything inside."""

from __future__ import annotations

import pytest
from goalspec import compile_text, ir, read_document, write_document
from goalspec.tests.cases.commands import formatted
from hypothesis import given, settings
from hypothesis import strategies as st

BODIES = [
    "",
    "\n",
    "\n\n\n",
    "\n    one\n    two\n    ",
    "\n\tone\n\t\ttwo\n\t",
    'say "hi" to "',
    '\n  ""\n  ',
    "\n  EOF,\n  ]\n  }\n",
    r"a \\ b \" c \n d \u{1f384}",
    "\n  # no comment\n  goal g {\n",
    "   \n   \n",
]


def text(body: str) -> str:
    return (
        'facts {\n  a.name : string\n}\n\ngoal g {\n  objective   "o"\n'
        f'  criterion c "It is one of them" check a.name in ["x", """{body}""", """"""]\n}}\n'
    )


def goals(source: str) -> tuple[ir.Goal, ...]:
    compiled = compile_text(source)
    assert compiled.document is not None, [d.message for d in compiled.diagnostics]
    assert read_document(write_document(compiled.document)) == compiled.document
    return compiled.document.goals


@pytest.mark.parametrize("body", BODIES)
def test_a_text_block_is_kept(body: str) -> None:
    source = text(body.replace('say "hi" to "', 'say "hi" to " '))
    assert goals(formatted(source)) == goals(source)


LETTERS = st.sampled_from([*" \t\n\r\"'\\#{}[],ab", "\\n", "é", "\U0001f384", "EOF"])


@settings(max_examples=200, deadline=None)
@given(st.lists(LETTERS, max_size=30).map("".join))
def test_any_text_block_is_kept(body: str) -> None:
    source = text(body)
    if compile_text(source).document is not None:
        assert goals(formatted(source)) == goals(source)
