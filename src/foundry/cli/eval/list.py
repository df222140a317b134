"""``foundry eval list``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval.questions import count_sets, format_label, question_as_dict
from foundry.cli.output import format_count, show, show_json
from foundry.cli.table import show_table
from foundry.cli.workspace import open_project
from foundry.evaluation.questions import select_questions
from foundry.records import EvalQuestion


@click.command("list")
@click.option("--set", "sets", multiple=True, metavar="NAME", help="Only this set; repeatable.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag; repeatable.")
@click.option("--unreviewed", is_flag=True, help="Only drafts that nobody has accepted yet.")
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

    Shows where each answer is expected, and counts each set at the end.
    """
    with open_project(call, read_only=True) as workspace:
        stored = select_questions(workspace, sets, tags, reviewed_only=False, answerable=answerable)
    chosen = [question for question in stored if not (unreviewed and question.reviewed)]
    if call.json:
        rows = [question_as_dict(question) for question in chosen]
        show_json({"questions": rows, "sets": count_sets(chosen)})
    elif not chosen:
        narrowed = sets or tags or unreviewed or answerable is not None
        show("No questions match." if narrowed else _NONE)
    else:
        _show(chosen)


_NONE = "There are no questions yet. Use `foundry eval add`, `import` or `draft`."


def _show(questions: Sequence[EvalQuestion]) -> None:
    show_table(
        ("KEY", "LANG", "ANSWER", "SOURCE", "TAGS", "STATE", "QUESTION"),
        [
            (
                one.key,
                one.language,
                format_label(one),
                _format_sources(one),
                ", ".join(one.tags),
                None if one.reviewed else "unreviewed",
                one.text,
            )
            for one in questions
        ],
        elastic="QUESTION",
    )
    show()
    for name, counts in count_sets(questions).items():
        parts = [f"{counts[label]:,} {label}" for label in list(counts)[1:] if counts[label]]
        show(f"{name}: {format_count(counts['questions'], 'question')}: {', '.join(parts)}")


def _format_sources(question: EvalQuestion) -> str:
    names = [PurePosixPath(one.source).name for one in question.expected]
    more = f" +{len(names) - 1}" if len(names) > 1 else ""
    return f"{names[0]}{more}" if names else ""
