"""The help of commands, from the catalogue, in the language of the call.

The code of ``foundry eval run`` is ``help-eval-run``; its text is the help, and an attribute named
after an option is that option's. Options that many commands share are in ``help-option``.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence

import click

from foundry.cli.usage import UsageProblem, note_arguments
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
