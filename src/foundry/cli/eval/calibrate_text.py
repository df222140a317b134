"""The text that ``foundry eval calibrate`` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foundry.cli.output import format_count, show
from foundry.cli.table import show_table
from foundry.craft.gate import LEXICAL
from foundry.evaluation.calibration import ClaimRates, GateFit, GateRates, VerifierFit
from foundry.evaluation.calibration.figures import JudgedQuestion
from foundry.evaluation.metrics.gate import Bin
from foundry.journeys.calibration import format_stale_notice, is_calibration_current
from foundry.records import FittedCalibration
from foundry.workspace import Workspace

_BAR_WIDTH = 20
_MAX_TEXT = 70
_FITTED = {
    "line": "threshold and slope fitted",
    "threshold": "threshold fitted",
    "milder": "threshold lowered only",
}


def show_gate(fit: GateFit, *, verbose: bool) -> None:
    """Print the figures before and after, the reliability, and if ``verbose`` every question."""
    rates = fit.whole.after
    unanswerable = format_count(rates.n - rates.answerable, "unanswerable one")
    show(
        f"{format_count(rates.answerable, 'answerable question')} and {unanswerable}, held out in "
        f"{fit.folds} folds, for {fit.model}; before: {fit.current} constants"
    )
    show(
        f"At min_score {fit.min_score:.2f} at most {fit.bound:.1%} refused wrongly; "
        f"{_FITTED[fit.target]}.\n"
    )
    rows = []
    for part in fit.parts:
        rows += [_gate_row(part.name, "before", part.before), _gate_row("", "after", part.after)]
    columns = ("QUESTIONS", "", "N", "AUROC", "REFUSED WRONGLY (95 %)", "REFUSED RIGHTLY",
               "PRECISION", "CALIBRATION ERROR")  # fmt: skip
    show_table(columns, rows, elastic="QUESTIONS", numbers=columns[2:])
    show_reliability(rates.reliability, "ANSWERABLE")
    if fit.ruled:
        show("Answerable, but refused by a rule whatever the constants:")
        for one in fit.ruled:
            show(f"  {one.key}: {one.after.rule} ({_truncate(one.text)})")
        show()
    if verbose:
        _show_questions(fit.judged)


def show_verifier(fit: VerifierFit) -> None:
    """Print the verifier's figures before and after, and the reliability."""
    show(
        f"{format_count(fit.after.n, 'claim')}, {fit.after.true:,} of them true; the score decides on "
        f"{fit.scored:,}, held out in {fit.folds} folds\n"
    )
    rows = [_claim_row("before", fit.before), _claim_row("after", fit.after)]
    columns = ("", "BALANCED ACCURACY", "AUROC", "PRECISION", "TRUE, LOST (95 %)",
               "FALSE, PASSED (95 %)", "CALIBRATION ERROR")  # fmt: skip
    show_table(columns, rows, elastic="", numbers=columns[1:])
    show_reliability(fit.after.reliability, "TRUE")


def show_reliability(bins: Sequence[Bin], true: str) -> None:
    """Print each bin of scores as a bar of its share, with the mean score marked on it."""
    show("\nWhat a score means, on held-out cases (█ share, │ mean score):")
    rows = [
        (f"{one.low:.1f}–{one.high:.1f}", one.n, f"{one.mean:.2f}", f"{one.true:.2f}", _bar(one))
        for one in bins
    ]
    columns = ("SCORE", "N", "MEAN", true, "0" + " " * (_BAR_WIDTH - 2) + "1")
    for row in (columns, *rows):
        show(
            f"{row[0]:<8} {row[1]:>5} {row[2]:>6} {row[3]:>{max(6, len(true))}}  {row[4]}".rstrip()
        )
    show()


