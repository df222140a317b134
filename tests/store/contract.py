"""The contract of every store, whatever its database.

A test module subclasses ``StoreContract`` and provides the fixture ``store``: an empty,
writable store of project ``records.PROJECT``.
"""

from __future__ import annotations

import math
import os
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from foundry.analysis.sketches import compute_sketch
from foundry.clock import get_now
from foundry.errors import IndexMissing, ProjectBusy, RuleError, StoreError
from foundry.messages import Message
from foundry.ports import ChunkVectors
from foundry.records import (
    Block,
    Box,
    CorrectedPart,
    DocumentName,
    Doubt,
    FacetValue,
    Fact,
    Filters,
    KeptText,
    Reading,
    Recognition,
    RetrieverHit,
    RevisionLink,
    Table,
    TableCell,
    UnreadFile,
    UsedSource,
)
from foundry.store import Store
from tests.store.evaluation_contract import EvaluationContract
from tests.store.records import (
    DIMENSION,
    MODEL,
    PROJECT,
    WHEN,
    Made,
    embed,
    make_correction,
    make_draft,
    make_query,
    make_source,
    terms,
    vector,
    vectors,
)
from tests.store.view_contract import ViewContract

EVERYTHING = Filters()
DAMAGED = Message("verbatim", text="Damaged.", fix="")
ENCRYPTED = Message("verbatim", text="Encrypted.", fix="")


class SourceContract:
    def test_sources_under_a_path_are_its_own_and_what_is_attached(self, store: Store) -> None:
        for path in ("a.eml", "a.eml/b.md", "a.eml/c.zip/d.md", "a.eml2", "a.em", "b/a.eml"):
            store.save_source(*make_source(path, "Cable."))
        found = [source.path for source in store.list_sources("a.eml")]
        assert found == ["a.eml", "a.eml/b.md", "a.eml/c.zip/d.md"]

    def test_sources_are_found_by_the_bytes_of_their_file(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "Cable.", content_hash="one"))
        store.save_source(*make_source("b.md", "Cable.", content_hash="two"))
        assert [source.path for source in store.find_content("two")] == ["b.md"]

    def test_a_source_is_found_by_path_and_by_id_as_it_was_saved(self, store: Store) -> None:
        made = make_source(
            "a/manual.pdf", "Text.", title="Manual", pages=3, tags=("b", "a"), warnings=(Message("readers-no-text"),),
            revision="B", revision_date="2025-11-03", confidentiality="internal", recipe="r1",
        )  # fmt: skip
        store.save_source(*made)
        assert store.find_source("a/manual.pdf") == made.source
        assert store.find_source(made.source.id) == made.source

    def test_an_unknown_source_is_not_found(self, store: Store) -> None:
        assert store.find_source("nothing.md") is None

    def test_sources_are_listed_by_path(self, store: Store) -> None:
        for path in ("b.md", "a.md", "c.md"):
            store.save_source(*make_source(path, path))
        assert [source.path for source in store.list_sources()] == ["a.md", "b.md", "c.md"]

    def test_text_blocks_and_chunks_come_back_as_saved(self, store: Store) -> None:
        made = make_source("a.md", "One é.", "Two 🎛.", "Three.", headings=("1 A", "1.1 B"))
        store.save_source(*made)
        assert store.source_text(made.source.id) == made.text
        assert store.source_blocks(made.source.id) == list(made.blocks)
        assert store.source_chunks(made.source.id) == list(made.chunks)

    def test_every_field_of_a_block_comes_back(self, store: Store) -> None:
        made = make_source("a.vtt", "Hello there.")
        block = Block(
            "cue", 0, 12, ("1 A",), 2, 7, "vii", Box(1.5, 2.25, 3.0, 4.125), 60.5, 61.25, "Ann"
        )
        block = replace(block, recognition=Recognition(0.75, (Doubt("±5", "+5"),)))
        part = CorrectedPart("cor_1", "words", 0, 2, "l6", "±5", "Gedrukt.")
        block = replace(block, corrections=(part,))
        cells = (
            TableCell(("Sales",), ("2022",), "$9", 0, 2),
            TableCell((), ("A", "B"), "5", 3, 4, "$"),
            TableCell((), ("A", "B"), "6", 5, 6, certain=False),
        )
        block = replace(block, table=Table("Sales", "in millions", cells, header=("a | b",)))
        store.save_source(*made._replace(blocks=(block,)))
        assert store.source_blocks(made.source.id) == [block]

    @pytest.mark.parametrize("verb", ["source_text", "source_blocks", "source_chunks"])
    def test_reading_an_unknown_source_raises(self, store: Store, verb: str) -> None:
        with pytest.raises(StoreError, match="No such source"):
            getattr(store, verb)("src_nothing")

    def test_saving_again_replaces_everything(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "Old words.", "Kept words."))
        made = make_source("a.md", "Kept words.", "New words.", title="New")
        store.save_source(*made)
        assert store.find_source("a.md") == made.source
        assert store.source_chunks(made.source.id) == list(made.chunks)
        assert store.search_text(terms("old"), 10, EVERYTHING) == []

    def test_texts_are_cut_right_far_into_a_long_source(self, store: Store) -> None:
        words = [f"paragraph {n} 🎛 " + "x" * 900 for n in range(200)]
        made = make_source("long.md", *words)
        store.save_source(*made)
        assert store.source_text(made.source.id) == made.text
        assert store.source_chunks(made.source.id) == list(made.chunks)

    def test_a_chunk_has_the_blocks_it_overlaps(self, store: Store) -> None:
        made = make_source("a.md", "one", "two", "three", "four")
        wide = replace(made.chunk(0), start=2, end=9, text=made.text[2:9], content=made.text[2:9])
        store.save_source(*made._replace(chunks=(wide,)))
        (chunk,) = store.get_chunks([wide.id])
        assert chunk.blocks == made.blocks[:2]

    def test_a_block_that_ends_where_a_chunk_starts_is_not_in_it(self, store: Store) -> None:
        made = make_source("a.md", "onetwo")
        blocks = (Block("paragraph", 0, 3), Block("paragraph", 3, 6))
        chunk = replace(made.chunk(0), start=3, text="two", content="two")
        store.save_source(*made._replace(blocks=blocks, chunks=(chunk,)))
        assert store.get_chunks([chunk.id])[0].blocks == blocks[1:]

    def test_content_that_differs_from_the_text_is_kept_and_searched(self, store: Store) -> None:
        made = make_source("a.vtt", "00:01 --> 00:02\nThe gateway hums.")
        spoken = replace(made.chunk(0), content="The gateway hums.")
        store.save_source(*made._replace(chunks=(spoken,)))
        assert store.get_chunks([spoken.id]) == [spoken]
        assert store.document_frequencies(["01"]) == {"01": 0}

    def test_a_chunk_that_differs_from_the_text_is_rejected(self, store: Store) -> None:
        made = make_source("a.md", "One.", "Two.")
        wrong = replace(made.chunk(1), start=0, end=4)
        with pytest.raises(StoreError, match="differs from the text"):
            store.save_source(*made._replace(chunks=(made.chunk(0), wrong)))
        assert store.list_sources() == []

    def test_a_failed_save_leaves_the_earlier_revision_whole(self, store: Store) -> None:
        made = make_source("a.md", "One.", "Two.")
        store.save_source(*made)
        twins = make_source("a.md", "Three.")
        with pytest.raises(StoreError):
            store.save_source(*twins._replace(chunks=twins.chunks * 2))
        assert store.source_chunks(made.source.id) == list(made.chunks)
        assert store.verify() == []

    def test_two_sources_cannot_have_one_path(self, store: Store) -> None:
        made = make_source("a.md", "One.")
        store.save_source(*made)
        other = make_source("b.md", "Two.")
        with pytest.raises(StoreError):
            store.save_source(replace(other.source, path="a.md"), *other[1:])
        assert store.list_sources() == [made.source]

    def test_metadata_changes_without_the_text(self, store: Store) -> None:
        made = make_source("a.md", "One.")
        store.save_source(*made)
        changed = replace(made.source, tags=("new",), confidentiality="secret")
        store.update_source(changed)
        assert store.find_source("a.md") == changed
        assert store.view("public").search_text(terms("one"), 10, EVERYTHING) == []

    def test_labels_of_several_sources_change_from_what_they_are(self, store: Store) -> None:
        for path in ("a.md", "b.md"):
            store.save_source(*make_source(path, "One.", tags=(path,)))
        ids = [source.id for source in store.list_sources()]
        changed = store.change_sources(
            ids, lambda one: replace(one, tags=("b.md",), confidentiality="secret")
        )
        assert [source.tags for source in store.list_sources()] == [("b.md",), ("b.md",)]
        assert sorted(changed) == sorted(ids)
        assert store.change_sources(ids, lambda one: one) == []
        assert store.view("public").search_text(terms("one"), 10, EVERYTHING) == []

    def test_a_new_title_is_searched(self, store: Store) -> None:
        made = make_source("a.md", "Words.", title="Luminaire")
        store.save_source(*made)
        store.update_source(replace(made.source, title="Gateway"))
        assert store.search_text(terms("luminaire"), 10, EVERYTHING) == []
        assert len(store.search_text(terms("gateway"), 10, EVERYTHING)) == 1
        assert store.verify() == []

    def test_metadata_of_an_unknown_source_is_rejected(self, store: Store) -> None:
        with pytest.raises(StoreError, match="No such source"):
            store.update_source(make_source("a.md", "One.").source)

    def test_a_removed_source_disappears_everywhere(self, store: Store) -> None:
        made = make_source("a.md", "One.", "Two.")
        store.save_source(*made)
        embed(store)
        assert store.remove_source(made.source.id) is True
        status = store.index_status(MODEL)
        assert (status.sources, status.chunks, status.text_rows, status.vectors) == (0, 0, 0, 0)
        assert store.get_chunks(made.ids()) == []
        assert store.verify() == []

    def test_removing_an_unknown_source_returns_false(self, store: Store) -> None:
        assert store.remove_source("src_nothing") is False

    def test_summaries_are_returned_for_the_sources_that_have_one(self, store: Store) -> None:
        made = make_source("a.md", "One.")
        store.save_source(*made)
        assert store.summaries([made.source.id, "src_nothing"]) == {made.source.id: made.summary}

    def test_annotations_replace_summary_and_prefixes(self, store: Store) -> None:
        made = make_source("a.md", "One.", "Two.", prefix="Old")
        store.save_source(*made)
        summary = replace(made.summary, text="Another.", model="m")
        new = [replace(made.chunk(0), prefix="New"), made.chunk(1)]
        assert store.save_annotations(summary, new) == 1
        assert store.summaries([made.source.id]) == {made.source.id: summary}
        assert [c.prefix for c in store.source_chunks(made.source.id)] == ["New", "Old"]
        assert store.verify() == []

    def test_annotations_of_missing_chunks_change_nothing(self, store: Store) -> None:
        made, other = make_source("a.md", "One."), make_source("b.md", "Two.")
        store.save_source(*made)
        assert store.save_annotations(made.summary, other.chunks) == 0
        with pytest.raises(StoreError):
            store.save_annotations(other.summary, ())

    def test_chunks_come_in_the_order_of_their_ids_without_unknown_ones(self, store: Store) -> None:
        first, second = make_source("a.md", "One.", "Two."), make_source("b.md", "Three.")
        store.save_source(*first)
        store.save_source(*second)
        asked = [first.ids()[1], "chk_nothing", second.ids()[0], first.ids()[0]]
        assert [chunk.text for chunk in store.get_chunks(asked)] == ["Two.", "Three.", "One."]

    def test_languages_are_counted_by_chunk(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "Een.", "Twee.", language="nl"))
        store.save_source(*make_source("b.md", "One."))
        assert store.languages() == {"nl": 2, "en": 1}


