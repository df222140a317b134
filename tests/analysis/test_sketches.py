"""Samples of texts: how alike two are, and which of many are."""

from __future__ import annotations

import random

import pytest

from foundry.analysis.sketches import (
    Sketch,
    compare_sketches,
    compute_sketch,
    find_alike,
    is_nearly_identical,
)


def make_text(seed: int, words: int = 2000) -> list[str]:
    chosen = random.Random(seed)
    return [f"w{chosen.randrange(5000)}" for _ in range(words)]


def sketch(words: list[str]) -> Sketch:
    return compute_sketch(" ".join(words))


def test_a_text_and_its_copy_in_other_letters_are_the_same() -> None:
    likeness = compare_sketches(
        compute_sketch("Één kabel van 300 m."), compute_sketch("een KABEL van 300 m")
    )
    assert (likeness.both, likeness.of_shorter) == (1.0, 1.0)


def test_texts_of_other_words_share_nothing() -> None:
    assert compare_sketches(sketch(make_text(1)), sketch(make_text(2))).both == 0.0


@pytest.mark.parametrize("share", [0.25, 0.5, 0.9])
def test_shares_of_long_texts_are_estimated(share: float) -> None:
    one, other = make_text(1), make_text(2)
    cut = int(len(one) * share)
    likeness = compare_sketches(sketch(one), sketch([*one[:cut], *other[cut:]]))
    assert likeness.of_shorter == pytest.approx(share, abs=0.12)


def test_a_part_has_all_its_words_in_the_whole() -> None:
    whole = make_text(1)
    likeness = compare_sketches(sketch(whole), sketch(whole[:700]))
    assert likeness.of_shorter > 0.85
    assert likeness.both == pytest.approx(0.35, abs=0.1)


def test_a_text_without_words_is_like_nothing() -> None:
    empty = compute_sketch(" \n—")
    assert compare_sketches(empty, empty).both == 0.0
    assert not is_nearly_identical(empty, compute_sketch("One two three four."))


def test_a_text_with_another_footer_is_nearly_identical_and_half_a_text_is_not() -> None:
    text = make_text(1)
    assert is_nearly_identical(
        sketch(text), sketch([*text, *["printed", "copies", "are", "uncontrolled"]])
    )
    assert not is_nearly_identical(sketch(text), sketch(text[:1000]))


def test_a_sketch_can_be_stored() -> None:
    one = sketch(make_text(1))
    again = Sketch.unpack(one.pack())
    assert (again.runs, again.hashes.tolist()) == (one.runs, one.hashes.tolist())


def test_the_pairs_that_share_words_are_found_among_many() -> None:
    texts = {f"{n:03}": make_text(n) for n in range(100)}
    texts["copy"] = [*texts["007"][:1500], *make_text(999, 500)]
    found = set(find_alike({key: sketch(words) for key, words in texts.items()}))
    assert found == {("007", "copy")}


def test_a_large_family_is_linked_by_neighbours_alone() -> None:
    family = {f"{n:03}": sketch(make_text(1)) for n in range(300)}
    pairs = list(find_alike(family))
    assert len(pairs) < 300 * 10
    assert {key for pair in pairs for key in pair} == family.keys()
