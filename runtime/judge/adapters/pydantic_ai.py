"""A judge at any provider that pydantic-ai reaches; it comes with the extra `judge`.

One call is one request: the library's own retries are off, since those of the policy are counted
and recorded. The schema goes to the provider where the model can be held to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..answer import Finish
from ..ports import CallFailed, FailureKind, Reply, Route, Usage
from ..request import Prompt

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

MAX_TOKENS = 16_384  # of an answer, with what is thought before it, where the settings say nothing

_NOT_RECORDED = frozenset(("extra_headers",))  # they may hold a key
_FINISH: Mapping[str | None, Finish] = {
    "stop": "stop", None: "stop", "length": "length", "content_filter": "filtered",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PydanticAICall:
    """*model* of *provider*, as pydantic-ai names them, with the library's model *settings*.
    *built* is the library's own model, where the host has made one for an address or a client of
    its own."""

    model: str
    provider: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    built: Model | None = None

    @property
    def route(self) -> Route:
        recorded = {key: value for key, value in self._settings.items() if key not in _NOT_RECORDED}
        return Route(self.model, self.provider, recorded)

    @property
    def _settings(self) -> dict[str, Any]:
        return {"max_tokens": MAX_TOKENS, **self.settings}

    async def __call__(self, prompt: Prompt) -> Reply:
        try:
            from pydantic_ai import exceptions
            from pydantic_ai.direct import model_request
            from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart
        except ImportError as error:
            raise CallFailed("unset", f"{error}: install goalspec[judge]") from None
        model = self.built or _named(f"{self.provider}:{self.model}")
        asked = ModelRequest([SystemPromptPart(prompt.system), UserPromptPart(prompt.message)])
        settings: Any = {**self._settings, "max_retries": 0}
        try:
            response = await model_request(
                model, [asked], model_settings=settings,
                model_request_parameters=_parameters(prompt, model),
            )  # fmt: skip
        except exceptions.ContentFilterError:
            return Reply("", "filtered")
        except exceptions.ModelAPIError as error:
            raise CallFailed(_kind(error), str(error), error.retry_after) from None
        except exceptions.UnexpectedModelBehavior as error:
            raise CallFailed("protocol", str(error)) from None
        except exceptions.UserError as error:
            raise CallFailed("rejected", str(error)) from None
        return _reply(response)


def _named(name: str) -> Model:
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import infer_model

    try:
        return infer_model(name)
    except (UserError, ValueError, ImportError) as error:
        raise CallFailed("unset", str(error)) from None


def _parameters(prompt: Prompt, model: Model) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    if not model.profile.get("supports_json_schema_output", False):
        return ModelRequestParameters()  # the brief says what to answer; the answer is checked
    verdict = OutputObjectDefinition(dict(prompt.schema), name="verdict", strict=True)
    return ModelRequestParameters(output_mode="native", output_object=verdict)


def _kind(error: Exception) -> FailureKind:
    """What the library's error means for who asks again: the first that fits."""
    from pydantic_ai import exceptions as known

    kinds: tuple[tuple[type[Exception], FailureKind], ...] = (
        (known.ModelAuthenticationError, "auth"),
        (known.ModelQuotaExceededError, "quota"),
        (known.ModelRateLimitError, "rate_limited"),
        (known.ModelRequestTimeout, "timeout"),
        (known.ModelTimeoutError, "timeout"),
        (known.ModelConnectionError, "transport"),
        (known.ModelRequestRejectedError, "rejected"),
        (known.ModelUnavailableError, "server"),
        (known.ModelServerError, "server"),
    )
    for kind, failure in kinds:
        if isinstance(error, kind):
            return failure
    return "transport"


def _reply(response: ModelResponse) -> Reply:
    usage = response.usage
    return Reply(
        response.text or "",
        _FINISH.get(response.finish_reason, "other"),
        Usage(usage.input_tokens, usage.output_tokens),
    )
