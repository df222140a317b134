"""``foundry eval gate``."""

from __future__ import annotations

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.help import Command
from foundry.cli.output import say_notices, show_json
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import open_project
from foundry.operations import evaluation
from foundry.operations.table import Scope
from foundry.wire.evaluation import GateCurveJson


@click.command("gate", cls=Command)
@click.argument("name", metavar="RUN")
@common_options
@pass_call
def command(call: Call, *, name: str) -> None:
    with open_project(call, read_only=True) as workspace:
        curve = evaluation.show_gate_curve.perform(Scope(workspace), run=name)
    if call.json:
        show_json(GateCurveJson.from_record(curve))
        return
    columns = list_columns(
        "threshold", "refused-wrongly", "refused-rightly", "passed-wrongly", "passed"
    )
    rows = [
        (
            f"{point.threshold:.2f}{' *' if point.threshold == curve.chosen else ''}",
            f"{point.refused_wrongly}/{curve.answerable}",
            f"{point.refused_rightly}/{curve.unanswerable}",
            point.passed_wrongly,
            point.passed,
        )
        for point in curve.points
    ]
    show_table(columns, rows, elastic=columns[0], numbers=columns[1:])
    say_notices(call, curve.notices)
