"""``foundry eval dataset``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.output import say_notices, show, show_json
from foundry.cli.progress import shown_progress
from foundry.cli.table import show_table
from foundry.evaluation.dataset import evaluate_dataset
from foundry.records import SearchMode

ARMS: tuple[SearchMode, ...] = ("bm25", "dense", "hybrid")


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
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many queries.")
@common_options
@pass_call
def command(
    call: Call, *, directory: Path, keep_documents: bool, title: str, arms: str, limit: int | None
) -> None:
    """Measure search on a data set in BEIR form.

    DIR holds corpus.jsonl, queries.jsonl and qrels.tsv (or qrels/*.tsv). No project
    is needed: the documents go through the same ingest and search in a temporary one,
    which is kept for the next run.
    """
    chosen = _read_arms(arms)
    with shown_progress(call) as progress:
        report = evaluate_dataset(
            Path.cwd() / directory,
            keep_documents=keep_documents,
            title="ignore" if title == "ignore" else "index",
            arms=chosen,
            limit=limit,
            environment=call.environment,
            progress=progress,
        )
    document = report.as_dict()
    if call.json:
        show_json(document)
    else:
        say_notices(call, report.notices)
        _show(document)


def _read_arms(text: str) -> tuple[SearchMode, ...]:
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    unknown = [name for name in names if name not in ARMS]
    if unknown:
        raise click.BadParameter(
            f"{unknown[0]!r} is not one of {', '.join(ARMS)}.", param_hint="--arms"
        )
    return tuple(arm for arm in ARMS if arm in names)


def _show(document: Mapping[str, Any]) -> None:
    show(
        f"{document['dataset']}: {document['documents']:,} documents, {document['queries']:,} queries"
    )
    arms: Mapping[str, Mapping[str, float | None]] = document["arms"]
    measures = list(dict.fromkeys(name for figures in arms.values() for name in figures))
    show_table(
        ("ARM", *measures),
        [
            (arm, *(_figure(figures.get(name)) for name in measures))
            for arm, figures in arms.items()
        ],
        elastic="ARM",
        numbers=measures,
    )
    if document.get("gate"):
        for name, value in document["gate"].items():
            show(f"gate {name}: {_figure(value)}")


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}" if value <= 1 else f"{value:.1f}"
