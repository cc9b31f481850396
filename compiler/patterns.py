"""The patterns of the language: regular expressions of a stated subset, and path globs.

This module owns the text of a pattern from its first character to its verdict.  Both notations
are parsed, without recursion, into one small program of relative jumps (`Eat`, `Fork`, `Look`),
and that program is run as a Thompson automaton whose sets of states are the bits of an integer
and whose deterministic form is built lazily in a bounded cache.  So a match takes time linear in
the text whatever the pattern, nothing backtracks, and whatever lies outside the subset is refused
by name, with the offset and a hint.  Only the standard library is used, and none of its pattern
modules, because this source is embedded in generated checks and ported to other languages.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from operator import xor
from typing import NamedTuple, NoReturn

MAX_STATES = 1000  # instructions in the program of one pattern, counted repetition expanded
MAX_NESTING = 64  # groups inside groups
MAX_EDGES = 4096  # cached transitions of one automaton; the cache is dropped when it is full
MAX_MEMO = 512  # compiled patterns remembered by each compile function


class PatternError(ValueError):
    """A refused pattern: what is wrong, the code point where it starts, and what to write."""

    def __init__(self, message: str, offset: int, hint: str | None = None) -> None:
        super().__init__(message, offset, hint)
        self.message = message
        self.offset = offset
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} (at {self.offset})" + (f"; {self.hint}" if self.hint else "")


@dataclass(frozen=True, slots=True, eq=False)
class Matcher:
    """A compiled pattern, or several of which any may match; call it with the text."""

    patterns: tuple[str, ...]
    test: Callable[[str], bool] = field(repr=False)

    def __call__(self, text: str) -> bool:
        return self.test(text)


# --- sets of characters: sorted, disjoint, non-adjacent ranges of code points -----------------

Ranges = tuple[tuple[int, int], ...]
LAST = 0x10FFFF


def _union(ranges: Iterable[tuple[int, int]]) -> Ranges:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            low, high = merged[-1][0], max(high, merged.pop()[1])
        merged.append((low, high))
    return tuple(merged)


def _invert(ranges: Ranges) -> Ranges:
    starts = [0, *(high + 1 for _, high in ranges)]
    ends = [*(low - 1 for low, _ in ranges), LAST]
    return tuple((low, high) for low, high in zip(starts, ends, strict=True) if low <= high)


def _fold(ranges: Ranges) -> Ranges:
    """Add the other case of every ASCII letter."""
    other = [
        (max(low, first) + shift, min(high, last) + shift)
        for low, high in ranges
        for first, last, shift in ((0x41, 0x5A, 0x20), (0x61, 0x7A, -0x20))
        if max(low, first) <= min(high, last)
    ]
    return _union([*ranges, *other])


def _only(char: str) -> Ranges:
    return ((ord(char), ord(char)),)


_ANY: Ranges = ((0, LAST),)
_SLASH, _NOT_SLASH = _only("/"), _invert(_only("/"))
_NOT_NEWLINE = _invert(_only("\n"))
_DIGIT: Ranges = ((0x30, 0x39),)
_WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACE: Ranges = ((0x09, 0x0D), (0x20, 0x20))

# --- programs: a list of instructions whose jumps are relative, so that a part can be copied ---


class Eat(NamedTuple):
    """Consume one character of a set and go to the next instruction."""

    ranges: Ranges


class Fork(NamedTuple):
    """Go on at each of these distances, consuming nothing."""

    jumps: tuple[int, ...]


class Look(NamedTuple):
    """Go to the next instruction if the place is right: one of `A ^ z $ b B`."""

    what: str


Instructions = list[Eat | Fork | Look]


def _either(branches: Sequence[Instructions]) -> Instructions:
    left = _either_size(branches)
    program: Instructions = []
    for branch in branches[:-1]:
        left -= len(branch) + 2
        program += [Fork((1, len(branch) + 2)), *branch, Fork((left + 1,))]
    return program + branches[-1]


def _either_size(branches: Sequence[Instructions]) -> int:
    return sum(len(branch) + 2 for branch in branches) - 2


def _repeat(body: Instructions, least: int, most: int | None) -> Instructions:
    size = len(body)
    if most is not None:
        return body * least + [Fork((1, size + 1)), *body] * (most - least)
    if least:
        return body * least + [Fork((1, -size))]
    return [Fork((1, size + 2)), *body, Fork((-size - 1,))]


def _repeat_size(size: int, least: int, most: int | None) -> int:
    if most is not None:
        return size * least + (size + 1) * (most - least)
    return size * least + 1 if least else size + 2


# --- the automaton ----------------------------------------------------------------------------

_EDGE, _NEWLINE, _WORDLY, _OTHER = range(4)  # what stands beside a place; an edge is no character


def _kind(char: str) -> int:
    if not char or char == "\n":
        return _NEWLINE if char else _EDGE
    return _WORDLY if any(low <= ord(char) <= high for low, high in _WORD) else _OTHER


def _holds(what: str, before: int, after: int | None) -> bool | None:
    """Whether an assertion holds between two kinds; None if that hangs on what comes after."""
    if what in "A^":
        return before == _EDGE or (what == "^" and before == _NEWLINE)
    if after is None:
        return None
    if what in "z$":
        return after == _EDGE or (what == "$" and after == _NEWLINE)
    return ((before == _WORDLY) != (after == _WORDLY)) == (what == "b")


def _targets(program: Instructions, start: int) -> set[int]:
    """The places, forks apart, that a place comes to by forks alone."""
    seen, todo = {start}, [start]
    for place in todo:  # which grows
        step = program[place] if place < len(program) else None
        if isinstance(step, Fork):
            news = {place + jump for jump in step.jumps} - seen
            seen |= news
            todo += news
    return {place for place in seen if place == len(program) or program[place].__class__ != Fork}


class _State(dict[str, "_State"]):
    """A state of the deterministic automaton; the dictionary itself is its known transitions.

    `live` has a bit for each instruction that waits: for a character, or, at an assertion, for
    sight of the next one, and only then `before` matters.  The transition on "" is the end.
    """

    __slots__ = ("before", "live", "owner", "verdict")

    def __init__(self, owner: _Automaton, live: int, before: int, verdict: bool | None) -> None:
        self.owner = owner
        self.live = live
        self.before = before
        self.verdict = verdict

    def __missing__(self, char: str) -> _State:
        target = self[char] = self.owner.step(self, char)
        return target


class _Automaton:
    """Runs one program.

    Threads may share it: every state and transition follows from the program alone, so whichever
    thread writes the cache, or drops it under another, writes what the other would have.
    """

    def __init__(self, program: Instructions) -> None:
        self.accept = 1 << len(program)
        self.first = sum(1 << place for place in _targets(program, 0))
        self.looks: dict[int, tuple[str, int]] = {}  # what is asserted, and where it leads
        eaters: dict[Ranges, int] = {}
        shifts: dict[int, int] = {}
        for place, step in enumerate(program):
            bit, targets = 1 << place, _targets(program, place + 1)
            if isinstance(step, Look):
                self.looks[bit] = step.what, sum(1 << target for target in targets)
            elif isinstance(step, Eat):
                eaters[step.ranges] = eaters.get(step.ranges, 0) | bit
                for target in targets:
                    shifts[target - place] = shifts.get(target - place, 0) | bit
        # Copies of one part lead on over equal distances, so one shift moves all of them.
        self.shifts = list(shifts.items())
        self.looking = sum(self.looks)
        self.revives = any(what == "^" for what, _ in self.looks.values())
        # Between two neighbouring cuts all characters are eaten by the same instructions.
        cuts = {0: 0}
        for ranges, bits in eaters.items():
            for low, high in ranges:
                cuts[low] = cuts.get(low, 0) ^ bits
                cuts[high + 1] = cuts.get(high + 1, 0) ^ bits
        self.cuts = sorted(cuts)
        self.masks = list(accumulate((cuts[cut] for cut in self.cuts), xor))
        self.states: dict[tuple[int, int], _State] = {}
        self.forget()

    def run(self, text: str) -> bool:
        state = self.start
        for char in text:
            if state.verdict is not None:
                break
            state = state[char]
        return bool((state[""] if state.verdict is None else state).verdict)

    def forget(self) -> None:
        """Drop the cache; old states are emptied, for they hold one another in cycles."""
        old, self.states = list(self.states.values()), {}
        for state in old:
            state.clear()
        self.edges = 0
        self.yes = _State(self, self.accept, _EDGE, True)
        self.no = _State(self, 0, _EDGE, False)
        self.start = self.state(self.first, _EDGE)

    def step(self, state: _State, char: str) -> _State:
        if self.edges >= MAX_EDGES:
            self.forget()
        self.edges += 1
        kind = _kind(char)
        live = self.settle(state.live, state.before, kind)
        if live & self.accept or not char:
            return self.yes if live & self.accept else self.no
        eaten = live & self.masks[bisect_right(self.cuts, ord(char)) - 1]
        live = self.first  # for a search may begin at any place
        for distance, bits in self.shifts:
            moved = eaten & bits
            live |= moved << distance if distance > 0 else moved >> -distance
        return self.state(live, kind)

    def state(self, live: int, before: int) -> _State:
        live = self.settle(live, before, None)
        if live & self.accept:
            return self.yes
        if not live and not self.revives:
            return self.no
        key = live, before if live & self.looking else _EDGE
        state = self.states.get(key)
        if state is None:
            state = self.states[key] = _State(self, *key, None)
        return state

    def settle(self, live: int, before: int, after: int | None) -> int:
        """Replace the assertions that these neighbours decide by what they lead to."""
        done = 0
        while todo := live & self.looking & ~done:
            bit = todo & -todo
            done |= bit
            what, then = self.looks[bit]
            holds = _holds(what, before, after)
            if holds is not None:
                live ^= bit
            if holds:
                live |= then & ~done
        return live


# --- parsing: what both notations share -------------------------------------------------------


class _Parser:
    negators = "^"
    unclosed_hint = r"close it with `]`, or write `\[` for the character itself"
    empty_hint = r"put a character in it; write `\]` for the character `]`"

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, message: str, offset: int, hint: str | None = None) -> NoReturn:
        raise PatternError(message, offset, hint)

    def limit(self, states: int, offset: int) -> None:
        if states > MAX_STATES:
            hint = "shorten it, or split it into several patterns"
            self.fail(f"the pattern needs more than {MAX_STATES} states", offset, hint)

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def take(self, chars: str) -> str:
        """The next character if it is one of these, consumed; otherwise nothing."""
        char = self.peek()
        if not char or char not in chars:
            return ""
        self.at += 1
        return char

    def member(self, start: int, end: int) -> Ranges:
        """One character of the class that began at `start` and must close before `end`."""
        if self.at >= end:
            self.fail("`[` is never closed", start, self.unclosed_hint)
        if self.text.startswith("[:", self.at):
            hint = "write the characters out, such as `[a-z]`; a `[` that means itself goes last"
            self.fail("POSIX classes such as `[:alpha:]` are not in the subset", self.at, hint)
        self.at += 1
        return _only(self.text[self.at - 1])

    def bracket(self, end: int) -> Ranges:
        """The class whose `[` has just been taken."""
        start = self.at - 1
        negated = self.take(self.negators)
        found: list[tuple[int, int]] = []
        while not self.take("]"):
            where = self.at
            low = self.member(start, end)
            if self.peek() == "-" and self.text[self.at + 1 : self.at + 2] not in ("", "]"):
                self.at += 1
                high = self.member(start, end)
                if low[0][0] != low[-1][1] or high[0][0] != high[-1][1]:
                    hint = "a `-` that means itself goes last"
                    self.fail("a range needs one character at either end", where, hint)
                if low > high:
                    self.fail("the range is reversed", where, "the lower character goes first")
                low = ((low[0][0], high[0][0]),)
            found += low
        if not found:
            self.fail("the class is empty", start, self.empty_hint)
        ranges = self.fold(_union(found))
        return _invert(ranges) if negated else ranges

    def fold(self, ranges: Ranges) -> Ranges:
        return ranges


# --- regular expressions ----------------------------------------------------------------------

_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ "
_HEX = "0123456789abcdefABCDEF"
_CLASSES = {"d": _DIGIT, "w": _WORD, "s": _SPACE}
_CLASSES |= {name.upper(): _invert(ranges) for name, ranges in _CLASSES.items()}
_CONTROLS = {"n": _only("\n"), "t": _only("\t"), "r": _only("\r")}
_BACKWARD = ("back-references are not in the subset", "write out what may stand there")
_REFUSED_ESCAPES = {
    **dict.fromkeys("123456789kg", _BACKWARD),
    **dict.fromkeys("pP", ("Unicode properties are not in the subset", "write a class of ranges")),
    "Z": (r"`\Z` means different things in different engines", r"write `\z` for the very end"),
    **{
        char: (rf"the escape `\{char}` is not in the subset", rf"write `\x{code}`")
        for char, code in {"0": "00", "a": "07", "v": "0b", "f": "0c", "e": "1b"}.items()
    },
}
_AROUND = "make it a pattern of its own, joined with `and` or `not`"
_NAMED = ("named groups are not in the subset", "nothing is captured: a plain group `(…)` does")
_REFUSED_GROUPS = {
    "(?=": ("look-ahead is not in the subset", _AROUND),
    "(?!": ("negative look-ahead is not in the subset", _AROUND),
    "(?<=": ("look-behind is not in the subset", _AROUND),
    "(?<!": ("negative look-behind is not in the subset", _AROUND),
    "(?P=": _BACKWARD,
    "(?P": _NAMED,
    "(?<": _NAMED,
    "(?'": _NAMED,
    "(?>": ("atomic groups are not in the subset", "nothing backtracks: write `(?:…)`"),
    "(?#": ("comments are not in the subset", "leave it out"),
    "(?(": ("conditional groups are not in the subset", "write an alternation `(…|…)`"),
    "(?": (
        "`(?` begins only `(?:…)`, or flags at the very start of the pattern",
        "begin the pattern with `(?i)`, `(?m)`, `(?s)`, or several as in `(?im)`",
    ),
}


class _Regex(_Parser):
    def parse(self) -> Instructions:
        self.flags = self.leading_flags()
        opened = [0]  # where each group that is still open began; the first is the whole pattern
        groups: list[list[Instructions]] = [[[]]]  # the branches of each
        while char := self.peek():
            start = self.at
            self.at += 1
            if char == "(":
                self.open(start)
                opened.append(start)
                groups.append([[]])
                if len(groups) > MAX_NESTING + 1:
                    self.fail(f"groups nest deeper than {MAX_NESTING}", start, "flatten them")
            elif char == "|":
                groups[-1].append([])
                self.limit(_either_size(groups[-1]), opened[-1])
            elif anchor := self.anchor(char):
                groups[-1][-1].append(anchor)
            else:
                if char == ")":
                    start = opened.pop()
                    if not opened:
                        self.fail("`)` closes nothing", self.at - 1, r"write `\)` for itself")
                    body = self.alternation(groups.pop(), start)
                else:
                    body = [Eat(self.atom(char, start))]
                groups[-1][-1] += self.quantified(body)
            self.limit(len(groups[-1][-1]), start)
        if len(opened) > 1:
            self.fail("`(` is never closed", opened[-1], r"close it, or write `\(` for itself")
        return self.alternation(groups[0], 0)

    def alternation(self, branches: list[Instructions], start: int) -> Instructions:
        self.limit(_either_size(branches), start)
        return _either(branches)

    def leading_flags(self) -> str:
        end = self.text.find(")", 0, 16)
        flags = self.text[2:end] if self.text.startswith("(?") and end > 2 else ""
        if not (flags.isascii() and flags.isalpha()):
            return ""
        for offset, flag in enumerate(flags, 2):
            if flag not in "ims":
                hint = "the flags are `i` (ASCII case), `m` (lines) and `s` (dot takes newlines)"
                self.fail(f"there is no flag `{flag}`", offset, hint)
        self.at = end + 1
        return flags

    def open(self, start: int) -> None:
        if self.peek() != "?":
            return
        if self.text.startswith("(?:", start):
            self.at += 2
            return
        for opening, (message, hint) in _REFUSED_GROUPS.items():
            if self.text.startswith(opening, start):
                self.fail(message, start, hint)

    def anchor(self, char: str) -> Look | None:
        if char in "^$":
            lines = "m" in self.flags
            return Look(char if lines else "A" if char == "^" else "z")
        found = self.take("AzbB") if char == "\\" else ""
        return Look(found) if found else None

    def atom(self, char: str, start: int) -> Ranges:
        if char == ".":
            return _ANY if "s" in self.flags else _NOT_NEWLINE
        if char == "[":
            return self.bracket(len(self.text))
        if char == "\\":
            return self.fold(self.escape(start))
        if char in "*+?":
            self.fail(f"`{char}` repeats nothing", start, rf"write `\{char}` for itself")
        if char == "{":
            self.at = start
            if self.counted():
                self.fail("the repetition repeats nothing", start, r"write `\{` for itself")
            hint = r"write `\{` for itself, `{0,n}` for at most n"
            self.fail("`{` does not begin a repetition such as `{2}` or `{2,5}`", start, hint)
        if char in "]}":
            self.fail(f"`{char}` closes nothing", start, rf"write `\{char}` for itself")
        return self.fold(_only(char))

    def fold(self, ranges: Ranges) -> Ranges:
        return _fold(ranges) if "i" in self.flags else ranges

    def member(self, start: int, end: int) -> Ranges:
        where = self.at
        if not self.take("\\"):
            return super().member(start, end)
        if self.peek() and self.peek() in "AzbB":
            message = rf"`\{self.peek()}` is a place, not a character, so no class can hold it"
            self.fail(message, where, "move it out of the class")
        return self.escape(where)

    def escape(self, start: int) -> Ranges:
        """What stands behind the backslash at `start`, a place assertion apart."""
        char = self.peek()
        self.at += 1
        if found := _CLASSES.get(char) or _CONTROLS.get(char):
            return found
        if char and char in _PUNCTUATION:
            return _only(char)
        if char and char in "xu":
            return self.code_point(char, start)
        if not char:
            self.fail("the pattern ends in a lone backslash", start, r"write `\\` for itself")
        unknown = f"there is no escape `\\{char}`", f"write `{char}` without a backslash"
        message, hint = _REFUSED_ESCAPES.get(char, unknown)
        raise PatternError(message, start, hint)

    def code_point(self, char: str, start: int) -> Ranges:
        braced = char == "u" and self.take("{")
        first = self.at
        while self.at < first + (2 if char == "x" else 6) and self.take(_HEX):
            pass
        digits = self.text[first : self.at]
        if (char == "x" and len(digits) < 2) or (char == "u" and not (braced and digits)):
            hint = r"write two hexadecimal digits as in `\x1b`, or braces as in `\u{1f600}`"
            self.fail(f"the escape `\\{char}` is incomplete", start, hint)
        if braced and not self.take("}"):
            self.fail(r"`\u{` is never closed", start, r"write one to six digits and a `}`")
        code = int(digits, 16)
        if code > LAST or 0xD800 <= code <= 0xDFFF:
            hint = r"write one up to `\u{10ffff}`, surrogates excepted"
            self.fail("there is no such code point", start, hint)
        return ((code, code),)

    def quantified(self, body: Instructions) -> Instructions:
        """`body` under the quantifier that follows it, if one does."""
        start = self.at
        bounds = self.quantifier()
        if bounds is None:
            return body
        lazy, again = self.take("?"), self.at
        if not lazy and self.take("+"):
            hint = "nothing backtracks here: leave the `+` out"
            self.fail("possessive quantifiers are not in the subset", again, hint)
        if self.quantifier():
            hint = "one is enough; to repeat a repetition, put it in a group, `(?:…)`"
            self.fail("a quantifier follows a quantifier", again, hint)
        self.limit(_repeat_size(len(body), *bounds), start)
        return _repeat(body, *bounds)

    def quantifier(self) -> tuple[int, int | None] | None:
        if sign := self.take("*+?"):
            return (1 if sign == "+" else 0), (1 if sign == "?" else None)
        return self.counted()

    def counted(self) -> tuple[int, int | None] | None:
        """`{n}`, `{n,}` or `{n,m}`; or nothing, and then nothing is consumed."""
        start = self.at
        if not self.take("{"):
            return None
        least = self.number()
        comma = self.take(",")
        most = self.number() if comma else least
        if not least or not self.take("}"):
            self.at = start
            return None
        # Five digits tell that a number is too large, and `int` refuses thousands of them.
        low, high = (int(digits.lstrip("0")[:5] or "0") for digits in (least, most))
        if max(low, high) > MAX_STATES:
            hint = f"repeat at most {MAX_STATES} times"
            self.fail("the repetition count is too large", start, hint)
        if most and low > high:
            self.fail("the repetition is reversed", start, "write the lower count first")
        return low, (high if most else None)

    def number(self) -> str:
        start = self.at
        while self.take("0123456789"):
            pass
        return self.text[start : self.at]


# --- globs ------------------------------------------------------------------------------------

_ANY_RUN: Instructions = _repeat([Eat(_ANY)], 0, None)
_RUN: Instructions = _repeat([Eat(_NOT_SLASH)], 0, None)
_ANY_SEGMENTS: Instructions = _repeat([*_ANY_RUN, Eat(_SLASH)], 0, 1)


class _Glob(_Parser):
    negators = "!^"
    unclosed_hint = "close it with `]` before the next `/`, or write `[[]` for the character itself"
    empty_hint = "put a character in it; outside of a class `]` means itself"

    def parse(self) -> Instructions:
        text = self.text
        if not text:
            self.fail("the glob is empty", 0, "write `**` for every path")
        if text[0] == "!" and text[1:2] != "(":
            self.fail("a glob cannot be negated", 0, "write `not (f like …)`")
        drive = text[0].isascii() and text[0].isalpha() and text[1:3] in (":/", ":\\")
        if text[0] == "/" or drive:
            self.fail("a glob is never absolute", 0, "write the path from the root of the project")
        if "\\" in text:
            hint = "paths use `/`; a class such as `[*]` means the character itself"
            self.fail("a glob has no backslash", text.index("\\"), hint)
        program: Instructions = []
        *before, name = text.split("/")
        for segment in before:
            start = self.at
            program += _ANY_SEGMENTS if segment == "**" else [*self.segment(segment), Eat(_SLASH)]
            self.limit(len(program), start)
            self.at = start + len(segment) + 1
        if not name:
            self.fail("a glob cannot end in `/`", self.at - 1, "write `dir/**` for what is below")
        start = self.at
        program += [Eat(_ANY), *_ANY_RUN] if name == "**" else self.segment(name)
        self.limit(len(program), start)
        return [Look("A"), *program, Look("z")]

    def segment(self, name: str) -> Instructions:
        start, end = self.at, self.at + len(name)
        if not name:
            self.fail("`//` is an empty segment", start, "write one `/`")
        if name in (".", ".."):
            hint = "leave it out" if name == "." else "write the path from the root of the project"
            self.fail(f"`{name}` cannot be a segment", start, hint)
        program: Instructions = []
        while self.at < end:
            program += self.item(end)
        return program

    def item(self, end: int) -> Instructions:
        start = self.at
        char = self.text[start]
        self.at += 1
        if char in "@+?*!" and self.peek() == "(":
            hint = f"write a list of globs; write `[{char}](` for the characters themselves"
            self.fail(f"extended globs such as `{char}(…)` are not known", start, hint)
        if char == "*" and self.peek() == "*":
            hint = "write `**/*.py` for every depth, a single `*` within a segment"
            self.fail("`**` must be a whole segment", start, hint)
        if char in "{}":
            hint = f"write a list of globs; write `[{char}]` for the character itself"
            self.fail("braces are not known in globs", start, hint)
        if char == "*":
            return _RUN
        if char == "?":
            return [Eat(_NOT_SLASH)]
        if char != "[":
            return [Eat(_only(char))]
        ranges = self.bracket(end)
        return [Eat(_invert(_union([*_invert(ranges), *_SLASH])))]


def _shortcut(glob: str) -> Callable[[str], bool] | None:
    """A plain string test that means exactly what a (valid) glob means, if it has one."""
    rest = glob.removeprefix("**/")
    if rest.endswith("/**") and rest == glob and not _special(glob[:-3]):
        below = glob[:-2]
        return lambda text: text.startswith(below) and text != below
    if rest[0] == "*" and rest != glob and "/" not in rest and not _special(rest[1:]):
        ending = rest[1:]
        return lambda text: text.endswith(ending)
    if _special(rest):
        return None
    if rest == glob:
        return lambda text: text == glob
    return lambda text: text == rest or text.endswith("/" + rest)


def _special(text: str) -> bool:
    return any(char in text for char in "*?[")


# --- the ways in ------------------------------------------------------------------------------


@lru_cache(MAX_MEMO)
def compile_regex(pattern: str) -> Matcher:
    """A matcher that looks for the regular expression anywhere in a text."""
    return compile_regexes((pattern,))


@lru_cache(MAX_MEMO)
def compile_regexes(patterns: tuple[str, ...]) -> Matcher:
    """A matcher that looks for any of the regular expressions, in one pass."""
    return Matcher(patterns, _Automaton(regex_instructions(patterns)).run)


@lru_cache(MAX_MEMO)
def compile_glob(pattern: str) -> Matcher:
    """A matcher of whole texts, such as paths, by a glob."""
    program = _Glob(pattern).parse()
    return Matcher((pattern,), _shortcut(pattern) or _Automaton(program).run)


@lru_cache(MAX_MEMO)
def compile_globs(patterns: tuple[str, ...]) -> Matcher:
    """A matcher of whole texts by any of the globs, in one pass."""
    return Matcher(patterns, _Automaton(glob_instructions(patterns)).run)


def regex_instructions(patterns: Iterable[str]) -> Instructions:
    """What the automaton of any of the regular expressions runs."""
    return _any_of([_Regex(pattern).parse() for pattern in patterns])


def glob_instructions(patterns: Iterable[str]) -> Instructions:
    """What the automaton of any of the globs runs."""
    return _any_of([_Glob(pattern).parse() for pattern in patterns])


def _any_of(programs: list[Instructions]) -> Instructions:
    return _either(programs) if programs else [Eat(())]  # no character is in an empty set
