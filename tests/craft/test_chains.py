"""Chains of revisions: recognised by name, words and printed order, and corrected by people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import combinations

import pytest

from foundry.craft.conflicts.chains import (
    compare_order,
    find_chains,
    is_same_document,
    place_sources,
)
from foundry.craft.conflicts.resolution import is_later, is_revision_of
from foundry.records import RevisionLink, Source
from tests.craft.samples import WHEN, make_hit


def make(path: str, revision: str | None = None, date: str | None = None) -> Source:
    made = make_hit("Words.", source=path).source
    return replace(made, title="Pump P-20", revision=revision, revision_date=date)


def link(newer: str, older: str, *, linked: bool = True, day: int = 0) -> RevisionLink:
    return RevisionLink(newer, older, linked, "Ann", "", WHEN + timedelta(days=day))


def order(sources: Sequence[Source], *links: RevisionLink) -> list[list[str]]:
    """The chains of more than one revision, by path from the oldest."""
    found = find_chains(sources, combinations(sources, 2), links)
    return [
        ["=".join(one.path for one in step) for step in chain]
        for chain in found.chains
        if len(chain) > 1
    ]


A, B, C = (make(f"{mark}.md", f"Rev. {mark.upper()}") for mark in "abc")


def test_marks_order_a_chain() -> None:
    assert order([C, A, B]) == [["a.md", "b.md", "c.md"]]


def test_a_date_alone_orders_nothing() -> None:
    minutes = [make(f"{day}.md", None, day) for day in ("2026-01-01", "2026-02-01")]
    assert order(minutes) == []


def test_versions_in_paths_order_a_chain() -> None:
    files = [make(f"lib-{version}/README.md") for version in ("1.10.0", "1.9.2", "1.9.10")]
    assert order(files) == [["lib-1.9.2/README.md", "lib-1.9.10/README.md", "lib-1.10.0/README.md"]]


def test_two_files_of_one_revision_are_one_step() -> None:
    assert order([A, make("b.pdf", "Rev. B"), make("b.docx", "B")]) == [["a.md", "b.docx=b.pdf"]]


def test_a_date_that_contradicts_the_marks_orders_nothing_and_is_a_doubt() -> None:
    old, new = make("a.md", "Rev. A", "2026-05-01"), make("b.md", "Rev. B", "2025-05-01")
    found = find_chains([old, new], [(old, new)], [])
    assert compare_order(new, old) is None
    assert [len(chain) for chain in found.chains] == [1, 1]
    assert found.doubts == ((old, new),)


def test_a_source_whose_order_is_not_decided_is_left_out() -> None:
    assert order([A, B, make("draft.md", "Concept")]) == [["a.md", "b.md"]]


@pytest.mark.parametrize(("shared", "same"), [(0.9, True), (0.1, False)])
def test_a_name_alone_makes_no_revision(shared: float, same: bool) -> None:
    assert is_same_document(A, B, shared) is same


def test_other_products_are_other_documents() -> None:
    other = replace(make("x.md", "Rev. B"), title="Pump P-30")
    assert not is_same_document(A, other, 0.9)


def test_a_person_links_what_was_not_recognised() -> None:
    assert order([make("old.md"), make("new.md")], link("new.md", "old.md")) == [
        ["old.md", "new.md"]
    ]


def test_a_person_unlinks_what_was_recognised() -> None:
    assert order([A, B, C], link("c.md", "b.md", linked=False)) == [["a.md", "b.md"]]


def test_a_person_turns_two_revisions_around() -> None:
    assert order([A, B], link("a.md", "b.md")) == [["b.md", "a.md"]]


def test_a_link_joins_two_chains_end_to_end() -> None:
    late = [replace(make(f"x-{mark}.md", f"Rev. {mark}"), title="Other one") for mark in "ab"]
    sources = [A, B, *late]
    pairs = [(A, B), (late[0], late[1])]
    found = find_chains(sources, pairs, [link("x-a.md", "b.md")])
    assert [[step[0].path for step in chain] for chain in found.chains] == [
        ["a.md", "b.md", "x-a.md", "x-b.md"]
    ]


def test_a_link_to_a_source_that_is_gone_changes_nothing() -> None:
    assert order([A, B], link("gone.md", "b.md")) == [["a.md", "b.md"]]


def test_a_chain_outranks_names_and_marks() -> None:
    links = [link("b.md", "a.md", linked=False)]
    places = place_sources(find_chains([A, B], [(A, B)], links).chains, links)
    one, other = (replace(s, chain=places[s.id][0], chain_place=places[s.id][1]) for s in (A, B))
    assert is_revision_of(A, B)
    assert not is_revision_of(one, other)
    turned = replace(A, chain="x", chain_place=1), replace(B, chain="x", chain_place=0)
    assert is_later(*turned) is True
