"""The text index: BM25 over FTS5.

It contains the terms that ``foundry.analysis`` derives from a chunk, not its text.
Queries come analysed, because only the caller knows their languages.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foundry.analysis import ANALYSIS_VERSION, analyse
from foundry.records import Chunk, Filters, RetrieverHit
from foundry.store.sqlite.connections import Connections, Row, Transaction
from foundry.store.sqlite.rows import HIGHEST, build_filter_values, read_chunks, short_hash

BODY_WEIGHT = 1.0
TITLE_WEIGHT = 2.0
"""Of the weights 1 to 3, best or within .001 of the best in nDCG@10 on six data sets in Dutch
and English; the measurement was made once and has no command in ``bench``."""
HEADING_WEIGHT = 1.0
"""Not more, because a heading is also in the body of the first chunk under it."""

LARGE_INDEX = 5_000
"""From this many chunks on, a query ignores terms that occur in more than half of them.

Such terms take the most time and decide the least; they count if a query has no others.
The number is a guess: in smaller indexes every search is fast enough.
"""

MOST_TERMS = 256
"""Most distinct terms in one query; the rarest are kept. A guess, far above any question."""

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Terms:
    """A chunk's columns in the text index: terms separated by spaces."""

    title: str
    headings: str
    body: str


def hash_terms(title: str, chunk: Chunk) -> str:
    """A hash of everything that ``make_terms`` depends on."""
    parts = (
        str(ANALYSIS_VERSION),
        chunk.language,
        title,
        _join_headings(title, chunk),
        chunk.content,
    )
    return short_hash("\x1f".join(parts))


def make_terms(title: str, chunk: Chunk) -> Terms:
    """A chunk's row in the text index; takes about a millisecond per page."""
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


def count_documents(db: Transaction, terms: Sequence[str], level: int) -> dict[str, int]:
    """Term → number of chunks up to ``level`` that contain it, 0 included."""
    counts = {}
    for term in dict.fromkeys(terms):
        # A lone surrogate (from a damaged command line) cannot be bound and occurs in no chunk.
        counts[term] = _count_chunks(db, term, level) if _is_text(term) else 0
    return counts


def _count_chunks(db: Transaction, term: str, level: int) -> int:
    if level == HIGHEST:
        return int(db.value("document_frequency", (term,)) or 0)
    values = {"term": _quote(term), "level": level}
    return int(db.value("visible_frequency", values))


def _count_rows(db: Transaction, level: int) -> int:
    if level == HIGHEST:
        return int(db.value("count_text_rows"))
    return int(db.value("count_visible_text_rows", (level,)))


def _quote(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _is_text(term: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in term)


def search(
    db: Transaction,
    terms: Sequence[str],
    limit: int,
    filters: Filters,
    *,
    level: int,
) -> list[RetrieverHit]:
    """BM25 as in Lucene: k1 = 1.2, b = 0.75, idf = ln(1 + (N - n + ½) / (n + ½)).

    FTS5's ``bm25`` uses Robertson's idf, which drops to zero for a term in half of the
    chunks; in a small project that is every product name. So each term is scored alone
    and multiplied by the ratio of the two idfs. A term given twice counts twice.
    """
    total = _count_rows(db, level)
    frequencies = count_documents(db, terms, level)
    chosen = _choose_terms(frequencies, total)
    if not chosen or limit < 1:
        return []
    wanted = Counter(terms)
    values: dict[str, object] = {"limit": limit, **build_filter_values(filters, level)}
    parts = []
    for number, term in enumerate(chosen):
        values[f"factor{number}"] = -wanted[term] * _compute_idf_ratio(total, frequencies[term])
        values[f"term{number}"] = _quote(term)
        parts.append(db.sql("term_scores").format(number=number))
    values |= {"title": TITLE_WEIGHT, "headings": HEADING_WEIGHT, "body": BODY_WEIGHT}
    everything = filters == Filters() and level == HIGHEST
    name = "search_text" if everything else "search_text_filtered"
    scores = "\nUNION ALL\n".join(parts)
    cursor = db.run(name, values, parts=scores, visible=db.sql("visible_sources"))
    return [RetrieverHit(chunk, rank, score) for rank, (chunk, score) in enumerate(cursor, 1)]


def _choose_terms(frequencies: Mapping[str, int], total: int) -> list[str]:
    known = sorted((term for term, n in frequencies.items() if n), key=frequencies.__getitem__)
    if total >= LARGE_INDEX:
        known = [term for term in known if frequencies[term] <= total / 2] or known
    return known[:MOST_TERMS]


def _compute_idf_ratio(total: int, frequency: int) -> float:
    odds = (total - frequency + 0.5) / (frequency + 0.5)
    # FTS5 replaces an idf that is not positive by a millionth.
    robertson = math.log(odds) if odds > 1 else 1e-6
    return math.log1p(odds) / robertson


# Rebuilding


def analyse_all(connections: Connections) -> None:
    """Write the terms of every chunk to a temporary table; slow, so without a lock."""
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
        analysed = [_analyse_row(row, chunk) for row, chunk in zip(rows, chunks, strict=True)]
        with connections.scratch() as db:
            db.run_many("add_analysed", analysed)
        after = rows[-1]["rowid"]


def _analyse_row(row: Row, chunk: Chunk) -> tuple[object, ...]:
    title = row["source_title"]
    terms = make_terms(title, chunk)
    return row["rowid"], hash_terms(title, chunk), terms.title, terms.headings, terms.body


def rebuild(db: Transaction) -> int:
    """Refill the text index from the table of ``analyse_all``; returns its number of rows.

    The few chunks that were added or changed since are analysed in the transaction.
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
