"""The sets that the experiments run on, each as files of a project and questions with their places.

- ``spans`` (``chunking_eval``): three of its five files whole, of the two long ones the first
  50,000 characters, and the questions whose places lie in there: exact character spans.
- ``dutch`` (``nl_algoritmekader``): the half of its documents whose id hashes even, read as
  Markdown with their titles; questions that are summaries or FAQ; a whole document answers.
- ``example``: the example project; a place is the block of the named page and section that
  holds the expected answer.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.own_questions import QUESTIONS
from bench.startup import EXAMPLE

LONGEST = 50_000
"""Characters of a file of ``spans``."""

Span = tuple[int, int]


@dataclass(frozen=True)
class Place:
    """Where an answer stands: spans of one source; all of it where ``spans`` is empty.

    ``page``, ``section`` and ``words`` find the spans of an example question in the stored blocks.
    """

    path: str
    spans: tuple[Span, ...] = ()
    page: int | None = None
    section: str = ""
    words: str = ""


@dataclass(frozen=True)
class Asked:
    id: str
    text: str
    kind: str
    places: tuple[Place, ...]

    @property
    def chosen_on(self) -> bool:
        """Whether the question belongs to the half on which variants are chosen."""
        return hashlib.sha256(self.id.encode()).digest()[0] % 2 == 0


@dataclass(frozen=True)
class Corpus:
    """``write`` puts the files of the project under a folder."""

    name: str
    questions: tuple[Asked, ...]
    files: dict[str, str] | None

    def write(self, root: Path) -> None:
        if self.files is None:
            shutil.copytree(EXAMPLE, root, dirs_exist_ok=True)
            return
        (root / "sources").mkdir(parents=True, exist_ok=True)
        (root / "foundry.yaml").write_text("project: {name: Experiment, id: experiment}\n")
        for path, text in self.files.items():
            (root / path).write_text(text, encoding="utf-8", newline="")


def load(name: str, data: Path | None) -> Corpus | None:
    """The set, or None where its data is not given."""
    if name == "example":
        return _example()
    if data is None:
        return None
    return _spans(data / "chunking_eval") if name == "spans" else _dutch(data / "nl_algoritmekader")


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _spans(folder: Path) -> Corpus:
    files = {f"sources/{path.name}": _opening(path) for path in sorted((folder / "files").iterdir())}
    asked = []
    for row in _rows(folder / "queries.jsonl"):
        path = f"sources/{row['doc']}.md"
        spans = tuple((int(start), int(end)) for start, end in row["spans"])
        if max(end for _, end in spans) <= len(files[path]):
            asked.append(Asked(row["id"], row["text"], row["doc"], (Place(path, spans),)))
    return Corpus("spans", tuple(asked), files)


def _opening(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:
        text = file.read()
    if len(text) <= LONGEST:
        return text
    return text[: text.rindex("\n", 0, LONGEST) + 1]


def _dutch(folder: Path) -> Corpus:
    kept = [row for row in _rows(folder / "corpus.jsonl") if _even(row["id"])]
    paths = {row["id"]: f"sources/{n:04d}.md" for n, row in enumerate(kept)}
    files = {paths[row["id"]]: f"---\ntitle: {json.dumps(row['title'])}\n---\n\n{row['text']}" for row in kept}
    gold: dict[str, list[str]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, _ = line.split("\t")
        gold.setdefault(query, []).append(document)
    asked = [
        Asked(row["id"], row["text"], row["kind"], tuple(Place(paths[d]) for d in gold[row["id"]]))
        for row in _rows(folder / "queries.jsonl")
        if row["kind"] != "title" and all(d in paths for d in gold[row["id"]])
    ]
    return Corpus("dutch", tuple(asked), files)


def _even(identity: str) -> bool:
    return hashlib.sha256(identity.encode()).digest()[0] % 2 == 0


def _example() -> Corpus:
    return Corpus("example", tuple(_own_questions()), None)


def _own_questions() -> Iterator[Asked]:
    for row in _rows(QUESTIONS):
        places = ()
        if row["answerable"]:
            place = Place(
                row["source"], page=row.get("page"), section=row.get("section", ""), words=row["answer"]
            )
            places = (place, *(Place(path, words=row["answer"]) for path in row.get("also") or ()))
        yield Asked(row["id"], row["text"], row["kind"], places)
