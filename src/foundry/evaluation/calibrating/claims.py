"""The verifier's score fitted to labelled claims; what is objected to a claim is no matter of fit.

A false claim that passes is the worse error here, so the bound is another one than the gate's: at
``supported`` no more false claims may pass than under the shipped constants, and under
that as few true ones as possible are lost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from foundry.craft.grounding import Constants, get_constants, read_constants, verify_statement
from foundry.craft.grounding.scoring import Signals, score
from foundry.craft.grounding.verifying import read_support
from foundry.craft.grounding.windows import open_windows, read_claim, vocabulary
from foundry.errors import UsageError
from foundry.evaluation.calibrating.arms import ANCHOR
from foundry.evaluation.calibrating.bounding import (
    Line,
    fit_line,
    log_loss,
    log_odds,
    pin_line,
    place_threshold,
    rate_interval,
)
from foundry.evaluation.calibrating.choosing import INNER_FOLDS, RIDGES, deal_folds, steadiest
from foundry.evaluation.calibrating.figures import ClaimRates
from foundry.evaluation.calibrating.fitting import Array, Flags, fit_logistic
from foundry.evaluation.calibrating.verdict import Verdict, compare_claims
from foundry.evaluation.labelled.claims import Claim, prepare_claim
from foundry.evaluation.metrics.gate import auroc, calibration_error, reliability
from foundry.ports import Progress, Step
from foundry.wording.lines import read_material
from foundry.workspace import Workspace
from foundry.writing.comparing import compare_sentences

FEWEST_CLAIMS = 20
"""Of each label, among the claims that the score decides."""

NAMES = tuple(Signals.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A claim as the verifier met it. ``signals`` is None where no score decides on it."""

    claim: Claim
    group: str
    signals: Signals | None
    supported: bool
    score: float


@dataclass(frozen=True, slots=True)
class VerifierFit:
    """New constants of a claim's score with what they come to, cross-validated.

    ``entry`` has the shape of ``craft/grounding/constants.json``; ``scored`` counts the claims
    that the score decides, the rest are objected to, stand there word for word, or cross languages.
    """

    entry: dict[str, Any]
    ridge: float | None
    folds: int
    bound: float
    scored: int
    before: ClaimRates
    after: ClaimRates
    verdict: Verdict
    notices: tuple[str, ...]


def fit_verifier(
    workspace: Workspace,
    claims: Sequence[Claim],
    *,
    bound: float,
    folds: int,
    progress: Progress,
) -> VerifierFit:
    """Fit the score to claims of both labels; ``bound`` on true claims lost is only told of."""
    # A project's own earlier constants saw these claims: only the shipped ones can be compared.
    current = get_constants()
    weighed = _weigh(workspace, claims, current, progress)
    scored = [one for one in weighed if one.signals is not None]
    _require_enough(scored)
    work = _read(scored, current)
    folds = min(folds, len(set(work.groups)))
    held_out = np.zeros(len(scored))
    dealt = deal_folds(work.groups, np.ones(len(scored), dtype=bool), folds)
    for fold in range(folds):
        beta, _ = _choose(work, dealt != fold)
        held_out[dealt == fold] = (work.rows @ beta)[dealt == fold]
        progress(Step("fit", fold + 1, folds + 1, "folds"))
    beta, ridge = _choose(work, np.ones(len(scored), dtype=bool))
    progress(Step("fit", folds + 1, folds + 1, "folds"))
    fresh = iter(1 / (1 + np.exp(-held_out)))
    after = [float(next(fresh)) if one.signals else one.score for one in weighed]
    rates = [_rates(weighed, scores, current) for scores in ([w.score for w in weighed], after)]
    return VerifierFit(
        entry=_entry(beta, get_constants()),
        ridge=ridge,
        folds=folds,
        bound=bound,
        scored=len(scored),
        before=rates[0],
        after=rates[1],
        verdict=compare_claims(rates[0], rates[1]),
        notices=_notices(rates[1], bound),
    )


def _weigh(
    workspace: Workspace, claims: Sequence[Claim], current: Constants, progress: Progress
) -> list[Weighed]:
    similar = compare_sentences(workspace)
    weighed = []
    for number, claim in enumerate(claims, start=1):
        language, evidence = prepare_claim(claim)
        text = claim.text.strip()
        finding = verify_statement(text, evidence, language, similar=similar, constants=current)
        signals = None
        if evidence and not finding.hard and finding.words is not None:
            materials = [read_material(item) for item in evidence]
            windows = [window for material in materials for window in open_windows(material)]
            reading = read_support(read_claim(text, language, vocabulary(materials, "")), windows)
            alone = reading.objection is None and not reading.place.alignment.same
            signals = reading.signals if alone else None
        group = hashlib.sha256(repr(claim.evidence).encode()).hexdigest()
        found = finding.score if signals is None else score(signals, current)
        weighed.append(Weighed(claim, group, signals, finding.supported, found))
        progress(Step("verify", number, len(claims), "claims"))
    return weighed


