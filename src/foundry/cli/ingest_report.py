"""An ingest's report: as JSON, and as lines that a person reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from foundry.cli.output import count
from foundry.records import FileReport, IngestReport, SourceStatus

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
        "seconds": round(report.seconds, 3),
        "notices": list(report.notices),
    }


def ingest_text(report: IngestReport, *, verbosity: int = 0) -> str:
    """One line a file, unchanged ones only counted; ``verbosity`` as in ``Call``."""
    lines = [line for file in report.files for line in _lines(file, verbosity)]
    if lines:
        lines.append("")
    lines.append(_total(report))
    lines += [f"Note: {notice}" for notice in report.notices]
    if not report.files:
        lines.append("Put files there and run `foundry ingest` again.")
    return "\n".join(lines)


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
