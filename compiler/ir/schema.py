"""The published JSON Schema of a document (draft 2020-12), made from the models."""

from __future__ import annotations

from typing import Any

from .document import IR_VERSION, Document


def document_schema() -> dict[str, Any]:
    """The schema that every `compile --target json` output satisfies."""
    schema = Document.model_json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:goalspec:ir:{IR_VERSION}",
        **schema,
    }
