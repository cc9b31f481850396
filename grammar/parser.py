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

from lark import Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from . import codes, hints
from .comments import STRING
from .diagnostics import Diagnostic, Label, nearest
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
                            Span(self.found[-1].span.end, self.found[-1].span.end),
                            f"more than {MAX_ERRORS} syntax errors; the rest was not read",
                        )
                    )
                    _seek(interactive, len(self.text))
                    _close_blocks(interactive, "$END", len(self.text), whole=False)
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
        self._add(Span(start, end), _shown(str(token)), interactive, self._meant(token, start))
        return start

    def _meant(self, token: Token, start: int) -> str | None:
        """What was perhaps meant by a token that does not fit."""
        slashes = self.text.startswith("//", start - 1)
        habit = hints.for_word(str(token)) or hints.for_operator(self.text, start - slashes)
        begins = not self.text[_line_start(self.text, start) : start].strip()
        if habit is None and begins and str(token).isidentifier():
            near = nearest(str(token), _KEYWORDS)
            return f"did you mean `{near}`?" if near and near != str(token) else None
        return habit

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
                Span(start - confusable.back, start + confusable.length),
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
        if word in _KEYWORDS:
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
        begins = not self.text[_line_start(self.text, span.start) : span.start].strip()
        habit = word in _OPERATORS or hints.for_word(word) is not None
        return span if (word in _KEYWORDS and begins) or habit else None

    def _innermost_open(self, interactive: Any) -> Span | None:
        brace = _innermost_brace(interactive.parser_state.value_stack)
        return None if brace is None else Span(brace.start_pos or 0, brace.end_pos or 0)

    # --- going on

    def _recover(self, interactive: Any, start: int) -> None:
        # An error that begins its line stands after a statement, not in it: that one is whole.
        whole = not self.text[_line_start(self.text, start) : start].strip()
        records = _open_records(interactive.parser_state.value_stack)
        for offset, terminal, outermost in _statement_starts(self.text, start, records):
            inside = _innermost_brace(interactive.parser_state.value_stack) is not None
            if outermost and not _accepts(interactive, terminal):
                _close_blocks(interactive, terminal, offset, whole)
            elif inside and not outermost and terminal in _TOP_TERMINALS:
                continue  # `facts` inside a goal: its braces are skipped with it
            if _unwind(interactive, terminal, whole):
                _seek(interactive, offset)
                return
        _seek(interactive, len(self.text))
        _close_blocks(interactive, "$END", len(self.text), whole)


_TOP_LEVEL = {"edition", "use", "facts", "goal", "test", "preset"}
_OPERATORS = {"and", "or", "in", "like", "matches", "contains", "for", "where", "at", "fresh"}
_TOP_TERMINALS = {"EDITION", "USE", "FACTS", "GOAL", "TEST"}
_KEYWORDS = _TOP_LEVEL | set(
    "let objective criterion awaited advisory constraint stop protect budget pins pin judge when "
    "given check observe baseline expect keep kind".split()
)
_SKIPPED = re.compile(
    STRING + r"|#[^\r\n]*|[{}]"
    r"|(?:(?<=[\r\n])|\A)[ \t]*(?:([A-Za-z_][\w.]*)(?=([ \t]*:)|([ \t]*=(?!=))|))",
)


def _statement_starts(text: str, start: int, depth: int) -> Iterator[tuple[int, str, bool]]:
    """Where a statement may begin at or after *start*: offset, terminal, and whether it begins one
    of the file's level in the first column. Braces that open on the way are skipped whole; so many
    as *depth* are open already."""
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


def _unwind(interactive: Any, terminal: str, whole: bool) -> bool:
    """Drop what is unfinished until the terminal fits; False if it fits nowhere.

    Only what stands between statements may stay at the top: a block's opening brace or the
    statements read so far. *whole* keeps the statement just before the error too.
    """
    state = interactive.parser_state
    full = len(state.state_stack)
    for height in range(full, 0, -1):
        top = state.value_stack[height - 2] if height > 1 else None
        between = (
            top is None
            or isinstance(top, Tree)
            or _closes(top)
            or _opens_block(state.value_stack, height - 2)
        )
        if not between and not (whole and height == full and not isinstance(top, Token)):
            continue
        if terminal == "NAME" and not _in_settings(state.value_stack[: height - 1]):
            continue
        if _accepts(interactive, "KEY" if terminal == "NAME" else terminal, height):
            del state.state_stack[height:]
            del state.value_stack[height - 1 :]
            return True
    return False


# A brace after one of these opens a record, not a block of statements.
_BEFORE_RECORD = {"COLON", "OF", "LPAREN", "EQUALS", "LBRACKET", "COMMA"}


def _opens_block(values: list[Any], place: int) -> bool:
    """Is the value at *place* of the stack the brace of a block?"""
    value = values[place]
    if not isinstance(value, Token) or value.type != "LBRACE":
        return False
    before = values[place - 1] if place else None
    return not (isinstance(before, Token) and before.type in _BEFORE_RECORD)


def _closes(value: Any) -> bool:
    return isinstance(value, Token) and value.type == "RBRACE"


def _innermost_brace(values: list[Any]) -> Token | None:
    """The brace of the innermost block that is open."""
    place = _innermost_place(values)
    return None if place is None else values[place]


def _innermost_place(values: list[Any]) -> int | None:
    closed = 0
    for place in range(len(values) - 1, -1, -1):
        if _closes(values[place]):
            closed += 1
        elif _opens_block(values, place):
            if not closed:
                return place
            closed -= 1
    return None


# A bare word begins a statement only in these blocks; anywhere else it may be part of anything.
_SETTING_BLOCKS = {"BUDGET", "JUDGE", "PINS"}


def _open_records(values: list[Any]) -> int:
    """How many braces of records stand open inside the innermost block."""
    place = _innermost_place(values)
    return sum(
        isinstance(value, Token) and value.type == "LBRACE"
        for value in values[0 if place is None else place + 1 :]
    )


def _in_settings(values: list[Any]) -> bool:
    place = _innermost_place(values)
    return place is not None and any(
        isinstance(value, Token) and value.type in _SETTING_BLOCKS
        for value in values[max(0, place - 2) : place]
    )


def _close_blocks(interactive: Any, terminal: str, offset: int, whole: bool) -> None:
    """Close the open blocks at *offset*, keeping what they hold, until the terminal fits."""
    for _ in range(len(interactive.parser_state.state_stack)):
        if _accepts(interactive, terminal) or not _unwind(interactive, "RBRACE", whole):
            break
        brace = Token("RBRACE", "}", start_pos=offset, end_pos=offset)
        interactive.parser_state.feed_token(brace)
    if not _accepts(interactive, terminal):
        _unwind(interactive, terminal, whole)


def _seek(interactive: Any, offset: int) -> None:
    """Make the lexer go on at *offset*. Lines and columns of Lark's are not used."""
    lexer_state = interactive.lexer_thread.state
    lexer_state.line_ctr.char_pos = offset


def _shown(text: str) -> str:
    line = text.splitlines()[0] if text else text
    return f"`{line[:40]}…`" if len(line) > 40 or line != text else f"`{line}`"
