"""The report in a real browser: Chromium, as it is installed."""

from __future__ import annotations

import os
import shutil
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.record import Record
from goalspec.runtime.report import Page, Stock, page_of, render
from goalspec.tests.runtime.report.sessions import long_stock
from goalspec.tests.runtime.report.test_page import longer
from goalspec.tests.runtime.report.test_rendering import HOSTILE, mapped

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on the PATH")

WIDTHS, SCHEMES = (320, 1280), ("light", "dark")
OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true"
COLOURS = """async (url) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const data = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
  return new Set(data).size;
}"""


def long_page() -> Page:
    """The long session. Its journal is cut short: its entries are alike, and axe looks at each."""
    page = page_of(long_stock())
    journal = replace(
        page.journal, first=page.journal.first[:12], last=page.journal.first[-4:], left_out=200
    )
    return replace(page, journal=journal)


def hostile_page() -> Page:
    """The same, with all that an enemy could write in the place of every text."""
    numbers = iter(range(1_000_000))
    return mapped(long_page(), lambda text: HOSTILE[next(numbers) % len(HOSTILE)] + text)


PAGES: dict[str, Callable[[], Page]] = {
    "long": long_page,
    "hostile": hostile_page,
    "none": lambda: page_of(Stock(Record(session="s"), (), (), (), ())),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The reports' files; made before there is a browser, whose event loop would be in the way."""
    folder = tmp_path_factory.mktemp("report")
    pages = {**PAGES, "longest": lambda: page_of(longer(long_stock(), 50))}
    paths = {name: folder / f"{name}.html" for name in pages}
    for name, make in pages.items():
        paths[name].write_text(render(make()), "utf-8")
    return paths


@pytest.fixture(scope="module")
def browser(written: dict[str, Path]) -> Iterator[Any]:
    # Chromium's own sandbox does not start for root.
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield launched
        launched.close()


@pytest.fixture
def opened(browser: Any, written: dict[str, Path]) -> Iterator[Callable[..., Any]]:
    """Opens a report; whatever it complains of or asks the network for fails the test."""
    contexts: list[Any] = []
    heard: list[str] = []

    def open_report(name: str, width: int = 1280, scheme: str = "light", **options: Any) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: heard.append(message.text))
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.on("dialog", lambda dialog: heard.append(dialog.message))
        page.on("request", lambda request: heard.append(request.url))
        page.goto(written[name].as_uri())
        assert heard == [written[name].as_uri()]
        heard.clear()
        return page

    yield open_report
    for context in contexts:
        context.close()
    assert heard == []


def colours(browser: Any, png: bytes) -> int:
    """How many different ones a screenshot has."""
    page = browser.new_page()
    found: int = page.evaluate(COLOURS, f"data:image/png;base64,{b64encode(png).decode()}")
    page.close()
    return found


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [*(("long", *one) for one in product(WIDTHS, SCHEMES)), ("hostile", 320, "dark"),
     ("none", 1280, "light")],
)  # fmt: skip
def test_axe_finds_nothing(opened: Any, name: str, width: int, scheme: str) -> None:
    page = opened(name, width, scheme)
    page.evaluate(OPEN_ALL)
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run()")
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
    assert len(found["passes"]) > 20


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_is_never_wider_than_the_window(opened: Any, name: str, width: int) -> None:
    page = opened(name, width)
    for then in ("0", OPEN_ALL):
        page.evaluate(then)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_something_is_to_be_seen(browser: Any, opened: Any, scheme: str, width: int) -> None:
    page = opened("long", width, scheme)
    assert colours(browser, page.screenshot()) > 100
    timeline = page.locator("#timeline .scroll")
    assert colours(browser, timeline.screenshot()) > 100
    cells = [page.locator(f".cell.{kind}").first.screenshot() for kind in ("good", "bad", "open")]
    assert len(set(cells)) == 3
    assert colours(browser, page.locator("svg").first.screenshot()) > 5


def test_light_and_dark_differ(opened: Any) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light, dark = (opened("long", scheme=scheme).evaluate(background) for scheme in SCHEMES)
    assert light != dark


def test_it_works_without_a_script(opened: Any) -> None:
    page = opened("long", java_script_enabled=False)
    shown = page.locator("#evaluations details").first
    inside = shown.locator(".judgement").first
    assert not inside.is_visible()
    shown.locator("summary").first.click()
    assert inside.is_visible()
    page.locator("nav a", has_text="Journal").click()
    assert page.locator("#journal").bounding_box()["y"] < 900


def test_it_works_by_keyboard(opened: Any) -> None:
    page = opened("long", 320)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    region = "document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(region) == "The timeline as a table"
    page.keyboard.press("ArrowRight")
    for _ in range(50):  # it scrolls smoothly; the page lets nobody wait in it by a script
        if page.evaluate("document.activeElement.scrollLeft") > 0:
            break
        page.wait_for_timeout(100)
    assert page.evaluate("document.activeElement.scrollLeft") > 0


def test_on_paper_the_evaluations_are_open(opened: Any) -> None:
    page = opened("long")
    inside = page.locator("#evaluations .judgement").first
    assert not inside.is_visible()
    page.emulate_media(media="print")
    assert inside.is_visible()
    assert not page.locator("nav").is_visible()


def test_hostile_texts_do_nothing(opened: Any) -> None:
    page = opened("hostile")
    page.evaluate(OPEN_ALL)
    assert (
        page.evaluate("document.querySelectorAll('script, img, form, a[href^=java]').length") == 0
    )
    assert page.evaluate("document.styleSheets.length") == 1


def test_ten_thousand_entries_open(opened: Any) -> None:
    begun = time.monotonic()
    page = opened("longest")
    assert page.locator("#journal summary").last.is_visible()
    assert time.monotonic() - begun < 20
