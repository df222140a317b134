"""A fit: the record of it, its storage with the project, and its plot or page.

A stored fit is used from then on, as long as its fingerprint is that of the vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from html import escape
from typing import Any, Literal

from foundry.craft.gate import LEXICAL
from foundry.evaluation.calibration.figures import Figures, FitVerdict, Parts
from foundry.evaluation.metrics.gate import Bin
from foundry.evaluation.plots import plot_reliability
from foundry.journeys.calibration import LEXICAL_FINGERPRINT
from foundry.messages import Message
from foundry.records import FittedCalibration
from foundry.workspace import Workspace

Kind = Literal["gate", "verifier"]
PICTURES = (".svg", ".html")

_INTERVAL = " (95 %)"
_COLUMNS = {
    "gate": {
        "N": "questions",
        "AUROC": "auroc",
        f"REFUSED WRONGLY{_INTERVAL}": "gate_false_refusal_rate",
        "REFUSED RIGHTLY": "gate_refusal_recall",
        "PRECISION": "gate_refusal_precision",
        "CALIBRATION ERROR": "calibration_error",
    },
    "verifier": {
        "N": "claims",
        "AUROC": "auroc",
        "BALANCED ACCURACY": "balanced_accuracy",
        "PRECISION": "precision",
        f"TRUE, LOST{_INTERVAL}": "lost",
        f"FALSE, PASSED{_INTERVAL}": "passed",
        "CALIBRATION ERROR": "calibration_error",
    },
}
_STORED = {
    "gate": (
        *("questions", "answerable", "chunks", "folds"),
        *("min_score", "max_false_refusal", "fitted"),
    ),
    "verifier": ("claims", "true", "scored", "folds"),
}
_AXES = {"gate": ("gate score", "share answerable"), "verifier": ("score of a claim", "share true")}
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

    kind: Kind
    model: str
    report: Mapping[str, Any]
    parts: Parts
    verdict: FitVerdict
    notices: tuple[Message, ...]


def save_fit(workspace: Workspace, fit: CalibrationFit) -> FittedCalibration:
    """Store a fit in place of an earlier one of its kind; the other kind stays."""
    store = workspace.maintenance()
    index = LEXICAL_FINGERPRINT if fit.model == LEXICAL else (store.find_index(fit.model) or "")
    now = datetime.now(UTC)
    fitted = store.evaluation.find_fitted(fit.model)
    if fitted is None or fitted.fingerprint != index:
        fitted = FittedCalibration(model=fit.model, fingerprint=index, made=now)
    figures = {**fitted.figures, fit.kind: _select_figures(workspace, fit)}
    constants = {fit.kind: fit.report["constants"]}
    fitted = replace(fitted, made=now, figures=figures, **constants)
    store.evaluation.save_fitted(fitted)
    return fitted


def forget_fits(workspace: Workspace) -> int:
    """Remove all fits, used or stale; returns for how many models."""
    evaluation = workspace.maintenance().evaluation
    return sum(evaluation.remove_fitted(fitted.model) for fitted in evaluation.list_fitted())


def tabulate_figures(kind: Kind, parts: Parts) -> Iterator[tuple[str, ...]]:
    """The figures as texts: a row of headings, then one before and one after for each part."""
    yield ("PART", "", *_COLUMNS[kind])
    for name, pair in parts.items():
        for when in ("before", "after"):
            cells = (_format_figure(pair[when], key) for key in _COLUMNS[kind].values())
            yield (name if when == "before" else "", when, *cells)


def render_calibration(fit: CalibrationFit, suffix: str) -> str:
    """The plot after the fit (``.svg``), or a self-contained page with both plots (``.html``)."""
    title = f"Calibration of the {fit.kind}"
    plots = {when: _plot(fit, when, title) for when in ("before", "after")}
    if suffix == ".svg":
        return plots["after"]
    # A page may not repeat the XML declaration.
    pair = "".join(
        f"<figure>{svg[svg.index('<svg') :]}<figcaption>{when}</figcaption></figure>"
        for when, svg in plots.items()
    )
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
        for row in tabulate_figures(fit.kind, fit.parts)
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{title}</h1>"
        f"<p>{escape(str(fit.verdict.reason))} All figures after the fit come from held-out parts.</p>"
        f'<div class="pair">{pair}</div><table>{rows}</table></body></html>\n'
    )


def _plot(fit: CalibrationFit, when: str, title: str) -> str:
    bins = [Bin(**one) for one in fit.parts["all"][when]["reliability"]]
    score, true = _AXES[fit.kind]
    return plot_reliability(bins, title=f"{title}, {when}", score=score, true=true, key=when)


def _select_figures(workspace: Workspace, fit: CalibrationFit) -> dict[str, Any]:
    """What is stored of a fit: its size and settings, and the figures before and after."""
    pair = fit.parts["all"]
    chunks = workspace.store.index_status(workspace.config.embedding.model).chunks
    values = {**fit.report, **pair["after"], "chunks": chunks}
    whole = {
        when: {name: value for name, value in rates.items() if name != "reliability"}
        for when, rates in pair.items()
    }
    return {name: values[name] for name in _STORED[fit.kind]} | whole


def _format_figure(figures: Figures, key: str) -> str:
    value = figures[key]
    if not isinstance(value, float):
        return "undefined" if value is None else f"{value:,}"
    interval = figures.get(f"{key.removesuffix('_rate')}_interval")
    return f"{value:.3f}" + (f" ({interval[0]:.3f}–{interval[1]:.3f})" if interval else "")
