"""The options that limit a search: ``--filter`` and ``--mode``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import click

from foundry.cli.call import Call
from foundry.cli.output import say_notices
from foundry.cli.workspace import get_source
from foundry.errors import UsageError
from foundry.records import Filters, SearchMode
from foundry.workspace import Workspace

FILTER_KEYS = ("type", "tag", "source", "from", "to")

_OPTIONS = (
    click.option(
        "--filter",
        "filters",
        multiple=True,
        metavar="KEY=VALUE",
        help="Only sources with type=pdf, tag=…, source=PATH, from=2026-01-31, to=…; repeatable.",
    ),
    click.option(
        "--mode",
        type=click.Choice(["hybrid", "dense", "bm25"]),
        help="Search mode.  [default: retrieval.mode]",
    ),
)


@dataclass(frozen=True, slots=True)
class SearchScope:
    """The options as typed; ``mode`` None means the configured mode."""

    filters: tuple[str, ...]
    mode: SearchMode | None

    def read(self, workspace: Workspace, call: Call) -> Filters:
        """The filters; notes types and tags that no source has.

        Raises ``UsageError`` for a filter that makes no sense in this project.
        """
        values: dict[str, list[str]] = {key: [] for key in FILTER_KEYS}
        for text in self.filters:
            key, value = _parse_filter(text)
            values[key].append(value)
        date_from, date_to = (_parse_date(values[key], key) for key in ("from", "to"))
        if date_from and date_to and date_from > date_to:
            message = f"from={date_from} is later than to={date_to}."
            raise UsageError(message, where="--filter", fix="Swap the dates.")
        filters = Filters(
            types=tuple(value.lower().lstrip(".") for value in values["type"]),
            tags=tuple(values["tag"]),
            sources=tuple(get_source(workspace, value).path for value in values["source"]),
            date_from=date_from,
            date_to=date_to,
        )
        say_notices(call, _find_unmatched(filters, workspace))
        return filters


def scope_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--filter`` and ``--mode`` to a command, as one argument ``scope``."""

    @functools.wraps(command)
    def call_with_scope(
        *args: Any,
        filters: tuple[str, ...],
        mode: SearchMode | None,
        **others: Any,
    ) -> Any:
        return command(*args, scope=SearchScope(filters, mode), **others)

    decorated: Callable[..., Any] = call_with_scope
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def _find_unmatched(filters: Filters, workspace: Workspace) -> Iterator[str]:
    """Notes on types and tags that no source has: probably a typing error."""
    if not filters.types and not filters.tags:
        return
    sources = workspace.store.list_sources()
    types = {source.type for source in sources}
    tags = {tag for source in sources for tag in source.tags}
    for name, wanted, known in (("type", filters.types, types), ("tag", filters.tags, tags)):
        for value in wanted:
            if value not in known:
                listed = ", ".join(sorted(known)) or "none"
                yield f"no source has the {name} {value!r}; known: {listed}."


def _parse_filter(text: str) -> tuple[str, str]:
    key, separator, value = text.partition("=")
    if key not in FILTER_KEYS or not separator or not value.strip():
        raise UsageError(
            f"Invalid filter: {text!r}.",
            where="--filter",
            fix=f"Write KEY=VALUE; the keys are {', '.join(FILTER_KEYS)}.",
        )
    return key, value.strip()


def _parse_date(values: Sequence[str], key: str) -> str | None:
    if not values:
        return None
    if len(values) > 1:
        raise UsageError(f"{key}= was given twice.", where="--filter", fix="Give one date.")
    try:
        return date.fromisoformat(values[0]).isoformat()
    except ValueError as error:
        raise UsageError(
            f"Invalid date: {values[0]!r}.",
            where=f"--filter {key}=",
            fix="Write the date as 2026-01-31.",
        ) from error
