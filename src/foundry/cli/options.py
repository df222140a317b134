"""The options of a command that are keyword arguments elsewhere: ``--filter``, ``--mode`` …"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

import click

from foundry.cli.call import Call
from foundry.cli.output import say_notices
from foundry.options import Typed, name_field

if TYPE_CHECKING:
    from foundry.records import Filters
    from foundry.workspace import Workspace


def add_options(options: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the keys of a ``TypedDict`` as options; their help is in the catalogue."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        hints = get_type_hints(options, include_extras=True)
        if "filters" in hints:
            command = _take_revision(command)
        for name, kind in reversed(hints.items()):
            command = _make_option(name, kind)(command)
        return command

    return add


def _take_revision(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--revision X`` as the filter ``revision=X``."""

    @wraps(command)
    def run(*args: Any, filters: Sequence[str], revision: str | None, **options: Any) -> Any:
        chosen = () if revision is None else (f"revision={revision}",)
        return command(*args, filters=(*filters, *chosen), **options)

    return click.option("--revision", metavar="all|VALUE")(run)


def _make_option(name: str, kind: Any) -> Any:
    typed = next((one for one in get_args(kind) if isinstance(one, Typed)), Typed())
    kind = get_args(kind)[0] if hasattr(kind, "__metadata__") else kind
    kinds = [part for part in get_args(kind) or (kind,) if part is not type(None)]
    facts: dict[str, Any] = {"metavar": typed.metavar}
    if get_origin(kind) is Sequence:
        return click.option(f"--{name.removesuffix('s')}", name, multiple=True, **facts)
    if kind is bool:
        facts["is_flag"] = True
    elif kinds == [int]:
        facts["type"] = click.IntRange(typed.least, typed.most)
    elif get_origin(kinds[0]) is Literal:
        facts["type"] = click.Choice(get_args(kinds[0]))
    return click.option(f"--{name_field(name).replace('_', '-')}", name, **facts)


def read_filters(call: Call, workspace: Workspace, filters: Sequence[str]) -> Filters:
    """The filters; notes types and tags that no source has. Raises like ``parse_filters``."""
    # Imported here: help needs no project.
    from foundry.journeys.sources import find_unmatched, parse_filters

    found = parse_filters(workspace, filters)
    say_notices(call, find_unmatched(workspace, found))
    return found
