"""The table of commands: where each one lives, in which help group, and its one line of help.

The help line stands here so that the list of commands needs none of their
modules; a test compares it with the command's own first line.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A command: the module whose ``command`` it is, its help group, and its line there."""

    module: str
    group: str
    help: str


COMMANDS: dict[str, Entry] = {
    "init": Entry("foundry.cli.init", "Start", "Make a project here or in DIR."),
    "doctor": Entry("foundry.cli.doctor", "Start", "Check everything and say how to mend it."),
    "version": Entry("foundry.cli.version", "Start", "Show the versions in use."),
    "ingest": Entry("foundry.cli.ingest", "Sources", "Read new and changed files."),
    "sources": Entry("foundry.cli.sources", "Sources", "List, show or remove sources."),
    "search": Entry("foundry.cli.search", "Questions", "Find passages; no answer is written."),
    "ask": Entry("foundry.cli.ask", "Questions", "Answer a question from the sources."),
    "chat": Entry("foundry.cli.chat", "Questions", "Ask questions one after the other."),
    "feature": Entry(
        "foundry.cli.feature", "Documents", "Specify documents and approve what is specified."
    ),
    "verify": Entry(
        "foundry.cli.verify",
        "Documents",
        "Check any text against the sources, statement by statement.",
    ),
    "generate": Entry(
        "foundry.cli.generate",
        "Documents",
        "Write a cited document from an approved specification.",
    ),
    "draft": Entry(
        "foundry.cli.draft",
        "Documents",
        "List, show, verify and accept the drafts that generate wrote.",
    ),
    "build": Entry(
        "foundry.cli.build", "Documents", "Make the client's document of all approved features."
    ),
    "index": Entry("foundry.cli.index", "Care", "Look after the search indexes."),
    "log": Entry("foundry.cli.log", "Care", "Show what was asked and answered."),
    "eval": Entry(
        "foundry.cli.eval.group",
        "Care",
        "Measure search and answers on questions with known answers.",
    ),
}
