"""A conversation in the common chat shape, and the shapes of hosts, to and fro without loss.

Messages are plain JSON, so that what goalspec does not know rides along. What reads them is total:
any JSON gives an answer. The shapes of hosts are in `SHAPES`; each reads a host's row into messages
and writes it back as it was.
"""

from .anthropic import ANTHROPIC
from .hermes import HERMES
from .messages import (
    Call,
    Message,
    Metadata,
    Provenance,
    Stamp,
    Unpaired,
    bare,
    call_ids,
    has_role,
    is_human,
    is_machine_user,
    provenance_of,
    result_id,
    text_of,
    unpaired,
)
from .openai_chat import OPENAI_CHAT
from .openai_responses import OPENAI_RESPONSES
from .shape import COMMON, Shape

SHAPES = {shape.name: shape for shape in (COMMON, OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC, HERMES)}

from_openai_chat, to_openai_chat = OPENAI_CHAT.messages, OPENAI_CHAT.rows
from_openai_responses, to_openai_responses = OPENAI_RESPONSES.messages, OPENAI_RESPONSES.rows
from_anthropic, to_anthropic = ANTHROPIC.messages, ANTHROPIC.rows
from_hermes, to_hermes = HERMES.messages, HERMES.rows

__all__ = [
    "ANTHROPIC", "COMMON", "HERMES", "OPENAI_CHAT", "OPENAI_RESPONSES", "SHAPES", "Call",
    "Message", "Metadata", "Provenance", "Shape", "Stamp", "Unpaired", "bare", "call_ids",
    "from_anthropic", "from_hermes", "from_openai_chat", "from_openai_responses", "has_role",
    "is_human", "is_machine_user", "provenance_of", "result_id", "text_of", "to_anthropic",
    "to_hermes", "to_openai_chat", "to_openai_responses", "unpaired",
]  # fmt: skip