class CorrectionContract:
    def test_corrections_and_what_was_read_are_saved_with_their_source(self, store: Store) -> None:
        made = make_source("a.md", "Kabel: 300 m.")
        reading, one = Reading("A", made.text, made.blocks), make_correction(made)
        store.save_source(*made, reading=reading, corrections=[one])
        assert store.find_reading(made.source.id) == reading
        assert store.list_corrections(made.source.content_hash) == [one]
        store.save_source(*made, corrections=[])
        assert store.find_reading(made.source.id) is None
        assert store.list_corrections() == []

    def test_corrections_outlive_their_source_until_they_are_removed(self, store: Store) -> None:
        made = make_source("a.md", "Kabel.")
        one = make_correction(made)
        store.save_source(*made, corrections=[one])
        store.save_source(*make_source("a.md", "Draad."))
        store.remove_source(made.source.id)
        assert store.list_corrections() == [one]
        assert store.remove_correction(one.id)
        assert not store.remove_correction(one.id)


class RevisionContract:
    def test_a_source_is_found_by_the_path_of_each_copy(self, store: Store) -> None:
        made = make_source("a.md", "Kabel.", copies=("b/a.md", "c.eml/a.md"))
        store.save_source(*made)
        found = store.find_source("c.eml/a.md")
        assert found == store.find_source("a.md")
        assert found is not None
        assert found.copies == ("b/a.md", "c.eml/a.md")
        assert store.find_source("a") is None

    def test_a_role_finds_no_copy_of_a_hidden_source(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "X.", confidentiality="secret", copies=("b.md",)))
        assert store.view("public").find_source("b.md") is None

    def test_a_source_is_superseded_by_the_latest_of_its_chain_that_a_role_sees(
        self, store: Store
    ) -> None:
        levels = {"a.md": "public", "b.md": "public", "c.md": "secret", "d.md": "public"}
        made = [make_source(path, path, confidentiality=level) for path, level in levels.items()]
        for one in made:
            store.save_source(*one)
        store.save_chains({one.source.id: ("x", place) for place, one in enumerate(made[:3])})
        assert store.list_superseded() == {"a.md": "c.md", "b.md": "c.md"}
        assert store.view("public").list_superseded() == {"a.md": "b.md"}

    def test_the_sources_of_one_chain_and_of_all_are_listed(self, store: Store) -> None:
        made = [make_source(path, path) for path in ("a.md", "b.md", "c.md", "d.md")]
        for one in made:
            store.save_source(*one)
        chains = {made[0].source.id: ("x", 0), made[1].source.id: ("y", 0)}
        store.save_chains(chains | {made[2].source.id: ("x", 1)})
        assert [one.path for one in store.list_chained("x")] == ["a.md", "c.md"]
        assert [one.path for one in store.list_chained()] == ["a.md", "b.md", "c.md"]

    def test_the_hash_of_all_sources_changes_when_one_is_read_anew(self, store: Store) -> None:
        made = make_source("a.md", "One.")
        store.save_source(*made)
        before = store.hash_sources()
        store.save_source(*made)
        assert store.hash_sources() == before
        store.save_source(replace(made.source, recipe="other"), *made[1:])
        assert store.hash_sources() != before

    def test_a_source_that_is_left_out_is_not_found(self, store: Store) -> None:
        for path in ("a.md", "b.md"):
            store.save_source(*make_source(path, "Zebra cable."))
        embed(store)
        without = Filters(without=("a.md",))
        found = store.search_text(terms("zebra"), 9, without)
        near = store.search_vectors(MODEL, vector("zebra"), 9, without)
        ids = [hit.chunk_id for hit in (*found, *near)]
        assert {one.source_id for one in store.get_chunks(ids)} == {make_source("b.md").source.id}

    def test_a_link_replaces_what_was_said_of_the_same_two(self, store: Store) -> None:
        for path in ("a.md", "b.md"):
            store.save_source(*make_source(path, "Kabel."))
        store.save_revision_link(RevisionLink("b.md", "a.md", True, "Ann", "Printed.", WHEN))
        other = RevisionLink("a.md", "b.md", False, "Bo", "", WHEN)
        store.save_revision_link(other)
        assert store.list_revision_links() == [other]

    def test_every_source_has_the_sketch_of_its_text(self, store: Store) -> None:
        made = make_source("a.md", "One two three four five.")
        store.save_source(*made)
        assert store.list_unsketched() == []
        assert store.list_sketches()[made.source.id].pack() == compute_sketch(made.text).pack()


