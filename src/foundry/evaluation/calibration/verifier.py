"""The verifier's score fitted to labelled claims; what the rules object to is not fitted.

A false claim that passes is the worse error here, so no more false claims may pass than under the
shipped constants, and under that bound as few true ones as possible are lost.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

import numpy as np

from foundry.analysis import detect_language, detect_query_language
from foundry.craft.gate import LEXICAL
from foundry.craft.grounding import Finding, get_claim_calibration, verify_statement
from foundry.craft.grounding.calibration import TABLES
from foundry.errors import UsageError
from foundry.evaluation.calibration.figures import compare_claims, rate_claims
from foundry.evaluation.calibration.fits import CalibrationFit
from foundry.evaluation.calibration.line import (
    Flags,
    ScoreLine,
    cross_validate,
    fit_line,
    log_odds,
    place_threshold,
)
from foundry.evaluation.lines import Row, UnusableLine, require_label, require_text
from foundry.journeys.matching import detect_statement_language
from foundry.messages import Message
from foundry.ports import Progress, Step
from foundry.readers.grid_units import split_caption
from foundry.records import Block, Chunk, Evidence, Focus, Hit, Source
from foundry.text.periods import find_periods
from foundry.text.tables import read_barred_table
from foundry.workspace import Workspace

UNKNOWN = "und"
MIN_CLAIMS = 20
"""Of each label, among the claims that the score decides; as few as a threshold of the gate needs."""

# Lines with bars, or one line.
_LINES = re.compile(
    r"(?P<rows>\S[^\n]*\|[^\n]*(?:\n[^\n]*\|[^\n]*\S)+|[^\s|][^\n]*\|[^\n]*\|[^\n]*)|\S[^\n]*"
)
_LINES_ABOVE = 8
"""Before a table, that may say its unit, title and columns; a guess. Those of the table before count
if there are none."""

_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim, the texts it is checked against, and whether they support it."""

    text: str
    evidence: tuple[str, ...]
    label: bool


def read_claim(row: Row) -> LabelledClaim:
    """A line's claim. Raises ``UnusableLine``."""
    text, label = require_text(row, "claim"), require_label(row)
    if "evidence" not in row:
        raise UnusableLine("eval-line-lacks", key="evidence")
    value = row["evidence"]
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(item, str) for item in texts):
        raise UnusableLine("eval-line-evidence-invalid")
    return LabelledClaim(text, tuple(item for item in texts if item.strip()), label)


def prepare_claim(claim: LabelledClaim) -> tuple[str, list[Evidence]]:
    """The claim's language and its evidence; a text too short to detect has the other's language."""
    languages = [_detect(text) for text in claim.evidence]
    known = next((language for language in languages if language != UNKNOWN), UNKNOWN)
    spoken = detect_statement_language(claim.text, known)
    if spoken == UNKNOWN:
        spoken = detect_query_language(claim.text)
    return spoken, [
        as_evidence(text, spoken if language == UNKNOWN else language, f"S{number}")
        for number, (text, language) in enumerate(
            zip(claim.evidence, languages, strict=True), start=1
        )
    ]


def as_evidence(
    text: str, language: str, name: str = "S1", *, path: str = "", title: str = ""
) -> Evidence:
    """A plain text as evidence: its lines are headings, list items, paragraphs and rows of tables."""
    size = len(text)
    chunk = Chunk(
        id=f"chk_{name}", source_id=f"src_{name}", position=0, start=0, end=size,
        text=text, content=text, tokens=size // 4, language=language, blocks=tuple(_split(text)),
    )  # fmt: skip
    source = Source(
        id=f"src_{name}", path=path, content_hash="", title=title, type="txt",
        language=language, size=size, modified=_EPOCH, ingested=_EPOCH,
    )  # fmt: skip
    return Evidence(name, Hit(chunk, source, Focus(0, size), 0.8, 0.03))


