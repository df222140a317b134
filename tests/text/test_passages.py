"""Passages are exact slices of the source, whole sentences where the chunk contains them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from foundry.records import Block, Chunk, Doubt, Recognition
from foundry.text.passages import build_quotes, find_passages
from tests.craft.samples import make_chunk, make_evidence


def texts(chunk: Chunk) -> list[str]:
    return [passage.text for passage in find_passages(chunk)]


def test_sentences_of_a_paragraph() -> None:
    assert texts(make_chunk("It is 5 V. It is red.")) == ["It is 5 V.", "It is red."]


def test_offsets_count_from_the_start_of_the_source() -> None:
    chunk = make_chunk("It is 5 V. It is red.", start=100)
    assert [(p.start, p.end) for p in find_passages(chunk)] == [(100, 110), (111, 121)]


def test_a_table_gives_its_rows_with_cells_and_header() -> None:
    chunk = make_chunk("Type | Pins\n--- | ---\nXLR-5 | 5\n | 3")
    rows = find_passages(chunk)
    assert [row.text for row in rows] == ["Type | Pins", "XLR-5 | 5", "| 3"]
    assert rows[1].columns == (("Type", "XLR-5"), ("Pins", "5"))
    assert rows[2].columns == (("Pins", "3"),)


def test_a_markdown_table_with_outer_bars() -> None:
    chunk = make_chunk("| Type | Pins |\n|---|---|\n| XLR-5 | 5 |")
    assert find_passages(chunk)[1].columns == (("Type", "XLR-5"), ("Pins", "5"))


def test_a_table_whose_first_row_has_numbers_has_no_header() -> None:
    chunk = make_chunk("Supply | 24 V\nCurrent | 2 A")
    assert find_passages(chunk)[0].columns == (("", "Supply"), ("", "24 V"))


def test_a_sentence_over_two_cues_has_two_spans_and_two_quotes() -> None:
    text = "The budget was\n\n2\n00:04 --> 00:06\napproved today."
    first, second = text.index("The"), text.index("approved")
    blocks = (
        Block("cue", first, 14, time_start=1.0),
        Block("cue", second, len(text), time_start=4.0),
    )
    evidence = make_evidence("x")
    chunk = replace(make_chunk(text), blocks=blocks)
    evidence = replace(evidence, hit=replace(evidence.hit, chunk=chunk))
    (passage,) = find_passages(chunk)
    quotes = build_quotes(passage, evidence)
    assert passage.text == "The budget was approved today."
    assert [(q.text, q.time) for q in quotes] == [("The budget was", 1.0), ("approved today.", 4.0)]


def test_a_quote_has_the_doubts_about_its_own_words() -> None:
    text = "It needs 230 V ±5 %. It weighs 17 kg."
    read = Recognition(0.7, (Doubt("±5", "+5"), Doubt("17", "11")))
    chunk = replace(make_chunk(text), blocks=(Block("paragraph", 0, len(text), recognition=read),))
    evidence = make_evidence("x")
    evidence = replace(evidence, hit=replace(evidence.hit, chunk=chunk))
    quotes = [build_quotes(passage, evidence)[0] for passage in find_passages(chunk)]
    assert [quote.recognition for quote in quotes] == [
        Recognition(0.7, (Doubt("±5", "+5"),)),
        Recognition(0.7, (Doubt("17", "11"),)),
    ]


def test_a_sentence_over_a_page_break_has_a_quote_per_page() -> None:
    text = "The unit is\n\nred and round."
    blocks = (Block("paragraph", 0, 11, page=1), Block("paragraph", 13, 27, page=2))
    chunk = replace(make_chunk(text), blocks=blocks)
    evidence = make_evidence("x")
    evidence = replace(evidence, hit=replace(evidence.hit, chunk=chunk))
    (passage,) = find_passages(chunk)
    assert passage.text == "The unit is red and round."
    assert [(q.text, q.page) for q in build_quotes(passage, evidence)] == [
        ("The unit is", 1),
        ("red and round.", 2),
    ]


def test_a_row_at_the_end_of_a_chunk_is_whole() -> None:
    chunk = make_chunk("Type | Pins\n--- | ---\nXLR-5 | 5")
    table = replace(chunk.blocks[0], end=chunk.end + 9)
    rows = find_passages(replace(chunk, blocks=(table,)))
    assert not any(row.cut for row in rows)


def test_a_sentence_that_the_chunk_cuts_is_marked_as_cut() -> None:
    chunk = replace(
        make_chunk("of the unit is red. It is round. It has a"),
        blocks=(Block("paragraph", -10, 60),),
    )
    assert [passage.cut for passage in find_passages(chunk)] == [True, False, True]


def test_speech_without_full_stops_is_split_at_cues() -> None:
    text = "\n".join("> and then we went on to the next point of the list" for _ in range(20))
    passages = find_passages(make_chunk(text))
    assert len(passages) > 2
    assert all(len(passage.text) <= 320 for passage in passages)


@given(
    st.lists(st.sampled_from(["It is 5 V.", "a | b", "- item", "# Head", "> said", "", "x" * 9]))
)
def test_every_passage_consists_of_exact_slices(lines: list[str]) -> None:
    chunk = make_chunk("\n".join(lines) or "x", start=7)
    for passage in find_passages(chunk):
        for start, end in passage.spans:
            words = chunk.text[start - 7 : end - 7]
            assert words == words.strip() != ""


def test_rows_with_their_own_labels_need_no_header() -> None:
    chunk = make_chunk("Part: U6 | Price (EUR): 1.47\nPart: U7 | Price (EUR): 3.36")
    assert [list(row.columns) for row in find_passages(chunk)] == [
        [("Part", "U6"), ("Price (EUR)", "1.47")],
        [("Part", "U7"), ("Price (EUR)", "3.36")],
    ]


def test_labelled_lines_are_separate_passages() -> None:
    text = "Subject: End of life\nFrom: T. Zielak"
    chunk = replace(make_chunk(text), blocks=(Block("paragraph", 0, len(text)),))
    assert texts(chunk) == ["Subject: End of life", "From: T. Zielak"]


def test_the_items_of_a_typed_list_are_list_items() -> None:
    chunk = make_chunk(
        "On site:\na. within two hours. By boat;\nb. else within a day.\n5.3 Not on Sunday."
    )
    kinds = [(passage.kind, passage.text) for passage in find_passages(chunk)]
    assert kinds == [
        ("paragraph", "On site:"),
        ("list_item", "a. within two hours."),
        ("list_item", "By boat;"),
        ("list_item", "b. else within a day."),
        ("paragraph", "5.3 Not on Sunday."),
    ]


def test_a_numbered_line_without_an_opening_is_no_list_item() -> None:
    passages = find_passages(make_chunk("The scope is clear.\n1. Parties and their duties"))
    assert {passage.kind for passage in passages} == {"paragraph"}
