"""What a judge was shown and said is kept, on every store alike: in order, within bounds, by the
writer alone, and refused where it was damaged."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.exhibits import Exhibit
from goalspec.runtime.store import LeaseHeld, LeaseLost, Store, StoreError, open_store
from goalspec.runtime.store.encoding import MAX_EXHIBIT
from goalspec.runtime.store.rows import MAX_EVALUATIONS
from goalspec.tests.runtime.store.decisions import Clock, edit

REQUEST = Exhibit("e1", "request", {"nonce": "ab", "evidence": [{"text": "ünï \0 𝒳 \u2028"}]})
CALL = Exhibit("e1", "call", {"took": 1.5, "reply": None})
JUDGEMENT = Exhibit("e1", "judgement", {"calls": [CALL.content], "spent": {"tokens": 2**53 - 1}})
ALL = [REQUEST, CALL, JUDGEMENT]


def kept(store: Store, session: str) -> list[str]:
    """The evaluations whose exhibits are there, oldest first."""
    return list(dict.fromkeys(exhibit.evaluation for exhibit in store.exhibits(session)))


@pytest.mark.row("X14")
def test_exhibits_are_read_as_they_were_filed(store: Store) -> None:
    assert store.exhibits("s") == []
    for exhibit in ALL:
        store.add_exhibit("s", exhibit)
    store.add_exhibit("t", CALL)
    assert store.exhibits("s") == ALL
    assert store.exhibits("t") == [CALL]
    other = Exhibit("e2", "request", None)
    store.add_exhibit("s", other)
    assert store.exhibits("s", "e1") == ALL
    assert store.exhibits("s", "e2") == [other]
    assert store.exhibits("s", "e3") == []


def test_an_exhibit_makes_no_session(store: Store) -> None:
    store.add_exhibit("s", CALL)
    assert store.get("s") is None
    assert store.sessions().stored == []
    assert store.journal("s") == []


@pytest.mark.parametrize("text", ["\udcff", "a\ud83db", "\ud83d\ude00", "\ude00\ud83d", "N\ud800I"])
def test_evidence_that_utf_8_cannot_spell_is_kept(store: Store, text: str) -> None:
    store.add_exhibit("s", Exhibit("e1", "request", {"text": text, text: 1}))
    [read] = store.exhibits("s")
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert read.content == {"text": joined, joined: 1}


@pytest.mark.row("H18")
@pytest.mark.ruling(47)
def test_only_the_live_writer_files(store: Store, clock: Clock) -> None:
    mine = store.lease("s", "me", 60)
    store.add_exhibit("s", REQUEST, lease=mine)
    with pytest.raises(LeaseHeld):
        store.add_exhibit("s", CALL)
    renewed = store.renew(mine, 120)
    clock.go(100)
    store.add_exhibit("s", CALL, lease=mine)
    store.add_exhibit("s", CALL, lease=renewed)
    clock.go(20)
    with pytest.raises(LeaseLost, match="ended at"):
        store.add_exhibit("s", JUDGEMENT, lease=renewed)
    yours = store.lease("s", "you", 60)
    with pytest.raises(LeaseLost, match="you has it, token 2"):
        store.add_exhibit("s", JUDGEMENT, lease=mine)
    with pytest.raises(LeaseLost, match="of session s, not of t"):
        store.add_exhibit("t", JUDGEMENT, lease=yours)
    assert store.exhibits("s") == [REQUEST, CALL, CALL]
    assert store.exhibits("t") == []


@pytest.mark.ruling(45)
def test_the_largest_exhibit_is_kept_and_a_larger_one_refused_with_its_size(store: Store) -> None:
    room = MAX_EXHIBIT - len('{"text":""}')
    largest = Exhibit("e1", "request", {"text": "x" * room})
    store.add_exhibit("s", largest)
    said = r"the request of evaluation e1 has 1,048,577 bytes, 1,048,576 are the most, and nothing"
    with pytest.raises(StoreError, match=said):
        store.add_exhibit("s", Exhibit("e1", "request", {"text": "x" * (room - 1) + "é"}))
    assert store.exhibits("s") == [largest]


DEEP: list[Any] = []
for _ in range(100_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "content", [float("nan"), {1, 2}, object(), DEEP], ids=["nan", "set", "object", "deep"]
)
def test_what_is_not_json_is_not_filed(store: Store, content: Any) -> None:
    with pytest.raises(StoreError, match="the call of evaluation e1 is not JSON, and nothing was"):
        store.add_exhibit("s", Exhibit("e1", "call", content))
    assert store.exhibits("s") == []


def test_what_could_not_be_read_again_is_not_filed(store: Store) -> None:
    with pytest.raises(StoreError, match="call of evaluation e1 could not be read again"):
        store.add_exhibit("s", Exhibit("e1", "call", {"a": 10**500}))
    assert store.exhibits("s") == []


def test_a_kind_or_an_evaluation_that_is_none_is_not_filed(store: Store) -> None:
    with pytest.raises(StoreError, match="'rumour' is not a kind of exhibit"):
        store.add_exhibit("s", Exhibit("e1", "rumour", {}))  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="is no evaluation"):
        store.add_exhibit("s", Exhibit("", "call", {}))
    assert store.exhibits("s") == []


@pytest.mark.ruling(45)
def test_the_exhibits_of_the_last_evaluations_are_kept(store: Store) -> None:
    names = [f"e{number}" for number in range(MAX_EVALUATIONS)]
    for name in names:
        store.add_exhibit("s", Exhibit(name, "request", {}))
        store.add_exhibit("s", Exhibit(name, "judgement", {}))
    store.add_exhibit("other", REQUEST)
    assert kept(store, "s") == names
    store.add_exhibit("s", Exhibit("new", "request", {}))
    assert kept(store, "s") == [*names[1:], "new"]
    # What comes to an old evaluation makes it one of the last, with all that it has.
    store.add_exhibit("s", Exhibit(names[1], "call", {}))
    store.add_exhibit("s", Exhibit("newest", "request", {}))
    assert kept(store, "s") == [names[1], *names[3:], "new", "newest"]
    assert [one.kind for one in store.exhibits("s", names[1])] == ["request", "judgement", "call"]
    assert store.exhibits("other") == [REQUEST]


def test_threads_lose_none(store: Store) -> None:
    def work(name: str) -> None:
        for number in range(20):
            store.add_exhibit("s", Exhibit(name, "call", number))

    threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in "abc":
        assert [one.content for one in store.exhibits("s", name)] == list(range(20))


DAMAGE = {
    "content = '{garbage'": "it is not JSON",
    'content = \'{"a":1,"a":2}\'': "there twice",
    "content = '{\"a\": 1}'": "it is not spelled as it was written",
    "content = '{\"a\":NaN}'": "Out of range",
    "content = x'00ff'": "is not a text",
    "kind = 'rumour'": "'rumour' is not a kind of exhibit",
    "evaluation = 5.5, kind = x'00'": "is not a kind",
    "evaluation = x'00'": "is not an evaluation's id",
}


@pytest.mark.row("X14")
@pytest.mark.parametrize(("change", "said"), DAMAGE.items(), ids=DAMAGE)
def test_a_damaged_exhibit_is_an_error_that_names_it(
    tmp_path: Path, clock: Clock, change: str, said: str
) -> None:
    path = tmp_path / "goals.db"
    store = open_store(str(path), clock)
    for exhibit in ALL:
        store.add_exhibit("s", exhibit)
    edit(path, f"UPDATE goalspec_exhibits SET {change} WHERE number = 2")
    with pytest.raises(
        StoreError, match=r"goals\.db: exhibit 2 of session s cannot be read"
    ) as error:
        store.exhibits("s")
    assert said in str(error.value)
    store.close()


def test_a_filing_whose_answer_was_lost_is_made_once(tmp_path: Path, clock: Clock) -> None:
    """The transaction is done again, under the id that it had."""
    from goalspec.runtime.store.row_store import RowStore

    store = open_store(f"sqlite:///{tmp_path / 'goals.db'}", clock)
    assert isinstance(store, RowStore)
    write = store._write

    def twice(work: Any) -> Any:
        write(work)
        return write(work)

    store._write = twice  # type: ignore[method-assign]
    store.add_exhibit("s", CALL)
    assert store.exhibits("s") == [CALL]
    store.close()
