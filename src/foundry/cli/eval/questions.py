"""``foundry eval add``, ``import``, ``list``, ``show``, ``accept``, ``remove``, ``export`` and ``draft``.

Also a question as JSON and text, for the other commands about stored questions.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import click

from foundry.cli.call import Call, basic_options, common_options, pass_call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command, UsageProblem
from foundry.cli.input import confirm, confirm_overwrite, read_question
from foundry.cli.output import format_fields, say, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import open_project
from foundry.errors import RuleError, UsageError
from foundry.evaluation.questions import (
    DEFAULT_NUMBER,
    DEFAULT_SET,
    DRAFTED_SET,
    FEEDBACK_SET,
    MAX_NUMBER,
    AnswerPlace,
    DraftReport,
    ImportReport,
    QuestionView,
    accept_questions,
    add_question,
    choose_questions,
    count_sets,
    draft_questions,
    import_feedback,
    import_questions,
    questions_as_lines,
    select_questions,
    show_question,
)
from foundry.journeys.delivery import resolve_output
from foundry.messages import Message, format_message
from foundry.records import EvalQuestion, Expectation
from foundry.render.files import write_document
from foundry.wire.evaluation import (
    EvalAcceptJson,
    EvalDraftJson,
    EvalExportJson,
    EvalImportJson,
    EvalListJson,
    EvalRemoveJson,
    EvalShowJson,
)

_MAX_SHOWN = 20
"""Refused lines printed, one screen; -v and --json give all."""

set_option = click.option("--set", "set_name", metavar="NAME")


@click.command("add", cls=Command)
@click.argument("words", nargs=-1, metavar="QUESTION", required=True)
@click.option("--id", "identity", metavar="ID")
@click.option("--set", "set_name", default=DEFAULT_SET, show_default=True, metavar="NAME")
@click.option("--source", "sources", multiple=True, metavar="PATH")
@click.option("--page", type=click.IntRange(min=1))
@click.option("--section", metavar="HEADING")
@click.option("--span", "spans", multiple=True, metavar="PATH:START-END")
@click.option("--quote", "quotes", multiple=True, metavar="WORDS")
@click.option("--answer", "answers", multiple=True, metavar="TEXT")
@click.option("--answerable/--unanswerable", default=None)
@click.option("--tag", "tags", multiple=True, metavar="TAG")
@click.option("--language", metavar="CODE")
@click.option("--note", default="")
@basic_options
@pass_call
def add_command(
    call: Call,
    /,
    *,
    words: tuple[str, ...],
    sources: tuple[str, ...],
    page: int | None,
    section: str | None,
    spans: tuple[str, ...],
    quotes: tuple[str, ...],
    **named: Any,
) -> None:
    text, place = read_question(words), AnswerPlace(sources, page, section, spans, quotes)
    with open_project(call) as workspace:
        question = add_question(workspace, text, place=place, **named)
    if call.json:
        show_json(question)
        return
    show(f"{question.key}: {question.text}")
    for expected in question.expected:
        show(f"  {format_place(expected)}")


@click.command("import", cls=Command)
@click.argument("files", nargs=-1, metavar="[FILE…]", type=click.Path(path_type=Path))
@click.option("--set", "set_name", metavar="NAME")
@click.option("--replace", "replace_changed", is_flag=True)
@click.option("--format", "form", type=click.Choice(["jsonl", "csv", "beir"]))
@click.option("--feedback", is_flag=True)
@click.option("--strict", is_flag=True)
@common_options
@pass_call
def import_command(
    call: Call, /, *, files: tuple[Path, ...], feedback: bool, strict: bool, **named: Any
) -> int:
    if bool(files) is feedback:
        raise UsageProblem(Message("eval-import-what"))
    with open_project(call) as workspace:
        if feedback:
            report = import_feedback(workspace, named["set_name"] or FEEDBACK_SET)
        else:
            with show_progress(call) as progress:
                report = import_questions(workspace, files, progress=progress, **named)
    if call.json:
        show_json(EvalImportJson.from_record(report))
    else:
        _show_import(call, report)
    return FAILED if report.refused and (strict or not report.kept) else DONE


def _show_import(call: Call, report: ImportReport) -> None:
    say_notices(call, report.notices)
    shown = report.refused if call.verbosity > 0 else report.refused[:_MAX_SHOWN]
    for line in shown:
        named = f"{line.where} ({line.id})" if line.id else line.where
        refused = Message("eval-import-refused", line=named, reason=line.reason, fix=line.fix)
        say(refused)
        say(format_message(refused, attribute="fix"))
    if len(shown) < len(report.refused):
        say(Message("eval-import-refused-more", n=len(report.refused) - len(shown)))
    counts = (
        ("eval-added", report.added),
        ("eval-updated", report.updated),
        ("eval-unchanged", report.unchanged),
        ("eval-refused", report.refused),
    )
    parts = [str(Message(code, n=len(keys))) for code, keys in counts if keys]
    show(Message("eval-import-done", n=report.kept + len(report.refused), parts=parts))


@click.command("list", cls=Command)
@click.option("--set", "sets", multiple=True, metavar="NAME")
@click.option("--tag", "tags", multiple=True, metavar="TAG")
@click.option("--unreviewed", is_flag=True)
@click.option("--answerable/--unanswerable", default=None)
@common_options
@pass_call
def list_command(
    call: Call,
    *,
    sets: Sequence[str],
    tags: Sequence[str],
    unreviewed: bool,
    answerable: bool | None,
) -> None:
    with open_project(call, read_only=True) as workspace:
        stored = select_questions(workspace, sets, tags, reviewed_only=False, answerable=answerable)
    chosen = [question for question in stored if not (unreviewed and question.reviewed)]
    if call.json:
        show_json(EvalListJson(questions=chosen, sets=count_sets(chosen)))
    elif not chosen:
        narrowed = sets or tags or unreviewed or answerable is not None
        show(Message("eval-questions-none-match" if narrowed else "eval-questions-none"))
    else:
        _show_questions(chosen)


def _show_questions(questions: Sequence[EvalQuestion]) -> None:
    columns = list_columns("key", "language", "answer", "source", "tags", "state", "question")
    show_table(
        columns,
        [
            (
                one.key,
                one.language,
                format_label(one),
                _format_sources(one),
                ", ".join(one.tags),
                None if one.reviewed else Message("eval-question-unreviewed"),
                one.text,
            )
            for one in questions
        ],
        elastic=columns[-1],
        optional=columns[1:5:3],
    )
    show()
    for name, counts in count_sets(questions).items():
        labels = [label for label in list(counts)[1:] if counts[label]]
        parts = [str(Message(f"eval-count-{label}", n=counts[label])) for label in labels]
        show(Message("eval-set-counts", set=name, n=counts["questions"], parts=parts))


def _format_sources(question: EvalQuestion) -> str:
    names = [PurePosixPath(one.source).name for one in question.expected]
    more = f" +{len(names) - 1}" if len(names) > 1 else ""
    return f"{names[0]}{more}" if names else ""


@click.command("show", cls=Command)
@click.argument("name", metavar="ID")
@common_options
@pass_call
def show_command(call: Call, *, name: str) -> None:
    with open_project(call, read_only=True) as workspace:
        shown = show_question(workspace, name)
    if call.json:
        show_json(EvalShowJson.from_record(shown))
    else:
        show(_format_view(shown))


def _format_view(shown: QuestionView) -> str:
    one = shown.question
    facts = [
        ("question", one.text),
        ("language", one.language),
        ("answerable", format_label(one)),
        *(("answer", answer) for answer in one.answers),
        *([("tags", ", ".join(one.tags))] if one.tags else []),
        *([("note", one.note)] if one.note else []),
    ]
    for place in one.expected:
        missing = f"  {Message('eval-place-missing')}" if place.source in shown.unknown else ""
        facts.append(("expected", f"{format_place(place)}{missing}"))
        facts += [("", f"> {q.text}") for q in shown.quotes if q.source == place.source]
    labelled = [(Message(f"eval-field-{name}") if name else "", text) for name, text in facts]
    head = Message("eval-question-head", origin=one.origin, reviewed=str(one.reviewed).lower())
    return "\n".join([f"{one.key}  {head}", *format_fields(labelled)])


@click.command("accept", cls=Command)
@click.argument("names", nargs=-1, metavar="[ID…]")
@set_option
@click.option("--all", "everything", is_flag=True)
@click.option("--reject", is_flag=True)
@common_options
@pass_call
def accept_command(
    call: Call, *, names: tuple[str, ...], set_name: str | None, everything: bool, reject: bool
) -> None:
    with open_project(call) as workspace:
        done = accept_questions(
            workspace, names, set_name=set_name, everything=everything, reject=reject
        )
    if call.json:
        show_json(EvalAcceptJson.from_record(done))
        return
    say_notices(call, done.notices)
    if done.before:
        say_notices(call, [Message("eval-already-accepted", n=len(done.before))])
    changed = done.rejected if reject else done.accepted
    show(Message("eval-rejected" if reject else "eval-accepted", n=len(changed)))


@click.command("remove", cls=Command)
@click.argument("names", nargs=-1, metavar="[ID…]")
@set_option
@click.option("--yes", is_flag=True)
@common_options
@pass_call
def remove_command(call: Call, *, names: tuple[str, ...], set_name: str | None, yes: bool) -> None:
    if bool(names) is (set_name is not None):
        raise UsageError("eval-remove-which", where="questions")
    with open_project(call) as workspace:
        evaluation = workspace.maintenance().evaluation
        chosen = choose_questions(workspace, names, set_name)
        if set_name is not None and not yes:
            _confirm_removal(chosen, set_name)
        keys = [question.key for question in chosen]
        evaluation.remove_questions(keys)
    if call.json:
        show_json(EvalRemoveJson(removed=keys))
    else:
        show(Message("eval-removed", n=len(keys)))


def _confirm_removal(chosen: list[EvalQuestion], set_name: str) -> None:
    """Ask before removing a whole set. Raises ``RuleError`` without a yes."""
    if not sys.stdin.isatty():
        raise RuleError("eval-would-remove", where="--set", n=len(chosen), set=set_name)
    question = Message("eval-remove-set", n=len(chosen), set=set_name)
    if not confirm(question):
        raise RuleError("eval-nothing-removed", where="--set", set=set_name)


@click.command("export", cls=Command)
@click.option("--set", "sets", multiple=True, metavar="NAME")
@click.option("--output", required=True, type=click.Path(path_type=Path), metavar="FILE")
@click.option("--yes", is_flag=True)
@common_options
@pass_call
def export_command(call: Call, *, sets: tuple[str, ...], output: Path, yes: bool) -> None:
    with open_project(call, read_only=True) as workspace:
        path = resolve_output(workspace, output)
        questions = select_questions(workspace, sets, reviewed_only=False)
        if not questions:
            raise UsageError("eval-nothing-to-export", where="--set")
        overwrite = confirm_overwrite([path], yes=yes)
        write_document(path, questions_as_lines(workspace, questions), overwrite=overwrite)
    if call.json:
        show_json(EvalExportJson(path=str(path), questions=len(questions)))
    else:
        show(Message("eval-exported", n=len(questions), path=str(output)))


@click.command("draft", cls=Command)
@click.option("--set", "set_name", default=DRAFTED_SET, show_default=True, metavar="NAME")
@click.option("--number", type=click.IntRange(0, MAX_NUMBER), default=DEFAULT_NUMBER, show_default=True)  # fmt: skip
@click.option("--source", "sources", multiple=True, metavar="PATH")
@click.option("--unanswerable", type=click.IntRange(0, MAX_NUMBER), default=None)
@common_options
@pass_call
def draft_command(call: Call, /, **named: Any) -> None:
    with open_project(call) as workspace, show_progress(call) as progress:
        drafts = draft_questions(workspace, progress=progress, **named)
    if call.json:
        show_json(EvalDraftJson.from_record(drafts))
    else:
        _show_drafts(call, drafts)


def _show_drafts(call: Call, drafts: DraftReport) -> None:
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


def format_place(place: Expectation) -> str:
    """``manual.pdf, 3.2 Intervals, p. 8, 120-180``."""
    parts = [place.source]
    parts += [place.section] if place.section else []
    parts += [str(Message("eval-page", page=str(place.page)))] if place.page is not None else []
    parts += [f"{start}-{end}" for start, end in place.spans]
    relevance = Message("eval-relevance", relevance=str(place.relevance))
    parts += [str(relevance)] if place.relevance != 1 else []
    return ", ".join(parts)


def format_label(question: EvalQuestion) -> str:
    """Whether the question has an answer: yes, no, or a question mark if unlabelled."""
    if question.answerable is None:
        return "?"
    return str(Message("eval-yes" if question.answerable else "eval-no"))