def _require_enough(scored: Sequence[Weighed]) -> None:
    true = sum(one.claim.label for one in scored)
    if min(true, len(scored) - true) >= FEWEST_CLAIMS:
        return
    raise UsageError(
        f"The score decides on {true} true and {len(scored) - true} false claims; "
        f"{FEWEST_CLAIMS} of each are needed.",
        where="--claims",
        fix="Give more claims. Those with a wrong number or name, those that stand in their "
        "evidence word for word and those in another language are decided without the score.",
    )


@dataclass(frozen=True, slots=True)
class _Work:
    rows: Array
    label: Array
    groups: list[str]
    prior: Array
    threshold: float
    current: Array


def _read(scored: Sequence[Weighed], current: Constants) -> _Work:
    shipped = get_constants()
    rows = [[1.0, *(getattr(one.signals, name) for name in NAMES)] for one in scored]
    return _Work(
        rows=np.array(rows),
        label=np.array([float(one.claim.label) for one in scored]),
        groups=[one.group for one in scored],
        prior=np.array([shipped.intercept, *(shipped.weights.get(name, 0.0) for name in NAMES)]),
        threshold=log_odds(shipped.supported),
        current=np.array([log_odds(one.score) >= log_odds(current.supported) for one in scored]),
    )


def _choose(work: _Work, part: Flags) -> tuple[Array, float | None]:
    """Intercept and weights, and the ridge that was chosen; None for the shipped weights."""
    folds = deal_folds(work.groups, part, INNER_FOLDS)
    margins: dict[float | None, Array] = {None: work.rows @ work.prior}
    margins |= {ridge: _held_out(work, folds, ridge) for ridge in RIDGES}
    label, weight = work.label[part], _weights(work.label[part])
    losses = {
        ridge: weight * log_loss(fit_line(found[part], label)(found[part]), label)
        for ridge, found in margins.items()
    }
    ridge = steadiest(losses)
    beta = work.prior if ridge is None else _fit(work, part, ridge)
    line = _line(work, part, margins[ridge])
    beta = beta * line.slope
    beta[0] += line.shift
    return beta, ridge


def _held_out(work: _Work, folds: npt.NDArray[np.int64], ridge: float) -> Array:
    margins = np.zeros(len(work.label))
    for fold in range(folds.max() + 1):
        beta = _fit(work, (folds >= 0) & (folds != fold), ridge)
        margins[folds == fold] = (work.rows @ beta)[folds == fold]
    return margins


def _fit(work: _Work, part: Flags, ridge: float) -> Array:
    rows, label = work.rows[part], work.label[part]
    return fit_logistic(rows, label, _weights(label), ridge=ridge, prior=work.prior, anchor=ANCHOR)


def _line(work: _Work, part: Flags, margins: Array) -> Line:
    """The stretch under which no more false claims pass than under the shipped constants.

    The bound looks from above: what must not pass is "refused" below a threshold of −log odds.
    """
    false, true = part & (work.label == 0), part & (work.label > 0)
    bound = float(work.current[false].mean()) if false.any() else 0.0
    placed = place_threshold(-margins[false], -margins[true], bound, -work.threshold)
    return pin_line(margins[part], work.label[part], -placed, work.threshold)


def _weights(label: Array) -> Array:
    """Both labels count alike: how many false claims a file holds says nothing of those to come."""
    share = label.mean()
    return np.asarray(np.where(label > 0, 0.5 / max(share, 1e-9), 0.5 / max(1 - share, 1e-9)))


def _entry(beta: Array, shipped: Constants) -> dict[str, Any]:
    weights = {n: round(float(b), 5) for n, b in zip(NAMES, beta[1:], strict=True)}
    kept = read_constants({**asdict(shipped), "intercept": round(float(beta[0]), 5),
                           "weights": weights})  # fmt: skip
    return {**asdict(kept), "band": list(kept.band)}


def _rates(weighed: Sequence[Weighed], scores: Sequence[float], used: Constants) -> ClaimRates:
    labels = [one.claim.label for one in weighed]
    said = [
        found >= used.supported if one.signals else one.supported
        for one, found in zip(weighed, scores, strict=True)
    ]
    pairs = list(zip(said, labels, strict=True))
    true, kept, passed = sum(labels), pairs.count((True, True)), pairs.count((True, False))
    false = len(labels) - true
    decided = [at for at, one in enumerate(weighed) if one.signals]
    bins = reliability([scores[at] for at in decided], [labels[at] for at in decided])
    return ClaimRates(
        n=len(labels),
        true=true,
        auroc=auroc(scores, labels),
        balanced_accuracy=(kept / true + 1 - passed / false) / 2,
        precision=kept / (kept + passed) if kept + passed else None,
        lost=1 - kept / true,
        lost_interval=rate_interval(true - kept, true),
        passed=passed / false,
        passed_interval=rate_interval(passed, false),
        calibration_error=calibration_error(bins),
        reliability=tuple(bins),
    )


def _notices(after: ClaimRates, bound: float) -> tuple[str, ...]:
    if after.lost is None or after.lost <= bound:
        return ()
    said = f"{after.lost:.1%} of the true claims are lost, more than {bound:.1%}"
    return (f"{said}: a false claim that passes is the worse error, so that bound gives way.",)
