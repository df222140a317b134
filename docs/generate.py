"""Write the pages of ``docs/`` that come from the code: configuration, commands, JSON.

Run it with ``make docs``. A test fails when a committed page differs from what
this would write.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import click
from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from foundry.cli.program import foundry
from foundry.cli.shape import Maybe, Shape, Value
from foundry.cli.shapes import ERROR, SHAPES
from foundry.config import ENVIRONMENT_PREFIX, Config

FOLDER = Path(__file__).parent
WIDTH = 88


_CONFIGURATION = f"""\
# Configuration

Every key of `foundry.yaml`; `foundry init` writes the file with all of them. An unknown key is
an error that names the nearest known one. An environment variable overrides a key:
`{ENVIRONMENT_PREFIX}RETRIEVAL__TOP_K=20` sets `retrieval.top_k`. Keys of providers and passwords
never belong in this file."""


def configuration_page() -> str:
    """Every key of ``foundry.yaml`` with its type, bounds, default and meaning."""
    lines = [_CONFIGURATION]
    plain = [(name, info) for name, info in Config.model_fields.items() if not _part(info)]
    lines += ["", "## Top level", "", *_table(plain)]
    for name, info in Config.model_fields.items():
        if part := _part(info):
            lines += ["", f"## {name}", "", str(info.description), ""]
            lines += _table(list(_flat(part, f"{name}.")))
    return "\n".join(lines) + "\n"


def _flat(part: type[BaseModel], prefix: str) -> Iterator[tuple[str, FieldInfo]]:
    for name, info in part.model_fields.items():
        if inner := _part(info):
            yield from _flat(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", info


def _part(info: FieldInfo) -> type[BaseModel] | None:
    kind = info.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _table(rows: list[tuple[str, FieldInfo]]) -> Iterator[str]:
    yield "| key | value | default | meaning |"
    yield "|---|---|---|---|"
    for name, info in rows:
        default = json.dumps(info.get_default(call_default_factory=True), ensure_ascii=False)
        cells = (f"`{name}`", _allowed(info), f"`{default}`", str(info.description))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _allowed(info: FieldInfo) -> str:
    kind = _kind(info.annotation)
    bounds = [_bound(rule) for rule in info.metadata]
    told = ", ".join(bound for bound in bounds if bound)
    return f"{kind}, {told}" if told else kind


def _kind(annotation: Any) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " or ".join(f"`{option}`" for option in arguments)
    if origin in (Union, types.UnionType):
        return " or ".join(_kind(argument) for argument in arguments)
    if origin is tuple:
        pair = len(arguments) == 2 and arguments[1] is not Ellipsis
        return "[least, most]" if pair else "list of text"
    names = {bool: "true or false", int: "whole number", float: "number", str: "text"}
    names[type(None)] = "`null`"
    return names.get(annotation, "mapping" if origin is dict else str(annotation))


_SIGNS: dict[type, Callable[[Any], str]] = {
    Ge: lambda rule: f"≥ {rule.ge:,}",
    Gt: lambda rule: f"> {rule.gt:,}",
    Le: lambda rule: f"≤ {rule.le:,}",
    Lt: lambda rule: f"< {rule.lt:,}",
    MinLen: lambda rule: "not empty" if rule.min_length == 1 else f"≥ {rule.min_length} long",
    MaxLen: lambda rule: f"≤ {rule.max_length} long",
}


def _bound(rule: Any) -> str:
    if pattern := getattr(rule, "pattern", None):
        return f"matching `{pattern}`"
    return _SIGNS[type(rule)](rule) if type(rule) in _SIGNS else ""


_COMMANDS = """\
# Commands

Exit statuses: 0 done, 1 failed, 2 wrong usage or refused by a rule, 3 no evidence, 130
interrupted."""


def commands_page() -> str:
    """The help of every command, as the program shows it."""
    lines = [_COMMANDS, "", "```text", _help(foundry, None, "foundry"), "```"]
    for path, ctx, command in walk(foundry, click.Context(foundry, info_name="foundry")):
        lines += ["", f"## {path}", "", "```text", _help(command, ctx, path.split()[-1]), "```"]
    return "\n".join(lines) + "\n"


def walk(
    group: click.Group, ctx: click.Context
) -> Iterator[tuple[str, click.Context, click.Command]]:
    """Every command below a group: its path, its parent's context, itself."""
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command is not None
        yield f"{ctx.command_path} {name}", ctx, command
        if isinstance(command, click.Group):
            yield from walk(command, click.Context(command, info_name=name, parent=ctx))


def _help(command: click.Command, parent: click.Context | None, name: str) -> str:
    ctx = click.Context(
        command, info_name=name, parent=parent, terminal_width=WIDTH, max_content_width=WIDTH
    )
    return command.get_help(ctx)


_JSON = """\
# JSON

With `--json` a command prints one JSON document on standard output; messages go to standard
error. Fields may be added in a later version; none is renamed.

## Errors

Any command that fails prints this, with its exit status:
"""


def json_page() -> str:
    """What every command prints with ``--json``."""
    lines = [_JSON, *_fenced(ERROR)]
    for command, shape in SHAPES.items():
        lines += ["", f"## foundry {command}", "", *_fenced(shape)]
    return "\n".join(lines) + "\n"


def _fenced(shape: Shape) -> list[str]:
    return ["```text", *_drawn(shape), "```"]


def _drawn(shape: Shape, indent: str = "", head: str = "", null: str = "") -> Iterator[str]:
    """The shape as JSON with types for values and meanings as comments."""
    if isinstance(shape, Maybe):
        yield from _drawn(shape.shape, indent, head, " or null")
    elif isinstance(shape, Value):
        kind = " | ".join(f'"{option}"' for option in shape.options) or shape.kind
        entry = f"{indent}{head}{kind}{null}"
        yield f"{entry:<40}  # {shape.meaning}" if shape.meaning else entry
    elif isinstance(shape, dict):
        yield f"{indent}{head}{{"
        for key, inner in shape.items():
            label = "<name>" if key == "*" else f'"{key}"'
            yield from _drawn(inner, indent + "  ", f"{label}: ")
        yield f"{indent}}}{null}"
    else:
        assert isinstance(shape, list)
        yield f"{indent}{head}["
        yield from _drawn(shape[0], indent + "  ")
        yield f"{indent}  …"
        yield f"{indent}]{null}"


PAGES: dict[str, Callable[[], str]] = {
    "configuration.md": configuration_page,
    "commands.md": commands_page,
    "json.md": json_page,
}


def main() -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
