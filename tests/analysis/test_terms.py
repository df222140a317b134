from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundry.analysis import analyse, analyse_query

LANGUAGES = ("nl", "en", "de", "fr", "ru", "zh", "hi", "und")


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("kabels", "kabel", "nl"),
        ("Financiële", "financiele", "nl"),
        ("connections", "connection", "en"),
        ("Spannungen", "Spannung", "de"),
        ("напряжения", "напряжение", "ru"),
    ],
)
def test_forms_of_a_word_share_a_term(one: str, other: str, language: str) -> None:
    assert analyse(one, language) == analyse(other, language) != []


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("XLR-5", ["xlr5", "xlr", "5"]),
        ("DMX512-A", ["dmx512a", "dmx512", "dmx", "512", "a"]),
        ("24VDC", ["24vdc", "24", "vdc"]),
        ("3,3V", ["3_3v", "3_3", "v"]),
        ("foo_bar", ["foobar", "foo", "bar"]),
        ("getUserName", ["getusername", "get", "user", "name"]),
        ("IEC 61000-4-2", ["iec", "61000_4_2", "61000", "4", "2"]),
        ("v1.2.3", ["v1_2_3", "1_2_3"]),
        ("MHz mA", ["mhz", "ma"]),
        ("N.V.", ["nv", "n", "v"]),
        ("361¹", ["361", "1"]),
        ("10⁶", ["10", "6"]),
        ("5½", ["5", "1", "2"]),
        ("m²", ["m2", "2"]),
        ("config.yaml", ["config", "yaml"]),
        ("C++ C#", ["cplusplus", "c", "csharp", "c"]),
        ("2024-01-15", ["2024_01_15", "2024", "01", "15"]),
        ("10 kΩ 5µA m²", ["10", "kω", "5μa", "5", "μa", "m2", "2"]),
    ],
)
def test_an_identifier_gives_itself_and_its_parts(text: str, terms: list[str]) -> None:
    assert analyse(text, "und") == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("3.3", ["3_3"]),
        ("3,3", ["3_3"]),
        ("1.000,5", ["1000_5"]),
        ("1,000.5", ["1000_5"]),
        ("1.000.000", ["1000000"]),
        ("1.000", ["1000", "1_000"]),
        ("0,125", ["0_125"]),
    ],
)
def test_numbers_in_both_notations_share_terms(text: str, terms: list[str]) -> None:
    assert analyse(text, "nl") == terms


def test_stop_words_depend_on_the_language_of_the_text() -> None:
    assert analyse("Wat is de lengte van het niet", "nl") == analyse("lengte", "nl")
    assert "door" not in analyse("door", "nl")
    assert analyse("the door is not", "en") == ["door"]


def test_words_of_quantity_and_place_are_terms() -> None:
    assert analyse("each between without", "en") == ["each", "between", "without"]


def test_clitics_are_dropped_with_their_apostrophe() -> None:
    assert analyse("foto’s isn't cable's", "en") == ["foto", "cabl"]


def test_a_word_broken_over_two_lines_is_one_term() -> None:
    assert analyse("voedings-\n  spanning", "nl")[0] == analyse("voedingsspanning", "nl")[0]


@pytest.mark.parametrize("text", ["電源電圧", "전원 전압", "แรงดันไฟฟ้า", "वोल्टता", "الجهد"])
def test_every_script_has_terms(text: str) -> None:
    assert analyse(text, "und")


def test_scripts_without_spaces_give_pairs() -> None:
    assert analyse("電源電圧", "zh") == ["電源", "源電", "電圧"]


@given(st.text(max_size=300), st.sampled_from(LANGUAGES))
def test_terms_joined_by_spaces_can_be_split_again(text: str, language: str) -> None:
    terms = analyse(text, language)
    assert " ".join(terms).split() == terms
    assert all(len(term) <= 64 for term in terms)


@given(st.text("abcdefgé -.,", max_size=60), st.sampled_from(LANGUAGES))
def test_case_does_not_matter(text: str, language: str) -> None:
    assert analyse(text.upper(), language) == analyse(text, language)


def test_a_blob_without_spaces_is_split_into_terms() -> None:
    terms = analyse("QUJD" * 50_000 + "-x" * 50_000, "en")
    assert max(map(len, terms)) == 64


def test_a_question_gives_its_content_words_once_with_the_variants_of_each_language() -> None:
    found = analyse_query("Wat is de maximale lengte van de lengte?", ["nl", "en"])
    assert [term.word for term in found] == ["maximale", "lengte"]
    assert set(found[0].terms) == {*analyse("maximale", "nl"), *analyse("maximale", "en")}


def test_identifiers_of_a_question_put_the_whole_first() -> None:
    (found,) = analyse_query("XLR-5", ["nl", "en"])
    assert found.terms == ("xlr5", "xlr", "5")


def test_a_word_that_is_a_stop_word_elsewhere_stays_in_the_question() -> None:
    found = analyse_query("What is the height of the door?", ["en", "nl"])
    assert [term.word for term in found] == ["height", "door"]


def test_a_question_of_stop_words_keeps_them() -> None:
    assert [term.word for term in analyse_query("Wie is wie?", ["nl"])] == ["Wie", "is"]


@pytest.mark.parametrize("text", ["", "?!", "   "])
def test_a_question_without_words_has_no_terms(text: str) -> None:
    assert analyse_query(text, ["nl"]) == ()


def test_an_index_without_languages_is_searched_for_plain_words() -> None:
    assert analyse_query("kabels", [])[0].terms == ("kabels",)
