"""The shapes of secrets. Each is put together here, so that no scanner takes this file for one."""

from __future__ import annotations

import time

import pytest
from goalspec.compiler.lint.linter import Linter
from goalspec.grammar.diagnostics import Diagnostic


def filler(length: int) -> str:
    return ("a1B2c3D4e5" * length)[:length]


TOKENS = {
    "a GitHub token": ("gh" + "p_" + filler(36), "github" + "_pat_" + filler(60)),
    "a GitLab token": ("gl" + "pat-" + filler(20),),
    "an AWS access key": ("AK" + "IA" + filler(16).upper(), "AS" + "IA" + filler(16).upper()),
    "a Slack token": ("xo" + "xb-" + filler(30),),
    "an Anthropic key": ("sk" + "-ant-api03-" + filler(40),),
    "an OpenAI key": ("sk" + "-" + filler(48), "sk" + "-proj-" + filler(40)),
    "a Google API key": ("AI" + "za" + filler(35),),
    "a Stripe key": ("sk" + "_live_" + filler(24),),
    "an npm token": ("np" + "m_" + filler(36),),
    "a PyPI token": ("pypi" + "-AgE" + filler(60),),
    "a JSON Web Token": (".".join(["ey" + "J" + filler(20), "ey" + "J" + filler(40), filler(43)]),),
    "a private key": tuple(
        f"-----BEGIN {kind}PRIVATE" + f" KEY-----\\n{filler(64)}"
        for kind in ("", "RSA ", "OPENSSH ", "EC ")
    ),
}
CASES = [(what, token) for what, tokens in TOKENS.items() for token in tokens]


def found(text: str) -> list[Diagnostic]:
    linted = Linter().lint_bytes(text.encode(), "spec.goal")
    return [d for d in linted.found if d.code.id == "GS417"]


@pytest.mark.parametrize(("what", "token"), CASES)
@pytest.mark.parametrize("place", ['goal g {{ objective "Use {}." }}', "# see {}\n", "goal {{ {} "])
def test_a_token_is_found_in_strings_comments_and_broken_files(
    what: str, token: str, place: str
) -> None:
    text = place.format(token)
    (diagnostic,) = found(text)
    assert diagnostic.message == f"this looks like {what}"
    assert text[diagnostic.span.start : diagnostic.span.end] == token


@pytest.mark.parametrize(("what", "token"), CASES)
def test_a_message_never_repeats_the_secret(what: str, token: str) -> None:
    (diagnostic,) = found(f"# {token}\n")
    assert token[12:] not in diagnostic.message + (diagnostic.hint or "")


@pytest.mark.parametrize(("what", "token"), CASES)
def test_a_token_that_goes_on_in_front_is_another_word(what: str, token: str) -> None:
    if what != "a private key":
        assert found(f"# prefix{token}\n") == []


@pytest.mark.parametrize(
    "text",
    ["ey" + "J" + "a" * 400_000, "://a:" * 80_000, "-----BEGIN " * 40_000, "gl" + "pat-a" * 80_000,
     "eyJaaaaaaaaaa." * 30_000, "PRIVATE KEY" + "-----BEGIN A A A " * 30_000],
    ids=lambda text: text[:16],
)  # fmt: skip
def test_long_texts_are_read_once(text: str) -> None:
    start = time.perf_counter()
    found(f"# {text}\n")
    assert time.perf_counter() - start < 5  # a quadratic scan takes minutes