class RoleContract:
    """What a role may not see is as if it did not exist, to the last bit of a score."""

    PUBLIC = make_source(
        "a.md", "cable plug lamp", "cable cable", "lamp", language="nl", confidentiality="public"
    )
    SECRET = make_source(
        "b.md", "cable quagga " * 9, "quagga", "plug " * 5, confidentiality="secret"
    )
    ASKED = ("cabl", "plug", "lamp", "quagga", "nil")

    @pytest.fixture
    def both(self, store: Store) -> Store:
        store.save_source(*self.SECRET)
        store.save_source(*self.PUBLIC)
        embed(store)
        return store

    def _look(self, store: Store) -> dict[str, object]:
        view = store.view("public")
        return {
            "text": view.search_text(self.ASKED, 10, EVERYTHING),
            "vectors": view.search_vectors(MODEL, vector("plug"), 10, EVERYTHING),
            "frequencies": view.document_frequencies(self.ASKED),
            "languages": view.languages(),
            "status": view.index_status(MODEL),
            "windows": sorted(view.get_windows(MODEL, self.PUBLIC.ids() + self.SECRET.ids())),
        }

    def test_a_hidden_source_changes_nothing(self, both: Store) -> None:
        seen = self._look(both)
        both.remove_source(self.SECRET.source.id)
        assert self._look(both) == seen

    def test_a_role_that_sees_everything_finds_what_the_store_finds(self, both: Store) -> None:
        whole = both.search_text(self.ASKED, 10, EVERYTHING)
        assert both.view("secret").search_text(self.ASKED, 10, EVERYTHING) == whole
        assert both.view("secret").document_frequencies(["quagga"]) == {"quagga": 2}

    def test_a_source_that_becomes_secret_leaves_the_statistics(self, both: Store) -> None:
        assert both.view("public").document_frequencies(["lamp"]) == {"lamp": 2}
        both.update_source(replace(self.PUBLIC.source, confidentiality="internal"))
        assert both.view("public").document_frequencies(["lamp"]) == {"lamp": 0}
        assert both.view("public").languages() == {}


