"""The figures of a run as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

TITLES = {
    "numpy": "numpy, one vector a chunk",
    "numpy-windows": "numpy, all windows",
    "bm25s": "bm25s",
    "lance": "LanceDB",
    "sqlite": "**SQLite**",
    "postgres": "**PostgreSQL**",
    "textsearch": "**PostgreSQL, pg_textsearch**",
}
TAGS = {"most": "90 %", "some": "10 %", "three": "3 rows"}

Figures = Mapping[str, Any]


def write_tables(figures: Mapping[str, Figures]) -> Iterator[str]:
    """Markdown tables of all figures, by the part of the run that they are of."""
    rows = {tuple(key.split()): found for key, found in figures.items()}
    for part, table in _TABLES.items():
        lines = [
            table(size, rest, found)
            for (size, name, *rest), found in sorted(rows.items(), key=_order)
            if name == part
        ]
        if lines:
            yield from ("", *_HEADS[part], *lines)


def _order(item: tuple[tuple[str, ...], Figures]) -> tuple[Any, ...]:
    (size, _, way, *rest), _ = item
    kinds = ["dense", "bm25", "hybrid", "search"]
    place = [kinds.index(part) if part in kinds else part for part in rest[:1]]
    tags = [list(TAGS).index(tag) for tag in rest[1:]]
    numbers = [int(part) for part in map(str, place) if part.isdigit()]
    return int(size), *numbers, *tags, list(TITLES).index(way)


def _write_queries(size: str, rest: list[str], found: Figures) -> str:
    way, kind, *tags = rest
    recall = "–" if found["recall"] is None else f"{found['recall']:.3f}"
    filtered = f" {TAGS[tags[0]]} |" if tags else ""
    return (
        f"| {int(size):,} | {kind} |{filtered} {TITLES[way]} | {found['p50']:.1f} | {found['p95']:.1f} "
        f"| {found['client_cpu']:.1f} + {found['server_cpu']:.1f} "
        f"| {found['client_mb']:.0f} + {found['server_mb']:.0f} | {recall} |"
    )


def _write_clients(size: str, rest: list[str], found: Figures) -> str:
    way, count = rest
    return (
        f"| {int(size):,} | {TITLES[way]} | {count} | {found['per_s']:.1f} | {found['p50']:.0f} "
        f"| {found['p95']:.0f} |"
    )


def _write_load(size: str, rest: list[str], found: Figures) -> str:
    [way] = rest
    if "chunks" not in found and way != "lance":
        rates = "copied | – | – | –"
    elif way == "lance":
        rates = f"– | – | {found['rows_per_s']:,.0f} | –"
    else:
        cpu = 1e3 / found["chunks"]
        rates = (
            f"{found['texts_per_s']:,.0f} | {found['vectors_per_s']:,.0f} | {found['both_per_s']:,.0f} "
            f"| {cpu * found['client_cpu_s']:.1f} + {cpu * found['server_cpu_s']:.1f}"
        )
    return f"| {int(size):,} | {TITLES[way]} | {rates} | {found['mb']:,.0f} |"


def _write_rebuild(size: str, rest: list[str], found: Figures) -> str:
    [way] = rest
    shown = [
        f"{found[key]:.0f}" if key in found else "–"
        for key in ("text_s", "text_cpu_s", "vectors_s")
    ]
    return f"| {int(size):,} | {TITLES[way]} | {' | '.join(shown)} |"


_QUERY_HEAD = "way | p50 ms | p95 ms | CPU ms, client + server | MB, client + server | recall@10 |"
_CLIENT_HEAD = "per second | p50 ms | p95 ms |"

_HEADS = {
    "queries": (f"| chunks | what | {_QUERY_HEAD}", "|" + "---|" * 8),
    "filters": (f"| chunks | what | allows | {_QUERY_HEAD}", "|" + "---|" * 9),
    "clients": (f"| chunks | way | processes | {_CLIENT_HEAD}", "|" + "---|" * 6),
    "threads": (f"| chunks | way | threads | {_CLIENT_HEAD}", "|" + "---|" * 6),
    "load": (
        "| chunks | way | texts/s | vectors/s | both/s | CPU ms a chunk, client + server | MB on disk |",
        "|" + "---|" * 7,
    ),
    "rebuild": (
        "| chunks | way | text index s | CPU s | vector index s |",
        "|" + "---|" * 5,
    ),
}

_TABLES = {
    "queries": _write_queries,
    "filters": _write_queries,
    "clients": _write_clients,
    "threads": _write_clients,
    "load": _write_load,
    "rebuild": _write_rebuild,
}
