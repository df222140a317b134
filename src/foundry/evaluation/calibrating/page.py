"""The reliability of a fit as one picture, or as a page with both pictures and the figures."""

from __future__ import annotations

from html import escape

from foundry.evaluation.calibrating.claims import VerifierFit
from foundry.evaluation.calibrating.gate import GateFit
from foundry.evaluation.calibrating.kept import claim_rates, gate_rates
from foundry.evaluation.metrics.gate import Bin
from foundry.evaluation.plots import plot_reliability

PICTURES = (".svg", ".html")

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:right;"
    "border-bottom:1px solid #ccc}td:first-child,th:first-child{text-align:left}"
    ".pair{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}svg{max-width:100%;height:auto}"
)


def render_calibration(fit: GateFit | VerifierFit, suffix: str) -> str:
    """The plot after the fit (``.svg``), or a self-contained page with both (``.html``)."""
    if isinstance(fit, GateFit):
        found = fit.rates()
        before, after = found.before.reliability, found.after.reliability
        rows = {part.name: (gate_rates(part.before), gate_rates(part.after)) for part in fit.parts}
        title, score, true = "Calibration of the gate", "gate score", "share answerable"
    else:
        before, after = fit.before.reliability, fit.after.reliability
        rows = {"all": (claim_rates(fit.before), claim_rates(fit.after))}
        title, score, true = "Calibration of the verifier", "score of a claim", "share true"
    if suffix == ".svg":
        return plot_reliability(after, title=title, score=score, true=true, key="after")
    pictures = "".join(
        _figure(bins, when, score, true) for when, bins in (("before", before), ("after", after))
    )
    tables = "".join(_table(name, *pair) for name, pair in rows.items())
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{title}</h1>"
        f"<p>{escape(fit.verdict.reason)} Every figure after the fit is of what it never saw.</p>"
        f'<div class="pair">{pictures}</div>{tables}</body></html>\n'
    )


def _figure(bins: tuple[Bin, ...], when: str, score: str, true: str) -> str:
    title = f"Reliability {when}"
    svg = plot_reliability(bins, title=title, score=score, true=true, key=when)
    # The declaration of a file has no place inside a page.
    return f"<figure>{svg[svg.index('<svg') :]}<figcaption>{title}</figcaption></figure>"


def _table(name: str, before: dict[str, object], after: dict[str, object]) -> str:
    rows = "".join(
        f"<tr><td>{escape(key)}</td><td>{_cell(before[key])}</td><td>{_cell(after[key])}</td></tr>"
        for key in before
    )
    head = "<tr><th></th><th>before</th><th>after</th></tr>"
    return f"<h2>{escape(name)}</h2><table>{head}{rows}</table>"


def _cell(value: object) -> str:
    if value is None:
        return "undefined"
    if isinstance(value, list):
        return "–".join(f"{one:.3f}" for one in value)
    return f"{value:.3f}" if isinstance(value, float) else escape(str(value))
