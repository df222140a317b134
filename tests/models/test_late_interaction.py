"""Late interaction, on the real engine."""

from __future__ import annotations

import numpy as np
import pytest

from foundry.models import LateInteraction

QUESTION = "What is the fuse of the power supply?"
FUSE = "The supply is protected by a fuse of 2 A."
INVOICES = "Invoices are paid within 30 days of receipt."


@pytest.fixture(scope="module")
def interaction() -> LateInteraction:
    return LateInteraction()


def test_the_passage_that_answers_scores_highest(interaction: LateInteraction) -> None:
    fuse, invoices = interaction.score_passages(QUESTION, [FUSE, INVOICES])
    assert fuse > invoices + 0.2


def test_a_dutch_question_matches_an_english_passage(interaction: LateInteraction) -> None:
    question = "Welke zekering heeft de voeding?"
    fuse, invoices = interaction.score_passages(question, [FUSE, INVOICES])
    assert fuse > invoices


def test_a_score_does_not_depend_on_the_other_passages(interaction: LateInteraction) -> None:
    together = interaction.score_passages(QUESTION, [INVOICES, FUSE])
    assert together[1] == pytest.approx(interaction.score_passages(QUESTION, [FUSE])[0], abs=1e-3)


def test_a_word_is_found_in_any_of_the_texts_of_a_passage(interaction: LateInteraction) -> None:
    rated = "It is rated at 3.15 A."
    alone, titled = interaction.score_parts(QUESTION, [(rated,), (rated, "Input fuse")])
    assert titled > alone + 0.1


def test_a_rare_word_of_the_question_weighs_more(interaction: LateInteraction) -> None:
    common, rare = interaction.score_passages(
        f"{'of ' * 9}tachometer", ["of the", "The tachometer"]
    )
    assert rare > common


def test_the_end_of_a_long_passage_is_read(interaction: LateInteraction) -> None:
    long = "The housing is made of aluminium. " * 120
    without, with_ = interaction.score_passages(QUESTION, [long, long + FUSE])
    assert with_ > without


@pytest.mark.parametrize("text", ["", " ", "\0", "\ud800", "😀" * 50])
def test_odd_texts_have_scores(interaction: LateInteraction, text: str) -> None:
    assert np.isfinite(interaction.score_passages(text, [text, FUSE])).all()
