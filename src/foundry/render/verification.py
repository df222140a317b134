"""The report of a verified text.

Unsupported statements come first, each with what the sources say. Verdicts are words and signs,
never colour alone. Shows what the records say and computes nothing.
"""

from __future__ import annotations

from collections import Counter

from foundry.records import CheckedStatement, ClaimVerdict, Quote, Verification
from foundry.render.places import (
    format_location,
)

SIGNS: dict[ClaimVerdict, str] = {
    "supported": "✓",
    "misattributed": "≠",
    "partly": "~",
    "unsupported": "✗",
}
_LABELS = {"partly": "partly supported"}
_MAX_TEXT = 400
"""Characters of a statement or quote: five lines of a terminal; --json has all of it."""


def render_verification(verification: Verification, *, verbose: bool = False) -> str:
    """Problems first, then supported statements (if ``verbose``), skipped text and a summary."""
    if not verification.statements:
        return "\n".join(
            [
                f"Nothing to check: {verification.file} contains no statements.",
                *_render_skipped(verification, verbose=True),
            ]
        )
    problems = [item for item in verification.statements if item.check.verdict != "supported"]
    supported = [item for item in verification.statements if item.check.verdict == "supported"]
    lines: list[str] = []
    for item in problems:
        lines += [*_render_problem(item), ""]
    if verbose:
        for item in supported:
            lines += [*_render_supported(item), ""]
    lines += _render_skipped(verification, verbose=verbose)
    gap = [""] if verbose and verification.skipped else []
    return "\n".join([*lines, *gap, *_render_summary(verification, verbose=verbose)])


def _render_problem(statement: CheckedStatement) -> list[str]:
    check = statement.check
    verdict = _LABELS.get(check.verdict, check.verdict)
    lines = [
        f"{SIGNS[check.verdict]} {verdict}{_format_file_place(statement)}",
        f"  {_cut(check.sentence)}",
    ]
    if check.verdict != "misattributed" and check.citations:
        lines.append(f"  cites: {', '.join(check.citations)}")
    lines.append(f"  why: {check.reason}")
    if check.differs:
        lines.append(f"  source says: {check.differs}")
    if statement.hit:
        label = "found in" if check.verdict == "misattributed" else "nearest"
        lines.append(f"  {label}: {_format_place(statement)}")
        lines += [f"    “{_cut(quote.text)}”" for quote in check.quotes[:2]]
    return lines


def _render_supported(statement: CheckedStatement) -> list[str]:
    lines = [
        f"{SIGNS['supported']} supported{_format_file_place(statement)}",
        f"  {_cut(statement.check.sentence)}",
    ]
    if statement.hit:
        lines.append(f"  {_format_place(statement)}")
        lines += [f"    “{_cut(quote.text)}”" for quote in statement.check.quotes[:2]]
    return lines


def _render_skipped(verification: Verification, *, verbose: bool) -> list[str]:
    if not verification.skipped:
        return []
    counts = Counter(skipped.reason for skipped in verification.skipped)
    reasons = ", ".join(f"{count} × {reason}" for reason, count in counts.most_common())
    lines = [f"Not checked: {reasons}."]
    if verbose:
        lines += [
            f"  {f'line {skipped.line}, ' if skipped.line else ''}{skipped.reason}: {skipped.text}"
            for skipped in verification.skipped
        ]
    return lines


def _render_summary(verification: Verification, *, verbose: bool) -> list[str]:
    counts = verification.counts
    parts = ", ".join(
        f"{SIGNS[verdict]} {counts[verdict]} {_LABELS.get(verdict, verdict)}"
        for verdict in SIGNS
        if counts[verdict]
    )
    total = len(verification.statements)
    least = _format_percent(verification.min_attribution)
    coverage = _format_percent(verification.coverage or 0.0)
    end = (
        f"Coverage {coverage}: sufficient (validation.min_attribution is {least})."
        if verification.passed
        else f"Coverage {coverage}: below validation.min_attribution ({least})."
    )
    noun = "statement" if total == 1 else "statements"
    more = "" if verbose or not counts["supported"] else " (-v lists them with their sources)"
    return [f"{verification.file}: {total} {noun}: {parts}{more}.", end]


def _format_percent(share: float) -> str:
    """A percentage rounded down, with one decimal unless it is zero."""
    tenths = int(share * 1000 + 1e-9)
    return f"{tenths // 10}%" if tenths % 10 == 0 else f"{tenths / 10:.1f}%"


def _format_file_place(statement: CheckedStatement) -> str:
    claimed = statement.claimed
    page = claimed.page_label or (str(claimed.page) if claimed.page else None)
    parts = [
        f"line {claimed.line}" if claimed.line else None,
        f"p. {page}" if page else None,
        claimed.section,
    ]
    place = ", ".join(part for part in parts if part)
    return f" — {place}" if place else ""


def _format_place(statement: CheckedStatement) -> str:
    assert statement.hit
    return format_location(
        statement.hit.source.path, find_shown_quote(statement) or statement.hit.focus
    )


def find_shown_quote(statement: CheckedStatement) -> Quote | None:
    """The first quote from the passage that is shown."""
    shown = statement.hit.chunk.id if statement.hit else None
    return next((quote for quote in statement.check.quotes if quote.evidence_id == shown), None)


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _MAX_TEXT else f"{words[: _MAX_TEXT - 1]}…"