class TextSearchContract:
    def test_the_chunk_with_the_rarer_words_comes_first(self, store: Store) -> None:
        made = make_source("a.md", "Cable and cable.", "Cable connector pinout.", "Other thing.")
        store.save_source(*made)
        hits = store.search_text(terms("cable pinout"), 10, EVERYTHING)
        assert [hit.chunk_id for hit in hits] == [made.ids()[1], made.ids()[0]]
        assert [hit.rank for hit in hits] == [1, 2]
        assert hits[0].score > hits[1].score > 0

    def test_a_source_is_found_by_its_file_name_and_its_names(self, store: Store) -> None:
        names = (
            DocumentName("Oak Lines Ltd.", "organisation", ("OLX", "Company"), "front"),
            DocumentName("Elm Works Inc.", "organisation", (), "text", 4),
        )
        made = make_source("larch_2022.md", "Revenue rose.", names=names)
        store.save_source(*made)
        kept = store.find_source(made.source.id)
        assert kept
        assert kept.names == names
        for word in ("larch", "oak", "OLX"):
            assert store.search_text(terms(word), 10, EVERYTHING)
        for word in ("company", "elm"):
            assert store.search_text(terms(word), 10, EVERYTHING) == []

    def test_scores_are_those_of_bm25(self, store: Store) -> None:
        texts = ["red red blue", "red green", "red yellow pink", "white", "blue blue red red"]
        made = make_source("a.md", *texts)
        store.save_source(*made)
        found = {h.chunk_id: h.score for h in store.search_text(["red", "blue"], 10, EVERYTHING)}
        for identity, text in zip(made.ids(), texts, strict=True):
            assert found.get(identity, 0) == pytest.approx(_bm25(["red", "blue"], text, texts))

    def test_scores_stay_those_of_bm25_after_removals(self, store: Store) -> None:
        store.save_source(*make_source("kept.md", "red blue", "red"))
        store.save_source(*make_source("gone.md", *["red green white " * n for n in range(1, 9)]))
        store.save_source(*make_source("gone.md", "green"))
        texts = ["kept red blue", "kept red", "gone green"]
        hits = store.search_text(["blue"], 10, EVERYTHING)
        assert [hit.score for hit in hits] == [pytest.approx(_bm25(["blue"], texts[0], texts))]

    def test_a_word_in_every_chunk_still_finds_them(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "Controller one.", "Controller two."))
        hits = store.search_text(terms("controller"), 10, EVERYTHING)
        assert len(hits) == 2
        assert min(hit.score for hit in hits) > 0.05

    def test_a_term_given_twice_counts_twice(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "Cable.", "Other."))
        once = store.search_text(terms("cable"), 10, EVERYTHING)
        twice = store.search_text(terms("cable") * 2, 10, EVERYTHING)
        assert twice[0].score == pytest.approx(2 * once[0].score)

    @pytest.mark.parametrize("asked", [[], ["nowhere"], ["", " "]])
    def test_terms_in_no_chunk_find_nothing(self, store: Store, asked: list[str]) -> None:
        store.save_source(*make_source("a.md", "Cable."))
        assert store.search_text(asked, 10, EVERYTHING) == []

    def test_terms_are_not_parsed_as_query_syntax(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "Cable."))
        for term in (
            '"',
            "'",
            "*",
            "a b",
            "NEAR",
            "OR",
            "title:x",
            "x\0y",
            "c++",
            "^",
            "\udcff",
            "(",
        ):
            assert len(store.search_text([term, "cabl"], 10, EVERYTHING)) == 1, term

    def test_title_and_headings_are_searched(self, store: Store) -> None:
        made = make_source("a.md", "Words.", title="Luminaire", headings=("3 Wiring", "3.1 Pins"))
        store.save_source(*made)
        for word in ("luminaire", "wiring", "pins"):
            assert len(store.search_text(terms(word), 10, EVERYTHING)) == 1, word

    def test_an_unchanged_chunk_is_found_by_its_new_headings(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "Words.", headings=("1 Wiring",)))
        store.save_source(*make_source("a.md", "Words.", headings=("1 Grounding",)))
        assert store.search_text(terms("wiring"), 10, EVERYTHING) == []
        assert len(store.search_text(terms("grounding"), 10, EVERYTHING)) == 1

    def test_the_limit_bounds_the_hits(self, store: Store) -> None:
        store.save_source(*make_source("a.md", *[f"Cable {n}." for n in range(20)]))
        assert len(store.search_text(terms("cable"), 7, EVERYTHING)) == 7
        assert store.search_text(terms("cable"), 0, EVERYTHING) == []

    def test_a_question_of_thousands_of_words_is_answered(self, store: Store) -> None:
        words = [f"word{n}" for n in range(3000)]
        store.save_source(*make_source("a.md", " ".join(words), "Other thing."))
        assert len(store.search_text(terms(" ".join(words)), 10, EVERYTHING)) == 1

    def test_a_mention_tells_a_label_from_a_text(self, store: Store) -> None:
        titled = make_source("cable.md", "Red lamp.", "Blue lamp.")
        other = make_source("other.md", "A cable.", "A plug.", "A lamp.")
        for made in (titled, other):
            store.save_source(*made)
        found = store.count_mentions(terms("cable"))
        (spread,) = found.spread.values()
        rows = zip(found.sources, found.sizes, spread.chunks, spread.labelled, strict=True)
        known = {source: (*map(int, rest),) for source, *rest in rows}
        assert known == {titled.source.id: (2, 2, 1), other.source.id: (3, 1, 0)}

    def test_a_term_of_no_chunk_is_mentioned_nowhere(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "Red lamp."))
        found = store.count_mentions(["nil", "no\udc80text", "a\0b"])
        assert all(one.chunks.tolist() == [0] for one in found.spread.values())
        assert len(found.spread) == 3

    def test_an_abbreviation_is_found_from_both_sides(self, store: Store) -> None:
        name = DocumentName("Algemene wet", "abbreviation", ("AW",))
        store.save_source(*make_source("a.md", "Cable.", names=(name,)))
        store.save_source(*make_source("a.md", "Plug.", names=(name,)))
        asked = ["aw", "algemene wet"]
        found = [("algemene wet", "AW"), ("aw", "Algemene wet")]
        assert store.find_abbreviations(asked) == found
        store.remove_source(make_source("a.md").source.id)
        assert store.find_abbreviations(asked) == []

    def test_document_frequencies_count_chunks(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "Cable cable.", "Cable plug.", "Other."))
        assert store.document_frequencies(["cabl", "plug", "nil"]) == {
            "cabl": 2, "plug": 1, "nil": 0,
        }  # fmt: skip

    def test_document_frequencies_drop_removed_chunks(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "Cable."))
        store.save_source(*make_source("b.md", "Cable."))
        store.remove_source(make_source("a.md").source.id)
        assert store.document_frequencies(["cabl"]) == {"cabl": 1}


def _bm25(query: list[str], text: str, texts: list[str]) -> float:
    """BM25 with Lucene's idf, from the formula."""
    documents = [other.split() for other in texts]
    mean = sum(map(len, documents)) / len(documents)
    words, score = text.split(), 0.0
    for term in query:
        holding = sum(term in document for document in documents)
        idf = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        count = words.count(term)
        norm = 1.2 * (1 - 0.75 + 0.75 * len(words) / mean)
        score += idf * count * 2.2 / (count + norm)
    return score


FILTERS = [
    (Filters(types=("pdf",)), {"inside.pdf", "closed.pdf"}),
    (Filters(types=("pdf", "md")), {"open.md", "inside.pdf", "closed.pdf"}),
    (Filters(tags=("safety",)), {"inside.pdf"}),
    (Filters(tags=("safety", "draft")), {"inside.pdf", "closed.pdf"}),
    (Filters(sources=("open.md",)), {"open.md"}),
    (Filters(sources=(make_source("closed.pdf").source.id,)), {"closed.pdf"}),
    (Filters(date_from="2025-06-01"), {"inside.pdf", "closed.pdf"}),
    (Filters(date_to="2025-06-01"), {"open.md", "inside.pdf"}),
    (Filters(date_from="2025-06-01", date_to="2025-06-01"), {"inside.pdf"}),
    (Filters(date_from="2024", date_to="2024"), {"open.md"}),
    (Filters(types=("pdf",), tags=("safety",)), {"inside.pdf"}),
    (Filters(types=("docx",)), set()),
    (Filters(levels=("internal", "secret")), {"inside.pdf", "closed.pdf"}),
    (Filters(folders=("open",)), set()),
]


def three_sources() -> list[Made]:
    """Three sources: public from 2024, internal with a printed date in June 2025, secret from 2026."""
    return [
        make_source("open.md", "Cable one.", modified=datetime(2024, 5, 1, tzinfo=UTC)),
        make_source(
            "inside.pdf", "Cable two.", type="pdf", confidentiality="internal", tags=("safety",),
            revision_date="2025-06-01",
        ),
        make_source(
            "closed.pdf", "Cable three.", type="pdf", confidentiality="secret", tags=("x", "draft"),
            modified=WHEN, revision_date="spring 2020",
        ),
    ]  # fmt: skip


