"""What goalspec says about a file: diagnostics as plain values, and the catalogue of their codes.

Whoever finds a fault makes a Diagnostic; whoever prints one (terminal, JSON, SARIF, annotations)
only formats it. A message says what is wrong, the span where, the hint what to write instead, and
the code's page (`goalspec explain`) why.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from .source import Position, Source, Span


class Severity(StrEnum):
    """How bad a finding is: an error refuses the file, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of diagnostic: a stable id, a name, and the page that `explain` prints.

    *stage* is the part of the pipeline that finds it: lex, parse, resolve, type, lint, run.
    *why* says why it is refused; *bad* and *good* are whole files (or, for stage run, facts).
    What a finding that *conceals* marks is not to be shown.
    """

    id: str
    name: str
    stage: str
    severity: Severity
    why: str
    bad: str
    good: str
    conceals: bool = False

    @property
    def can_be_silenced(self) -> bool:
        """May a comment, a setting or a baseline silence it? Errors of the language mean that the
        file means nothing: they are always told."""
        return self.stage == "lint" or self.severity is Severity.WARNING


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that helps to understand the first, with a few words."""

    source: Source
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace *span* of the finding's source by *text*."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that end a finding, in the finding's own source, none over another.

    *safe* where no verdict on any facts can change; the others are a person's to decide.
    """

    title: str  # what they do, in the imperative: "write `suite.passed`"
    edits: tuple[Edit, ...]
    safe: bool


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: *message* at *span* of *source*, under *code*."""

    code: Code
    source: Source
    span: Span
    message: str
    hint: str | None = None
    labels: tuple[Label, ...] = ()
    fix: Fix | None = None

    @property
    def severity(self) -> Severity:
        return self.code.severity

    @property
    def path(self) -> str:
        return self.source.path

    @property
    def start(self) -> Position:
        return self.source.position(self.span.start)

    @property
    def end(self) -> Position:
        return self.source.position(self.span.end)

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        return (self.source.path, self.span.start, self.span.end, self.code.id, self.message)


def nearest(name: str, known: Collection[str]) -> str | None:
    """The known name closest to *name*, if one is close enough to be meant."""
    from difflib import get_close_matches

    if len(known) > 2_000 or len(name) > 200:  # difflib compares quadratically
        return None
    matches = get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    if matches:
        return matches[0]
    folded = {candidate.lower().replace("_", "-"): candidate for candidate in sorted(known)}
    return folded.get(name.lower().replace("_", "-"))
