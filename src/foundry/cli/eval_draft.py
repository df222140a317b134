"""``foundry eval draft``."""

from __future__ import annotations

import dataclasses
from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval_questions import place_text, question_as_dict
from foundry.cli.output import format_count, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.workspace import open_project
from foundry.evaluation.questions import DRAFTED_SET, Drafts, draft_questions
from foundry.evaluation.questions.drafting import DEFAULT_NUMBER, MOST


@click.command("draft")
@click.option("--set", "set_name", default=DRAFTED_SET, show_default=True, metavar="NAME",
              help="Their set.")  # fmt: skip
@click.option("--number", type=click.IntRange(0, MOST), default=DEFAULT_NUMBER, show_default=True,
              help="How many that the sources answer.")  # fmt: skip
@click.option("--source", "sources", multiple=True, metavar="PATH",
              help="Only from this source; repeatable.")  # fmt: skip
@click.option("--unanswerable", type=click.IntRange(0, MOST), default=0, show_default=True,
              help="How many more that no source answers.")  # fmt: skip
@common_options
@pass_call
def command(
    call: Call, *, set_name: str, number: int, sources: tuple[str, ...], unanswerable: int
) -> None:
    """Draft questions from the sources, for review.

    The mode's language model writes them, each with a quote that stands in its source; without
    one they are made of tables, plain sentences and headings. None counts in a run before
    somebody accepts it: foundry eval accept.
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


def drafts_as_dict(drafts: Drafts) -> dict[str, Any]:
    """What was drafted, as ``--json`` prints it."""
    return {
        "set": drafts.set,
        "model": drafts.model,
        "questions": [question_as_dict(one) for one in drafts.questions],
        "kept": list(drafts.kept),
        "skipped": [dataclasses.asdict(one) for one in drafts.skipped],
        "usage": dataclasses.asdict(drafts.usage),
        "notices": list(drafts.notices),
    }


def _show(call: Call, drafts: Drafts) -> None:
    say_notices(call, drafts.notices)
    if call.verbosity > 0:
        say_notices(call, (f"{s.source}: {s.what}: {s.reason}" for s in drafts.skipped))
    for one in drafts.questions:
        show(f"{one.key}: {one.text}")
        for answer in one.answers:
            show(f"  {answer}")
        for place in one.expected:
            show(f"  {place_text(place)}")
    there = f", {len(drafts.kept):,} were there before" if drafts.kept else ""
    show(f"{format_count(len(drafts.questions), 'question')} drafted{there}.")
    if drafts.questions:
        show(f"Review them, then: foundry eval accept --set {drafts.set}")
