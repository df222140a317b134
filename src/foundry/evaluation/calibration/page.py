"""The reliability of a fit as one plot, or as a page with both plots and the figures."""

from __future__ import annotations

from html import escape

from foundry.evaluation.calibration.gate import GateFit
from foundry.evaluation.calibration.verifier import VerifierFit
from foundry.evaluation.measuring.reliability import Bin
from foundry.evaluation.plots import plot_reliability

PICTURES = (".svg", ".html")

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:right;"
    "border-bottom:1px solid #ccc}td:first-child,th:first-child{text-align:left}"
    ".pair{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}svg{max-width:100%;height:auto}"
)


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
