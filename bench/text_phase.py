"""Pages per second of reading PDFs: plain text extraction, and the product.

All in one run on the same files, with CPU seconds for machines that have other work. The product's figure covers everything up to committed,
searchable text: parsing in worker processes, sections, chunks, summaries, BM25 rows.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pypdfium2

from bench.generate import write_manual
from foundry.journeys.source_files import read_sources, start_tally
from foundry.ports import ReadOptions
from foundry.readers.pdf.reader import read_pdf
from foundry.workspace import open_workspace

REPEATS = 3


def measure(data: Path | None) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        generated = Path(folder) / "manual.pdf"
        write_manual(generated, pages=200)
        yield from _table("200 generated pages, one file", [generated])
    if data is None:
        yield "Real PDFs were left out: give --data DIR."
        return
    yield from _table("real PDFs", _readable(sorted((data / "docs").rglob("*.pdf"))))


def _readable(paths: Sequence[Path]) -> list[Path]:
    kept = []
    for path in paths:
        try:
            read_pdf(path, ReadOptions(name=path.name))
            pypdfium2.PdfDocument(path).close()
        except Exception:  # noqa: BLE001 - damaged files would be timed by how they fail
            continue
        kept.append(path)
    return kept


def _table(title: str, paths: Sequence[Path]) -> Iterator[str]:
    pages = sum(len(pypdfium2.PdfDocument(path)) for path in paths)
    yield f"{title}: {len(paths)} files, {pages} pages; best of {REPEATS}"
    yield ""
    yield "| what | pages/s | pages per CPU second | of plain extraction |"
    yield "|---|---|---|---|"
    ways: dict[str, Callable[[Sequence[Path]], None]] = {
        "pypdfium2, plain text": _plain,
        "product: one reader, in process": _reader,
        "product: text phase of an ingest": _text_phase,
    }
    spent: dict[str, tuple[float, float]] = {}
    for name, way in ways.items():
        both = [_time(way, paths) for _ in range(REPEATS)]
        spent[name] = min(wall for wall, _ in both), min(cpu for _, cpu in both)
    plain = spent["pypdfium2, plain text"][1]
    for name, (wall, cpu) in spent.items():
        yield f"| {name} | {pages / wall:.0f} | {pages / cpu:.0f} | {plain / cpu:.2f} |"
    yield ""


def _time(way: Callable[[Sequence[Path]], None], paths: Sequence[Path]) -> tuple[float, float]:
    """Return the seconds, and the CPU seconds of this process and its ended children."""
    started, before = time.perf_counter(), sum(os.times()[:4])
    way(paths)
    return time.perf_counter() - started, sum(os.times()[:4]) - before


def _plain(paths: Sequence[Path]) -> None:
    for path in paths:
        document = pypdfium2.PdfDocument(path)
        for page in document:
            page.get_textpage().get_text_range()
        document.close()


def _reader(paths: Sequence[Path]) -> None:
    for path in paths:
        read_pdf(path, ReadOptions(name=path.name, ocr="off"))


def _text_phase(paths: Sequence[Path]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "foundry.yaml").write_text("ingest: {ocr: 'off'}\n")
        (root / "sources").mkdir()
        for number, path in enumerate(paths):
            (root / "sources" / f"{number:04d}.pdf").write_bytes(path.read_bytes())
        with open_workspace(root, environment={}, cwd=root) as workspace:
            read_sources(start_tally(workspace))
