"""Goals that the tests of the host's API share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goalspec import compile_text
from goalspec.compiler.ir import Document


def ci_green(facts: Mapping[str, Any]) -> Any:
    return facts.get("ci_green")


FLAKY: dict[str, Any] = {
    "objective": "Fix the flaky login test",
    "success_criteria": [
        "the suite passes twice in a row",
        {"id": "green", "description": "CI is green", "check": ci_green},
    ],
    "constraints": ["do not touch auth.go"],
    "budget": {"max_cost_usd": 5.0},
}


def compiled(text: str) -> Document:
    document = compile_text(text).document
    assert document is not None
    return document


LANDING = compiled("""
facts {
  suite.passed : bool
  diff.files   : set of path
}
facts lasting {
  review.approvals : int in 0..
  deploy.broken    : bool
}

goal land {
  objective "Land the change."
  criterion stable "The suite passes twice in a row"
    check suite.passed for 2 runs
  awaited criterion approved "Somebody approves"
    check review.approvals >= 1
  constraint no-auth "auth.go stays as it is"
    check all f in diff.files: not (f like "**/auth.go")
  stop broken "The deployment broke"
    check deploy.broken
  budget { turns 25  attempts 4  cost 5.00 USD }
  judge  { model "judge-1"  max_invocations 2 }
}
""")
