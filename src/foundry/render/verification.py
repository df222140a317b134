"""The report of a verified text.

Unsupported statements come first, each with what the sources say. Verdicts are words and signs,
never colour alone. Shows what the records say and computes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from foundry.messages import Message
from foundry.records import CheckedStatement, ClaimVerdict, Quote, Verification
from foundry.render.places import (
    format_location,
    note_reading,
)

SIGNS: dict[ClaimVerdict, str] = {
    "supported": "✓",
    "misattributed": "≠",
    "partly": "~",
    "unclear": "?",
    "unsupported": "✗",
}
_MAX_TEXT = 400
"""Characters of a statement or quote: five lines of a terminal; --json has all of it."""


def render_verification(verification: Verification, *, verbose: bool = False) -> str:
    """Problems first, then supported statements (if ``verbose``), skipped text and a summary."""
    if not verification.statements:
        return "\n".join(
            [
                str(Message("verification-nothing", file=verification.file)),
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
    lines = [
        f"{_name_verdict(check.verdict)}{_format_file_place(statement)}",
        f"  {_cut(check.sentence)}",
    ]
    if check.verdict != "misattributed" and check.citations:
        lines.append(f"  {Message('verification-cites', citations=check.citations)}")
    lines.append(f"  {Message('verification-why', reason=check.reason)}")
    if check.differs and check.differs not in str(check.reason):
        lines.append(f"  {Message('verification-differs', text=check.differs)}")
    if statement.hit:
        found = check.verdict == "misattributed"
        code = "verification-found-in" if found else "verification-nearest"
        lines.append(f"  {Message(code, place=_format_place(statement))}")
        lines += _render_quotes(check.quotes[:2])
    return lines


def _render_quotes(quotes: Sequence[Quote]) -> list[str]:
    notes = [f"    ({note})" for note in note_reading(quotes)]
    return [*(f"    “{_cut(quote.text)}”" for quote in quotes), *notes]


def _render_supported(statement: CheckedStatement) -> list[str]:
    lines = [
        f"{_name_verdict('supported')}{_format_file_place(statement)}",
        f"  {_cut(statement.check.sentence)}",
    ]
    if statement.check.computed:
        lines.append(f"  {statement.check.reason}")
    if statement.hit:
        lines.append(f"  {_format_place(statement)}")
        lines += _render_quotes(statement.check.quotes[:2])
    return lines


def _render_skipped(verification: Verification, *, verbose: bool) -> list[str]:
    if not verification.skipped:
        return []
    counts = Counter(str(skipped.reason) for skipped in verification.skipped)
    reasons = [f"{count} × {reason}" for reason, count in counts.most_common()]
    lines = [str(Message("verification-skipped", reasons=reasons))]
    if verbose:
        for skipped in verification.skipped:
            place = _format_line(skipped.line)
            head = ", ".join(part for part in (place, str(skipped.reason)) if part)
            lines.append(f"  {head}: {skipped.text}")
    return lines


def _render_summary(verification: Verification, *, verbose: bool) -> list[str]:
    counts = verification.counts
    summary = Message(
        "verification-summary",
        file=verification.file,
        total=len(verification.statements),
        parts=[_name_verdict(verdict, counts[verdict]) for verdict in SIGNS if counts[verdict]],
    )
    more = "" if verbose or not counts["supported"] else f" {Message('verification-see-more')}"
    end = Message(
        "verification-coverage" if verification.passed else "verification-coverage-low",
        coverage=_format_percent(verification.coverage or 0.0),
        least=_format_percent(verification.min_attribution),
    )
    return [f"{summary}{more}.", str(end)]


def _name_verdict(verdict: ClaimVerdict, count: int | None = None) -> str:
    """The verdict with its sign: ``✗ unsupported``, or ``✗ 3 unsupported``."""
    parts = (SIGNS[verdict], "" if count is None else str(count))
    label = str(Message(f"verification-{verdict}"))
    return " ".join(part for part in (*parts, label) if part)


def _format_percent(share: float) -> str:
    """A percentage rounded down, with one decimal unless it is zero."""
    tenths = int(share * 1000 + 1e-9)
    return f"{tenths // 10}%" if tenths % 10 == 0 else f"{tenths / 10:.1f}%"


def _format_file_place(statement: CheckedStatement) -> str:
    claimed = statement.claimed
    page = claimed.page_label or (str(claimed.page) if claimed.page else None)
    parts = [
        _format_line(claimed.line),
        f"p. {page}" if page else None,
        claimed.section,
    ]
    place = ", ".join(part for part in parts if part)
    return f" — {place}" if place else ""


def _format_line(line: int | None) -> str:
    return str(Message("verification-line", line=str(line))) if line else ""


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
