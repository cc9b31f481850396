"""Lark's parse loop with its unit reductions taken in one step.

Each level of precedence is a rule that may have one part: between an operand and the token behind
it Lark reduces a dozen of them, one by one, and all that changes is the state on top of its stack.
Where such a chain leads depends on that state, the one below it and the token's type alone, so it
is followed once and remembered. Two of three reductions of a file are of this kind.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from lark import Lark
from lark.exceptions import UnexpectedToken
from lark.lexer import LexerThread
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_interactive_parser import InteractiveParser
from lark.parsers.lalr_parser_state import ParserState

from .lexing import LeanLexer

_Chains = dict[tuple[Any, Any, str], Any]
_CHAINS: WeakKeyDictionary[Any, _Chains] = WeakKeyDictionary()  # of each parse table
_LEXERS: WeakKeyDictionary[Any, LeanLexer] = WeakKeyDictionary()  # of each of Lark's


def parse_interactive(lark: Lark, text: str) -> InteractiveParser:
    """As `lark.parse_interactive(text)`, faster."""
    plain = lark.parse_interactive(text)
    thread = plain.lexer_thread
    if thread.lexer not in _LEXERS:
        _LEXERS[thread.lexer] = LeanLexer(thread.lexer)
    lean = LexerThread(_LEXERS[thread.lexer], thread.state)
    return InteractiveParser(plain.parser, ChainedState(plain.parser_state.parse_conf, lean), lean)


class ChainedState(ParserState[Any]):
    """A parser's state whose next token may take a whole chain of unit reductions at once."""

    __slots__ = ("chains",)
    chains: _Chains

    def __init__(
        self, parse_conf: Any, lexer: Any, state_stack: Any = None, value_stack: Any = None
    ) -> None:
        super().__init__(parse_conf, lexer, state_stack, value_stack)
        self.chains = _CHAINS.setdefault(parse_conf.parse_table, {})

    def feed_token(self, token: Any, is_end: bool = False) -> Any:
        """Shift *token* after the reductions that it calls for; the result at the end of the text.

        Raises UnexpectedToken.
        """
        states, callbacks = self.parse_conf.states, self.parse_conf.callbacks
        state_stack, value_stack, chains = self.state_stack, self.value_stack, self.chains
        kind = token.type
        while True:
            state = state_stack[-1]
            try:
                action, arg = states[state][kind]
            except KeyError:
                expected = {name for name in states[state] if name.isupper()}
                raise UnexpectedToken(token, expected, state=self) from None  # type: ignore[no-untyped-call]
            if action is Shift:
                state_stack.append(arg)
                value_stack.append(callbacks[kind](token) if kind in callbacks else token)
                return None
            size = len(arg.expansion)
            if size == 1:
                key = (state_stack[-2], state, kind)
                end = chains.get(key)
                if end is None:
                    end = chains[key] = self._end_of_chain(*key)
                if end != state:
                    state_stack[-1] = end
                    continue
            if size:
                values = value_stack[-size:]
                del state_stack[-size:], value_stack[-size:]
            else:
                values = []
            value = callbacks[arg](values) if callbacks else values  # `accepts` calls none
            state_stack.append(states[state_stack[-1]][arg.origin.name][1])
            value_stack.append(value)
            if is_end and state_stack[-1] == self.parse_conf.end_state:
                return value

    def _end_of_chain(self, below: Any, state: Any, kind: str) -> Any:
        """The state after all unit reductions that a token of *kind* calls for in *state*."""
        states = self.parse_conf.states
        while True:
            action, rule = states[state].get(kind, (Shift, None))
            if action is Shift or not _is_unit(rule):
                return state
            state = states[below][rule.origin.name][1]


def _is_unit(rule: Any) -> bool:
    """Does reducing *rule* give the value of its one part as it is?"""
    if len(rule.expansion) != 1 or rule.alias or not rule.options.expand1:
        return False
    part = rule.expansion[0]
    return not (part.is_term or part.name.startswith("_") or any(rule.options.empty_indices))
