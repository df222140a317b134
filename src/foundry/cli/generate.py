"""``foundry generate``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.overwriting import agree_to_overwrite
from foundry.cli.plan import announce, plan_as_dict, plan_text
from foundry.cli.progress import shown_progress
from foundry.cli.project import open_project
from foundry.cli.question import read_question
from foundry.cli.review import draft_as_dict, review_text
from foundry.cli.scope import Scope, scope_options
from foundry.cli.status import DONE, NO_EVIDENCE
from foundry.drafts import overwrite_warning, register_draft
from foundry.errors import UsageError
from foundry.features import choose_feature
from foundry.generate import Plan, generate, plan_draft
from foundry.records import Draft, Feature
from foundry.render.answer import NO_EVIDENCE as NOTHING_FOUND
from foundry.render.files import check_output_path, keep_copy, write_document
from foundry.render.markdown import render_markdown
from foundry.workspace import Workspace


@click.command("generate")
@click.option("--topic", required=True, help="What the document is about; - for standard input.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The Markdown file to write, inside the folder you are in or an allowed one.",
)
@click.option(
    "--feature",
    metavar="NAME",
    help="The approved specification to write from; needless where only one is approved.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Show hits, scores, conflicts, budget and prompts; write nothing.",
)
@click.option("--fresh", is_flag=True, help="Write every section anew, also unchanged ones.")
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
    scope: Scope,
) -> int:
    """Write a cited document from an approved specification.

    Every statement carries a footnote to the passage it rests on; a section without
    evidence says so. Sections that nothing changed since the last run are taken over.
    What contradicts is shown before anything is written, the review at the end. When
    the sources hold nothing on any section, no file is written and the exit status is 3.
    """
    text = read_question((topic,), "topic")
    if output is None and not dry_run:
        raise UsageError(
            "--output is missing.", where="--output", fix="Name the file to write: --output a.md."
        )
    with open_project(call) as workspace:
        path = None if output is None else _check_path(workspace, output)
        chosen = choose_feature(workspace, feature)
        if path is None or dry_run:
            return _dry_run(call, workspace, text, chosen, scope)
        warning = overwrite_warning(workspace, path)
        overwrite = agree_to_overwrite([path], yes=yes, warning=warning)
        filters = scope.read(workspace, call)
        with shown_progress(call) as progress:
            draft = generate(
                workspace,
                text,
                feature=chosen,
                filters=filters,
                mode=scope.mode,
                fresh=fresh,
                progress=progress,
                announce=_announcer(call),
            )
        written = draft.verdict != "no_evidence"
        if written:
            _write(workspace, draft, path, overwrite=overwrite)
    return _show(call, draft, path if written else None, path)


def _dry_run(call: Call, workspace: Workspace, topic: str, feature: Feature, scope: Scope) -> int:
    filters = scope.read(workspace, call)
    with shown_progress(call) as progress:
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
        announce(plan)
        say_notices(call, plan.notices)
        show(plan_text(plan))
    return DONE


def _announcer(call: Call) -> Callable[[Plan], None]:
    """Conflicts and a tight budget are told before anything is written; in JSON they are fields."""
    return (lambda _plan: None) if call.json else announce


def _write(workspace: Workspace, draft: Draft, path: Path, *, overwrite: bool) -> None:
    """Write and register the draft; a file that a person edited is kept beside it."""
    if overwrite and overwrite_warning(workspace, path):
        say(f"Kept the edited draft as {keep_copy(path).name}")
    text = render_markdown(draft)
    write_document(path, text, overwrite=overwrite)
    register_draft(workspace, draft, path, text)


def _show(call: Call, draft: Draft, written: Path | None, path: Path) -> int:
    if call.json:
        show_json(draft_as_dict(draft, written))
    elif written:
        say_notices(call, draft.notices)
        show(review_text(draft, written))
    else:
        reasons = [f"{one.title}: {one.reason}" for one in draft.sections if one.reason]
        show("\n".join([NOTHING_FOUND, *reasons, *draft.notices, f"{path} was not written."]))
    return DONE if written else NO_EVIDENCE


def _check_path(workspace: Workspace, output: Path) -> Path:
    """The file to write; where it may lie is settled before anything else."""
    allowed = [workspace.root / folder for folder in workspace.config.output.allowed_dirs]
    return check_output_path(output, Path.cwd(), allowed)
