"""The findings as a Code Quality report, which GitLab shows in a merge request.

GitLab knows five severities: an error is `major`, a warning `minor`. It looks for a path from the
repository's root, so the tool has to run there with relative paths. It does not show the name of a
check, so the code is a part of the description too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from ...grammar.diagnostics import Diagnostic, Severity
from ..terminal import json_text
from .fingerprints import fingerprints
from .words import statement

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor"}


def render(diagnostics: Sequence[Diagnostic], files: int, *, color: bool) -> str:
    """The report as a JSON array, empty where nothing was found."""
    found = sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key)
    return json_text([_violation(*pair) for pair in zip(found, fingerprints(found), strict=True)])


def _violation(diagnostic: Diagnostic, fingerprint: str) -> dict[str, Any]:
    return {
        "description": f"{diagnostic.code.id}: {statement(diagnostic)}",
        "check_name": diagnostic.code.name,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[diagnostic.severity],
        "location": {
            "path": PurePath(diagnostic.path).as_posix(),
            "lines": {"begin": diagnostic.start.line},
        },
    }
