"""Which expected place a chunk covers, and what a ranking of chunks is worth."""

from __future__ import annotations

import pytest

from foundry.evaluation.metrics.outcomes import ranking_figures
from foundry.evaluation.questions.places import (
    SourceRange,
    find_covered_items,
    items_of,
    same_section,
)
from foundry.records import Expectation


def piece(
    name: str,
    start: int,
    end: int,
    *spots: tuple[int | None, tuple[str, ...]],
    source: str = "a.md",
) -> SourceRange:
    return SourceRange(name, source, start, end, spots)


def figures(
    expected: tuple[Expectation, ...], *pieces: SourceRange, whole: bool = False
) -> dict[str, float]:
    found = [find_covered_items(one, expected) for one in pieces]
    return ranking_figures(pieces, found, items_of(expected), whole_sources=whole)


@pytest.mark.parametrize(
    ("start", "end", "covers"),
    [(100, 200, True), (150, 400, True), (151, 400, False), (0, 100, False), (120, 140, True)],
)
def test_a_span_is_covered_by_half_of_it_or_of_the_shorter_chunk(
    start: int, end: int, covers: bool
) -> None:
    wanted = (Expectation("a.md", spans=((100, 200),)),)
    assert bool(find_covered_items(piece("c", start, end), wanted)) is covers


def test_page_and_section_must_meet_in_one_block() -> None:
    wanted = (Expectation("a.md", page=2, section="3.1 Supply"),)
    apart = piece("c", 0, 9, (2, ("3.2 Outputs",)), (3, ("3 Electrical", "3.1 Supply")))
    together = piece("c", 0, 9, (2, ("3 Electrical", "3.1 Supply")))
    assert find_covered_items(apart, wanted) == []
    assert find_covered_items(together, wanted) == [(0, 0)]


@pytest.mark.parametrize("name", ["3.1 Supply", "3.1", "§ 3.1", "supply", "3.1  SUPPLY", "3.1."])
def test_a_section_is_named_by_number_or_name(name: str) -> None:
    assert same_section(name, "3.1 Supply")
    assert not same_section(name, "3.10 Supply of spares")


def test_each_place_counts_once_at_the_first_chunk_that_covers_it() -> None:
    wanted = (Expectation("a.md", spans=((0, 10), (50, 60))),)
    other, first, again, second = (
        piece("x", 200, 300), piece("c1", 0, 40), piece("c2", 0, 45), piece("c3", 48, 90),
    )  # fmt: skip
    found = figures(wanted, other, first, again, second)
    assert found["recall@3"] == 1.0
    assert found["recall@1"] == 0.0
    assert found["mrr"] == 0.5
    assert found["map"] == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_a_ranking_for_whole_sources_counts_each_source_once() -> None:
    wanted = (Expectation("a.md"),)
    others = [piece(f"b{n}", 0, 9, source="b.md") for n in range(5)]
    found = figures(wanted, *others, piece("a1", 0, 9), piece("a2", 9, 18), whole=True)
    assert found["mrr"] == 0.5
    assert found["recall@3"] == 1.0


def test_the_better_of_two_places_weighs_more_in_ndcg() -> None:
    wanted = (
        Expectation("a.md", spans=((0, 10),)),
        Expectation("a.md", spans=((50, 60),), relevance=3),
    )
    good, poor = piece("good", 50, 60), piece("poor", 0, 10)
    assert figures(wanted, good, poor)["ndcg@10"] == 1.0
    assert figures(wanted, poor, good)["ndcg@10"] < 1.0


def test_without_a_place_nothing_is_defined() -> None:
    assert set(figures((), piece("c", 0, 9)).values()) == {None}
    assert set(figures((Expectation("a.md", relevance=0),), piece("c", 0, 9)).values()) == {None}
