"""What the readers store of real pages, against what a person read there.

Cells with their labels (``cell_labels`` says when two are the same), sentences found whole inside
one block, titles, dates and headings of documents; beside other tools on the same PDF pages, if an
interpreter that has them is given with ``--tools``. Filings and forms count twice, the small DOCX,
HTML and ODF fixtures once. ``--only dev`` or ``held`` takes half of the files by a hash of their names,
and draws other tables.
"""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from bench.cell_labels import Scores, label_grid
from bench.generated_tables import write_tables
from bench.other_readers import TOOLS, Reply, run_tool
from bench.reading_scores import (
    DocumentScores,
    FileScores,
    Gold,
    ReadFile,
    describe_document,
    half_of,
    read_gold,
    score_file,
)
from foundry.ports import ReadOptions
from foundry.readers import read

WEIGHTS = {"filing": 2.0, "form": 2.0, "fixture": 1.0}


def read_with_foundry(path: Path) -> ReadFile:
    started = time.process_time()
    document = read(path, ReadOptions(name=path.name))
    seconds = time.process_time() - started
    found = describe_document(document)
    found.seconds = seconds
    return found


def measure(
    data: Path | None, *, only: str = "", tools: str = "", verbose: bool = False, generated: int = 4
) -> Iterator[str]:
    if generated:
        yield from _measure_generated(generated, only, tools, verbose=verbose)
        yield ""
    if data is None or not (data / "tables" / "tables.jsonl").exists():
        yield "Left out: give --data DIR, a folder with `tables/tables.jsonl` and the files it names."
        return
    golds = read_gold(data / "tables", only)
    seen = [(gold, read_with_foundry(data / gold.file)) for gold in golds]
    scored = [score_file(gold, found) for gold, found in seen]
    yield from show_cells("Foundry", scored)
    yield ""
    yield from _show_files(scored)
    yield ""
    yield from _show_documents({"Foundry": scored})
    pages, seconds = sum(f.pages for _, f in seen), sum(f.seconds for _, f in seen)
    yield ""
    yield f"{pages} pages in {seconds:.1f} s: {pages / seconds:.0f} a CPU second, all files of the set."
    yield ""
    yield from _compare(data, seen, tools)
    if verbose:
        yield ""
        for file in scored:
            yield from (f"- {fault}" for fault in file.faults)


def _measure_generated(count: int, only: str, tools: str, *, verbose: bool) -> Iterator[str]:
    yield f"Generated tables, {count} files of each format and kind:"
    yield ""
    with tempfile.TemporaryDirectory() as folder:
        golds = write_tables(Path(folder), count, seed=14 if only == "held" else 13)
        seen = [(gold, read_with_foundry(Path(gold.file))) for gold in golds]
        scored = [score_file(gold, found) for gold, found in seen]
        yield from show_cells("Foundry", scored)
        whole = sum(file.document.whole for file in scored)
        yield ""
        yield f"Sentences whole: {whole}/{sum(file.document.sentences for file in scored)}."
        yield ""
        if tools:
            yield from _compare(Path(), seen, tools)
    if verbose:
        yield from (f"- {fault}" for file in scored for fault in file.faults)


HEADER = (
    (
        "| reader | part | cells | found | row right | column right | wrong label "
        "| precision | recall | F1 | table title | unit |"
    ),
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
)


def show_cells(name: str, scored: Iterable[FileScores]) -> Iterator[str]:
    """Write the cells' table: a line for each kind, and one for all with the weights."""
    kinds: dict[str, Scores] = defaultdict(Scores)
    total, scored = Scores(), list(scored)
    for file in scored:
        kinds[file.gold.kind].add(file.cells)
        total.add(file.cells, WEIGHTS.get(file.gold.kind, 1.0))
    yield from HEADER
    for kind, scores in kinds.items():
        yield write_scores(name, kind, scores)
    yield write_scores(name, "**all, weighted**", total)


