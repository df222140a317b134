"""A contradiction as it is printed, as JSON and in a document."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from foundry.cli.generate import announce_warnings
from foundry.journeys.generate import DraftPlan
from foundry.messages import Message
from foundry.records import Budget, Conflict, ConflictSide, Quote
from foundry.render.conflicts import (
    render_conflict,
    render_conflict_lines,
    render_conflicts,
)
from foundry.wire.answers import ConflictJson


def side(number: int, text: str, section: str | None) -> ConflictSide:
    quote = Quote(f"S{number}", text, 0, len(text), page=14, section=section)
    return ConflictSide(
        f"chk_{number}", f"sources/datasheet-v{number}.pdf", quote, f"Rev. {number}"
    )


FOUND = Conflict(
    kind="number",
    a=side(1, "VCC = 3.3V", "4.2 Supply"),
    b=side(2, "VCC = 5V", "4.1 Supply"),
    values=("3.3V", "5V"),
    reason='"3.3V" against "5V" for VCC',
)
OLD = replace(FOUND, holds="b", rule="Rev. 2 follows Rev. 1", superseded=True)


def test_an_open_conflict_is_printed_in_the_agreed_form() -> None:
    assert render_conflict(FOUND) == (
        "⚠ Conflict detected:\n"
        '  Source A (datasheet-v1.pdf §4.2): "VCC = 3.3V"\n'
        '  Source B (datasheet-v2.pdf §4.1): "VCC = 5V"\n'
        "  Check the source hierarchy in your feature spec."
    )


def test_the_decision_is_on_the_last_line() -> None:
    decided = replace(FOUND, holds="b", rule="source hierarchy: new/* before old/*")
    assert render_conflict(decided).endswith(
        "\n  Source B holds: source hierarchy: new/* before old/*."
    )


def test_superseded_revisions_are_shorter_and_last() -> None:
    text = render_conflicts([OLD, FOUND])
    assert text.startswith("⚠")
    assert text.splitlines()[-1] == (
        "Superseded: datasheet-v1.pdf §4.2 by datasheet-v2.pdf §4.1, "
        '"3.3V" against "5V" for VCC (Rev. 2 follows Rev. 1).'
    )


def test_the_superseded_value_is_named_first() -> None:
    values = Message("conflict-values-about", ours="5V", theirs="3.3V", about="VCC")
    reason = Message("conflict-values-in", values=values, words="VCC is 5 V")
    later = replace(OLD, a=OLD.b, b=OLD.a, holds="a", reason=reason)
    assert '4.2 by datasheet-v2.pdf §4.1, "3.3V" against "5V" for VCC in: ' in render_conflict(
        later
    )


def test_a_place_without_a_number_has_its_page() -> None:
    unnumbered = replace(FOUND, a=side(1, "VCC = 3.3V", None))
    assert "Source A (datasheet-v1.pdf, p. 14)" in render_conflict(unnumbered)


def test_the_json_is_as_documented() -> None:
    assert ConflictJson.from_record(FOUND).model_dump()["values"] == ["3.3V", "5V"]
    assert ConflictJson.from_record(OLD).superseded


def test_text_of_sources_is_escaped_in_a_document() -> None:
    hostile = replace(FOUND, a=side(1, "<b>[x](http://y)</b>\n# VCC", "4.2 Supply"))
    (line,) = render_conflict_lines([hostile])
    assert r"\<b\>\[x\](" in line
    assert "(Rev. 1)" in line


def test_a_dutch_document_reports_conflicts_in_dutch() -> None:
    (line,) = render_conflict_lines([replace(FOUND, holds="b", rule="x")], "nl")
    assert line.startswith("**Bronnen spreken elkaar tegen.**")
    assert line.endswith("De tweede geldt (x).")


def test_superseded_revisions_come_last() -> None:
    old = replace(FOUND, superseded=True, holds="b", rule="x")
    assert [line[:14] for line in render_conflict_lines([old, FOUND])] == [
        "**Sources cont",
        "**Superseded.*",
    ]


def test_the_values_of_a_superseded_revision_share_a_line() -> None:
    more = replace(OLD, a=side(2, "5 W", "6 Heat"), b=side(1, "9 W", None), holds="a")
    (line,) = render_conflict_lines([OLD, more])
    assert line == (
        r"**Superseded.** datasheet-v2.pdf holds over datasheet-v1.pdf (Rev. 2 follows Rev. 1): "
        "§4.1 “VCC = 5V”, not §4.2 “VCC = 3.3V”; §6 “5 W”, not p. 14 “9 W”."
    )


def test_superseded_revisions_are_left_to_the_review(capsys: pytest.CaptureFixture[str]) -> None:
    plan = SimpleNamespace(feature=None, conflicts=(FOUND, OLD), budget=Budget(1, 1, 1, 1, None))
    announce_warnings(cast("DraftPlan", plan))
    shown = capsys.readouterr().err
    assert "Conflict detected" in shown
    assert "Superseded" not in shown


def test_without_a_specification_no_hierarchy_is_named() -> None:
    (line,) = render_conflict_lines([FOUND], specified=False)
    assert line.endswith("No rule decides between the two.")
    assert render_conflicts([FOUND], specified=False).endswith("No rule decides between the two.")
