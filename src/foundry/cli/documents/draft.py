"""``foundry draft list / show / verify / accept``."""

from __future__ import annotations

import dataclasses
from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.input import by_option, identify_person
from foundry.cli.output import format_count, say, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.table import show_table
from foundry.cli.workspace import open_project
from foundry.craft.footnotes import DraftProblem
from foundry.journeys.drafts import (
    DraftVerification,
    accept_draft,
    find_stale_reasons,
    get_draft,
    get_draft_state,
    is_acceptance_current,
    list_drafts,
    verify_draft,
)
from foundry.records import DraftRecord, DraftState, SectionSummary
from foundry.render.conflicts import conflict_as_dict
from foundry.render.verification import render_verification, verification_as_dict
from foundry.workspace import Workspace


@dataclasses.dataclass(frozen=True, slots=True)
class DraftStatus:
    """A draft with what is true of it now."""

    record: DraftRecord
    state: DraftState
    accepted: bool
    stale: tuple[str, ...]


def get_status(workspace: Workspace, record: DraftRecord) -> DraftStatus:
    """How a draft stands: its file, its acceptance, and what changed since."""
    return DraftStatus(
        record,
        get_draft_state(workspace, record),
        is_acceptance_current(workspace, record),
        find_stale_reasons(workspace, record),
    )


@click.group("draft")
@common_options
def command() -> None:
    """List, show, verify and accept the drafts that generate wrote."""


@command.command("list")
@click.option("--feature", metavar="NAME", help="Only those of this feature.")
@common_options
@pass_call
def list_(call: Call, *, feature: str | None) -> None:
    """List the drafts, the latest first: state, coverage, who accepted them, what is out of date."""
    with open_project(call, read_only=True) as workspace:
        found = [get_status(workspace, record) for record in list_drafts(workspace, feature)]
    if call.json:
        show_json({"drafts": [status_as_dict(one) for one in found]})
        return
    if not found:
        of = f" of {feature}" if feature else ""
        show(f"No drafts{of} yet. `foundry generate` writes and registers one.")
        return
    show_table(
        ("FEATURE", "STATE", "COVERAGE", "ACCEPTED", "STALE", "PATH"),
        [_build_row(one) for one in found],
        elastic="PATH",
        numbers=("COVERAGE", "STALE"),
    )
    for one in found if not call.quiet else ():
        for reason in one.stale:
            say(f"Out of date: {one.record.path}: {reason}")


def _build_row(one: DraftStatus) -> tuple[object, ...]:
    record = one.record
    return (
        record.feature or "-",
        one.state,
        _format_percent(record.attribution_coverage),
        _format_acceptance(one),
        len(one.stale) or None,
        record.path,
    )


def _format_acceptance(one: DraftStatus) -> str:
    """``2026-03-01 by Ann``; marked where the file is another by now."""
    review = one.record.review
    if review is None:
        return ""
    told = f"{review.time.astimezone():%Y-%m-%d} by {review.by}"
    return told if one.accepted else f"{told}, edited since"


def _format_percent(share: float | None) -> str:
    return "" if share is None else f"{int(share * 100 + 1e-9)}%"


@command.command("show")
@click.argument("draft")
@common_options
@pass_call
def show_(call: Call, draft: str) -> None:
    """Show a draft: sections with coverage, conflicts, sources, and how it stands.

    DRAFT is its path, or a feature's name for the latest draft of that feature.
    """
    with open_project(call, read_only=True) as workspace:
        one = get_status(workspace, get_draft(workspace, draft))
    if call.json:
        show_json(details_as_dict(one))
    else:
        show(_render_status(one))


