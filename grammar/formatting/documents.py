"""Documents, and the printer that lays them out in 100 columns.

A document is text with places where a line may end. A group stands on one line if it fits there,
and otherwise ends its lines at all of its own places. Every document knows its width, and whether
something in it forces a break, from its parts, so that printing is linear and recurses nowhere.

A comment runs to the end of its line, so what follows one goes to the next line whatever the
document says: at the place for a line end if there is one, and indented as a continuation if not.
A comment at the very end or beginning of a group therefore forces no break in it; one inside does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from .trivia import OwnLine

WIDTH = 100
INDENT = 2


class Word:
    """A token with the comments that stand at it: own lines before it, one behind it.

    *blank* says that the author left a blank line before the token and its comments, *apart* that
    one is left between them.
    """

    __slots__ = ("after", "apart", "before", "blank", "broken", "closes", "opens", "text", "width")

    def __init__(
        self,
        text: str,
        before: Sequence[OwnLine] = (),
        after: str | None = None,
        blank: bool = False,
        apart: bool = False,
    ) -> None:
        self.text = text
        self.before = before
        self.after = after
        self.blank = blank
        self.apart = apart
        self.opens = bool(before)
        self.closes = after is not None
        self.broken = False
        # A `"""` string keeps its lines; it fits where its first line does.
        self.width = len(text) if "\n" not in text else text.index("\n")


class Comments:
    """Comments on lines of their own that precede no token of the same document."""

    __slots__ = ("before", "blank")
    opens = closes = True
    broken = False
    width = 0

    def __init__(self, before: Sequence[OwnLine], blank: bool) -> None:
        self.before = before
        self.blank = blank


class Space:
    """Spaces between two tokens of one line."""

    __slots__ = ("width",)
    opens = closes = broken = blank = False

    def __init__(self, width: int) -> None:
        self.width = width


class Pad:
    """Spaces that align a column; none where the document stands on one line."""

    __slots__ = ("size",)
    opens = closes = broken = blank = False
    width = 0

    def __init__(self, size: int = 0) -> None:
        self.size = size


class Line:
    """A place where a line may end; *flat* stands there where it does not. A hard one always ends.

    *spaced* leaves a blank line behind where the line ends.
    """

    __slots__ = ("broken", "flat", "spaced", "width")
    opens = closes = blank = False

    def __init__(self, flat: str = " ", *, hard: bool = False, spaced: bool = False) -> None:
        self.flat = flat
        self.spaced = spaced
        self.broken = hard
        self.width = len(flat)


class Concat:
    """Documents one behind the other."""

    __slots__ = ("blank", "broken", "closes", "opens", "parts", "width")

    def __init__(self, *parts: Doc | None) -> None:
        self.parts: list[Doc] = []
        self.width = 0
        self.broken = self.opens = self.closes = self.blank = False
        for part in parts:
            if part is not None:
                self.append(part)

    def append(self, part: Doc) -> None:
        if self.parts:
            self.broken = self.broken or part.broken or part.opens or self.closes
        else:
            self.broken, self.opens, self.blank = part.broken, part.opens, part.blank
        self.width += part.width
        self.closes = part.closes
        self.parts.append(part)


class _Around:
    """A document that says how another one is laid out."""

    __slots__ = ("inner",)

    def __init__(self, inner: Doc) -> None:
        self.inner = inner

    @property
    def width(self) -> int:
        return self.inner.width

    @property
    def broken(self) -> bool:
        return self.inner.broken

    @property
    def opens(self) -> bool:
        return self.inner.opens

    @property
    def closes(self) -> bool:
        return self.inner.closes

    @property
    def blank(self) -> bool:
        return self.inner.blank


class Group(_Around):
    """On one line if it fits."""

    __slots__ = ()


class Nest(_Around):
    """Its further lines are indented by one step more."""

    __slots__ = ()


class Align(_Around):
    """Its further lines begin where it begins."""

    __slots__ = ()


class Column(_Around):
    """Its further lines begin *shift* columns from where the document around it has them."""

    __slots__ = ("shift",)

    def __init__(self, shift: int, inner: Doc) -> None:
        super().__init__(inner)
        self.shift = shift


Doc: TypeAlias = Word | Comments | Space | Pad | Line | Concat | Group | Nest | Align | Column

SPACE = Space(1)


def render(document: Doc) -> str:
    """The text of *document*, with a newline at its end unless it is empty."""
    printer = _Printer()
    printer.run(document)
    return "".join(printer.out) + ("\n" if printer.out else "")


def end_column(document: Doc, column: int) -> int:
    """The column behind the last line of *document*, printed at *column*."""
    printer = _Printer()
    printer.pad = column
    printer.run(Align(document))
    return printer.at()


_Entry: TypeAlias = tuple[int, bool, Doc]  # the indentation, whether it is flat, the document


class _Printer:
    """The text so far. Line ends and spaces wait until something follows them, so that no line ends
    in a space and several line ends in a row are one."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.column = 0  # behind what is written
        self.ends = 0  # line ends that wait
        self.pad = 0  # spaces that wait
        self.due = False  # a comment ends what is written: nothing may follow it on its line

    @property
    def fresh(self) -> bool:
        """Will the next token begin a line?"""
        return self.ends > 0 or not self.out

    def at(self) -> int:
        """Where the next token will begin."""
        return self.pad if self.fresh else self.column + self.pad

    def run(self, document: Doc) -> None:
        stack: list[_Entry] = [(0, False, document)]
        while stack:
            indent, flat, doc = stack.pop()
            match doc:
                case Word():
                    self.word(doc, indent)
                case Concat():
                    stack.extend((indent, flat, part) for part in reversed(doc.parts))
                case Space():
                    self.pad += 0 if self.fresh or self.due else doc.width
                case Line():
                    if flat and not self.due:
                        self.pad += doc.width
                    else:
                        self.end_line(indent, doc.spaced)
                case Group():
                    stack.append((indent, flat or self.fits(doc, indent, stack), doc.inner))
                case Nest():
                    stack.append((indent + INDENT, flat, doc.inner))
                case Align():
                    stack.append((self.align(doc, indent), flat, doc.inner))
                case Column():
                    stack.append((indent + doc.shift, flat, doc.inner))
                case Comments():
                    self.comments(doc.before, indent)
                case Pad():
                    self.pad += 0 if flat else doc.size

    # --- pieces

    def word(self, word: Word, indent: int) -> None:
        if word.before:
            self.comments(word.before, indent)
            self.end_line(self.pad, word.apart)
        elif self.due:
            self.end_line(indent + INDENT)
        self.write(word.text)
        if word.after is not None:
            self.out.append("  " + word.after)
            self.due = True

    def comments(self, comments: Iterable[OwnLine], indent: int) -> None:
        """Comments on lines of their own; what follows begins in their column."""
        if self.due or not self.fresh:
            self.end_line(indent + INDENT)
        column = self.pad
        for number, comment in enumerate(comments):
            self.end_line(column, comment.blank and number > 0)
            self.write(comment.text)
            self.end_line(column)

    def align(self, document: Align, indent: int) -> int:
        if self.due or (document.opens and not self.fresh):
            self.end_line(indent + INDENT)
        return self.at()

    def write(self, text: str) -> None:
        if self.fresh:
            self.out.append("\n" * self.ends)
            self.column = 0
        self.out.append(" " * self.pad + text)
        if "\n" in text:
            self.column = len(text) - text.rindex("\n") - 1
        else:
            self.column += self.pad + len(text)
        self.ends = self.pad = 0

    def end_line(self, indent: int, spaced: bool = False) -> None:
        if self.out:
            self.ends = max(self.ends, 2 if spaced else 1)
        self.pad = indent
        self.due = False

    # --- does it fit?

    def fits(self, group: Group, indent: int, stack: Sequence[_Entry]) -> bool:
        """Does *group* fit on the line, with what follows it up to the next line end?"""
        if group.broken:
            return False
        start = indent + INDENT if self.due else self.at()
        room = WIDTH - start - group.width
        if room < 0 or group.closes:
            return room >= 0
        for piece in _pieces(stack):
            if piece is None:
                return True
            room -= piece
            if room < 0:
                return False
        return True


def _pieces(stack: Sequence[_Entry]) -> Iterator[int | None]:
    """The widths of what follows on a line; None where the line may end."""
    for _, flat, document in reversed(stack):
        waiting = [iter((document,))]
        while waiting:
            doc = next(waiting[-1], None)
            if doc is None:
                waiting.pop()
            elif isinstance(doc, Concat):
                waiting.append(iter(doc.parts))
            elif isinstance(doc, _Around):
                waiting.append(iter((doc.inner,)))
            elif doc.opens or (isinstance(doc, Line) and not flat):
                yield None
            else:
                yield doc.size if isinstance(doc, Pad) and not flat else doc.width
                if doc.closes or (isinstance(doc, Word) and "\n" in doc.text):
                    yield None
