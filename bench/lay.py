"""Lay questions on a law: ``python -m bench lay --data DIR``.

``lay_questions.jsonl`` has 40 questions in a citizen's words, written, with the requirement that
answers each, before any was asked. Sources are the requirements of ``DIR/nl_algoritmekader``
(AI-verordening, AVG, Awb and others), a file each.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from foundry.journeys.ingest import ingest
from foundry.journeys.search import search
from foundry.workspace import Workspace, open_workspace

QUESTIONS = Path(__file__).with_name("lay_questions.jsonl")


def measure(data: Path | None) -> Iterator[str]:
    """One row: how many are refused, and how many have a right source among the first five."""
    if data is None:
        yield "Left out: give --data DIR"
        return
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder, _open(Path(folder), data) as workspace:
        found = [search(workspace, row["text"]) for row in rows]
    refused = sum(one.gate.decision == "no_evidence" for one in found)
    paths = [[Path(hit.source.path).name for hit in one.hits[:5]] for one in found]
    right = sum(
        any(path.startswith(tuple(row["gold"])) for path in each)
        for row, each in zip(rows, paths, strict=True)
    )
    yield "| questions | refused | right source among the first five |"
    yield "|---|---|---|"
    yield f"| {len(rows)} | {refused} | {right} |"


def _open(root: Path, data: Path) -> Workspace:
    (root / "sources").mkdir()
    (root / "foundry.yaml").write_text("project: {id: prj_lay}\n", encoding="utf-8")
    lines = (data / "nl_algoritmekader/corpus.jsonl").read_text(encoding="utf-8").splitlines()
    for row in map(json.loads, lines):
        _, found, name = row["id"].partition("/vereisten/")
        if found and name != "index":
            text = f"# {row['title']}\n\n{row['text']}\n"
            (root / "sources" / f"{name}.md").write_text(text, encoding="utf-8")
    workspace = open_workspace(root, environment={}, cwd=root)
    ingest(workspace)
    return workspace
