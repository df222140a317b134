"""Click's help and usage errors, from the catalogue, in the language of the call.

The code of ``foundry eval run`` is ``help-eval-run``; its text is the help, and an attribute named
after an option is that option's. Options that many commands share are in ``help-option``.

So are the words of usage errors, which Click writes in English. What was expected is read from the type
of the option, and what was typed from the arguments that ``note_arguments`` kept.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import click

from foundry.messages import Message, format_message


class HelpFormatter(click.HelpFormatter):
    """Click's formatter with headings in the current language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or f"{_get_heading('Usage')}: ")

    def write_heading(self, heading: str) -> None:
        super().write_heading(_get_heading(heading))


class HelpContext(click.Context):
    """A call whose help is written by ``HelpFormatter``."""

    formatter_class = HelpFormatter


class Command(click.Command):
    """A command whose help comes from the catalogue."""

    context_class = HelpContext

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        note_arguments(ctx, args)
        takes_more, ctx.allow_extra_args = ctx.allow_extra_args, True
        try:
            rest = super().parse_args(ctx, args)
        except click.UsageError as error:
            # Click's parser leaves some of its errors without their command.
            error.ctx = error.ctx or ctx
            raise
        if rest and not takes_more and not ctx.resilient_parsing:
            name = ctx.command_path
            raise UsageProblem(Message("cli-extra-arguments", words=" ".join(rest), path=name), ctx)
        return rest

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        fill_help(self, ctx)
        super().format_help(ctx, formatter)


class Group(Command, click.Group):
    """A group of such commands."""

    command_class = Command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            write_commands(self.list_commands(ctx), ctx, formatter)


def write_commands(
    names: Sequence[str], ctx: click.Context, formatter: click.HelpFormatter, width: int = 0
) -> None:
    """The lines of a group's commands; names are padded to ``width``."""
    rows = [(name.ljust(width), get_short_help(f"{ctx.command_path} {name}")) for name in names]
    formatter.write_dl(rows)


def fill_help(command: click.Command, ctx: click.Context) -> None:
    """Give a command and its options their help in the current language."""
    message = _get_message(ctx.command_path)
    text = inspect.cleandoc(format_message(message))
    command.help = _keep_examples(text)
    epilog = _keep_examples(format_message(message, attribute="epilog"))
    command.epilog = epilog or command.epilog
    for option in command.get_params(ctx):
        if isinstance(option, click.Option):
            option.help = find_option_help(message, option) or option.help


def _keep_examples(text: str) -> str:
    # Click does not wrap a paragraph that begins with \b: examples keep their lines.
    return text.replace("\n\n    ", "\n\n\b\n    ")


def find_option_help(message: Message, option: click.Option) -> str:
    """The command's own text for an option, else that which many commands share."""
    name = next((name for name in option.opts if name.startswith("--")), option.opts[0])
    attribute = name.lstrip("-")
    own = format_message(message, attribute=attribute)
    return own or format_message(Message("help-option"), attribute=attribute)


def get_short_help(path: str) -> str:
    """The line that a list of commands shows."""
    message = _get_message(path)
    short = format_message(message, attribute="short")
    return short or format_message(message).split("\n", 1)[0]


def _get_message(path: str) -> Message:
    # The first word is the name of the program.
    return Message(f"help-{'-'.join(path.split()[1:]) or 'foundry'}")


def _get_heading(heading: str) -> str:
    return format_message(Message("help-heading"), attribute=heading.lower()) or heading


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
