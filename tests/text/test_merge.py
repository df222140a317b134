"""Two edits of one text: both made, or neither."""

from __future__ import annotations

import pytest

from foundry.text.merge import merge_texts

BASE = "# Supply\n\nOne.\n\nTwo.\n\nThree.\n"


def test_edits_of_two_paragraphs_are_both_made() -> None:
    merged = merge_texts(BASE, BASE.replace("One.", "1."), BASE.replace("Three.", "3."))
    assert merged == BASE.replace("One.", "1.").replace("Three.", "3.")


@pytest.mark.parametrize(("ours", "theirs"), [("2.", "II."), ("", "2."), ("Two. More.", "2.")])
def test_two_edits_of_one_paragraph_are_refused(ours: str, theirs: str) -> None:
    assert merge_texts(BASE, BASE.replace("Two.", ours), BASE.replace("Two.", theirs)) is None


def test_the_same_edit_is_made_once() -> None:
    edited = BASE.replace("Two.", "2.")
    assert merge_texts(BASE, edited, edited) == edited


def test_two_paragraphs_added_at_one_place_are_refused() -> None:
    assert merge_texts(BASE, f"{BASE}\nFour.\n", f"{BASE}\nFive.\n") is None


def test_an_edit_beside_a_removed_paragraph_is_refused() -> None:
    removed = BASE.replace("Two.\n\n", "")
    assert merge_texts(BASE, removed, BASE.replace("Three.", "3.")) is None
    assert merge_texts(BASE, removed, BASE.replace("One.", "1.")) == removed.replace("One.", "1.")


def test_an_unchanged_side_takes_the_other() -> None:
    assert merge_texts(BASE, BASE, "New.") == "New."
    assert merge_texts(BASE, "New.", BASE) == "New."
