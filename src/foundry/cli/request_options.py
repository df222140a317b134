"""The options of a command that are fields of a request, and the request that they make."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

import click
from annotated_types import Ge, Le

from foundry.cli.call import Call
from foundry.cli.output import say_notices
from foundry.wire.requests import Typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

    from foundry.records import Filters
    from foundry.workspace import Workspace


def request_options(
    model: type[BaseModel], *besides: str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the fields of a request as options, except those ``besides`` that a command takes otherwise."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed([*_list_options(model, besides)]):
            command = option(command)
        return command

    return add


def _list_options(model: type[BaseModel], besides: Sequence[str]) -> Iterator[Any]:
    for name, field in model.model_fields.items():
        if name not in besides:
            yield _make_option(name, field)


def _make_option(name: str, field: FieldInfo) -> Any:
    """An option, whose help is in the catalogue, or else the field's own words."""
    facts: dict[str, Any] = {"help": field.description}
    kind = field.annotation
    if get_origin(kind) in (Union, types.UnionType):
        kind = next(part for part in get_args(kind) if part is not type(None))
    metavars = [one.metavar for one in field.metadata if isinstance(one, Typed)]
    facts |= {"metavar": metavars[0]} if metavars else {}
    if kind is bool:
        facts["is_flag"] = True
    elif kind is int:
        facts["type"] = click.IntRange(_find_bound(field, Ge), _find_bound(field, Le))
    elif get_origin(kind) is Literal:
        facts["type"] = click.Choice(get_args(kind))
    if get_origin(kind) is list:
        return click.option(f"--{name.removesuffix('s')}", name, multiple=True, **facts)
    return click.option(f"--{name.replace('_', '-')}", name, default=field.default, **facts)


def _find_bound(field: FieldInfo, kind: type[Ge] | type[Le]) -> Any:
    bounds = (one for one in field.metadata if isinstance(one, kind))
    return next((one.ge if isinstance(one, Ge) else one.le for one in bounds), None)


def read_filters(call: Call, workspace: Workspace, filters: Sequence[str]) -> Filters:
    """The filters; notes types and tags that no source has. Raises like ``parse_filters``."""
    # Imported here: help needs no project.
    from foundry.journeys.sources import find_unmatched, parse_filters

    found = parse_filters(workspace, filters)
    say_notices(call, find_unmatched(workspace, found))
    return found
