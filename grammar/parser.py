"""Text to syntax tree, with every mistake of the file in one run.

Parsing is Lark's LALR(1). Recovery is panic mode at statements: after an error the parser drops the
unfinished statement, finds the next line that begins one which some open block accepts, and goes
on there, so that two mistakes give two errors. Blocks that a mistake left open are closed when a
statement of the file's level begins in the first column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from . import codes, hints
from .diagnostics import Diagnostic, Label
from .expected import expected_words
from .source import DecodeError, Source, Span, decode
from .syntax import File, Statement
from .tables import parser

MAX_ERRORS = 100


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
        return Parsed(File(source, [], broken=True), (found,))


def parse(text: str, name: str) -> Parsed:
    """Parse *text*, called *name* in messages."""
    source = Source(name, text)
    surrogate = re.search(r"[\ud800-\udfff\0]", text)
    if surrogate is not None:
        message = f"the text holds U+{ord(surrogate[0]):04X}, which no UTF-8 file can"
        found = Diagnostic(codes.ENCODING, source, Span(*surrogate.span()), message)
        return Parsed(File(source, [], broken=True), (found,))
    return _Parse(source).run()


class _Parse:
    """One parse: the interactive parser and what it found so far."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.found: list[Diagnostic] = []

    def run(self) -> Parsed:
        interactive: Any = parser().parse_interactive(self.text)
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
                            self.found[-1].span,
                            f"more than {MAX_ERRORS} syntax errors; the rest was not read",
                        )
                    )
                    _seek(interactive, len(self.text))
                    _close_blocks(interactive, "$END", len(self.text))
                else:
                    self._recover(interactive, place)
        return Parsed(File(self.source, statements, bool(self.found)), tuple(self.found))

    # --- saying what is wrong

    def _report(self, error: UnexpectedInput, interactive: Any) -> int:
        """Add the error's diagnostic; the offset from which to look for the next statement."""
        if isinstance(error, UnexpectedCharacters):
            return self._report_character(error.pos_in_stream or 0, interactive)
        assert isinstance(error, UnexpectedToken)
        token = error.token
        if token.type == "$END":
            offset = len(self.text.rstrip())
            self._add(Span(offset, offset), "the end of the file", interactive)
            return len(self.text)
        start, end = token.start_pos or 0, token.end_pos or 0
        before = interactive.parser_state.value_stack
        swallowed = self._swallowed_keyword(before, start)
        if swallowed is not None:
            self._add_swallowed(swallowed)
            return swallowed.start
        unterminated = token.type != "STRING" and self.text.startswith('"', start)
        if unterminated:
            return self._report_character(start, interactive)
        self._add(Span(start, end), _shown(str(token)), interactive, _looks_like(token))
        return start

    def _report_character(self, start: int, interactive: Any) -> int:
        char = self.text[start]
        if char == '"':
            long = self.text.startswith('"""', start)
            end = len(self.text) if long else _line_end(self.text, start)
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
                Span(start, start + confusable.length),
                confusable.message,
                confusable.hint or f"expected {self._expected(interactive)}",
            )
        )
        return start + confusable.length

    def _add(self, span: Span, found: str, interactive: Any, hint: str | None = None) -> None:
        message = f"expected {self._expected(interactive)}, found {found}"
        labels: tuple[Label, ...] = ()
        opened = self._innermost_open(interactive)
        if opened is not None and (found == "the end of the file" or span.start == span.end):
            labels = (Label(self.source, opened, "opened here and not closed"),)
            hint = hint or "close it with `}`"
        self.found.append(Diagnostic(codes.SYNTAX, self.source, span, message, hint, labels))

    def _add_swallowed(self, span: Span) -> None:
        word = self.text[span.start : span.end]
        message = f"expected a fact, a value or a predicate, found the keyword `{word}`"
        self.found.append(Diagnostic(codes.SYNTAX, self.source, span, message))

    def _expected(self, interactive: Any) -> str:
        return expected_words(interactive.accepts())

    def _swallowed_keyword(self, values: list[Any], start: int) -> Span | None:
        """A statement's keyword that was read as a name where an operand was due.

        `check` and then `criterion …` on the next line: the word before the error is the mistake.
        """
        last = values[-1] if values else None
        if isinstance(last, Token):
            span = Span(last.start_pos or 0, last.end_pos or 0) if last.type == "NAME" else None
        else:
            span = getattr(last, "span", None)
        if span is None or self.text[span.end : start].strip():
            return None
        word = self.text[span.start : span.end]
        at_line_start = not self.text[_line_start(self.text, span.start) : span.start].strip()
        return span if word in _KEYWORDS and at_line_start else None

    def _innermost_open(self, interactive: Any) -> Span | None:
        for value in reversed(interactive.parser_state.value_stack):
            if isinstance(value, Token) and value.type == "LBRACE":
                return Span(value.start_pos or 0, value.end_pos or 0)
        return None

    # --- going on

    def _recover(self, interactive: Any, start: int) -> None:
        for offset, terminal, outermost in _statement_starts(self.text, start):
            if outermost and not _accepts(interactive, terminal):
                _close_blocks(interactive, terminal, offset)
            if _unwind(interactive, terminal):
                _seek(interactive, offset)
                return
        _seek(interactive, len(self.text))
        _close_blocks(interactive, "$END", len(self.text))


