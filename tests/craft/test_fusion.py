from __future__ import annotations

import pytest

from foundry.craft.fusion import (
    fuse,
    fuse_by_scores,
    fuse_hypothetical,
    fuse_reranked,
    join_rankings,
)
from foundry.records import RetrieverHit


def hits(*ids: str) -> list[RetrieverHit]:
    return [RetrieverHit(chunk_id, rank, 1 / rank) for rank, chunk_id in enumerate(ids, 1)]


def test_a_score_is_the_sum_of_reciprocal_ranks() -> None:
    (first,) = [found for found in fuse(hits("a", "b"), hits("b"), 60) if found.chunk_id == "b"]
    assert first.score == pytest.approx(1 / 62 + 1 / 61)
    assert (first.dense.rank, first.bm25.rank) == (2, 1)


def test_a_chunk_found_by_both_retrievers_outranks_one_found_by_either() -> None:
    assert fuse(hits("x", "b"), hits("y", "b"), 60)[0].chunk_id == "b"


def test_each_chunk_comes_once_with_its_better_rank() -> None:
    twice = [RetrieverHit("a", 2, 0.1), RetrieverHit("a", 1, 0.2), RetrieverHit("a", 3, 0.0)]
    (found,) = fuse(twice, [], 60)
    assert (found.dense.rank, found.bm25) == (1, None)


def test_ties_go_to_the_dense_retriever_and_then_to_the_lower_id() -> None:
    assert [f.chunk_id for f in fuse(hits("z"), hits("a"), 60)] == ["z", "a"]
    level = [RetrieverHit("b", 1, 0.5), RetrieverHit("a", 1, 0.5)]
    assert [f.chunk_id for f in fuse(level, [], 60)] == ["a", "b"]


def test_one_retriever_alone_keeps_its_order() -> None:
    assert [f.chunk_id for f in fuse([], hits("c", "a", "b"), 60)] == ["c", "a", "b"]
    assert fuse([], [], 60) == []


def test_a_chunk_in_another_language_takes_its_dense_rank_as_sparse_rank() -> None:
    dense, text = hits("far", "b", "a"), hits("a", "b")
    assert fuse(dense, text, 60)[-1].chunk_id == "far"
    assert fuse(dense, text, 60, {"far"})[0].score == pytest.approx(2 / 61)


def test_a_name_may_rank_a_chunk_in_another_language_better_than_its_vector() -> None:
    (found, _) = fuse(hits("b", "far"), hits("far"), 60, {"far"})
    assert found.score == pytest.approx(1 / 62 + 1 / 61)
    assert (found.dense.rank, found.bm25.rank) == (2, 1)


def test_languages_do_not_matter_without_sparse_hits() -> None:
    assert [f.chunk_id for f in fuse(hits("a", "far"), [], 60, {"far"})] == ["a", "far"]
    assert fuse_by_scores(hits("a", "far"), [], 1.0, {"far"})[0].chunk_id == "a"


def scored(**scores: float) -> list[RetrieverHit]:
    return [
        RetrieverHit(chunk, rank, score) for rank, (chunk, score) in enumerate(scores.items(), 1)
    ]


def test_an_outstanding_score_outweighs_a_rank() -> None:
    dense, text = scored(a=0.82, b=0.81, c=0.80), scored(b=30.0, a=4.0, c=3.9)
    assert fuse_by_scores(dense, text, 1.0)[0].chunk_id == "b"
    assert fuse(dense, text, 60)[0].chunk_id == "a"


def test_sparse_scores_count_as_far_as_they_cover_the_question() -> None:
    dense, text = scored(a=0.9, b=0.8), scored(b=9.0, a=3.0)
    assert [f.score for f in fuse_by_scores(dense, text, 0.5)] == pytest.approx([0.5, -0.5])


def test_a_chunk_missing_from_a_list_gets_its_lowest_score() -> None:
    found = {f.chunk_id: f for f in fuse_by_scores(scored(a=0.9, b=0.8), scored(c=2.0, a=1.0), 1.0)}
    assert found["c"].score == pytest.approx(0)
    assert (found["c"].dense, found["b"].bm25) == (None, None)


