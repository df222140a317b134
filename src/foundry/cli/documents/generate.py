"""``foundry generate``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.documents.generate_report import (
    draft_as_dict,
    plan_as_dict,
    render_plan,
    render_review,
    show_warnings,
)
from foundry.cli.failures import DONE, NO_EVIDENCE
from foundry.cli.input import confirm_overwrite, read_question
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.scope import SearchScope, scope_options
from foundry.cli.workspace import open_project
from foundry.errors import UsageError
from foundry.journeys.drafts import find_overwrite_warning, register_draft
from foundry.journeys.generate import DraftPlan, generate, plan_draft
from foundry.journeys.specifications import choose_specification
from foundry.records import Draft, Specification
from foundry.render.answer import NO_EVIDENCE as NOTHING_FOUND
from foundry.render.files import check_output_path, keep_copy, write_document
from foundry.render.markdown import render_markdown
from foundry.workspace import Workspace


@click.command("generate")
@click.option("--topic", required=True, help="Topic of the document; - reads standard input.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Markdown file to write, in the current folder or an allowed one.",
)
@click.option(
    "--feature",
    metavar="NAME",
    help="Approved specification to use; optional if there is only one.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Show hits, scores, conflicts, budget and prompts; write nothing.",
)
@click.option("--fresh", is_flag=True, help="Rewrite all sections, including unchanged ones.")
@click.option("--yes", is_flag=True, help="Overwrite an existing file without asking.")
@scope_options
@common_options
@pass_call
def command(
    call: Call,
    *,
    topic: str,
    output: Path | None,
    feature: str | None,
    dry_run: bool,
    fresh: bool,
    yes: bool,
    scope: SearchScope,
) -> int:
    """Write a cited document from an approved specification.

    Every statement has a footnote to the passage that supports it; a section without
    evidence is marked as such. Sections for which nothing changed since the last run are
    reused. Conflicts between sources are shown before writing starts; what a reviewer
    should check is listed at the end. If the sources contain nothing for any section, no
    file is written and the exit status is 3.
    """
    text = read_question((topic,), "topic")
    if output is None and not dry_run:
        raise UsageError(
            "--output is missing.", where="--output", fix="Name the file to write: --output a.md."
        )
    with open_project(call) as workspace:
        path = None if output is None else _check_path(workspace, output)
        chosen = choose_specification(workspace, feature)
        if path is None or dry_run:
            return _show_plan(call, workspace, text, chosen, scope)
        warning = find_overwrite_warning(workspace, path)
        overwrite = confirm_overwrite([path], yes=yes, warning=warning)
        filters = scope.read(workspace, call)
        with show_progress(call) as progress:
            draft = generate(
                workspace,
                text,
                feature=chosen,
                filters=filters,
                mode=scope.mode,
                fresh=fresh,
                progress=progress,
                announce=_choose_announcer(call),
            )
        written = draft.verdict != "no_evidence"
        if written:
            _write(workspace, draft, path, overwrite=overwrite)
    return _show_result(call, draft, path if written else None, path)


def _show_plan(
    call: Call, workspace: Workspace, topic: str, feature: Specification, scope: SearchScope
) -> int:
    filters = scope.read(workspace, call)
    with show_progress(call) as progress:
        plan = plan_draft(
            workspace,
            topic,
            feature=feature,
            filters=filters,
            mode=scope.mode,
            fresh=True,
            progress=progress,
        )
    if call.json:
        show_json(plan_as_dict(plan))
    else:
        show_warnings(plan)
        say_notices(call, plan.notices)
        show(render_plan(plan))
    return DONE


def _choose_announcer(call: Call) -> Callable[[DraftPlan], None]:
    """What shows conflicts and a tight budget before writing; in JSON they are fields."""
    return (lambda _plan: None) if call.json else show_warnings


def _write(workspace: Workspace, draft: Draft, path: Path, *, overwrite: bool) -> None:
    """Write and register the draft, keeping a copy of a file that someone edited."""
    if overwrite and find_overwrite_warning(workspace, path):
        say(f"Saved the edited draft as {keep_copy(path).name}")
    text = render_markdown(draft)
    write_document(path, text, overwrite=overwrite)
    register_draft(workspace, draft, path, text)


def _show_result(call: Call, draft: Draft, written: Path | None, path: Path) -> int:
    if call.json:
        show_json(draft_as_dict(draft, written))
    elif written:
        say_notices(call, draft.notices)
        show(render_review(draft, written))
    else:
        reasons = [
            f"{section.title}: {section.reason}" for section in draft.sections if section.reason
        ]
        show("\n".join([NOTHING_FOUND, *reasons, *draft.notices, f"{path} was not written."]))
    return DONE if written else NO_EVIDENCE


def _check_path(workspace: Workspace, output: Path) -> Path:
    """The file to write, checked before any other work."""
    allowed = [workspace.root / folder for folder in workspace.config.output.allowed_dirs]
    return check_output_path(output, Path.cwd(), allowed)
