"""Sentences that people wrote from a passage, with it, and the halves of judged claims."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bench.converters import Row
from bench.evidence import Passage, detokenise, make_evidence, read_rows, sentences
from foundry.records import Evidence


@dataclass(frozen=True)
class JudgedClaim:
    claim: str
    evidence: tuple[Evidence, ...]
    carried: bool
    group: str
    held_back: bool


def read_answers(data: Path) -> list[JudgedClaim]:
    """Sentences of the human-written answers of ``clapnq`` over the passage they were written from.

    All count as carried: people wrote them from that passage, and nobody judged them again.
    """
    texts = {str(row["id"]): row for row in read_rows(data / "clapnq/corpus.jsonl")}
    lines = (data / "clapnq/qrels.tsv").read_text(encoding="utf-8").splitlines()
    homes = {row[0]: row[1] for row in (line.split("\t") for line in lines) if row[1] in texts}
    found = []
    for query in read_rows(data / "clapnq/queries.jsonl"):
        home = texts.get(homes.get(str(query["id"]), ""))
        if home is None or not query["answerable"]:
            continue
        text, title = detokenise(home["text"]), home["title"]
        own = Passage(text, "en", f"clapnq:{title}", title)
        for sentence in sentences(detokenise(query["answer"])):
            evidence = (make_evidence(own),)
            found.append(JudgedClaim(sentence, evidence, True, own.group, own.held_back))
    return found


def is_held_back(row: Row) -> bool:
    """Whether a row of ``expertqa_claims`` is in the half that was not used for fitting."""
    return Passage("", "en", row["group"]).held_back
