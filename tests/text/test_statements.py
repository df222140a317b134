"""Which parts of a document are statements, what they cite, and why the rest is skipped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from foundry.records import DocumentName, DocumentStatement, Quote, SkippedText, Source
from foundry.text.references import (
    build_source_names,
    find_cited_pages,
    find_named_source,
    has_cited_page,
)
from foundry.text.statements import OPENS_LIST, TOO_LONG, find_statements
from tests.craft.samples import make_hit
from tests.readers.sample_files import read_file

CONTRADICTION = "reports a contradiction between sources"


def found(
    folder: Path, text: str, name: str = "a.md"
) -> tuple[list[DocumentStatement], list[SkippedText]]:
    claimed, skipped = find_statements(read_file(folder, name, text, as_written=True), "en")
    return list(claimed), list(skipped)


def texts(folder: Path, text: str, name: str = "a.md") -> list[str]:
    return [statement.text for statement in found(folder, text, name)[0]]


def reasons(folder: Path, text: str) -> list[str]:
    return [str(skipped.reason) for skipped in found(folder, text)[1]]


def test_sentences_come_without_markup_and_with_their_line_and_section(tmp_path: Path) -> None:
    text = (
        "# Part\n\n## Power\n\nIt runs on **24 V**, see [the guide](g.md).\nIt is\n`on` always.\n"
    )
    first, second = found(tmp_path, text)[0]
    assert (first.text, first.line) == ("It runs on 24 V, see the guide.", 5)
    assert (second.text, second.line) == ("It is on always.", 6)
    assert second.section == "Power"
    assert second.subject == first.text


def test_offsets_span_the_words_in_the_file(tmp_path: Path) -> None:
    text = "# Part\n\nFive volts are **there**. Then it *stops*.\n"
    spans = [text[one.start : one.end] for one in found(tmp_path, text)[0]]
    assert spans == ["Five volts are **there**.", "Then it *stops*."]


def test_an_item_that_is_not_a_sentence_gets_the_introduction_of_its_list(tmp_path: Path) -> None:
    text = "The box has the following:\n\n- a door\n- Its lid is made of steel.\n"
    assert texts(tmp_path, text) == ["The box has: a door", "Its lid is made of steel."]
    assert reasons(tmp_path, text) == [str(OPENS_LIST)]


def test_an_item_may_introduce_a_nested_list(tmp_path: Path) -> None:
    text = "The box has:\n\n- Supply:\n  - 24 V\n- a door\n"
    assert texts(tmp_path, text) == ["The box has Supply: 24 V", "The box has: a door"]


def test_lines_of_plain_text_may_be_items(tmp_path: Path) -> None:
    text = "The box has:\n- a door\n- a lid\n"
    assert texts(tmp_path, text, "a.txt") == ["The box has: a door", "The box has: a lid"]


@pytest.mark.parametrize(
    ("header", "row", "statement"),
    [
        ("| Part | Colour |", "| lid | red |", "lid; Colour: red"),
        ("| Terminal | Voltage (V) |", "| X1 | 24 |", "Terminal: X1; Voltage: 24 V"),
        ("| Parameter | Max | Unit |", "| Supply | 32 | V |", "Supply; Max: 32 V"),
        ("| Parameter | Max | Unit |", "| Mode | auto | - |", "Mode; Max: auto; Unit: -"),
    ],
)
def test_a_row_gets_its_header_and_units(
    tmp_path: Path, header: str, row: str, statement: str
) -> None:
    rule = "|---" * (header.count("|") - 1) + "|"
    assert texts(tmp_path, f"{header}\n{rule}\n{row}\n") == [statement]
    assert reasons(tmp_path, f"{header}\n{rule}\n{row}\n") == ["table header"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("# Title\n", "heading"),
        ("```\n5 V\n```\n", "code"),
        ("---\ntitle: x\nsources:\n- a.md\n---\n\nText is here.\n", "front matter"),
        ("It is so.[^1]\n\n[^1]: a.pdf\n\n    > quote of 5 V\n", "footnote"),
        ("It is so.\n\nSources:\n- S1 a.pdf, p. 3\n", "source list"),
        ("Het is zo.\n\n## Bronnen\n\n- a.pdf, p. 3\n", "source list"),
        ("## Contents\n\n- [One](#one)\n\n## One\n\nIt is so.\n", "table of contents"),
        ("1 Power ......... 12\n", "table of contents"),
        ("Is it so?\n", "question"),
        ("https://example.com/a?b=1\n", "link"),
        ("[a link](https://example.com)\n", "link"),
        (
            "No supporting documentation found in indexed sources.\n",
            "says that evidence is missing",
        ),
        ("Warning.\n", "single word"),
        ("> **Sources contradict each other.** a says “1 A”; b says “2 A”.\n", CONTRADICTION),
        ("> **Vervangen.** a zegt “1 A”; b zegt “2 A”. De tweede geldt.\n", CONTRADICTION),
        ("> WEINIG ZEKERHEID — beperkte brondekking.\n", "flags a section of low confidence"),
    ],
)
def test_other_parts_are_skipped_with_a_reason(tmp_path: Path, text: str, reason: str) -> None:
    assert reason in reasons(tmp_path, text)


def test_a_persons_words_about_a_contradiction_are_a_statement(tmp_path: Path) -> None:
    text = "Sources contradict each other. The manual has 1 A.\n"
    assert texts(tmp_path, text)[-1] == "The manual has 1 A."


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        ("[^1]", "manual.pdf §3.2, p. 14"),
        ("[S1]", "manual.pdf, p. 2"),
        ("【S1】", "manual.pdf, p. 2"),
        ("[1]", "other.pdf"),
        ("[source: Manual (rev. B), p. 3]", "Manual (rev. B), p. 3"),
        ("(bron: Handleiding, p. 3)", "Handleiding, p. 3"),
        ("[9]", ""),
    ],
)
@pytest.mark.parametrize(
    "form", ["It runs on 24 V {}.", "It runs on 24 V.{}", "It runs {}on 24 V."]
)
def test_a_mark_is_removed_and_kept_as_a_reference(
    tmp_path: Path, mark: str, words: str, form: str
) -> None:
    notes = "Sources:\n- S1 manual.pdf, p. 2\n- [1] other.pdf\n\n[^1]: manual.pdf §3.2, p. 14\n"
    first = found(tmp_path, f"{form.format(mark)} And so on it goes.\n\n{notes}")[0][0]
    assert first.text == "It runs on 24 V."
    assert [reference.words for reference in first.references] == [words]


def test_a_mark_that_opens_a_line_belongs_to_the_sentence_after_it(tmp_path: Path) -> None:
    text = "One is so.\n\n[source: a.pdf] Two is so.\n"
    one, two = found(tmp_path, text)[0]
    assert (one.references, two.references[0].words) == ((), "a.pdf")


@pytest.mark.parametrize(
    "text",
    [
        'It says "go." [S1] So it does.',
        'It says "go [S1]." So it does.',
        'It says "go."\n[S1] So it does.',
    ],
)
def test_a_mark_beside_the_punctuation_belongs_to_the_sentence_before(
    tmp_path: Path, text: str
) -> None:
    one, two = found(tmp_path, f"{text}\n\nSources:\n- S1 a.pdf\n")[0]
    assert (one.text, two.text) == ('It says "go."', "So it does.")
    assert ([cited.words for cited in one.references], two.references) == (["a.pdf"], ())


def test_a_paragraph_that_opens_with_a_mark_has_its_marks_before_its_lines(tmp_path: Path) -> None:
    text = "[S1] One is so.\n[S2] Two is so.\n\nSources:\n- S1 a.pdf\n- S2 b.pdf\n"
    cited = [statement.references[0].words for statement in found(tmp_path, text)[0]]
    assert cited == ["a.pdf", "b.pdf"]


def test_an_array_index_is_not_a_citation(tmp_path: Path) -> None:
    (only,) = found(tmp_path, "Read word[1] of the frame.\n")[0]
    assert (only.text, only.references) == ("Read word[1] of the frame.", ())


def test_a_mark_in_a_cell_does_not_move_its_row(tmp_path: Path) -> None:
    text = "| Part | Max (V) |\n|---|---|\n| lid | 5 [S1] |\n\nSources:\n- S1 a.pdf\n"
    (row,) = found(tmp_path, text)[0]
    assert (row.text, row.references[0].words) == ("lid; Max: 5 V", "a.pdf")


def named(words: str) -> str | None:
    sources: list[Source] = [
        make_hit("x", source=path, title=title).source
        for path, title in (("sources/ds_rev-A.pdf", "Data sheet"), ("sources/ds_rev-AB.pdf", "X"))
    ]
    return find_named_source(words, build_source_names(sources))


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("ds_rev-A.pdf §3.2, p. 14", "sources/ds_rev-A.pdf"),
        ("see DS_REV-AB.PDF", "sources/ds_rev-AB.pdf"),
        ("Data sheet, p. 3", "sources/ds_rev-A.pdf"),
        ("sources/ds_rev-AB.pdf", "sources/ds_rev-AB.pdf"),
        ("Data sheets, p. 3", None),
        ("", None),
    ],
)
def test_a_source_is_recognised_by_path_file_name_or_title(words: str, path: str | None) -> None:
    assert named(words) == path


def test_a_text_full_of_marks_is_parsed_in_linear_time(tmp_path: Path) -> None:
    text = f"It is so {'[^note-with-a-long-name]' * 2000} and more.\n"
    (only,) = found(tmp_path, text)[0]
    assert only.text == "It is so and more."


def test_a_statement_without_end_is_cut_and_the_rest_listed(tmp_path: Path) -> None:
    statements, skipped = found(tmp_path, "relay and lamp, " * 1_000)
    assert [len(one.text) for one in statements] == [1_999]
    assert [one.reason for one in skipped] == [TOO_LONG]
    assert skipped[0].text.startswith("relay and lamp, relay")


def test_a_cell_and_a_word_without_end_are_cut_too(tmp_path: Path) -> None:
    text = f"| Name | Value |\n|---|---|\n| Relay | {'5' * 9_000} |\n"
    assert [len(words) for words in texts(tmp_path, text)] == [2_000]


def test_items_keep_their_words_below_an_opening_without_end(tmp_path: Path) -> None:
    statements = texts(tmp_path, f"The box {'really ' * 500}has:\n\n- a door\n- a lid\n")
    assert [words.rsplit(": ", 1)[1] for words in statements] == ["a door", "a lid"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It runs on 24 V (manual.pdf, p. 14).", "manual.pdf, p. 14"),
        ("It runs on 24 V (see page 3).", "see page 3"),
        ("It runs, p. B-3, on 24 V.", "p. B-3"),
    ],
)
def test_a_page_in_a_sentence_is_a_citation(tmp_path: Path, text: str, words: str) -> None:
    (only,) = found(tmp_path, text)[0]
    assert (only.text, only.references[0].words) == ("It runs on 24 V.", words)


def test_a_source_is_recognised_by_a_name_that_only_its_front_has() -> None:
    first, second = (make_hit("x", source=f"sources/{name}.pdf").source for name in "ab")
    shared = DocumentName("LC-512", "identifier", place="front")
    own = DocumentName("SB-2026-02", "identifier", place="front")
    names = build_source_names(
        [replace(first, names=(shared,)), replace(second, names=(shared, own))]
    )
    assert find_named_source("Bulletin SB-2026-02", names) == "sources/b.pdf"
    assert find_named_source("the LC-512 guide", names) is None


@pytest.mark.parametrize(
    ("words", "pages"),
    [
        ("a.pdf, pp. 3-5", (("3", "5"),)),
        ("a.pdf, blz. 4 en p. B-3", (("4", "4"), ("B-3", "B-3"))),
        ("a.pdf §3.2", ()),
    ],
)
def test_the_pages_of_a_citation_are_read(words: str, pages: tuple[tuple[str, str], ...]) -> None:
    assert find_cited_pages(words) == pages


@pytest.mark.parametrize(
    ("words", "page", "label", "cited"),
    [
        ("p. B-3", 4, "B-3", True),
        ("p. B-1", 4, "B-3", False),
        ("p. 4", 4, "B-3", True),
        ("p. 3", 4, "2", False),
        ("pp. 3-5", 4, None, True),
        ("p. 5", 4, None, False),
        ("p. 2", 4, None, True),
        ("p. 12", 30, None, False),
        ("p. 3", None, None, True),
    ],
)
def test_a_quote_is_on_the_cited_page_or_not(
    words: str, page: int | None, label: str | None, cited: bool
) -> None:
    quote = Quote("S1", "x", 0, 1, page=page, page_label=label)
    assert has_cited_page(find_cited_pages(words), quote, 40) is cited
