"""What the linter reads of descriptions: their numbers, and where a word stands in the file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from goalspec.compiler.lint.prose import MOST_CHARACTERS, Prose, Quantity, numbers, quantities
from goalspec.grammar import syntax as s
from goalspec.grammar.parser import parse_bytes

TABLES = tomllib.loads(Path(__file__).with_name("prose.toml").read_text("utf-8"))
TEXTS = [(text, said) for table in TABLES.values() for text, said in table.items()]


def shown(quantity: Quantity) -> str:
    return f"{quantity.literal} {quantity.bound or ('stated' if quantity.stated else 'bare')}"


def objective_of(text: str) -> Prose:
    """The prose of the objective of a file with one goal."""
    file = parse_bytes(text.encode(), "spec.goal").file
    goal = file.statements[0]
    assert isinstance(goal, s.Goal)
    objective = goal.parts[0]
    assert isinstance(objective, s.Objective)
    assert isinstance(objective.text, s.Literal)
    return Prose(objective.text, file.source)


@pytest.mark.parametrize(("text", "said"), TEXTS, ids=[text for text, _ in TEXTS])
def test_a_text_says_these_quantities(text: str, said: list[str]) -> None:
    assert [shown(quantity) for quantity in quantities(text)] == said


def test_words_are_numbers_up_to_twelve() -> None:
    assert numbers("Two of twelve, 16 in all, thirteen") == {2, 12, 16}


@pytest.mark.parametrize(
    "token",
    [
        '"takes 5 minutes"',
        r'"a \u{2013} \"b\"\\ takes 5 minutes"',
        r'r"a \d takes 5 minutes"',
        '"""takes 5 minutes"""',
        '"""\n      It\n        takes 5 minutes\n    """',
        '"""\r\n\t\tIt\r\n\r\n\t\t  takes 5 minutes\r\n\t"""',
        '"""\r    It\r    takes 5 minutes\r"""',
    ],
)
def test_a_word_of_a_string_has_its_place_in_the_file(token: str) -> None:
    text = f"goal g {{ objective {token} }}"
    prose = objective_of(text)
    (quantity,) = quantities(prose.text)
    start, end = prose.span(quantity.start, quantity.end)
    assert text[start:end] == "5 minutes"


def test_only_the_beginning_of_a_text_is_read() -> None:
    text = f'goal g {{ objective "{"x" * MOST_CHARACTERS} 5 minutes" }}'
    assert list(quantities(objective_of(text).text)) == []
