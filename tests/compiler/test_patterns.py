"""Patterns: the shared vectors, oracles for both notations, refusals, and linear time."""

from __future__ import annotations

import json
import pickle
import random
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from goalspec.compiler import patterns
from goalspec.compiler.patterns import (
    MAX_EDGES,
    MAX_NESTING,
    MAX_STATES,
    Matcher,
    PatternError,
    compile_glob,
    compile_globs,
    compile_regex,
    compile_regexes,
)
from hypothesis import given, settings
from hypothesis import strategies as st

VECTORS = json.loads((Path(__file__).parent / "data" / "patterns.json").read_text("utf-8"))
COMPILE = {"regex": compile_regex, "glob": compile_glob}
COMPILE_ANY = {"regex": compile_regexes, "glob": compile_globs}
CASES = [(kind, vector) for kind in COMPILE for vector in VECTORS[kind]]


def automaton(matcher: Matcher) -> Any:
    """The automaton behind a matcher that is no shortcut."""
    return matcher.test.__self__  # type: ignore[attr-defined]


def refusal(kind: str, pattern: str) -> PatternError | None:
    try:
        COMPILE[kind](pattern)
    except PatternError as error:
        return error
    return None


# --- the vectors ------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "vector"), CASES, ids=lambda case: str(case)[:60])
def test_vector(kind: str, vector: dict[str, Any]) -> None:
    pattern = vector["pattern"]
    if "error" in vector:
        error = refusal(kind, pattern)
        assert error is not None, "compiled"
        assert (error.offset, vector["error"]["says"] in error.message) == (
            vector["error"]["offset"],
            True,
        ), str(error)
        assert error.hint
        return
    # The combined automaton has no shortcuts, so it also checks those of single globs.
    for matcher in (COMPILE[kind](pattern), COMPILE_ANY[kind]((pattern,))):
        assert [text for text in vector["matches"] if not matcher(text)] == []
        assert [text for text in vector["rejects"] if matcher(text)] == []


def test_there_are_vectors_enough() -> None:
    assert all(len(VECTORS[kind]) >= 60 for kind in COMPILE)


# --- regular expressions against `re` ---------------------------------------------------------

ATOMS = [*"abAB0_- é.", r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\n", r"\.", r"\x61"]
PLACES = ["^", "$", r"\b", r"\B", r"\A", r"\z"]
MEMBERS = [*"abA0_.$ é", "a-c", "A-b", "0-9", r"\d", r"\W", r"\S", r"\n", r"\]", r"\x41"]
QUANTIFIERS = ["*", "+", "?", "{2}", "{0,2}", "{1,}", "{0}", "*?", "+?", "??", "{1,2}?"]
TEXTS = st.text("abAB0_ \né-.", max_size=8)


def classes() -> st.SearchStrategy[str]:
    return st.builds(
        lambda negated, members: f"[{negated}{''.join(members)}]",
        st.sampled_from(["", "^"]),
        st.lists(st.sampled_from(MEMBERS), min_size=1, max_size=3),
    )


def regexes() -> st.SearchStrategy[str]:
    leaves = st.one_of(st.sampled_from(ATOMS), st.sampled_from(PLACES), classes())
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(lambda a, b: a + b, inner, inner),
            st.builds(lambda a, b: f"(?:{a}|{b})", inner, inner),
            st.builds(lambda a: f"({a}|)", inner),
            st.builds(lambda a, q: f"(?:{a}){q}", inner, st.sampled_from(QUANTIFIERS)),
        ),
        max_leaves=6,
    )


def to_python(body: str, flags: str) -> re.Pattern[str]:
    """The same pattern for `re`, whose `$` would also match before a last newline."""
    ends = {r"\z": r"\Z"} if "m" in flags else {r"\z": r"\Z", "$": r"\Z"}
    body = re.sub(r"\\.|\[(?:\\.|[^]\\])*\]|\$", lambda found: ends.get(found[0], found[0]), body)
    return re.compile(body, sum((getattr(re, f.upper()) for f in flags), re.ASCII))


@settings(max_examples=400, deadline=None)
@given(regexes(), st.sets(st.sampled_from("ims")), st.lists(TEXTS, min_size=1, max_size=8))
def test_regex_agrees_with_re(body: str, chosen: set[str], texts: list[str]) -> None:
    flags = "".join(sorted(chosen))
    expected = to_python(body, flags)
    matcher = compile_regex(f"(?{flags}){body}" if flags else body)
    for text in texts:
        if text or r"\B" not in body:  # before Python 3.14 `\B` is false in an empty text
            assert matcher(text) == bool(expected.search(text)), text


