"""`goalspec schema`: the JSON Schema of the IR, made from its models."""

from __future__ import annotations

import click

from .terminal import emit, json_text


@click.command()
def command() -> None:
    """Print the JSON Schema of the IR (what `compile --target json` writes)."""
    from ..compiler.ir.schema import document_schema

    emit(json_text(document_schema()))
