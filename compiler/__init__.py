"""Syntax tree to checked IR: names and types, presets, and the code of predicates."""

from typing import TYPE_CHECKING

from ..exports import exporting

if TYPE_CHECKING:
    from .compilation import Compilation, Compiler, compile, compile_text, load
    from .spec_error import SpecError

__all__ = ["Compilation", "Compiler", "SpecError", "compile", "compile_text", "load"]

__getattr__ = exporting(
    __name__, {**dict.fromkeys(__all__, "compilation"), "SpecError": "spec_error"}
)
