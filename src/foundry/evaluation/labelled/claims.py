"""How well the verifier tells claims that their evidence carries from those that it does not.

Measured is the check that every shown sentence goes through, on labelled claims. Like there, texts
in two languages are compared by meaning too. No project is needed, and no language model is asked
but a judge that the caller gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foundry.analysis import detect_language, detect_query_language
from foundry.config import BUILTIN_EMBEDDING
from foundry.craft.grounding import Finding, Judge, Similar, judged, verify_statement
from foundry.craft.grounding.scoring import get_constants
from foundry.evaluation.labelled.passages import as_evidence
from foundry.evaluation.lines import Row, UnusableLine, require_label, require_text
from foundry.evaluation.metrics.gate import Bin, auroc, calibration_error, reliability
from foundry.models import ModelSettings, get_embedder
from foundry.ports import Progress, Step
from foundry.records import Evidence
from foundry.verify.holding import language_of
from foundry.writing.comparing import compare_by

UNKNOWN = "und"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim with the texts that it is held against, and whether they carry it."""

    text: str
    evidence: tuple[str, ...]
    label: bool


@dataclass(frozen=True, slots=True)
class ClaimFigures:
    """``balanced_accuracy`` is the mean of recall and of the share of false claims refused.

    ``precision``: of the claims called supported, the share that is; ``recall``: of the true, the
    share called so; ``auroc``: the chance that a true claim scores above a false one. None where
    there is nothing to count. ``hard`` counts the claims to which an exact fact is objected, and
    ``hard_true`` those of them that are true.
    """

    n: int
    true: int
    balanced_accuracy: float | None
    precision: float | None
    recall: float | None
    auroc: float | None
    hard: int
    hard_true: int
    threshold: float
    reliability: tuple[Bin, ...]
    calibration_error: float | None


def read_claim(row: Row) -> Claim:
    """A line's claim. Raises ``UnusableLine``."""
    text, label = require_text(row, "claim"), require_label(row)
    if "evidence" not in row:
        raise UnusableLine('it has no "evidence"')
    found = row["evidence"]
    texts = [found] if isinstance(found, str) else found
    if not isinstance(texts, list) or not all(isinstance(one, str) for one in texts):
        raise UnusableLine('"evidence" is neither a text nor a list of texts')
    return Claim(text, tuple(one for one in texts if one.strip()), label)


def verify_claims(
    claims: Sequence[Claim],
    *,
    judge: Judge | None = None,
    progress: Progress = lambda _step: None,
) -> list[Finding]:
    """What the verifier says of each claim; the built-in model compares between languages."""
    similar = compare_by(lambda: get_embedder(BUILTIN_EMBEDDING, ModelSettings()))
    findings = []
    for number, claim in enumerate(claims, start=1):
        findings.append(verify_claim(claim, similar, judge))
        progress(Step("verify", number, len(claims), "claims"))
    return findings


def verify_claim(
    claim: Claim, similar: Similar | None = None, judge: Judge | None = None
) -> Finding:
    """One claim against its texts taken together.

    ``similar`` compares by meaning where languages differ; a ``judge`` is asked where the check
    is in doubt, once, about all the texts.
    """
    language, evidence = prepare_claim(claim)
    crosses = any(item.hit.chunk.language not in (language, UNKNOWN) for item in evidence)
    text = claim.text.strip()
    finding = verify_statement(text, evidence, language, similar=similar if crosses else None)
    if judge is None or not evidence:
        return finding
    whole = as_evidence("\n\n".join(claim.evidence), evidence[0].hit.chunk.language)
    return judged(finding, text, whole, judge)


def prepare_claim(claim: Claim) -> tuple[str, list[Evidence]]:
    """The claim's language and its evidence; what is too short to tell has the other's."""
    languages = [_language_of(text) for text in claim.evidence]
    told = next((one for one in languages if one != UNKNOWN), UNKNOWN)
    spoken = language_of(claim.text, told)
    if spoken == UNKNOWN:
        spoken = detect_query_language(claim.text)
    return spoken, [
        as_evidence(text, spoken if language == UNKNOWN else language, f"S{number}")
        for number, (text, language) in enumerate(
            zip(claim.evidence, languages, strict=True), start=1
        )
    ]


def _language_of(text: str) -> str:
    found = detect_language(text)
    return detect_query_language(text) if found == UNKNOWN else found


def measure_findings(findings: Sequence[Finding], labels: Sequence[bool]) -> ClaimFigures:
    """The figures of findings on claims whose labels run in parallel."""
    pairs = [(finding.supported, label) for finding, label in zip(findings, labels, strict=True)]
    true, said = sum(labels), sum(supported for supported, _ in pairs)
    right = pairs.count((True, True))
    recall = _share(right, true)
    refused = _share(pairs.count((False, False)), len(labels) - true)
    both = recall is not None and refused is not None
    scores = [finding.score for finding in findings]
    bins = reliability(scores, labels)
    hard = [label for finding, label in zip(findings, labels, strict=True) if finding.hard]
    return ClaimFigures(
        n=len(labels),
        true=true,
        balanced_accuracy=(recall + refused) / 2 if both else None,  # type: ignore[operator]
        precision=_share(right, said),
        recall=recall,
        auroc=auroc(scores, labels),
        hard=len(hard),
        hard_true=sum(hard),
        threshold=get_constants().supported,
        reliability=tuple(bins),
        calibration_error=calibration_error(bins),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