_TOP_LEVEL = {"edition", "use", "facts", "goal", "test", "preset"}
_KEYWORDS = _TOP_LEVEL | set(
    "let objective criterion awaited advisory constraint stop protect budget pins pin judge when "
    "given check observe baseline expect keep kind".split()
)
_SKIPPED = re.compile(
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""|r?"(?:[^"\\\r\n]|\\[^\r\n])*"|#[^\r\n]*|[{}]'
    r"|(?:(?<=[\r\n])|\A)[ \t]*(?:([A-Za-z_][\w.]*)(?=([ \t]*:)|([ \t]*=(?!=))|))",
)


def _statement_starts(text: str, start: int) -> Iterator[tuple[int, str, bool]]:
    """Where a statement may begin at or after *start*: offset, terminal, and whether it begins one
    of the file's level in the first column. Braces that open on the way are skipped whole."""
    depth = 0
    position = _line_start(text, start)
    for match in _SKIPPED.finditer(text, position):
        if match.start() < start and not (match[1] and match.start(1) >= start):
            continue
        first = match[0][:1]
        if first == "{":
            depth += 1
        elif first == "}":
            if depth == 0:
                yield match.start(), "RBRACE", False
            depth = max(0, depth - 1)
        elif match[1]:
            word, offset = match[1], match.start(1)
            outermost = word in _TOP_LEVEL and offset == _line_start(text, offset)
            if outermost:
                depth = 0
            if depth:
                continue
            if match[2] is not None:
                yield offset, "DECLARED", False
            elif match[3] is not None:
                yield offset, "ASSIGNED", False
            elif word in _KEYWORDS:
                yield offset, word.upper(), outermost
            elif "." not in word:
                yield offset, "NAME", False


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _line_end(text: str, offset: int) -> int:
    match = re.compile(r"[\r\n]|\Z").search(text, offset)
    assert match is not None
    return match.start()


def _accepts(interactive: Any, terminal: str, height: int | None = None) -> bool:
    """Would the parser, with its stack cut to *height*, take the terminal?"""
    state = interactive.parser_state
    stack = state.state_stack if height is None else state.state_stack[:height]
    states = state.parse_conf.states
    if terminal not in states[stack[-1]]:
        return False
    stack = list(stack)
    while True:  # a reduction may still end in a state that refuses the terminal
        action = states[stack[-1]].get(terminal)
        if action is None:
            return False
        _, target = action
        if not hasattr(target, "expansion"):
            return True
        if target.expansion:
            del stack[-len(target.expansion) :]
        stack.append(states[stack[-1]][target.origin.name][1])
        if terminal == "$END" and stack[-1] == state.parse_conf.end_state:
            return True


# A bare word begins a statement only in these blocks; anywhere else it may be part of anything.
_SETTING_BLOCKS = {"BUDGET", "JUDGE", "PINS"}


def _unwind(interactive: Any, terminal: str) -> bool:
    """Drop what is unfinished until the terminal fits; False if it fits nowhere."""
    state = interactive.parser_state
    for height in range(len(state.state_stack), 0, -1):
        top = state.value_stack[height - 2] if height > 1 else None
        between = not isinstance(top, Token) or top.type == "LBRACE"
        if not between and terminal != "RBRACE":
            continue
        if _accepts(interactive, terminal, height) and _is_statement(state, terminal, height):
            del state.state_stack[height:]
            del state.value_stack[height - 1 :]
            return True
    return False


def _is_statement(state: Any, terminal: str, height: int) -> bool:
    if terminal != "NAME":
        return True
    for value in reversed(state.value_stack[: height - 1]):
        if isinstance(value, Token) and value.type == "LBRACE":
            continue
        return isinstance(value, Token) and value.type in _SETTING_BLOCKS
    return False


def _close_blocks(interactive: Any, terminal: str, offset: int) -> None:
    """Close the open blocks at *offset*, keeping what they hold, until the terminal fits."""
    while not _accepts(interactive, terminal):
        if not _unwind(interactive, "RBRACE"):
            _unwind(interactive, terminal)
            return
        brace = Token("RBRACE", "}", start_pos=offset, end_pos=offset)
        interactive.parser_state.feed_token(brace)


def _seek(interactive: Any, offset: int) -> None:
    """Make the lexer go on at *offset*. Lines and columns of Lark's are not used."""
    lexer_state = interactive.lexer_thread.state
    lexer_state.line_ctr.char_pos = offset


def _shown(text: str) -> str:
    line = text.splitlines()[0] if text else text
    return f"`{line[:40]}…`" if len(line) > 40 or line != text else f"`{line}`"


def _looks_like(token: Token) -> str | None:
    return hints.for_word(str(token))
