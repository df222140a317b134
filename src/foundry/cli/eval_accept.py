"""``foundry eval accept``."""

from __future__ import annotations

import dataclasses

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval_questions import set_option
from foundry.cli.output import format_count, say_notices, show, show_json
from foundry.cli.workspace import open_project
from foundry.evaluation.questions import accept_questions


@click.command("accept")
@click.argument("names", nargs=-1, metavar="[ID…]")
@set_option
@click.option("--all", "everything", is_flag=True, help="All that wait for review.")
@click.option("--reject", is_flag=True, help="Throw them out instead.")
@common_options
@pass_call
def command(
    call: Call, *, names: tuple[str, ...], set_name: str | None, everything: bool, reject: bool
) -> None:
    """Accept drafted questions, or reject them.

    Whoever accepts a question answers for it: from then on it counts in runs. ID is set/id,
    or the id where one set alone has it.
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
            call, [f"{format_count(len(done.before), 'question')} had been accepted before."]
        )
    changed = done.rejected if reject else done.accepted
    show(f"{format_count(len(changed), 'question')} {'rejected' if reject else 'accepted'}.")
