"""Which value a question asks for, and which sentences state one."""

from __future__ import annotations

import pytest

from foundry.craft.gate import states_value
from foundry.craft.question import read_question


def states(question: str, sentence: str, around: str = "", language: str = "en") -> bool:
    asked = read_question(question, language).value
    assert asked is not None
    return states_value(asked, sentence, around or sentence, language)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many members does the club have?", "count"),
        ("Hoeveel weken duurt de levering?", "unit"),
        ("What does a licence cost?", "money"),
        ("Welk percentage haalde de test?", "share"),
        ("How long is the warranty?", "duration"),
        ("In welk jaar begon het?", "date"),
        ("Welke versie van Quill draait er?", "version"),
    ],
)
def test_a_question_asks_for_one_kind_of_value(question: str, kind: str) -> None:
    asked = read_question(question, "und").value
    assert asked is not None
    assert asked.kind == kind


@pytest.mark.parametrize(
    "question", ["Why does it cost so much time?", "Who pays the fee?", "What is a fuse?"]
)
def test_a_question_after_something_else_asks_for_no_value(question: str) -> None:
    assert read_question(question, "en").value is None


def test_a_count_stands_beside_what_it_counts() -> None:
    assert states("How many members are there?", "The club has 120 paying members.")
    assert not states("How many members are there?", "The club owns 12 boats.")


def test_a_row_of_a_table_counts_too() -> None:
    assert states("How many members are there?", "Members | 120")


def test_an_amount_of_money_may_have_its_currency_in_the_header() -> None:
    row, table = "Licence | 1,200", "Item | Price in €\nLicence | 1,200"
    assert states("What does a licence cost?", row, table)
    assert not states("What does a licence cost?", row)


def test_another_unit_is_no_answer() -> None:
    assert not states("How long is the warranty?", "The cable is 3 m long.")
    assert states("How long is the warranty?", "The warranty lasts two years.")


def test_two_years_say_how_long() -> None:
    assert states("How long was the mill open?", "The mill ran from 1891 to 1934.")


def test_the_question_s_own_number_is_no_answer() -> None:
    assert not states("What was the fee in 2021?", "The fee of 2021 is in euro (€).")


def test_a_version_has_its_form_or_its_word() -> None:
    assert states("Which version of Quill is used?", "It runs Quill 3.2.1 today.")
    assert not states("Which version of Quill is used?", "It runs Quill on 3 servers.")
