"""``foundry build``."""

from __future__ import annotations

from pathlib import Path

import click

from foundry.cli.call import Call, basic_options, pass_call
from foundry.cli.failures import DONE
from foundry.cli.help import Command
from foundry.cli.input import ask_overwrite
from foundry.cli.output import say_notices, show, show_json
from foundry.cli.progress import pause_progress, show_progress
from foundry.cli.workspace import open_project
from foundry.journeys.delivery import LANGUAGES, BuildResult, build, choose_targets
from foundry.messages import Message
from foundry.wire.documents import BuildJson


def _read_formats(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    names = value.split(",") if value is not None else ()
    return tuple(dict.fromkeys(name.strip().lower().lstrip(".") for name in names))


@click.command("build", cls=Command)
@click.option("--output", type=click.Path(path_type=Path), metavar="PATH")
@click.option("--format", "formats", metavar="FORMATS", callback=_read_formats)
@click.option("--title")
@click.option("--language", type=click.Choice(LANGUAGES))
@click.option("--allow-stale", is_flag=True)
@click.option("--yes", is_flag=True)
@basic_options
@pass_call
def command(
    call: Call,
    *,
    output: Path | None,
    formats: tuple[str, ...],
    title: str | None,
    language: str | None,
    allow_stale: bool,
    yes: bool,
) -> int:
    with open_project(call) as workspace, show_progress(call) as progress:
        built = build(
            workspace,
            choose_targets(workspace, output, formats),
            title=title,
            language=language,
            allow_stale=allow_stale,
            overwrite=yes or pause_progress(progress)(ask_overwrite),
            progress=progress,
        )
    if call.json:
        show_json(BuildJson.from_record(built))
    else:
        say_notices(call, built.notices)
        show(_render_result(built))
    return DONE


def _render_result(built: BuildResult) -> str:
    delivery = built.delivery
    made = Message(
        "build-done",
        title=delivery.title,
        chapters=len(delivery.chapters),
        notes=len(delivery.notes),
        sources=len(delivery.register),
    )
    lines = [str(made)]
    for path, size in built.files.values():
        kilobytes = max(1, round(size / 1000))
        lines.append(f"  {Message('build-file', path=str(path), size=kilobytes)}")
    if delivery.stale:
        lines.append(str(Message("build-out-of-date")))
        lines += [f"  - {reason}" for reason in delivery.stale]
    return "\n".join(lines)
