"""Search: apart from questions, because it needs nothing of what makes an answer."""

from __future__ import annotations

from foundry.journeys.search import search
from foundry.operations.endpoints import SEARCH
from foundry.operations.table import Scope, operation
from foundry.records import SearchResult
from foundry.render.answer import render_search
from foundry.wire.requests import SearchRequest


@operation(*SEARCH, render=render_search)
def search_(on: Scope, asked: SearchRequest) -> SearchResult:
    """The passages found, and whether the gate would allow an answer."""
    return search(on.workspace, asked.query, filters=on.filters, mode=asked.mode, top_k=asked.top_k)
