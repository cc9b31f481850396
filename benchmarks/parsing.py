"""Text to syntax tree, beside plain Lark on the same grammar and the same text."""

from __future__ import annotations

import lark
from corpus import file_text
from goalspec.grammar import parse
from goalspec.grammar.tables import GRAMMAR_FILE
from timing import Work, measure, rate, row


def run(quick: bool) -> None:
    texts = [file_text("goal", number) for number in range(2 if quick else 40)]
    lines = sum(text.count("\n") for text in texts)
    plain = lark.Lark(
        GRAMMAR_FILE.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        keep_all_tokens=True,
        maybe_placeholders=True,
    )
    assert not any(parse(text, "corpus.goal").diagnostics for text in texts)

    def trees(sources: list[str]) -> None:
        for source in sources:
            plain.parse(source)

    def syntax_trees(sources: list[str]) -> None:
        for source in sources:
            parse(source, "corpus.goal")

    bare = Work("plain Lark, its own tree", trees, texts, units=lines)
    ours = Work("goalspec, its syntax tree", syntax_trees, texts, units=lines)
    times = measure([bare, ours], 1 if quick else 15)
    print(f"\nparsing: {len(texts)} files, {lines:,} lines")
    row(bare.name, rate(times.of[bare.name]))
    row(ours.name, rate(times.of[ours.name]), times.cost(ours, bare))
