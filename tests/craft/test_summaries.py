from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.plain_texts import read_barred_table
from foundry.craft.summaries import summarise
from foundry.records import Block, Document
from tests.craft.documents import build, count, heading, paragraph, speech

CENTRAL = "The lighting controller drives two isolated outputs at 24 volts."
DATASHEET = [
    heading(1, "1 General"),
    ("paragraph", None, f"{CENTRAL} Paint is grey."),
    heading(1, "2 Outputs"),
    ("paragraph", None, "Isolated outputs of the controller drive lighting up to 250 metres."),
    ("table", None, "| Output | Load |\n|---|---|\n| Isolated port | 32 unit loads of 24 volts |"),
]


def test_a_summary_has_title_sections_and_how_they_open_in_reading_order() -> None:
    summary = summarise(build(DATASHEET, title="LC"), "en", count, 100)
    head, sections, body = summary.split("\n\n")
    assert (head, sections) == ("LC", "Sections: 1 General; 2 Outputs")
    assert body.index("drives two") < body.index("up to 250")


def test_the_labels_are_in_the_language_of_the_source() -> None:
    assert "Onderdelen: 1 General" in summarise(build(DATASHEET), "nl", count, 100)


def test_table_rows_read_as_lists_of_cells() -> None:
    summary = summarise(build(DATASHEET), "en", count, 200)
    assert "Isolated port, 32 unit loads of 24 volts." in summary
    assert "|" not in summary


def test_what_is_said_twice_is_summarised_once() -> None:
    parts = [("paragraph", None, CENTRAL) for _ in range(5)]
    assert summarise(build(parts), "en", count, 200).count("lighting controller") == 1


def test_a_small_budget_keeps_whole_sentences() -> None:
    parts = [*DATASHEET, *(paragraph(f"noise{n}") for n in range(3))]
    summary = summarise(build(parts, title=""), "en", count, 24)
    assert count(summary) <= 24
    assert summary.endswith((".", "…"))


def test_a_transcript_names_its_speakers_and_joins_their_cues() -> None:
    turns = [("Ann", "The line length goes"), ("Ann", "from 300 to 250 metres."), ("Bo", "Fine.")]
    summary = summarise(speech(turns), "en", count, 100)
    assert "Speakers: Ann; Bo" in summary
    assert "The line length goes from 300 to 250 metres." in summary


def test_speech_without_punctuation_is_taken_cue_by_cue() -> None:
    turns = [(None, f"so cable number {n} is about {n} metres long") for n in range(80)]
    summary = summarise(speech(turns), "en", count, 60)
    assert "metres long" in summary


@pytest.mark.parametrize("text", ["", "  \n"])
def test_a_source_without_words_has_an_empty_summary(text: str) -> None:
    assert summarise(Document(text, (), "txt", ""), "und", count, 100) == ""


PROSE = st.lists(st.sampled_from(["Alpha beta gamma delta.", "One two", "| a | b |"]), max_size=9)


@settings(max_examples=60, deadline=None)
@given(st.lists(PROSE.map(" ".join), max_size=20), st.integers(1, 120))
def test_no_summary_is_longer_than_allowed(texts: list[str], allowed: int) -> None:
    parts = [("paragraph", None, text) for text in texts]
    assert count(summarise(build(parts, title="A title"), "en", count, allowed)) <= allowed


def test_a_very_long_source_has_a_summary() -> None:
    parts = [paragraph(f"p{n}", 40) for n in range(300)]
    assert 0 < count(summarise(build(parts), "en", count, 100)) <= 100


def test_a_source_without_headings_is_summarised_all_over() -> None:
    summary = summarise(build([paragraph(f"p{n}", 1) for n in range(64)]), "en", count, 200)
    assert ("P0" in summary, "P60" in summary) == (True, True)
    assert 0 < count(summary) <= 200


def test_each_section_opens_before_any_goes_on() -> None:
    parts = [part for n in range(4) for part in (heading(1, f"{n} Part"), paragraph(f"s{n}", 30))]
    summary = summarise(build(parts), "en", count, 100)
    assert all(f"S{n}" in summary for n in range(4))


def test_what_precedes_the_first_heading_opens_the_summary() -> None:
    sections = [part for n in range(9) for part in (heading(1, f"{n} Part"), paragraph(f"s{n}", 9))]
    assert "Abstract says" in summarise(build([paragraph("abstract"), *sections]), "en", count, 100)


def test_names_of_columns_and_sentences_that_only_announce_are_left_out() -> None:
    rows = "Parameter | Least | Most\nVoltage of supply | 18 | 32"
    table = read_barred_table(rows, 0)
    block = Block("table", 0, len(rows), table=table)
    said = "\n\nThe values are as follows:"
    text = Block("paragraph", len(rows) + 2, len(rows + said))
    summary = summarise(Document(rows + said, (block, text), "md", ""), "en", count, 100)
    assert summary == "Voltage of supply, 18, 32."
