"""How the lines of a shown passage are laid out, and how an answer of passages is passed on."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import docx

from foundry.journeys.query_log import build_shown_answer
from foundry.messages import Message
from foundry.records import Conflict, ConflictSide, ExcerptLine, Filters, Quote, Sentence
from foundry.render.delivery.answer import render_answer_docx, render_answer_markdown
from foundry.render.excerpts import find_nearest_quotes, group_lines, mark_shared
from foundry.store.rows import decode_record, encode_record
from tests.render.samples import answer, evidence, excerpt, passages_answer, row
from tests.store.records import make_query

VIN = row(("Parameter", "Supply"), ("Min", "18"), ("Max", "32"))
IIN = row(("Parameter", "Current"), ("Typ", "190"), ("Max", "420"), nearest=True)


def test_rows_without_some_cells_stay_in_one_table() -> None:
    (table,) = group_lines([VIN, IIN])
    assert table.labels == ("Parameter", "Typ", "Min", "Max")
    assert [values for _, values in table.rows] == [
        ("Supply", "", "18", "32"), ("Current", "190", "", "420"),
    ]  # fmt: skip


def test_rows_of_columns_with_the_same_label_keep_all_their_cells() -> None:
    one, two = row(("", "a"), ("V", "1"), ("V", "2")), row(("", "b"), ("V", "3"), ("V", "4"))
    (table,) = group_lines([one, two])
    assert [values for _, values in table.rows] == [("a", "1", "2"), ("b", "3", "4")]


def test_what_opens_a_list_stands_before_its_items() -> None:
    opener = ExcerptLine("Do this:", (), context=True)
    items = [ExcerptLine(text, (), "list_item") for text in ("first", "second")]
    groups = group_lines([opener, *items])
    assert [(group.kind, len(group.lines)) for group in groups] == [
        ("paragraph", 1), ("list_item", 2),
    ]  # fmt: skip


def test_the_words_of_a_row_are_those_without_its_header() -> None:
    (quote,) = find_nearest_quotes([VIN, IIN])
    assert quote.text.startswith("Parameter: Current")


def test_a_value_is_marked_only_where_it_is_whole() -> None:
    parts = mark_shared("Replace fuses F1 by 1 A, not 1.6 A.", ("fuse", "1 A"), "en")
    assert [part.text for part in parts if part.marked] == ["fuses", "1 A"]


def test_a_stored_answer_of_passages_is_the_same_when_it_is_read() -> None:
    other = evidence("S2", "docs/other.pdf")
    shown = build_shown_answer(passages_answer(excerpt(same=(other,))))
    assert decode_record(type(shown), encode_record(shown)) == shown
    assert [source.id for source in shown.sources] == ["S1", "S2"]
    assert shown.passages[0].same == ("S2",)


def test_markdown_has_the_passages_with_the_nearest_line_in_bold() -> None:
    reason = Message("gate-unmentioned", names=["MTBF"])
    shown = build_shown_answer(passages_answer(excerpt(), excerpt(lines=(VIN, IIN))))
    text = render_answer_markdown(make_query("q", shown=replace(shown, reasons=(reason,))))
    assert "**Passages that come closest**" in text
    assert "No source mentions: MTBF." in text
    assert "3.2 Supply, p. xiv\n\n**The supply is 5 V.** It must not exceed 6 V." in text
    assert "| **Current** | **190** |  | **420** |" in text


def test_word_has_the_rows_of_a_passage_as_a_table() -> None:
    shown = build_shown_answer(passages_answer(excerpt(lines=(VIN, IIN))))
    data = render_answer_docx(make_query("q", shown=shown), "demo")
    cells = [
        cell.text for table in docx.Document(BytesIO(data)).tables for cell in table.row_cells(1)
    ]
    assert cells == ["Supply", "", "18", "32"]


def test_a_sentence_that_nobody_checked_is_marked_in_an_export() -> None:
    sentences = (Sentence("It is waterproof.", verified=False), *answer().sentences)
    text = render_answer_markdown(
        make_query("q", shown=build_shown_answer(answer(sentences=sentences)))
    )
    assert "It is waterproof. *(not verified)* The supply is 5 V." in text


def test_an_export_has_all_that_the_page_says_of_an_answer() -> None:
    sides = [ConflictSide("chk", f"{x}.md", Quote("S1", f"F1 is {x}", 0, 7)) for x in "ab"]
    conflict = Conflict("number", *sides, ("a", "b"), Message("verbatim", text="They differ."))
    said = Sentence("It is 7 V.", ("S1",), verified=False, computed=("4 + 3 = 7",))
    said = replace(said, objection=Message("verbatim", text="the source says 5 V"))
    made = answer(sentences=(said,), verdict="low_confidence", conflicts=(conflict,))
    made = replace(
        made,
        reasons=(Message("verbatim", text="Few passages."),),
        notices=(Message("verbatim", text="The index is partial."),),
        search=replace(made.search, filters=Filters(types=("pdf",))),
    )
    shown = build_shown_answer(made)
    record = make_query("q", shown=shown, verdict="low_confidence")
    changed = (Message("answer-source-changed", sources=["Sheet"]),)
    text = render_answer_markdown(record, changed)
    document = docx.Document(BytesIO(render_answer_docx(record, "demo", changed)))
    printed = "\n".join(paragraph.text for paragraph in document.paragraphs)
    for words in (
        "Low confidence: check the quotes",
        "Few passages.",
        "They differ.",
        "not verified: the source says 5 V",
        "The sources contradict each other",
        "4 + 3 = 7",
        "The index is partial.",
        "Changed since this answer: Sheet.",
        "type=pdf",
        record.time.astimezone().strftime("%Y-%m-%d"),
    ):
        assert words in text.replace("\\", ""), words
        assert words in printed, words
