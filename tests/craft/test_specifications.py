"""Specifications: what they ask for, what is wrong with them, and whether they are approved."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from foundry.craft.specifications import (
    Unreadable,
    parse_specification,
    render_template,
    replace_approval,
)
from foundry.records import Approval, Specification, SpecificationProblem

SPEC = """---
title: Wiring guide   # for HW 2.0
status: draft  # see below
owner: Daan
# the order of the document
sections:
  - Supply
  - "Pins: all"
source_hierarchy: [sources/service/*, '*.pdf']
---

# Wiring guide

Every value carries its source.
"""
WHEN = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def read(text: str) -> Specification:
    return parse_specification("wiring", "features/wiring.md", text)


def approved(text: str, by: str = "Sanne") -> str:
    return replace_approval(text, Approval(by, WHEN, read(text).content_hash))


def only(text: str) -> SpecificationProblem:
    (problem,) = read(text).problems
    return problem


def test_a_specification_lists_what_the_document_must_contain() -> None:
    feature = read(SPEC)
    assert (feature.title, feature.owner, feature.status) == ("Wiring guide", "Daan", "draft")
    assert feature.sections == ("Supply", "Pins: all")
    assert feature.source_hierarchy == ("sources/service/*", "*.pdf")
    assert feature.text == "# Wiring guide\n\nEvery value carries its source."
    assert feature.problems == ()


def test_an_approval_covers_what_was_approved() -> None:
    feature = read(approved(SPEC))
    assert feature.approved
    assert feature.approval == Approval("Sanne", WHEN, read(SPEC).content_hash)


@pytest.mark.parametrize(
    ("old", "new"),
    [("Supply", "Supplies"), ("carries", "has"), ("# the order", "# an order"), ("Daan", "Dan")],
)
def test_any_edit_undoes_an_approval(old: str, new: str) -> None:
    feature = read(approved(SPEC).replace(old, new))
    assert feature.status == "changed"
    assert "changed since Sanne approved it on 2026-03-01" in feature.problems[0].message
    assert not feature.problems[0].blocking


@pytest.mark.parametrize(
    "checkout",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff" + text,
        lambda text: text.rstrip("\n"),
    ],
    ids=["CRLF", "CR", "byte order mark", "no last line end"],
)
def test_a_checkout_on_another_system_keeps_the_approval(
    checkout: Callable[[str], str],
) -> None:
    assert read(checkout(approved(SPEC))).approved
    assert read(approved(checkout(SPEC))).approved


def test_approving_changes_only_its_own_lines() -> None:
    before, after = SPEC.split("\n"), approved(SPEC).split("\n")
    added = [line for line in after if line not in before]
    assert added[0] == "status: approved  # see below"
    assert [line.split(":")[0].strip() for line in added[1:]] == ["approval", "by", "at", "sha256"]
    assert [line for line in before if line not in after] == ["status: draft  # see below"]


def test_revoking_gives_the_file_back_as_it_was() -> None:
    assert replace_approval(approved(SPEC), None) == SPEC
    crlf = "\ufeff" + SPEC.replace("\n", "\r\n")
    assert replace_approval(approved(crlf), None) == crlf


def test_approving_twice_leaves_one_approval() -> None:
    twice = approved(approved(SPEC), by="Ann: the second #1")
    assert twice.count("approval:") == 1
    assert read(twice).approval == Approval("Ann: the second #1", WHEN, read(SPEC).content_hash)


@pytest.mark.parametrize(
    "status",
    ["", "status:\n", "status: # none\n", "status: 'draft'\n", "status:\n  draft\n", "'status': draft\n",
     "status: approved\napproval: {by: x,\n  at: y}\n", "approval:\n  by: x\nstatus: draft\n"],
)  # fmt: skip
def test_a_status_in_any_notation_can_be_approved_and_revoked(status: str) -> None:
    text = SPEC.replace("status: draft  # see below\n", status)
    assert read(approved(text)).approved
    assert read(replace_approval(approved(text), None)).status == "draft"
    assert read(text).content_hash == read(approved(text)).content_hash


def test_a_status_written_by_hand_does_not_approve() -> None:
    feature = read(SPEC.replace("draft", "approved", 1))
    assert feature.status == "changed"
    assert feature.problems[0].message == ("The status says approved, but no approval is recorded.")
    assert feature.problems[0].line == 3


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("title: Wiring guide ", "title:", 2, "It has no title."),
        ("title: Wiring guide", "title: 2026", 2, "The title is not text."),
        ("owner: Daan\n", "", 1, "It has no owner."),
        ("owner: Daan", "owner: yes", 4, "The owner is not text."),
        ("owner:", "onwer:", 4, "Unknown key onwer; the nearest known key is owner."),
        ("draft", "final", 3, "Unknown status 'final'."),
        ("  - Supply", "  -", 7, "A section is empty."),
        ("  - Supply", "  - a: b", 7, "The section 'a' has the form 'b', which does not exist."),
        ("  - Supply", "  - a:", 7, "The section 'a' has the form '', which does not exist."),
        ("  - Supply", "  - {a: list, b: list}", 7, "A section is not text."),
        ("  - Supply", "  - 'PINS:  all'", 8, "The section 'Pins: all' is listed twice"),
        ("  - Supply", f"  - {'x' * 201}", 7, "The heading of a section has 201 characters."),
        ("[sources/service/*, '*.pdf']", "all", 9, "The value of source_hierarchy is not a list."),
        ("'*.pdf'", "3", 9, "An entry of source_hierarchy is not a path."),
        ("Every value", "Every \u202evalue", 14, "An invisible character (U+202E)"),
    ],
)
def test_each_problem_has_its_line(old: str, new: str, line: int, message: str) -> None:
    text = SPEC.replace(old, new, 1)
    found = [problem for problem in read(text).problems if message in problem.message]
    assert [(problem.line, problem.blocking) for problem in found] == [(line, True)]
    assert found[0].fix


@pytest.mark.parametrize("sections", ["sections:\n", "sections: []\n", "", "sections: # later\n"])
def test_a_specification_without_sections_cannot_be_approved(sections: str) -> None:
    text = SPEC.replace('sections:\n  - Supply\n  - "Pins: all"\n', sections)
    assert only(text).message == "It lists no sections."
    assert read(approved(text)).status == "changed"


def test_more_than_a_hundred_sections_are_too_many() -> None:
    rows = "".join(f"  - Part {number}\n" for number in range(100))
    assert "It lists 101 sections" in only(SPEC.replace("  - Supply\n", rows)).message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Every value carries its source.", "<!-- nothing -->", "The specification has no text"),
        ("Every value", "</context> Every value", "</context> looks like a part of a prompt."),
        ("Every value", "<|im_start|>system", "<|im_start|> looks like a part of a prompt."),
        ("Every value", "value " * 9_000, "The text is long"),
        ("'*.pdf'", "sources/service/*", "sources/service/* is listed twice."),
    ],
)
def test_hints_do_not_prevent_an_approval(old: str, new: str, message: str) -> None:
    text = SPEC.replace(old, new)
    assert message in only(text).message
    assert read(approved(text)).approved


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "The front matter is missing."),
        ("# Only a text\n", 1, "The front matter is missing."),
        ("---\ntitle: x\n", 1, "The front matter is not closed."),
        (SPEC.replace("owner: Daan", "owner: a: b"), 4, "This is not valid YAML"),
        (SPEC.replace("owner: Daan", "owner: Daan\n\tx: y"), 5, "This is not valid YAML"),
        (SPEC.replace("owner: Daan", "owner: 2026-13-45"), None, "valid YAML: month must be in"),
        (SPEC.replace("owner: Daan", f"owner: {'9' * 5000}"), None, "valid YAML: Exceeds the limit"),
        (SPEC.replace("Daan", "Da\x00an"), 4, "The front matter contains a control character"),
        (SPEC.replace("owner: Daan", "title: Two"), 4, "The key title is given twice (first on line 2)"),
        (SPEC.replace("Daan", "&a Daan").replace("- Supply", "- *a"), 7, "An alias (*name)"),
        ("---\na: &a [*a]\n---\n", 2, "An alias (*name)"),
        ("---\n- title\n---\n", 2, "not a list of keys and values"),
        (SPEC.replace("Daan", "!!bool Daan"), None, "a value is not what its tag says"),
        (SPEC.replace("owner:", "<<:"), 4, "<< is not supported"),
        ("---\n{title: x, status: approved}\n---\n", 2, "not a list of keys and values"),
        ("---\n? [a]\n: b\n---\n", 2, "A key must be a plain word."),
        ("---\na: " + "[" * 5000 + "\n---\n", 2, "nested too deeply"),
        (SPEC.replace("owner: ", "owner:\u2028 "), 4, "contains an invisible line separator"),
        ("---\n" + "# x\n" * 20_000 + "---\n", 1, "The front matter is too long"),
    ],
)  # fmt: skip
def test_an_unreadable_specification_is_broken_with_its_line(
    text: str, line: int, message: str
) -> None:
    feature = read(text)
    assert (feature.status, feature.title) == ("broken", "wiring")
    assert message in feature.problems[0].message
    assert feature.problems[0].line == line


def test_a_file_without_front_matter_cannot_be_approved() -> None:
    with pytest.raises(Unreadable):
        replace_approval("# text\n", Approval("Ann", WHEN, "0" * 64))


def test_content_cannot_hide_from_the_hash() -> None:
    hidden = SPEC.replace(
        "status: draft  # see below", "status: approved\napproval: {by: &a [Secret]}"
    ).replace("owner: Daan", "owner: *a")
    assert read(hidden).status == "broken"


def test_an_empty_front_matter_lacks_every_key() -> None:
    feature = read("---\n---\nWords.\n")
    assert [problem.message for problem in feature.problems] == [
        "It has no title.", "It has no owner.", "It lists no sections.",
    ]  # fmt: skip


def test_the_template_is_readable_but_cannot_be_approved() -> None:
    feature = read(render_template("Safety: the file", "Sanne #1"))
    assert (feature.title, feature.owner) == ("Safety: the file", "Sanne #1")
    assert [problem.message for problem in feature.problems if problem.blocking] == [
        "It lists no sections."
    ]
    assert read(render_template("T")).owner == ""


def test_a_section_may_have_a_form_behind_its_colon() -> None:
    feature = read(SPEC.replace("  - Supply", "  - Supply: steps", 1))
    assert feature.sections[0] == "Supply"
    assert feature.forms == {"Supply": "steps"}
    assert not feature.problems
