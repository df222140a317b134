"""What counts as a contradiction between two sources, and what only looks like one."""

from __future__ import annotations

import pytest

from bench.conflicts import GLOSSARY, count, judge, read_pairs
from bench.plain_texts import find_contradiction
from foundry.craft.conflicts import find_conflicts, merge_conflicts
from foundry.craft.conflicts import find_contradiction as compare_quotes
from foundry.records import Conflict, Evidence
from foundry.text.passages import build_quotes, find_passages
from tests.craft.samples import make_evidence

TABLE = "Parameter | Min | Max | Unit\n"


def evidence(*texts: str, language: str = "en") -> list[Evidence]:
    """Each text as a separate source: S1, S2, …"""
    return [
        make_evidence(text, f"S{number}", source=f"{number}.md", title="", language=language)
        for number, text in enumerate(texts, 1)
    ]


def found(*texts: str) -> tuple[Conflict, ...]:
    return find_conflicts(evidence(*texts))


def test_the_labelled_pairs_keep_their_figures() -> None:
    figures = count(judge(read_pairs()))
    assert figures.conflicts + figures.agreeing >= 150
    assert figures.precision is not None
    assert figures.precision == 1.0
    assert figures.recall is not None
    assert figures.recall >= 0.88


def test_a_conflict_quotes_the_exact_words_of_both_sources() -> None:
    items = evidence("The pump is new. The supply voltage is 24 V.", "The supply voltage is 12 V.")
    (conflict,) = find_conflicts(items)
    for side, item in ((conflict.a, items[0]), (conflict.b, items[1])):
        assert item.hit.chunk.text[side.quote.start : side.quote.end] == side.quote.text
        assert side.chunk_id == item.hit.chunk.id
    assert (conflict.kind, conflict.values) == ("number", ("24 V", "12 V"))


def test_a_size_may_differ_in_each_direction() -> None:
    (conflict,) = found(
        "The box is 105 mm wide and 90 mm high.", "The box is 110 mm wide and 95 mm high."
    )
    assert conflict.values == ("105 mm, 90 mm", "110 mm, 95 mm")
    (conflict,) = found("The box measures 105 x 90 x 58 mm.", "The box measures 110 x 95 x 58 mm.")
    assert conflict.values == ("105, 90", "110, 95")


SUPPLY = "The housing is black. The supply voltage is {} V. It has a fuse of {} A."


def test_quotes_limit_the_conflicts_to_those_they_are_in() -> None:
    items = evidence(SUPPLY.format(24, 2), SUPPLY.format(12, 4))
    first, second = find_conflicts(items)
    assert find_conflicts(items, quotes=[first.b.quote]) == (first,)
    assert find_conflicts(items, quotes=[second.a.quote]) == (second,)
    assert find_conflicts(items, quotes=[]) == ()


def test_the_quoted_lines_of_a_document_have_all_its_conflicts() -> None:
    for pair in read_pairs():
        items = evidence(pair.a, pair.b, language="en")
        quotes = [conflict.a.quote for conflict in find_conflicts(items)]
        assert find_conflicts(items, quotes=quotes) == find_conflicts(items)


def test_two_places_in_one_source_do_not_conflict() -> None:
    text = "The supply voltage is 24 V."
    other = make_evidence("The supply voltage is 12 V.", "S2", source="1.md", start=100)
    assert find_conflicts([make_evidence(text, "S1", source="1.md"), other]) == ()


def test_a_conflict_repeated_in_a_copy_is_reported_once() -> None:
    assert (
        len(found("The delay is 5 s long.", "The delay is 9 s long.", "The delay is 9 s long."))
        == 1
    )


def test_rows_are_compared_column_by_column() -> None:
    (conflict,) = found(
        f"{TABLE}Logic supply | 3.1 | 3.5 | V", f"{TABLE}Logic supply | 3.1 | 3.6 | V"
    )
    assert conflict.values == ("3.5 V", "3.6 V")
    assert "Logic supply" in str(conflict.reason)


def test_a_row_is_compared_with_prose() -> None:
    row = "| Parameter | Max | Unit |\n| Inrush current | 1.9 | A |"
    assert find_contradiction(row, "The maximum inrush current is 3.1 A.") is not None
    assert find_contradiction(row, "The maximum inrush current is 1900 mA.") is None


def test_quoted_rows_keep_the_labels_of_their_tables() -> None:
    one = f"{TABLE}Logic supply | 3.1 | 3.5 | V"
    sides = evidence(one, one.replace("3.5", "3.6"))
    rows = [find_passages(side.hit.chunk)[-1] for side in sides]
    quotes = [build_quotes(row, side)[0] for row, side in zip(rows, sides, strict=True)]
    conflict = compare_quotes(sides, quotes)
    assert conflict is not None
    assert conflict.values == ("3.5 V", "3.6 V")


def test_an_absolute_limit_is_not_an_operating_value() -> None:
    limits = "# Absolute maximum ratings\nSupply voltage: at most 36 V"
    working = "# Operating conditions\nSupply voltage: at most 32 V"
    assert found(limits, working) == ()


def test_a_label_under_another_heading_means_another_thing() -> None:
    assert found("# Pump\nWeight: 12 kg", "# Motor\nWeight: 30 kg") == ()
    assert found("# Pump\nWeight: 12 kg", "# Pump\nWeight: 30 kg") != ()


