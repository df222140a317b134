"""The report of a verified text.

What the sources contradict comes first, then what a reader has to decide, each with what the sources
say. Verdicts are words and signs, never colour alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from foundry.messages import Message
from foundry.records import (
    CheckedStatement,
    ClaimCheck,
    ClaimVerdict,
    Excerpt,
    ExcerptLine,
    Quote,
    Verification,
)
from foundry.render.excerpts import NEAREST, find_nearest_quotes, mark_shared
from foundry.render.places import (
    format_location,
    note_reading,
)

SIGNS: dict[ClaimVerdict, str] = {
    "contradicted": "✗",
    "unsupported": "✗",
    "misattributed": "≠",
    "partly": "~",
    "unclear": "?",
    "exact": "✓",
    "supported": "✓",
}
"""In the order of the report, the worst first."""
PASSED = frozenset({"exact", "supported"})
"""Verdicts of what the sources say, by rule or by a judge."""
_SEE_MORE = Message("verification-see-more")
_MAX_TEXT = 400
"""Characters of a statement or quote: five lines of a terminal; --json has all of it."""


def render_verification(
    verification: Verification,
    *,
    verbose: bool = False,
    see_more: Message = _SEE_MORE,
) -> str:
    """Problems first, then what passed (if ``verbose``), skipped text and a summary.

    ``see_more`` says how to see what passed.
    """
    if not verification.statements:
        return "\n".join(
            [
                str(Message("verification-nothing", file=verification.file)),
                *_render_skipped(verification, verbose=True),
            ]
        )
    lines: list[str] = []
    for verdict in SIGNS:
        if verbose or verdict not in PASSED:
            lines += _render_all(verification.statements, verdict, verbose=verbose)
    lines += _render_skipped(verification, verbose=verbose)
    gap = [""] if verbose and verification.skipped else []
    hides = not verbose and any(verification.counts[verdict] for verdict in PASSED)
    summary = render_summary(verification, see_more if hides else None)
    return "\n".join([*lines, *gap, *summary])


def _render_all(
    statements: Sequence[CheckedStatement], verdict: ClaimVerdict, *, verbose: bool
) -> Iterator[str]:
    found = [item for item in statements if item.check.verdict == verdict]
    for item in sorted(found, key=_rank) if verdict == "unclear" else found:
        yield from render_statement(item, verbose=verbose)
        yield ""


def _rank(statement: CheckedStatement) -> tuple[bool, float]:
    """The riskiest first: those with a figure that the nearest passage lacks, then the farthest."""
    check = statement.check
    lacks_figure = any(char.isdigit() for words in check.missing for char in words)
    return not lacks_figure, len(check.shared) / (len(check.shared) + len(check.missing) or 1)


def render_statement(statement: CheckedStatement, *, verbose: bool = False) -> list[str]:
    """A statement with its verdict, and what the sources say."""
    head = f"{name_verdict(statement.check.verdict)}{_format_file_place(statement)}"
    lines = [head, f"  {_cut(statement.check.sentence)}"]
    if statement.check.verdict in PASSED:
        return [*lines, *_render_passed(statement)]
    if statement.check.verdict == "unclear":
        return [*lines, *_render_open(statement, verbose=verbose)]
    return [*lines, *_render_problem(statement)]


def explain_verdict(statement: CheckedStatement) -> list[str]:
    """Why a statement has its verdict, what the source says instead, and what no passage has."""
    check = statement.check
    lines = [str(Message("verification-why", reason=check.reason))]
    if check.differs and check.differs not in str(check.reason):
        lines.append(str(Message("verification-differs", text=check.differs)))
    if check.verdict == "unclear" and check.missing:
        lines.append(str(Message("verification-missing", words=check.missing)))
    return lines


def list_nearest(statement: CheckedStatement) -> list[tuple[str, Quote]]:
    """The path and the exact words of each passage to compare a statement with, nearest first."""
    hit = statement.hit
    if statement.nearest:
        excerpts = [(one.evidence.hit, find_nearest_quotes(one.lines)) for one in statement.nearest]
        return [(found.source.path, quotes[0]) for found, quotes in excerpts if quotes]
    quotes = [
        quote for quote in statement.check.quotes if hit and quote.evidence_id == hit.chunk.id
    ]
    return [(hit.source.path, quote) for quote in quotes[:2]] if hit else []


def _render_open(statement: CheckedStatement, *, verbose: bool) -> Iterator[str]:
    """What its nearest sentence has and lacks, then the passages to read."""
    check = statement.check
    yield from _render_cited(check)
    yield f"  {Message('verification-why', reason=check.reason)}"
    if check.missing:
        yield f"  {Message('verification-missing', words=check.missing)}"
    if check.shared:
        yield f"  {Message('verification-shared', words=check.shared)}"
    for excerpt in statement.nearest:
        yield from _render_excerpt(excerpt, check, verbose=verbose)
    if not statement.nearest:
        yield from _render_nearest(statement, "verification-nearest")


def _render_excerpt(excerpt: Excerpt, check: ClaimCheck, *, verbose: bool) -> Iterator[str]:
    """The line nearest to the statement with shared words between asterisks, or ``verbose`` all."""
    quotes = find_nearest_quotes(excerpt.lines)
    hit = excerpt.evidence.hit
    place = format_location(hit.source.path, quotes[0] if quotes else hit.focus)
    yield f"  {Message('verification-nearest', place=place)}"
    nearest = excerpt.nearest
    for line in excerpt.lines if verbose or nearest is None else (nearest,):
        mark = f"{NEAREST} " if line.nearest and verbose else ""
        yield f"    {mark}“{_mark_shared(line, check, hit.chunk.language)}”"
    yield from (f"    ({note})" for note in note_reading(quotes))


def _mark_shared(line: ExcerptLine, check: ClaimCheck, language: str) -> str:
    if not line.nearest:
        return _cut(line.text)
    parts = mark_shared(_cut(line.text), check.shared, language)
    return "".join(f"*{part.text}*" if part.marked else part.text for part in parts)


def _render_problem(statement: CheckedStatement) -> Iterator[str]:
    check = statement.check
    elsewhere = check.verdict == "misattributed"
    if not elsewhere:
        yield from _render_cited(check)
    yield f"  {Message('verification-why', reason=check.reason)}"
    if check.differs and check.differs not in str(check.reason):
        yield f"  {Message('verification-differs', text=check.differs)}"
    yield from _render_nearest(
        statement, "verification-found-in" if elsewhere else "verification-nearest"
    )


def _render_cited(check: ClaimCheck) -> Iterator[str]:
    if check.citations:
        yield f"  {Message('verification-cites', citations=check.citations)}"


def _render_nearest(statement: CheckedStatement, code: str) -> Iterator[str]:
    if statement.hit:
        yield f"  {Message(code, place=_format_place(statement))}"
        yield from _render_quotes(statement.check.quotes[:2])


def _render_quotes(quotes: Sequence[Quote]) -> list[str]:
    notes = [f"    ({note})" for note in note_reading(quotes)]
    return [*(f"    “{_cut(quote.text)}”" for quote in quotes), *notes]


def _render_passed(statement: CheckedStatement) -> Iterator[str]:
    if statement.check.computed:
        yield f"  {statement.check.reason}"
    if statement.hit:
        yield f"  {_format_place(statement)}"
        yield from _render_quotes(statement.check.quotes[:2])


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


def render_summary(verification: Verification, see_more: Message | None = None) -> list[str]:
    """How many statements have each verdict, and whether the coverage is sufficient."""
    counts = verification.counts
    summary = Message(
        "verification-summary",
        file=verification.file,
        total=len(verification.statements),
        parts=[name_verdict(verdict, counts[verdict]) for verdict in SIGNS if counts[verdict]],
    )
    more = f" {see_more}" if see_more else ""
    end = Message(
        "verification-coverage" if verification.passed else "verification-coverage-low",
        coverage=_format_percent(verification.coverage or 0.0),
        exact=_format_percent(verification.exact or 0.0),
        judged=_format_percent(verification.judged or 0.0),
        least=_format_percent(verification.min_attribution),
    )
    return [f"{summary}{more}.", str(end)]


def name_verdict(verdict: ClaimVerdict, count: int | None = None) -> str:
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
