"""The options that limit a search: ``--filter`` and ``--mode``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from foundry.cli.call import Call
from foundry.cli.output import say_notices

if TYPE_CHECKING:
    from foundry.records import Filters, SearchMode
    from foundry.workspace import Workspace

_OPTIONS = (
    click.option(
        "--filter",
        "filters",
        multiple=True,
        metavar="KEY=VALUE",
    ),
    click.option(
        "--mode",
        type=click.Choice(["hybrid", "dense", "bm25"]),
    ),
)


@dataclass(frozen=True, slots=True)
class SearchScope:
    """The options as typed; ``mode`` None means the configured mode."""

    filters: tuple[str, ...]
    mode: SearchMode | None

    def to_json(self) -> dict[str, object]:
        """The options as a server takes them."""
        return {"filters": list(self.filters), "mode": self.mode}

    def read(self, workspace: Workspace, call: Call) -> Filters:
        """The filters; notes types and tags that no source has. Raises like ``parse_filters``."""
        # Imported here: help needs no project, as elsewhere in commands that ask.
        from foundry.journeys.sources import find_unmatched, parse_filters

        filters = parse_filters(workspace, self.filters)
        say_notices(call, find_unmatched(workspace, filters))
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
