"""The sets that the experiments run on, each as files of a project and questions with their places.

- ``spans`` (``chunking_eval``): three of its five files whole, of the two long ones the first
  50,000 characters, and the questions whose places lie in there: exact character spans.
  ``spans whole`` is all of it: for what needs no embedding.
- ``docs`` (``anthropic_docs``) and ``dutch`` (``nl_algoritmekader``): documents as text files,
  each with its title; a whole document answers.
- ``example``: the example project; a place is the block of the named page and section that
  holds the expected answer.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.own_questions import QUESTIONS
from bench.startup import EXAMPLE
from foundry.evaluation.dataset.beir import Dataset, read_dataset

LONGEST, KEPT = 200_000, 50_000
"""Characters of a file of ``spans``: of a longer one than the first, so many are kept."""

TITLED = {"docs": "anthropic_docs", "dutch": "nl_algoritmekader"}

Span = tuple[int, int]


@dataclass(frozen=True)
class Place:
    """Where an answer stands: spans of one source; all of it where ``spans`` is empty.

    ``page``, ``section`` and ``split_words`` find the spans of an example question in the stored blocks.
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
    """``write`` puts the files of the project under a folder; ``titles`` are given, path by path."""

    name: str
    questions: tuple[Asked, ...]
    files: dict[str, str] | None
    titles: Mapping[str, str] = field(default_factory=dict)

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
    if name in TITLED:
        return _titled(name, data / TITLED[name])
    return _spans(data / "chunking_eval", name, LONGEST if name == "spans" else None)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _spans(folder: Path, name: str, longest: int | None) -> Corpus:
    paths = sorted((folder / "files").iterdir())
    files = {f"sources/{path.name}": _opening(path, longest) for path in paths}
    asked = []
    for row in _rows(folder / "queries.jsonl"):
        path = f"sources/{row['doc']}.md"
        spans = tuple((int(start), int(end)) for start, end in row["spans"])
        if max(end for _, end in spans) <= len(files[path]):
            asked.append(Asked(row["id"], row["text"], row["doc"], (Place(path, spans),)))
    return Corpus(name, tuple(asked), files)


def _opening(path: Path, longest: int | None) -> str:
    with path.open(encoding="utf-8", newline="") as file:
        text = file.read()
    if longest is None or len(text) <= longest:
        return text
    return text[: text.rindex("\n", 0, KEPT) + 1]


def _titled(name: str, folder: Path) -> Corpus:
    """Documents as text files, their titles given; questions made from a title are left out."""
    dataset = read_dataset(folder)
    kinds = {row["id"]: row.get("kind", "") for row in _rows(folder / "queries.jsonl")}
    paths = {d.id: f"sources/{n:04d}.txt" for n, d in enumerate(dataset.documents, 1)}
    files = {paths[d.id]: d.text for d in dataset.documents}
    titles = {paths[d.id]: d.title for d in dataset.documents}
    wanted = {query for query, kind in kinds.items() if kind != "title"}
    return Corpus(name, _judged(dataset, paths, wanted, kinds), files, titles)


def _judged(
    dataset: Dataset, paths: Mapping[str, str], wanted: set[str], kinds: Mapping[str, str]
) -> tuple[Asked, ...]:
    """The wanted questions whose documents are all there."""
    found = []
    for query in dataset.queries:
        gold = [d for d, relevance in dataset.qrels.get(query.id, {}).items() if relevance > 0]
        if query.id in wanted and gold and all(document in paths for document in gold):
            places = tuple(Place(paths[document]) for document in gold)
            found.append(Asked(query.id, query.text, kinds.get(query.id, ""), places))
    return tuple(found)


def _example() -> Corpus:
    return Corpus("example", tuple(_own_questions()), None)


def _own_questions() -> Iterator[Asked]:
    for row in _rows(QUESTIONS):
        places: tuple[Place, ...] = ()
        if row["answerable"]:
            place = Place(
                row["source"],
                page=row.get("page"),
                section=row.get("section", ""),
                words=row["answer"],
            )
            places = (place, *(Place(path, words=row["answer"]) for path in row.get("also") or ()))
        yield Asked(row["id"], row["text"], row["kind"], places)
