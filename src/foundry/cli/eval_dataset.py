"""``foundry eval dataset``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval_dataset_tables import show_report
from foundry.cli.failures import DONE, FAILED
from foundry.cli.input import confirm_overwrite
from foundry.cli.output import format_count, say, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.evaluation.dataset import (
    ARMS,
    DEFAULT,
    DatasetReport,
    evaluate_dataset,
    questions_text,
    read_setup,
    require_format,
)
from foundry.records import SearchMode
from foundry.render.files import check_output_path, write_document


@click.command("dataset")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--keep-documents", is_flag=True, help="Each document is one chunk.")
@click.option(
    "--title",
    type=click.Choice(["index", "ignore"]),
    default="index",
    show_default=True,
    help="Whether titles are searched.",
)
@click.option(
    "--arms",
    default=",".join(ARMS),
    show_default=True,
    metavar="NAME,…",
    help="Which ways of searching to measure.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only so many queries, evenly spread.")
@click.option(
    "--config",
    "config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Measure under this configuration: any part of foundry.yaml.",
)
@click.option(
    "--compare",
    "compared",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Measure under this one too, and compare question by question; repeatable.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the table of questions to this .jsonl or .csv file.",
)
@click.option("--yes", is_flag=True, help="Overwrite that file without asking.")
@click.option("--strict", is_flag=True, help="Exit with 1 when a line or query was left out.")
@common_options
@pass_call
def command(
    call: Call,
    *,
    directory: Path,
    keep_documents: bool,
    title: str,
    arms: str,
    limit: int | None,
    config: Path | None,
    compared: Sequence[Path],
    output: Path | None,
    yes: bool,
    strict: bool,
) -> int:
    """Measure search on a data set in BEIR form.

    DIR holds corpus.jsonl, queries.jsonl and qrels.tsv (or qrels/*.tsv). In place of
    corpus.jsonl it may hold texts in files/, and queries may name the spans of their doc
    that answer them. No project is needed: the documents go through the same ingest and
    search in one of the set's own, which is kept for the next run. -v shows all measures.
    """
    chosen = _read_arms(arms)
    path, overwrite = _require_output(output, yes=yes)
    setup = read_setup(config) if config else DEFAULT
    against = [read_setup(one) for one in compared]
    with show_progress(call) as progress:
        try:
            report = evaluate_dataset(
                Path.cwd() / directory,
                keep_documents=keep_documents,
                title="ignore" if title == "ignore" else "index",
                arms=chosen,
                limit=limit,
                setup=setup,
                against=against,
                environment=call.environment,
                progress=progress,
            )
        except KeyboardInterrupt:
            say("What was read and embedded is kept: the same command goes on from there.")
            raise
    if path:
        write_document(path, questions_text(report, path.suffix), overwrite=overwrite)
    _show(call, report, path)
    return FAILED if strict and _left_out(report) else DONE


def _read_arms(text: str) -> tuple[SearchMode, ...]:
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    unknown = [name for name in names if name not in ARMS]
    if unknown:
        raise click.BadParameter(
            f"{unknown[0]!r} is not one of {', '.join(ARMS)}.", param_hint="--arms"
        )
    return tuple(arm for arm in ARMS if arm in names)


def _require_output(output: Path | None, *, yes: bool) -> tuple[Path | None, bool]:
    """The path that may be written to, asked for before the work is done."""
    if output is None:
        return None, False
    require_format(output)
    path = check_output_path(output, Path.cwd())
    return path, confirm_overwrite([path], yes=yes)


def _show(call: Call, report: DatasetReport, path: Path | None) -> None:
    if call.json:
        show_json(report.as_dict())
        return
    say_notices(call, report.notices)
    show_report(report, every=call.verbosity > 0)
    if path:
        show()
        show(f"{format_count(len(report.queries), 'question')} written to {path}")


def _left_out(report: DatasetReport) -> bool:
    """Whether anything of the set's files, or a query, could not be used."""
    told = ("questions", "judged", "answerable", "unanswerable", "unlabelled")
    return any(number for name, number in report.counts.items() if name not in told)
