"""A host as small as can be: it asks a model in a loop, takes a sentinel for a claim to be done, and
lets `verify_completion` decide, as the hosts of rows H11 and H13 do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Run:
    """What happened: the system prompts and messages that went out, and how the run ended."""

    prompts: list[str] = field(default_factory=list)
    messages: list[dict[str, str]] = field(default_factory=list)
    stop_reason: str = ""

    @property
    def turns(self) -> list[str]:
        return [m["content"] for m in self.messages if m["role"] == "assistant"]


def agent_loop(
    task: str, replies: Iterable[str], options: Mapping[str, Any], system: str = "You code."
) -> Run:
    """Run *replies* of a model against the host's *options*."""
    run = Run(messages=[{"role": "user", "content": task}])
    answers: Iterator[str] = iter(replies)
    for iteration in range(options.get("max_iterations", 10)):
        fragments = options.get("context_profile", {}).get("prompt_fragments", [])
        run.prompts.append("\n\n".join([system, *(fragment["body"] for fragment in fragments)]))
        text = next(answers)
        run.messages.append({"role": "assistant", "content": text})
        if options.get("done_sentinel", "\0") not in text:
            continue
        payload = {
            "session_id": "s1", "task": task, "text": text, "visible_text": text,
            "iteration": iteration, "stop_reason": "sentinel",
        }  # fmt: skip
        answer = options["verify_completion"](payload)
        if answer["confirm"]:
            run.stop_reason = "sentinel"
            return run
        if answer.get("action") == "stop_unverified":
            run.stop_reason = answer["reason"]
            return run
        run.messages.append({"role": "user", "content": answer["feedback"]})
    run.stop_reason = "max_iterations"
    return run
