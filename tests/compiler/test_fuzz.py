"""Anything at all gives diagnostics, never an exception, and every place lies inside the text.

Hypothesis makes bytes and texts; a seeded mutator breaks the example and generated goals the way
that editors, merges and models do. Each part is bounded, so that the whole ends in seconds.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from random import Random

import pytest
from goalspec.cli.render.text import render
from goalspec.compiler.compilation import Compilation, Compiler, compile_text
from goalspec.tests.compiler.texts import goal_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

EXAMPLE = (Path(__file__).parents[1] / "grammar" / "data" / "example.goal").read_text("utf-8")
FUZZ = settings(
    deadline=None, max_examples=50, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
TOKEN = re.compile(r'"""[\s\S]*?"""|"[^"\n]*"|#[^\n]*|[A-Za-z_][\w.-]*|\d[\w.%]*|\s+|[^\s\w]')
ALPHABET = sorted(
    {
        *re.findall(r'"[^"\n]*"|[A-Za-z_][\w.-]*|\d[\w.%]*|[^\s\w]', EXAMPLE),
        '"""', '"', "'", "\\", "\n", "\r", "\t", " ", "#", "??", "..", "==", "<=", "&&", "||", ";",
        "\u00a0", "\u201c", "\u2265", "\U0001f680", "\u202e", "5min", "1e5", "v1", "2026-13-01", "r\"",
    }
)  # fmt: skip


def sound(compilation: Compilation, text: str) -> None:
    """Errors and a document exclude each other, and every place is one of the text."""
    assert (compilation.document is None) == bool(compilation.errors)
    keys = [found.sort_key for found in compilation.diagnostics]
    assert keys == sorted(keys)
    for found in compilation.diagnostics:
        for source, span in [(found.source, found.span)] + [
            (label.source, label.span) for label in found.labels
        ]:
            assert 0 <= span.start <= span.end <= len(source.text)
            position = source.position(span.start)
            assert position.line >= 1
            assert position.column >= 1
        if found.source.path == "fuzz.goal":
            assert len(found.source.text) <= len(text)
        assert found.message
        assert "\n" not in found.message
    render(compilation.diagnostics, 1, color=False)


def compiled(text: str) -> None:
    compilation = compile_text(text, "fuzz.goal")
    sound(compilation, text)
    assert compile_text(text, "fuzz.goal") == compilation


@given(st.binary(max_size=300))
@FUZZ
def test_any_bytes(data: bytes) -> None:
    sound(Compiler().compile_bytes(data, "fuzz.goal"), data.decode("utf-8", "replace"))


@given(st.text(max_size=300))
@FUZZ
def test_any_text(text: str) -> None:
    compiled(text)


@given(st.lists(st.sampled_from(ALPHABET), max_size=60), st.sampled_from(["", " ", "\n"]))
@FUZZ
def test_any_tokens(tokens: list[str], between: str) -> None:
    compiled(between.join(tokens))


@given(st.lists(st.sampled_from(ALPHABET), max_size=25))
@FUZZ
def test_any_tokens_in_a_check(tokens: list[str]) -> None:
    compiled(goal_text(1).replace("check few or", f"check {' '.join(tokens)}", 1))


@given(st.lists(st.sampled_from(ALPHABET), max_size=25))
@FUZZ
def test_any_tokens_in_facts(tokens: list[str]) -> None:
    compiled(f"facts {{\n  a.x : {' '.join(tokens)}\n  a.y : int\n}}\n")


@given(st.lists(st.sampled_from(ALPHABET), max_size=25))
@FUZZ
def test_any_tokens_in_a_test(tokens: list[str]) -> None:
    compiled(goal_text(2) + f'test "t" for g {{\n  observe {{ n.one = {" ".join(tokens)} }}\n}}\n')


def mutated(text: str, random: Random) -> str:
    """*text* with one to four changes of its tokens."""
    tokens = TOKEN.findall(text)
    for _ in range(random.randint(1, 4)):
        place = random.randrange(len(tokens))
        other = random.randrange(len(tokens))
        match random.randrange(8):
            case 0:
                del tokens[place : place + random.randint(1, 3)]
            case 1:
                tokens[place:place] = tokens[place : place + random.randint(1, 30)]
            case 2:
                tokens[place], tokens[other] = tokens[other], tokens[place]
            case 3:
                tokens.insert(place, random.choice(ALPHABET))
            case 4:
                tokens[place] = random.choice(ALPHABET)
            case 5:
                token = tokens[place]
                cut = random.randint(0, len(token))
                tokens[place] = token[:cut] + random.choice(["", "\n", "\u00e9", "{", "}"])
            case 6:
                end = min(len(tokens), place + random.randint(1, 6))
                depth = random.choice([1, 2, 70, 250])
                opening, closing = random.choice(["()", "[]", "{}"])
                tokens[place:end] = [opening * depth, *tokens[place:end], closing * depth]
            case _:
                tokens = tokens[:place] if random.random() < 0.3 else tokens
        if not tokens:
            tokens = [" "]
    return "".join(tokens)


@pytest.mark.parametrize("seed", range(12))
def test_mutations_of_the_example(seed: int) -> None:
    random = Random(seed)
    for _ in range(4):
        compiled(mutated(EXAMPLE, random))


@pytest.mark.parametrize("seed", range(12))
def test_mutations_of_generated_goals(seed: int) -> None:
    random = Random(seed)
    for _ in range(4):
        compiled(mutated(goal_text(seed), random))


@pytest.mark.parametrize("seed", range(8))
def test_cuts_of_the_example(seed: int) -> None:
    random = Random(seed)
    for _ in range(8):
        cut = random.randrange(len(EXAMPLE))
        compiled(random.choice([EXAMPLE[:cut], EXAMPLE[cut:]]))


def cost(text: str) -> float:
    times = []
    for _ in range(2):
        start = time.process_time()
        compile_text(text)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize(
    "piece",
    [
        "facts {\n  a{n}.b : int in 0..\n}\n",
        'goal g{n} {\n  objective "x"\n  criterion c "x" check a.ok\n}\n',
        "preset p{n} { budget { turns 5 } }\n",
        "preset p{n} { preset p{m} }\n",
        "let l{n} = 5\n",
        "let l{n} = l{m}\n",
        "facts { a : int }\n",
        "facts { x{n} : boolean }\n",
        'test "t" for g { expect c met }\n',
    ],
    ids=lambda text: text[:14].strip(),
)
def test_compiling_grows_with_the_size_and_no_faster(piece: str) -> None:
    def repeated(count: int) -> str:
        return "".join(
            piece.replace("{n}", str(n)).replace("{m}", str(n + 1)) for n in range(count)
        )

    count = 8_000 // len(piece)
    for _ in range(3):  # a machine under load may lie once
        small, large = cost(repeated(count)), cost(repeated(2 * count))
        if large <= 3 * small + 0.03:
            return
    raise AssertionError(f"{small:.3f} s for {count} of them, {large:.3f} s for twice as many")


@pytest.mark.parametrize("count", [1_500, 4_000])
def test_a_long_chain_of_presets_is_no_exception(count: int) -> None:
    text = "".join(f"preset p{n} {{ preset p{n + 1} }}\n" for n in range(count))
    sound(compile_text(f"{text}preset p{count} {{ }}\n"), text + " " * 40)


def test_a_let_of_lets_does_not_explode() -> None:
    lets = "".join(f"let l{n} = [l{n - 1}, l{n - 1}]\n" for n in range(1, 25))
    sound(compile_text("let l0 = 1\n" + lets), lets + "let l0 = 1\n")
