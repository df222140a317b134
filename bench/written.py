"""What is found and what is refused of the written questions: ``python -m bench written --data DIR``.

``DIR/written`` has questions as people type them, with an answer in a passage or without one, and
``DIR/filings`` the quarterly reports. One project holds the reports as PDF, the example project's
own files, and every other document joined from its passages. A gold passage is found by its quote,
so the figures hold for whatever the reader and the chunker make of a document.

A question without an answer counts with the group of documents that its best hit is of. *First*,
*five*, *ten*: share of the answerable questions with a gold chunk among so many hits. *Marked*:
refused or of low confidence. The project is kept under ``bench/results/written``: a second run
embeds nothing but questions.
"""

from __future__ import annotations

import random
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.example import EXAMPLE, open_read
from bench.tables import read_rows, share, write_head, write_row
from foundry.evaluation.metrics.statistics import auroc
from foundry.journeys.search import Retrieval, retrieve
from foundry.records import Filters
from foundry.text.markdown import read_inline
from foundry.workspace import Workspace

PROJECT = Path("bench/results/written")
DEPTHS = (1, 5, 10)
GROUPS = {
    "20": "filings", "dmx": "example", "algo": "guidance", "don": "developer",
    "product": "product", "wiki": "encyclopedia", "nq": "encyclopedia",
}  # fmt: skip
"""Group by how a file's name begins."""

_NEARLY = 0.9
"""Share of a quote's words that a gold chunk has where none has it letter by letter (a guess)."""


@dataclass(frozen=True)
class WrittenQuestion:
    """``path``, ``quote`` and ``answer`` are empty without one; ``language`` is the question's."""

    id: str
    text: str
    language: str
    kind: str
    answerable: bool
    path: str
    quote: str
    answer: str = ""


@dataclass(frozen=True)
class Judged:
    """A question with its gold chunk's rank (0: not found, None: none is known) and the gate."""

    question: WrittenQuestion
    group: str
    rank: int | None
    score: float
    decision: str


def measure(data: Path, *, groups: Sequence[str] = (), sample: int | None = None) -> Iterator[str]:
    """The table by group and language, and by kind."""
    questions = load_questions(data)
    if sample is not None:
        questions = random.Random(5).sample(questions, min(sample, len(questions)))
    with open_project(data) as workspace:
        judged = list(judge(workspace, questions))
    judged = [one for one in judged if not groups or one.group in groups]
    yield from _table(judged)
    missing = sum(one.question.answerable and one.rank is None for one in judged)
    yield ""
    yield f"{len(judged)} questions; the quotes of {missing} are in no chunk."


def load_questions(data: Path) -> list[WrittenQuestion]:
    """The questions, with the file of the passage that answers each."""
    files = {one["id"]: one["file"] for one in read_rows(data / "written/passages.jsonl")}
    return [
        WrittenQuestion(
            one["id"], one["question"], one["language"], one["kind"], one["answerable"],
            files.get(one["chunk"], ""), one["quote"], one["answer"] or "",
        )
        for one in read_rows(data / "written/questions.jsonl")
    ]  # fmt: skip


def open_project(data: Path) -> Workspace:
    """The project of all documents, brought up to date."""
    root = PROJECT.resolve()
    sources = root / "sources"
    sources.mkdir(parents=True, exist_ok=True)
    config = "project: {id: prj_written}\ngeneration: {model: builtin/passages}\n"
    (root / "foundry.yaml").write_text(config, encoding="utf-8")
    for pdf in sorted((data / "filings/pdfs").glob("*.pdf")):
        _place(sources / pdf.name.replace("_", " "), pdf.read_bytes())
    if not (sources / "dmx").exists():
        shutil.copytree(EXAMPLE / "sources", sources / "dmx")
    for name, text in _join_documents(data).items():
        _place(root / name, text.encode())
    return open_read(root)


def _place(path: Path, content: bytes) -> None:
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)


def _join_documents(data: Path) -> dict[str, str]:
    """The text of each document that is only known by its passages."""
    parts: defaultdict[str, list[str]] = defaultdict(list)
    for one in read_rows(data / "written/passages.jsonl"):
        if find_group(one["file"]) not in ("filings", "example"):
            parts[one["file"]].append(one["text"])
    return {name: "\n\n".join(_drop_overlaps(texts)) + "\n" for name, texts in parts.items()}


