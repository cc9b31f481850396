"""Pydantic's view of a document: its validator, and the JSON Schema that is published (draft
2020-12)."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from .document import IR_VERSION, Document


@cache
def document_adapter() -> TypeAdapter[Document]:
    """Validates a document's JSON: closed, strict, each union told apart by its `kind`."""
    return TypeAdapter(Document)


def document_schema() -> dict[str, Any]:
    """The schema that every `compile --target json` output satisfies."""
    schema = document_adapter().json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:goalspec:ir:{IR_VERSION}",
        **schema,
    }
