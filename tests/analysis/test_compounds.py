"""A compound that occurs in no chunk is searched by its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from foundry.analysis import split_compounds

CHUNKS = {"voed": 5, "span": 9, "train": 4, "proce": 7, "process": 2, "data": 6, "beleid": 3}


def count(terms: Sequence[str]) -> Mapping[str, int]:
    return {term: CHUNKS.get(term, 0) for term in terms}


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("voedingsspanning", ("voed", "span")),
        ("Trainingsproces", ("train", "proce")),
        ("databeleid", ("data", "beleid")),
    ],
)
def test_a_compound_is_split_where_both_halves_are_words_of_the_index(
    word: str, parts: tuple[str, ...]
) -> None:
    assert split_compounds([word], ["nl"], count) == parts


@pytest.mark.parametrize("word", ["voedingskabel", "data-beleid", "24VDC", "", "x" * 99, "beleid"])
def test_a_word_without_two_known_halves_is_left_alone(word: str) -> None:
    assert split_compounds([word], ["nl"], count) == ()


def test_a_half_that_occurs_in_one_chunk_only_may_be_a_misspelling() -> None:
    once = {"data": 6, "beleid": 1}
    assert (
        split_compounds(["databeleid"], ["nl"], lambda terms: {t: once.get(t, 0) for t in terms})
        == ()
    )


def test_parts_have_the_terms_of_every_language_of_the_index() -> None:
    assert split_compounds(["trainingprocesses"], ["en", "nl"], count) == (
        "train",
        "process",
        "proces",
    )


def test_the_split_with_the_more_frequent_parts_wins() -> None:
    counts = {"kaas": 2, "kaasschaaf": 0, "schaaf": 2, "kaass": 9, "chaaf": 9}
    found = split_compounds(
        ["kaasschaaf"], ["und"], lambda terms: {t: counts.get(t, 0) for t in terms}
    )
    assert found == ("kaass", "chaaf")
