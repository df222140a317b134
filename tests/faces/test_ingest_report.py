"""The report of an ingest."""

from __future__ import annotations

from foundry.cli.ingest import render_file, render_ingest_totals
from foundry.records import FileReport, IngestReport
from foundry.wire.projects import IngestJson

REPORT = IngestReport(
    files=(
        FileReport("sources/a.pdf", "added", None, 12, 30, ("1 page is scanned.",)),
        FileReport("sources/b.pdf", "failed", "The file is encrypted."),
        *(FileReport(f"sources/{number}.md", "unchanged", None, None, 2) for number in range(240)),
    ),
    embedded=30,
    pending=0,
    seconds=1.25,
    notices=("Left out 2 files of other types (.exe 2).",),
)


def render(report: IngestReport, verbosity: int = 0) -> str:
    lines = [line for file in report.files for line in render_file(file, verbosity)]
    return "\n".join([*lines, render_ingest_totals(report)])


def test_json_has_the_agreed_fields() -> None:
    document = IngestJson.from_record(REPORT).model_dump()
    assert {"sources", "embedded", "pending", "seconds"} <= set(document)
    assert set(document["sources"][0]) == {
        *("path", "status", "reason", "warnings", "pages", "chunks", "known")
    }


def test_a_file_has_what_is_noteworthy_or_why_it_failed() -> None:
    first, second, third, *_ = IngestJson.from_record(REPORT).sources
    assert (first.reason, [str(one) for one in first.warnings]) == (None, ["1 page is scanned."])
    assert (str(second.reason), second.warnings) == ("The file is encrypted.", [])
    assert (third.reason, third.warnings) == (None, [])


def test_unchanged_files_are_counted_and_not_listed() -> None:
    text = render(REPORT)
    assert "sources/7.md" not in text
    assert "242 files: 1 added, 240 unchanged, 1 failed. 30 chunks embedded, 0 pending" in text


def test_every_failed_file_is_listed_with_its_reason_even_when_quiet() -> None:
    text = render(REPORT, verbosity=-1)
    assert "sources/b.pdf" in text
    assert "The file is encrypted." in text
    assert "sources/a.pdf" not in text


def test_verbose_lists_unchanged_files_too() -> None:
    assert "sources/7.md" in render(REPORT, verbosity=1)


def test_warnings_and_notices_are_shown() -> None:
    text = render(REPORT)
    assert "Warning: 1 page is scanned." in text
    assert "Note: Left out 2 files" in text


def test_an_empty_folder_says_what_to_do() -> None:
    text = render(IngestReport((), 0, 0, 0.1))
    assert text.startswith("No files found.")
    assert "foundry ingest" in text


def test_a_failure_that_is_known_is_counted_and_not_listed() -> None:
    known = FileReport("sources/b.pdf", "failed", "The file is encrypted.", known=True)
    text = render(IngestReport((known,), 0, 0, 0.1))
    assert "1 file: 1 failed." in text
    assert "1 file failed as before; `foundry sources` lists why." in text
    assert "encrypted" not in text
    assert next(iter(render_file(known, listed=True))) == "failed     sources/b.pdf"
