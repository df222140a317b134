"""Evidence is parsed for comparison, line by line."""

from __future__ import annotations

from dataclasses import replace

from foundry.text.lines import parse_evidence
from tests.craft.samples import make_evidence


def test_a_chunk_is_parsed_once_whatever_its_evidence_id() -> None:
    first = make_evidence("The pump runs. The fuse is 2 A.", "S1")
    second = replace(first, id="S7")
    assert parse_evidence(first).lines is parse_evidence(second).lines
    assert parse_evidence(second).evidence is second


def test_another_text_is_parsed_again() -> None:
    one, other = make_evidence("The fuse is 2 A."), make_evidence("The fuse is 4 A.")
    assert [line.text for line in parse_evidence(other).lines] == ["The fuse is 4 A."]
    assert parse_evidence(one).lines is not parse_evidence(other).lines


def test_a_chosen_sentence_knows_what_it_refers_to() -> None:
    text = make_evidence("The pump is new. The fuse protects the input. It is 2 A.")
    (line,) = parse_evidence(text, frozenset({2})).lines
    assert line.terms == parse_evidence(text).lines[2].terms
    assert "fuse" in line.terms


def test_a_row_of_labels_has_no_columns() -> None:
    header, row = parse_evidence(make_evidence("Part | Value\nFuse | 2 A")).lines
    assert header.columns == ()
    assert [part.text for part in row.columns] == ["Part: Fuse", "Value: 2 A"]
