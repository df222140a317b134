"""``foundry eval show``."""

from __future__ import annotations

from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval.questions import format_label, format_place, question_as_dict
from foundry.cli.output import show, show_json
from foundry.cli.workspace import open_project
from foundry.evaluation.questions import QuestionView, show_question


@click.command("show")
@click.argument("name", metavar="ID")
@common_options
@pass_call
def command(call: Call, *, name: str) -> None:
    """Show a question whole.

    Includes the current words of its spans. ID is set/id, or just the id if only one set has it.
    """
    with open_project(call, read_only=True) as workspace:
        shown = show_question(workspace, name)
    if call.json:
        show_json(view_as_dict(shown))
    else:
        show(_as_text(shown))


def view_as_dict(shown: QuestionView) -> dict[str, Any]:
    """A question with the words at its places, as ``--json`` prints it."""
    return {
        **question_as_dict(shown.question),
        "quotes": [
            {"source": one.source, "start": one.start, "end": one.end, "text": one.text}
            for one in shown.quotes
        ],
        "unknown_sources": list(shown.unknown),
    }


def _as_text(shown: QuestionView) -> str:
    one = shown.question
    lines = [
        f"{one.key}  ({one.origin}{'' if one.reviewed else ', not reviewed'})",
        f"Question:   {one.text}",
        f"Language:   {one.language}",
        f"Answerable: {format_label(one)}",
        *(f"Answer:     {answer}" for answer in one.answers),
        *([f"Tags:       {', '.join(one.tags)}"] if one.tags else []),
        *([f"Note:       {one.note}"] if one.note else []),
    ]
    for place in one.expected:
        missing = "  (not in the project)" if place.source in shown.unknown else ""
        lines.append(f"Expected:   {format_place(place)}{missing}")
        lines += [f"            > {q.text}" for q in shown.quotes if q.source == place.source]
    return "\n".join(lines)