def write_scores(name: str, part: str, scores: Scores) -> str:
    found = max(scores.found, 1)
    columns = (
        f"{scores.cells:.0f}",
        f"{scores.found / max(scores.cells, 1):.3f}",
        f"{scores.rows / found:.3f}",
        f"{scores.columns / found:.3f}",
        f"{scores.wrong_share:.1%}",
        f"{scores.precision:.3f}",
        f"{scores.recall:.3f}",
        f"{scores.f1:.3f}",
        f"{scores.titles / max(scores.tables, 1):.2f}",
        f"{scores.units / max(scores.with_unit, 1):.2f}",
    )
    return f"| {name} | {part} | {' | '.join(columns)} |"


def _show_files(scored: Sequence[FileScores]) -> Iterator[str]:
    yield "| file | half | cells | found | right | wrong | F1 | sentences | headings P / R |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for file in scored:
        cells, said = file.cells, file.document
        yield (
            f"| {Path(file.gold.file).name} | {half_of(file.gold.file)} | {cells.cells:.0f} "
            f"| {cells.found:.0f} | {cells.right:.0f} | {cells.wrong:.0f} | {cells.f1:.2f} "
            f"| {said.whole}/{said.sentences} "
            f"| {said.headings_right}/{said.headings_read} / {said.headings_right}/{said.headings} |"
        )


def _show_documents(readers: Mapping[str, Sequence[FileScores]]) -> Iterator[str]:
    yield "| reader | sentences whole | titles | dates | headings precision | headings recall |"
    yield "|---|---|---|---|---|---|"
    for name, scored in readers.items():
        total = DocumentScores()
        for file in scored:
            total.add(file.document)
        precision = total.headings_right / max(total.headings_read, 1)
        recall = total.headings_right / max(total.headings, 1)
        yield (
            f"| {name} | {total.whole}/{total.sentences} ({total.whole / max(total.sentences, 1):.3f}) "
            f"| {total.titles_right}/{total.titles} | {total.dates_right}/{total.dates} "
            f"| {precision:.2f} | {recall:.2f} |"
        )


def _compare(data: Path, seen: Sequence[tuple[Gold, ReadFile]], python: str) -> Iterator[str]:
    """Other tools on the labelled PDF pages only; their pages a CPU second are over those pages."""
    seen = [(gold, found) for gold, found in seen if gold.file.endswith(".pdf")]
    if not seen:
        return
    yield "On the labelled pages of the PDF files, beside other tools:"
    yield ""
    yield from HEADER
    texts = {}
    own = {gold.file: found for gold, found in seen}
    readers: dict[str, Callable[[Gold], ReadFile]] = {"Foundry": lambda gold: own[gold.file]}
    for tool in TOOLS:
        asked = [(str(data / gold.file), gold.pages) for gold, _ in seen]
        reply = run_tool(tool, asked, python)
        if reply.reason:
            yield f"| {tool} | left out: {reply.reason} " + "| " * 10 + "|"
            continue
        readers[f"{tool} {reply.version}"] = partial(_describe_reply, data, reply)
    for name, get in readers.items():
        scored = [score_file(gold, get(gold)) for gold, _ in seen]
        total = Scores()
        for file in scored:
            total.add(file.cells, WEIGHTS.get(file.gold.kind, 1.0))
        if total.found:
            yield write_scores(name, "PDF, weighted", total)
        texts[name] = (
            sum(file.document.whole for file in scored),
            sum(get(gold).seconds for gold, _ in seen),
            sum(get(gold).pages for gold, _ in seen),
        )
    yield ""
    yield "| reader | sentences whole | pages | pages a CPU second |"
    yield "|---|---|---|---|"
    asked_for = sum(len(gold.sentences) for gold, _ in seen)
    for name, (whole, seconds, pages) in texts.items():
        said = f"{whole}/{asked_for}" if whole else "–"
        yield f"| {name} | {said} | {pages} | {pages / max(seconds, 1e-6):.1f} |"


def _describe_reply(data: Path, reply: Reply, gold: Gold) -> ReadFile:
    found = reply.files.get(str(data / gold.file), {})
    tables = [label_grid(table["rows"], table["page"]) for table in found.get("tables", ())]
    passages = [(page, text) for page, text in found.get("texts", ())]
    return ReadFile(tables, passages, pages=len(gold.pages), seconds=found.get("seconds", 0.0))
