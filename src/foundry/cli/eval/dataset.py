"""``foundry eval dataset``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval.figures import format_figure
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command, UsageProblem
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.progress import pause_progress, show_progress
from foundry.cli.table import list_columns, show_table
from foundry.evaluation.comparison import MeasureChange
from foundry.evaluation.dataset import (
    DEFAULT,
    MODES,
    DatasetReport,
    Measurement,
    ModeFigures,
    evaluate_dataset,
    read_config_file,
)
from foundry.evaluation.metrics.measures import RANKING
from foundry.evaluation.metrics.ranking import SPAN_MEASURES
from foundry.evaluation.phrases import Phrases
from foundry.messages import Message, get_language
from foundry.records import SearchMode
from foundry.wire.datasets import COMPARED_MEASURES, GATE_MEASURES, DatasetJson

_HEAD = ("ndcg@10", "recall@10", "recall@100", "mrr@10")
_SPAN_HEAD = ("span_recall@5", "span_precision@5", "span_iou@5", "span_recall@10")
_SPANCOMPARED_MEASURES = ("spans.ndcg@10", "spans.recall@10", "span_recall@5", "span_iou@5")
_TIMES = ("latency_p50_ms", "latency_p95_ms")
_NOT_LEFT_OUT = ("questions", "judged", "answerable", "unanswerable", "unlabelled")


@click.command("dataset", cls=Command)
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--keep-documents", is_flag=True)
@click.option("--title", type=click.Choice(["index", "ignore"]), default="index", show_default=True)
@click.option(*("--arms", "modes"), default=",".join(MODES), show_default=True, metavar="NAME,…")
@click.option("--limit", type=click.IntRange(min=1))
@click.option("--config", "config_path", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--compare", "compared", multiple=True, type=click.Path(path_type=Path), metavar="FILE"
)
@click.option("--strict", is_flag=True)
@common_options
@pass_call
def command(
    call: Call,
    /,
    *,
    directory: Path,
    modes: str,
    config_path: Path | None,
    compared: Sequence[Path],
    strict: bool,
    **named: Any,
) -> int:
    chosen = _parse_modes(modes)
    config = read_config_file(config_path) if config_path else DEFAULT
    against = [read_config_file(one) for one in compared]
    with show_progress(call) as progress:

        def tell(message: Message) -> None:
            if not call.quiet:
                with pause_progress(progress):
                    say(str(message))

        try:
            report = evaluate_dataset(
                Path.cwd() / directory,
                modes=chosen,
                config=config,
                against=against,
                environment=call.environment,
                progress=progress,
                tell=tell,
                **named,
            )
        except KeyboardInterrupt:
            say(Message("eval-dataset-resume"))
            raise
    if call.json:
        show_json(DatasetJson.from_record(report))
    else:
        say_notices(call, report.notices)
        _show_report(report, every=call.verbosity > 0)
    left_out = any(n for name, n in report.counts.items() if name not in _NOT_LEFT_OUT)
    return FAILED if strict and left_out else DONE


def _parse_modes(text: str) -> tuple[SearchMode, ...]:
    names = {part.strip() for part in text.split(",")}
    unknown = sorted(names.difference(MODES))
    if unknown:
        expected = Message("cli-expected-choice", names=MODES)
        raise UsageProblem(
            Message("cli-wrong-value", name="--arms", value=unknown[0], expected=expected)
        )
    return tuple(mode for mode in MODES if mode in names)


def _show_report(report: DatasetReport, *, every: bool) -> None:
    """Show a table for each configuration; ``every`` shows all measures."""
    first = report.measured
    queries = Message("eval-queries", n=len(report.queries))
    show(
        Message(
            "eval-dataset-head",
            name=report.dataset,
            n=report.documents,
            reused=first.reused,
            queries=queries,
        )
    )
    for measured in (first, *report.compared):
        changes = measured.config.changes
        if changes or measured is not first:
            show()
            keys = ", ".join(f"{key} = {value}" for key, value in changes.items())
            show(f"{measured.config.name}: {keys or Message('eval-no-changes')}")
        _show_figures(measured, every=every)
    for measured in report.compared:
        show()
        names = {"name": measured.config.name, "other": first.config.name}
        show(Message("eval-config-against", **names))
        _show_changes(measured, every=every)
    show()
    show(Message("eval-brackets"))


def _show_figures(measured: Measurement, *, every: bool) -> None:
    """Figures of the documents, of the gate, and of spans where the set has them."""
    documents = {mode: run.documents for mode, run in measured.runs.items()}
    spans = {mode: run.spans for mode, run in measured.runs.items() if run.spans}
    rows = [_figure_row(name, documents) for name in (*(RANKING if every else _HEAD), *_TIMES)]
    if measured.is_labelled:
        gate = {measured.gate_mode: documents[measured.gate_mode]}
        rows += [
            _figure_row(name, {mode: gate.get(mode) for mode in documents})
            for name in GATE_MEASURES
        ]
    if spans:
        rows += [_figure_row(name, spans, "spans.") for name in (RANKING if every else _HEAD)]
        rows += [_figure_row(name, spans) for name in (SPAN_MEASURES if every else _SPAN_HEAD)]
    columns = (*list_columns("measure"), *documents)
    show_table(columns, rows, elastic=columns[0], numbers=columns[1:])
    if measured.is_labelled:
        show(Message("eval-gate-closes", threshold=measured.threshold))


def _show_changes(measured: Measurement, *, every: bool) -> None:
    spans = any(run.spans for run in measured.runs.values())
    names = COMPARED_MEASURES if every else (*_HEAD, *(_SPANCOMPARED_MEASURES if spans else ()))
    rows = [
        (name, *(_format_change(changes.get(name)) for changes in measured.changes.values()))
        for name in names
        if any(name in changes for changes in measured.changes.values())
    ]
    columns = (*list_columns("measure"), *measured.changes)
    show_table(columns, rows, elastic=columns[0], numbers=columns[1:])


def _figure_row(
    name: str, modes: Mapping[SearchMode, ModeFigures | None], prefix: str = ""
) -> tuple[str, ...]:
    shown = name.removeprefix("latency_").removeprefix("gate_")
    return (f"{prefix}{shown}", *(_format_figure(own, name) for own in modes.values()))


def _format_figure(own: ModeFigures | None, name: str) -> str:
    if own is None:
        return ""
    value, interval = own.figures[name], own.intervals[name]
    if value is None:
        return format_figure(name, None)
    number = Phrases(get_language()).number
    places, finer = (0, 1) if name.endswith("_ms") else (3, 4)
    if interval is None:
        return number(value, finer)
    return (
        f"{number(value, finer)} ({number(interval.low, places)}–{number(interval.high, places)})"
    )


def _format_change(change: MeasureChange | None) -> str:
    if change is None or change.difference is None:
        return format_figure("", None)
    signed = Phrases(get_language()).format_signed
    text = f"{signed(change.difference, 4)}{'*' if change.clear else ''}"
    interval = change.interval
    return text if interval is None else f"{text} ({signed(interval.low)}…{signed(interval.high)})"
