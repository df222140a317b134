"""Which of two sources is cited: the hierarchy's, then the newest, then the one not put aside."""

from __future__ import annotations

from dataclasses import replace

from foundry.craft.conflicts.resolution import order_sources
from foundry.craft.context import select_evidence
from foundry.records import Hit, Source
from tests.craft.samples import make_hit

TEXT = "The status is set when the case is closed, and may not be changed by a client after that."


def make_source(path: str, **more: str) -> Source:
    return replace(make_hit(TEXT, source=path).source, **more)  # type: ignore[arg-type]


def make_archived_hit() -> Hit:
    hit = make_hit(TEXT, source="archive/a.md")
    return replace(hit, source=hit.source.state("archived"))


def test_a_revision_that_holds_comes_before_a_later_draft() -> None:
    final = make_source("rules.md", title="Case rules", revision="1.2", revision_date="2024-01-01")
    draft = make_source("rules-1.3.md", title="Case rules", revision="1.3").state("draft")
    order = order_sources("", [draft, final])
    assert order.newer == {draft.id: final.id}


def test_an_archived_text_gives_way_to_one_without_a_revision_mark() -> None:
    old = make_source("archive/case rules.md", title="Case rules").state("archived")
    new = make_source("case rules.md", title="Case rules")
    assert order_sources("", [old, new]).newer == {old.id: new.id}


def test_what_a_person_says_holds_is_not_put_aside() -> None:
    source = make_source("archive/rules.md").state("final")
    assert not source.is_set_aside


def test_the_hierarchy_comes_before_the_newest_and_that_before_what_is_put_aside() -> None:
    named = make_source("archive/named.md").state("archived")
    new = make_source("spec.md", title="Case spec", revision="1.7")
    old = make_source("spec-old.md", title="Case spec", revision="1.6")
    aside = make_source("docs/archief/other.md", title="Another").state("archived")
    plain = make_source("docs/other.md")
    order = order_sources("", [named, new, old, aside, plain], ["named.md", "nowhere/*"])
    ranked = sorted([aside, old, named, plain], key=order.rank)
    assert ranked == [named, plain, aside, old]
    assert order.newer == {old.id: new.id}


def test_of_one_title_the_newest_comes_first_and_supersedes_nothing() -> None:
    old, new = (
        make_source(f"{day}.html", title="Snapshot", revision_date=day)
        for day in ("2022-03-21", "2026-05-18")
    )
    order = order_sources("", [old, new])
    assert order.rank(new) < order.rank(old)
    assert order.newer == {}


def test_of_two_passages_with_the_same_words_the_better_source_is_evidence() -> None:
    hits = [make_archived_hit(), make_hit(TEXT, source="a.md")]
    order = order_sources("", [hit.source for hit in hits])
    chosen = select_evidence(hits, max_chunks=5, token_budget=1000, rank=order.rank)
    assert [item.hit.source.path for item in chosen.evidence] == ["a.md"]
    assert [item.hit.source.path for item in chosen.dropped] == ["archive/a.md"]


def test_a_passage_that_says_less_takes_no_place() -> None:
    hits = [
        make_archived_hit(),
        make_hit(TEXT.split(",", maxsplit=1)[0], source="a.md"),
    ]
    order = order_sources("", [hit.source for hit in hits])
    chosen = select_evidence(hits, max_chunks=5, token_budget=1000, rank=order.rank)
    assert [item.hit.source.path for item in chosen.evidence] == ["archive/a.md"]
