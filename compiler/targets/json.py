"""The compiled file itself: every fact, goal and test in the IR, as canonical JSON (RFC 8785), the
same bytes for the same contract. `goalspec schema` prints its JSON Schema. Presets are merged, each
goal has its contract's hash, and `source` says which files took part and where each part stands;
`goalspec compile --explain` shows that as a table.

It is the one target that writes an artifact for a file, not for a goal, and the one whose stamp is
the document's own: `contract` in each goal, `ir_version`, and the digests of the files."""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.canonical import write_document
from .target import Artifact, Request, Target


def _artifacts(request: Request) -> Iterator[Artifact]:
    yield Artifact(f"{request.stem}.json", write_document(request.document))


TARGET = Target(
    name="json",
    summary="The compiled file: the IR as canonical JSON, with each goal's contract hash.",
    writes=("STEM.json",),
    artifacts=_artifacts,
)
