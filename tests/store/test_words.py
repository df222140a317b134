"""BM25 in SQLite: every score is that of the whole computation, whatever is skipped, merged or removed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from foundry.records import CONFIDENTIALITY_LEVELS, Filters
from foundry.store import Store, text_ranking
from foundry.store.relational import segments, words
from foundry.store.relational.segments import choose_merge
from foundry.store.text_ranking import Postings, choose_terms, compute_scores, rank
from tests.store.records import Made, make_source

WORDS = [f"wo{chr(97 + n)}{chr(97 + n)}x" for n in range(24)]


def write(number: int, rng: random.Random, level: int = 0) -> Made:
    """A source of six chunks; the first words are in most of them, the last ones rare."""
    drawn = [
        " ".join(rng.choices(WORDS, [1 / (n + 1) for n in range(len(WORDS))], k=rng.randint(3, 12)))
        for _ in range(6)
    ]
    made = make_source(f"{number}.md", *drawn, title=rng.choice(WORDS), language="und")
    source = replace(made.source, confidentiality=CONFIDENTIALITY_LEVELS[level])
    return made._replace(source=source)


def compute(made: Iterable[Made], asked: Sequence[str], limit: int) -> list[tuple[str, float]]:
    """All scores, by the formula and nothing else."""
    found = [(chunk.id, one.source, chunk) for one in made for chunk in one.chunks]
    terms = [text_ranking.make_terms(text_ranking.describe_source(s), c) for _, s, c in found]
    weights = [
        Counter(f"{one.title} {one.title} {one.headings} {one.body}".split()) for one in terms
    ]
    counts = {term: sum(term in one for one in weights) for term in dict.fromkeys(asked)}
    postings = [
        Postings(np.array([float(one[term]) for one in weights]), asked.count(term))
        for term in choose_terms(counts, len(found))
    ]
    scores = compute_scores(np.array([one.count() for one in terms]), postings).tolist()
    every = zip(found, scores, strict=True)
    return rank({chunk: score for (chunk, *_), score in every if score}, limit)


@pytest.fixture
def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments are merged and closed as in a large project."""
    monkeypatch.setattr(segments, "MOST_CHUNKS", 40)
    monkeypatch.setattr(segments, "MOST_SMALL", 3)
    monkeypatch.setattr(segments, "MOST_SEGMENTS", 2)


@pytest.mark.usefixtures("small_segments")
def test_scores_are_those_of_the_whole_computation(store: Store) -> None:
    rng = random.Random(7)
    made = {number: write(number, rng) for number in range(30)}
    for one in made.values():
        store.save_source(*one)
    for number in (3, 4, 20):
        store.remove_source(made.pop(number).source.id)
    for number in (5, 28):
        made[number] = write(number, rng)
        store.save_source(*made[number])
    for _ in range(40):
        asked = rng.choices(WORDS, k=rng.randint(1, 6))
        hits = [(hit.chunk_id, hit.score) for hit in store.search_text(asked, 3, Filters())]
        assert hits == compute(made.values(), asked, 3)
    assert store.verify() == []


@pytest.mark.usefixtures("small_segments")
def test_hidden_chunks_do_not_change_a_score(store: Store) -> None:
    rng = random.Random(8)
    made = [write(number, rng, level=number % 3) for number in range(24)]
    for one in made:
        store.save_source(*one)
    seen = [one for one in made if one.source.confidentiality != CONFIDENTIALITY_LEVELS[2]]
    view = store.view(CONFIDENTIALITY_LEVELS[1])
    for _ in range(20):
        asked = rng.choices(WORDS, k=4)
        hits = [(hit.chunk_id, hit.score) for hit in view.search_text(asked, 3, Filters())]
        assert hits == compute(seen, asked, 3)


