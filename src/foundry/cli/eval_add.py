"""``foundry eval add``."""

from __future__ import annotations

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval_questions import place_text, question_as_dict
from foundry.cli.input import read_question
from foundry.cli.output import show, show_json
from foundry.cli.workspace import open_project
from foundry.evaluation.questions import DEFAULT_SET, Wanted, add_question


@click.command("add")
@click.argument("words", nargs=-1, metavar="QUESTION", required=True)
@click.option("--id", "identity", metavar="ID", help="Its id; default is made from its words.")
@click.option(
    "--set", "set_name", default=DEFAULT_SET, show_default=True, metavar="NAME", help="Its set."
)
@click.option("--source", "sources", multiple=True, metavar="PATH",
              help="A source that holds the answer; repeatable.")  # fmt: skip
@click.option("--page", type=click.IntRange(min=1), help="The page of that source, from 1.")
@click.option("--section", metavar="HEADING", help="The section of that source.")
@click.option("--span", "spans", multiple=True, metavar="PATH:START-END",
              help="Exact letters of a source's text; repeatable.")  # fmt: skip
@click.option("--quote", "quotes", multiple=True, metavar="WORDS",
              help="Exact words of the source, or of any source; repeatable.")  # fmt: skip
@click.option("--answer", "answers", multiple=True, metavar="TEXT",
              help="A wording that counts as right; repeatable.")  # fmt: skip
@click.option("--answerable/--unanswerable", default=None,
              help="Whether the sources answer it; a place or an answer says so too.")  # fmt: skip
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag; repeatable.")
@click.option("--language", metavar="CODE", help="nl, en …; default is found from its words.")
@click.option("--note", default="", help="What a reviewer should know.")
@common_options
@pass_call
def command(
    call: Call,
    *,
    words: tuple[str, ...],
    identity: str | None,
    set_name: str,
    sources: tuple[str, ...],
    page: int | None,
    section: str | None,
    spans: tuple[str, ...],
    quotes: tuple[str, ...],
    answers: tuple[str, ...],
    answerable: bool | None,
    tags: tuple[str, ...],
    language: str | None,
    note: str,
) -> None:
    """Add a question with its known answer.

    A source is named by its path, its file name or its title. Words given with --quote are
    looked up, and their exact place is kept. A question that the sources cannot answer is
    worth as much: give --unanswerable.
    """
    text = read_question(words)
    with open_project(call) as workspace:
        question = add_question(
            workspace,
            text,
            wanted=Wanted(sources, page, section, spans, quotes),
            set_name=set_name,
            identity=identity,
            answers=answers,
            answerable=answerable,
            tags=tags,
            language=language,
            note=note,
        )
    if call.json:
        show_json(question_as_dict(question))
        return
    show(f"{question.key}: {question.text}")
    for place in question.expected:
        show(f"  {place_text(place)}")
