"""``foundry eval accept``."""

from __future__ import annotations

import dataclasses

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval.questions import set_option
from foundry.cli.output import format_count, say_notices, show, show_json
from foundry.cli.workspace import open_project
from foundry.evaluation.questions import accept_questions


@click.command("accept")
@click.argument("names", nargs=-1, metavar="[ID…]")
@set_option
@click.option("--all", "everything", is_flag=True, help="All unreviewed questions.")
@click.option("--reject", is_flag=True, help="Remove them instead.")
@common_options
@pass_call
def command(
    call: Call, *, names: tuple[str, ...], set_name: str | None, everything: bool, reject: bool
) -> None:
    """Accept drafted questions, or reject them.

    Accepted questions count in runs, so read them first. ID is set/id, or just the id if only one
    set has it.
    """
    with open_project(call) as workspace:
        done = accept_questions(
            workspace, names, set_name=set_name, everything=everything, reject=reject
        )
    if call.json:
        show_json({name: list(keys) for name, keys in dataclasses.asdict(done).items()})
        return
    say_notices(call, done.notices)
    if done.before:
        say_notices(
            call, [f"{format_count(len(done.before), 'question')} had already been accepted."]
        )
    changed = done.rejected if reject else done.accepted
    show(f"{format_count(len(changed), 'question')} {'rejected' if reject else 'accepted'}.")
