"""Lay questions on a law: ``python -m bench lay --data DIR``.

``lay_questions.jsonl`` has 40 questions in a citizen's words, written, with the requirement that
answers each, before any was asked. Sources are the requirements of ``DIR/nl_algoritmekader``
(AI-verordening, AVG, Awb and others), a file each.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.example import open_read
from bench.tables import read_rows, write_head, write_row
from foundry.journeys.search import search
from foundry.workspace import Workspace

QUESTIONS = Path(__file__).with_name("lay_questions.jsonl")


def measure(data: Path) -> Iterator[str]:
    """One row: how many are refused, and how many have a right source among the first five."""
    rows = read_rows(QUESTIONS)
    with tempfile.TemporaryDirectory() as folder, _open(Path(folder), data) as workspace:
        found = [search(workspace, one["text"]) for one in rows]
    refused = sum(one.gate.decision == "no_evidence" for one in found)
    paths = [[Path(hit.source.path).name for hit in one.hits[:5]] for one in found]
    right = sum(
        any(path.startswith(tuple(one["gold"])) for path in each)
        for one, each in zip(rows, paths, strict=True)
    )
    yield from write_head("questions", "refused", "right source among the first five")
    yield write_row(len(rows), refused, right)


def _open(root: Path, data: Path) -> Workspace:
    (root / "sources").mkdir()
    (root / "foundry.yaml").write_text("project: {id: prj_lay}\n", encoding="utf-8")
    for one in read_rows(data / "nl_algoritmekader/corpus.jsonl"):
        _, found, name = one["id"].partition("/vereisten/")
        if found and name != "index":
            text = f"# {one['title']}\n\n{one['text']}\n"
            (root / "sources" / f"{name}.md").write_text(text, encoding="utf-8")
    return open_read(root)
