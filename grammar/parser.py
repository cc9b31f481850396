"""Text to syntax tree, with every mistake of the file in one run.

Parsing is Lark's LALR(1); what is wrong is said here, and `recovery` finds the place to go on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from . import codes, hints
from .chains import parse_interactive
from .diagnostics import Diagnostic, Label, nearest
from .expected import expected_words
from .recovery import EVERYTHING, KEYWORDS, OPERATORS, give_up, innermost_brace, recover, unclosed
from .source import DecodeError, Source, Span, decode, line_end, line_start
from .syntax import File, Statement
from .tables import parser

MAX_ERRORS = 100
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Parsed:
    """A file's tree (what could be read of it) and the diagnostics of its text."""

    file: File
    diagnostics: tuple[Diagnostic, ...]


def parse_file(path: Path, name: str | None = None) -> Parsed:
    """Parse the file at *path*, called *name* in messages. Raises OSError."""
    return parse_bytes(path.read_bytes(), name or str(path))


def parse_bytes(data: bytes, name: str) -> Parsed:
    """Parse a file's bytes; any bytes at all give a tree and diagnostics, never an exception."""
    try:
        return parse(decode(data), name)
    except DecodeError as error:
        source = Source(name, error.before)
        place = Span(len(error.before), len(error.before))
        message = f"{error.message} (byte {error.offset} of the file)"
        hint = "save the file as UTF-8"
        found = Diagnostic(codes.ENCODING, source, place, message, hint)
        return Parsed(File(source, [], lost=EVERYTHING), (found,))


def parse(text: str, name: str) -> Parsed:
    """Parse *text*, called *name* in messages."""
    source = Source(name, text)
    surrogate = re.search(r"[\ud800-\udfff\0]", text)
    if surrogate is not None:
        message = f"the text holds U+{ord(surrogate[0]):04X}, which no UTF-8 file can"
        found = Diagnostic(codes.ENCODING, source, Span(*surrogate.span()), message)
        return Parsed(File(source, [], lost=EVERYTHING), (found,))
    return _Parse(source).run()


