"""An ingest's report: as JSON, and as lines that a person reads."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import Any

from foundry.cli.output import count
from foundry.records import Annotated, FileReport, IngestReport, SourceStatus

ORDER: tuple[SourceStatus, ...] = ("added", "updated", "removed", "unchanged", "failed")


def ingest_as_dict(report: IngestReport) -> dict[str, Any]:
    """The document of ``ingest --json``; a file's warnings stand in its reason."""
    return {
        "sources": [
            {
                "path": file.path,
                "status": file.status,
                "reason": " ".join((file.reason or "", *file.warnings)).strip() or None,
                "pages": file.pages,
                "chunks": file.chunks,
            }
            for file in report.files
        ],
        "embedded": report.embedded,
        "pending": report.pending,
        "annotated": _annotated_as_dict(report.annotated) if report.annotated else None,
        "seconds": round(report.seconds, 3),
        "notices": list(report.notices),
    }


def _annotated_as_dict(annotated: Annotated) -> dict[str, Any]:
    return {
        "prefixes": annotated.prefixes,
        "prefixes_missing": annotated.prefixes_missing,
        "summaries": annotated.summaries,
        "summaries_missing": annotated.summaries_missing,
        "allowed": annotated.allowed,
        "estimate": {
            "models": list(annotated.estimate.models),
            "calls": annotated.estimate.calls,
            "prompt_tokens": annotated.estimate.prompt_tokens,
            "completion_tokens": annotated.estimate.completion_tokens,
            "cost": annotated.estimate.cost,
        },
        "usage": dataclasses.asdict(annotated.usage),
    }


def ingest_text(report: IngestReport, *, verbosity: int = 0) -> str:
    """One line a file, unchanged ones only counted; ``verbosity`` as in ``Call``."""
    lines = [line for file in report.files for line in _lines(file, verbosity)]
    if lines:
        lines.append("")
    lines.append(_total(report))
    if report.annotated and report.annotated.estimate.calls:
        lines.append(_written(report.annotated))
    lines += [f"Note: {notice}" for notice in report.notices]
    if not report.files:
        lines.append("Put files there and run `foundry ingest` again.")
    return "\n".join(lines)


def price(cost: float | None) -> str:
    """US dollars as a person reads them; less than a cent is not rounded to nothing."""
    if cost is None:
        return "cost unknown"
    return f"${cost:,.2f}" if cost >= 0.01 or not cost else f"${cost:.1g}"


def _written(annotated: Annotated) -> str:
    usage = annotated.usage
    made = f"{count(annotated.prefixes, 'prefix', 'prefixes')} and "
    made += f"{count(annotated.summaries, 'summary', 'summaries')} written"
    tokens = count(usage.prompt_tokens + usage.completion_tokens, "token")
    return f"{made}: {count(usage.calls, 'model call')}, {tokens}, {price(usage.cost)}."


def _lines(file: FileReport, verbosity: int) -> Iterator[str]:
    if verbosity < 0 and file.status != "failed":
        return
    plainly_unchanged = file.status == "unchanged" and not file.reason
    if plainly_unchanged and verbosity < 1:
        return
    yield f"{file.status:<10} {file.path}{_size(file)}"
    if file.reason:
        yield f"{'':<10}   {file.reason}"
    if verbosity >= 0:
        for warning in file.warnings:
            yield f"{'':<10}   Warning: {warning}"


def _size(file: FileReport) -> str:
    counts = []
    if file.pages:
        counts.append(count(file.pages, "page"))
    if file.chunks:
        counts.append(count(file.chunks, "chunk"))
    return f"  ({', '.join(counts)})" if counts else ""


def _total(report: IngestReport) -> str:
    counts = Counter(file.status for file in report.files)
    if not counts:
        return "No files were found."
    listed = ", ".join(f"{counts[status]} {status}" for status in ORDER if counts[status])
    line = f"{count(len(report.files), 'file')}: {listed}."
    line += f" {count(report.embedded, 'chunk')} embedded, {report.pending} pending,"
    return f"{line} in {report.seconds:.1f} s."
