"""``foundry build``."""

from __future__ import annotations

import importlib.util
import time
from datetime import UTC, datetime
from pathlib import Path

import click

from foundry.cli.call import Call, basic_options, pass_call
from foundry.cli.failures import DONE
from foundry.cli.input import confirm_overwrite
from foundry.cli.output import format_count, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.workspace import open_project
from foundry.errors import UsageError
from foundry.journeys.build import BuildResult, assemble, build
from foundry.render.delivery import FORMATS
from foundry.render.files import check_output_path, make_file_name
from foundry.wire.documents import BuildJson
from foundry.workspace import Workspace


def _read_formats(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    if value is None:
        return ()
    names = tuple(dict.fromkeys(name.strip().lower().lstrip(".") for name in value.split(",")))
    unknown = [name for name in names if name not in FORMATS]
    if unknown:
        raise click.BadParameter(f"{unknown[0]!r} is not one of {', '.join(FORMATS)}.")
    return names


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
    type=click.Choice(["nl", "en"]),
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
    if title is not None and not title.strip():
        raise UsageError(
            "The title is empty.", where="--title", fix="Give a title, or leave the option out."
        )
    started, created = time.perf_counter(), datetime.now(UTC).astimezone()
    with open_project(call) as workspace:
        targets, left_out = _choose_targets(workspace, output, formats)
        # Report what prevents the build before asking about existing files.
        assemble(workspace, created=created, allow_stale=allow_stale)
        overwrite = confirm_overwrite(list(targets.values()), yes=yes)
        with show_progress(call) as progress:
            built = build(
                workspace,
                targets,
                created=created,
                title=title,
                language=language,
                allow_stale=allow_stale,
                overwrite=overwrite,
                progress=progress,
            )
    notices = (*left_out, *built.notices)
    if call.json:
        seconds = time.perf_counter() - started
        show_json(BuildJson.from_result(built, notices, seconds))
    else:
        say_notices(call, notices)
        show(_render_result(built))
    return DONE


def _choose_targets(
    workspace: Workspace, output: Path | None, formats: tuple[str, ...]
) -> tuple[dict[str, Path], tuple[str, ...]]:
    """Format → file, with a notice for a format that is left out."""
    left_out: tuple[str, ...] = ()
    config = workspace.config.output
    if output is None:
        base, folder = workspace.root, Path(config.dir)
        stem = folder / make_file_name(workspace.config.project.name)
    else:
        base, stem = Path.cwd(), output
        if output.is_dir():
            stem = output / make_file_name(workspace.config.project.name)
        elif not formats:
            formats = (_find_format(output),)
    if not formats:
        formats, left_out = _list_formats()
    allowed = [workspace.root / name for name in (config.dir, *config.allowed_dirs)]
    named = {name: _set_suffix(stem, name, alone=len(formats) == 1) for name in formats}
    inside = allowed[1:] if output is None else allowed
    return {name: check_output_path(path, base, inside) for name, path in named.items()}, left_out


def _list_formats() -> tuple[tuple[str, ...], tuple[str, ...]]:
    if importlib.util.find_spec("typst"):
        return tuple(FORMATS), ()
    notice = "No PDF: run `pip install 'foundry-rag[export]'` to add it."
    return tuple(name for name in FORMATS if name != "pdf"), (notice,)


def _find_format(output: Path) -> str:
    ending = output.suffix.lower().lstrip(".")
    if ending not in FORMATS:
        raise UsageError(
            f"{output.name} does not show its format.",
            where="--output",
            fix=f"Use the suffix {', '.join(f'.{name}' for name in FORMATS)}, or give --format.",
        )
    return ending


def _set_suffix(stem: Path, name: str, *, alone: bool) -> Path:
    ending = stem.suffix.lower().lstrip(".")
    if ending == name:
        return stem
    if ending in FORMATS:
        if alone:
            raise UsageError(
                f"The suffix of {stem.name} does not match the format {name}.",
                where="--output, --format",
                fix=f"Use the suffix .{name}, or leave --format out.",
            )
        stem = stem.with_suffix("")
    return stem.with_name(f"{stem.name}.{name}")


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
