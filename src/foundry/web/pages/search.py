"""The page to search on: passages without an answer, and what the sources can be narrowed by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field

from foundry.craft.excerpts import choose_excerpts
from foundry.errors import IndexMissing, UsageError
from foundry.journeys.query_log import build_shown_passage, build_shown_source
from foundry.operations import searches, sources
from foundry.operations.table import Scope
from foundry.records import Evidence, Facets, FacetValue, SearchResult, ShownAnswer
from foundry.web.pages.acts import describe
from foundry.web.pages.citations import PassageView, view_passages
from foundry.web.pages.templates import render_page
from foundry.web.security.callers import Bound, make_scope
from foundry.wire.base import ErrorMessageJson
from foundry.wire.requests import ScopeRequest, SearchRequest

router = APIRouter()
STEP = 20
"""Passages that each "show more" adds."""
MOST = 200
"""Passages of one page: a reader narrows the search instead."""
MOST_VALUES = 12
"""Values of a facet; the rarer ones can be written as a filter."""


class Asked(BaseModel):
    """What the address says; ``filter`` is ``KEY=VALUE``, as everywhere."""

    model_config = ConfigDict(frozen=True)

    q: str = Field(default="", max_length=4000)
    filter: tuple[str, ...] = Field(default=(), max_length=100)
    limit: int = Field(default=STEP, ge=1, le=MOST)

    def link(self, *, page: str = "/search", limit: int | None = None) -> str:
        """The address of the same search, or of a question about the same sources."""
        more = [("limit", str(limit))] if limit else []
        pairs = [("q", self.q), *(("filter", one) for one in self.filter), *more]
        return f"{page}?{urlencode([pair for pair in pairs if pair[1]])}"

    def add(self, *filters: str) -> Asked:
        """The same search of fewer sources."""
        return self.model_copy(update={"filter": (*self.filter, *filters)})

    def drop(self, *filters: str) -> Asked:
        """The same search of more sources."""
        kept = tuple(one for one in self.filter if one not in filters)
        return self.model_copy(update={"filter": kept})


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that sources have: how many, and the address of the search that it narrows or widens."""

    name: str
    count: int
    href: str
    chosen: bool


@router.get("/search")
def show_search(
    request: Request, workspace: Bound, asked: Annotated[Asked, Query()]
) -> HTMLResponse:
    """The passages nearest to some words, with the values of all sources that are searched."""
    scope = make_scope(request, workspace)
    passages: tuple[PassageView, ...] = ()
    result: SearchResult | None = None
    problem: ErrorMessageJson | None = None
    facets: dict[str, list[Choice]] = {}
    try:
        found = sources.list_facets.perform(scope, asked=ScopeRequest(filters=list(asked.filter)))
        facets = {key: choices for key, choices in _list_choices(found, asked) if choices}
        if asked.q.strip():
            result = _search(scope, asked)
            passages = _view_passages(result, asked.limit)
    except (UsageError, IndexMissing) as error:
        problem = describe(error, workspace)
    return render_page(
        "search",
        workspace=workspace,
        current="/search",
        status=400 if problem else 200,
        asked=asked,
        problem=problem,
        facets=facets,
        result=result,
        passages=passages,
        more=min(asked.limit + STEP, MOST) if len(passages) == asked.limit < MOST else None,
    )


def _search(scope: Scope, asked: Asked) -> SearchResult:
    # Twice as many: passages that say the same are shown as one.
    request = SearchRequest(query=asked.q, filters=list(asked.filter), top_k=2 * asked.limit)
    return searches.search_.perform(scope, asked=request)


def _view_passages(result: SearchResult, limit: int) -> tuple[PassageView, ...]:
    evidence = [Evidence(f"S{number}", hit) for number, hit in enumerate(result.hits, 1)]
    return view_evidence(result.query, evidence, result.language, limit)


def view_evidence(
    query: str, evidence: Sequence[Evidence], language: str, limit: int
) -> tuple[PassageView, ...]:
    """The passages nearest to a query, at most ``limit``, those that say the same together."""
    chosen = choose_excerpts(query, evidence, limit=limit)
    shown = ShownAnswer(
        language,
        sources=tuple(map(build_shown_source, evidence)),
        passages=tuple(map(build_shown_passage, chosen)),
    )
    return view_passages(shown)


def _list_choices(found: Facets, asked: Asked) -> Iterator[tuple[str, list[Choice]]]:
    """The values of each facet, the chosen ones first; one that all sources have narrows nothing."""
    sources = sum(one.count for one in found.type)
    for facet in fields(found):
        values: Sequence[FacetValue] = getattr(found, facet.name)
        chosen = [one for one in values if _is_chosen(facet.name, one, asked)]
        others = [one for one in values if one.count < sources and one not in chosen]
        shown = [*chosen, *others][:MOST_VALUES]
        yield facet.name, [_build_choice(facet.name, one, asked) for one in shown]


def _is_chosen(key: str, value: FacetValue, asked: Asked) -> bool:
    return all(text in asked.filter for text in _write_filters(key, value.value))


def _build_choice(key: str, value: FacetValue, asked: Asked) -> Choice:
    filters, chosen = _write_filters(key, value.value), _is_chosen(key, value, asked)
    other = asked.drop(*filters) if chosen else asked.add(*filters)
    return Choice(value.value, value.count, other.link(), chosen)


def _write_filters(key: str, value: str) -> tuple[str, ...]:
    if key == "year":
        return f"from={value}-01-01", f"to={value}-12-31"
    return (f"{key}={value}",)
