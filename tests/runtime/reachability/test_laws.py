"""Laws of reclaiming, over random transcripts and over any JSON (row H06)."""

from __future__ import annotations

import copy
import sys
from types import FrameType
from typing import Any

import pytest
from goalspec.compiler.pinning import RootKind
from goalspec.runtime.reachability import Policy, Projection, Root, reclaim
from goalspec.runtime.reachability.results import calls, results
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

FILES = [
    "src/old.rs",
    "src/auth/session.rs",
    "lib/a.py",
    "docs/設計.md",
    "файл/имя.txt",
    "Makefile",
]
NAMES = [*FILES, "CustomerRecord", "retry_policy", "#12", "abc1234", "widget", "store::Session"]
JOINS = [" ", "\n", "\\n", ", ", "./", "/repo/", "(", "を", "\x1b[31m", '"', ":42 "]

texts = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from([*NAMES, *JOINS, "read", "value\n" * 60]), max_size=12).map("".join),
)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
KEYS = ["role", "content", "tool_calls", "id", "type", "arguments", "function", "status", "text"]
anything = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=20,
)
ids = st.sampled_from(["c1", "c2", "c3"])


def a_call(id: str, text: str) -> dict[str, Any]:
    made = [{"id": id, "name": "read", "arguments": {"path": text}}]
    return {"role": "assistant", "content": "", "tool_calls": made}


def an_answer(id: str, text: Any, fields: dict[str, Any]) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": text, **fields}


def blocks(found: list[tuple[str, str]]) -> dict[str, Any]:
    parts = [{"type": "tool_result", "tool_use_id": id, "content": text} for id, text in found]
    return {"role": "user", "content": parts}


more_fields = st.sampled_from([{}, {"is_error": True}, {"data": {"object_id": "widget"}}])
messages = st.one_of(
    st.builds(lambda role, text: {"role": role, "content": text}, st.sampled_from(["user", "assistant"]), texts),
    st.builds(a_call, ids, texts),
    st.builds(an_answer, ids, texts | st.lists(st.builds(lambda t: {"type": "text", "text": t}, texts)), more_fields),
    st.builds(blocks, st.lists(st.tuples(ids, texts), max_size=3)),
    anything,
)  # fmt: skip
transcripts = st.lists(messages, max_size=12)
KINDS: list[RootKind] = ["path", "directory", "glob", "symbol", "hash", "issue", "id"]
roots = st.lists(
    st.builds(Root, st.sampled_from(KINDS), st.sampled_from(NAMES) | st.text(max_size=8)) | texts,
    max_size=4,
)
policies = st.builds(Policy, st.integers(0, 4), st.sampled_from([0, 100, 300]))
folders = st.sampled_from([None, "/repo", "/"])
lenient = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)


def pointers(projection: Projection) -> set[str]:
    return {result.place for result in projection.reclaimed}


@pytest.mark.row("H06")
@lenient
@given(anything, roots, policies, folders)
def test_any_json_has_an_answer(value: Any, given: Any, policy: Policy, folder: str | None) -> None:
    projection = reclaim(value, given, policy, folder)
    assert projection.to_json()["reclaimed"] == len(projection.reclaimed)
    if not projection.reclaimed:
        assert projection.messages is value


@pytest.mark.row("H06")
@lenient
@given(transcripts, roots, policies, folders)
def test_shape_is_kept(before: Any, given: Any, policy: Policy, folder: str | None) -> None:
    original = copy.deepcopy(before)
    after = reclaim(before, given, policy, folder)
    assert before == original
    assert len(after.messages) == len(before)
    touched = {result.index for result in after.reclaimed}
    for index, (new, old) in enumerate(zip(after.messages, before, strict=True)):
        assert (new is old) is (index not in touched)
        if new is not old:
            assert list(new) == list(old)
            assert {**new, "content": 0} == {**old, "content": 0}
    pairs = [
        [(r.index, r.block, r.id, r.call) for r in results(m)] for m in (before, after.messages)
    ]
    assert pairs[0] == pairs[1]
    made = [[list(calls(m)) for m in ms if isinstance(m, dict)] for ms in (before, after.messages)]
    assert made[0] == made[1]
    stale = max(len(before) - policy.window, 0)
    assert all(result.index < stale for result in after.reclaimed)


@pytest.mark.row("H06")
@lenient
@given(transcripts, roots, policies, folders)
def test_twice_is_once(before: Any, given: Any, policy: Policy, folder: str | None) -> None:
    once = reclaim(before, given, policy, folder)
    again = reclaim(once.messages, given, policy, folder)
    assert again.messages is once.messages


