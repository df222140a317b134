"""``foundry eval draft``."""

from __future__ import annotations

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval.questions import format_place
from foundry.cli.help import Command
from foundry.cli.output import say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.workspace import open_project
from foundry.evaluation.questions import (
    DEFAULT_NUMBER,
    DRAFTED_SET,
    MAX_NUMBER,
    DraftReport,
    draft_questions,
)
from foundry.messages import Message
from foundry.wire.evaluation import EvalDraftJson


@click.command("draft", cls=Command)
@click.option("--set", "set_name", default=DRAFTED_SET, show_default=True, metavar="NAME")
@click.option("--number", type=click.IntRange(0, MAX_NUMBER), default=DEFAULT_NUMBER, show_default=True)  # fmt: skip
@click.option("--source", "sources", multiple=True, metavar="PATH")
@click.option("--unanswerable", type=click.IntRange(0, MAX_NUMBER), default=None)
@common_options
@pass_call
def command(
    call: Call, *, set_name: str, number: int, sources: tuple[str, ...], unanswerable: int | None
) -> None:
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
        show_json(EvalDraftJson.from_record(drafts))
    else:
        _show(call, drafts)


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
    show(Message("eval-drafted", n=len(drafts.questions), kept=len(drafts.kept)))
    if drafts.questions:
        show(Message("eval-drafted-review", set=drafts.set))
