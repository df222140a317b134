"""Chains of revisions in a project: what is searched, and what people say of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from foundry.errors import NotFound, RuleError, UsageError
from foundry.journeys.chains import (
    link_revisions,
    list_chains,
    list_doubles,
    unlink_revisions,
)
from foundry.journeys.index import IngestOptions
from foundry.journeys.ingest import ingest
from foundry.journeys.search import search
from foundry.journeys.sources import get_source, parse_filters
from foundry.workspace import Workspace, open_workspace

SHEET = """---
title: Pump P-20 data sheet
revision: Rev. {mark}
---

# Pump P-20 data sheet

The pump P-20 runs at {volt} V and draws 2.8 A at full load. The inlet is 32 mm wide.

The housing is made of stainless steel and stands on four rubber feet of equal height.

{more}Lubricate the bearing every 500 hours with grease of class NLGI 2.
"""
STORE = (
    "Store the pump dry, between -10 and 40 degrees, for at most two years before first use.\n\n"
)


def build(mark: str, volt: int, more: str = "") -> str:
    return SHEET.format(mark=mark, volt=volt, more=more)


@pytest.fixture
def revised(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "foundry.yaml").write_text("project: {id: prj_test}\n", encoding="utf-8")
    with open_workspace(tmp_path, environment={}, cwd=tmp_path) as workspace:
        write(workspace, a=build("A", 230, STORE), b=build("B", 240), c=build("C", 250))
        write(workspace, note="# Site note\n\nThe gate of the yard closes at 22:00.\n")
        ingest(workspace)
        yield workspace


def write(workspace: Workspace, **files: str) -> None:
    folder = workspace.root / "sources"
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def list_found(workspace: Workspace, query: str, *filters: str) -> set[str]:
    hits = search(workspace, query, filters=parse_filters(workspace, filters)).hits
    return {Path(hit.source.path).stem for hit in hits}


def describe(workspace: Workspace) -> list[list[str]]:
    return [[Path(one.path).stem for one in chain.members] for chain in list_chains(workspace)]


def test_a_chain_has_the_current_revision_first(revised: Workspace) -> None:
    assert describe(revised) == [["c", "b", "a"]]


def test_the_current_revision_is_searched(revised: Workspace) -> None:
    assert list_found(revised, "voltage of the pump P-20") == {"c", "note"}


@pytest.mark.parametrize(
    ("value", "found"), [("all", {"a", "b", "c", "note"}), ("B", {"b"}), ("rev. a", {"a"})]
)
def test_other_revisions_are_searched_on_demand(
    revised: Workspace, value: str, found: set[str]
) -> None:
    assert list_found(revised, "voltage of the pump P-20", f"revision={value}") == found


def test_a_source_that_is_named_is_searched_whichever_revision_it_is(revised: Workspace) -> None:
    assert list_found(revised, "voltage of the pump", "source=sources/a.md") == {"a"}


def test_a_question_that_names_a_revision_finds_it(revised: Workspace) -> None:
    assert "a" in list_found(revised, "What is the voltage in revision A?")


@pytest.mark.parametrize("filters", [["revision=Z"], ["revision=A", "revision=B"], ["revision="]])
def test_an_unknown_or_doubled_revision_is_refused(revised: Workspace, filters: list[str]) -> None:
    with pytest.raises(UsageError):
        parse_filters(revised, filters)


def test_older_revisions_that_are_left_out_are_no_filter_of_the_question(
    revised: Workspace,
) -> None:
    reasons = search(revised, "zebra", mode="bm25").gate.reasons
    assert "search-filters-and-words" not in [reason.code for reason in reasons]


def test_what_only_an_older_revision_says_is_pointed_out(revised: Workspace) -> None:
    notices = search(revised, "How should the pump be stored before first use?").notices
    assert [one.params["path"] for one in notices if one.code == "search-older-says-more"] == [
        "sources/a.md"
    ]


def test_what_the_current_revision_says_otherwise_is_not_pointed_out(revised: Workspace) -> None:
    notices = search(revised, "At which voltage does the pump P-20 run?").notices
    assert not [one for one in notices if one.code == "search-older-says-more"]


def test_a_role_that_does_not_see_the_current_revision_searches_the_one_before(
    revised: Workspace,
) -> None:
    path = revised.root / "sources/c.md"
    ingest(revised, [path], options=IngestOptions(confidentiality="secret"))
    view = revised.maintenance().view("public")
    assert view.list_superseded() == {"sources/a.md": "sources/b.md"}


def test_a_link_is_kept_by_the_next_ingest(revised: Workspace) -> None:
    link_revisions(revised, "sources/note.md", "sources/c.md", author="Ann", reason="Moved.")
    write(revised, other="# Other\n\nSomething else entirely.\n")
    ingest(revised)
    assert describe(revised) == [["note", "c", "b", "a"]]
    (chain,) = list_chains(revised)
    assert [(one.author, one.reason) for one in chain.links] == [("Ann", "Moved.")]


def test_an_unlinked_revision_is_searched_again(revised: Workspace) -> None:
    unlink_revisions(revised, "sources/c.md", "sources/b.md", author="Ann", reason="")
    assert describe(revised) == [["b", "a"]]
    assert list_found(revised, "voltage of the pump P-20") == {"b", "c", "note"}


def test_a_link_follows_a_file_that_is_moved(revised: Workspace) -> None:
    link_revisions(revised, "sources/note.md", "sources/c.md", author="Ann", reason="")
    (revised.root / "sources/note.md").rename(revised.root / "sources/site.md")
    ingest(revised)
    assert describe(revised) == [["site", "c", "b", "a"]]


@pytest.mark.parametrize(
    ("newer", "older", "code"),
    [
        ("note", "b", "revision-has-newer"),
        ("b", "note", "revision-has-older"),
    ],
)
def test_chains_that_would_meet_are_refused(
    revised: Workspace, newer: str, older: str, code: str
) -> None:
    with pytest.raises(RuleError) as caught:
        link_revisions(revised, f"sources/{newer}.md", f"sources/{older}.md", author="", reason="")
    assert caught.value.problem.code == code
    assert describe(revised) == [["c", "b", "a"]]


def test_a_circle_is_refused(revised: Workspace) -> None:
    link_revisions(revised, "sources/note.md", "sources/c.md", author="", reason="")
    with pytest.raises(RuleError, match="already"):
        link_revisions(revised, "sources/c.md", "sources/note.md", author="", reason="")


def test_a_source_cannot_revise_itself_or_what_is_not_there(revised: Workspace) -> None:
    with pytest.raises(UsageError, match="itself"):
        link_revisions(revised, "sources/a.md", "sources/a.md", author="", reason="")
    with pytest.raises(NotFound):
        link_revisions(revised, "sources/a.md", "sources/x.md", author="", reason="")


def test_a_link_against_what_is_printed_holds_and_is_said(revised: Workspace) -> None:
    made = link_revisions(revised, "sources/a.md", "sources/b.md", author="", reason="")
    assert [one.code for one in made.notices] == ["revision-objection"]
    assert describe(revised) == [["c", "a", "b"]]


def test_revisions_that_contradict_themselves_are_said_and_all_searched(
    revised: Workspace,
) -> None:
    dated = build("C", 250).replace("revision: Rev. C", "revision: Rev. C\ndate: 2020-01-01")
    newer = build("D", 260).replace("revision: Rev. D", "revision: Rev. D\ndate: 2019-01-01")
    write(revised, c=dated, d=newer)
    report = ingest(revised)
    assert "revision-doubt" in {one.code for one in report.notices}
    assert {"c", "d"} <= list_found(revised, "voltage of the pump P-20")


def test_nearly_identical_sources_are_named_and_revisions_are_not(revised: Workspace) -> None:
    text = "".join(
        f"Step {n}: turn valve {n} until the gauge {n} reads {n} bar.\n\n" for n in range(60)
    )
    write(
        revised,
        one=f"# Steps\n\n{text}",
        two=f"# Steps\n\n{text}Printed copies are uncontrolled.\n",
    )
    ingest(revised)
    assert list_doubles(revised, get_source(revised, "sources/one.md")) == ["sources/two.md"]
    assert list_doubles(revised, get_source(revised, "sources/b.md")) == []
