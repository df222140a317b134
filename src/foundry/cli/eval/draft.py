"""``foundry eval draft``."""

from __future__ import annotations

import dataclasses
from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval.questions import format_place, question_as_dict
from foundry.cli.output import format_count, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.workspace import open_project
from foundry.evaluation.questions import (
    DEFAULT_NUMBER,
    DRAFTED_SET,
    MAX_NUMBER,
    DraftReport,
    draft_questions,
)


@click.command("draft")
@click.option("--set", "set_name", default=DRAFTED_SET, show_default=True, metavar="NAME",
              help="The set to add them to.")  # fmt: skip
@click.option("--number", type=click.IntRange(0, MAX_NUMBER), default=DEFAULT_NUMBER, show_default=True,
              help="How many questions to draft.")  # fmt: skip
@click.option("--source", "sources", multiple=True, metavar="PATH",
              help="Draft only from this source; repeatable.")  # fmt: skip
@click.option("--unanswerable", type=click.IntRange(0, MAX_NUMBER), default=None,
              help="How many more that no source answers; a quarter of --number by default.")  # fmt: skip
@common_options
@pass_call
def command(
    call: Call, *, set_name: str, number: int, sources: tuple[str, ...], unanswerable: int | None
) -> None:
    """Draft questions from the sources, for review.

    The language model of the mode writes them, each with a quote from its source; without a model
    they are made from tables and headings. Unanswerable ones ask about an identifier that no
    source has. Nothing counts in a run until you accept it with `foundry eval accept`.
    """
    with open_project(call) as workspace, show_progress(call) as progress:
        drafts = draft_questions(
            workspace,
            set_name=set_name,
            number=number,
            sources=sources,
            unanswerable=unanswerable,
            progress=progress,
        )
    if call.json:
        show_json(drafts_as_dict(drafts))
    else:
        _show(call, drafts)


def drafts_as_dict(drafts: DraftReport) -> dict[str, Any]:
    """The drafts as ``--json`` prints them."""
    return {
        "set": drafts.set,
        "model": drafts.model,
        "questions": [question_as_dict(question) for question in drafts.questions],
        "kept": list(drafts.kept),
        "skipped": [dataclasses.asdict(skipped) for skipped in drafts.skipped],
        "usage": dataclasses.asdict(drafts.usage),
        "notices": list(drafts.notices),
    }


def _show(call: Call, drafts: DraftReport) -> None:
    say_notices(call, drafts.notices)
    if call.verbosity > 0:
        say_notices(call, (f"{s.source}: {s.what}: {s.reason}" for s in drafts.skipped))
    for question in drafts.questions:
        show(f"{question.key}: {question.text}")
        for answer in question.answers:
            show(f"  {answer}")
        for place in question.expected:
            show(f"  {format_place(place)}")
    existing = f", {len(drafts.kept):,} existed before" if drafts.kept else ""
    show(f"{format_count(len(drafts.questions), 'question')} drafted{existing}.")
    if drafts.questions:
        show(f"Review them, then run `foundry eval accept --set {drafts.set}`.")
