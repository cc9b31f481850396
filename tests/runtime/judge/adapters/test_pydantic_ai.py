"""A judge at a provider, against a server that speaks two providers' protocols and misbehaves."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from goalspec.compiler.ir.document import Goal
from goalspec.compiler.judging import verdict_schema
from goalspec.runtime.judge import (
    Judgement,
    Misconfigured,
    Outage,
    Policy,
    Spent,
    Unusable,
    replay,
)
from goalspec.runtime.judge.adapters import PydanticAICall
from goalspec.runtime.judge.asking import SystemClock, judge
from goalspec.tests.runtime.judge.goals import GOAL, GOOD, request
from goalspec.tests.runtime.judge.providers import Server, Turn, serving

if TYPE_CHECKING:
    from pydantic_ai.profiles import ModelProfile

pytest.importorskip("pydantic_ai", reason="the extra `judge` is not installed")

FAST = Policy(attempts=3, backoff=0.01, max_backoff=0.02, call_timeout=5, deadline=30)
TEXT = json.dumps(GOOD)
ANSWER = Turn(TEXT)


def openai(server: Server, profile: ModelProfile | None = None) -> PydanticAICall:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=f"{server.address}/v1", api_key="key")
    model = OpenAIChatModel("gpt-5", provider=provider, profile=profile)
    return PydanticAICall("gpt-5", "openai", built=model)


def responses(server: Server) -> PydanticAICall:
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=f"{server.address}/v1", api_key="key")
    return PydanticAICall("gpt-5", "openai", built=OpenAIResponsesModel("gpt-5", provider=provider))


def anthropic(server: Server) -> PydanticAICall:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    provider = AnthropicProvider(base_url=server.address, api_key="key")
    model = AnthropicModel("claude-sonnet-4-5", provider=provider)
    return PydanticAICall("claude-sonnet-4-5", "anthropic", built=model)


Make = Callable[[Server], PydanticAICall]
MADE: dict[str, Make] = {"openai": openai, "responses": responses, "anthropic": anthropic}


def at(call: PydanticAICall) -> Goal:
    assert GOAL.judge is not None
    return replace(GOAL, judge=replace(GOAL.judge, model=call.model, provider=call.provider))


@pytest.fixture(params=MADE)
def make(request: pytest.FixtureRequest) -> Make:
    return MADE[request.param]


def ask(call: PydanticAICall, policy: Policy = FAST) -> Judgement:
    return asyncio.run(judge(request(goal=at(call)), call, policy, SystemClock()))


@pytest.mark.row("P04")
def test_a_provider_is_asked_with_the_whole_prompt_and_the_strict_schema(make: Make) -> None:
    with serving(ANSWER) as server:
        call = make(server)
        made = ask(call)
    assert made.accepted
    assert made.spent == Spent(1, 1_200)
    [asked] = server.asked
    expected = request(goal=at(call)).prompt
    assert spoken(asked) == (expected.system, expected.message)
    schema = schema_of(asked)
    assert_same_shape(schema, verdict_schema(GOAL, waived={"notes"}))
    assert "tools" not in asked


def spoken(asked: dict[str, Any]) -> tuple[str, str]:
    """The system prompt and the message, in each protocol."""
    texts = []
    apart = [asked[key] for key in ("system", "instructions") if key in asked]
    messages = [{"content": system} for system in apart]
    for message in (*messages, *asked.get("messages", asked.get("input", ()))):
        content = message["content"]
        texts.append(content if isinstance(content, str) else "".join(c["text"] for c in content))
    system, message = texts
    return system, message


def schema_of(asked: dict[str, Any]) -> dict[str, Any]:
    if "output_config" in asked:
        return dict(asked["output_config"]["format"]["schema"])
    made = asked["text"]["format"] if "text" in asked else asked["response_format"]["json_schema"]
    assert made["strict"] is True
    return dict(made["schema"])


def assert_same_shape(one: Any, other: Any) -> None:
    """The library may order and place definitions anew, but what is asked for is the same."""
    assert sorted(one["properties"]) == sorted(other["properties"])
    assert sorted(one["required"]) == sorted(other["required"])
    assert one["additionalProperties"] is False
    for kind in ("criteria", "constraints", "stops"):
        asked, meant = one["properties"][kind], other["properties"][kind]
        assert sorted(asked["properties"]) == sorted(meant["properties"])
    assert one["properties"]["decision"]["enum"] == other["properties"]["decision"]["enum"]


@pytest.mark.row("P07")
@pytest.mark.parametrize(
    "trouble",
    [
        Turn(status=429),
        Turn(status=500),
        Turn(status=503),
        Turn(status=529),
        Turn(TEXT, cut=40),
        Turn(body=b'{"choices": '),
        Turn(body=b""),
    ],
    ids=["429", "500", "503", "529", "a cut body", "cut JSON", "an empty body"],
)
def test_what_may_pass_is_tried_again_and_every_try_is_recorded(make: Make, trouble: Turn) -> None:
    with serving(trouble, ANSWER) as server:
        made = ask(make(server))
    assert made.accepted
    assert len(server.asked) == len(made.calls) == 2, "no try of the library's own"
    assert not made.calls[0].replied


@pytest.mark.row("P07")
@pytest.mark.parametrize("status", [429, 500])
def test_and_not_for_ever(make: Make, status: int) -> None:
    with serving(*[Turn(status=status)] * 9) as server:
        made = ask(make(server))
    assert isinstance(made.outcome, Outage)
    assert not made.outcome.closed
    assert len(server.asked) == FAST.attempts
    assert made.spent == Spent()


def test_a_provider_says_when_to_come_back(make: Make) -> None:
    with serving(Turn(status=429, headers={"Retry-After": "120"}), ANSWER) as server:
        made = ask(make(server))
    assert isinstance(made.outcome, Outage)
    assert made.outcome.retry_after == 120
    assert len(server.asked) == 1, "it is beyond the deadline"


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_refused_closes_the_route_at_once(make: Make, status: int) -> None:
    with serving(Turn(status=status), ANSWER) as server:
        made = ask(make(server))
    assert isinstance(made.outcome, Outage)
    assert (made.outcome.kind, made.outcome.closed) == ("auth", True)
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [408, 409])
def test_a_request_that_came_too_late_or_too_early_may_pass(make: Make, status: int) -> None:
    with serving(Turn(status=status), ANSWER) as server:
        assert ask(make(server)).accepted


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_request_that_is_refused_is_a_wrong_setting(make: Make, status: int) -> None:
    with serving(Turn(status=status), ANSWER) as server:
        made = ask(make(server))
    assert isinstance(made.outcome, Misconfigured)
    assert len(server.asked) == 1


def test_a_slow_provider_is_not_waited_for(make: Make) -> None:
    with serving(Turn(TEXT, seconds=0.7), ANSWER) as server:
        made = ask(make(server), replace(FAST, call_timeout=0.3))
    assert made.accepted
    assert [call.replied for call in made.calls] == [False, True]


def test_nobody_there_is_an_outage(make: Make) -> None:
    with serving() as server:
        call = make(server)
    made = ask(call)
    assert isinstance(made.outcome, Outage)
    assert made.outcome.kind == "transport"


def test_an_answer_at_the_limit_of_its_tokens_is_truncated(make: Make) -> None:
    with serving(Turn(TEXT, finish="length"), Turn(TEXT[:90], finish="length")) as server:
        made = ask(make(server))
    assert isinstance(made.outcome, Unusable)
    assert made.outcome.last.kind == "truncated"


def test_an_answer_of_another_schema_is_asked_for_once_more(make: Make) -> None:
    with serving(Turn('{"verdict": true}'), ANSWER) as server:
        made = ask(make(server))
    assert made.accepted
    assert "refused: the answer has no `criteria`." in spoken(server.asked[1])[1]


@pytest.mark.row("X14")
def test_what_a_provider_said_is_replayed_without_it(make: Make) -> None:
    with serving(Turn("Sure!"), ANSWER) as server:
        call = make(server)
        made = ask(call)
    asked = request(goal=at(call))
    record = json.loads(json.dumps(made.to_json(asked)))
    assert record["calls"][1]["parameters"] == {"max_tokens": 16_384}
    assert replay(record, asked) == made.outcome


def test_settings_are_the_judges_own() -> None:
    with serving(ANSWER) as server:
        call = replace(openai(server), settings={"max_tokens": 900, "seed": 7})
        assert ask(call).accepted
    assert server.asked[0]["seed"] == 7
    assert server.asked[0]["max_completion_tokens"] == 900


def test_a_key_in_a_header_is_sent_and_not_recorded() -> None:
    with serving(ANSWER) as server:
        call = replace(openai(server), settings={"extra_headers": {"X-Key": "secret"}})
        made = ask(call)
    assert made.accepted
    assert server.headers[0]["x-key"] == "secret"
    assert "secret" not in json.dumps(made.to_json(request(goal=at(call))))


@pytest.mark.parametrize(
    ("provider", "model"),
    [("anthropic", "claude-sonnet-4-5"), ("openai", "gpt-5"), ("openai-chat", "gpt-5")],
)
def test_a_model_by_its_name(provider: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(ANSWER) as server:
        for name, path in (("ANTHROPIC", ""), ("OPENAI", "/v1")):
            monkeypatch.setenv(f"{name}_BASE_URL", server.address + path)
            monkeypatch.setenv(f"{name}_API_KEY", "key")
        made = ask(PydanticAICall(model, provider))
    assert made.accepted


def test_a_model_that_takes_no_schema_is_told_by_the_brief() -> None:
    with serving(ANSWER) as server:
        made = ask(openai(server, {"supports_json_schema_output": False}))
    assert made.accepted
    assert "response_format" not in server.asked[0]


@pytest.mark.parametrize(
    ("provider", "says"), [("nobody", "nobody"), ("anthropic", "ANTHROPIC_API_KEY")]
)
def test_a_provider_that_is_not_set_up(
    provider: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    made = ask(PydanticAICall("claude-sonnet-4-5", provider))
    assert isinstance(made.outcome, Misconfigured)
    assert says in made.outcome.detail


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    made = ask(PydanticAICall("m", "p"))
    assert isinstance(made.outcome, Misconfigured)
    assert "install goalspec[judge]" in made.outcome.detail