@pytest.mark.row("H06")
@lenient
@given(transcripts, roots, roots, policies, folders)
def test_another_root_never_reclaims_more(
    before: Any, some: Any, more: Any, policy: Policy, folder: str | None
) -> None:
    fewer = reclaim(before, some, policy, folder)
    assert pointers(reclaim(before, [*some, *more], policy, folder)) <= pointers(fewer)
    longer = Policy(policy.window + 1, policy.min_chars)
    assert {r.place for r in reclaim(before, some, longer, folder).reclaimed} <= pointers(fewer)


openings = st.sampled_from(["", "(", '"', "`", "in ", "値は", "--file=", "\x1b[1m", "done\\n"])
closings = st.sampled_from(["", ")", '"', "`", ", see", "を読む", "\x1b[0m", "\\n", ": no"])
spelled = st.sampled_from(["{}", "./{}", "/repo/{}", "{}:42", "{}:42:7", "a/{}", "{}#L3", "{}."])


@pytest.mark.row("H06")
@lenient
@given(st.sampled_from(FILES[:5]), spelled, spelled, openings, closings, texts, folders)
def test_what_is_pinned_stays(
    path: str, pinned: str, mention: str, before: str, after: str, text: str, folder: str | None
) -> None:
    """In whatever spelling it is pinned and mentioned, and whatever else stands there."""
    assume(folder != "/" or "/repo/" not in pinned + mention)
    assume(pinned not in ("a/{}", "{}.", "{}#L3"))  # these are spellings of mentions only
    body = f"{text}\n{before}{mention.format(path)}{after}\n" + "value\n" * 60
    root = Root("path", pinned.format(path))
    kept = reclaim([an_answer("c", body, {})], [root], Policy(0, 100), folder)
    assert kept.reclaimed == ()


def operations(messages: list[Any], given: list[Root]) -> int:
    """The calls of functions, in Python and in C, that a run makes."""
    count = 0

    def tick(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(tick)
    try:
        reclaim(messages, given)
    finally:
        sys.setprofile(before)
    return count


def long_session(pairs: int, body: str) -> list[Any]:
    made: list[Any] = []
    for number in range(pairs):
        made += [a_call(f"c{number}", f"lib/f{number}.py"), an_answer(f"c{number}", body, {})]
    return made


@pytest.mark.row("H06")
@pytest.mark.parametrize(
    "body",
    [
        "value\n" * 200,
        "src/x.rs: old.rs, lib.rs and src/y.rs\n" * 20,  # every word of the root, and not the root
        "".join(f"see src/m{number}/old.rs\n" for number in range(50)),
        "see org/x#12 and https://host/org/x/issues/12 and lib%2Fold.rs\n" * 20,
    ],
)
def test_the_work_grows_with_the_transcript(body: str) -> None:
    given = [Root("path", "src/old.rs"), Root("issue", "org/y#12"), Root("glob", "x/**/*.toml")]
    small, large = (operations(long_session(pairs, body), given) for pairs in (100, 400))
    assert large < 4.2 * small


@pytest.mark.row("H06")
def test_the_work_does_not_multiply_roots_with_results() -> None:
    session = long_session(200, "see lib/other.py and nothing else\n" * 20)
    few, many = (
        operations(session, [Root("path", f"src/part{number}/m.rs") for number in range(count)])
        for count in (100, 1_000)
    )
    alone = operations([], [Root("path", f"src/part{number}/m.rs") for number in range(1_000)])
    assert many - alone < 1.2 * few


@pytest.mark.row("H06")
@pytest.mark.parametrize(
    "body",
    [
        "a/" * 200_000,
        "x" * 1_000_000,
        ":" * 400_000,
        "src/" * 100_000 + "old.rs",
        "#12" * 100_000,
        "\\u0041" * 60_000,
        "%2F" * 100_000,
        "org/x#13 " * 40_000,
        "x" * 300 + "/x#13" * 40_000,
        "://x/x/" * 50_000 + "#13",
    ],
    ids=[
        "folders",
        "a word",
        "signs",
        "a long path",
        "issues",
        "escapes",
        "percent escapes",
        "others' issues",
        "folders before issues",
        "addresses",
    ],
)
def test_a_body_without_end_has_an_answer(body: str) -> None:
    given = [Root("path", "src/old.rs"), Root("directory", "a/b"), Root("glob", "**"), "org/y#13"]
    assert len(reclaim([an_answer("c", body, {})], given, Policy(0)).results) == 1
