"""The options that every command has: the project, the role, JSON output, and verbosity."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import click

from foundry.messages import LANGUAGES, Language, set_language
from foundry.roles import CONFIDENTIALITY_LEVELS, Confidentiality

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


@dataclass(slots=True)
class Call:
    """One run of the program. ``verbosity``: -1 quiet, 0 normal, 1 more, 2 with tracebacks."""

    project: Path | None = None
    json: bool = False
    role: Confidentiality | None = None
    verbosity: int = 0
    language: Language | None = None
    server: str | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def default_language(self) -> Language:
        """The language before the command line and the project are read."""
        return "nl" if self.environment.get("FOUNDRY_LANGUAGE") == "nl" else "en"

    @property
    def quiet(self) -> bool:
        """Whether to show only results and errors."""
        return self.verbosity < 0


pass_call = click.make_pass_decorator(Call, ensure=True)


def _set(ctx: click.Context, option: click.Parameter, value: object) -> None:
    """Set the field of the call that is named as the option; a flag that is not given is False."""
    if option.name and value not in (None, False):
        setattr(ctx.ensure_object(Call), option.name, value)


def _set_quiet(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.ensure_object(Call).verbosity = -1


def _add_verbosity(ctx: click.Context, _: click.Parameter, value: int) -> None:
    if value:
        call = ctx.ensure_object(Call)
        call.verbosity = max(0, call.verbosity) + value


def _set_language(ctx: click.Context, _: click.Parameter, value: Language | None) -> None:
    if value is not None:
        ctx.ensure_object(Call).language = value
        set_language(value)


_HIDDEN: dict[str, Any] = {"expose_value": False}
_LANGUAGE = click.option(
    "--language", type=click.Choice(LANGUAGES), callback=_set_language, is_eager=True, **_HIDDEN
)
_OPTIONS = (
    click.option(
        "--project", type=click.Path(path_type=Path), metavar="DIR", callback=_set, **_HIDDEN
    ),
    click.option("--role", type=click.Choice(CONFIDENTIALITY_LEVELS), callback=_set, **_HIDDEN),
    click.option("--server", metavar="URL", callback=_set, **_HIDDEN),
    click.option("--json", is_flag=True, callback=_set, **_HIDDEN),
    click.option(*("-q", "--quiet"), is_flag=True, callback=_set_quiet, **_HIDDEN),
    click.option(*("-v", "--verbose"), count=True, callback=_add_verbosity, **_HIDDEN),
)


def common_options(command: Decorated) -> Decorated:
    """Add the options that every command has."""
    return basic_options(_LANGUAGE(command))


def basic_options(command: Decorated) -> Decorated:
    """Add them to a command whose ``--language`` is that of its document or question."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
