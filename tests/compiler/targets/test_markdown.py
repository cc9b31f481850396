"""The page of a contract: all of it is there, and no string of the file becomes structure, for a
real parser of CommonMark with tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from goalspec import Document, compile_text, load
from goalspec.compiler.targets.markdown import goal_page
from goalspec.compiler.targets.markdown_text import block, code, phrase, prose, visible
from goalspec.compiler.targets.target import read_stamp
from goalspec.grammar.literals import write_string
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

EXAMPLES = sorted((Path(__file__).resolve().parents[3] / "specs" / "examples").glob("*.goal"))
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
SPEC = """\
facts {{
  a.state : {member} | "b" lasting {text} from run {text} in "web" at "out"
  a.files : set of path {text}
}}

goal g {{
  objective {text}
  criterion one {text}
    when a.state != {member}
    check a.state == {member} and (any f in a.files: f like "src/**")
  awaited criterion two {text} check known(a.state)
  constraint three {text}
  stop four {text} check a.state == "b"
  budget {{ turns 3 }}
  judge {{ model {text}  feedback {text} }}
  pins {{ keep goal }}
  pin decision {text}
  protect "a/**" allow new "b/**"
}}
"""
HOSTILE = [
    "# A heading", "### Criteria", "text\n# Next\n## Budget\n\nmore", "Title\n=====", "a\n---\nb",
    "- [x] done", "* a\n* b", "1. first\n2. second", "1) first", "+ plus", "> quoted\n> > deeper",
    "```\nfence\n```", "~~~\nfence", "a ``` b", "`code`", "``a`b``", "`" * 50, "a `` b ` c",
    "    indented\n\tcode", "***", "___", "| a | b |\n| --- | --- |\n| c | d |", "a|b", r"a\|b", "|",
    r"\|", r"a\\|b", "**bold** _em_ ~~gone~~ __init__", "<b>bold</b>", "<script>alert(1)</script>",
    "<!-- hidden -->", "--> out", "<details><summary>x", "<img src=x onerror=alert(1)>", "<a href='",
    "[text](https://evil.example)", "![image](https://evil.example/x.png)", "[ref]: https://e.example",
    "[^1]: note", "<https://evil.example>", "https://evil.example/?a=b", "www.evil.example",
    "mail@evil.example", "@octocat", "Thanks @octo-cat, see #12 and octo/repo#13", "GH-14 JIRA-15",
    "!16 $17 %18 ~label &epic ^19", "deadbeef1 " + "0f" * 20, ":tada: :+1:", "$x^2$ and $$y$$",
    "&lt;b&gt; &amp; &#x202e; &copy;", "a & b < c > d", "\u202eesrever\u202c", "zero\u200bwidth\u2060",
    "\u2066isolate\u2069", "soft\xadhyphen", "no\u00a0break", "line\u2028sep\u2029par", "\ufeffbom",
    "\U000e0041\U000e0042tags", "a\tb", "tr\\ailing\\", "ends with \\", "\\", "\\# \\* \\`",
    "Ship it. (Soon!) “Really?” It's 85.5% - or more — done…", "naïve 日本語 עברית हिन्दी", "👩‍💻 ok ✔️",
    "{{ objective }} {% if x %} ${x}", "\x1b[31mred\x1b[0m", "x" * 3_000, "a b " * 500, "1.", "2)", "-",
    "=", "a\n=\nb", "a\n-\nb", "a\n\n\n\nb", "\n\na\n\n", "a\n    b", "a\n1. b", "a\n```\nb", "\\\nb",
    "0.5 1,000 7% 1.2.3", "$", "'single' \"double\"", "...", "?!", "(a) [b] {c}", "a.b a-b a_b a--b",
]  # fmt: skip
TEXTS = st.text(
    st.sampled_from(list("ab1.)(#*_-+=|`~<>[]!&:@/\\\"' \n\t\u202e\u200b$^{}%")), min_size=1
).filter(lambda text: text.strip() != "")


def compiled(text: str, member: str = "a") -> Document:
    spec = SPEC.format(text=write_string(text), member=write_string(member))
    compilation = compile_text(spec, "a|b`c.goal")
    assert compilation.document is not None, [d.message for d in compilation.errors]
    return compilation.document


def page(text: str, member: str = "a") -> str:
    document = compiled(text, member)
    return goal_page(document, document.goals[0])


def blocks(markdown: str) -> list[tuple[str, str, int]]:
    """The block structure of a page."""
    return [(token.type, token.tag, token.level) for token in PARSER.parse(markdown)]


def inline(markdown: str) -> list[Token]:
    return [child for token in PARSER.parse(markdown) for child in token.children or ()]


def said(markdown: str) -> str:
    """What a reader sees of a paragraph."""
    shown = {"hardbreak": "\n", "softbreak": " "}
    return "".join(shown.get(token.type, token.content) for token in inline(markdown))


HARMLESS = blocks(page("Ship it"))
# All that may stand outside of code: words, and punctuation that means nothing to anybody.
PLAIN = re.compile(r"[A-Za-z0-9\xa1-\U0010ffff '’,.;:!?()\"“”‘’…–—+=/&|%-]*")
LINKED = re.compile(r"(?:[@#]|\w[:.]\w|//|\bwww\b|[0-9a-f]{40}|[A-Za-z]-[0-9])(?<![0-9].[0-9])")


def is_only_text(markdown: str) -> None:
    for token in inline(markdown):
        assert token.type in ("text", "code_inline", "hardbreak"), token
        if token.type == "text":
            assert PLAIN.fullmatch(token.content), token.content
            assert not LINKED.search(token.content), token.content


def spaced(text: str) -> list[str]:
    """The words of a text, line by line, hidden characters written out."""
    lines = (visible(line.replace("\t", " ")).split(" ") for line in text.split("\n"))
    return [" ".join(filter(None, line)) for line in lines if any(line)]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
def test_no_string_becomes_structure(text: str) -> None:
    made = page(text, text)
    assert blocks(made) == HARMLESS
    is_only_text(made)


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS)
def test_no_random_string_becomes_structure(text: str, member: str) -> None:
    made = page(text, member if member != "b" else "a")
    assert blocks(made) == HARMLESS
    is_only_text(made)


@settings(max_examples=600, deadline=None)
@given(TEXTS | st.text(min_size=1).filter(lambda text: text.strip(" \t\n") != ""))
@example("`a`\n|`` b|")
def test_prose_says_all_of_its_text(text: str) -> None:
    assert said(prose(text)).split("\n") == spaced(text)
    assert said(phrase(text)) == " ".join(spaced(text))
    is_only_text(prose(text))
    assert [kind for kind, *_ in blocks(prose(text))] == [
        "paragraph_open", "inline", "paragraph_close",
    ]  # fmt: skip
    cell = f"| a | b |\n| --- | --- |\n| {phrase(text)} | {code(text)} |"
    assert [kind for kind, *_ in blocks(cell)].count("td_open") == 2


@settings(max_examples=600, deadline=None)
@given(TEXTS | st.text(min_size=1))
@pytest.mark.parametrize("prefix", ["", "a ", "- "])
def test_code_says_all_of_its_text(prefix: str, text: str) -> None:
    shown = visible(text).replace("\n", "\\n")
    assert said(f"{prefix}x{code(text)}x").removeprefix("a ").strip("x") == shown.strip("x")


@settings(max_examples=300, deadline=None)
@given(TEXTS | st.text(min_size=1))
def test_a_block_ends_where_it_ends(text: str) -> None:
    [fence] = PARSER.parse(f"{block(text)}\n")
    assert (fence.type, fence.info) == ("fence", "goal")
    assert fence.content == visible(text) + "\n"


# --- the page


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_all_of_a_contract_is_on_its_page(path: Path) -> None:
    document = load(path)
    for goal in document.goals:
        made = goal_page(document, goal)
        assert read_stamp(made) == {"target": "markdown", "goal": goal.id}
        whole = said(made).replace("\n", " ")
        assert " ".join(goal.objective.split()) in whole
        headings = re.findall("^### `(.*)`$", made, re.MULTILINE)
        parts = (*goal.criteria, *goal.constraints, *goal.stops)
        assert headings == [part.id for part in parts]
        for text in (*(part.text for part in parts), *(pin.content for pin in goal.pinned)):
            assert " ".join(text.split()) in whole
        for fact in goal.facts:
            assert f"| `{fact.name}` |" in made
        fences = [token for token in PARSER.parse(made) if token.type == "fence"]
        assert len(fences) == sum(part.check is not None for part in parts)
        assert goal.contract in made


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ship it.", "Ship it."),
        ("Do not touch auth.go", "Do not touch `auth.go`"),
        ("It drops by 0.5% (at most)!", "It drops by 0.5% (at most)!"),
        ("Ask @ann, see #12.", "Ask `@ann`, see `#12`."),
        ("1. first\n- second", "`1.` first\\\n`-` second"),
        ("a - b & c", "a - b &amp; c"),
        ("a|b", "`a`&#124;`b`"),
        ("a\u202eb", "`a\\u{202e}b`"),
        ("!!! note", "`!!!` note"),
    ],
)
def test_how_prose_is_written(text: str, shown: str) -> None:
    assert prose(text) == shown


def test_what_is_not_there_is_not_said() -> None:
    compilation = compile_text('goal g {\n  objective "x"\n  criterion c "y"\n}\n')
    document: Any = compilation.document
    made = goal_page(document, document.goals[0])
    assert re.findall("^## (.*)$", made, re.MULTILINE) == ["Criteria", "Budget", "Source"]
    assert "Nothing decides it: there is no judge." in made
    assert "None: nothing limits a run." in made
