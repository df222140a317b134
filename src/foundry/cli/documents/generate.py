"""``foundry generate``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.documents.generate_report import (
    announce_warnings,
    render_plan,
    render_review,
    show_warnings,
)
from foundry.cli.failures import DONE, NO_EVIDENCE
from foundry.cli.help import Command
from foundry.cli.input import ask_overwrite, read_question
from foundry.cli.options import add_options, read_filters
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.progress import pause_progress, show_progress
from foundry.cli.workspace import open_project
from foundry.errors import UsageError
from foundry.journeys.agents import use_agent
from foundry.journeys.delivery import DraftFile, generate_file, resolve_output
from foundry.journeys.generate import DraftPlan
from foundry.messages import Message
from foundry.operations import documents
from foundry.operations.table import Scope
from foundry.options import ScopeOptions
from foundry.render.answer import NO_EVIDENCE as NOTHING_FOUND
from foundry.wire.documents import DraftJson, DraftPlanJson
from foundry.wire.requests import DraftRequest
from foundry.workspace import Workspace


@click.command("generate", cls=Command)
@click.option("--topic", required=True)
@click.option("--output", type=click.Path(path_type=Path), metavar="PATH")
@click.option("--feature", metavar="NAME")
@click.option("--agent", metavar="NAME")
@click.option("--dry-run", is_flag=True)
@click.option("--fresh", is_flag=True)
@click.option("--yes", is_flag=True)
@add_options(ScopeOptions)
@common_options
@pass_call
def command(
    call: Call,
    /,
    *,
    topic: str,
    output: Path | None,
    feature: str | None,
    agent: str | None,
    dry_run: bool,
    fresh: bool,
    yes: bool,
    **scope: Any,
) -> int:
    text = read_question((topic,), "topic")
    with open_project(call) as opened:
        # First, so that a misspelt agent is not hidden behind what else is missing.
        workspace = use_agent(opened, agent, "document", text)
        if output is None and not dry_run:
            raise UsageError("generate-output-missing", where="--output")
        if output is None or dry_run:
            if output is not None:
                resolve_output(workspace, output)
            asked = documents.plan.fill(topic=text, feature=feature, **scope)
            return _show_plan(call, workspace, asked)
        with show_progress(call) as progress:
            result = generate_file(
                workspace,
                text,
                output,
                feature=feature,
                filters=read_filters(call, workspace, scope["filters"]),
                mode=scope["mode"],
                fresh=fresh,
                overwrite=yes or pause_progress(progress)(ask_overwrite),
                progress=progress,
                announce=_choose_announcer(call),
            )
    return _show_result(call, result)


def _show_plan(call: Call, workspace: Workspace, asked: DraftRequest) -> int:
    read_filters(call, workspace, asked.filters)
    with show_progress(call) as progress:
        plan = documents.plan.perform(Scope(workspace, progress=progress), asked=asked)
    if call.json:
        show_json(DraftPlanJson.from_record(plan))
    else:
        if not call.quiet:
            show_warnings(plan)
        say_notices(call, plan.notices)
        show(render_plan(plan))
    return DONE


def _choose_announcer(call: Call) -> Callable[[DraftPlan], None]:
    """What shows conflicts and a tight budget before writing; in JSON they are fields."""
    return (lambda _plan: None) if call.json or call.quiet else announce_warnings


def _show_result(call: Call, result: DraftFile) -> int:
    draft = result.draft
    if result.edited_copy:
        say(str(Message("generate-kept-edited", name=result.edited_copy.name)))
    if call.json:
        show_json(DraftJson.from_record(result))
    elif result.written:
        say_notices(call, draft.notices)
        show(render_review(draft, result.path, quiet=call.quiet))
    else:
        found = {section.title: section.reason for section in draft.sections if section.reason}
        reasons = list(dict.fromkeys(found.values()))
        if len(reasons) > 1:
            reasons = [
                Message("generate-notice", section=title, notice=reason)
                for title, reason in found.items()
            ]
        nothing = Message("generate-not-written", path=str(result.path))
        show("\n".join(map(str, [NOTHING_FOUND, *reasons, *draft.notices, nothing])))
    return DONE if result.written else NO_EVIDENCE
