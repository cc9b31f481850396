"""Going on after a syntax error: panic mode at statements.

The parser drops the statement that the error interrupts, finds the next line that begins one which
some open block accepts, and goes on there, so that two mistakes give two errors. Blocks that a
mistake left open are closed when a statement of the file's level begins in the first column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lark import Token, Tree

from .comments import STRING
from .diagnostics import nearest
from .source import line_start

_TOP_LEVEL = {"edition", "use", "facts", "goal", "test", "preset"}
OPERATORS = {"and", "or", "in", "like", "matches", "contains", "for", "where", "at", "fresh"}
_TOP_TERMINALS = {"EDITION", "USE", "FACTS", "GOAL", "TEST"}
KEYWORDS = _TOP_LEVEL | set(
    "let objective criterion awaited advisory constraint stop protect budget pins pin judge when "
    "given check observe baseline expect keep kind".split()
)
_MISSPELT = "MISSPELT"  # a word like a keyword, where one may stand
_NAME = "[A-Za-z_][A-Za-z0-9_]*"
_SKIPPED = re.compile(
    STRING + r"|#[^\r\n]*|[{}]"
    rf"|(?:(?<=[\r\n])|\A)[ \t]*(?:({_NAME}(?:\.{_NAME})*)(?=([ \t]*:)|([ \t]*=(?!=))|))",
)


# What a dropped statement may have named, by the keyword that it has.
_NAMED = {
    "FACTS": {"facts"},
    "DECLARED": {"facts"},
    "USE": {"facts", "presets"},
    "LET": {"lets"},
    "GOAL": {"goals"},
    "PRESET": {"presets", "parts"},
    "CRITERION": {"parts"},
    "CONSTRAINT": {"parts"},
    "STOP": {"parts"},
    "OBJECTIVE": {"parts"},
}
EVERYTHING = frozenset({"facts", "presets", "lets", "goals", "parts"})


def recover(interactive: Any, text: str, start: int, found: str) -> set[str]:
    """Make *interactive* ready to go on after an error at *start*, where a token of type *found*
    stands. Returns the kinds of names that what was dropped may have declared."""
    # An error that begins its line stands after a statement, not in it: that one is whole.
    whole = not text[line_start(text, start) : start].strip()
    values = interactive.parser_state.value_stack
    lost = set(_NAMED.get(found, ())) | _between_statements(values, whole)
    records = _open_records(values)
    for offset, terminal, outermost in _statement_starts(text, start, records):
        if terminal == _MISSPELT:
            if offset > start and not _in_settings(values) and _drop(interactive, lost):
                _seek(interactive, offset)
                return lost
            continue
        inside = innermost_brace(values) is not None
        if outermost and not _accepts(interactive, terminal):
            _close_blocks(interactive, terminal, offset, whole, lost)
        elif inside and not outermost and terminal in _TOP_TERMINALS:
            continue  # `facts` inside a goal: its braces are skipped with it
        if _unwind(interactive, terminal, whole, lost):
            _seek(interactive, offset)
            return lost
    _seek(interactive, len(text))
    _close_blocks(interactive, "$END", len(text), whole, lost)
    return lost


def _between_statements(values: list[Any], whole: bool) -> set[str]:
    """What an unreadable statement of the innermost block may have declared, where the error
    stands before its keyword could be read."""
    place = _innermost_place(values)
    after = values[0 if place is None else place + 1 :]
    if any(isinstance(value, Token) and value.type in _NAMED for value in after) and not whole:
        return set()
    if place is None:
        return set(EVERYTHING)
    openers = {v.type for v in values[max(0, place - 4) : place] if isinstance(v, Token)}
    if "FACTS" in openers:
        return {"facts"}
    return {"parts", "lets"} if openers & {"GOAL", "PRESET"} else set()


def give_up(interactive: Any, text: str) -> None:
    """Close everything at the end of *text*; what stands between is not read."""
    _seek(interactive, len(text))
    _close_blocks(interactive, "$END", len(text), False, set())


def _statement_starts(text: str, start: int, depth: int) -> Iterator[tuple[int, str, bool]]:
    """Where a statement may begin at or after *start*: offset, terminal, and whether it begins one
    of the file's level in the first column. Braces that open on the way are skipped whole; so many
    as *depth* are open already."""
    position = line_start(text, start)
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
            outermost = word in _TOP_LEVEL and offset == line_start(text, offset)
            if outermost:
                depth = 0
            if depth:
                continue
            if match[2] is not None:
                yield offset, "DECLARED", False
            elif match[3] is not None:
                yield offset, "ASSIGNED", False
            elif word in KEYWORDS:
                yield offset, word.upper(), outermost
            elif nearest(word, KEYWORDS) is not None:
                yield offset, _MISSPELT, False
                yield offset, "NAME", False
            elif "." not in word:
                yield offset, "NAME", False


def _accepts(interactive: Any, terminal: str, height: int | None = None) -> bool:
    """Would the parser, with its stack cut to *height*, take the terminal?"""
    state = interactive.parser_state
    return _after(state.parse_conf, state.state_stack[:height], terminal) is not None


def _after(parse_conf: Any, stack: list[Any], terminal: str) -> list[Any] | None:
    """The stack of states after the terminal; None where it does not fit."""
    states = parse_conf.states
    if terminal not in states[stack[-1]]:
        return None
    stack = list(stack)
    while True:  # a reduction may still end in a state that refuses the terminal
        action = states[stack[-1]].get(terminal)
        if action is None:
            return None
        _, target = action
        if not hasattr(target, "expansion"):
            return [*stack, target]
        if target.expansion:
            del stack[-len(target.expansion) :]
        stack.append(states[stack[-1]][target.origin.name][1])
        if terminal == "$END" and stack[-1] == parse_conf.end_state:
            return stack


_CLOSER = {"LPAREN": "RPAREN", "LBRACKET": "RBRACKET", "LBRACE": "RBRACE"}
_MOST_OPEN = 100  # of brackets inside one another; beyond it the nesting is the mistake


def unclosed(interactive: Any, terminal: str) -> Token | None:
    """The innermost bracket that is open, if the end, a keyword or a closing bracket would fit once
    it, and perhaps those around it, were closed."""
    if terminal.lower() not in KEYWORDS and terminal not in {"$END", *_CLOSER.values()}:
        return None
    state = interactive.parser_state
    opened = _open_brackets(state.value_stack)
    stack: list[Any] = state.state_stack
    for bracket in opened[:_MOST_OPEN]:
        closed = _after(state.parse_conf, stack, _CLOSER[bracket.type])
        if closed is None:
            return None
        stack = closed
        if _after(state.parse_conf, stack, terminal) is not None:
            return opened[0]
    return None


def _open_brackets(values: list[Any]) -> list[Token]:
    """The brackets that are open, the innermost first."""
    opened: list[Token] = []
    for value in values:
        if isinstance(value, Token) and value.type in _CLOSER:
            opened.append(value)
        elif isinstance(value, Token) and value.type in _CLOSER.values() and opened:
            opened.pop()
    return opened[::-1]


def _drop(interactive: Any, lost: set[str]) -> bool:
    """Drop the statement that is unfinished, so that the next word is looked at as a keyword."""
    state = interactive.parser_state
    for height in range(len(state.state_stack), 0, -1):
        if _is_between(state.value_stack, height):
            _cut(state, height, lost)
            return True
    return False


def _is_between(values: list[Any], height: int) -> bool:
    """Does a stack of this height stand between statements: after a block's opening brace, or
    after the statements read so far?"""
    top = values[height - 2] if height > 1 else None
    return top is None or isinstance(top, Tree) or _closes(top) or _opens_block(values, height - 2)


def _cut(state: Any, height: int, lost: set[str]) -> None:
    for value in state.value_stack[height - 1 :]:
        if isinstance(value, Token):
            lost |= _NAMED.get(value.type, set())
    del state.state_stack[height:]
    del state.value_stack[height - 1 :]


def _unwind(interactive: Any, terminal: str, whole: bool, lost: set[str]) -> bool:
    """Drop what is unfinished until the terminal fits; False if it fits nowhere.

    Only what stands between statements may stay at the top: a block's opening brace or the
    statements read so far. *whole* keeps the statement just before the error too. What is dropped
    adds to *lost*.
    """
    state = interactive.parser_state
    full = len(state.state_stack)
    for height in range(full, 0, -1):
        complete = whole and height == full > 1 and not isinstance(state.value_stack[-1], Token)
        if not complete and not _is_between(state.value_stack, height):
            continue
        if terminal == "NAME" and not _in_settings(state.value_stack[: height - 1]):
            continue
        if _accepts(interactive, "KEY" if terminal == "NAME" else terminal, height):
            _cut(state, height, lost)
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


def innermost_brace(values: list[Any]) -> Token | None:
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
    count = 0
    for at in range(0 if place is None else place + 1, len(values)):
        value = values[at]
        if not isinstance(value, Token):
            continue
        if value.type == "LBRACE" and not _opens_block(values, at):
            count += 1
        elif value.type == "RBRACE":
            count = max(0, count - 1)
    return count


def _in_settings(values: list[Any]) -> bool:
    place = _innermost_place(values)
    return place is not None and any(
        isinstance(value, Token) and value.type in _SETTING_BLOCKS
        for value in values[max(0, place - 2) : place]
    )


def _close_blocks(
    interactive: Any, terminal: str, offset: int, whole: bool, lost: set[str]
) -> None:
    """Close the open blocks at *offset*, keeping what they hold, until the terminal fits."""
    for _ in range(len(interactive.parser_state.state_stack)):
        if _accepts(interactive, terminal) or not _unwind(interactive, "RBRACE", whole, lost):
            break
        brace = Token("RBRACE", "}", start_pos=offset, end_pos=offset)
        interactive.parser_state.feed_token(brace)
    if not _accepts(interactive, terminal):
        _unwind(interactive, terminal, whole, lost)


def _seek(interactive: Any, offset: int) -> None:
    """Make the lexer go on at *offset*. Lines and columns of Lark's are not used."""
    lexer_state = interactive.lexer_thread.state
    lexer_state.line_ctr.char_pos = offset
