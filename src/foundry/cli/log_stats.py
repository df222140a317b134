"""How ``foundry log stats`` shows the log in numbers: tables for people, one document for programs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from foundry.cli.output import show
from foundry.cli.table import show_table
from foundry.journal import EVAL
from foundry.records import LogFigures, LogStats

_COLUMNS = (
    *("N", "ANSWERED", "LOW", "NONE", "ERRORS", "COVERAGE", "SUPPORTED"),
    *("P50", "P95", "TOKENS", "COST"),
)


def stats_as_dict(stats: LogStats) -> dict[str, Any]:
    """The figures as ``--json`` prints them."""
    return {
        "total": _figures(stats.total),
        "periods": [
            {"start": start.isoformat(), **_figures(found)} for start, found in stats.periods
        ],
        "kinds": {name: _figures(found) for name, found in stats.kinds.items()},
        "models": {name: _figures(found) for name, found in stats.models.items()},
    }


def show_stats(stats: LogStats, by: str | None) -> None:
    """One table for the periods, then by kind and by who wrote."""
    if by:
        _show(by.upper(), [(start.isoformat(), found) for start, found in stats.periods], stats)
        show()
    _show("KIND", stats.kinds.items(), None if by else stats)
    if stats.models:
        show()
        _show("MODEL", stats.models.items(), None)
    show()
    show("ANSWERED, LOW and NONE are shares of the rows with a verdict, ERRORS of all rows;")
    show("COVERAGE is a mean, SUPPORTED a share of the statements that were checked.")
    if EVAL in stats.kinds:
        show(f"What evaluation runs asked ({EVAL}) is in no other line.")
    if stats.total.unpriced:
        show(f"The cost of {stats.total.unpriced:,} rows is not known and not in COST.")


def _show(name: str, rows: Iterable[tuple[str, LogFigures]], whole: LogStats | None) -> None:
    listed = [(label, *_cells(found)) for label, found in rows]
    if whole is not None:
        listed.append(("all", *_cells(whole.total)))
    show_table((name, *_COLUMNS), listed, elastic=name, numbers=_COLUMNS)


def _cells(found: LogFigures) -> tuple[str, ...]:
    rates = found.verdict_rates
    return (
        f"{found.n:,}",
        *(_share(rates[verdict]) for verdict in ("answer", "low_confidence", "no_evidence")),
        _share(found.error_rate),
        _share(found.coverage),
        _share(found.check_rates["supported"]),
        _time(found.p50_ms),
        _time(found.p95_ms),
        f"{found.tokens:,}",
        "–" if found.cost is None else f"{found.cost:.2f} USD",
    )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def _time(ms: float | None) -> str:
    if ms is None:
        return "–"
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def _figures(found: LogFigures) -> dict[str, Any]:
    shown = dataclasses.asdict(found)
    for key in ("error_rate", "coverage"):
        shown[key] = _rounded(shown[key])
    for key in ("verdict_rates", "check_rates"):
        shown[key] = {name: _rounded(value) for name, value in shown[key].items()}
    if found.cost is not None:
        shown["cost"] = round(found.cost, 6)
    return shown


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
