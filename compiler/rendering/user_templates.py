"""Template files: the built-in ones, and a folder of the user's own that may stand in for some.

Who judges, audits and fences cannot be replaced. What a user's template prints is looked at
afterwards: everything that binds must be there, whole, and inside the fence.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ...grammar.diagnostics import nearest
from .fence import Data, Proven, Unproven

MAX_TEMPLATE = 64 * 1024
BUILT_IN_ONLY = frozenset((
    "audit.j2", "ends.j2", "evidence.j2", "feedback.j2", "first.j2", "judge.j2", "pin.j2",
    "resumed.j2", "said.j2", "take_up.j2", "vetoed.j2", "working.j2",
))  # fmt: skip
_FOLDER = Path(__file__).with_name("templates")
_FENCED = "{% call fence() %}…{% endcall %}"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f]")


class TemplateFile(NamedTuple):
    """A template's text, and the path that messages call it by."""

    path: str
    text: str


Templates = Mapping[str, TemplateFile]


class BadTemplate(Exception):
    """A user's template that cannot be used; *line* is 1-based where there is one."""

    def __init__(self, path: str, line: int | None, message: str) -> None:
        self.place = path if line is None else f"{path}:{line}"
        self.message = message
        super().__init__(f"{self.place}: {message}")


@cache
def built_in_templates() -> Templates:
    """The templates that ship with goalspec, by name."""
    files = sorted(_FOLDER.glob("*.j2"))
    return {file.name: TemplateFile(file.name, file.read_text("utf-8")) for file in files}


def read_templates(folder: Path) -> Templates:
    """All templates by name, the files of *folder* in place of the built-in ones. Raises
    BadTemplate."""
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except OSError as error:
        raise BadTemplate(str(folder), None, error.strerror or str(error)) from None
    if not names:
        raise BadTemplate(str(folder), None, f"there is no template here; {_known()}")
    return {**built_in_templates(), **{name: _read(folder, name) for name in names}}


def _read(folder: Path, name: str) -> TemplateFile:
    path = folder / name
    if name in BUILT_IN_ONLY:
        raise BadTemplate(str(path), None, f"`{name}` cannot be replaced; {_known()}")
    if name not in built_in_templates():
        near = nearest(name, _replaceable())
        hint = f"did you mean `{near}`?" if near else _known()
        raise BadTemplate(str(path), None, f"there is no template of that name; {hint}")
    try:
        if not path.resolve(strict=True).is_relative_to(folder.resolve(strict=True)):
            raise BadTemplate(str(path), None, "it is a link that leads out of its folder")
        if not path.is_file():
            raise BadTemplate(str(path), None, "it is no regular file")
        with path.open("rb") as file:
            data = file.read(MAX_TEMPLATE + 1)
    except (OSError, RuntimeError) as error:
        told = error.strerror if isinstance(error, OSError) else "it is a link to itself"
        raise BadTemplate(str(path), None, told or str(error)) from None
    if len(data) > MAX_TEMPLATE:
        raise BadTemplate(str(path), None, f"it has more than {MAX_TEMPLATE:,} bytes")
    return TemplateFile(str(path), _text(data, str(path)))


def _text(data: bytes, path: str) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadTemplate(path, line, f"it is not UTF-8 (byte {error.start})") from None
    control = _CONTROL.search(text)
    if control is not None:
        line = text.count("\n", 0, control.start()) + 1
        raise BadTemplate(path, line, f"it holds the control character U+{ord(control[0]):04X}")
    return text


def _replaceable() -> list[str]:
    return [name for name in built_in_templates() if name not in BUILT_IN_ONLY]


def _known() -> str:
    return f"those that can be replaced are {', '.join(_replaceable())}"


# --- what is said of a rendering


@contextmanager
def faults(files: Templates, name: str) -> Iterator[None]:
    """Whatever goes wrong inside is the user's templates', and becomes BadTemplate with its
    place."""
    from jinja2 import TemplateSyntaxError

    path = files[name].path
    try:
        yield
    except BadTemplate:
        raise
    except TemplateSyntaxError as error:
        raise BadTemplate(error.filename or path, error.lineno, error.message or "") from None
    except RecursionError:
        raise BadTemplate(path, None, "templates or macros use one another in a circle") from None
    except Unproven as error:
        raise BadTemplate(path, None, f"{error}: print it inside `{_FENCED}`") from None
    except Exception as error:  # a user's template may go wrong in every way that Python knows
        place, line = _innermost(error, {file.path for file in files.values()}) or (path, None)
        raise BadTemplate(place, line, str(error)) from None


def _innermost(error: BaseException, paths: set[str]) -> tuple[str, int] | None:
    """The last line of a template that *error* passed on its way."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if path in paths:
            found = path, trace.tb_lineno
        trace = trace.tb_next
    return found


def check_complete(
    path: str, rendered: Proven, needed: Sequence[tuple[str, Data]], header: str | None
) -> None:
    """Raises BadTemplate where a needed string is not there, or the header not the first line."""
    if header is not None and rendered.text.split("\n", 1)[0] != header:
        raise BadTemplate(
            path, 1, f"the first line is not the header, by which hosts know it: {header}"
        )
    printed = Counter(rendered.data)
    missing = []
    for what, data in needed:
        if not printed[data.text]:
            missing.append(what)
        printed[data.text] -= 1
    if missing:
        raise BadTemplate(
            path, None, f"what binds is not printed, or not whole: {', '.join(missing)}"
        )