def test_equal_scores_decide_nothing() -> None:
    assert [f.score for f in fuse_by_scores(scored(a=0.8, b=0.8), scored(a=0.0), 1.0)] == [0, 0]
    assert fuse_by_scores([], [], 1.0) == []


def test_a_chunk_in_another_language_takes_the_higher_dense_score() -> None:
    dense, text = scored(far=0.9, near=0.85, last=0.7), scored(near=5.0, last=1.0)
    order = [f.chunk_id for f in fuse_by_scores(dense, text, 1.0, {"far"})]
    assert order[0] == "far"
    assert fuse_by_scores(dense, text, 1.0)[0].chunk_id == "near"


def test_an_identifier_lifts_a_chunk_in_another_language() -> None:
    dense = scored(**{f"near{number}": 0.9 - number / 1000 for number in range(9)}, far=0.893)
    text, named = scored(near1=5.0, near2=4.9, far=1.0), scored(far=3.0)
    plain = [hit.chunk_id for hit in fuse_by_scores(dense, text, 1.0, {"far"})]
    lifted = [hit.chunk_id for hit in fuse_by_scores(dense, text, 1.0, {"far"}, named)]
    assert lifted.index("far") < 2 < plain.index("far")
    assert fuse_by_scores(dense, text, 1.0, (), named) == fuse_by_scores(dense, text, 1.0)


def test_a_reranker_moves_hits_by_its_scores() -> None:
    ranking = fuse_by_scores(scored(a=0.9, b=0.89, c=0.5), [], 1.0)
    found = fuse_reranked(ranking, {"a": 0.1, "b": 0.8, "c": 0.2})
    assert [hit.chunk_id for hit in found] == ["b", "a", "c"]


def test_hits_that_were_not_read_stay_behind_those_that_were() -> None:
    ranking = fuse_by_scores(scored(a=0.9, b=0.8, c=0.7, d=0.6), [], 1.0)
    found = fuse_reranked(ranking, {"a": 0.1, "b": 0.9})
    assert [hit.chunk_id for hit in found][2:] == ["c", "d"]
    assert fuse_reranked(ranking, {}) == ranking


def test_a_reranker_weighs_more_where_words_say_nothing() -> None:
    ranking = fuse_by_scores(scored(near=0.9, far=0.8), [], 1.0)
    scores = {"near": 0.2, "far": 0.6}
    assert fuse_reranked(ranking, scores)[0].chunk_id == "near"
    assert fuse_reranked(ranking, scores, {"near", "far"})[0].chunk_id == "far"


def test_a_hypothetical_answer_adds_hits_behind_the_first_three() -> None:
    ranking = fuse(hits("a", "b", "c", "d", "e"), [], 60)
    found = [hit.chunk_id for hit in fuse_hypothetical(ranking, hits("x", "e", "y"))]
    assert found[:3] == ["a", "b", "c"]
    assert set(found) == {"a", "b", "c", "d", "e", "x", "y"}
    assert found.index("e") < found.index("d")


def test_the_only_chunk_with_a_rare_word_outranks_all_that_are_near() -> None:
    dense = scored(**{f"near{number}": 0.9 - number / 100 for number in range(30)})
    assert fuse_by_scores(dense, scored(named=27.0), 1.0)[0].chunk_id == "named"


def test_two_rankings_are_joined_by_the_sum_of_their_scores() -> None:
    whole = fuse_by_scores(scored(a=0.9, b=0.8, c=0.1), [], 1.0)
    narrow = fuse_by_scores(scored(b=0.9, c=0.2), [], 1.0)
    joined = join_rankings(whole, narrow)
    assert [found.chunk_id for found in joined] == ["b", "a", "c"]
    assert joined[0].score == pytest.approx(whole[1].score + narrow[0].score)
    assert joined[1].score == pytest.approx(whole[0].score + narrow[1].score)
