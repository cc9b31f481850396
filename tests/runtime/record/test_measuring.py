"""The canonical record, and how large it may be."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from goalspec.compiler.ir.document import Retired
from goalspec.runtime.record import (
    MAX_BESIDE,
    MAX_RECORD,
    BadRecord,
    Metadata,
    Record,
    canonical_record,
    measure,
    measure_beside,
    read_record,
    write_record,
)
from goalspec.tests.runtime.record.records import FULL, GOAL, at


@pytest.mark.row("H16")
def test_the_canonical_record_is_six_fields() -> None:
    assert canonical_record(FULL) == {
        "spec": {
            "objective": "Ship it.",
            "success_criteria": [
                {"id": "passes", "description": "The suite passes"},
                {"id": "clean", "description": "The linter is silent"},
            ],
            "retired_criteria": [],
            "constraints": ["Nobody is woken up"],
            "budget": {"max_cost_usd": 5, "max_iterations": 25, "wall_clock_ms": 14_400_000},
        },
        "metadata": {
            "acceptance_note": "Two people look at it.",
            "criterion_sources": {"passes": {"issue": 12}},
            "verification": {"command": "make check", "source": {"file": "CONTRIBUTING.md"}},
            "source": ["a", 1, None],
        },
        "generation": 3,
        "created_at": at(0),
        "updated_at": at(9),
        "turn": {"state": "open", "run": "run-7", "opened_at": at(5)},
    }
    assert canonical_record(Record(session="s"))["spec"] is None


@pytest.mark.row("H19")
@pytest.mark.ruling(45)
@pytest.mark.parametrize("char", ["a", "é", "😀", "\n", '"'])
def test_the_measure_is_the_bytes_of_the_canonical_json(char: str) -> None:
    bare = replace(FULL, metadata=Metadata(acceptance_note=""))
    width = len(json.dumps(char, ensure_ascii=False).encode()) - 2
    count, rest = divmod(MAX_RECORD - measure(bare), width)
    full = replace(bare, metadata=Metadata(acceptance_note=char * count + "a" * rest))
    assert measure(full) == MAX_RECORD
    assert read_record(write_record(full)) == full
    over = replace(bare, metadata=Metadata(acceptance_note=char * count + "a" * (rest + 1)))
    with pytest.raises(BadRecord, match="the record has 65537 bytes, 65536 is the most"):
        read_record(write_record(over))


@pytest.mark.ruling(45)
def test_what_stands_beside_has_a_measure_of_its_own() -> None:
    room = MAX_BESIDE - measure_beside(replace(FULL, monitor=""))
    full = replace(FULL, monitor="é" * (room // 2) + "a" * (room % 2))
    assert measure_beside(full) == MAX_BESIDE
    assert measure(full) == measure(FULL)
    assert read_record(write_record(full)) == full
    with pytest.raises(BadRecord, match="has 1048577 bytes, 1048576 is the most"):
        read_record(write_record(replace(full, monitor=full.monitor + "a")))


@pytest.mark.row("H19")
def test_a_retired_criterion_keeps_its_id_beside_an_active_one() -> None:
    goal = replace(
        GOAL, retired=(Retired(id="passes", text="It passed"), Retired(id="old", text="x"))
    )
    record = replace(FULL, goal=goal, metadata=Metadata(criterion_sources={"old": 1, "passes": 2}))
    assert read_record(write_record(record)) == record
    assert canonical_record(record)["spec"]["retired_criteria"][0]["id"] == "passes"
