"""A verified text for a reader, and as the documented JSON.

What has a fault stands first, each with what the sources say; marks are words and
signs, never colour alone. Shows what the records say and computes nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from foundry.records import CheckedStatement, ClaimVerdict, Hit, Quote, Verification
from foundry.render.places import describe_place, format_time, quote_as_dict, revision_as_dict

SIGNS: dict[ClaimVerdict, str] = {
    "supported": "✓",
    "misattributed": "≠",
    "partly": "~",
    "unsupported": "✗",
}
_LABELS = {"partly": "partly supported"}
_MAX_WORDS = 400


def render_verification(verification: Verification, *, verbose: bool = False) -> str:
    """Faults first, then what is supported (each one with ``verbose``), what was skipped, the sum."""
    if not verification.statements:
        return "\n".join(
            [
                f"Nothing to check: there is no statement in {verification.file}.",
                *_render_skipped(verification, verbose=True),
            ]
        )
    faults = [one for one in verification.statements if one.check.verdict != "supported"]
    good = [one for one in verification.statements if one.check.verdict == "supported"]
    lines: list[str] = []
    for one in faults:
        lines += [*_render_fault(one), ""]
    if verbose:
        for one in good:
            lines += [*_render_supported(one), ""]
    lines += _render_skipped(verification, verbose=verbose)
    gap = [""] if verbose and verification.skipped else []
    return "\n".join([*lines, *gap, *_render_summary(verification, verbose=verbose)])


def _render_fault(one: CheckedStatement) -> list[str]:
    check = one.check
    verdict = _LABELS.get(check.verdict, check.verdict)
    lines = [
        f"{SIGNS[check.verdict]} {verdict}{_format_file_place(one)}",
        f"  {_cut(check.sentence)}",
    ]
    if check.verdict != "misattributed" and check.citations:
        lines.append(f"  cites: {', '.join(check.citations)}")
    lines.append(f"  why: {check.reason}")
    if check.differs:
        lines.append(f"  source says: {check.differs}")
    if one.hit:
        found = "found in" if check.verdict == "misattributed" else "nearest"
        lines.append(f"  {found}: {_format_place(one)}")
        lines += [f"    “{_cut(quote.text)}”" for quote in check.quotes[:2]]
    return lines


def _render_supported(one: CheckedStatement) -> list[str]:
    lines = [
        f"{SIGNS['supported']} supported{_format_file_place(one)}",
        f"  {_cut(one.check.sentence)}",
    ]
    if one.hit:
        lines.append(f"  {_format_place(one)}")
        lines += [f"    “{_cut(quote.text)}”" for quote in one.check.quotes[:2]]
    return lines


def _render_skipped(verification: Verification, *, verbose: bool) -> list[str]:
    if not verification.skipped:
        return []
    counts = Counter(skipped.reason for skipped in verification.skipped)
    told = ", ".join(f"{count} × {reason}" for reason, count in counts.most_common())
    lines = [f"Not checked: {told}."]
    if verbose:
        lines += [
            f"  {f'line {skipped.line}, ' if skipped.line else ''}{skipped.reason}: {skipped.text}"
            for skipped in verification.skipped
        ]
    return lines


def _render_summary(verification: Verification, *, verbose: bool) -> list[str]:
    counts = verification.counts
    told = ", ".join(
        f"{SIGNS[verdict]} {counts[verdict]} {_LABELS.get(verdict, verdict)}"
        for verdict in SIGNS
        if counts[verdict]
    )
    total = len(verification.statements)
    least = _format_percent(verification.min_attribution)
    coverage = _format_percent(verification.coverage or 0.0)
    end = (
        f"Coverage {coverage}: enough (validation.min_attribution is {least})."
        if verification.passed
        else f"Coverage {coverage}: too little; validation.min_attribution asks for {least}."
    )
    noun = "statement" if total == 1 else "statements"
    more = "" if verbose or not counts["supported"] else " (-v shows each with its source)"
    return [f"{verification.file}: {total} {noun}: {told}{more}.", end]


def _format_percent(share: float) -> str:
    """Whole percents, with a decimal where rounding would hide a difference; never rounded up."""
    tenths = int(share * 1000 + 1e-9)
    return f"{tenths // 10}%" if tenths % 10 == 0 else f"{tenths / 10:.1f}%"


def _format_file_place(one: CheckedStatement) -> str:
    claimed = one.claimed
    page = claimed.page_label or (str(claimed.page) if claimed.page else None)
    parts = [
        f"line {claimed.line}" if claimed.line else None,
        f"p. {page}" if page else None,
        claimed.section,
    ]
    told = ", ".join(part for part in parts if part)
    return f" — {told}" if told else ""


def _format_place(one: CheckedStatement) -> str:
    assert one.hit
    place = _describe_spot(one)
    return f"{one.hit.source.path}, {place}" if place else one.hit.source.path


def _describe_spot(one: CheckedStatement) -> str:
    quote = _find_shown_quote(one)
    if quote:
        return describe_place(quote)
    return describe_place(one.hit.focus) if one.hit else ""


def _find_shown_quote(one: CheckedStatement) -> Quote | None:
    """The first quote from the passage that is shown."""
    own = one.hit.chunk.id if one.hit else None
    return next((quote for quote in one.check.quotes if quote.evidence_id == own), None)


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _MAX_WORDS else f"{words[: _MAX_WORDS - 1]}…"


def verification_as_dict(verification: Verification) -> dict[str, Any]:
    """The JSON of ``foundry verify``. Offsets of quotes are code points in the source text."""
    coverage = verification.coverage
    return {
        "file": verification.file,
        "language": verification.language,
        "coverage": None if coverage is None else round(coverage, 4),
        "min_attribution": verification.min_attribution,
        "passed": verification.passed,
        "counts": dict(verification.counts),
        "statements": [_statement_as_dict(one) for one in verification.statements],
        "skipped": [
            {"text": skipped.text, "reason": skipped.reason, "line": skipped.line}
            for skipped in verification.skipped
        ],
        "timings_ms": dict(verification.timings_ms),
        "usage": asdict(verification.usage),
        "notices": list(verification.notices),
    }


def _statement_as_dict(one: CheckedStatement) -> dict[str, Any]:
    claimed, check, quote = one.claimed, one.check, _find_shown_quote(one)
    return {
        "text": check.sentence,
        "line": claimed.line,
        "page": claimed.page,
        "page_label": claimed.page_label,
        "section": claimed.section,
        "start": claimed.start,
        "end": claimed.end,
        "verdict": check.verdict,
        "score": round(check.score, 4),
        "reason": check.reason,
        "differs": check.differs,
        "cited": [
            {"mark": reference.mark, "words": reference.words, "source": reference.source}
            for reference in claimed.references
        ],
        "carried_by": list(check.carried_by),
        "source": _source_as_dict(one.hit, quote),
        "quote": quote.text if quote else None,
        "char_start": quote.start if quote else None,
        "char_end": quote.end if quote else None,
        "quotes": [_quote_as_dict(quote) for quote in check.quotes],
    }


def _source_as_dict(hit: Hit | None, quote: Quote | None) -> dict[str, Any] | None:
    if hit is None:
        return None
    place = quote or hit.focus
    return {
        "chunk_id": hit.chunk.id,
        "source": hit.source.path,
        "title": hit.source.title,
        **revision_as_dict(hit.source),
        "section": place.section,
        "page": place.page,
        "page_label": place.page_label,
        "time": format_time(place.time),
        "score": round(hit.relevance, 4),
    }


def _quote_as_dict(quote: Quote) -> dict[str, Any]:
    return {"chunk_id": quote.evidence_id, **quote_as_dict(quote)}
