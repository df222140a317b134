"""What ``foundry eval calibrate`` prints for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foundry.cli.labelled import rate
from foundry.cli.output import count, show
from foundry.cli.table import show_table
from foundry.constants import MEND, describe_stale, find_stale, holds
from foundry.craft.gate import LEXICAL
from foundry.evaluation.calibrating import GateFit, VerifierFit
from foundry.evaluation.calibrating.figures import ClaimRates, GateRates, Judged
from foundry.evaluation.metrics.gate import Bin
from foundry.records import Fitted
from foundry.workspace import Workspace

_WIDTH = 20
_SHORT = 70
_FITTED = {
    "weights": "weights and threshold were fitted",
    "threshold": "the weights were kept, the threshold was placed anew",
    "milder": "the weights were kept, and the threshold only lowered",
}


def show_gate(fit: GateFit, *, whole: bool) -> None:
    """The figures before and after, the reliability, and with ``whole`` every question."""
    rates = fit.rates().after
    unanswerable = count(rates.n - rates.answerable, "unanswerable one")
    show(
        f"{count(rates.answerable, 'answerable question')} and {unanswerable}, held out in "
        f"{fit.folds} folds, for {fit.model}; before: {fit.current} constants"
    )
    how = _how(fit.support, fit.ridge)
    show(f"At min_score {fit.min_score:.2f} at most {fit.bound:.1%} refused wrongly; {how}.\n")
    rows = []
    for part in fit.parts:
        rows += [_gate_row(part.name, "before", part.before), _gate_row("", "after", part.after)]
    columns = ("QUESTIONS", "", "N", "AUROC", "REFUSED WRONGLY (95 %)", "REFUSED RIGHTLY",
               "PRECISION", "CALIBRATION ERROR")  # fmt: skip
    show_table(columns, rows, elastic="QUESTIONS", numbers=columns[2:])
    show_reliability(rates.reliability, "ANSWERABLE")
    if fit.ruled:
        show("Answerable, and refused by rule whatever the constants:")
        for one in fit.ruled:
            show(f"  {one.key}: {one.after.rule} ({_cut(one.text)})")
        show()
    if whole:
        _show_questions(fit.judged)


def show_claims(fit: VerifierFit) -> None:
    """The verifier's figures before and after, and the reliability."""
    show(
        f"{count(fit.after.n, 'claim')}, {fit.after.true:,} of them true; on {fit.scored:,} the "
        f"score decides, held out in {fit.folds} folds\n"
    )
    rows = [_claim_row("before", fit.before), _claim_row("after", fit.after)]
    columns = ("", "BALANCED ACCURACY", "AUROC", "PRECISION", "TRUE, LOST (95 %)",
               "FALSE, PASSED (95 %)", "CALIBRATION ERROR")  # fmt: skip
    show_table(columns, rows, elastic="", numbers=columns[1:])
    show_reliability(fit.after.reliability, "TRUE")


def show_reliability(bins: Sequence[Bin], true: str) -> None:
    """Each bin of scores as a bar: as long as its share, with the mean score marked on it."""
    show("\nWhat a score means, on questions held out (█ share, │ mean score):")
    rows = [
        (f"{one.low:.1f}–{one.high:.1f}", one.n, f"{one.mean:.2f}", f"{one.true:.2f}", _bar(one))
        for one in bins
    ]
    columns = ("SCORE", "N", "MEAN", true, "0" + " " * (_WIDTH - 2) + "1")
    for row in (columns, *rows):
        show(
            f"{row[0]:<8} {row[1]:>5} {row[2]:>6} {row[3]:>{max(6, len(true))}}  {row[4]}".rstrip()
        )
    show()


def show_kept(workspace: Workspace) -> None:
    """The stored constants: when, on what, and what they came to."""
    if not workspace.fitted:
        show("No constants are stored: the shipped ones are used.")
        return
    for one in workspace.fitted:
        state = "used" if holds(workspace, one) and _wanted(workspace, one) else "not used"
        show(f"{one.model}: fitted {one.made:%Y-%m-%d %H:%M} UTC, {state}")
        if one.gate is not None:
            _show_kept_gate(one.figures.get("gate", {}))
        if one.verifier is not None:
            _show_kept_claims(one.figures.get("verifier", {}))
    mode = workspace.config.retrieval.mode
    stale = find_stale(workspace, mode)
    if stale is not None:
        show(f"{describe_stale(stale, workspace.config.embedding.model)} {MEND}")


def _wanted(workspace: Workspace, fitted: Fitted) -> bool:
    """Whether the configuration searches with these: words serve every verification."""
    return fitted.model in (LEXICAL, workspace.config.embedding.model)


def _show_kept_gate(figures: Mapping[str, Any]) -> None:
    if not figures:
        return
    show(
        f"  gate: {figures['questions']:,} questions ({figures['answerable']:,} answerable) over "
        f"{figures['chunks']:,} chunks, bound {figures['max_false_refusal']:.1%} at min_score "
        f"{figures['min_score']:.2f}; {_how(figures['fitted'], figures['ridge'])}"
    )
    for when in ("before", "after"):
        found = figures[when]
        show(
            f"    {when:<6}  AUROC {rate(found['auroc'])}, refused wrongly "
            f"{rate(found['gate_false_refusal_rate'])}, rightly {rate(found['gate_refusal_recall'])}"
        )


def _show_kept_claims(figures: Mapping[str, Any]) -> None:
    if not figures:
        return
    show(f"  verifier: {figures['claims']:,} claims ({figures['true']:,} true)")
    for when in ("before", "after"):
        found = figures[when]
        show(
            f"    {when:<6}  balanced accuracy {rate(found['balanced_accuracy'])}, true lost "
            f"{rate(found['lost'])}, false passed {rate(found['passed'])}"
        )


def _how(support: str, ridge: float | None) -> str:
    if support == "weights" and ridge is None:
        return (
            "the weights were kept, as no others are clearly better, and the threshold placed anew"
        )
    return _FITTED[support]


def _gate_row(name: str, when: str, rates: GateRates) -> tuple[object, ...]:
    return (
        name,
        when,
        rates.n if name else "",
        rate(rates.auroc),
        _with_interval(rates.false_refusal_rate, rates.interval),
        rate(rates.refusal_recall),
        rate(rates.refusal_precision),
        rate(rates.calibration_error),
    )


def _claim_row(when: str, rates: ClaimRates) -> tuple[object, ...]:
    return (
        when,
        rate(rates.balanced_accuracy),
        rate(rates.auroc),
        rate(rates.precision),
        _with_interval(rates.lost, rates.lost_interval),
        _with_interval(rates.passed, rates.passed_interval),
        rate(rates.calibration_error),
    )


def _with_interval(value: float | None, interval: tuple[float, float] | None) -> str:
    if value is None or interval is None:
        return rate(value)
    return f"{value:.3f} ({interval[0]:.3f}–{interval[1]:.3f})"


def _bar(one: Bin) -> str:
    cells = ["█"] * round(one.true * _WIDTH) + ["·"] * (_WIDTH - round(one.true * _WIDTH))
    cells[min(_WIDTH - 1, int(one.mean * _WIDTH))] = "│"
    return "".join(cells)


def _show_questions(judged: Sequence[Judged]) -> None:
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


def _cut(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"
