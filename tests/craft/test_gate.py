"""The gate: its verdicts, its reasons, and what its score may depend on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foundry.analysis import query_terms
from foundry.config import BUILTIN_EMBEDDING
from foundry.craft.gate import Candidate, Question, judge, score_candidates
from foundry.records import ChannelHit, GateDecision
from tests.craft.making import make_hit

ASKED = "What is the rating of the input fuse?"
TEXT = "The input fuse is rated at 3.15 A slow. The cover is grey."


def question(text: str = ASKED, language: str = "en") -> Question:
    words = query_terms(text, {"en", "nl"})
    known = {"input": 1, "fuse": 1, "rate": 2}
    return Question(text, language, words, known, 10)


def candidate(cosine: float, rank: int = 1, text: str = TEXT, language: str = "en") -> Candidate:
    hit = make_hit(text, language=language)
    found = ChannelHit(hit.chunk.id, rank, cosine)
    return Candidate(hit.chunk, hit.source, 1 / (60 + rank), found, None, cosine)


def decide(
    *candidates: Candidate, min_chunks: int = 2, model: str | None = BUILTIN_EMBEDDING
) -> GateDecision:
    scored = score_candidates(question(), candidates, model=model)
    return judge(question(), scored, min_score=0.2, min_chunks=min_chunks)


def test_no_candidates_is_no_evidence_with_a_reason() -> None:
    decision = decide()
    assert (decision.decision, decision.score) == ("no_evidence", 0.0)
    assert decision.reasons


def test_a_near_passage_with_the_words_opens_the_gate() -> None:
    assert decide(candidate(0.92), min_chunks=1).decision == "answer"


def test_a_far_passage_without_the_words_closes_it() -> None:
    far = candidate(0.74, text="Bees find their way back by the sun.")
    assert decide(far).decision == "no_evidence"


def test_words_that_no_source_holds_are_named() -> None:
    words = query_terms("pension fund", {"en"})
    asked = Question("pension fund", "en", words, {}, 10)
    scored = score_candidates(asked, [], model=BUILTIN_EMBEDDING)
    decision = judge(asked, scored, min_score=0.2, min_chunks=2)
    assert decision.uncovered == ("pension", "fund")


def test_the_fused_score_changes_nothing() -> None:
    one = candidate(0.86)
    assert decide(one).score == decide(replace(one, fused=0.9)).score


@pytest.mark.parametrize("cosine", [0.75, 0.8, 0.85, 0.9])
def test_a_nearer_passage_never_scores_lower(cosine: float) -> None:
    assert decide(candidate(cosine + 0.02)).score >= decide(candidate(cosine)).score


def test_words_do_not_count_where_languages_differ() -> None:
    dutch = candidate(0.86, text="De zekering is 3,15 A traag.", language="nl")
    assert decide(dutch).signals["passage"] == 0.0


def test_unknown_vectors_are_judged_by_words_and_said_so() -> None:
    decision = decide(candidate(0.3), model="openai/unknown")
    assert not decision.calibrated
    assert any("no constants" in reason for reason in decision.reasons)
