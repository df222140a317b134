from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundry.analysis import find_sentences


def sentences(text: str, language: str = "nl") -> list[str]:
    return [text[start:end] for start, end in find_sentences(text, language)]


@pytest.mark.parametrize(
    "whole",
    [
        "Zie par. 4, d.w.z. de max. waarde.",
        "De heer dr. Smit en mevr. De Vries kwamen.",
        "Kabels, stekkers enz. worden geleverd.",
        "Use it, e.g. Cable A, i.e. the short one (see Fig. 4 and No. 5).",
        "De prijs is 3.500,00 euro en de versie 2.0.1.",
        "Het bestand LC512.BFW staat op de stick.",
        "J. Jansen en A. B. de Vries kwamen.",
    ],
)
def test_abbreviations_and_numbers_do_not_end_a_sentence(whole: str) -> None:
    assert sentences(f"{whole} Daarna niets.") == [whole, "Daarna niets."]


@pytest.mark.parametrize(
    "first",
    [
        "Sluit aan op 3.3 V.",
        "De kabel is 5 m.",
        "Het wordt 40 °C.",
        "Kabels, stekkers enz.",
        "Zie www.example.com.",
        "Het gaat van 18 tot 32 volt.",
        "De klok houdt het drie dagen vol.",
        "Zo staat het in het tweede lid.",
        "Werkt dat?",
        "„Dat werkt!”",
    ],
)
def test_units_addresses_and_marks_end_a_sentence(first: str) -> None:
    assert sentences(f"{first} Zie verder.") == [first, "Zie verder."]


@pytest.mark.parametrize("language", ["en", "nl"])
def test_direct_current_ends_a_sentence(language: str) -> None:
    assert sentences("It takes 24 V DC. Keep it dry.", language) == [
        "It takes 24 V DC.",
        "Keep it dry.",
    ]


def test_a_list_marker_belongs_to_the_text_after_it() -> None:
    assert sentences("1. Open menu 4. 2. Kies RDM.") == ["1. Open menu 4.", "2. Kies RDM."]


def test_rows_and_list_lines_are_separate_sentences() -> None:
    text = "| Max. | 5 A. Zie |\n| Min. | 3 A |\nGewicht\t3 kg\n- een\n- twee"
    assert sentences(text) == text.split("\n")


def test_short_lines_of_facts_are_separate_sentences() -> None:
    text = "Voeding: 24 V\nStroom: 3 A\nGewicht: 2 kg"
    assert sentences(text) == text.split("\n")


def test_wrapped_lines_are_joined() -> None:
    text = (
        "Dit is een regel die is afgebroken omdat hij te lang was voor de\n"
        "breedte van de kolom op Papier. Daarna komt er nog een zin die is\n"
        "Afgebroken. Klaar.\n"
        "Een nieuwe alinea."
    )
    assert [len(s.split("\n")) for s in sentences(text)] == [2, 2, 1, 1]


def test_an_open_quote_does_not_swallow_the_text_after_it() -> None:
    text = 'Hij zei "wacht. ' + "Dit is een gewone zin van enige lengte. " * 20
    assert len(sentences(text)) > 15


def test_offsets_are_code_points() -> None:
    assert sentences("😀 Één. Twee! Drie?") == ["😀 Één.", "Twee!", "Drie?"]


def test_other_scripts_have_sentences() -> None:
    assert sentences("第一句。第二句！第三句？", "zh") == ["第一句。", "第二句！", "第三句？"]


def test_an_empty_text_has_no_sentences() -> None:
    assert find_sentences(" \n\t ", "nl") == find_sentences("", "und") == ()


MARKS = st.sampled_from([*'ab Zé.!?\n\t|1)-"( ', ". ", "enz. ", "1. ", "😀", "\r\n\r\n"])


@given(st.lists(MARKS, max_size=200).map("".join))
def test_spans_are_ordered_trimmed_and_cover_all_words(text: str) -> None:
    spans = find_sentences(text, "nl")
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(text[a:b] and text[a:b] == text[a:b].strip() for a, b in spans)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


def test_long_texts_are_split_like_their_parts() -> None:
    text = "De eerste zin is kort. Zie par. 4 van het boek. "
    assert sentences(text * 5000) == sentences(text) * 5000


def test_a_bold_sentence_keeps_its_marks() -> None:
    text = "500 cycles passed. **F1 becomes T 1.6 A.** Service follows. _So it is._ *B.* Done."
    assert sentences(text, "en")[1:4] == [
        "**F1 becomes T 1.6 A.**",
        "Service follows.",
        "_So it is._",
    ]


def test_an_ellipsis_within_a_range_ends_no_sentence() -> None:
    text = "The value varies by -10%...+15% of the frequency."
    assert find_sentences(text, "en") == ((0, len(text)),)
