"""Statements that their passages contradict, made to test a judge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foundry.craft.grounding.controls import build_control
from foundry.records import Evidence
from tests.craft.samples import make_evidence


def control(text: str, language: str = "en") -> str:
    made = build_control([speak(text, language)], "seed")
    return made[0] if made else ""


def speak(text: str, language: str) -> Evidence:
    evidence = make_evidence(text)
    chunk = replace(evidence.hit.chunk, language=language)
    return replace(evidence, hit=replace(evidence.hit, chunk=chunk))


def test_the_verb_of_a_sentence_is_denied() -> None:
    assert control("The door must be closed before use.") == (
        "The door must not be closed before use."
    )


def test_a_sentence_gets_one_of_another_passage_as_its_cause() -> None:
    evidence = [speak("The door is shut.", "en"), speak("The door stays shut all day long.", "en")]
    evidence.append(speak("The gate stays open all day long.", "en"))
    causes = {
        "The gate stays open all day long, because the door stays shut all day long.",
        "The door stays shut all day long, because the gate stays open all day long.",
    }
    made = build_control(evidence, "seed")
    assert made is not None
    assert made[0] in causes
    assert made[1].hit.chunk.content == made[0].partition(",")[0] + "."


def test_a_dutch_verb_is_denied_in_dutch() -> None:
    assert control("De kast moet voor gebruik gesloten zijn.", "nl") == (
        "De kast moet niet voor gebruik gesloten zijn."
    )


def test_without_a_verb_to_deny_a_number_is_changed_to_one_that_no_passage_has() -> None:
    changed = control("The filter holds 20 litres of water.\nThe others hold 50, 60, 70 and 40.")
    assert changed == "The filter holds 80 litres of water."


@pytest.mark.parametrize(
    "text",
    [
        "The door cannot be opened while it runs.",
        "Keep the door closed during all of the work.",
        "Is the door closed before the device starts?",
        "When it runs, the door must be kept closed.",
        "“The door must be shut” is what it says.",
    ],
    ids=["denied", "nothing to change", "question", "condition", "quotation"],
)
def test_what_cannot_be_turned_into_a_falsehood_gives_no_control(text: str) -> None:
    assert control(text) == ""


def test_where_there_is_only_a_table_a_value_of_a_row_is_changed() -> None:
    assert control("| Part | Rating |\n| Fuse F1 | 2 A |") == "Part: Fuse F1 ; Rating: 5 A"


def test_a_sentence_that_opens_with_an_article_comes_first() -> None:
    text = "Some doors are open all day long. The gate is open all day long."
    assert control(text) == "The gate is not open all day long."


def test_half_a_character_in_a_source_is_no_obstacle() -> None:
    assert control("The door \ud800 must be closed before use.") != ""


def test_the_same_statements_get_the_same_control() -> None:
    evidence = [make_evidence("One door is shut all day long. Two doors are open all day long.")]
    assert build_control(evidence, "a") == build_control(evidence, "a")
