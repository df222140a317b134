"""The table of commands, and the Click groups: a lazy one, and one with a default command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from foundry.cli.entry import load
from foundry.cli.help import Group, get_short_help, write_commands
from foundry.cli.usage import UsageProblem
from foundry.messages import Message

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A command: its module, its group in the help, and its name in the module."""

    module: str
    group: str
    attribute: str = "command"


COMMANDS: dict[str, CommandEntry] = {
    "init": CommandEntry("foundry.cli.project.init", "Start"),
    "doctor": CommandEntry("foundry.cli.project.doctor", "Start"),
    "models": CommandEntry("foundry.cli.project.models", "Start"),
    "version": CommandEntry("foundry.cli.project.version", "Start"),
    "ingest": CommandEntry("foundry.cli.project.ingest", "Sources"),
    "work": CommandEntry("foundry.cli.project.work", "Sources"),
    "sources": CommandEntry("foundry.cli.project.sources", "Sources"),
    "correction": CommandEntry("foundry.cli.project.correction", "Sources"),
    "search": CommandEntry("foundry.cli.questions.search", "Questions"),
    "ask": CommandEntry("foundry.cli.questions.ask", "Questions"),
    "chat": CommandEntry("foundry.cli.questions.chat", "Questions"),
    "feature": CommandEntry("foundry.cli.documents.feature", "Documents"),
    "agent": CommandEntry("foundry.cli.documents.agent", "Documents"),
    "verify": CommandEntry("foundry.cli.documents.verify", "Documents"),
    "generate": CommandEntry("foundry.cli.documents.generate", "Documents"),
    "draft": CommandEntry("foundry.cli.documents.draft", "Documents"),
    "build": CommandEntry("foundry.cli.documents.build", "Documents"),
    "serve": CommandEntry("foundry.cli.project.serve", "Team"),
    "mcp": CommandEntry("foundry.cli.project.mcp", "Team"),
    "token": CommandEntry("foundry.cli.project.token", "Team"),
    "privacy": CommandEntry("foundry.cli.project.privacy", "Maintenance"),
    "schema": CommandEntry("foundry.cli.project.schema", "Maintenance"),
    "index": CommandEntry("foundry.cli.project.index", "Maintenance"),
    "copy": CommandEntry("foundry.cli.project.copy", "Maintenance"),
    "log": CommandEntry("foundry.cli.project.log", "Maintenance"),
    "eval": CommandEntry("foundry.cli.eval.group", "Maintenance"),
    "governor": CommandEntry("foundry.cli.project.governor", "Maintenance"),
}


class UnknownCommand(UsageProblem):
    """A command that does not exist; ``near`` has the most similar name, if one is similar."""

    def __init__(self, name: str, near: Sequence[str], ctx: click.Context) -> None:
        hint = Message("cli-did-you-mean", name=near[0]) if near else None
        path = ctx.command_path
        super().__init__(Message("cli-unknown-command", name=name, hint=hint, path=path), ctx)


class DefaultGroup(Group):
    """A group that runs its command ``default`` when none is named: ``log`` is ``log list``."""

    def __init__(self, *args: Any, default: str | None = "list", **kwargs: Any) -> None:
        # Click would print the whole help as an error.
        kwargs["no_args_is_help"] = False
        super().__init__(*args, **kwargs)
        self.default = default
        if default:
            self.subcommand_metavar = "[COMMAND] [ARGS]..."

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.default:
            self.epilog = str(Message("help-default", name=self.default))
        super().format_epilog(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = {*self.list_commands(ctx), *ctx.help_option_names}
        only_options = not args or args[0].startswith("-")
        if self.default and only_options and named.isdisjoint(args):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            # Imported here: most names are right.
            import difflib

            near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            raise UnknownCommand(name, near, ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(DefaultGroup):
    """A group over a table of entries, listed by heading in its help."""

    def __init__(self, *args: Any, entries: Mapping[str, CommandEntry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = dict(entries)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - Click's signature
        return list(self.entries)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - Click's signature
        cmd_name: str,
    ) -> click.Command | None:
        if cmd_name not in self.entries:
            return None
        entry = self.entries[cmd_name]
        command = load(entry.module, entry.attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(len(name) for name in self.entries)
        for heading in dict.fromkeys(entry.group for entry in self.entries.values()):
            names = [name for name, entry in self.entries.items() if entry.group == heading]
            with formatter.section(heading):
                write_commands(names, ctx, formatter, width)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names from the table: the Tab key must not wait for the commands' modules."""
        # Imported here, as in Click itself: it takes a tenth of the start-up time.
        from click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=get_short_help(f"{ctx.command_path} {name}"))
            for name in self.entries
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)
