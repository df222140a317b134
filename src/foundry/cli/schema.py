"""``foundry schema``."""

from __future__ import annotations

import json

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.help import Command
from foundry.cli.output import show, show_json
from foundry.cli.table import show_table
from foundry.errors import UsageError
from foundry.wire.base import SchemaEntryJson, SchemaListJson, WireModel
from foundry.wire.commands import DOCUMENTS, MODELS


@click.command("schema", cls=Command)
@click.argument("name", required=False)
@common_options
@pass_call
def command(call: Call, *, name: str | None) -> None:
    if name is not None:
        show(json.dumps(_get_document(name).build_schema(), indent=2))
        return
    entries = [_describe(name) for name in DOCUMENTS]
    if call.json:
        show_json(SchemaListJson(schemas=entries))
    else:
        rows = [(entry.name, entry.id, ", ".join(entry.commands)) for entry in entries]
        show_table(("column-name", "column-id", "column-commands"), rows, elastic="column-commands")


def _get_document(name: str) -> type[WireModel]:
    if name not in DOCUMENTS:
        raise UsageError("schema-unknown", where="NAME", name=name)
    return DOCUMENTS[name]


def _describe(name: str) -> SchemaEntryJson:
    model = DOCUMENTS[name]
    return SchemaEntryJson(
        name=name,
        id=model.get_id(),
        commands=[command for command, printed in MODELS.items() if printed is model],
    )
