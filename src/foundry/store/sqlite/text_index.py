"""BM25 over FTS5: what a chunk's row in the text index is made of, and how it is searched.

The index holds terms that ``foundry.analysis`` made and nothing of the text.
It never analyses a query: that is the caller's, who knows the languages.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foundry.analysis import ANALYSIS_VERSION, analyse
from foundry.records import Chunk, Filters, RetrieverHit
from foundry.store.sqlite.connections import Connections, Row, Transaction
from foundry.store.sqlite.rows import build_filter_values, read_chunks, short_hash

BODY_WEIGHT = 1.0
TITLE_WEIGHT = 2.0
"""Best, or within .001 of the best of 1 to 3, in nDCG@10 on six data sets (Dutch and English)."""
HEADING_WEIGHT = 1.0
"""Not more: a heading also stands in the body of the first chunk under it."""

LARGE_INDEX = 5_000
"""Chunks from which terms that stand in more than half of them are left out of a query.

They cost the most time and decide the least; where a query has no others they stay.
"""

MOST_TERMS = 256
"""Different terms in one query; of more, the rarest count."""

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Terms:
    """What the text index holds of a chunk: terms separated by spaces, per column."""

    title: str
    headings: str
    body: str


def hash_terms(title: str, chunk: Chunk) -> str:
    """A hash of all that ``make_terms`` reads, and of how it reads it."""
    parts = (
        str(ANALYSIS_VERSION),
        chunk.language,
        title,
        _join_headings(title, chunk),
        chunk.content,
    )
    return short_hash("\x1f".join(parts))


def make_terms(title: str, chunk: Chunk) -> Terms:
    """A chunk's row in the text index; takes about a millisecond a page."""
    return Terms(
        " ".join(analyse(title, chunk.language)),
        " ".join(analyse(_join_headings(title, chunk), chunk.language)),
        " ".join(analyse(chunk.content, chunk.language)),
    )


def _join_headings(title: str, chunk: Chunk) -> str:
    # A top heading that repeats the title would count twice.
    return "\n".join(heading for heading in chunk.heading_path if heading != title)


def put_terms(db: Transaction, rowid: int, terms: Terms) -> None:
    """Write or replace a chunk's row in the text index."""
    db.run("put_text_row", (rowid, terms.title, terms.headings, terms.body))


def count_documents(db: Transaction, terms: Sequence[str]) -> dict[str, int]:
    """In how many chunks each term stands; 0 for those that stand in none."""
    counts = {}
    for term in dict.fromkeys(terms):
        # Half a character (from a damaged command line) cannot be asked for, nor stand anywhere.
        found = db.value("document_frequency", (term,)) if _is_text(term) else 0
        counts[term] = int(found or 0)
    return counts


def _is_text(term: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in term)


def search(
    db: Transaction,
    terms: Sequence[str],
    limit: int,
    filters: Filters,
) -> list[RetrieverHit]:
    """BM25 as Lucene defines it: k1 = 1.2, b = 0.75, idf = ln(1 + (N - n + ½) / (n + ½)).

    FTS5's ``bm25`` uses Robertson's idf, which falls to nothing for a term in half of
    the chunks: in a small project that is every product name. So each term is scored
    alone and its part multiplied by the ratio of the two. A term given twice counts twice.
    """
    total = int(db.value("count_text_rows"))
    frequencies = count_documents(db, terms)
    chosen = _choose_terms(frequencies, total)
    if not chosen or limit < 1:
        return []
    wanted = Counter(terms)
    values: dict[str, object] = {"limit": limit, **build_filter_values(filters)}
    parts = []
    for number, term in enumerate(chosen):
        values[f"factor{number}"] = -wanted[term] * _compute_idf_ratio(total, frequencies[term])
        values[f"term{number}"] = '"' + term.replace('"', '""') + '"'
        parts.append(db.sql("term_scores").format(number=number))
    values |= {"title": TITLE_WEIGHT, "headings": HEADING_WEIGHT, "body": BODY_WEIGHT}
    name = "search_text" if filters == Filters() else "search_text_filtered"
    scores = "\nUNION ALL\n".join(parts)
    cursor = db.run(name, values, parts=scores, visible=db.sql("visible_sources"))
    return [RetrieverHit(chunk, rank, score) for rank, (chunk, score) in enumerate(cursor, 1)]


def _choose_terms(frequencies: Mapping[str, int], total: int) -> list[str]:
    found = sorted((term for term, n in frequencies.items() if n), key=frequencies.__getitem__)
    if total >= LARGE_INDEX:
        rare = [term for term in found if frequencies[term] <= total / 2]
        found = rare or found
    return found[:MOST_TERMS]


def _compute_idf_ratio(total: int, frequency: int) -> float:
    odds = (total - frequency + 0.5) / (frequency + 0.5)
    # FTS5 puts a millionth for an idf that is not positive.
    robertson = math.log(odds) if odds > 1 else 1e-6
    return math.log1p(odds) / robertson


# Rebuilding


def analyse_all(connections: Connections) -> None:
    """Put the terms of every chunk into a temporary table: slow, so no lock is held meanwhile."""
    with connections.scratch() as db:
        db.run("drop_analysed")
        db.run("make_analysed")
    after = 0
    while True:
        with connections.reading() as db:
            rows = db.rows("chunks_after", (after, _PAGE))
            chunks = read_chunks(db, rows)
        if not rows:
            return
        made = [_analyse_row(row, chunk) for row, chunk in zip(rows, chunks, strict=True)]
        with connections.scratch() as db:
            db.run_many("add_analysed", made)
        after = rows[-1]["rowid"]


def _analyse_row(row: Row, chunk: Chunk) -> tuple[object, ...]:
    title = row["source_title"]
    terms = make_terms(title, chunk)
    return row["rowid"], hash_terms(title, chunk), terms.title, terms.headings, terms.body


def rebuild(db: Transaction) -> int:
    """Fill the text index anew from what ``analyse_all`` left; returns its rows.

    Chunks that came or changed since are analysed here, inside the transaction: few.
    """
    db.run("clear_text_index")
    db.run("copy_analysed")
    missing = db.rows("chunks_without_text_row")
    for row, chunk in zip(missing, read_chunks(db, missing), strict=True):
        put_terms(db, row["rowid"], make_terms(row["source_title"], chunk))
        db.run("set_terms_hash", (hash_terms(row["source_title"], chunk), row["rowid"]))
    db.run("optimize_text_index")
    db.run("drop_analysed")
    return int(db.value("count_text_rows"))
