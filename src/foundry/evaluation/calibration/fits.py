"""A fit: the record of it, its storage with the project, and its plot or page.

A stored fit is used from then on, as long as its fingerprint is that of the vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from foundry.clock import get_now
from foundry.craft.gate import LEXICAL
from foundry.evaluation.calibration.figures import Figures, FitVerdict, Parts
from foundry.evaluation.metrics.gate import Bin
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.plots import plot_reliability
from foundry.journeys.calibration import LEXICAL_FINGERPRINT
from foundry.messages import Message, get_language
from foundry.records import FittedCalibration
from foundry.workspace import Workspace

PICTURES = (".svg", ".html")

FIGURES = (
    *("questions", "auroc", "gate_false_refusal_rate", "gate_refusal_recall"),
    *("gate_refusal_precision", "calibration_error"),
)
"""The figures in the columns of the table."""
_STORED = (
    *("questions", "answerable", "chunks", "folds"),
    *("min_score", "max_false_refusal", "fitted"),
)
_PARTS = {
    "all": "eval-fit-all",
    "one language": "eval-fit-one-language",
    "across languages": "eval-fit-across-languages",
}
"""The other parts are languages, named by their code."""
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid #ccc}"
    ".pair{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}svg{max-width:100%;height:auto}"
)


@dataclass(frozen=True, slots=True)
class CalibrationFit:
    """Fitted constants with cross-validated figures beside those of the shipped ones.

    ``report`` is the fit as ``--json`` prints it; its ``constants`` have the form of the shipped
    ``constants.json``. ``model`` is the embedding model that they belong to.
    """

    model: str
    report: Mapping[str, Any]
    parts: Parts
    verdict: FitVerdict
    notices: tuple[Message, ...]


def save_fit(workspace: Workspace, fit: CalibrationFit) -> FittedCalibration:
    """Store a fit in place of an earlier one for its model."""
    store = workspace.maintenance()
    index = LEXICAL_FINGERPRINT if fit.model == LEXICAL else (store.find_index(fit.model) or "")
    figures = {"gate": _select_figures(workspace, fit)}
    fitted = FittedCalibration(fit.model, index, get_now(), fit.report["constants"], figures)
    store.evaluation.save_fitted(fitted)
    return fitted


def forget_fits(workspace: Workspace) -> int:
    """Remove all fits, used or stale; returns for how many models."""
    evaluation = workspace.maintenance().evaluation
    return sum(evaluation.remove_fitted(fitted.model) for fitted in evaluation.list_fitted())


def tabulate_figures(parts: Parts) -> Iterator[tuple[str, ...]]:
    """The figures as texts: a row of headings, then one before and one after for each part."""
    phrases = Phrases(get_language())
    heads = (phrases(f"eval-fit-column-{name}") for name in FIGURES)
    yield (phrases("eval-fit-part"), "", *heads)
    for part, pair in parts.items():
        shown = phrases(_PARTS[part]) if part in _PARTS else part
        for when in ("before", "after"):
            cells = (_format_figure(pair[when], name, phrases) for name in FIGURES)
            yield (shown if when == "before" else "", phrases(f"eval-fit-{when}"), *cells)


def render_calibration(fit: CalibrationFit, suffix: str) -> str:
    """The plot after the fit (``.svg``), or a self-contained page with both plots (``.html``)."""
    phrases = Phrases(get_language())
    title = phrases("eval-fit-title")
    plots = {when: _plot(fit, when, phrases) for when in ("before", "after")}
    if suffix == ".svg":
        return plots["after"]
    # A page may not repeat the XML declaration.
    pair = "".join(
        f"<figure>{svg[svg.index('<svg') :]}<figcaption>{phrases(f'eval-fit-{when}')}"
        "</figcaption></figure>"
        for when, svg in plots.items()
    )
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
        for row in tabulate_figures(fit.parts)
    )
    return (
        f'<!doctype html>\n<html lang="{phrases.language}"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{title}</h1>"
        f"<p>{escape(phrases('eval-fit-held-out', reason=fit.verdict.reason))}</p>"
        f'<div class="pair">{pair}</div><table>{rows}</table></body></html>\n'
    )


def _plot(fit: CalibrationFit, when: str, phrases: Phrases) -> str:
    return plot_reliability(
        [Bin(**one) for one in fit.parts["all"][when]["reliability"]],
        phrases=phrases,
        title=phrases(f"eval-fit-title-{when}"),
        score=phrases("eval-fit-axis-score"),
        true=phrases("eval-fit-axis-true"),
        key=when,
    )


def _select_figures(workspace: Workspace, fit: CalibrationFit) -> dict[str, Any]:
    """What is stored of a fit: its size and settings, and the figures before and after."""
    pair = fit.parts["all"]
    chunks = workspace.store.index_status(workspace.config.embedding.model).chunks
    values = {**fit.report, **pair["after"], "chunks": chunks}
    whole = {
        when: {name: value for name, value in rates.items() if name != "reliability"}
        for when, rates in pair.items()
    }
    return {name: values[name] for name in _STORED} | whole


def _format_figure(figures: Figures, name: str, phrases: Phrases) -> str:
    value = figures[name]
    if not isinstance(value, float):
        return phrases.share(None) if value is None else phrases.number(value)
    interval = figures.get(f"{name.removesuffix('_rate')}_interval")
    low, high = (phrases.number(bound, 3) for bound in interval) if interval else ("", "")
    return phrases.number(value, 3) + (f" ({low}–{high})" if interval else "")
