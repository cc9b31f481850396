"""The agents of simulated lives: honest ones, and those that lie, stall, repeat themselves, break what
worked, meddle with the tests, give up, cannot be reached, or hang."""

from __future__ import annotations

from collections.abc import Mapping

AGENTS: Mapping[str, tuple[str, ...]] = {
    "honest": ("works", "works", "finishes", "finishes"),
    "liar": ("lies", "lies", "works"),
    "lazy": ("talks",),
    "stuck": ("repeats", "repeats", "rereads"),
    "busy": ("rereads", "rereads", "rereads", "works"),
    "digging": ("digs",),
    "clumsy": ("works", "breaks", "edits_tests", "finishes"),
    "blocked": ("gives_up", "works"),
    "unreachable": ("error", "error", "works"),
    "cut_off": ("cut", "cut", "works"),
    "hanging": ("hangs", "works", "finishes"),
    "anything": ("works", "finishes", "lies", "talks", "repeats", "rereads", "breaks", "edits_tests",
                 "gives_up", "error", "cut", "hangs", "stopped"),
}  # fmt: skip
"""What agents of each temper do in a turn, one as often as another."""
