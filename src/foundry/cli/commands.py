"""The table of commands, and the Click group that imports a command when it is called."""

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


class LazyGroup(click.Group):
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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.entries and not name.startswith("-"):
            near = difflib.get_close_matches(name, self.entries, n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"Unknown command {name!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

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
