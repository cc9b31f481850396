"""Fact sources: a file, a command, the goal's own `from run` blocks, a function, and several of
these.

Each is asked for the facts now and answers with all that it feeds, so that nothing is left of an
earlier answer: what could not be had is unknown (`error`), what it does not say is `missing`.
Whatever the asked one does, nothing is raised; and nothing runs that was not allowed.
"""

from .answers import flat
from .command import CommandFacts
from .declared import DeclaredFacts
from .file import FactsFileRefused, FileFacts
from .function import FunctionFacts
from .several import SeveralFacts, joined

__all__ = [
    "CommandFacts",
    "DeclaredFacts",
    "FactsFileRefused",
    "FileFacts",
    "FunctionFacts",
    "SeveralFacts",
    "flat",
    "joined",
]
