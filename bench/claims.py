"""Expert-judged claims (``expertqa_claims``): does the verifier tell carried from not carried?

Labels: "Complete" is true; "Partial" and "Incomplete" are false; "N/A" and unlabelled claims
are left out, and so are claims whose evidence is a bare address without a passage. Claims of one
question stay in one half: the first half is for fitting, the figures are from the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from bench.evidence import Passage, make_evidence, read_rows, sentences, untokenised
from foundry.craft.grounding import Finding, verify_statement
from foundry.records import Evidence

LEAST_PASSAGE = 200
"""Characters below which the "evidence" is an address or a title."""

_LABELS = {"Complete": True, "Partial": False, "Incomplete": False}
_ADDRESS = re.compile(r"^\[\d+\]\s*\S+\s*")
_CITED = re.compile(r"\s*\[\d+\](?:\[\d+\])*|\*\*|^[-*\d.]+\s+|\s\d\.$")


@dataclass(frozen=True)
class Judged:
    claim: str
    evidence: tuple[Evidence, ...]
    carried: bool
    group: str
    held_back: bool


def read_claims(data: Path) -> list[Judged]:
    found = []
    for row in read_rows(data / "expertqa_claims/items.jsonl"):
        if row["support"] not in _LABELS:
            continue
        texts = [_ADDRESS.sub("", one).strip() for one in row["evidence"]]
        passages = [Passage(t, "en", f"expertqa:{row['question']}") for t in texts]
        evidence = [make_evidence(p, f"S{n}") for n, p in enumerate(passages, 1) if p.text]
        if sum(map(len, texts)) < LEAST_PASSAGE:
            continue
        claim = _CITED.sub("", row["claim"].strip()).strip()
        own = passages[0]
        label = _LABELS[row["support"]]
        found.append(Judged(claim, tuple(evidence), label, own.group, own.held_back))
    return found


def read_answers(data: Path) -> list[Judged]:
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
        text, title = untokenised(home["text"]), home["title"]
        own = Passage(text, "en", f"clapnq:{title}", title)
        for sentence in sentences(untokenised(query["answer"])):
            evidence = (make_evidence(own),)
            found.append(Judged(sentence, evidence, True, own.group, own.held_back))
    return found


def measure(data: Path | None) -> Iterator[str]:
    if data is None:
        yield "Left out: give --data DIR."
        return
    judged = [one for one in read_claims(data) if one.held_back]
    findings = [verify_statement(one.claim, one.evidence, "en") for one in judged]
    labels = [one.carried for one in judged]
    yield from figures(findings, labels)
    answers = [one for one in read_answers(data) if one.held_back]
    checked = [verify_statement(one.claim, one.evidence, "en") for one in answers]
    kept, hard = sum(f.supported for f in checked), sum(f.hard for f in checked)
    yield ""
    yield (
        f"Of {len(answers)} sentences of human-written answers (`clapnq`) {kept} are supported by "
        f"the passage that they were written from, to {hard} something is objected."
    )


def figures(findings: Sequence[Finding], labels: Sequence[bool]) -> Iterator[str]:
    said = [finding.supported for finding in findings]
    pairs = list(zip(said, labels, strict=True))
    right, kept = pairs.count((True, True)), sum(said)
    true, false = sum(labels), len(labels) - sum(labels)
    recall, refused = right / true, pairs.count((False, False)) / false
    yield "| claims | carried | balanced accuracy | precision | recall | AUROC | hard objections |"
    yield "|---|---|---|---|---|---|---|"
    yield (
        f"| {len(labels)} | {true} | {(recall + refused) / 2:.3f} | {right / max(1, kept):.3f} "
        f"| {recall:.3f} | {auroc([f.score for f in findings], labels):.3f} "
        f"| {sum(f.hard for f in findings)} |"
    )
    hard = [label for finding, label in zip(findings, labels, strict=True) if finding.hard]
    yield f"\nOf {len(hard)} hard objections {sum(hard)} were to claims that the experts call carried."
    yield ""
    yield from reliability([f.score for f in findings], labels)


def reliability(scores: Sequence[float], labels: Sequence[bool]) -> Iterator[str]:
    """Ten equal bins of the score: how many, mean score, share that is true."""
    yield "| score | n | mean score | true |"
    yield "|---|---|---|---|"
    for low in range(10):
        part = [
            (score, label)
            for score, label in zip(scores, labels, strict=True)
            if min(9, int(score * 10)) == low
        ]
        if part:
            mean = sum(score for score, _ in part) / len(part)
            true = sum(label for _, label in part) / len(part)
            yield f"| .{low}–{(low + 1) / 10:.1f} | {len(part)} | {mean:.2f} | {true:.2f} |"


def auroc(scores: Sequence[float], labels: Sequence[bool]) -> float:
    ranks = rankdata(scores)
    flags = np.array(labels)
    true = int(flags.sum())
    total = float(ranks[flags].sum()) - true * (true + 1) / 2
    return total / (true * (len(flags) - true))
