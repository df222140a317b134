"""Footnotes of drafts, also edited by hand: found, checked by line, merged."""

from __future__ import annotations

import pytest

from foundry.craft.footnotes import find_footnotes, mark_statements, renumber, split_draft

DRAFT = """---
title: Supply
language: en
---

# Supply

## Fuse

The fuse is rated 3.15 A.[^1] Replace it cold.[^2]

[^1]: datasheet.pdf §3.2, p. 14

    > The input fuse is rated
    > at 3.15 A.

    > Slow.

[^2]: manual.md "Care"
"""


def problems(text: str) -> list[tuple[int, str]]:
    return [(problem.line, problem.message) for problem in find_footnotes(text).problems]


def test_marks_and_definitions_have_their_lines() -> None:
    found = find_footnotes(DRAFT)
    assert [(mark.label, mark.line) for mark in found.marks] == [("1", 10), ("2", 10)]
    assert [(definition.label, definition.line) for definition in found.definitions] == [
        ("1", 12),
        ("2", 19),
    ]
    assert found.problems == ()


def test_a_definition_has_its_place_and_its_quotes() -> None:
    first = find_footnotes(DRAFT).definitions[0]
    assert first.place == "datasheet.pdf §3.2, p. 14"
    assert first.quotes == ("The input fuse is rated at 3.15 A.", "Slow.")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("One.[^1]\n", 1, "[^1] has no footnote."),
        ("One.\n\n[^1]: a.md\n", 3, "Footnote [^1] is never used."),
        ("One.[^1]\n\n[^1]: a\n[^1]: b\n", 4, "Footnote [^1] is defined twice (first on line 3)."),
        ("One.[^1]\n\n[^1]:\n", 3, "Footnote [^1] is empty."),
        ("One.[^1\n", 1, "[^1 is not a valid mark."),
        ("Zero.\nOne.[1^]\n", 2, "[1^] is not a valid mark."),
        ("One.[^ 1]\n", 1, "[^ 1] is not a valid mark."),
        ("One.[^1]\n\n[^1]: a.md [^1]\n", 3, "Footnote [^1] contains a mark itself."),
        ("---\ntitle: x\n", 1, ""),
    ],
)
def test_each_problem_is_named_with_its_line(text: str, line: int, message: str) -> None:
    found = problems(text)
    assert found == ([(line, message)] if message else [])


@pytest.mark.parametrize(
    "text",
    [
        "Write `[^1]` so.\n",
        "```\n[^1]\n[^1]: x\n```\n",
        "    [^1]\n",
        "An escaped \\[^1\\] mark, and \\[^1.\n",
        "Three.[^3] Nine.[^9]\n\n[^3]: a.md\n[^9]: b.md\n",
        "Any.[^datasheet-3.2]\n\n[^Datasheet-3.2]: a.md\n",
    ],
)
def test_code_escapes_gaps_and_other_labels_are_fine(text: str) -> None:
    assert problems(text) == []


def test_marks_in_lists_tables_and_quotes_count() -> None:
    text = "- a[^1]\n  - b[^2]\n\n| x | y |\n|---|---|\n| 1[^3] | 2 |\n\n> c[^4]\n"
    lines = [mark.line for mark in find_footnotes(text).marks]
    assert lines == [1, 2, 6, 8]


def test_a_wrapped_definition_stays_whole() -> None:
    found = find_footnotes("a[^1]\n\n[^1]: a long\nplace, p. 3\n\nMore.\n")
    assert found.definitions[0].place == "a long place, p. 3"
    assert split_draft("a[^1]\n\n[^1]: a long\nplace\n\nMore.\n").body == "a[^1]\n\nMore."


def test_a_draft_is_split_into_its_parts() -> None:
    parts = split_draft(DRAFT)
    assert parts.title == "Supply"
    assert parts.body == "## Fuse\n\nThe fuse is rated 3.15 A.[^1] Replace it cold.[^2]"


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("---\na: [1\n---\n", 2),
        ("---\njust words\n---\n", 2),
        ("---\nwhen: 2026-13-45\n---\n", 2),
        ("---\nno: end\n", 1),
    ],
)
def test_a_broken_front_matter_is_a_problem_with_its_line(head: str, line: int) -> None:
    parts = split_draft(f"{head}\n# Title\n\nText.\n")
    assert [problem.line for problem in parts.problems] == [line]
    assert "Text." in parts.body


def test_headings_of_the_body_begin_at_level_2() -> None:
    parts = split_draft("# Title\n\nA.\n\n# Again\n\n## Below\n\nUnder\n=====\n\n    # code\n")
    assert "## Again\n\n### Below\n\n## Under" in parts.body
    assert "    # code" in parts.body


@pytest.mark.parametrize("text", ["", "\n\n", "---", "\ufeff# T\r\n\r\nA.[^1]\r\n", "[^", "\x00"])
def test_odd_texts_are_split_too(text: str) -> None:
    assert split_draft(text).definitions == ()


def test_notes_are_numbered_by_first_use_over_all_drafts() -> None:
    one = split_draft("B.[^2] A.[^1]\n\n[^1]: a.md\n[^2]: b.md\n")
    two = split_draft("C.[^x] A.[^1]\n\n[^x]: c.md\n[^1]: a.md\n")
    bodies, notes = renumber([one, two])
    assert bodies == ("B.[^1] A.[^2]", "C.[^3] A.[^2]")
    assert [(note.number, note.place) for note in notes] == [(1, "b.md"), (2, "a.md"), (3, "c.md")]


def test_the_same_place_with_other_quotes_has_another_number() -> None:
    one = split_draft("A.[^1]\n\n[^1]: a.md\n\n    > x\n")
    two = split_draft("A.[^1]\n\n[^1]: a.md\n\n    > y\n")
    assert renumber([one, two])[0] == ("A.[^1]", "A.[^2]")


def test_renumbering_leaves_code_alone() -> None:
    part = split_draft("`[^7]` and[^7]\n\n| `[^7]` \\| a[^7] | b[^7] |\n|--|--|\n\n[^7]: a.md\n")
    assert renumber([part])[0][0] == ("`[^7]` and[^1]\n\n| `[^7]` \\| a[^1] | b[^1] |\n|--|--|")


def test_a_title_with_a_mark_is_a_problem() -> None:
    parts = split_draft("# Title[^1]\n\nText.[^1]\n\n[^1]: a.md\n")
    assert [problem.message for problem in parts.problems] == ["The title contains a mark."]


@pytest.mark.parametrize(
    ("body", "marked"),
    [
        ("One. It is *four*\nmetres.[^1] Two.", "One. It is *four*\nmetres.[^1] (m) Two."),
        ("It is five metres.", "It is five metres.\n\n“It is four metres.” (m)\n"),
        ("| It is | four metres |", "| It is | four metres (m) |"),
    ],
    ids=["in the text", "not found", "in a cell"],
)
def test_a_statement_is_marked_where_it_is(body: str, marked: str) -> None:
    assert mark_statements(body, ["It is four metres."], "(m)") == marked
