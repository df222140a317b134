"""``foundry build``."""

from __future__ import annotations

from pathlib import Path

import click

from foundry.cli.call import Call, basic_options, pass_call
from foundry.cli.failures import DONE
from foundry.cli.input import ask_overwrite
from foundry.cli.output import format_count, say_notices, show, show_json
from foundry.cli.progress import pause_progress, show_progress
from foundry.cli.workspace import open_project
from foundry.journeys.delivery import LANGUAGES, BuildResult, build, choose_targets
from foundry.render.delivery import FORMATS
from foundry.wire.documents import BuildJson


def _read_formats(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    names = value.split(",") if value is not None else ()
    return tuple(dict.fromkeys(name.strip().lower().lstrip(".") for name in names))


@click.command("build")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="File to write; several formats share its name.  [default: the project's name, in output.dir]",
)
@click.option(
    "--format",
    "formats",
    metavar="FORMATS",
    callback=_read_formats,
    help=f"Any of {','.join(FORMATS)}.  [default: the suffix of --output, or all]",
)
@click.option("--title", help="Title on the cover.  [default: the project's name]")
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="Language of cover and appendices.  [default: that of the drafts]",
)
@click.option("--allow-stale", is_flag=True, help="Build and mark a document that is out of date.")
@click.option("--yes", is_flag=True, help="Overwrite existing files without asking.")
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
    """Build the client document from all accepted drafts.

    The document contains the latest accepted draft of each approved feature, with a cover,
    contents, one list of notes, a source register, coverage and conflicts. If anything
    prevents a build, every reason is listed: a feature without an accepted draft; a draft,
    specification or source that changed since; broken footnotes; too little coverage.
    """
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
    made = ", ".join(
        format_count(len(things), noun)
        for things, noun in (
            (delivery.chapters, "chapter"),
            (delivery.notes, "note"),
            (delivery.register, "source"),
        )
    )
    lines = [f"Built {delivery.title}: {made}."]
    lines += [f"  {path}  ({_format_size(size)})" for path, size in built.files.values()]
    if delivery.stale:
        lines.append("OUT OF DATE: the cover and the chapters are marked.")
        lines += [f"  - {reason}" for reason in delivery.stale]
    return "\n".join(lines)


def _format_size(size: int) -> str:
    return f"{max(1, round(size / 1000)):,} kB"
