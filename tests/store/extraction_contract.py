"""The contract of extraction tables: what runs and people find is kept, and shown to who may see it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from foundry.messages import Message
from foundry.records import (
    CellAnswer,
    CellReview,
    ExtractionTable,
    Quote,
    Source,
    make_column,
)
from foundry.store import Store
from tests.store.records import WHEN, make_source

ASKED = ("How long is it?", "What does it cost?")
TABLE = ExtractionTable("cables", ASKED, ("type=md",), "bm25", "public", WHEN, WHEN, rows=2)
ANSWER = CellAnswer(
    "quoted", "3 m", (Quote("chk_1", "3 m long", 4, 12, 2, "ii", "1 Size"),),
    (Message("table-conflicts", n=1),), 0.75, "builtin/passages", WHEN, "h1", "line", "k1", "qry_1",
)  # fmt: skip
OTHER = replace(ANSWER, value="4 m", key="k2")


def keep(store: Store, path: str = "a.md", level: str = "public") -> Source:
    """A source with a cell of a table."""
    made = make_source(path, "Cable.", confidentiality=level)
    store.save_source(*made)
    store.extraction.save(TABLE)
    store.extraction.save_answer(TABLE, made.source, ASKED[0], ANSWER)
    return made.source


def review(by: str = "Ann", seen: CellAnswer = ANSWER) -> CellReview:
    return CellReview("approved", by, WHEN, seen.value, seen)


class ExtractionContract:
    def test_a_table_and_its_cells_come_back_with_every_field(self, store: Store) -> None:
        source = keep(store)
        assert store.extraction.find("cables") == TABLE
        cell = store.extraction.list_cells(TABLE, [source.id])[source.id, make_column(ASKED[0])]
        assert (cell.answer, cell.source, cell.run, cell.before) == (ANSWER, "a.md", 1, None)
        assert store.extraction.list_rows(TABLE) == [("a.md", source.id)]

    def test_another_answer_keeps_the_one_before_and_the_reviews(self, store: Store) -> None:
        source, column = keep(store), make_column(ASKED[0])
        store.extraction.add_review(TABLE, source.id, column, review(), 0)
        again = replace(TABLE, runs=2)
        cell = store.extraction.save_answer(again, source, ASKED[0], OTHER)
        assert (cell.before, cell.run, cell.reviews) == (ANSWER, 2, (review(),))
        assert cell.value == "3 m"
        assert cell.changed_since

    def test_an_equal_answer_is_no_change(self, store: Store) -> None:
        source = keep(store)
        again = replace(TABLE, runs=2)
        cell = store.extraction.save_answer(again, source, ASKED[0], replace(ANSWER, key="k9"))
        assert (cell.run, cell.before, cell.answer.key) == (1, None, "k9")

    def test_of_two_people_at_once_one_decides_and_the_other_learns_it(self, store: Store) -> None:
        source, column = keep(store), make_column(ASKED[0])

        def decide(by: str) -> object:
            return store.extraction.add_review(TABLE, source.id, column, review(by), 0)

        with ThreadPoolExecutor(4) as people:
            kept = [one for one in people.map(decide, "ABCD") if one]
        cells = store.extraction.list_cells(TABLE, [source.id])
        assert len(kept) == 1
        assert cells[source.id, column] == kept[0]

    def test_a_decision_on_an_answer_that_changed_is_not_kept(self, store: Store) -> None:
        source, column = keep(store), make_column(ASKED[0])
        store.extraction.save_answer(TABLE, source, ASKED[0], OTHER)
        assert store.extraction.add_review(TABLE, source.id, column, review(), 0) is None

    def test_two_reviews_of_different_cells_at_once_are_both_kept(self, store: Store) -> None:
        source = keep(store)
        store.extraction.save_answer(TABLE, source, ASKED[1], ANSWER)
        columns = [make_column(question) for question in ASKED]
        with ThreadPoolExecutor(2) as people:
            kept = people.map(
                lambda column: store.extraction.add_review(TABLE, source.id, column, review(), 0),
                columns,
            )
            assert all(kept)
        cells = store.extraction.list_cells(TABLE, [source.id]).values()
        assert all(cell.review for cell in cells)

    def test_a_table_is_as_confidential_as_its_strictest_source(self, store: Store) -> None:
        keep(store)
        keep(store, "b.md", "secret")
        store.extraction.save(replace(TABLE, confidentiality="secret"))
        for role in ("public", "confidential"):
            view = store.view(role).extraction
            assert view.find("cables") is None
            assert view.list_all() == []
            assert view.list_rows(TABLE) == []
            assert view.list_cells(TABLE, [keep_id(store, "a.md")]) == {}
            assert not view.remove(TABLE)
        assert store.view("secret").extraction.find("cables")

    def test_a_table_is_hidden_once_one_of_its_sources_is(self, store: Store) -> None:
        source = keep(store)
        assert store.view("public").extraction.find("cables") == TABLE
        store.update_source(replace(source, confidentiality="internal"))
        assert store.view("public").extraction.find("cables") is None
        assert store.view("internal").extraction.find("cables") == TABLE

    def test_the_cells_of_a_source_that_is_gone_keep_its_level(self, store: Store) -> None:
        source = keep(store, level="internal")
        store.remove_source(source.id)
        assert store.view("public").extraction.find("cables") is None
        assert store.extraction.list_rows(TABLE) == [("a.md", source.id)]

    def test_a_role_may_use_a_name_that_a_higher_one_has(self, store: Store) -> None:
        store.extraction.save(replace(TABLE, confidentiality="secret"))
        own = replace(TABLE, role="public", questions=ASKED[:1])
        store.view("public").extraction.save(own)
        assert store.view("public").extraction.find("cables") == own
        assert len(store.extraction.list_all()) == 2

    def test_removing_a_table_removes_its_cells(self, store: Store) -> None:
        source = keep(store)
        assert store.extraction.remove(TABLE)
        store.extraction.save(TABLE)
        assert store.extraction.list_cells(TABLE, [source.id]) == {}
        assert store.extraction.list_rows(TABLE) == []


def keep_id(store: Store, path: str) -> str:
    source = store.find_source(path)
    assert source
    return source.id
