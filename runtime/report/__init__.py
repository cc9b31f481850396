"""A session's report: one page with the contract, how it stands and why, the criteria over the
observations, what was used, each judgement with what it rests on, and the journal. `page_of`
gathers it from what a store has, `render` writes it as HTML."""

from __future__ import annotations

from .page import Page, Stock, page_of
from .rendering import render

__all__ = ["Page", "Stock", "page_of", "render"]
