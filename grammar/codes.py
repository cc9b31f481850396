"""The codes of the stages lex and parse."""

from __future__ import annotations

from .diagnostics import Code, Severity

ENCODING = Code(
    "GS001", "not-utf-8", "lex", Severity.ERROR,
    "A goal file is UTF-8 text, so that a reviewer, a linter and a host see the same characters. "
    "Other encodings, NUL bytes and lone surrogates are refused with the byte's offset.",
    "goal g {\n  objective \"caf\\xe9\"   # the bytes of another encoding\n}\n",
    'goal g {\n  objective "café"\n  criterion c "x"\n}\n',
)  # fmt: skip
CHARACTER = Code(
    "GS002", "unexpected-character", "lex", Severity.ERROR,
    "The character begins nothing in the language. Text that was pasted from a document often "
    "brings curved quotes, long dashes or no-break spaces that look like the plain ones.",
    "goal g {\n  objective “Ship it.”\n}\n",
    'goal g {\n  objective "Ship it."\n  criterion c "x"\n}\n',
)  # fmt: skip
UNTERMINATED = Code(
    "GS003", "unterminated-string", "lex", Severity.ERROR,
    'A string opened by `"` ends on its line; one opened by `"""` may run over several.',
    'goal g {\n  objective "Ship it.\n}\n',
    'goal g {\n  objective "Ship it."\n  criterion c "x"\n}\n',
)  # fmt: skip
LITERAL = Code(
    "GS004", "bad-literal", "lex", Severity.ERROR,
    "The text has a literal's shape but no value: an unknown unit, a day that no calendar has, an "
    "escape that does not exist. Nothing is guessed.",
    'goal g {\n  objective "Ship it."\n  criterion c "x"\n  budget { runtime 10min }\n}\n',
    'goal g {\n  objective "Ship it."\n  criterion c "x"\n  budget { runtime 10m }\n}\n',
)  # fmt: skip
SYNTAX = Code(
    "GS101", "syntax", "parse", Severity.ERROR,
    "The statement does not have the form that its keyword asks for. The parser goes on at the "
    "next statement, so that every mistake of a file is shown in one run.",
    'goal g {\n  objective\n  criterion c "x"\n}\n',
    'goal g {\n  objective "Ship it."\n  criterion c "x"\n}\n',
)  # fmt: skip
TOO_MANY = Code(
    "GS102", "too-many-errors", "parse", Severity.ERROR,
    "After a hundred syntax errors the rest of the file says little. Mend the first ones and run "
    "again; perhaps the file is not a goal file at all.",
    "(a file with more than a hundred syntax errors)\n",
    'goal g {\n  objective "Ship it."\n  criterion c "x"\n}\n',
)  # fmt: skip
NESTING = Code(
    "GS103", "too-deep", "parse", Severity.ERROR,
    "Predicates nest at most 64 deep, and chains of one operator have at most 1,000 parts, so that "
    "every check costs a bounded amount and a person can read it.",
    "goal g {\n  objective \"x\"\n  criterion c \"y\" check ((((…))))   # 10,000 deep\n}\n",
    'goal g {\n  objective "Ship it."\n  criterion c "x"\n}\n',
)  # fmt: skip

CODES = (ENCODING, CHARACTER, UNTERMINATED, LITERAL, SYNTAX, TOO_MANY, NESTING)
