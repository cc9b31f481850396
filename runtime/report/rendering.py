"""The page as HTML: one file, without a script, that loads nothing.

Every text is data. Whatever a template prints is made visible and then escaped, by the environment
and not by the template, so that no name, reason or output becomes an element, an attribute or a
link. The page forbids itself, by its policy, all but its own style. Jinja is imported when a page
is rendered.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...compiler.hidden import INVISIBLE, is_called_for
from .drawing import drawing_of
from .page import Page

if TYPE_CHECKING:
    from jinja2 import Environment

_FOLDER = Path(__file__).parent / "templates"

# Controls but for the tab and the line's end, what leaves no ink, halves of characters, and what
# HTML calls no character.
_HIDDEN = re.compile(
    rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{INVISIBLE}\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)

# The sign and the kind of each outcome, by which it is told apart without its colour.
_OUTCOMES = {
    "met": ("✓", "good"), "held": ("✓", "good"), "unmet": ("✕", "bad"), "violated": ("!", "bad"),
    "stopped": ("■", "bad"), "unknown": ("?", "open"), "unclear": ("?", "open"),
    "judged": ("J", "judge"), "waived": ("–", "idle"),
}  # fmt: skip
_ACTORS = {"person": "a person", "agent": "the agent", "runtime": "the runtime"}
_PHRASES = {"judged": "left to the judge"}


def render(page: Page) -> str:
    """*page* as a whole HTML document."""
    return _environment().get_template("page.html.j2").render(page=page)


def visible(text: str) -> str:
    """*text* with each character that does not show itself written out by its number."""
    return _HIDDEN.sub(_written_out, text)


def _written_out(match: re.Match[str]) -> str:
    if is_called_for(match.string, match.start()):
        return match[0]
    return f"\\u{{{ord(match[0]):x}}}"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def printed(value: Any) -> str | Markup:
        """What an expression of a template prints, before it is escaped."""
        if isinstance(value, Markup):  # a macro's, which was escaped piece by piece
            return value
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise TypeError(f"a template prints {type(value).__name__}, which is no text")
        return visible(str(value))

    style = (_FOLDER / "style.css").read_text("utf-8")
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        finalize=printed,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(
        style=Markup(style),
        style_hash=b64encode(sha256(style.encode()).digest()).decode(),
        drawing_of=drawing_of,
    )
    environment.filters.update(
        sign=lambda outcome: _OUTCOMES.get(outcome, ("·", "idle"))[0],
        kind=lambda outcome: _OUTCOMES.get(outcome, ("·", "idle"))[1],
        phrase=lambda outcome: _PHRASES.get(outcome, outcome),
        spaced=lambda name: name.replace("_", " "),
        number=lambda value: f"{value:,}",
        percent=lambda share: f"{share:.0%}",
        moment=_moment,
        counted=_counted,
        who=lambda actor: _ACTORS.get(actor, actor),
    )
    return environment


def _counted(count: int, noun: str, nouns: str | None = None) -> str:
    return f"{count:,} {noun if count == 1 else nouns or f'{noun}s'}"


def _moment(stamp: str) -> str:
    """A time to the second, for eyes."""
    return f"{stamp[:10]} {stamp[11:19]}"