def titled(one: str, other: str, first: str, second: str, *, place: str = "s") -> bool:
    """Whether two texts conflict in sources with these titles."""
    items = [
        make_evidence(text, f"S{number}", source=f"{place}/{number}/README.md", title=title)
        for number, (title, text) in enumerate(((one, first), (other, second)), 1)
    ]
    return bool(find_conflicts(items))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("LC-512 manual", "LC-512 data sheet", True),
        ("LC-512 manual", "LC-128 manual", False),
        ("ESP32-PICO-MINI-02 module", "ESP32 chip", False),
        ("lc512 manual", "LC128 manual", False),
        ("Pump manual", "Pump", True),
        ("Pump manual", "Motor manual", False),
        ("Pump, Rev. A", "Pump, Rev. B", True),
        ("Cooling fan", "Solenoid", False),
        ("Pump report Q1 2025", "Pump report Q2 2025", False),
    ],
)
def test_only_sources_about_one_thing_are_compared(one: str, other: str, same: bool) -> None:
    assert titled(one, other, "The supply voltage is 24 V.", "The supply voltage is 12 V.") is same
    assert titled(one, other, "Supply voltage: 24 V", "Supply voltage: 12 V") is same
    rows = (f"{TABLE}Supply voltage | 3.1 | {most} | V" for most in ("3.5", "3.6"))
    assert titled(one, other, *rows) is same


def test_sources_on_two_things_conflict_in_sentences_that_name_one() -> None:
    one, other = "The DX-4 is rated at 24 V.", "The DX-4 is rated at 12 V."
    assert titled("Office guide", "Workshop", one, other)
    assert not titled("Office guide", "Workshop", "Price: USD 20.00", "Price: USD 30.00")


def test_the_versions_and_dates_of_two_documents_do_not_conflict() -> None:
    assert found("Version: 1.0", "Version: 1.1") == ()
    assert found("Date: 5 May 2025", "Date: 6 May 2025") == ()


def test_facts_of_two_accounting_periods_do_not_conflict() -> None:
    said = "There were no changes to the market risk during the first nine months of {}."
    assert found(said.format(2023), said.format(2022)) == ()


def test_rows_of_a_name_that_a_source_has_twice_do_not_conflict() -> None:
    header, one, other = "Name | Typical | Unit\n", "Gain | 3 | dB", "Gain | 9 | dB"
    assert found(f"{header}{one}", f"{header}{other}") != ()
    assert found(f"{header}{one}\n{other}", f"{header}Gain | 7 | dB") == ()


def test_a_sentence_that_the_other_source_has_too_is_no_rival() -> None:
    one, other = "The delay of the hub is 5 s.", "The delay of the hub is 9 s."
    assert found(one, other) != ()
    assert found(f"{one} {other}", other) == ()


def test_a_row_with_another_name_and_value_is_another_part() -> None:
    header = "Item | Maker | Weight (g)\n"
    assert found(f"{header}A1 | Uflow | 12", f"{header}A1 | Noiseblocker | 40") == ()
    assert found(f"{header}A1 | Uflow | 12", f"{header}A1 | Uflow | 40") != ()


def test_without_a_glossary_labels_in_two_languages_are_not_matched() -> None:
    assert find_contradiction("Voedingsspanning: 24 V", "Supply voltage: 12 V") is None


def test_dutch_and_english_labels_are_matched_by_the_glossary() -> None:
    conflict = find_contradiction("Voedingsspanning: 24 V", "Supply voltage: 12 V", GLOSSARY)
    assert conflict is not None
    assert conflict.values == ("24 V", "12 V")


def test_a_tolerance_is_no_value_of_its_own() -> None:
    conflict = find_contradiction("Supply voltage: 24 V ± 10 %", "Supply voltage: 12 V")
    assert conflict is not None
    assert conflict.values == ("24 V", "12 V")


def test_lines_of_programs_do_not_conflict() -> None:
    assert find_contradiction("max_speed = 30", "max_speed = 50") is None


def test_a_part_is_recognised_by_its_other_measures() -> None:
    dutch = "Vervang de zekering door hetzelfde type: 5 x 20 mm, T 1 A, 250 V."
    english = "Replace F1 by a fuse of T 1.6 A, 250 V, 5 x 20 mm."
    conflict = find_contradiction(dutch, english, GLOSSARY)
    assert conflict is not None
    assert conflict.values == ("1 A", "1.6 A")


@pytest.mark.parametrize(
    "text", ["", "   \n", "\x00\x07", "|||\n||", "24 V", "?" * 5000, "a" * 5000]
)
def test_odd_texts_do_not_contradict_anything(text: str) -> None:
    assert find_contradiction(text, "The supply voltage is 24 V.") is None
    assert find_contradiction(text, text) is None


def test_text_without_full_stops_is_not_compared_word_by_word() -> None:
    one, other = (
        "The value is 5 V and " + "more words follow here " * 400,
        "The value is 9 V " * 300,
    )
    assert found(one, other) == ()


def test_a_conflict_that_a_model_finds_again_is_not_repeated() -> None:
    rules = found("The supply voltage is 24 V.", "The supply voltage is 12 V.")
    assert merge_conflicts(rules, rules) == rules
    assert merge_conflicts((), rules) == rules