@settings(max_examples=100, deadline=None)
@given(st.lists(regexes(), max_size=4), TEXTS)
def test_several_regexes_are_any_of_them(bodies: list[str], text: str) -> None:
    matcher = compile_regexes(tuple(bodies))
    assert matcher(text) == any(compile_regex(body)(text) for body in bodies)


def test_a_tiny_cache_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MAX_EDGES", 2)
    pick = random.Random(7)
    for body in (r"(?m)^a.*\b[ab]{3}$", r"[ab]*a[ab]{3} ", r"\B(?:a|\n)+\b0"):
        matcher, expected = compile_regexes((body, "x" * 9)), re.compile(body, re.ASCII)
        for _ in range(200):
            text = "".join(pick.choices("ab0 \n", k=12))
            assert matcher(text) == bool(expected.search(text)), (body, text)


# --- globs against a slow and obvious matcher -------------------------------------------------


def glob_oracle(glob: str, text: str) -> bool:
    return segments_match(glob.split("/"), text.split("/"))


def segments_match(globs: list[str], names: list[str]) -> bool:
    if not globs:
        return not names
    if globs == ["**"]:
        return "/".join(names) != ""
    if globs[0] == "**":
        return any(segments_match(globs[1:], names[skip:]) for skip in range(len(names) + 1))
    return bool(names) and name_matches(globs[0], names[0]) and segments_match(globs[1:], names[1:])


def name_matches(glob: str, name: str) -> bool:
    if not glob:
        return not name
    if glob[0] == "*":
        return any(name_matches(glob[1:], name[skip:]) for skip in range(len(name) + 1))
    if not name:
        return False
    if glob[0] == "?":
        return name_matches(glob[1:], name[1:])
    if glob[0] != "[":
        return glob[0] == name[0] and name_matches(glob[1:], name[1:])
    inside, rest = glob[1:].split("]", 1)
    members = inside.lstrip("!^").replace("a-c", "abc")
    return (name[0] in members) != (inside[0] in "!^") and name_matches(rest, name[1:])


GLOB_PARTS = ["a", "b", ".", "*", "?", "[ab]", "[!a]", "[^a-c]", "[a-c.]", "\n"]
SEGMENTS = st.one_of(
    st.just("**"), st.sampled_from(["a", "b"]), st.lists(st.sampled_from(GLOB_PARTS)).map("".join)
)
GLOBS = st.lists(SEGMENTS, min_size=1, max_size=4).map("/".join)
PATHS = st.text("ab.c/\n", max_size=8)


@settings(max_examples=400, deadline=None)
@given(GLOBS, st.lists(PATHS, min_size=1, max_size=8))
def test_glob_agrees_with_the_oracle(glob: str, texts: list[str]) -> None:
    if refusal("glob", glob) is None:
        for text in texts:
            assert compile_glob(glob)(text) == glob_oracle(glob, text), text
            assert compile_globs((glob,))(text) == glob_oracle(glob, text), text
    else:
        names = glob.split("/")
        assert any(name in ("", ".", "..") or "**" in name for name in names)


@settings(max_examples=100, deadline=None)
@given(st.lists(GLOBS, max_size=4), PATHS)
def test_several_globs_are_any_of_them(globs: list[str], text: str) -> None:
    valid = [glob for glob in globs if refusal("glob", glob) is None]
    assert compile_globs(tuple(valid))(text) == any(compile_glob(glob)(text) for glob in valid)


# --- whatever is given compiles or is refused -------------------------------------------------

ODDITIES = st.lists(
    st.sampled_from(
        [*r"ab()[]{}|*+?^$.\-,/!@:<>=#PZzx019_ é", "(?", "(?:", "[^", "[:", "**", "{2}", "\\u{"]
    ),
    max_size=24,
).map("".join)


@pytest.mark.parametrize("kind", COMPILE)
@settings(max_examples=300, deadline=None)
@given(pattern=st.one_of(st.text(st.characters(exclude_categories=())), ODDITIES))
def test_any_text_compiles_or_is_refused(kind: str, pattern: str) -> None:
    error = refusal(kind, pattern)
    if error is None:
        COMPILE[kind](pattern)("a\nb/\ud800")
    else:
        assert 0 <= error.offset <= len(pattern)
        assert error.message and error.hint and error.message in str(error)


