"""Word's automatic numbers are those that Word shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readers.office_files import (
    HEADING_STYLES,
    item,
    level,
    list_headings,
    numbering,
    paragraph,
    read_body,
    texts,
)

DECIMAL = (
    level(0, "%1", more='<w:pStyle w:val="Kop1"/>'),
    level(1, "%1.%2", more='<w:pStyle w:val="Kop2"/>'),
    level(2, "%1.%2.%3", more='<w:pStyle w:val="Kop3"/>'),
)


def number(number_id: int, *overrides: str) -> str:
    return f'<w:num w:numId="{number_id}"><w:abstractNumId w:val="0"/>{"".join(overrides)}</w:num>'


def restart(index: int, value: int = 1) -> str:
    return f'<w:lvlOverride w:ilvl="{index}"><w:startOverride w:val="{value}"/></w:lvlOverride>'


def test_heading_styles_are_numbered_through_their_list(tmp_path: Path) -> None:
    body = "".join(
        paragraph(text, style)
        for text, style in (
            ("Algemeen", "Kop1"),
            ("Doel", "Kop2"),
            ("Onderhoud", "Kop1"),
            ("Veiligheid", "Kop2"),
            ("Intervals", "Kop2"),
            ("Dagelijks", "Kop3"),
            ("Slot", "Kop1"),
        )
    )
    document = read_body(tmp_path, body, styles=HEADING_STYLES, numbering=numbering(*DECIMAL))
    assert list_headings(document) == [
        "1 Algemeen", "1.1 Doel", "2 Onderhoud", "2.1 Veiligheid", "2.2 Intervals",
        "2.2.1 Dagelijks", "3 Slot",
    ]  # fmt: skip


def test_the_path_of_a_paragraph_names_all_its_sections(tmp_path: Path) -> None:
    body = paragraph("Onderhoud", "Kop1") + paragraph("Intervals", "Kop2") + paragraph("Elk jaar.")
    document = read_body(tmp_path, body, styles=HEADING_STYLES, numbering=numbering(*DECIMAL))
    assert document.blocks[-1].heading_path == ("1 Onderhoud", "1.1 Intervals")
    assert document.blocks[-1].page is None


def test_the_level_linked_to_a_style_wins_over_the_level_in_the_style(tmp_path: Path) -> None:
    wrong = HEADING_STYLES.replace('<w:ilvl w:val="1"/>', '<w:ilvl w:val="0"/>')
    body = paragraph("A", "Kop1") + paragraph("B", "Kop2")
    document = read_body(tmp_path, body, styles=wrong, numbering=numbering(*DECIMAL))
    assert list_headings(document) == ["1 A", "1.1 B"]


def test_a_custom_style_inherits_level_and_number_from_its_base_style(
    tmp_path: Path,
) -> None:
    own = (
        '<w:style w:type="paragraph" w:styleId="Mijn"><w:name w:val="Mijn kop"/>'
        '<w:basedOn w:val="Kop2"/></w:style>'
    )
    body = paragraph("A", "Kop1") + paragraph("B", "Mijn")
    document = read_body(tmp_path, body, styles=HEADING_STYLES + own, numbering=numbering(*DECIMAL))
    assert list_headings(document) == ["1 A", "1.1 B"]
    assert document.blocks[1].level == 2


def test_number_zero_removes_a_heading_from_the_numbering(tmp_path: Path) -> None:
    none = '<w:numPr><w:numId w:val="0"/></w:numPr>'
    body = paragraph("A", "Kop1") + paragraph("Voorwoord", "Kop1", none) + paragraph("B", "Kop1")
    document = read_body(tmp_path, body, styles=HEADING_STYLES, numbering=numbering(*DECIMAL))
    assert list_headings(document) == ["1 A", "Voorwoord", "2 B"]


def test_an_empty_numbered_heading_counts_but_gives_no_block(tmp_path: Path) -> None:
    body = paragraph("A", "Kop1") + paragraph("", "Kop1") + paragraph("C", "Kop1")
    document = read_body(tmp_path, body, styles=HEADING_STYLES, numbering=numbering(*DECIMAL))
    assert list_headings(document) == ["1 A", "3 C"]


def test_a_skipped_level_shows_its_start_value_and_counts_as_used(tmp_path: Path) -> None:
    body = paragraph("A", "Kop1") + paragraph("B", "Kop3") + paragraph("C", "Kop2")
    document = read_body(tmp_path, body, styles=HEADING_STYLES, numbering=numbering(*DECIMAL))
    assert list_headings(document) == ["1 A", "1.1.1 B", "1.2 C"]


def test_a_start_override_restarts_the_count_once(tmp_path: Path) -> None:
    part = numbering(level(0, "%1."), numbers=number(1) + number(2, restart(0, 5)))
    body = item("a", 1) + item("b", 1) + item("c", 2) + item("d", 2) + item("e", 1)
    document = read_body(tmp_path, body, numbering=part)
    assert texts(document) == ["1. a", "2. b", "5. c", "6. d", "7. e"]


def test_lists_of_one_definition_continue_each_other(tmp_path: Path) -> None:
    part = numbering(level(0, "%1)"), numbers=number(1) + number(2))
    body = item("a", 1) + paragraph("tussen") + item("b", 2)
    assert texts(read_body(tmp_path, body, numbering=part)) == ["1) a", "tussen", "2) b"]


def test_deeper_levels_restart_unless_switched_off(tmp_path: Path) -> None:
    never = level(1, "(%2)", more='<w:lvlRestart w:val="0"/>')
    part = numbering(level(0, "%1."), never, level(2, "%3)", "lowerLetter"))
    body = "".join(item("x", 1, at) for at in (0, 1, 2, 2, 0, 1, 2))
    shown = [text.split()[0] for text in texts(read_body(tmp_path, body, numbering=part))]
    assert shown == ["1.", "(1)", "a)", "b)", "2.", "(2)", "a)"]


@pytest.mark.parametrize(
    ("form", "start", "shown"),
    [
        ("upperRoman", 4, "IV"),
        ("lowerRoman", 9, "ix"),
        ("upperLetter", 28, "BB"),
        ("lowerLetter", 3, "c"),
        ("decimalZero", 7, "07"),
    ],
)
def test_counters_use_their_format(tmp_path: Path, form: str, start: int, shown: str) -> None:
    part = numbering(level(0, "%1.", form, start=start))
    assert texts(read_body(tmp_path, item("x", 1), numbering=part)) == [f"{shown}. x"]


def test_legal_numbering_writes_every_level_in_digits(tmp_path: Path) -> None:
    part = numbering(level(0, "%1", "upperRoman"), level(1, "%1.%2", more="<w:isLgl/>"))
    body = item("a", 1) + item("b", 1, 1)
    assert texts(read_body(tmp_path, body, numbering=part)) == ["I a", "1.1 b"]


def test_a_word_before_the_number_is_part_of_it(tmp_path: Path) -> None:
    part = numbering(level(0, "Artikel %1:", more='<w:pStyle w:val="Kop1"/>'))
    document = read_body(tmp_path, paragraph("Duur", "Kop1"), styles=HEADING_STYLES, numbering=part)
    assert list_headings(document) == ["Artikel 1: Duur"]


def test_an_unknown_format_gives_no_number_and_a_warning(tmp_path: Path) -> None:
    part = numbering(level(0, "%1", "ordinalText", more='<w:pStyle w:val="Kop1"/>'))
    document = read_body(tmp_path, paragraph("A", "Kop1"), styles=HEADING_STYLES, numbering=part)
    assert list_headings(document) == ["A"]
    assert "unknown format" in str(document.warnings[0])


def test_a_link_to_a_numbering_style_is_followed(tmp_path: Path) -> None:
    part = (
        f'<w:abstractNum w:abstractNumId="0">{level(0, "%1.")}<w:styleLink w:val="S"/></w:abstractNum>'
        '<w:abstractNum w:abstractNumId="7"><w:numStyleLink w:val="S"/></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
    )
    assert texts(read_body(tmp_path, item("a", 1), numbering=part)) == ["1. a"]


def test_an_override_may_replace_a_level(tmp_path: Path) -> None:
    own = f'<w:lvlOverride w:ilvl="0">{level(0, "%1)", "upperLetter")}</w:lvlOverride>'
    part = numbering(level(0, "%1."), numbers=number(1, own))
    assert texts(read_body(tmp_path, item("a", 1), numbering=part)) == ["A) a"]


def test_a_bullet_from_a_symbol_font_becomes_a_common_one(tmp_path: Path) -> None:
    part = numbering(level(0, "\uf0b7", "bullet"))
    document = read_body(tmp_path, item("punt", 1), numbering=part)
    assert texts(document) == ["• punt"]
    assert document.blocks[0].kind == "list_item"


def test_a_paragraph_whose_end_is_deleted_does_not_count(tmp_path: Path) -> None:
    gone = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
        "<w:rPr><w:del/></w:rPr></w:pPr><w:del><w:r><w:delText>weg</w:delText></w:r></w:del></w:p>"
    )
    body = item("a", 1) + gone + item("b", 1)
    document = read_body(tmp_path, body, numbering=numbering(level(0, "%1.")))
    assert texts(document) == ["1. a", "2. b"]


def test_lists_in_text_boxes_do_not_disturb_the_body(tmp_path: Path) -> None:
    box = f"<w:p><w:r><w:pict><v:textbox><w:txbxContent>{item('box', 1)}</w:txbxContent></v:textbox></w:pict></w:r></w:p>"
    body = item("a", 1) + box + item("b", 1)
    document = read_body(tmp_path, body, numbering=numbering(level(0, "%1.")))
    assert texts(document) == ["1. a", "1. box", "2. b"]


def test_a_heading_moved_to_another_list_keeps_the_level_of_its_style(tmp_path: Path) -> None:
    part = numbering(*DECIMAL, numbers=number(1) + number(2))
    moved = '<w:numPr><w:numId w:val="2"/></w:numPr>'
    body = paragraph("A", "Kop1") + paragraph("B", "Kop2", moved)
    document = read_body(tmp_path, body, styles=HEADING_STYLES, numbering=part)
    assert list_headings(document) == ["1 A", "1.1 B"]


def test_a_level_can_restart_after_one_level_only(tmp_path: Path) -> None:
    picky = level(2, "%3)", more='<w:lvlRestart w:val="1"/>')
    part = numbering(level(0, "%1."), level(1, "%2."), picky)
    body = "".join(item("x", 1, at) for at in (0, 2, 1, 2, 0, 2))
    shown = [text.split()[0] for text in texts(read_body(tmp_path, body, numbering=part))]
    assert shown == ["1.", "1)", "2.", "2)", "2.", "1)"]
