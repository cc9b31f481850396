"""What a rule is, and what it sees: a node, the nodes around it, and what they mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Literal, TypeVar

from ...grammar import syntax as s
from ...grammar.diagnostics import Code, Diagnostic, Fix, Label
from ...grammar.source import Source, Span
from ..compilation import Checked
from ..context import Lowered
from ..ir import document as ir

_Node = TypeVar("_Node")
_LONGEST = 60  # of a text in a message


class Place:
    """Where a rule looks: a checked file, and the nodes around the one that it is shown."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.around: list[Any] = []  # outermost first

    @property
    def source(self) -> Source:
        return self.checked.unit.source

    def written(self, node: Any) -> str:
        """*node* as it stands in the file."""
        return self.source.text[node.span.start : node.span.end]

    def briefly(self, node: Any) -> str:
        """*node* on one line, cut where it is long: for messages."""
        text = " ".join(self.written(node).split())
        return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"

    def meaning(self, node: s.Expr) -> Lowered | None:
        """The IR and the type of an expression; None for one that was not checked."""
        return self.checked.unit.lowered.get(id(node))

    def nearest(self, kind: type[_Node]) -> _Node | None:
        """The innermost node of *kind* around this one."""
        return next((node for node in reversed(self.around) if isinstance(node, kind)), None)

    @property
    def outer(self) -> Any:
        """The node directly around this one."""
        return self.around[-1]

    def merged(self, goal: s.Goal) -> ir.Goal | None:
        """*goal* with its presets; None where it has errors."""
        return self.checked.goals.get(goal.id.text)


class Rule(ABC):
    """One thing that deserves a look.

    *code* is its page: why, a file that has it, one that has not. It is shown every node of the
    kinds *on*, in files that have no error; with *broken* also in those that have some, where
    nothing is known of meaning.
    """

    code: ClassVar[Code]
    on: ClassVar[tuple[type, ...]]
    fix: ClassVar[Literal["safe", "unsafe"] | None] = None
    broken: ClassVar[bool] = False

    @abstractmethod
    def look(self, node: Any, at: Place) -> Iterator[Diagnostic]:
        """What is to be said of *node*."""

    def finding(
        self,
        at: Place,
        span: Span,
        message: str,
        hint: str | None = None,
        fix: Fix | None = None,
        labels: tuple[Label, ...] = (),
    ) -> Diagnostic:
        return Diagnostic(self.code, at.source, span, message, hint, labels, fix)