class FilterContract:
    def test_text_search_sees_only_what_the_filters_allow(self, store: Store) -> None:
        for made in three_sources():
            store.save_source(*made)
        for filters, visible in FILTERS:
            hits = store.search_text(terms("cable"), 10, filters)
            assert _paths(store, hits) == visible, filters

    def test_a_list_has_only_what_the_filters_allow(self, store: Store) -> None:
        for made in three_sources():
            store.save_source(*made)
        for filters, visible in FILTERS:
            assert {source.path for source in store.select_sources(filters)} == visible, filters
            assert {source.path for source in store.outline_sources(filters)} == visible, filters

    def test_an_outline_says_what_its_source_says(self, store: Store) -> None:
        facts = (Fact("status", "draft", "cover", "high"),)
        made = make_source("a.md", "One.", tags=("a",), facts=facts, copies=("b.md",), pages=3)
        store.save_source(*made)
        (outline,) = store.outline_sources()
        same = [name for name in outline._fields if hasattr(made.source, name)]
        same.remove("modified"), same.remove("ingested")
        assert [getattr(outline, one) for one in same] == [
            getattr(made.source, one) for one in same
        ]
        assert datetime.fromisoformat(outline.modified) == made.source.modified
        assert not outline.warned

    def test_facets_count_the_sources_that_match(self, store: Store) -> None:
        for path, tags in (("a/b/one.md", ("x", "y")), ("a/two.md", ("x",)), ("three.md", ())):
            store.save_source(*make_source(path, "Cable.", tags=tags))
        facets = store.count_facets()
        assert facets.folder == (FacetValue("a", 2), FacetValue("a/b", 1))
        assert facets.tag == (FacetValue("x", 2), FacetValue("y", 1))
        assert facets.type == (FacetValue("md", 3),)
        assert store.count_facets(Filters(tags=("y",))).type == (FacetValue("md", 1),)

    def test_a_source_without_a_revision_counts_for_none(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "Cable.", revision="B"))
        store.save_source(*make_source("b.md", "Cable."))
        assert store.count_facets().revision == (FacetValue("B", 1),)

    def test_a_folder_has_what_is_below_it_and_not_what_only_begins_like_it(
        self, store: Store
    ) -> None:
        for path in ("a_b/one.md", "a_b/c/two.md", "a_bc/three.md", "axb/four.md"):
            store.save_source(*make_source(path, "Cable."))
        found = store.select_sources(Filters(folders=("a_b",)))
        assert [source.path for source in found] == ["a_b/c/two.md", "a_b/one.md"]

    def test_vector_search_sees_only_what_the_filters_allow(self, store: Store) -> None:
        for made in three_sources():
            store.save_source(*made)
        embed(store)
        for filters, visible in FILTERS:
            hits = store.search_vectors(MODEL, vector("cable"), 10, filters)
            assert _paths(store, hits) == visible, filters

    def test_vector_search_filters_before_it_limits(self, store: Store) -> None:
        store.save_source(*make_source("near.md", *[f"cable {n}" for n in range(60)]))
        store.save_source(*make_source("far.txt", *[f"lamp {n}" for n in range(10)], type="txt"))
        embed(store)
        hits = store.search_vectors(MODEL, vector("cable"), 10, Filters(types=("txt",)))
        assert len(hits) == 10

    def test_text_search_filters_before_it_limits(self, store: Store) -> None:
        store.save_source(*make_source("near.md", *["cable cable"] * 60))
        long = "cable " + "other words " * 50
        store.save_source(*make_source("far.txt", *[long + str(n) for n in range(10)], type="txt"))
        hits = store.search_text(terms("cable"), 10, Filters(types=("txt",)))
        assert len(hits) == 10


def _paths(store: Store, hits: list[RetrieverHit]) -> set[str]:
    ids = [hit.chunk_id for hit in hits]
    sources = {source.id: source.path for source in store.list_sources()}
    return {sources[chunk.source_id] for chunk in store.get_chunks(ids)}