def _drop_overlaps(texts: Sequence[str]) -> Iterator[str]:
    """Each passage without what it repeats of the end of the one before it."""
    before = ""
    for text in texts:
        shared = next((n for n in range(len(text), 0, -1) if before.endswith(text[:n])), 0)
        yield text[shared:].lstrip("\n")
        before = text


def find_group(path: str) -> str:
    """The group of documents that a source belongs to."""
    name = path.partition("/")[2]
    return next(group for start, group in GROUPS.items() if name.startswith(start))


def judge(workspace: Workspace, questions: Sequence[WrittenQuestion]) -> Iterator[Judged]:
    """Search for every question."""
    for question in questions:
        yield judge_retrieval(workspace, question, retrieve_written(workspace, question))


def retrieve_written(workspace: Workspace, question: WrittenQuestion) -> Retrieval:
    """What search and the gate make of a question."""
    return retrieve(workspace, question.text, Filters(), "hybrid", max(DEPTHS))


def judge_retrieval(workspace: Workspace, question: WrittenQuestion, found: Retrieval) -> Judged:
    """The rank of the gold chunk, and the gate's decision."""
    ids = [hit.chunk_id for hit in found.ranking[: max(DEPTHS)]]
    gold = find_gold(workspace, question) if question.answerable else frozenset()
    rank = next((n for n, one in enumerate(ids, start=1) if one in gold), 0) if gold else None
    path = question.path or (found.candidates[0].source.path if found.candidates else "")
    group = find_group(path) if path else "none"
    return Judged(question, group, rank, found.gate.score, found.gate.decision)


def find_gold(workspace: Workspace, question: WrittenQuestion) -> frozenset[str]:
    """The chunks with the quote of a question's answer; the nearest if a reader split its words."""
    source = workspace.store.find_source(question.path)
    chunks = workspace.store.source_chunks(source.id) if source else []
    quote = read_inline(question.quote)
    wanted = _squeeze(quote)
    exact = frozenset(chunk.id for chunk in chunks if wanted in _squeeze(chunk.content))
    words = set(_words(quote))
    if exact or not words or not chunks:
        return exact
    shares = {c.id: len(words & set(_words(c.content))) / len(words) for c in chunks}
    best = max(shares.values())
    return frozenset(one for one, share in shares.items() if share == best >= _NEARLY)


def has_words(text: str, quote: str) -> bool:
    """Whether a text has the words of a quote in order, or nearly all of a quote of four or more.

    Quotes were taken from files as they are written: marks and addresses of Markdown are no words.
    """
    quote = read_inline(quote)
    if _squeeze(quote) in _squeeze(text):
        return True
    words, own = set(_words(quote)), set(_words(text))
    return len(words) > 3 and len(words & own) >= _NEARLY * len(words)


def _squeeze(text: str) -> str:
    return "".join(_words(text))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _table(judged: Sequence[Judged]) -> Iterator[str]:
    yield from write_head(
        "questions", "with answer", "first", "five", "ten", "without", "AUROC", "false refusals",
        "refused", "marked",
    )  # fmt: skip
    yield _count("all", judged)
    for label in (_by_group, _by_language, lambda one: f"- {one.question.kind}"):
        parts: defaultdict[str, list[Judged]] = defaultdict(list)
        for one in judged:
            parts[label(one)].append(one)
        yield from (_count(name, part) for name, part in sorted(parts.items()))


def _by_group(one: Judged) -> str:
    return f"{one.group}, {_by_language(one)}"


def _by_language(one: Judged) -> str:
    return "across" if one.question.kind == "cross_language" else one.question.language


def _count(name: str, part: Sequence[Judged]) -> str:
    good = [one for one in part if one.question.answerable]
    bad = [one for one in part if not one.question.answerable]
    ranks = [one.rank for one in good if one.rank is not None]
    separated = auroc([one.score for one in part], [one.question.answerable for one in part])
    return write_row(
        name, len(good), *(share((0 < rank <= depth for rank in ranks), 2) for depth in DEPTHS),
        len(bad), "-" if separated is None else f"{separated:.3f}",
        share(one.decision == "no_evidence" for one in good),
        share(one.decision == "no_evidence" for one in bad),
        share(one.decision != "answer" for one in bad),
    )  # fmt: skip
