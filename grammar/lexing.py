"""Lark's contextual lexer without what goalspec does not ask of it.

White space and comments are passed over in one match instead of being tokens that are thrown away,
and lines and columns are not counted: a span is two offsets, and `Source` counts when something is
to be said. Where nothing fits, Lark's own lexer says what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from lark import Token
from lark.lexer import Lexer


class LeanToken(Token):
    """A token that knows its type, its text and its offsets."""

    __slots__ = ()
    line = column = end_line = end_column = 0


class LeanLexer(Lexer):
    """Gives the tokens that *contextual*, a ContextualLexer of Lark's, would give."""

    def __init__(self, contextual: Any) -> None:
        self._contextual = contextual
        root = contextual.root_lexer
        ignored = [t.pattern.to_regexp() for t in root.terminals if t.name in root.ignore_types]
        self._pass_over = re.compile(f"(?:{'|'.join(ignored)})*").match
        self._match: dict[Any, Callable[[str, int], re.Match[str] | None]] = {}

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        """The tokens from where *lexer_state* stands, each as *parser_state* then accepts it."""
        text, place = lexer_state.text.text, lexer_state.line_ctr
        end, pass_over, matches = len(text), self._pass_over, self._match
        while True:
            start = pass_over(text, place.char_pos).end()  # type: ignore[union-attr]
            place.char_pos = start
            if start >= end:
                return
            position = parser_state.position
            match = matches.get(position) or self._matcher(position)
            found = match(text, start)
            if found is None:
                yield from self._contextual.lex(
                    lexer_state, parser_state
                )  # which says what is wrong
                return
            token = str.__new__(LeanToken, found[0])
            token.type = found.lastgroup or ""
            token.value = token
            token.start_pos = start
            token.end_pos = place.char_pos = found.end()
            lexer_state.last_token = token
            yield token

    def _matcher(self, position: Any) -> Callable[[str, int], re.Match[str] | None]:
        """What finds a token that a parser in the state *position* accepts."""
        lexer = self._contextual.lexers[position]
        (pattern,) = lexer.scanner._mres  # one, while a state accepts fewer than a hundred types
        assert not lexer.callback
        self._match[position] = pattern.match
        matcher: Callable[[str, int], re.Match[str] | None] = pattern.match
        return matcher