class VectorContract:
    def test_searching_without_an_index_raises(self, store: Store) -> None:
        with pytest.raises(
            IndexMissing, match=r"No embeddings found for model m\. Run foundry ingest first\."
        ):
            store.search_vectors("m", vector("x"), 10, EVERYTHING)

    def test_a_filter_follows_labels_that_change(self, store: Store) -> None:
        made = make_source("a.md", "cable")
        store.save_source(*made)
        only = Filters(tags=("new",))
        assert store.search_text(terms("cable"), 10, only) == []
        store.change_sources([made.source.id], lambda one: replace(one, tags=("new",)))
        assert len(store.search_text(terms("cable"), 10, only)) == 1

    def test_scores_are_cosines(self, store: Store) -> None:
        made = make_source("a.md", "cable plug", "cable", "lamp")
        store.save_source(*made)
        embed(store)
        query = vector("cable")
        hits = store.search_vectors(MODEL, query, 2, EVERYTHING)
        assert [hit.chunk_id for hit in hits] == [made.ids()[1], made.ids()[0]]
        assert hits[0].score == pytest.approx(1, abs=0.01)
        assert hits[1].score == pytest.approx(float(query @ vector("cable plug")), abs=0.01)

    def test_a_hit_by_vector_names_the_language_of_its_chunk(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "kabel", language="nl"))
        embed(store)
        (hit,) = store.search_vectors(MODEL, vector("kabel"), 2, EVERYTHING)
        assert hit.language == "nl"

    def test_an_index_without_vectors_finds_nothing(self, store: Store) -> None:
        store.open_index(MODEL, DIMENSION, "fp")
        assert store.search_vectors(MODEL, vector("x"), 10, EVERYTHING) == []

    def test_equally_near_chunks_are_ranked_by_id(self, store: Store) -> None:
        made = [make_source(f"{n}.md", "Cable.") for n in range(9)]
        for one in made:
            store.save_source(*one)
        embed(store)
        hits = store.search_vectors(MODEL, vector("cable"), 4, EVERYTHING)
        ids = sorted(chunk for one in made for chunk in one.ids())
        assert [hit.chunk_id for hit in hits] == ids[:4]

    def test_opening_an_index_again_keeps_its_vectors(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One."))
        embed(store)
        store.open_index(MODEL, DIMENSION, "fp")
        assert store.index_status(MODEL).vectors == 1
        assert store.find_index(MODEL) == "fp"

    def test_another_fingerprint_requires_a_rebuild(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One."))
        embed(store)
        with pytest.raises(IndexMissing) as error:
            store.open_index(MODEL, DIMENSION, "other")
        assert "rebuild --embeddings" in error.value.fix
        assert store.index_status(MODEL).vectors == 1

    def test_an_empty_index_accepts_another_fingerprint(self, store: Store) -> None:
        store.open_index(MODEL, DIMENSION, "fp")
        store.open_index(MODEL, 2 * DIMENSION, "other")
        assert store.find_index(MODEL) == "other"

    @pytest.mark.parametrize("other", ["test_words", "test/words/", "Test/Words", "tëst/words"])
    def test_models_with_similar_names_do_not_share_an_index(
        self, store: Store, other: str
    ) -> None:
        store.save_source(*make_source("a.md", "One."))
        embed(store)
        store.open_index(other, 2 * DIMENSION, "fp2")
        assert store.find_index(MODEL) == "fp"
        assert store.index_status(MODEL).vectors == 1
        assert store.index_status(other).vectors == 0

    def test_pending_chunks_come_in_pages(self, store: Store) -> None:
        made = make_source("a.md", *[f"Text {n}." for n in range(5)])
        store.save_source(*made)
        store.open_index(MODEL, DIMENSION, "fp")
        first = store.pending_chunks(MODEL, 3)
        second = store.pending_chunks(MODEL, 3, after=first[-1][0])
        assert [chunk for _, chunk in first + second] == list(made.chunks)

    def test_pending_chunks_and_their_tokens_may_be_those_of_some_sources(
        self, store: Store
    ) -> None:
        made = [make_source(path, f"Text of {path}.") for path in ("a.md", "b.md")]
        for one in made:
            store.save_source(*one)
        store.open_index(MODEL, DIMENSION, "fp")
        chosen = [made[1].source.id]
        assert [chunk for _, chunk in store.pending_chunks(MODEL, 9, sources=chosen)] == list(
            made[1].chunks
        )
        assert store.pending_tokens(MODEL, chosen) == made[1].chunks[0].tokens
        assert store.pending_tokens(MODEL) == sum(one.chunks[0].tokens for one in made)

    def test_embedded_chunks_are_no_longer_pending(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One.", "Two."))
        assert embed(store) == 2
        assert store.pending_chunks(MODEL, 10) == []
        assert embed(store) == 0

    def test_without_an_index_every_chunk_is_pending(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One.", "Two."))
        assert len(store.pending_chunks(MODEL, 10)) == 2

    def test_vectors_come_back_as_saved(self, store: Store) -> None:
        made = make_source("a.md", "One.", "Two.")
        store.save_source(*made)
        embed(store)
        found = store.get_vectors(MODEL, [made.ids()[1], "chk_nothing"])
        assert list(found) == [made.ids()[1]]
        np.testing.assert_allclose(found[made.ids()[1]].whole, vector("Two."), atol=0.01)
        windows = store.get_windows(MODEL, made.ids())[made.ids()[1]]
        np.testing.assert_array_equal(windows, found[made.ids()[1]].windows)

    def test_an_unknown_model_has_no_vectors(self, store: Store) -> None:
        assert store.get_vectors("m", ["chk_nothing"]) == {}

    def test_a_vector_for_a_changed_chunk_is_not_saved(self, store: Store) -> None:
        old = make_source("a.md", "One.", prefix="Old")
        store.save_source(*old)
        store.open_index(MODEL, DIMENSION, "fp")
        store.save_source(*make_source("a.md", "One.", prefix="New"))
        assert store.save_vectors(MODEL, [(old.chunk(0), vectors("Old One"))]) == 0
        assert store.index_status(MODEL).pending == 1

    def test_a_vector_for_a_removed_chunk_is_not_saved(self, store: Store) -> None:
        made = make_source("a.md", "One.")
        store.open_index(MODEL, DIMENSION, "fp")
        assert store.save_vectors(MODEL, [(made.chunk(0), vectors("One."))]) == 0
        assert store.verify() == []

    def test_vectors_cannot_be_saved_without_an_index(self, store: Store) -> None:
        made = make_source("a.md", "One.")
        with pytest.raises(IndexMissing):
            store.save_vectors(MODEL, [(made.chunk(0), vectors("One."))])

    @pytest.mark.parametrize(
        "wrong",
        [
            np.zeros(DIMENSION, np.float32),
            np.full(DIMENSION, np.nan, np.float32),
            2 * vector("One."),
            vector("One.")[:5],
        ],
    )
    def test_a_vector_with_another_shape_or_length_is_rejected(
        self, store: Store, wrong: np.ndarray
    ) -> None:
        made = make_source("a.md", "One.")
        store.save_source(*made)
        store.open_index(MODEL, DIMENSION, "fp")
        with pytest.raises(StoreError, match="vector"):
            store.save_vectors(MODEL, [(made.chunk(0), ChunkVectors(wrong, wrong[None]))])
        assert store.index_status(MODEL).vectors == 0

    def test_a_query_with_another_dimension_is_rejected(self, store: Store) -> None:
        store.open_index(MODEL, DIMENSION, "fp")
        with pytest.raises(StoreError, match="shape"):
            store.search_vectors(MODEL, vector("x")[:5], 10, EVERYTHING)

    def test_a_dropped_index_disappears(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One."))
        embed(store)
        store.drop_index(MODEL)
        store.drop_index("never/there")
        assert store.find_index(MODEL) is None
        assert store.index_status(MODEL).pending == 1

    def test_the_status_reports_the_size_of_each_index(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One.", "Two.", "Three."))
        store.open_index(MODEL, DIMENSION, "fp")
        chunk = store.pending_chunks(MODEL, 1)[0][1]
        store.save_vectors(MODEL, [(chunk, vectors("One."))])
        status = store.index_status(MODEL)
        assert (status.chunks, status.text_rows, status.vectors, status.pending) == (3, 3, 1, 2)
        assert (status.model, status.fingerprint) == (MODEL, "fp")
        assert store.index_status("other").model is None


class TakeoverContract:
    """Text that was embedded once is not embedded again."""

    def test_unchanged_chunks_keep_their_vector(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One.", "Two."))
        embed(store)
        store.save_source(*make_source("a.md", "Zero.", "Two.", "One."))
        pending = store.pending_chunks(MODEL, 10)
        assert [chunk.text for _, chunk in pending] == ["Zero."]

    def test_a_copied_source_reuses_vectors(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One.", "Two."))
        embed(store)
        copy = make_source("copy.md", "One.", "Two.")
        store.save_source(*copy)
        assert store.index_status(MODEL).pending == 0
        found = store.get_vectors(MODEL, copy.ids())
        np.testing.assert_allclose(found[copy.ids()[0]].whole, vector("One."), atol=0.01)

    def test_text_that_moves_within_a_source_reuses_vectors(self, store: Store) -> None:
        made = make_source("a.md", "One.", "One.", "Two.")
        store.save_source(*made)
        embed(store)
        store.save_source(*make_source("a.md", "Two.", "One.", "One.", "One."))
        assert store.index_status(MODEL).pending == 0

    def test_a_changed_prefix_needs_a_new_vector(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One.", prefix="Old"))
        embed(store)
        store.save_source(*make_source("a.md", "One.", prefix="New"))
        status = store.index_status(MODEL)
        assert (status.vectors, status.pending) == (0, 1)

    def test_only_chunks_with_a_changed_prefix_are_embedded_again(self, store: Store) -> None:
        made = make_source("a.md", "One.", "Two.", prefix="Old")
        store.save_source(*made)
        embed(store)
        new = [replace(made.chunk(0), prefix="New"), made.chunk(1)]
        store.save_annotations(made.summary, new)
        pending = [chunk.prefix for _, chunk in store.pending_chunks(MODEL, 9)]
        assert pending == ["New"]
        assert store.verify() == []

    def test_a_prefix_restored_within_a_run_reuses_its_vector(self, store: Store) -> None:
        made = make_source("a.md", "One.", prefix="Old")
        store.save_source(*made)
        embed(store)
        store.start_run({})
        store.save_annotations(made.summary, [replace(made.chunk(0), prefix="New")])
        store.save_annotations(made.summary, made.chunks)
        assert store.index_status(MODEL).pending == 0

    def test_a_prefix_that_returns_finds_its_vector_in_the_same_run(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One.", prefix="Old"))
        embed(store)
        store.start_run({})
        store.save_source(*make_source("a.md", "One.", prefix="New"))
        store.save_source(*make_source("a.md", "One.", prefix="Old"))
        assert store.index_status(MODEL).pending == 0

    def test_text_removed_and_saved_elsewhere_in_a_run_keeps_its_vector(self, store: Store) -> None:
        made = make_source("old.md", "One.")
        store.save_source(*made)
        embed(store)
        store.start_run({})
        store.remove_source(made.source.id)
        store.save_source(*make_source("new.md", "One."))
        assert store.index_status(MODEL).pending == 0
        assert store.verify() == []

    def test_removed_vectors_disappear_after_the_run(self, store: Store) -> None:
        made = make_source("old.md", "One.")
        store.save_source(*made)
        embed(store)
        run = store.start_run({})
        store.remove_source(made.source.id)
        store.finish_run(run, {})
        store.save_source(*make_source("new.md", "One."))
        assert store.index_status(MODEL).pending == 1

    def test_a_source_removed_outside_a_run_leaves_no_vector(self, store: Store) -> None:
        made = make_source("old.md", "One.")
        store.save_source(*made)
        embed(store)
        store.remove_source(made.source.id)
        store.save_source(*make_source("new.md", "One."))
        assert store.index_status(MODEL).pending == 1

    def test_vectors_are_reused_only_within_a_model(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One."))
        embed(store)
        store.open_index("test/other", DIMENSION, "fp")
        store.save_source(*make_source("b.md", "One."))
        assert store.index_status(MODEL).pending == 0
        assert store.index_status("test/other").pending == 2


class UpkeepContract:
    def test_a_rebuilt_text_index_finds_the_same_chunks(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "Cable one.", "Plug two.", title="Wiring"))
        store.save_source(*make_source("b.md", "De kabels.", language="nl", headings=("1 Kabel",)))
        asked = [*terms("cable wiring"), *terms("kabel", "nl")]
        before = store.search_text(asked, 10, EVERYTHING)
        assert store.rebuild_text_index() == 3
        assert store.search_text(asked, 10, EVERYTHING) == before
        assert store.verify() == []

    def test_searches_find_everything_while_the_text_index_is_rebuilt(self, store: Store) -> None:
        for number in range(6):
            store.save_source(*make_source(f"{number}.md", *[f"Cable {n}." for n in range(5)]))
        with ThreadPoolExecutor(1) as pool:
            rebuilt = pool.submit(store.rebuild_text_index)
            found = [store.search_text(terms("cable"), 40, Filters())]
            while not rebuilt.done():
                found.append(store.search_text(terms("cable"), 40, Filters()))
        assert rebuilt.result() == 30
        assert {len(hits) for hits in found} == {30}

    def test_verify_finds_nothing_in_a_used_store(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One.", "Two.", "Two."))
        embed(store)
        store.save_source(*make_source("a.md", "Two.", "Four 🎛."))
        embed(store)
        store.save_source(*make_source("b.md", "Five."))
        assert store.verify() == []

    def test_a_run_gets_a_number(self, store: Store) -> None:
        first = store.start_run({"paths": ["sources"]})
        store.finish_run(first, {"files": 3})
        assert store.start_run({}) > first

    def test_a_logged_query_comes_back_as_it_was(self, store: Store) -> None:
        record = make_query("q1")
        store.log_query(record)
        assert store.find_query("q1") == record
        assert store.find_query("q2") is None

    def test_queries_are_listed_newest_first(self, store: Store) -> None:
        for number in range(4):
            moment = WHEN + timedelta(minutes=number)
            store.log_query(make_query(f"q{number}", time=moment))
        assert [record.id for record in store.list_queries(2)] == ["q3", "q2"]

    def test_a_logged_query_keeps_checks_changes_project_and_profile(self, store: Store) -> None:
        record = make_query(
            "q1", rewritten="How far?", agent="pdr", project=PROJECT, profile="cheap",
            checks={"supported": 3, "unsupported": 1}, changes={"removed": 1}, error="model: down",
        )  # fmt: skip
        store.log_query(record)
        assert store.find_query("q1") == record

    @pytest.mark.parametrize(
        ("limits", "ids"),
        [
            ({"kind": "verify"}, ["q2"]),
            ({"without": "ask"}, ["q2"]),
            ({"verdict": "answer"}, ["q1"]),
            ({"verdict": "error"}, ["q3"]),
            ({"since": WHEN + timedelta(minutes=2)}, ["q3", "q2"]),
            ({"kind": "ask", "verdict": "low_confidence"}, []),
        ],
    )
    def test_queries_are_listed_by_kind_verdict_and_time(
        self, store: Store, limits: dict[str, Any], ids: list[str]
    ) -> None:
        later = [WHEN + timedelta(minutes=number) for number in range(4)]
        store.log_query(make_query("q1", time=later[1]))
        store.log_query(make_query("q2", time=later[2], kind="verify", verdict=None))
        store.log_query(make_query("q3", time=later[3], verdict=None, error="model: down"))
        assert [record.id for record in store.list_queries(10, **limits)] == ids

    def test_the_figures_of_a_row_are_its_numbers(self, store: Store) -> None:
        models = {"embedding": MODEL, "generator": "m"}
        record = make_query("q1", models=models, timings_ms={"total": 9.5}, checks={"partly": 2})
        store.log_query(record)
        (found,) = store.query_figures()
        assert (found.moment, found.kind, found.verdict) == (WHEN.timestamp(), "ask", "answer")
        assert (found.failed, found.coverage, found.checks) == (False, 1.0, {"partly": 2})
        assert (found.total_ms, found.tokens, found.cost, found.model) == (9.5, 15, None, "m")

    def test_a_conversation_is_listed_with_its_first_question_and_its_last_turn(
        self, store: Store
    ) -> None:
        for number, (who, first) in enumerate((("a", "q0"), ("b", "q1"), ("a", "q0"))):
            row = make_query(f"q{number}", query=f"Question {number}", who=who, conversation=first)
            store.log_query(row)
        (found,) = store.list_conversations("a", 10)
        assert (found.id, found.title, found.turns, found.latest) == ("q0", "Question 0", 2, "q2")

    def test_a_long_conversation_leaves_room_for_earlier_ones(self, store: Store) -> None:
        for number, first in enumerate(["q0", *["q1"] * 45]):
            store.log_query(make_query(f"q{number}", who="a", conversation=first))
        assert [(one.id, one.turns) for one in store.list_conversations("a", 2)] == [
            ("q1", 45),
            ("q0", 1),
        ]

    def test_questions_are_counted_by_outcome(self, store: Store) -> None:
        for number, error in enumerate((None, None, "stopped")):
            store.log_query(make_query(f"q{number}", error=error))
        store.log_query(make_query("run", kind="eval"))
        counted = {(one.failed, one.n) for one in store.count_queries()}
        assert counted == {(False, 2), (True, 1)}
        assert store.count_queries(get_now() + timedelta(days=1)) == []

    def test_a_conversation_loses_its_name_with_its_last_row(self, store: Store) -> None:
        row = make_query("q0", who="a", conversation="q0")
        store.log_query(replace(row, time=get_now() - timedelta(days=60)))
        store.keep_conversation("q0", title="Reasons")
        store.prune_log(30)
        store.log_query(replace(row, query="Why?"))
        assert [one.title for one in store.list_conversations("a", 10)] == ["Why?"]

    def test_a_named_conversation_keeps_its_name_when_it_is_removed_and_is_off_the_list(
        self, store: Store
    ) -> None:
        store.log_query(make_query("q0", query="Why?", who="a", conversation="q0"))
        store.keep_conversation("q0", title="Reasons")
        assert [one.title for one in store.list_conversations("a", 10)] == ["Reasons"]
        store.keep_conversation("q0", removed=True)
        assert store.list_conversations("a", 10) == []

    def test_figures_cover_a_half_open_interval_of_time(self, store: Store) -> None:
        for number in range(4):
            store.log_query(make_query(f"q{number}", time=WHEN + timedelta(days=number)))
        found = store.query_figures(since=WHEN + timedelta(days=1), until=WHEN + timedelta(days=3))
        days = [round((row.moment - WHEN.timestamp()) / 86_400) for row in found]
        assert days == [1, 2]

    def test_old_queries_are_pruned(self, store: Store) -> None:
        now = datetime.now(UTC)
        store.log_query(make_query("old", time=now - timedelta(days=31)))
        store.log_query(make_query("new", time=now - timedelta(days=29)))
        store.prune_log(30)
        assert [record.id for record in store.list_queries(10)] == ["new"]

    def test_a_model_reply_is_cached(self, store: Store) -> None:
        assert store.find_response("key") is None
        store.save_response("key", "m", '{"text": "one"}')
        store.save_response("key", "m", '{"text": "two"}')
        assert store.find_response("key") == '{"text": "two"}'

    def test_one_ingest_waits_for_the_other_and_reports_it_once(self, store: Store) -> None:
        waiting = threading.Event()
        order: list[str] = []

        def say_waiting(holder: Message) -> None:
            assert f"process {os.getpid()} on {socket.gethostname()}, since " in str(holder)
            order.append("waiting")
            waiting.set()

        def second() -> None:
            with store.lock("ingest", say_waiting):
                order.append("second")

        with ThreadPoolExecutor(1) as pool, store.lock("ingest"):
            pool.submit(second)
            assert waiting.wait(10)
            order.append("first done")
        assert order == ["waiting", "first done", "second"]

    def test_who_does_not_want_to_wait_raises(self, store: Store) -> None:
        def refuse(_holder: Message) -> None:
            raise RuleError("verbatim", text="Not now.")

        def second() -> None:
            with store.view("public").lock("build", refuse):
                raise AssertionError

        with ThreadPoolExecutor(1) as pool, store.lock("build"), store.lock("other"):
            failure = pool.submit(second).exception()
        assert isinstance(failure, RuleError)
        with store.lock("build", refuse):
            pass

    def test_waiting_ends_with_an_error_that_names_who_holds_the_lock(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for module in ("sqlite.connections", "postgres.store"):
            monkeypatch.setattr(f"foundry.store.{module}.QUIET_S", 0.2)
        with store.lock("build"), pytest.raises(ProjectBusy) as caught, store.lock("build"):
            raise AssertionError
        assert f"process {os.getpid()} on " in str(caught.value)

    def test_an_unread_file_is_listed_until_it_is_removed(self, store: Store) -> None:
        rows = [UnreadFile(f"{name}.pdf", "failed", DAMAGED, "secret") for name in "ab"]
        store.save_unread([*rows, replace(rows[0], reason=ENCRYPTED)])
        assert store.list_unread() == [replace(rows[0], reason=ENCRYPTED), rows[1]]
        store.remove_unread(["a.pdf"])
        assert store.list_unread() == [rows[1]]

    def test_threads_share_a_store(self, store: Store) -> None:
        def work(number: int) -> int:
            store.save_source(*make_source(f"{number}.md", f"Cable {number}.", "Plug."))
            return len(store.search_text(terms("cable"), 100, EVERYTHING))

        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(work, range(12)))
        assert min(found) >= 1
        assert store.index_status(MODEL).text_rows == 24
        assert store.verify() == []

    def test_using_a_closed_store_raises(self, store: Store) -> None:
        store.list_sources()
        store.close()
        with pytest.raises(StoreError, match="closed"):
            store.list_sources()


class DraftContract:
    def test_a_draft_comes_back_as_it_was_saved(self, store: Store) -> None:
        record = make_draft("output/a.md")
        store.save_draft(record)
        assert store.find_draft("output/a.md") == record

    def test_an_unknown_draft_is_not_found(self, store: Store) -> None:
        assert store.find_draft("output/a.md") is None

    def test_a_draft_replaces_an_earlier_one_at_its_path(self, store: Store) -> None:
        store.save_draft(make_draft("a.md", feature="old"))
        store.save_draft(make_draft("a.md", feature="new", review=None))
        assert [draft.feature for draft in store.list_drafts()] == ["new"]
        assert store.list_drafts("old") == []

    def test_drafts_are_listed_latest_first_and_by_feature(self, store: Store) -> None:
        for days, path, feature in ((0, "a.md", "x"), (2, "b.md", None), (1, "c.md", "x")):
            created = WHEN + timedelta(days=days)
            store.save_draft(make_draft(path, feature=feature, created=created))
        # The last one saved, even if a clock says otherwise.
        assert [draft.path for draft in store.list_drafts()] == ["c.md", "b.md", "a.md"]
        assert [draft.path for draft in store.list_drafts("x")] == ["c.md", "a.md"]
        assert store.list_drafts("X") == []

    def test_a_text_is_kept_once_by_its_hash_the_latest_first(self, store: Store) -> None:
        one = KeptText("a.md", "1", "One.", WHEN, sources=(UsedSource("s.md", "S", "0"),))
        two = KeptText("a.md", "2", "Two.", WHEN + timedelta(hours=1), written=True)
        later = replace(one, saved=WHEN + timedelta(hours=2))
        for kept in (one, two, KeptText("b.md", "1", "Other.", WHEN), later):
            store.save_text(kept)
        assert store.list_texts("a.md") == [later, two]
        assert store.find_text("a.md", "1") == later
        assert store.find_text("a.md", "3") is None

    def test_a_text_is_seen_by_the_roles_of_its_draft(self, store: Store) -> None:
        store.save_source(*make_source("s.md", "Words.", confidentiality="internal"))
        cited = (UsedSource("s.md", "S", "0"),)
        store.save_text(KeptText("a.md", "1", "One.", WHEN, role="public"))
        store.save_text(KeptText("a.md", "2", "Two.", WHEN, role="public", sources=cited))
        store.save_text(KeptText("a.md", "3", "Three.", WHEN, role="internal"))
        seen = [len(store.view(role).list_texts("a.md")) for role in ("public", "internal")]
        assert seen == [1, 3]

    def test_drafts_created_at_the_same_time_are_listed_by_path(self, store: Store) -> None:
        for path in ("b.md", "a.md"):
            store.save_draft(make_draft(path))
        assert [draft.path for draft in store.list_drafts()] == ["a.md", "b.md"]

    def test_a_draft_outlives_the_source_that_it_cites(self, store: Store) -> None:
        made = make_source("a.md", "Words.")
        store.save_source(*made)
        store.save_draft(make_draft("draft.md"))
        store.remove_source(made.source.id)
        found = store.find_draft("draft.md")
        assert found
        assert found.sources[0].path == "a.md"

    def test_a_written_section_is_found_by_its_key(self, store: Store) -> None:
        assert store.find_section("key") is None
        store.save_section("key", '{"n": 1}')
        store.save_section("key", '{"n": 2}')
        assert store.find_section("key") == '{"n": 2}'
        assert store.find_section("KEY") is None

    def test_threads_can_register_drafts_concurrently(self, store: Store) -> None:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda number: store.save_draft(make_draft(f"{number}.md")), range(12)))
        assert len(store.list_drafts()) == 12


class StoreContract(
    CorrectionContract,
    RevisionContract,
    RoleContract,
    SourceContract,
    TextSearchContract,
    FilterContract,
    VectorContract,
    TakeoverContract,
    UpkeepContract,
    DraftContract,
    EvaluationContract,
    ViewContract,
):
    """The whole contract."""
