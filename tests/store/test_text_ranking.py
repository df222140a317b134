"""BM25 without a database: the functions that every store shares."""

from __future__ import annotations

import math

import numpy as np
import pytest

from foundry.store import text_ranking
from foundry.store.text_ranking import (
    Postings,
    choose_best,
    choose_terms,
    compute_idf,
    compute_scores,
    is_text,
    make_terms,
    rank,
)
from tests.store.records import make_source

LENGTHS = np.array([3, 1, 8])


def postings(*weights: float, repeats: int = 1) -> Postings:
    return Postings(np.array(weights), repeats)


def test_a_score_is_that_of_the_formula() -> None:
    (score, *_) = compute_scores(LENGTHS, [postings(2, 0, 1)])
    norm = 1.2 * (1 - 0.75 + 0.75 * 3 / 4)
    assert score == pytest.approx(compute_idf(3, 2) * 2 * 2.2 / (2 + norm))


def test_a_chunk_without_the_terms_scores_zero() -> None:
    assert compute_scores(LENGTHS, [postings(2, 0, 1)])[1] == 0


def test_a_term_in_every_chunk_still_scores() -> None:
    assert compute_idf(3, 3) == pytest.approx(math.log1p(0.5 / 3.5))
    assert (compute_scores(LENGTHS, [postings(1, 1, 1)]) > 0).all()


def test_a_term_given_twice_counts_twice() -> None:
    once, twice = postings(1, 0, 1), postings(1, 0, 1, repeats=2)
    assert (
        compute_scores(LENGTHS, [twice]).tolist() == (2 * compute_scores(LENGTHS, [once])).tolist()
    )


def test_nothing_scores_in_an_empty_index() -> None:
    assert compute_scores(np.zeros(0, dtype=np.int64), []).tolist() == []


def test_the_best_include_all_that_equal_the_last() -> None:
    scores = np.array([0, 3.0, 1, 2, 1, 0])
    assert choose_best(scores, 3).tolist() == [1, 2, 3, 4]
    assert choose_best(scores, 2).tolist() == [1, 3]


def test_equal_scores_are_ranked_by_id() -> None:
    assert rank({"c": 1.0, "b": 1.0, "a": 0.5}, 2) == [("b", 1.0), ("c", 1.0)]


def test_rare_terms_come_first_and_unknown_ones_are_left_out() -> None:
    assert choose_terms({"often": 9, "nil": 0, "rare": 1}, 10) == ["rare", "often"]


def test_a_large_index_ignores_terms_in_more_than_half_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(text_ranking, "LARGE_INDEX", 10)
    assert choose_terms({"often": 6, "half": 5}, 10) == ["half"]
    assert choose_terms({"often": 6}, 10) == ["often"]


def test_only_the_rarest_of_very_many_terms_are_asked() -> None:
    asked = choose_terms({f"t{n}": n + 1 for n in range(300)}, 1000)
    assert asked == [f"t{n}" for n in range(256)]


def test_half_a_character_is_no_text() -> None:
    assert is_text("ca\u00df")
    assert not is_text("ca\udcff")


def test_a_heading_that_repeats_the_title_is_indexed_once() -> None:
    chunk = make_source("a.md", "Cables here.", headings=("Wiring", "Plugs")).chunk(0)
    terms = make_terms("Wiring", chunk)
    assert (terms.title, terms.headings) == ("wire", "plug")
    assert terms.count() == 2 + len(terms.body.split())
