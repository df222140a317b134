"""Labelled claims: does the verifier tell what the evidence carries from what it does not?

ExpertQA's claims were judged by experts; those of one question stay in one half: the first half is
for fitting, the figures are from the second. SciFact's are held against whole abstracts, and
nothing was fitted to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.converters import Row, expert_claims, science_claims
from bench.evidence import Passage, make_evidence, read_rows, sentences, untokenised
from foundry.craft.grounding import verify_statement
from foundry.evaluation.labelled.claims import (
    ClaimFigures,
    measure_findings,
    read_claim,
    verify_claims,
)
from foundry.records import Evidence


@dataclass(frozen=True)
class Judged:
    claim: str
    evidence: tuple[Evidence, ...]
    carried: bool
    group: str
    held_back: bool


def read_claims(data: Path) -> list[Judged]:
    found = []
    for row in expert_claims(data):
        passages = [Passage(text, "en", row["group"]) for text in row["evidence"]]
        evidence = tuple(make_evidence(p, f"S{n}") for n, p in enumerate(passages, 1) if p.text)
        held_back = _is_held_back(row)
        found.append(Judged(row["claim"], evidence, row["label"], row["group"], held_back))
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
    yield "| claims | n | carried | balanced accuracy | precision | recall | AUROC | objections |"
    yield "|---|---|---|---|---|---|---|---|"
    measured = _measured(row for row in expert_claims(data) if _is_held_back(row))
    yield _row("ExpertQA, held back", measured)
    yield _row("SciFact, whole abstracts", _measured(science_claims(data)))
    yield ""
    yield (
        f"Of {measured.hard} hard objections {measured.hard_true} were to claims that the experts "
        "call carried."
    )
    answers = [one for one in read_answers(data) if one.held_back]
    checked = [verify_statement(one.claim, one.evidence, "en") for one in answers]
    kept, hard = sum(f.supported for f in checked), sum(f.hard for f in checked)
    yield ""
    yield (
        f"Of {len(answers)} sentences of human-written answers (`clapnq`) {kept} are supported by "
        f"the passage that they were written from, to {hard} something is objected."
    )
    yield ""
    yield from _reliability(measured)


def _is_held_back(row: Row) -> bool:
    return Passage("", "en", row["group"]).held_back


def _measured(rows: Iterable[Row]) -> ClaimFigures:
    """What ``foundry eval claims`` makes of these lines."""
    claims = [read_claim(row) for row in rows]
    return measure_findings(verify_claims(claims), [claim.label for claim in claims])


def _row(name: str, figures: ClaimFigures) -> str:
    shares = (figures.balanced_accuracy, figures.precision, figures.recall, figures.auroc)
    cells = ["–" if share is None else f"{share:.3f}" for share in shares]
    return f"| {name} | {figures.n} | {figures.true} | {' | '.join(cells)} | {figures.hard} |"


def _reliability(figures: ClaimFigures) -> Iterator[str]:
    """ExpertQA's claims by their score: how many, mean score, share that is true."""
    yield "| score | n | mean score | true |"
    yield "|---|---|---|---|"
    for one in figures.reliability:
        yield f"| {one.low:.1f}–{one.high:.1f} | {one.n} | {one.mean:.2f} | {one.true:.2f} |"
