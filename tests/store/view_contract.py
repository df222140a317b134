"""The contract of every ``StoreView``: what a role may not see is as if it did not exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from foundry.errors import StoreError
from foundry.messages import Message
from foundry.records import (
    Confidentiality,
    DocumentName,
    EvalQuestion,
    EvalResult,
    EvalRun,
    Expectation,
    Feedback,
    Filters,
    FittedCalibration,
    KeptText,
    Reading,
    RevisionLink,
    UnreadFile,
)
from foundry.store import EvaluationStore, EvaluationView, Store, StoreView
from tests.store.records import (
    MODEL,
    WHEN,
    embed,
    make_correction,
    make_draft,
    make_query,
    make_source,
    terms,
    vector,
)

HIDDEN = make_source(
    "hidden.md",
    "Zebra cable.",
    "Nog een kabel.",
    confidentiality="secret",
    names=(DocumentName("Zebra cable", "abbreviation", ("ZC",)),),
)
OPEN = make_source("open.md", "Plain cable.", "Other lamp.")
READ: dict[str, Callable[[Any], object]] = {
    "list_sources": lambda view: [view.list_sources(), view.list_sources("hidden.md")],
    "find_content": lambda view: view.find_content(HIDDEN.source.content_hash),
    "find_source": lambda view: view.find_source("hidden.md"),
    "get_sources": lambda view: view.get_sources([HIDDEN.source.id, OPEN.source.id]),
    "list_superseded": lambda view: view.list_superseded(),
    "list_sketches": lambda view: {key: one.runs for key, one in view.list_sketches().items()},
    "list_revision_links": lambda view: view.list_revision_links(),
    "source_text": lambda view: _refused(view.source_text),
    "source_blocks": lambda view: _refused(view.source_blocks),
    "source_chunks": lambda view: _refused(view.source_chunks),
    "summaries": lambda view: view.summaries([HIDDEN.source.id, OPEN.source.id]),
    "list_labels": lambda view: view.list_labels(),
    "find_abbreviations": lambda view: view.find_abbreviations(["zc"]),
    "list_unread": lambda view: [view.list_unread(), view.list_unread("hidden.pdf")],
    "list_corrections": lambda view: view.list_corrections(),
    "find_reading": lambda view: view.find_reading(HIDDEN.source.id),
    "get_chunks": lambda view: view.get_chunks([*HIDDEN.ids(), *OPEN.ids()]),
    "languages": lambda view: view.languages(),
    "document_frequencies": lambda view: view.document_frequencies(terms("zebra cable")),
    "count_mentions": lambda view: repr(view.count_mentions(terms("zebra cable"))),
    "search_text": lambda view: view.search_text(terms("zebra cable"), 9, Filters()),
    "search_vectors": lambda view: view.search_vectors(MODEL, vector("zebra"), 9, Filters()),
    "get_windows": lambda view: list(view.get_windows(MODEL, [*HIDDEN.ids(), *OPEN.ids()])),
    "find_index": lambda view: view.find_index(MODEL),
    "find_recall": lambda view: view.find_recall(MODEL),
    "index_status": lambda view: view.index_status(MODEL),
    "select_sources": lambda view: view.select_sources(Filters()),
    "outline_sources": lambda view: view.outline_sources(),
    "count_facets": lambda view: view.count_facets(),
    "hash_sources": lambda view: view.hash_sources(),
    "list_chained": lambda view: view.list_chained(),
    "list_conversations": lambda view: view.list_conversations("", 9),
    "find_query": lambda view: view.find_query("hidden"),
    "list_queries": lambda view: view.list_queries(9),
    "count_queries": lambda view: view.count_queries(),
    "query_figures": lambda view: view.query_figures(),
    "find_response": lambda view: view.find_response("key"),
    "find_section": lambda view: view.find_section("key"),
    "find_draft": lambda view: view.find_draft("hidden.md"),
    "list_drafts": lambda view: view.list_drafts(),
    "find_text": lambda view: view.find_text("hidden.md", "1"),
    "list_texts": lambda view: view.list_texts("hidden.md"),
    "find_feedback": lambda view: view.evaluation.find_feedback("hidden"),
    "list_questions": lambda view: view.evaluation.list_questions(),
    "find_run": lambda view: view.evaluation.find_run("hidden"),
    "list_runs": lambda view: view.evaluation.list_runs(),
    "results": lambda view: view.evaluation.results(1),
    "find_fitted": lambda view: view.evaluation.find_fitted(MODEL),
    "list_fitted": lambda view: view.evaluation.list_fitted(),
}
WRITTEN = {
    *(
        "log_query",
        "take_notices",
        "keep_conversation",
        "prune_log",
        "save_response",
        "save_section",
        "save_draft",
        "save_text",
    ),
    *("start_run", "save_run", "remove_run", "save_result", "save_feedback", "lock"),
}


def _refused(read: Callable[[str], object]) -> str:
    with pytest.raises(StoreError) as caught:
        read(HIDDEN.source.id)
    return caught.value.message


def _read(store: Store, role: Confidentiality, verbs: Iterable[str]) -> dict[str, object]:
    """The result of each verb, for a caller of this role."""
    return {verb: READ[verb](store.view(role)) for verb in verbs}


def _hide_everything(store: Store) -> None:
    """One of each thing that a public role may not see."""
    reading = Reading("", HIDDEN.text, HIDDEN.blocks)
    store.save_source(*HIDDEN, reading=reading, corrections=[make_correction(HIDDEN)])
    store.save_chains({HIDDEN.source.id: ("hidden", 0)})
    store.save_revision_link(RevisionLink("hidden.md", "hidden.md", False, "Ann", "Zebra.", WHEN))
    store.save_unread([UnreadFile("hidden.pdf", "failed", Message("readers-empty"), "secret")])
    store.log_query(make_query("hidden", conversation="hidden"))
    store.save_response("key", MODEL, "{}")
    store.save_section("key", "{}")
    store.save_draft(make_draft("hidden.md"))
    store.save_text(KeptText("hidden.md", "1", "Zebra.", WHEN))
    _hide_evaluation(store.evaluation)


def _hide_evaluation(evaluation: EvaluationStore) -> None:
    for path in ("hidden.md", "unknown.md"):
        place = (Expectation(path), Expectation("open.md"))
        evaluation.save_questions([EvalQuestion(path, "manual", "Zebra?", expected=place)])
    run = evaluation.start_run(EvalRun(0, "hidden", "ask", ("manual",), WHEN))
    evaluation.save_result(run.id, EvalResult(EvalQuestion("q", "manual", "Zebra?")))
    evaluation.save_fitted(FittedCalibration(MODEL, "fp", WHEN, {}))
    evaluation.save_feedback(Feedback("hidden", False, WHEN, "Zebra."))


def _members(*classes: type) -> set[str]:
    names = {name for one in classes for base in one.__mro__ for name in vars(base)}
    return {name for name in names if not name.startswith("_")}


class ViewContract:
    def test_every_verb_of_a_view_is_listed_here(self) -> None:
        assert _members(StoreView, EvaluationView) == READ.keys() | WRITTEN

    def test_a_lower_role_sees_the_same_with_and_without_what_is_hidden(self, store: Store) -> None:
        store.save_source(*OPEN)
        embed(store)
        before = _read(store, "public", READ)
        _hide_everything(store)
        embed(store)
        assert _read(store, "public", READ) == before

    def test_the_highest_role_sees_what_is_hidden(self, store: Store) -> None:
        alike = {"source_text", "source_blocks", "source_chunks", "list_superseded", "find_recall"}
        before = _read(store, "secret", READ.keys() - alike - {"search_vectors"})
        _hide_everything(store)
        embed(store)
        after = _read(store, "secret", READ.keys() - alike)
        assert [verb for verb, found in after.items() if found == before.get(verb)] == []

    def test_a_role_without_visible_chunks_has_no_index(self, store: Store) -> None:
        _hide_everything(store)
        embed(store)
        assert store.find_index(MODEL) == "fp"
        assert store.view("public").find_index(MODEL) is None

    def test_vectors_and_what_waits_for_them_are_counted_for_each_role(self, store: Store) -> None:
        for made in (OPEN, HIDDEN):
            store.save_source(*made)
        embed(store)
        store.save_source(*make_source("later.md", "A plug."))
        seen = [store.view(role).index_status(MODEL) for role in ("public", "secret")]
        assert [(one.vectors, one.pending) for one in seen] == [(2, 1), (4, 1)]

    def test_a_view_writes_rows_of_its_own_role(self, store: Store) -> None:
        store.view("internal").log_query(make_query("q", role="public"))
        assert store.view("public").list_queries(9) == []
        assert store.view("confidential").list_queries(9)[0].role == "internal"

    def test_a_role_does_not_see_rows_of_evaluation_runs(self, store: Store) -> None:
        store.view("public").log_query(make_query("q", kind="eval"))
        assert store.view("public").list_queries(9, kind="eval") == []
        assert len(store.list_queries(9, kind="eval")) == 1

    def test_each_role_has_its_own_cache(self, store: Store) -> None:
        store.view("internal").save_response("key", MODEL, "{}")
        assert store.view("internal").find_response("key") == "{}"
        assert store.view("public").find_response("key") is None
        assert store.find_response("key") is None

    def test_a_draft_is_hidden_when_a_source_of_it_becomes_secret(self, store: Store) -> None:
        store.save_draft(make_draft("a.md", role="public"))
        assert len(store.view("public").list_drafts()) == 1
        store.save_source(*make_source("b.md", "Text.", confidentiality="secret"))
        assert store.view("public").list_drafts() == []
        assert store.view("public").find_draft("a.md") is None

    def test_a_role_sees_corrections_of_the_bytes_that_it_sees(self, store: Store) -> None:
        store.save_source(*HIDDEN, corrections=[make_correction(HIDDEN)])
        twin = make_source("twin.md", "Zebra cable.", "Nog een kabel.")
        assert store.view("public").list_corrections() == []
        store.save_source(*twin)
        shown = store.view("public").list_corrections()
        assert shown == [make_correction(HIDDEN, path="twin.md")]
        assert store.list_corrections() == [make_correction(HIDDEN)]

    def test_corrections_of_earlier_content_keep_their_level(self, store: Store) -> None:
        store.save_source(*OPEN)
        gone = {"path": OPEN.source.path, "content_hash": "gone"}
        earlier = [
            make_correction(OPEN, id="cor_secret", confidentiality="secret", **gone),
            make_correction(OPEN, id="cor_public", **gone),
        ]
        store.save_source(*HIDDEN, corrections=earlier)
        seen = store.view("internal").list_corrections(path=OPEN.source.path)
        assert [one.id for one in seen] == ["cor_public"]
        assert len(store.list_corrections("gone")) == 2

    def test_each_role_counts_its_own_runs(self, store: Store) -> None:
        public = store.view("public").evaluation
        run = EvalRun(0, "mine", "ask", (), WHEN, role="public")
        first = public.start_run(run)
        store.evaluation.start_run(EvalRun(0, "hidden", "ask", (), WHEN))
        assert public.start_run(run).id == first.id + 1
        assert len(public.list_runs()) == 2
        assert [run.name for run in store.evaluation.list_runs()][-1] == "hidden"

    def test_a_run_that_is_not_seen_cannot_be_changed(self, store: Store) -> None:
        hidden = store.evaluation.start_run(EvalRun(0, "hidden", "ask", (), WHEN))
        public = store.view("public").evaluation
        assert not public.remove_run(hidden.id)
        public.save_run(EvalRun(hidden.id, "mine", "ask", (), WHEN, role="public"))
        assert store.evaluation.find_run("hidden") == hidden