class _Parse:
    """One parse: the interactive parser and what it found so far."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.found: list[Diagnostic] = []
        self.lost: set[str] = set()

    def run(self) -> Parsed:
        interactive: Any = parse_interactive(parser(), self.text)
        while True:
            try:
                statements: list[Statement] = interactive.resume_parse()
                break
            except UnexpectedInput as error:
                interactive = error.interactive_parser
                place = self._report(error, interactive)
                if len(self.found) >= MAX_ERRORS:
                    self.found.append(
                        Diagnostic(
                            codes.TOO_MANY,
                            self.source,
                            Span(self.found[-1].span.end, self.found[-1].span.end),
                            f"more than {MAX_ERRORS} syntax errors; the rest was not read",
                        )
                    )
                    give_up(interactive, self.text)
                    self.lost |= EVERYTHING
                else:
                    token = getattr(getattr(error, "token", None), "type", "")
                    self.lost |= recover(interactive, self.text, place, token)
        file = File(self.source, statements, frozenset(self.lost))
        return Parsed(file, tuple(self.found))

    # --- saying what is wrong

    def _report(self, error: UnexpectedInput, interactive: Any) -> int:
        """Add the error's diagnostic; the offset from which to look for the next statement."""
        if isinstance(error, UnexpectedCharacters):
            return self._report_character(error.pos_in_stream or 0, interactive)
        assert isinstance(error, UnexpectedToken)
        token = error.token
        before = interactive.parser_state.value_stack
        if token.type == "$END":
            offset = len(self.text.rstrip())
            opened = unclosed(interactive, "$END") or innermost_brace(before)
            self._add(Span(offset, offset), "the end of the file", interactive, opened, None)
            return len(self.text)
        start, end = token.start_pos or 0, token.end_pos or 0
        swallowed = self._swallowed_keyword(before, start)
        if swallowed is not None:
            self._add_swallowed(swallowed)
            return swallowed.start
        unterminated = token.type != "STRING" and self.text.startswith('"', start)
        if unterminated:
            return self._report_character(start, interactive)
        behind = end + self.text.startswith(".", end)
        if _is_name(str(token)) and self.text[behind : behind + 1].isalnum():  # `größe`, after `gr`
            return self._report_character(behind, interactive)
        hint = self._meant(token, start)
        opened = unclosed(interactive, token.type)
        is_fact = "DECLARED" in interactive.choices() and _is_name(str(token))
        if is_fact and hint is None and opened is None:
            hint = f"a fact is declared with its type: `{token} : bool`; its name has no hyphen"
        self._add(Span(start, end), _shown(str(token)), interactive, opened, hint)
        return start

    def _meant(self, token: Token, start: int) -> str | None:
        """What was perhaps meant by a token that does not fit."""
        slashes = self.text.startswith("//", start - 1)
        habit = hints.for_word(str(token)) or hints.for_operator(self.text, start - slashes)
        begins = not self.text[line_start(self.text, start) : start].strip()
        if habit is None and begins and str(token).isidentifier():
            near = nearest(str(token), KEYWORDS)
            return f"did you mean `{near}`?" if near and near != str(token) else None
        return habit

    def _report_character(self, start: int, interactive: Any) -> int:
        char = self.text[start]
        if char == '"':
            long = self.text.startswith('"""', start)
            end = len(self.text) if long else line_end(self.text, start)
            mark = '"""' if long else '"'
            hint = hints.after_unterminated(self.text[start:end])
            span = Span(start, min(end, start + 80) if long else end)
            message = f"the string that `{mark}` opens here is never closed"
            self.found.append(
                Diagnostic(
                    codes.UNTERMINATED,
                    self.source,
                    span,
                    message,
                    hint or f"close it with `{mark}`",
                )
            )
            return end
        confusable = hints.for_character(self.text, start)
        self.found.append(
            Diagnostic(
                codes.CHARACTER,
                self.source,
                Span(start - confusable.back, start + confusable.length),
                confusable.message,
                confusable.hint or f"expected {self._expected(interactive)}",
            )
        )
        return start + confusable.length

    def _add(
        self, span: Span, found: str, interactive: Any, opened: Token | None, hint: str | None
    ) -> None:  # fmt: skip
        message = f"expected {self._expected(interactive)}, found {found}"
        labels: tuple[Label, ...] = ()
        if opened is not None:
            where = Span(opened.start_pos or 0, opened.end_pos or 0)
            labels = (Label(self.source, where, "opened here and not closed"),)
            hint = hint or f"close it with `{_CLOSING[str(opened)]}`"
        self.found.append(Diagnostic(codes.SYNTAX, self.source, span, message, hint, labels))

    def _add_swallowed(self, span: Span) -> None:
        word = self.text[span.start : span.end]
        if word in KEYWORDS:
            message = f"the statement before the keyword `{word}` is not finished"
        else:
            message = f"expected a fact, a value or a predicate, found `{word}`"
        hint = hints.for_word(word)
        self.found.append(Diagnostic(codes.SYNTAX, self.source, span, message, hint))

    def _expected(self, interactive: Any) -> str:
        return expected_words(interactive.accepts())

    def _swallowed_keyword(self, values: list[Any], start: int) -> Span | None:
        """A word that was read as a name where an operand was due, just before the error.

        `check` and then `criterion …` on the next line, `NOT a.ok`, `or a.ok`: the word is the
        mistake, not what stands behind it.
        """
        last = values[-1] if values else None
        if isinstance(last, Token):
            span = Span(last.start_pos or 0, last.end_pos or 0) if last.type == "NAME" else None
        else:
            span = getattr(last, "span", None)
        if span is None or self.text[span.end : start].strip():
            return None
        word = self.text[span.start : span.end]
        begins = not self.text[line_start(self.text, span.start) : span.start].strip()
        habit = word in OPERATORS or hints.for_word(word) is not None
        return span if (word in KEYWORDS and begins) or habit else None


def _is_name(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _shown(text: str) -> str:
    line = text.splitlines()[0] if text else text
    return f"`{line[:40]}…`" if len(line) > 40 or line != text else f"`{line}`"
