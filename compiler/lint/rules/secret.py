from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ....grammar.source import Span
from ..rule import Place, Rule


class _Shape(NamedTuple):
    """A kind of secret: each holds one of the marks, and has the form. The form's group, or all of
    it, is secret; it begins where no longer word does, so that no text is scanned twice."""

    what: str
    marks: tuple[str, ...]
    form: str  # compiled when a text first has a mark of it


def _shape(what: str, marks: str, form: str) -> _Shape:
    return _Shape(what, tuple(marks.split()), rf"(?<![A-Za-z0-9_-]){form}")


_SHAPES = (
    _shape("a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}\b"),
    _shape("a GitHub token", "github_pat_", r"github_pat_\w{22,255}"),
    _shape("a GitLab token", "glpat-", r"glpat-[\w-]{20,}"),
    _shape("an AWS access key", "AKIA ASIA", r"(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    _shape("a Slack token", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{20,}"),
    _shape("an Anthropic key", "sk-ant-", r"sk-ant-[\w-]{20,}"),
    _shape("an OpenAI key", "sk-", r"sk-(?:(?:proj|svcacct|admin)-[\w-]{20,}|[A-Za-z0-9]{40,})"),
    _shape("a Google API key", "AIza", r"AIza[\w-]{35}(?![\w-])"),
    _shape("a Stripe key", "k_live_", r"[rs]k_live_[A-Za-z0-9]{16,}"),
    _shape("an npm token", "npm_", r"npm_[A-Za-z0-9]{36}\b"),
    _shape("a PyPI token", "pypi-AgE", r"pypi-AgE[\w-]{50,}"),
    _shape("a JSON Web Token", "eyJ", r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}"),
    _Shape("a private key", ("PRIVATE KEY",), (
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[\s#]|\\n){1,40}[A-Za-z0-9+/=]{20,}"
    )),
    _Shape("a password in a URL", ("://",), (
        r"://[^\s/:@?#\"']{0,100}:([^\s/@\"']{1,100})@(?=[\w\[])"
    )),
)  # fmt: skip
# What stands for a secret in an example.
_PLACEHOLDER = (
    r"(?i)[$<{%*\[].*|.*(?:example|x{4}|\.{3}|…).*"
    r"|(?:my)?(?:pass|passwd|password|pw|pwd|secret|token|user)"
)


class Secret(Rule):
    """A token, a key or a password in the file."""

    code = Code(
        "GS417", "secret", "lint", Severity.ERROR,
        "A goal file goes into the repository, into prompts and into the records of each run, and "
        "a secret in it goes with it. Take it out and revoke it, since it stays in the history. "
        "Name where it is kept instead. Tokens are known by the shapes that their issuers give "
        "them; placeholders such as `<password>` or `$TOKEN` are let be.",
        """\
facts from run "psql postgres://ci:hunter2@db.example/app -c 'select 1'" {
  db.up : bool
}

goal g {
  objective "Move the database."
  criterion up "The new database answers"
    check db.up
}
""",
        """\
facts from run "psql postgres://ci:$DB_PASSWORD@db.example/app -c 'select 1'" {
  db.up : bool
}

goal g {
  objective "Move the database."
  criterion up "The new database answers"
    check db.up
}
""",
        conceals=True,
    )  # fmt: skip
    on = (s.File,)
    broken = True

    def look(self, node: s.File, at: Place) -> Iterator[Diagnostic]:
        text = at.source.text
        for shape in _SHAPES:
            if not any(mark in text for mark in shape.marks):
                continue
            for match in re.finditer(shape.form, text):
                group = match.re.groups
                if not re.fullmatch(_PLACEHOLDER, match[group]) and len(set(match[group])) > 4:
                    yield self.finding(
                        at, Span(*match.span(group)), f"this looks like {shape.what}",
                        "take it out and revoke it; write where it is kept instead",
                    )  # fmt: skip
