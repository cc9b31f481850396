"""An exhibit: what a judge was shown, or what came of a call or of the judgement. It is kept with
its session beside the journal, so that no call is paid for twice and each judgement can be made
again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..compiler.ir.node import Json

ExhibitKind: TypeAlias = Literal["request", "call", "judgement"]


@dataclass(frozen=True, slots=True)
class Exhibit:
    """*evaluation* is the id of what was judged; *content* is JSON, as `runtime.judge` writes a
    request, a call's record or a judgement."""

    evaluation: str
    kind: ExhibitKind
    content: Json