def show_stored(workspace: Workspace) -> None:
    """Print the stored fits: when they were made, from what, and their figures."""
    if not workspace.fitted:
        show("No fit is stored; the shipped constants are used.")
        return
    for fitted in workspace.fitted:
        used = is_calibration_current(workspace, fitted) and _is_configured(workspace, fitted)
        state = "used" if used else "not used"
        show(f"{fitted.model}: fitted {fitted.made:%Y-%m-%d %H:%M} UTC, {state}")
        if fitted.gate is not None:
            _show_stored_gate(fitted.figures.get("gate", {}))
        if fitted.verifier is not None:
            _show_stored_verifier(fitted.figures.get("verifier", {}))
    notice = format_stale_notice(workspace, workspace.config.retrieval.mode)
    if notice is not None:
        show(notice)


def _is_configured(workspace: Workspace, fitted: FittedCalibration) -> bool:
    """Whether the configuration uses these constants; every verification uses the lexical ones."""
    return fitted.model in (LEXICAL, workspace.config.embedding.model)


def _show_stored_gate(figures: Mapping[str, Any]) -> None:
    if not figures:
        return
    show(
        f"  gate: {figures['questions']:,} questions ({figures['answerable']:,} answerable) over "
        f"{figures['chunks']:,} chunks, bound {figures['max_false_refusal']:.1%} at min_score "
        f"{figures['min_score']:.2f}; {_FITTED.get(figures['fitted'], figures['fitted'])}"
    )
    for when in ("before", "after"):
        rates = figures[when]
        show(
            f"    {when:<6}  AUROC {_rate(rates['auroc'])}, refused wrongly "
            f"{_rate(rates['gate_false_refusal_rate'])}, rightly {_rate(rates['gate_refusal_recall'])}"
        )


def _show_stored_verifier(figures: Mapping[str, Any]) -> None:
    if not figures:
        return
    show(f"  verifier: {figures['claims']:,} claims ({figures['true']:,} true)")
    for when in ("before", "after"):
        rates = figures[when]
        show(
            f"    {when:<6}  balanced accuracy {_rate(rates['balanced_accuracy'])}, true lost "
            f"{_rate(rates['lost'])}, false passed {_rate(rates['passed'])}"
        )


def _gate_row(name: str, when: str, rates: GateRates) -> tuple[object, ...]:
    return (
        name,
        when,
        rates.n if name else "",
        _rate(rates.auroc),
        _format_rate(rates.false_refusal_rate, rates.interval),
        _rate(rates.refusal_recall),
        _rate(rates.refusal_precision),
        _rate(rates.calibration_error),
    )


def _claim_row(when: str, rates: ClaimRates) -> tuple[object, ...]:
    return (
        when,
        _rate(rates.balanced_accuracy),
        _rate(rates.auroc),
        _rate(rates.precision),
        _format_rate(rates.lost, rates.lost_interval),
        _format_rate(rates.passed, rates.passed_interval),
        _rate(rates.calibration_error),
    )


def _format_rate(value: float | None, interval: tuple[float, float] | None) -> str:
    if value is None or interval is None:
        return _rate(value)
    return f"{value:.3f} ({interval[0]:.3f}–{interval[1]:.3f})"


def _bar(one: Bin) -> str:
    cells = ["█"] * round(one.true * _BAR_WIDTH) + ["·"] * (
        _BAR_WIDTH - round(one.true * _BAR_WIDTH)
    )
    cells[min(_BAR_WIDTH - 1, int(one.mean * _BAR_WIDTH))] = "│"
    return "".join(cells)


def _show_questions(judged: Sequence[JudgedQuestion]) -> None:
    rows = [
        (
            one.key,
            "yes" if one.answerable else "no",
            f"{one.before.score:.2f}{' refused' if one.before.refused else ''}",
            f"{one.after.score:.2f}{' refused' if one.after.refused else ''}",
            one.text,
        )
        for one in judged
    ]
    show_table(("KEY", "ANSWERABLE", "BEFORE", "AFTER", "TEXT"), rows, elastic="TEXT")
    show()


def _truncate(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}…"


def _rate(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
