"""The table of commands, and the Click groups: a lazy one, and one with a default command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from foundry.cli.entry import load
from foundry.cli.help import Group, UsageProblem, get_short_help, write_commands
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
    "init": CommandEntry("foundry.cli.start", "Start", "init_command"),
    "doctor": CommandEntry("foundry.cli.start", "Start", "doctor_command"),
    "models": CommandEntry("foundry.cli.models", "Start", "models_command"),
    "version": CommandEntry("foundry.cli.start", "Start", "version_command"),
    "ingest": CommandEntry("foundry.cli.ingest", "Sources", "ingest_command"),
    "work": CommandEntry("foundry.cli.ingest", "Sources", "work_command"),
    "sources": CommandEntry("foundry.cli.sources", "Sources", "sources_command"),
    "correction": CommandEntry("foundry.cli.sources", "Sources", "correction_command"),
    "search": CommandEntry("foundry.cli.questions", "Questions", "search_command"),
    "ask": CommandEntry("foundry.cli.questions", "Questions", "ask_command"),
    "chat": CommandEntry("foundry.cli.chat", "Questions", "chat_command"),
    "table": CommandEntry("foundry.cli.extraction", "Documents"),
    "feature": CommandEntry("foundry.cli.specifications", "Documents", "feature_command"),
    "agent": CommandEntry("foundry.cli.specifications", "Documents", "agent_command"),
    "verify": CommandEntry("foundry.cli.verify", "Documents"),
    "generate": CommandEntry("foundry.cli.generate", "Documents", "generate_command"),
    "draft": CommandEntry("foundry.cli.drafts", "Documents", "draft_command"),
    "build": CommandEntry("foundry.cli.build", "Documents"),
    "serve": CommandEntry("foundry.cli.team", "Team", "serve_command"),
    "mcp": CommandEntry("foundry.cli.team", "Team", "mcp_command"),
    "token": CommandEntry("foundry.cli.team", "Team", "token_command"),
    "access": CommandEntry("foundry.cli.team", "Team", "access_command"),
    "privacy": CommandEntry("foundry.cli.models", "Maintenance", "privacy_command"),
    "schema": CommandEntry("foundry.cli.schema", "Maintenance"),
    "index": CommandEntry("foundry.cli.database", "Maintenance", "index_command"),
    "copy": CommandEntry("foundry.cli.database", "Maintenance", "copy_command"),
    "log": CommandEntry("foundry.cli.log", "Maintenance"),
    "eval": CommandEntry("foundry.cli.eval", "Maintenance"),
    "governor": CommandEntry("foundry.cli.governor", "Maintenance"),
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
