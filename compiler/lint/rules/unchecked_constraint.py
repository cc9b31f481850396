from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ... import typing as t
from ...ir.document import Fact
from ...ir.types import ListType, SetType
from ..mentions import first_path, words
from ..rule import Place, Rule

# A constraint about files speaks of what may be done to them.
_TOUCHING = frozenset(
    words(
        "add added alone alter altered change changed changing delete deleted edit edited keep "
        "leave modified modifies modify nothing only outside remain remove removed rename renamed "
        "stay touch touched touches unchanged unmodified untouched"
    )
)
_CHANGED = frozenset("change changed diff file modified touched".split())
_NUMBERS = frozenset("duration int money number percent size".split())
_CHECKABLE = _NUMBERS | {"bool", "enum", "list", "map", "set"}
_MOST = 20  # facts whose names end in one word, that one constraint is compared with

_Named = dict[str, list[tuple[frozenset[str], str]]]


class UncheckedConstraint(Rule):
    """A constraint for the judge, beside facts that could decide it."""

    code = Code(
        "GS406", "unchecked-constraint", "lint", Severity.WARNING,
        "The constraint has no check, though the file has a fact for what it speaks of: it names a "
        "path, and the files that changed are known, or its words are those of a fact. A judge "
        "looks now and then, costs money and may err; a check holds at every observation. Words "
        "are compared in English only.",
        """\
facts {
  diff.files : set of path
}

goal g {
  objective "Mend the login."
  criterion tested "A test for the login changes"
    check any f in diff.files: f like "tests/login/**"
  constraint no-auth "Do not touch auth.go"
  judge { max_invocations 3 }
}
""",
        """\
facts {
  diff.files : set of path
}

goal g {
  objective "Mend the login."
  criterion tested "A test for the login changes"
    check any f in diff.files: f like "tests/login/**"
  constraint no-auth "Do not touch auth.go"
    check none f in diff.files: f like "**/auth.go"
}
""",
    )  # fmt: skip
    on = (s.File,)

    def look(self, node: s.File, at: Place) -> Iterator[Diagnostic]:
        facts = [declared.fact for declared in at.checked.facts.values()]
        files = _changed_files(facts)
        named = _by_last_word(facts)
        for block in node.statements:
            if not isinstance(block, s.Goal | s.Preset):
                continue
            protected = _protected(block)
            for part in block.parts:
                if isinstance(part, s.Part) and part.kind == "constraint" and not _decides(part):
                    yield from self._constraint(part, files, named, protected, at)

    def _constraint(
        self, part: s.Part, files: str | None, named: _Named, protected: set[str], at: Place
    ) -> Iterator[Diagnostic]:
        if not isinstance(part.text, s.Literal):
            return
        text = str(part.text.value)
        said = words(text)
        path = first_path(text) if files and not _TOUCHING.isdisjoint(said) else None
        if path is not None:
            written, glob = path
            if not protected.isdisjoint(path):
                return
            quantifier = "all" if "only" in said else "none"
            yield self.finding(
                at, part.text.span, f"the constraint names `{written}` and has no check, though "
                f"the fact `{files}` tells which files change",
                f'write `check {quantifier} f in {files}: f like "{glob}"`',
            )  # fmt: skip
            return
        fact = _fact_of(said, named)
        if fact is not None:
            yield self.finding(
                at, part.text.span, f"the constraint has no check, though the fact `{fact}` is "
                "about the same", f"write a `check` that reads `{fact}`",
            )  # fmt: skip


def _decides(part: s.Part) -> bool:
    return any(clause.keyword == "check" for clause in part.clauses)


def _protected(block: s.Goal | s.Preset) -> set[str]:
    """The globs that the block protects: what is named there needs no check."""
    return {
        str(glob.value)
        for part in block.parts
        if isinstance(part, s.Protect)
        for glob in part.globs
        if isinstance(glob, s.Literal)
    }


def _changed_files(facts: list[Fact]) -> str | None:
    """The fact that lists what changed; `diff.files` where there are several."""
    found = []
    for fact in facts:
        of = t.base(fact.type)
        if isinstance(of, ListType | SetType) and of.of.kind == "path":
            said = words(fact.name)
            if not _CHANGED.isdisjoint(said):
                found.append((fact.name != "diff.files", said[-1] != "file", fact.name))
    return min(found)[2] if found else None


def _by_last_word(facts: Iterable[Fact]) -> _Named:
    """By the last word of its name, what a text must say to be about a fact."""
    named: _Named = {}
    for fact in facts:
        kind = t.base(fact.type).kind
        said = words(fact.name)
        last = words(fact.name.rpartition(".")[2])
        required = last if len(last) > 1 else said
        if kind not in _CHECKABLE or (len(required) == 1 and kind not in _NUMBERS):
            continue
        if len(required) > 1 or len(required[0]) > 5:
            kept = named.setdefault(required[-1], [])
            if len(kept) < _MOST:
                kept.append((frozenset(required), fact.name))
    return named


def _fact_of(said: list[str], named: _Named) -> str | None:
    everything = set(said)
    return next(
        (fact for word in said for needed, fact in named.get(word, ()) if needed <= everything),
        None,
    )
