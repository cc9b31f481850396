"""C109: of two equal values of any ordered type neither is less, and the six comparisons agree."""

from __future__ import annotations

import json

import pytest
from goalspec import Monitor, compile_text

ORDERED = {  # a type, two spellings of one value, and a greater one
    "int": (3, 3.0, 4),
    "number": (0.1, 0.10, 0.11),
    "percent": ("50%", "50.0%", "50.1%"),
    "percent as ratio": (0.5, "50%", 0.51),
    "duration": ("60s", "1m", "60001ms"),
    "duration as ms": (1500, "1.5s", 1501),
    "size": ("1KB", "1000B", "1KiB"),
    "money USD": ("5 USD", "5.00 USD", "5.01 USD"),
    "time": (
        "2025-03-01T10:00Z",
        "2025-03-01T11:00:00.000+01:00",
        "2025-03-01T10:00:00.000000001Z",
    ),
    "date": ("2025-02-28", "2025-02-28", "2025-03-01"),
    "version": ("1.0.0", "v1.0.0+linux", "1.0.1-rc.1"),
    '"low" < "high"': ("low", "low", "high"),
}
COMPARISONS = ("<", "<=", "==", "!=", ">=", ">")
EQUAL = [False, True, True, False, True, False]
LESS = [True, True, False, True, False, False]
GREATER = [False, False, False, True, True, True]


@pytest.mark.parametrize("type", ORDERED)
def test_the_six_comparisons_agree(type: str) -> None:
    criteria = "".join(
        f'  criterion p{n} "It holds" check a.x {op} b.x\n'
        f'  criterion n{n} "It does not" check not (a.x {op} b.x)\n'
        for n, op in enumerate(COMPARISONS)
    )
    compiled = compile_text(
        f'facts {{\n  a.x : {type}\n  b.x : {type}\n}}\ngoal g {{\n  objective "o"\n{criteria}}}\n'
    )
    assert compiled.document is not None, [d.message for d in compiled.diagnostics]
    monitor = Monitor(compiled.document.goals[0])
    value, respelt, more = ORDERED[type]
    for left, right, holds in (
        (value, respelt, EQUAL), (respelt, value, EQUAL), (value, value, EQUAL),
        (value, more, LESS), (respelt, more, LESS), (more, value, GREATER), (more, respelt, GREATER),
    ):  # fmt: skip
        verdict = monitor.observe(json.loads(json.dumps({"a.x": left, "b.x": right})))
        found = {result.id: result.outcome for result in verdict.criteria}
        for n, (op, held) in enumerate(zip(COMPARISONS, holds, strict=True)):
            words = ("met", "unmet") if held else ("unmet", "met")
            assert (found[f"p{n}"], found[f"n{n}"]) == words, f"{left} {op} {right}"
