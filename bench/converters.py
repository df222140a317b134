"""Published data sets as the files that ``python -m bench claims``, ``conflicts`` and ``injection`` read.

``python -m bench.converters --data DIR --output DIR`` writes ``claims.jsonl``, ``conflicts.jsonl``
and ``injection.jsonl``; each line keeps the name of its set. The output is never put into the
repository.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.evidence import read_rows

Row = dict[str, Any]

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
                "set": "expertqa_claims",
                "group": f"expertqa:{row['question']}",
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
            found = {"claim": row["claim"], "evidence": texts, "label": label}
            yield {**found, "set": "scifact_train", "verdict": row["label"]}


def passage_pairs(data: Path) -> Iterator[Row]:
    """``conflict_nq_val``: a real passage against written counterfactual ones, or two of those."""
    folder = data / "conflict_nq_val"
    texts = {row["id"]: row["text"] for row in read_rows(folder / "corpus.jsonl")}
    items = read_rows(folder / "items.jsonl")
    for row in random.Random(4).sample(items, min(_MOST_PAIRS, len(items))):
        found = {"a": texts[row["a"]], "b": texts[row["b"]], "label": row["conflict"]}
        yield {**found, "set": "conflict_nq_val"}


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
                yield {"a": text, "b": right, "label": True, "set": "poisonedrag"}
        for one, other in pairwise(poison):
            yield {"a": one, "b": other, "label": False, "set": "poisonedrag"}


def answer_pairs(data: Path) -> Iterator[Row]:
    """``poisonedrag``: the poison against the question with its right answer behind it, as a label."""
    for row in read_rows(data / "poisonedrag/items.jsonl"):
        right = f"{row['question'].rstrip('? ')}: {row['answer']}"
        for text in row["poison_texts"]:
            yield {"a": text, "b": right, "label": True, "set": "poisonedrag, bare answers"}


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


def claims(data: Path) -> Iterator[Row]:
    """All labelled claims."""
    yield from expert_claims(data)
    yield from science_claims(data)


def conflicts(data: Path) -> Iterator[Row]:
    """All labelled pairs of texts."""
    yield from passage_pairs(data)
    yield from exchanged_pairs(data)


def injection(data: Path) -> Iterator[Row]:
    """All texts of attacks."""
    for name in ATTACKS:
        yield from ({"text": text, "set": name} for text in attack_texts(data, name))


CONVERTERS: dict[str, Callable[[Path], Iterable[Row]]] = {
    "claims": claims,
    "conflicts": conflicts,
    "injection": injection,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the data sets")
    parser.add_argument("--output", type=Path, required=True, help="folder for the files")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, read in CONVERTERS.items():
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in read(arguments.data)]
        path = arguments.output / f"{name}.jsonl"
        path.write_text("".join(lines), encoding="utf-8")
        print(f"{path}: {len(lines)} lines")


if __name__ == "__main__":
    main()