def test_frequent_terms_are_only_looked_up(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    rare = [f"{WORDS[0]} {WORDS[1]} {WORDS[20 + n % 3] if n < 12 else ''}" for n in range(120)]
    store.save_source(*make_source("a.md", *rare, language="und"))
    read: list[str] = []
    find = words.PostingReader.find
    monkeypatch.setattr(
        words.PostingReader, "find", lambda own, term: (read.append(term), find(own, term))[1]
    )
    assert len(store.search_text([WORDS[0], WORDS[20]], 2, Filters())) == 2
    assert read == [WORDS[20]]


def test_postings_are_read_once_until_a_change(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save_source(*make_source("a.md", "Plug cable."))
    read: list[str] = []
    keep = words.PostingCache.keep
    monkeypatch.setattr(
        words.PostingCache, "keep", lambda own, term, one: (read.append(term), keep(own, term, one))
    )
    for _ in range(2):
        assert len(store.search_text(["plug", "cabl"], 9, Filters())) == 1
    assert sorted(read) == ["cabl", "plug"]
    store.save_source(*make_source("b.md", "Plug."))
    assert len(store.search_text(["plug", "cabl"], 9, Filters())) == 2


def test_postings_that_cannot_be_kept_are_read_once_in_a_search(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save_source(*make_source("a.md", "Plug cable."))
    read: list[str] = []
    monkeypatch.setattr(words.PostingCache, "keep", lambda _own, term, _one: read.append(term))
    assert len(store.search_text(["plug", "cabl"], 9, Filters())) == 1
    assert sorted(read) == ["cabl", "plug"]


def test_postings_kept_longest_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_MOST_KEPT", 5)
    cache = words.PostingCache()
    for term, number in (("a", 2), ("b", 3), ("c", 1), ("d", 9)):
        cache.keep(term, words.TermPostings(np.zeros(number, np.int32), np.zeros(0, np.uint16)))
        if term == "c":
            assert cache.find("a") is None
            assert cache.find("b")
    assert [cache.find(term) for term in "abcd"] == [None] * 4


def test_a_weight_that_two_bits_do_not_hold_is_kept(store: Store) -> None:
    made = make_source("a.md", "plug " * 300, "plug", language="und")
    store.save_source(*made)
    (first, _) = store.search_text(["plug"], 2, Filters())
    assert [(first.chunk_id, first.score)] == compute([made], ["plug"], 1)


def test_a_change_of_level_is_noticed(store: Store) -> None:
    made = make_source("a.md", "Plug.")
    store.save_source(*made)
    view = store.view("public")
    assert len(view.search_text(["plug"], 1, Filters())) == 1
    store.update_source(replace(made.source, confidentiality="secret"))
    assert view.search_text(["plug"], 1, Filters()) == []


def test_a_rebuild_leaves_an_index_without_what_was_removed(store: Store) -> None:
    store.save_source(*make_source("a.md", "Cable."))
    removed = make_source("b.md", "Plug.")
    store.save_source(*removed)
    store.remove_source(removed.source.id)
    assert store.rebuild_text_index() == 1
    assert store.document_frequencies(["cabl", "plug"]) == {"cabl": 1, "plug": 0}
    assert store.verify() == []


@pytest.mark.usefixtures("small_segments")
def test_a_source_that_changes_again_and_again_does_not_fill_the_index(store: Store) -> None:
    rng = random.Random(9)
    for _ in range(60):
        store.save_source(*write(1, rng))
    with store._database.reading() as db:
        assert len(db.run("segment_numbers").fetchall()) < 8


@pytest.mark.parametrize(
    ("sizes", "chosen"),
    [
        ([40] * 32, (0, 0)),
        ([40] * 33, (0, 33)),
        ([1320, *[40] * 32], (1, 33)),
        ([900, 700, *[1] * 31], (2, 33)),
        ([*[10] * 31, 5, 2], (31, 33)),
        ([9000, 7000, 500], (0, 2)),
        ([100, 16384], (0, 1)),
    ],
)
def test_segments_are_merged_when_they_are_many_or_fill_one(
    sizes: list[int], chosen: tuple[int, int]
) -> None:
    assert choose_merge(sizes) == chosen
