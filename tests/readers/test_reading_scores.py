"""Scoring read tables and documents against what a person read."""

from __future__ import annotations

from bench.cell_labels import (
    GoldTable,
    LabelledCell,
    ReadTable,
    Scores,
    match_page,
    value_key,
)
from bench.reading_scores import Gold, ReadFile, half_of, is_title, read_date, score_file

SALES = LabelledCell(("Net sales",), ("Three Months Ended", "2023"), "1,204")
COSTS = LabelledCell(("Costs", "Payroll²"), ("Three Months Ended", "2023"), "(83)")
GOLD = GoldTable((SALES, COSTS), title="Results of Operations", unit="in millions")


def score(*read: LabelledCell, title: str = "") -> Scores:
    [(_, _, scores)] = match_page([GOLD], [ReadTable(read, title=title)])
    return scores


def test_a_cell_with_its_own_labels_is_right() -> None:
    scores = score(SALES, COSTS)
    assert (scores.right, scores.wrong, scores.f1) == (2, 0, 1.0)


def test_labels_may_be_cut_otherwise_and_marked_otherwise() -> None:
    read = LabelledCell(("COSTS:", "Payroll 2"), ("Three months ended 2023",), "$ (83)")
    assert score(SALES, read).right == 2


def test_fewer_labels_are_neither_right_nor_wrong() -> None:
    scores = score(LabelledCell(("Payroll",), ("2023",), "(83)"))
    assert (scores.found, scores.right, scores.wrong) == (1, 0, 0)


def test_the_label_of_another_row_is_wrong() -> None:
    scores = score(LabelledCell(("Net sales",), ("Three Months Ended", "2023"), "(83)"))
    assert (scores.found, scores.right, scores.wrong) == (1, 0, 1)


def test_a_value_in_the_header_is_a_wrong_label() -> None:
    scores = score(LabelledCell(("Net sales",), ("Three Months Ended", "2023", "417"), "1,204"))
    assert (scores.right, scores.wrong) == (0, 1)


def test_an_outer_label_may_stand_in_the_title() -> None:
    read = LabelledCell(("Payroll",), ("Three Months Ended", "2023"), "(83)")
    assert score(read, title="Costs").right == 1


def test_own_labels_on_another_value_cost_precision() -> None:
    scores = score(LabelledCell(SALES.row, SALES.column, "1,204 1,190"))
    assert (scores.found, scores.misread) == (0, 1)


def test_each_read_cell_serves_once() -> None:
    gold = GoldTable((SALES, LabelledCell(("Other sales",), SALES.column, "1,204")))
    [(_, _, scores)] = match_page([gold], [ReadTable((SALES,))])
    assert (scores.found, scores.right) == (1, 1)


def test_values_are_compared_without_currency_but_with_their_sign() -> None:
    assert value_key("$ 1,204") == value_key("1,204")
    assert value_key("—") == value_key("–")
    assert value_key("(83)") != value_key("83")


def test_a_sentence_counts_only_whole_in_one_block() -> None:
    gold = Gold("a.pdf", sentences=[(1, "Sales rose by 4 % in “Europe”.")])
    whole = ReadFile(passages=[(1, 'Note. Sales rose by 4 %\nin "Europe". More.')])
    parted = ReadFile(passages=[(1, "Sales rose by 4 %"), (1, 'in "Europe".')])
    assert score_file(gold, whole).document.whole == 1
    assert score_file(gold, parted).document.whole == 0


def test_headings_count_on_the_labelled_pages_only() -> None:
    gold = Gold("a.pdf", document={"title": "Report", "date": None, "headings": [[2, "1. Scope"]]})
    found = ReadFile(headings=[(1, "Elsewhere"), (2, "1 Scope"), (2, "(in millions)")])
    scores = score_file(gold, found).document
    assert (scores.headings, scores.headings_read, scores.headings_right) == (1, 2, 1)


def test_a_title_names_its_document() -> None:
    wanted = "Acme Corporation Form 10-Q: Quarterly report for the period ended June 30, 2023"
    assert is_title(wanted, "ACME CORPORATION")
    assert not is_title(wanted, "Form 10-Q")
    assert not is_title(wanted, "UNITED STATES SECURITIES AND EXCHANGE COMMISSION")


def test_dates_are_compared_as_days() -> None:
    assert read_date("June 30, 2023") == read_date("2023-06-30")
    assert read_date(None) is None


def test_the_half_of_a_file_depends_on_its_name_only() -> None:
    assert half_of("filings/a.pdf") == half_of("b/a.pdf")
