from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from foundry.analysis import detect_language, detect_query_language

DUTCH = "De regelaar wordt gevoed met gelijkspanning. Sluit de kabel aan voordat u begint."
ENGLISH = "The controller runs on direct current. Connect the cable before you start."
GERMAN = "Der Regler wird mit Gleichspannung versorgt. Das Kabel ist vorher anzuschließen."


@pytest.mark.parametrize(("text", "code"), [(DUTCH, "nl"), (ENGLISH, "en"), (GERMAN, "de")])
def test_a_document_has_the_language_of_its_prose(text: str, code: str) -> None:
    assert detect_language(text * 20) == code


def test_capitals_do_not_hide_the_language() -> None:
    assert detect_language(DUTCH.upper()) == "nl"


def test_code_and_numbers_do_not_count() -> None:
    code = "for item in items[0:3]: self.value += item.get_value(x=1)\n" * 5
    assert detect_language(code + DUTCH) == "nl"


def test_the_whole_document_is_sampled_not_its_first_page() -> None:
    assert detect_language(ENGLISH + DUTCH * 500) == "nl"


def test_one_word_repeated_has_a_language() -> None:
    assert detect_language("said: " * 300) == "en"


@pytest.mark.parametrize("text", ["", "24 | 3,3 | 0.5", "AB-12 CD", "{}[]();=="])
def test_too_little_text_is_undetermined(text: str) -> None:
    assert detect_language(text) == "und"


@pytest.mark.parametrize(
    "question",
    [
        "Wat is de maximale kabellengte?",
        "Wat kost de module?",
        "Hoe lang is de garantie?",
        "stroomverbruik regelaar",
        "wat betekent power supply rejection ratio?",
    ],
)
def test_a_dutch_question_is_dutch(question: str) -> None:
    assert detect_query_language(question) == "nl"


@pytest.mark.parametrize(
    "question",
    ["What is the maximum cable length?", "how to check power", "What does 'voeding' mean?"],
)
def test_an_english_question_is_english(question: str) -> None:
    assert detect_query_language(question) == "en"


@pytest.mark.parametrize(
    ("question", "code"),
    [("Wie hoch ist die Spannung?", "de"), ("Quelle est la tension maximale ?", "fr")],
)
def test_a_question_in_another_language_keeps_it(question: str, code: str) -> None:
    assert detect_query_language(question) == code


@pytest.mark.parametrize("text", ["Kosten 2024", "XLR-5", "", "???"])
def test_an_unclear_question_is_never_a_third_language(text: str) -> None:
    assert detect_query_language(text) in {"nl", "en", "und"}


def test_detection_is_thread_safe() -> None:
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(detect_language, [DUTCH] * 64)) == {"nl"}


def test_the_first_detection_writes_nothing_to_standard_error() -> None:
    code = f"from foundry.analysis import detect_language; print(detect_language({DUTCH!r}))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (found.stdout.strip(), found.stderr) == ("nl", "")


@pytest.mark.parametrize("piece", ["a", "a@", "www", "a."])
def test_a_word_without_end_takes_little_time(piece: str) -> None:
    started = time.process_time()
    detect_language(f"{piece * 50_000} The relay runs at 12 V.")
    assert time.process_time() - started < 2
