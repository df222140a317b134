"""``foundry eval list``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval_questions import by_set, label, question_as_dict
from foundry.cli.output import format_count, show, show_json
from foundry.cli.table import show_table
from foundry.cli.workspace import open_project
from foundry.evaluation.questions import select_questions
from foundry.records import EvalQuestion


@click.command("list")
@click.option("--set", "sets", multiple=True, metavar="NAME", help="Only this set; repeatable.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag; repeatable.")
@click.option("--unreviewed", is_flag=True, help="Only those that no person has accepted yet.")
@click.option("--answerable/--unanswerable", default=None, help="Only those with this label.")
@common_options
@pass_call
def command(
    call: Call,
    *,
    sets: tuple[str, ...],
    tags: tuple[str, ...],
    unreviewed: bool,
    answerable: bool | None,
) -> None:
    """List the stored questions.

    With where their answers are expected; the counts of each set stand at the end.
    """
    with open_project(call, read_only=True) as workspace:
        found = select_questions(workspace, sets, tags, reviewed_only=False, answerable=answerable)
    chosen = [one for one in found if not (unreviewed and one.reviewed)]
    if call.json:
        show_json({"questions": [question_as_dict(one) for one in chosen], "sets": by_set(chosen)})
    elif not chosen:
        narrowed = sets or tags or unreviewed or answerable is not None
        show("Nothing fits." if narrowed else _NONE)
    else:
        _show(chosen)


_NONE = "There are no questions yet: foundry eval add, import or draft makes some."


def _show(questions: Sequence[EvalQuestion]) -> None:
    show_table(
        ("KEY", "LANG", "ANSWER", "SOURCE", "TAGS", "STATE", "QUESTION"),
        [
            (
                one.key,
                one.language,
                label(one),
                _sources(one),
                ", ".join(one.tags),
                None if one.reviewed else "unreviewed",
                one.text,
            )
            for one in questions
        ],
        elastic="QUESTION",
    )
    show()
    for name, counted in by_set(questions).items():
        told = [f"{counted[what]:,} {what}" for what in list(counted)[1:] if counted[what]]
        show(f"{name}: {format_count(counted['questions'], 'question')}: {', '.join(told)}")


def _sources(question: EvalQuestion) -> str:
    names = [PurePosixPath(one.source).name for one in question.expected]
    more = f" +{len(names) - 1}" if len(names) > 1 else ""
    return f"{names[0]}{more}" if names else ""
