"""What becomes of a fit: stored with the project, or drawn as a plot or page.

A stored fit is used from then on, as long as its fingerprint is that of the vectors.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from html import escape
from typing import Any

from foundry.craft.gate import LEXICAL
from foundry.evaluation.calibration.gate import GateFit
from foundry.evaluation.calibration.verifier import VerifierFit
from foundry.evaluation.metrics.gate import Bin
from foundry.evaluation.plots import plot_reliability
from foundry.journeys.calibration import LEXICAL_FINGERPRINT
from foundry.records import FittedCalibration
from foundry.workspace import Workspace

PICTURES = (".svg", ".html")

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:right;"
    "border-bottom:1px solid #ccc}td:first-child,th:first-child{text-align:left}"
    ".pair{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}svg{max-width:100%;height:auto}"
)


def save_fit(workspace: Workspace, fit: GateFit | VerifierFit) -> FittedCalibration:
    """Store a fit in place of an earlier one of its kind; the other kind stays."""
    store = workspace.store
    model = fit.model if isinstance(fit, GateFit) else LEXICAL
    fingerprint = LEXICAL_FINGERPRINT if model == LEXICAL else (store.find_index(model) or "")
    fitted = store.evaluation.find_fitted(model)
    if fitted is None or fitted.fingerprint != fingerprint:
        fitted = FittedCalibration(model=model, fingerprint=fingerprint, made=datetime.now(UTC))
    if isinstance(fit, GateFit):
        chunks = store.index_status(workspace.config.embedding.model).chunks
        figures = {**fitted.figures, "gate": _list_gate_figures(fit, chunks)}
        fitted = replace(fitted, gate=fit.entry, figures=figures)
    else:
        figures = {**fitted.figures, "verifier": _list_verifier_figures(fit)}
        fitted = replace(fitted, verifier=fit.entry, figures=figures)
    fitted = replace(fitted, made=datetime.now(UTC))
    store.evaluation.save_fitted(fitted)
    return fitted


def forget_fits(workspace: Workspace) -> int:
    """Remove all fits, used or stale; returns for how many models."""
    stored = workspace.store.evaluation.list_fitted()
    return sum(workspace.store.evaluation.remove_fitted(fitted.model) for fitted in stored)


def render_calibration(fit: GateFit | VerifierFit, suffix: str) -> str:
    """The plot after the fit (``.svg``), or a self-contained page with both plots (``.html``)."""
    if isinstance(fit, GateFit):
        before, after = fit.whole.before.reliability, fit.whole.after.reliability
        rows = {part.name: (part.before.as_dict(), part.after.as_dict()) for part in fit.parts}
        title, score, true = "Calibration of the gate", "gate score", "share answerable"
    else:
        before, after = fit.before.reliability, fit.after.reliability
        rows = {"all": (fit.before.as_dict(), fit.after.as_dict())}
        title, score, true = "Calibration of the verifier", "score of a claim", "share true"
    if suffix == ".svg":
        return plot_reliability(after, title=title, score=score, true=true, key="after")
    plots = "".join(
        _render_plot(bins, when, score, true)
        for when, bins in (("before", before), ("after", after))
    )
    tables = "".join(_render_table(name, *pair) for name, pair in rows.items())
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{title}</h1>"
        f"<p>{escape(fit.verdict.reason)} All figures after the fit come from held-out parts.</p>"
        f'<div class="pair">{plots}</div>{tables}</body></html>\n'
    )


def _render_plot(bins: tuple[Bin, ...], when: str, score: str, true: str) -> str:
    title = f"Reliability {when}"
    svg = plot_reliability(bins, title=title, score=score, true=true, key=when)
    # A page may not repeat the XML declaration.
    return f"<figure>{svg[svg.index('<svg') :]}<figcaption>{title}</figcaption></figure>"


def _render_table(name: str, before: dict[str, object], after: dict[str, object]) -> str:
    rows = "".join(
        f"<tr><td>{escape(key)}</td><td>{_format_cell(before[key])}</td><td>{_format_cell(after[key])}</td></tr>"
        for key in before
    )
    head = "<tr><th></th><th>before</th><th>after</th></tr>"
    return f"<h2>{escape(name)}</h2><table>{head}{rows}</table>"


def _format_cell(value: object) -> str:
    if value is None:
        return "undefined"
    if isinstance(value, list):
        return "–".join(f"{bound:.3f}" for bound in value)
    return f"{value:.3f}" if isinstance(value, float) else escape(str(value))


def _list_gate_figures(fit: GateFit, chunks: int) -> dict[str, Any]:
    return {
        "questions": fit.whole.after.n,
        "answerable": fit.whole.after.answerable,
        "chunks": chunks,
        "folds": fit.folds,
        "min_score": fit.min_score,
        "max_false_refusal": fit.bound,
        "fitted": fit.target,
        "before": fit.whole.before.as_dict(),
        "after": fit.whole.after.as_dict(),
    }


def _list_verifier_figures(fit: VerifierFit) -> dict[str, Any]:
    return {
        "claims": fit.after.n,
        "true": fit.after.true,
        "scored": fit.scored,
        "folds": fit.folds,
        "before": fit.before.as_dict(),
        "after": fit.after.as_dict(),
    }
