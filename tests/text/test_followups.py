"""Which questions depend on the one before, and which of its words they need."""

from __future__ import annotations

import pytest

from foundry.text.followups import find_context_words, is_follow_up

SUPPLY = "What is the supply voltage of the DX-4 controller?"
VOEDING = "Wat is de voedingsspanning van de DX-4 regelaar?"


@pytest.mark.parametrize(
    "question",
    [
        "And its weight?", "Why?", "How heavy is it?", "What does that mean?", "What about the DX-8?",
        "Which of these are optional?", "How do I reset it?", "En het gewicht?", "Hoe zwaar is het?",
        "Waarom?", "Wat betekent dat?", "Hoe vaak moet het worden gereinigd?", "Is dat veilig?",
        "Wat kan ik daarmee doen?", "Hoe zit het met de zekering?", "Werkt deze ook buiten?",
    ],
)  # fmt: skip
def test_a_pronoun_an_opening_or_brevity_marks_a_follow_up(question: str) -> None:
    assert is_follow_up(question)


@pytest.mark.parametrize(
    "question",
    [
        SUPPLY, VOEDING, "What is the boiling point of ethanol?", "Which cable connects the DX-4?",
        "Hoe vaak moet ik de behuizing reinigen?", "Wat is het gewicht van de regelaar?",
        "Which tools are needed to open the housing?", "Hoe lang duurt de garantie?",
    ],
)  # fmt: skip
def test_a_question_that_names_its_subject_is_not_a_follow_up(question: str) -> None:
    assert not is_follow_up(question)


@pytest.mark.parametrize(
    ("question", "before", "words"),
    [
        ("And its weight?", SUPPLY, ("DX-4", "controller")),
        ("En het gewicht?", VOEDING, ("DX-4", "regelaar")),
        ("And the DX-8?", SUPPLY, ("supply", "voltage", "controller")),
        ("Why?", SUPPLY, ("supply", "voltage", "DX-4", "controller")),
        ("How do I reset it?", "What does error E42 mean?", ("E42",)),
        ("How is the controller cleaned?", SUPPLY, ("DX-4",)),
    ],
)
def test_a_follow_up_inherits_the_subject_or_what_was_asked(
    question: str, before: str, words: tuple[str, ...]
) -> None:
    assert find_context_words(question, before) == words


def test_only_words_of_the_question_before_are_inherited() -> None:
    assert set(find_context_words("And its weight?", SUPPLY)) <= set(SUPPLY.strip("?").split())