def calibrate_verifier(
    claims: Sequence[LabelledClaim],
    workspace: Workspace,
    *,
    bound: float,
    folds: int,
    progress: Progress = lambda _step: None,
) -> CalibrationFit:
    """Fit the score to labelled claims; losing more than ``bound`` of the true ones is reported.

    Raises ``UsageError`` if a label is missing or has too few claims.
    """
    # A project's own earlier fit saw these claims, so only the shipped constants can be compared.
    shipped = get_claim_calibration()
    findings = list(_verify(workspace, claims, progress))
    decided = [
        index for index, one in enumerate(findings) if _is_decided_by_score(one, shipped.supported)
    ]
    _require_enough([claims[index].label for index in decided])
    margins = np.array([log_odds(findings[index].score) for index in decided])
    label = np.array([float(claims[index].label) for index in decided])
    threshold = log_odds(shipped.supported)

    def fit(part: Flags) -> ScoreLine:
        false, true = part & (label == 0), part & (label > 0)
        allowed = float((margins[false] >= threshold).mean()) if false.any() else 0.0
        # Seen from above: what must not pass is "wanted" below a threshold of −log odds.
        placed = place_threshold(-margins[false], -margins[true], allowed, -threshold)
        return fit_line(margins[part], label[part], pin=(-placed, threshold))

    groups = [hashlib.sha256(repr(claims[i].evidence).encode()).hexdigest() for i in decided]
    lines, folds = cross_validate(groups, folds, fit, progress)
    scores = [one.score for one in findings]
    supported = [one.supported for one in findings]
    labels = [claim.label for claim in claims]
    before = rate_claims(labels, supported, scores, decided)
    for index, margin, line in zip(decided, margins, lines, strict=True):
        scores[index] = float(1 / (1 + np.exp(-line(margin))))
        supported[index] = scores[index] >= shipped.supported
    after = rate_claims(labels, supported, scores, decided)
    pair = {"before": before, "after": after}
    whole = fit(np.ones(len(decided), dtype=bool))
    stored = asdict(shipped)
    constants = stored | {name: whole.move(**stored[name]) for name in TABLES}
    report = {"folds": folds, "scored": len(decided), "constants": constants, **pair}
    verdict = compare_claims(before, after)
    return CalibrationFit(
        "verifier", LEXICAL, report, {"all": pair}, verdict, tuple(_warn(after["lost"], bound))
    )


def _verify(
    workspace: Workspace, claims: Sequence[LabelledClaim], progress: Progress
) -> Iterator[Finding]:
    similar = workspace.late_interaction.compare_sentences
    for number, claim in enumerate(claims, start=1):
        language, evidence = prepare_claim(claim)
        yield verify_statement(claim.text.strip(), evidence, language, similar=similar)
        progress(Step("verify", number, len(claims), "claims"))


def _is_decided_by_score(finding: Finding, threshold: float) -> bool:
    """False also for what is word for word there (a score of 1), or in doubt whatever its score."""
    agrees = finding.supported == (finding.score >= threshold)
    return agrees and not finding.hard and finding.score < 1


def _require_enough(labels: Sequence[bool]) -> None:
    true = sum(labels)
    if min(true, len(labels) - true) < MIN_CLAIMS:
        raise UsageError(
            "eval-too-few-claims",
            where="--claims",
            true=true,
            false=len(labels) - true,
            needed=MIN_CLAIMS,
        )


def _warn(lost: float, bound: float) -> Iterator[Message]:
    if lost > bound:
        yield Message("eval-fit-claims-lost", lost=lost, bound=bound)


def _detect(text: str) -> str:
    language = detect_language(text)
    return detect_query_language(text) if language == UNKNOWN else language


def _split(text: str) -> Iterator[Block]:
    path: tuple[str, ...] = ()
    above: list[str] = []
    named: list[str] = []
    for match in _LINES.finditer(text):
        words = match[0].lstrip("#*-• ")
        start = match.end() - len(words)
        if not words:
            continue
        if match["rows"]:
            if not any(find_periods(line) for line in above):
                above = [*named, *above]
            named = above[-_LINES_ABOVE:]
            table = read_barred_table(match[0], match.start(), named)
            if table is not None:
                title, unit = split_caption(None, named, (), (table.corner,))
                table = replace(table, title=title, unit=unit)
            yield Block("table", match.start(), match.end(), path, table=table)
            above = [*named, *match[0].splitlines()] if table is None else []
            continue
        above.append(words)
        if match[0].startswith("#"):
            path = (words,)
            yield Block("heading", start, match.end(), path, 1)
        else:
            is_item = match[0].startswith(("* ", "- ", "• "))
            yield Block("list_item" if is_item else "paragraph", start, match.end(), path)
