"""The page of a code in Markdown: `goalspec explain` prints it, `docs/codes/` and, for lint,
`docs/rules/` hold it."""

from __future__ import annotations

from ..grammar.diagnostics import Code

_STAGES = {
    "lex": "reading the text",
    "parse": "parsing",
    "resolve": "resolving names and files",
    "type": "checking types",
    "lint": "linting, where the file has no error",
    "run": "reading facts and files as a command runs",
}


_FIXES = {
    "safe": "`goalspec lint --fix` mends it; no verdict changes.",
    "unsafe": "`goalspec lint --fix --unsafe-fixes` mends it; verdicts may change, so read the "
    "difference.",
}


def page(code: Code, fix: str | None = None) -> str:
    """What *code* means, why, an example that has it, and one that does not; *fix* is the kind of
    fix that its rule has."""
    mended = f"\n{_FIXES[fix]}\n" if fix else ""
    return (
        f"# {code.id} {code.name}\n\n"
        f"{code.severity.value.capitalize()}, found while {_STAGES[code.stage]}.\n{mended}\n"
        f"## Why\n\n{code.why}\n\n"
        f"## Instead of\n\n```goal\n{_shown(code.bad)}\n```\n\n"
        f"## Write\n\n```goal\n{_shown(code.good)}\n```\n"
    )


def _shown(example: str) -> str:
    """An example in which what does not show is named, so that nobody copies it unseen."""
    return "".join(
        char if char.isprintable() or char == "\n" else f"⟨U+{ord(char):04X}⟩"
        for char in example.rstrip()
    )
