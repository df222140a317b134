"""What a specification asks of each section, found in its own lines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from foundry.craft.outline import SectionOutline, outline_sections, split_items

TEXT = """# Wiring guide

## Purpose

One document of a few pages for an electrical installer who wires the controller for the first time in a theatre or a museum, and who has no other paper at hand.

## Scope

- Supply: voltage range and the input fuse.
- Testing the lines after power-on.
- Mounting: where to put it.

Not in scope: the supply of other products.

## Requirements

- Every value carries its source.
- Language: English.
"""


def wants(*sections: str, text: str = TEXT) -> list[tuple[str, ...]]:
    return [section.wants for section in outline_sections(sections, text, "The controller")]


def test_a_line_goes_to_the_section_whose_words_it_shares() -> None:
    assert wants("Supply", "Test") == [
        ("voltage range and the input fuse.",),
        ("Testing the lines after power-on.",),
    ]


def test_a_line_goes_to_the_section_that_it_begins_with() -> None:
    text = "## Scope\n\n- Files: the supply that CityGML names.\n"
    assert wants("Supply", "Files", text=text) == [(), ("the supply that CityGML names.",)]


def test_lines_out_of_scope_are_not_searched_for() -> None:
    assert not any("other products" in line for line in wants("Supply")[0])


def test_lines_on_style_are_not_searched_for() -> None:
    assert wants("Value", "Language") == [(), ()]


def test_what_the_whole_document_is_for_is_asked_of_no_section() -> None:
    text = "## Purpose\n\nThe price for an investor.\n\n## Scope\n\n- The price per piece.\n"
    assert wants("Price", text=text) == [("The price per piece.",)]


def test_a_compound_matches_by_its_part() -> None:
    text = "Wat er in moet:\n\n- De hoogste temperatuur van het apparaat.\n"
    assert wants("Omgevingstemperatuur", "Prijzen", text=text) == [
        ("De hoogste temperatuur van het apparaat.",),
        (),
    ]


def test_meaning_decides_if_no_word_is_shared() -> None:
    def similar(_: str, others: Sequence[str]) -> Sequence[float]:
        return [0.9 if other == "Assembly" else 0.5 for other in others]

    found = outline_sections(("Assembly", "Prices"), "- Where to put the unit.", "x", similar)
    assert found[0].wants == ("Where to put the unit.",)


def test_a_tie_between_two_sections_assigns_nothing() -> None:
    found = outline_sections(("A b", "C d"), "- Where to put it.", "x", lambda _, o: [0.8] * len(o))
    assert [one.wants for one in found] == [(), ()]


def test_under_a_generic_title_the_topic_is_searched_for() -> None:
    overview, supply = outline_sections(("1 Overview", "Supply"), "", "The LC-512")
    assert overview.queries == ("The LC-512",)
    assert supply == SectionOutline("Supply")


def test_every_section_is_listed_in_order_even_without_text() -> None:
    titles = ("C", "A", "B")
    assert tuple(section.title for section in outline_sections(titles, "", "x")) == titles


def test_a_comment_of_the_template_is_not_searched_for() -> None:
    text = "- The fuse.\n\n<!-- What must be in it,\nand what supply. -->\n"
    assert wants("Supply", "Fuse", text=text) == [(), ("The fuse.",)]


def test_lines_under_requirements_say_how_to_write() -> None:
    text = "## Requirements\n\n- Supply: values with units.\n\n## Scope\n\n- Supply: the fuse.\n"
    assert wants("Supply", text=text) == [("the fuse.",)]


@pytest.mark.parametrize(
    ("line", "items"),
    [
        ("Supply: voltage, current and the fuse.", ("voltage", "current", "the fuse")),
        ("Supply: voltage; current, and fuse", ("voltage", "current", "fuse")),
        ("The cause and effect of a fault", ("The cause and effect of a fault",)),
        ("Waarde: spanning, stroom en zekering", ("spanning", "stroom", "zekering")),
    ],
)
def test_a_line_is_split_into_the_items_it_lists(line: str, items: tuple[str, ...]) -> None:
    assert split_items(line) == items
