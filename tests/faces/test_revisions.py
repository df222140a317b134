"""``foundry sources`` with copies and chains: list, show, link, unlink."""

from __future__ import annotations

import shutil
from pathlib import Path

from foundry.wire.commands import MODELS
from tests.faces.conftest import Run

SHEET, OTHER = "sources/datasheet.md", "sources/onderhoud.md"


def link(run: Run, *more: str) -> None:
    assert run("sources", "link", OTHER, SHEET, "--by", "Ann", *more).status == 0


def test_a_link_is_printed_and_listed_with_its_reason(run: Run, project: Path) -> None:
    made = run("sources", "link", OTHER, SHEET, "--by", "Ann", "--reason", "Rewritten.")
    assert made.out.strip() == f"{OTHER} revises {SHEET}."
    listed = run("sources").out
    assert "Revisions of one document, the current one first:" in listed
    assert "linked by Ann on " in listed
    assert "Rewritten." in listed


def test_link_and_unlink_print_the_documented_json(run: Run, project: Path) -> None:
    for command in ("link", "unlink"):
        document = run("sources", command, OTHER, SHEET, "--json").json
        assert MODELS[f"sources {command}"].model_validate(document)
        assert document["link"]["linked"] is (command == "link")


def test_an_older_revision_is_left_out_unless_it_is_asked_for(run: Run, project: Path) -> None:
    link(run)
    asked = "How is the input fuse rated?"
    current = run("search", asked, "--json").json
    every = run("search", asked, "--revision", "all", "--json").json
    assert SHEET not in {hit["source"] for hit in current["hits"]}
    assert SHEET in {hit["source"] for hit in every["hits"]}


def test_a_note_names_the_older_revision_that_says_more(run: Run, project: Path) -> None:
    link(run)
    assert (
        "The closest passage is in an older revision, sources/datasheet.md"
        in run("ask", "How is the input fuse rated?").err
    )


def test_show_marks_the_revision_and_names_the_others(run: Run, project: Path) -> None:
    link(run)
    shown = run("sources", "show", SHEET).out
    assert f"  → {SHEET}" in shown
    assert f"    {OTHER}" in shown


def test_an_unlinked_pair_is_no_chain(run: Run, project: Path) -> None:
    link(run)
    assert run("sources", "unlink", OTHER, SHEET).status == 0
    assert "Revisions of one document" not in run("sources").out


def test_bad_links_are_refused_with_what_to_do(run: Run, project: Path) -> None:
    alone = run("sources", "link", SHEET, SHEET)
    unknown = run("sources", "link", SHEET, "sources/nothing.md")
    assert (alone.status, unknown.status) != (0, 0)
    assert "cannot revise itself" in alone.err
    assert "nothing.md" in unknown.err


def test_an_unknown_revision_is_refused(run: Run, project: Path) -> None:
    outcome = run("ask", "Which fuse?", "--revision", "Q7")
    assert outcome.status != 0
    assert "No source has the revision Q7." in outcome.err


def test_copies_are_listed_below_their_source(run: Run, project: Path) -> None:
    shutil.copy(project / SHEET, project / "sources" / "again.md")
    run("ingest")
    listed = run("sources").out
    assert "One file at several paths:" in listed
    assert "  = sources/again.md" in listed
