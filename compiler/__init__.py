"""Syntax tree to checked IR: names and types, presets, and the code of predicates."""

from .compilation import Compilation, Compiler, SpecError, compile, compile_text, load

__all__ = ["Compilation", "Compiler", "SpecError", "compile", "compile_text", "load"]
