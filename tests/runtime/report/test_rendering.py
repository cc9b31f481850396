"""The page as HTML: what anybody wrote stays text, whatever it is."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

import pytest
from goalspec.runtime.record import Record
from goalspec.runtime.report import Page, Stock, page_of, render
from goalspec.runtime.report.rendering import visible
from goalspec.runtime.report.texts import Text
from goalspec.tests.runtime.report.sessions import long_stock
from goalspec.tests.runtime.report.test_page import longer
from markupsafe import escape

HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</style><style>*{display:none}",
    "<!-- ", "--> <![CDATA[ ]]>", "</title></textarea></pre></details>",
    "{{ page.session }}{% raw %}", "javascript:alert(1) https://example.com/?q=1",
    "\x00\x01\x1b[31m\x7f\x85", "\u202eevil\u2066\u2069\u200b\ufeff", "\ud800\ufffe\U000e0041",
    "&lt;&amp;&#60;&nbsp", "line\r\nline\ttab\u2028",
)  # fmt: skip


class Elements(HTMLParser):
    """Every tag with its attributes' names, in order; the text between them; and what is wrong with
    how they nest."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, ...]] = []
        self.values: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, *(name for name, _ in attrs)))
        self.values += [(name, value or "") for name, value in attrs]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.wrong.append(data)


def mapped(value: Any, change: Callable[[str], str]) -> Any:
    """*value* with every string in it changed."""
    if isinstance(value, str):
        return change(value)
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value)]
        return replace(value, **{name: mapped(getattr(value, name), change) for name in names})
    if isinstance(value, tuple):
        return tuple(mapped(item, change) for item in value)
    if isinstance(value, dict):
        return {mapped(key, change): mapped(item, change) for key, item in value.items()}
    return value


@pytest.fixture(scope="module")
def page() -> Page:
    return page_of(long_stock())


@pytest.fixture(scope="module")
def html(page: Page) -> str:
    return render(page)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_text_becomes_an_element_or_an_attribute(page: Page, hostile: str) -> None:
    harmless = Elements(render(mapped(page, lambda text: f"{text}-")))
    attacked = render(mapped(page, lambda text: f"{text}{hostile}"))
    found = Elements(attacked)
    assert found.tags == harmless.tags
    assert (found.wrong, found.open) == ([], [])
    attacked.encode("utf-8")


def texts(value: Any) -> Iterator[Text]:
    """Every text of *value* that may be long."""
    if isinstance(value, Text):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from texts(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from texts(item)


def test_every_text_is_shown(page: Page, html: str) -> None:
    found = [*texts(page)]
    assert len(found) > 1_000
    assert [one for one in found if escape(visible(one.head)) not in html] == []


def test_a_cut_is_marked(page: Page) -> None:
    cut = mapped_texts(page, Text("begins", 1234, "ends"))
    assert '>begins<span class="cut">[1,234 characters cut here]</span>ends<' in render(cut)


def mapped_texts(value: Any, text: Text) -> Any:
    """*value* with *text* in the place of every text that may be long."""
    if isinstance(value, Text):
        return text
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value)]
        return replace(value, **{name: mapped_texts(getattr(value, name), text) for name in names})
    return tuple(mapped_texts(item, text) for item in value) if isinstance(value, tuple) else value


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x00b", "a\\u{0}b"), ("\u202e", "\\u{202e}"), ("a\r\nb", "a\\u{d}\nb"), ("a\tb", "a\tb"),
        ("\ud800", "\\u{d800}"), ("\ufffe", "\\u{fffe}"), ("\u2028", "\\u{2028}"),
        ("👩\u200d💻", "👩\u200d💻"), ("a\u200db", "a\\u{200d}b"), ("é ü 日本", "é ü 日本"),
    ],
)  # fmt: skip
def test_what_does_not_show_itself_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_the_page_allows_itself_nothing_but_its_style(html: str) -> None:
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    [style] = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    hash = b64encode(sha256(style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"
    )
    assert "@import" not in style and "url(" not in style


def test_the_page_loads_nothing_runs_nothing_and_leads_nowhere_else(html: str) -> None:
    found = Elements(html)
    tags = {tag for tag, *_ in found.tags}
    assert not tags & {
        "script",
        "img",
        "link",
        "iframe",
        "object",
        "embed",
        "form",
        "base",
        "image",
    }
    names = {name for name, _ in found.values}
    assert not names & {"src", "style", "srcset", "action", "ping", "xlink:href"}
    assert not [name for name in names if name.startswith("on")]
    ids = [value for name, value in found.values if name == "id"]
    links = [value for name, value in found.values if name == "href"]
    assert len(ids) == len(set(ids))
    assert all(link[0] == "#" and link[1:] in ids for link in links)


def test_what_names_another_element_names_one_that_is_there(html: str) -> None:
    found = Elements(html)
    ids = {value for name, value in found.values if name == "id"}
    named = [v for name, value in found.values if name == "aria-labelledby" for v in value.split()]
    assert named and set(named) <= ids


def test_every_curve_has_its_numbers_as_a_table(page: Page, html: str) -> None:
    assert page.spending is not None
    for curve in page.spending.curves:
        assert html.count(f"<td>{curve.points[-1].words}</td>") >= 1
    assert html.count("<svg ") == html.count("</title>\n<desc ") == len(page.spending.curves)


def test_each_cell_of_the_timeline_says_its_outcome_in_words(page: Page, html: str) -> None:
    table = html[html.index('<table class="timeline">') : html.index("</table>")]
    for word, phrase in (("met", "met"), ("unmet", "unmet"), ("unknown", "unknown"),
                         ("judged", "left to the judge"), ("unclear", "unclear")):  # fmt: skip
        count = sum(
            list((column.outcomes or {}).values()).count(word) for column in page.timeline.columns
        )
        assert table.count(f'<span class="unseen">{phrase}</span>') == count > 0


def test_equal_stock_gives_equal_bytes(page: Page, html: str) -> None:
    assert render(page_of(long_stock())) == html


def test_a_session_that_never_had_a_goal() -> None:
    html = render(page_of(Stock(Record(session="s"), (), (), (), ())))
    assert "The session never had one." in html
    assert Elements(html).wrong == []


def test_ten_thousand_entries_make_a_page_that_opens() -> None:
    page = page_of(longer(long_stock(), 50))
    html = render(page)
    assert len(html) < 8_000_000
    assert f"{page.journal.left_out:,} entries are left out here" in html
    assert "<code>goalspec" not in html and "`goalspec goal journal`" in html
