"""Conformance: JSON cases that any runtime can be held against, goalspec's own answers, and what
holds a program to the cases. A program reads one request on each line of its standard input, and
writes one answer on each line of its standard output."""

from .answering import answer_line
from .holding import Result, hold
from .suite import FAMILIES, Case, load_cases

__all__ = ["FAMILIES", "Case", "Result", "answer_line", "hold", "load_cases"]
