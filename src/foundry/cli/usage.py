"""Click's usage errors in the words of the catalogue.

Click writes its errors in English. What was expected is read from the type of the option, and
what was typed from the arguments that ``note_arguments`` kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from foundry.messages import Message

_ARGUMENTS = "foundry.arguments"


class UsageProblem(click.UsageError):
    """A usage error as a message."""

    def __init__(self, problem: Message, ctx: click.Context | None = None) -> None:
        self.problem = problem
        super().__init__(str(problem), ctx)


def note_arguments(ctx: click.Context, arguments: Sequence[str]) -> None:
    """Keep what was typed, to quote it if the call turns out to be wrong."""
    ctx.meta[_ARGUMENTS] = tuple(arguments)


def describe_usage_error(error: click.ClickException) -> Message:
    """The message of any error of Click; one that is not known keeps Click's words."""
    if isinstance(error, UsageProblem):
        return error.problem
    path = get_path(error)
    if isinstance(error, click.NoSuchOption):
        near = error.possibilities
        hint = Message("cli-did-you-mean", name=near[0]) if near else None
        return Message("cli-no-such-option", name=error.option_name, hint=hint, path=path)
    if isinstance(error, click.MissingParameter) and error.param:
        return Message("cli-missing-argument", name=_name(error.param, error.ctx), path=path)
    if isinstance(error, click.BadOptionUsage):
        return _describe_option(error, path)
    if isinstance(error, click.BadParameter) and error.param and error.ctx:
        expected = describe_expected(error.param.type)
        value = next(_find_wrong_values(error.param, error.ctx), None)
        if expected and value is not None:
            name = _name(error.param, error.ctx)
            return Message("cli-wrong-value", name=name, value=value, expected=expected)
    return Message("cli-usage", text=error.format_message(), path=path)


def get_path(error: click.ClickException) -> str:
    """The command that was called wrongly: ``foundry log list``."""
    ctx = getattr(error, "ctx", None)
    return ctx.command_path if ctx else "foundry"


def _name(param: click.Parameter, ctx: click.Context | None) -> str:
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return param.make_metavar(ctx) if ctx else str(param.name)


def _describe_option(error: click.BadOptionUsage, path: str) -> Message:
    known = error.ctx.command.get_params(error.ctx) if error.ctx else []
    option = next((one for one in known if error.option_name in one.opts), None)
    takes_none = isinstance(option, click.Option) and (option.is_flag or option.count)
    code = "cli-option-without-value" if takes_none else "cli-option-needs-value"
    return Message(code, name=error.option_name, path=path)


def describe_expected(kind: click.ParamType[Any]) -> Message | None:
    """What values of that type look like; None if it takes any text."""
    if isinstance(kind, click.Choice):
        return Message("cli-expected-choice", names=tuple(map(str, kind.choices)))
    if isinstance(kind, click.DateTime):
        return Message("cli-expected-date")
    if isinstance(kind, click.File):
        return Message("cli-expected-file")
    number = "integer" if kind.name.startswith("integer") else "number"
    least, most = getattr(kind, "min", None), getattr(kind, "max", None)
    if least is not None and most is not None:
        return Message("cli-expected-range", kind=number, least=str(least), most=str(most))
    if least is not None:
        return Message("cli-expected-minimum", kind=number, least=str(least))
    return None


def _find_wrong_values(param: click.Parameter, ctx: click.Context) -> Iterator[str]:
    """The values of an option, as typed, that its type refuses."""
    parser = ctx.command.make_parser(ctx)
    typed, *_ = parser.parse_args(list(ctx.meta.get(_ARGUMENTS, ())))
    values, _source = param.consume_value(ctx, typed)
    for value in values if isinstance(values, list | tuple) else [values]:
        try:
            param.type(value, param, ctx)
        except click.BadParameter:
            yield str(value)
