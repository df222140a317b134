"""The table of commands, and the Click groups: a lazy one, and one with a default command."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from foundry.cli.entry import load

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A command: its module, its group in the help, its line there, and its name in the module."""

    module: str
    group: str
    help: str
    attribute: str = "command"


COMMANDS: dict[str, CommandEntry] = {
    "init": CommandEntry("foundry.cli.project.init", "Start", "Create a project here or in DIR."),
    "doctor": CommandEntry(
        "foundry.cli.project.doctor", "Start", "Check the setup and suggest fixes."
    ),
    "version": CommandEntry("foundry.cli.project.version", "Start", "Show version numbers."),
    "ingest": CommandEntry("foundry.cli.project.ingest", "Sources", "Read new and changed files."),
    "sources": CommandEntry(
        "foundry.cli.project.sources", "Sources", "List, show or remove sources."
    ),
    "search": CommandEntry(
        "foundry.cli.questions.search", "Questions", "Find passages without writing an answer."
    ),
    "ask": CommandEntry(
        "foundry.cli.questions.ask", "Questions", "Answer a question from the sources."
    ),
    "chat": CommandEntry("foundry.cli.questions.chat", "Questions", "Ask a series of questions."),
    "feature": CommandEntry(
        "foundry.cli.documents.feature",
        "Documents",
        "Write and approve document specifications.",
    ),
    "verify": CommandEntry(
        "foundry.cli.documents.verify",
        "Documents",
        "Check a text against the sources, statement by statement.",
    ),
    "generate": CommandEntry(
        "foundry.cli.documents.generate",
        "Documents",
        "Write a cited document from an approved specification.",
    ),
    "draft": CommandEntry(
        "foundry.cli.documents.draft",
        "Documents",
        "List, show, verify and accept generated drafts.",
    ),
    "build": CommandEntry(
        "foundry.cli.documents.build",
        "Documents",
        "Build the client document from all accepted drafts.",
    ),
    "schema": CommandEntry(
        "foundry.cli.project.schema", "Maintenance", "Show the JSON Schema of a --json document."
    ),
    "index": CommandEntry(
        "foundry.cli.project.index", "Maintenance", "Show, rebuild or verify the search indexes."
    ),
    "log": CommandEntry(
        "foundry.cli.project.log", "Maintenance", "Show past questions and answers."
    ),
    "eval": CommandEntry(
        "foundry.cli.eval.group",
        "Maintenance",
        "Measure search and answers on questions with known answers.",
    ),
}


class DefaultGroup(click.Group):
    """A group that runs its command ``default`` when none is named: ``log`` is ``log list``."""

    def __init__(self, *args: Any, default: str | None = "list", **kwargs: Any) -> None:
        # Click would print the whole help as an error.
        super().__init__(*args, no_args_is_help=False, **kwargs)
        self.default = default
        if default:
            self.subcommand_metavar = "[COMMAND] [ARGS]..."
            self.epilog = f"Without a command, it runs `{default}`."

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
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"Unknown command {name!r}.{hint}", ctx)
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

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - Click's signature
        formatter: click.HelpFormatter,
    ) -> None:
        width = max(len(name) for name in self.entries)
        for heading in dict.fromkeys(entry.group for entry in self.entries.values()):
            rows = [
                (name.ljust(width), entry.help)
                for name, entry in self.entries.items()
                if entry.group == heading
            ]
            with formatter.section(heading):
                formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names from the table: the Tab key must not wait for imports."""
        # Imported here, as in Click itself: it takes a tenth of the start-up time.
        from click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=entry.help)
            for name, entry in self.entries.items()
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)
