"""``foundry draft list / show / verify / accept``."""

from __future__ import annotations

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.failures import DONE, FAILED
from foundry.cli.input import by_option, identify_person
from foundry.cli.output import format_count, say, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.table import show_table
from foundry.cli.workspace import open_project
from foundry.journeys.drafts import (
    DraftStatus,
    DraftVerification,
    accept_draft,
    get_draft,
    get_draft_status,
    list_drafts,
    verify_draft,
)
from foundry.records import SectionSummary
from foundry.render.verification import render_verification
from foundry.wire.documents import (
    DraftDetailsJson,
    DraftListJson,
    DraftStatusJson,
    DraftVerificationJson,
)


@click.group("draft", cls=DefaultGroup)
@common_options
def command() -> None:
    pass


@command.command("list")
@click.option("--feature", metavar="NAME")
@common_options
@pass_call
def list_(call: Call, *, feature: str | None) -> None:
    with open_project(call, read_only=True) as workspace:
        drafts = [get_draft_status(workspace, record) for record in list_drafts(workspace, feature)]
    if call.json:
        show_json(DraftListJson(drafts=drafts))
        return
    if not drafts:
        of = f" of {feature}" if feature else ""
        show(f"No drafts{of} yet. Write one with `foundry generate`.")
        return
    show_table(
        ("FEATURE", "STATE", "COVERAGE", "ACCEPTED", "STALE", "PATH"),
        [_build_row(status) for status in drafts],
        elastic="PATH",
        numbers=("COVERAGE", "STALE"),
    )
    for status in drafts if not call.quiet else ():
        for reason in status.stale:
            say(f"Out of date: {status.record.path}: {reason}")


def _build_row(status: DraftStatus) -> tuple[object, ...]:
    record = status.record
    return (
        record.feature or "-",
        status.state,
        _format_percent(record.attribution_coverage),
        _format_acceptance(status),
        len(status.stale) or None,
        record.path,
    )


def _format_acceptance(status: DraftStatus) -> str:
    """``2026-03-01 by Ann``, with a remark if the file has changed since; "" if not accepted."""
    review = status.record.review
    if review is None:
        return ""
    acceptance = f"{review.time.astimezone():%Y-%m-%d} by {review.by}"
    return acceptance if status.accepted else f"{acceptance}, edited since"


def _format_percent(share: float | None) -> str:
    return "" if share is None else f"{int(share * 100 + 1e-9)}%"


@command.command("show")
@click.argument("draft")
@common_options
@pass_call
def show_(call: Call, draft: str) -> None:
    with open_project(call, read_only=True) as workspace:
        status = get_draft_status(workspace, get_draft(workspace, draft))
    if call.json:
        show_json(DraftDetailsJson.from_record(status))
    else:
        show(_render_status(status))


def _render_status(status: DraftStatus) -> str:
    record, review = status.record, status.record.review
    lines = [
        record.path,
        f"  Topic:    {record.topic}",
        f"  Feature:  {record.feature or 'none'}",
        f"  Written:  {record.created.astimezone():%Y-%m-%d %H:%M} by {record.model} ({record.mode})",
        f"  File:     {status.state}",
        f"  Verdict:  {record.verdict}; coverage {_format_percent(record.attribution_coverage) or '-'}",
        f"  Accepted: {_format_acceptance(status) or 'not yet'}",
        *([f"  Note:     {review.note}"] if review and review.note else []),
        *(f"  Out of date: {reason}" for reason in status.stale),
        "",
        "Sections:",
    ]
    for section in record.sections:
        lines += _render_section(section)
    lines += ["", "Sources:"]
    for used in record.sources:
        printed = ", ".join(part for part in (used.revision, used.revision_date) if part)
        lines.append(f"  {used.path}{f' ({printed})' if printed else ''}")
    return "\n".join(lines)


def _render_section(section: SectionSummary) -> list[str]:
    if not section.sentences:
        return [f"  {section.title}: empty: {section.reason or 'no evidence'}"]
    coverage = _format_percent(section.attribution_coverage) or "-"
    lines = [
        f"  {section.title}: {format_count(section.sentences, 'sentence')}, coverage {coverage}"
    ]
    for conflict in section.conflicts:
        first, second = conflict.values
        decided = f"; {conflict.rule}" if conflict.rule else ""
        lines.append(
            f"    conflict: {first} ({conflict.a.source}) / {second} ({conflict.b.source}){decided}"
        )
    return lines


@command.command("verify")
@click.argument("draft")
@common_options
@pass_call
def verify_(call: Call, draft: str) -> int:
    with open_project(call) as workspace, show_progress(call) as progress:
        result = verify_draft(workspace, draft, progress=progress)
    if call.json:
        show_json(DraftVerificationJson.from_record(result))
    else:
        notices = result.verification.notices if result.verification else ()
        say_notices(call, (*notices, *(f"out of date: {reason}" for reason in result.stale)))
        show(_render_verdict(result, verbose=call.verbosity > 0))
    return DONE if result.passed else FAILED


def _render_verdict(result: DraftVerification, *, verbose: bool) -> str:
    lines: list[str] = []
    for title, problems in (("Footnotes:", result.footnotes), ("Quotes:", result.quotes)):
        if problems:
            lines += [title]
            for problem in problems:
                lines += [f"  line {problem.line}: {problem.message}", f"    Next: {problem.fix}"]
            lines += [""]
    if result.verification:
        lines += [render_verification(result.verification, verbose=verbose)]
    name = result.record.path
    if result.passed:
        stale = ", but is out of date and cannot be accepted" if result.stale else ""
        lines += [f"{name} ({result.state}) passes{stale}."]
    else:
        failures = format_count(len(result.failures()), "problem")
        lines += [f"{name} ({result.state}) does not pass: {failures}."]
    return "\n".join(lines)


@command.command("accept")
@click.argument("draft")
@by_option
@click.option("--note", default="")
@common_options
@pass_call
def accept(call: Call, *, draft: str, by: str | None, note: str) -> None:
    with open_project(call) as workspace, show_progress(call) as progress:
        who = identify_person(call, by, workspace.root)
        record = accept_draft(workspace, draft, who, note, progress=progress)
        status = get_draft_status(workspace, record)
    if call.json:
        show_json(DraftStatusJson.from_record(status))
    else:
        show(f"{record.path}: accepted {_format_acceptance(status)}.")