def _render_status(one: DraftStatus) -> str:
    record, review = one.record, one.record.review
    lines = [
        record.path,
        f"  Topic:    {record.topic}",
        f"  Feature:  {record.feature or 'none'}",
        f"  Written:  {record.created.astimezone():%Y-%m-%d %H:%M} by {record.model} ({record.mode})",
        f"  File:     {one.state}",
        f"  Verdict:  {record.verdict}; coverage {_format_percent(record.attribution_coverage) or '-'}",
        f"  Accepted: {_format_acceptance(one) or 'not yet'}",
        *([f"  Note:     {review.note}"] if review and review.note else []),
        *(f"  Out of date: {reason}" for reason in one.stale),
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
    """Check a draft that was edited: footnotes, their quotes, then every statement.

    DRAFT is its path, or a feature's name. Exits with 1 when anything fails: a mark
    without its footnote, a quote that its source does not have, a statement that is not
    supported by what it cites. -v shows the supported ones too.
    """
    with open_project(call) as workspace, show_progress(call) as progress:
        found = verify_draft(workspace, draft, progress=progress)
        stale = find_stale_reasons(workspace, found.record)
    if call.json:
        show_json({**draft_verification_as_dict(found), "stale": list(stale)})
    else:
        notices = found.verification.notices if found.verification else ()
        say_notices(call, (*notices, *(f"out of date: {reason}" for reason in stale)))
        show(_render_verdict(found, verbose=call.verbosity > 0, fresh=not stale))
    return DONE if found.passed else FAILED


def _render_verdict(found: DraftVerification, *, verbose: bool, fresh: bool) -> str:
    lines: list[str] = []
    for title, problems in (("Footnotes:", found.footnotes), ("Quotes:", found.quotes)):
        if problems:
            lines += [title]
            for problem in problems:
                lines += [f"  line {problem.line}: {problem.message}", f"    Next: {problem.fix}"]
            lines += [""]
    if found.verification:
        lines += [render_verification(found.verification, verbose=verbose)]
    name = found.record.path
    if found.passed:
        after = "; it is out of date and cannot be accepted" if not fresh else ""
        lines += [f"{name} ({found.state}) passes{after}."]
    else:
        failed = format_count(len(found.failures()), "fault")
        lines += [f"{name} ({found.state}) does not pass: {failed}; a draft may have none."]
    return "\n".join(lines)


@command.command("accept")
@click.argument("draft")
@by_option
@click.option("--note", default="", help="What the reviewer wants to be remembered.")
@common_options
@pass_call
def accept(call: Call, *, draft: str, by: str | None, note: str) -> None:
    """Record that a draft was reviewed and accepted as its file is now.

    DRAFT is its path, or a feature's name. One that was edited must pass `draft verify`
    first; one that is out of date is refused. The last acceptance counts.
    """
    with open_project(call) as workspace, show_progress(call) as progress:
        who = identify_person(call, by, workspace.root)
        record = accept_draft(workspace, draft, who, note, progress=progress)
        one = get_status(workspace, record)
    if call.json:
        show_json(status_as_dict(one))
    else:
        show(f"{record.path}: accepted {_format_acceptance(one)}.")


def status_as_dict(one: DraftStatus) -> dict[str, Any]:
    """A draft in a list, as ``--json`` prints it."""
    record, review = one.record, one.record.review
    return {
        "path": record.path,
        "feature": record.feature,
        "topic": record.topic,
        "created": record.created.isoformat(),
        "state": one.state,
        "content_hash": record.content_hash,
        "feature_hash": record.feature_hash,
        "verdict": record.verdict,
        "coverage": record.attribution_coverage,
        "shown_coverage": record.shown_coverage,
        "accepted": one.accepted,
        "review": review
        and {
            "by": review.by,
            "time": review.time.isoformat(),
            "content_hash": review.content_hash,
            "note": review.note,
        },
        "stale": list(one.stale),
    }


def details_as_dict(one: DraftStatus) -> dict[str, Any]:
    """A draft with its sections and sources, as ``--json`` prints it."""
    record = one.record
    return {
        **status_as_dict(one),
        "language": record.language,
        "model": record.model,
        "mode": record.mode,
        "usage": dataclasses.asdict(record.usage),
        "sections": [
            {
                "title": section.title,
                "sentences": section.sentences,
                "coverage": section.attribution_coverage,
                "shown_coverage": section.shown_coverage,
                "reason": section.reason,
                "conflicts": [conflict_as_dict(conflict) for conflict in section.conflicts],
            }
            for section in record.sections
        ],
        "sources": [dataclasses.asdict(used) for used in record.sources],
    }


def draft_verification_as_dict(found: DraftVerification) -> dict[str, Any]:
    """The JSON of ``foundry draft verify``."""
    verification = found.verification
    return {
        "path": found.record.path,
        "feature": found.record.feature,
        "state": found.state,
        "passed": found.passed,
        "footnotes": [_problem_as_dict(problem) for problem in found.footnotes],
        "quotes": [_problem_as_dict(problem) for problem in found.quotes],
        "verification": verification_as_dict(verification) if verification else None,
    }


def _problem_as_dict(problem: DraftProblem) -> dict[str, Any]:
    return dataclasses.asdict(problem)
