"""Targets: what a compiled file becomes for a host. One module a target; `target` says what one is,
and is what a package of one's own needs; `registry` finds them all."""

from .target import Artifact, Refusal, Request, Target, stamp, stamp_line

__all__ = ["Artifact", "Refusal", "Request", "Target", "stamp", "stamp_line"]
