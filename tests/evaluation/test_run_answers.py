"""Short answers against accepted wordings."""

from __future__ import annotations

import pytest

from foundry.evaluation.metrics.answers import answer_figures


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("The input fuse.", "input fuse"),
        ("Een droge doek", "de droge doek"),
        ("2,0 s", "2.0 s"),
        ("2 seconden", "2.0 s"),
        ("6 maanden", "6 months"),
        ("3300 mV", "3.3 V"),
        ("RS-485", "rs-485"),
        ("’s nachts", "'s nachts"),
    ],
)
def test_notation_case_and_articles_do_not_count(given: str, wanted: str) -> None:
    assert answer_figures(given, [wanted])["exact_match"] == 1.0


@pytest.mark.parametrize(
    ("given", "wanted"), [("2.5 s", "2 s"), ("3 V", "3 A"), ("dry cloth", "wet cloth"), ("", "x")]
)
def test_another_answer_does_not_match(given: str, wanted: str) -> None:
    assert answer_figures(given, [wanted])["exact_match"] == 0.0


def test_f1_is_the_harmonic_mean_over_tokens() -> None:
    found = answer_figures("Clean it with a dry cloth", ["dry soft cloth"])
    assert found["f1"] == pytest.approx(2 * (2 / 5) * (2 / 3) / (2 / 5 + 2 / 3))
    assert found["answer_recall"] == pytest.approx(2 / 3)


def test_a_word_counts_as_often_as_it_is_in_both() -> None:
    assert answer_figures("red red", ["red blue"])["f1"] == 0.5


def test_a_sentence_around_the_answer_has_all_of_it() -> None:
    found = answer_figures("The input fuse is rated at 3.15 A slow.", ["3,15 A"])
    assert found["answer_recall"] == 1.0
    assert found["exact_match"] == 0.0


def test_the_best_of_the_accepted_answers_counts() -> None:
    assert answer_figures("drie ampère", ["3 A", "drie ampère"])["exact_match"] == 1.0


def test_an_empty_answer_has_nothing() -> None:
    assert set(answer_figures("", ["3 A"]).values()) == {0.0}
