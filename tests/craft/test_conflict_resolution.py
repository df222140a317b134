"""Which side of a conflict prevails: by source hierarchy, by revision, or neither."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foundry.craft.conflicts import find_conflicts, find_unknown_patterns, resolve_conflicts
from foundry.craft.conflicts.resolution import parse_revision_mark
from foundry.records import Conflict
from tests.craft.samples import make_evidence

Printed = tuple[str | None, str | None]


def conflict(
    a: Printed = (None, None),
    b: Printed = (None, None),
    paths: tuple[str, str] = ("sources/old/sheet_rev-A.pdf", "sources/new/sheet_rev-B.pdf"),
) -> Conflict:
    """Two sources, each with the revision and date printed in it."""
    items = []
    for number, (printed, path, value) in enumerate(zip((a, b), paths, (24, 12), strict=True), 1):
        item = make_evidence(
            f"The supply voltage is {value} V.", f"S{number}", source=path, title=""
        )
        source = replace(item.hit.source, revision=printed[0], revision_date=printed[1])
        items.append(replace(item, hit=replace(item.hit, source=source)))
    (found,) = find_conflicts(items)
    return found


def test_the_later_revision_of_a_document_prevails() -> None:
    found = conflict(("Rev. A", "2024-11"), ("Rev. B", "2026-03"))
    assert (found.superseded, found.holds) == (True, "b")
    assert str(found.rule) == "Rev. B of 2026-03 follows Rev. A of 2024-11"


def test_an_older_revision_contradicts_only_its_later_one() -> None:
    sheets = [("rev-A", "24 V"), ("rev-B", "12 V"), ("manual", "12 V at most")]
    evidence = []
    for number, (name, value) in enumerate(sheets, 1):
        text = f"The supply voltage is {value}."
        item = make_evidence(text, f"S{number}", source=f"{name}.pdf", title="")
        mark = f"Rev. {name[-1]}" if "-" in name else None
        source = replace(item.hit.source, revision=mark, path=f"sheet_{name}.pdf")
        evidence.append(replace(item, hit=replace(item.hit, source=source)))
    found = find_conflicts(evidence)
    assert [(one.a.source, one.b.source) for one in found] == [
        ("sheet_rev-A.pdf", "sheet_rev-B.pdf")
    ]


def test_dates_outrank_revision_marks() -> None:
    assert conflict(("Rev. A", "2026-03"), ("Rev. B", "2024-11")).holds == "a"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (("Rev. A", None), (None, None)),
        ((None, None), (None, "2026-03")),
        (("Rev. A", None), ("v2", None)),
        (("Rev. A", "2026-03"), ("Rev. A", "2026-03-12")),
    ],
)
def test_a_mark_printed_on_one_side_only_decides_nothing(a: Printed, b: Printed) -> None:
    found = conflict(a, b)
    assert (found.superseded, found.holds, found.rule) == (False, None, None)


def test_different_documents_are_not_revisions_of_each_other() -> None:
    paths = ("sources/manual_v1.pdf", "sources/datasheet_v2.pdf")
    assert not conflict(("v1", None), ("v2", None), paths).superseded


@pytest.mark.parametrize(
    ("earlier", "later"),
    [("Rev. A", "rev B"), ("v1.2", "v1.10"), ("Issue 9", "Issue 10"), ("Rev. Z", "Rev. AA"),
     ("Versie 1.3", "version 1.4"), ("Rev. B", "Rev. B2"), ("1.0", "1.0a"), ("v1", "v1.1")],
)  # fmt: skip
def test_revision_marks_are_ordered(earlier: str, later: str) -> None:
    first, second = parse_revision_mark(earlier), parse_revision_mark(later)
    assert first is not None
    assert second is not None
    assert first < second


def test_the_hierarchy_decides_by_the_first_pattern_that_matches() -> None:
    (found,) = resolve_conflicts([conflict()], ["sources/new/*", "sources/old/*"])
    assert found.holds == "b"
    assert str(found.rule) == "source hierarchy: sources/new/* before sources/old/*"


def test_a_source_that_matches_no_pattern_comes_last() -> None:
    (found,) = resolve_conflicts([conflict()], ["old/**"])
    assert (found.holds, str(found.rule)) == (
        "a", "source hierarchy: old/** before sources that it does not name",
    )  # fmt: skip


def test_equal_ranks_decide_nothing() -> None:
    (found,) = resolve_conflicts([conflict()], ["sources/**"])
    assert found.holds is None


def test_the_hierarchy_outranks_the_revision_and_the_rule_says_so() -> None:
    superseded = conflict(("Rev. A", None), ("Rev. B", None))
    (found,) = resolve_conflicts([superseded], ["sources/old/*"])
    assert (found.holds, found.superseded) == ("a", False)
    assert found.rule is not None
    assert "although Rev. B follows Rev. A" in str(found.rule)


def test_a_hierarchy_that_agrees_with_the_revision_leaves_it_superseded() -> None:
    (found,) = resolve_conflicts([conflict(("Rev. A", None), ("Rev. B", None))], ["*rev-B.pdf"])
    assert (found.holds, found.superseded) == ("b", True)


def test_patterns_without_a_source_are_reported() -> None:
    paths = ["sources/service/SB-1.html", "sources/manual.pdf"]
    patterns = ["sources/service/*", "manual.pdf", "nowhere/*", ""]
    assert find_unknown_patterns(patterns, paths) == ("nowhere/*", "")