HUGE = [
    *("(" * 10_000, "[" * 65_536, "[[" * 32_000, "()" * 32_000, "(|)" * 20_000, "|" * 65_536),
    *("\\" * 65_535, "{" * 65_536, "a{" + "1" * 65_000 + "}", "(a{0}){1000}" * 5_000),
    *("a{1000}|" * 8_000, "(a|" * 20_000, "a{0,1000}" * 5_000, "(?:" * 64 + "a" + "){2}" * 64),
    *("**/" * 20_000, "*/" * 30_000, "a/" * 30_000, "[a-b]" * 10_000, "?" * 65_536, "é" * 65_536),
]


@pytest.mark.parametrize("kind", COMPILE)
@pytest.mark.parametrize("pattern", HUGE, ids=lambda pattern: f"{pattern[:9]}…")
def test_a_huge_pattern_compiles_or_is_refused(kind: str, pattern: str) -> None:
    error = refusal(kind, pattern)
    assert error is None or 0 <= error.offset <= len(pattern)


def test_the_limits_are_exact() -> None:
    assert refusal("regex", "(" * MAX_NESTING + "a" + ")" * MAX_NESTING) is None
    assert refusal("regex", "a" * MAX_STATES) is None
    assert refusal("regex", "a" * (MAX_STATES + 1)) is not None
    assert refusal("regex", "a{0,500}") is None
    assert refusal("regex", "a{0,501}") is not None
    assert compile_glob("a" * MAX_STATES)("a" * MAX_STATES)
    many = tuple(f"[a]{index:03}x*" for index in range(100))
    assert compile_globs(many)("a042xyz") and not compile_globs(many)("a100xyz")


def test_an_error_survives_pickling() -> None:
    error = refusal("regex", "a**")
    assert error is not None
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.message, copy.offset, copy.hint) == (error.message, error.offset, error.hint)


def test_compiling_is_remembered_and_nothing_matches_no_pattern() -> None:
    assert compile_regex("a+") is compile_regex("a+")
    assert compile_glob("a*") is compile_glob("a*")
    assert not compile_globs(())("") and not compile_regexes(())("a")
    assert "a+" in repr(compile_regex("a+"))


# --- linear time and bounded memory -----------------------------------------------------------

HOSTILE = [
    *((r"(a|a)*b", "a"), (r"(a*)*b", "a"), (r"(x+x+)+y", "x"), (r"(?:a?){300}b", "a")),
    *((r"[ab]*a[ab]{12}c", "ab"), (r"[ab]*a(?:[ab]|c){200}d", "ab"), (r"(?:\b|a|\B)*c", "ab ")),
    *((r"(?:.*,){20}z", "a,"), (r"(?m)(?:^\w*$\n?)*!", "a\n")),
]


@pytest.mark.parametrize(("pattern", "alphabet"), HOSTILE)
def test_work_grows_with_the_text_and_the_cache_does_not(
    pattern: str, alphabet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    matcher = compile_regexes((pattern,))
    engine = automaton(matcher)
    steps, settled = 0, 0
    step, holds = engine.step, patterns._holds

    def counting_step(state: Any, char: str) -> Any:
        nonlocal steps
        steps += 1
        return step(state, char)

    def counting_holds(what: str, before: int, after: int | None) -> bool | None:
        nonlocal settled
        settled += 1
        return holds(what, before, after)

    monkeypatch.setattr(engine, "step", counting_step)
    monkeypatch.setattr(patterns, "_holds", counting_holds)
    text = "".join(random.Random(1).choices(alphabet, k=1 << 16))
    assert not matcher(text)
    # At most one step for each character and the end; each a bounded number of settlings.
    assert steps <= len(text) + 1
    assert settled <= 2 * steps * max(1, len(engine.looks))
    assert sum(map(len, engine.states.values())) <= MAX_EDGES + 1
    assert len(engine.states) <= MAX_EDGES + 2


def test_a_decided_search_stops_early() -> None:
    class Counted(str):
        read = 0

        def __iter__(self) -> Any:
            for char in str(self):
                self.read += 1
                yield char

    for matcher in (compile_regex("ab"), compile_regex("^ab"), compile_globs(("b/*",))):
        text = Counted("ab" + "x" * 1000)
        matcher(text)
        assert text.read <= 4


def test_threads_may_share_a_matcher(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MAX_EDGES", 16)
    pick = random.Random(3)
    body = r"(?m)^[ab]*a[ab]{4}$|\bb{5}\B"
    matcher, expected = compile_regexes((body, "zz")), re.compile(body, re.ASCII)
    texts = ["".join(pick.choices("ab \n", k=30)) for _ in range(800)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(matcher, texts))
    assert answers == [bool(expected.search(text)) for text in texts]
