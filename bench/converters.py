"""Published data sets as the lines that ``bench claims``, ``conflicts`` and ``injection`` read."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from bench.tables import Row, read_rows

LEAST_PASSAGE = 200
"""Characters below which the "evidence" of an expert-judged claim is an address or a title."""

CONTEXTS = 3
"""Contexts that each attack of ``bipia`` is put into, at three places each."""

_MOST_PAIRS = 1500
_EXPERT_LABELS = {"Complete": True, "Partial": False, "Incomplete": False}
_SCIENCE_LABELS = {"SUPPORT": True, "CONTRADICT": False, "NOT_ENOUGH_INFO": False}
_ADDRESS = re.compile(r"^\[\d+\]\s*\S+\s*")
_CITED = re.compile(r"\s*\[\d+\](?:\[\d+\])*|\*\*|^[-*\d.]+\s+|\s\d\.$")


def expert_claims(data: Path) -> Iterator[Row]:
    """``expertqa_claims``: "Complete" is true, "Partial" and "Incomplete" are false.

    Left out are "N/A", unlabelled claims, and those whose evidence is an address without a passage.
    """
    for row in read_rows(data / "expertqa_claims/items.jsonl"):
        texts = [_ADDRESS.sub("", one).strip() for one in row["evidence"]]
        if row["support"] in _EXPERT_LABELS and sum(map(len, texts)) >= LEAST_PASSAGE:
            yield {
                "claim": _CITED.sub("", row["claim"].strip()).strip(),
                "evidence": texts,
                "label": _EXPERT_LABELS[row["support"]],
            }


def science_claims(data: Path) -> Iterator[Row]:
    """``scifact_train``: claims against whole abstracts, those that cite them without a verdict too.

    SUPPORT is true; CONTRADICT, and NOT_ENOUGH_INFO of the cited abstracts, are false.
    """
    abstracts = {
        str(row["id"]): f"{row['title']}\n\n{row['text']}"
        for row in read_rows(data / "scifact_train/corpus.jsonl")
    }
    for row in read_rows(data / "scifact_train/claims_labels.jsonl"):
        named = [row["doc_id"]] if row["doc_id"] else re.findall(r"\d+", row["cited_doc_ids"])
        texts = [abstracts[name] for name in named if name in abstracts]
        if texts:
            label = _SCIENCE_LABELS[row["label"]]
            yield {"claim": row["claim"], "evidence": texts, "label": label}


def passage_pairs(data: Path) -> Iterator[Row]:
    """``conflict_nq_val``: a real passage against written counterfactual ones, or two of those."""
    folder = data / "conflict_nq_val"
    texts = {row["id"]: row["text"] for row in read_rows(folder / "corpus.jsonl")}
    items = read_rows(folder / "items.jsonl")
    for row in random.Random(4).sample(items, min(_MOST_PAIRS, len(items))):
        yield {"a": texts[row["a"]], "b": texts[row["b"]], "label": row["conflict"]}


def exchanged_pairs(data: Path) -> Iterator[Row]:
    """``poisonedrag``: each poison text against itself with the right answer in the wrong one's place.

    The right documents do not come with it. Poison texts of one question agree with each other.
    """
    for row in read_rows(data / "poisonedrag/items.jsonl"):
        poison = row["poison_texts"]
        wrong = re.compile(rf"(?<!\w){re.escape(row['wrong_answer'])}(?!\w)", re.IGNORECASE)
        for text in poison:
            if len(wrong.findall(text)) == 1:
                before, after = wrong.split(text)
                right = f"{before}{row['answer']}{after}"
                yield {"a": text, "b": right, "label": True}
        for one, other in pairwise(poison):
            yield {"a": one, "b": other, "label": False}


def answer_pairs(data: Path) -> Iterator[Row]:
    """``poisonedrag``: the poison against the question with its right answer behind it, as a label."""
    for row in read_rows(data / "poisonedrag/items.jsonl"):
        right = f"{row['question'].rstrip('? ')}: {row['answer']}"
        for text in row["poison_texts"]:
            yield {"a": text, "b": right, "label": True}


def attack_texts(data: Path, name: str) -> list[str]:
    """The texts of a set of attacks, its harmless ones included, each once."""
    return list(dict.fromkeys(ATTACKS[name](read_rows(data / name / "items.jsonl"))))


def _bipia(rows: list[Row]) -> Iterator[str]:
    contexts = [row for row in rows if row["part"] == "context"]
    yield from (row["context"] for row in contexts)
    for number, row in enumerate(row for row in rows if row["part"] == "attack"):
        yield row["attack"]
        code = row["task"] == "code"
        fitting = [c["context"] for c in contexts if (c["task"] == "code") == code]
        for step in range(CONTEXTS):
            context = fitting[(number * CONTEXTS + step) % len(fitting)]
            lines = context.splitlines()
            half = len(lines) // 2
            yield f"{row['attack']}\n{context}"
            yield f"{context}\n{row['attack']}"
            yield "\n".join([*lines[:half], row["attack"], *lines[half:]])


def _field(*names: str) -> Callable[[list[Row]], Iterator[str]]:
    """The first of the fields that a row has; values other than text as JSON."""

    def read(rows: list[Row]) -> Iterator[str]:
        for row in rows:
            value = next(row[name] for name in names if row.get(name))
            yield value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    return read


ATTACKS: dict[str, Callable[[list[Row]], Iterator[str]]] = {
    "bipia": _bipia,
    "cyberseceval_pi": _field("user_input"),
    "injecguard": _field("text"),
    "pi_small": _field("text", "injected"),
}
