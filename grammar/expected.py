"""The grammar's terminals in the language's own words, for messages that say what was expected."""

from __future__ import annotations

from collections.abc import Iterable

# Sets of terminals that are one idea to a person: when all of one are possible, its words stand
# for them. Larger ideas first.
_LITERAL = frozenset("TRUE FALSE NULL QUANTITY MONEY TIME DATE VERSION STRING".split())
_OPERAND = _LITERAL | frozenset("DOTTED NAME LPAREN LBRACKET".split())
_PREFIX = frozenset("MINUS NOT ANY ALL NONE EACH ALWAYS EVER PREVIOUS DOTS".split())
_BOUND = frozenset("QUANTITY MONEY TIME DATE VERSION MINUS".split())
_COMPARISON = frozenset("EQUAL UNEQUAL LESS AT_MOST MORE AT_LEAST".split())
_OPERATOR = _COMPARISON | frozenset(
    "OR AND NOT IN LIKE MATCHES CONTAINS OTHERWISE PLUS MINUS STAR SLASH AT FRESH FOR_COUNT DOT "
    "LBRACKET LPAREN".split()
)
_GOAL_PART = frozenset(
    "OBJECTIVE CRITERION CONSTRAINT AWAITED ADVISORY STOP PROTECT BUDGET PINS PIN JUDGE LET".split()
)
_CLAUSE = frozenset("WHEN GIVEN CHECK".split())
_AFTER_CLAUSE = _GOAL_PART | _CLAUSE
_TYPE = frozenset("NAME STRING LIST SET MAP LBRACE LPAREN".split())
_TYPE_TAIL = frozenset("OPTIONAL MAX AS CURRENCY IN LASTING STRING FROM AT BAR LESS BY".split())
_NEXT_FACT = frozenset("DECLARED RBRACE".split())
_TOP = frozenset("GOAL FACTS TEST USE EDITION".split())

# Which terminals must be possible, which the words then cover, and the words.
_IDEAS: tuple[tuple[frozenset[str], frozenset[str], str], ...] = (
    (_OPERAND, _OPERAND | _PREFIX, "a fact, a value or a predicate"),
    (_LITERAL, _LITERAL | frozenset("MINUS LBRACE LBRACKET NAME".split()), "a value"),
    (_BOUND, _BOUND | {"DOTS"}, "a range such as `0..` or `1..10`"),
    (_COMPARISON, _OPERATOR, "an operator"),
    (
        _GOAL_PART | _CLAUSE,
        _GOAL_PART | _CLAUSE | {"PRESET", "RBRACE"},
        "the next part of the goal or `}`",
    ),
    (_GOAL_PART, _GOAL_PART | {"PRESET"}, "the next part of the goal"),
    (_CLAUSE, _CLAUSE, "a clause"),
    (_NEXT_FACT, _NEXT_FACT | _TYPE_TAIL, "the next fact or `}`"),
    (_TOP, _TOP | {"PRESET", "LET"}, "a statement of the file"),
    (_TYPE, _TYPE, "a type"),
)

_WORDS = {
    "QUANTITY": "a number",
    "STRING": 'a string in `"…"`',
    "NAME": "a name",
    "KEY": "a key",
    "ID": "a name",
    "DOTTED": "a fact's name",
    "DECLARED": "a name followed by `:`",
    "ASSIGNED": "a name followed by `=`",
    "CURRENCY": "a currency such as `USD`",
    "TIME": "a time such as `2026-12-31T18:00Z`",
    "DATE": "a date such as `2026-12-31`",
    "VERSION": "a version such as `v1.4.0`",
    "MONEY": "an amount such as `5.00 USD`",
    "FOR_COUNT": "`for`",
    "RUNS": "`runs`",
    "$END": "the end of the file",
    "EQUAL": "`==`", "UNEQUAL": "`!=`", "AT_MOST": "`<=`", "AT_LEAST": "`>=`",
    "LESS": "`<`", "MORE": "`>`", "EQUALS": "`=`", "OTHERWISE": "`??`", "OPTIONAL": "`?`",
    "BAR": "`|`", "PLUS": "`+`", "MINUS": "`-`", "STAR": "`*`", "SLASH": "`/`",
    "DOTS": "`..`", "DOT": "`.`", "COMMA": "`,`", "COLON": "`:`",
    "LPAREN": "`(`", "RPAREN": "`)`", "LBRACKET": "`[`", "RBRACKET": "`]`",
    "LBRACE": "`{`", "RBRACE": "`}`",
}  # fmt: skip


def in_words(terminal: str) -> str:
    """One terminal as a person would say it; a keyword stands for itself."""
    return _WORDS.get(terminal) or f"`{terminal.lower()}`"


def expected_words(terminals: Iterable[str]) -> str:
    """What may stand here: `` `{` ``, or ``a type or `}` ``."""
    left = set(terminals)
    words: list[str] = []
    for needed, covered, idea in _IDEAS:
        if needed <= left:
            words.append(idea)
            left -= covered
    words += sorted({in_words(terminal) for terminal in left}, key=lambda w: (w[0] == "`", w))
    if len(words) > 6:
        words = [*words[:5], "…"]
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " or " + words[-1]
