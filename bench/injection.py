"""Published attack texts in every place of a source: how many get out of the marked lines.

The same check as ``foundry.evaluation.injection`` gives; no model is asked, for what is measured is
the form of the prompts. The attacks of ``bipia`` are put at the start, in the middle and at the
end of contexts of their kind, as that benchmark does; the other sets are taken as they are, their
harmless texts included, of which no word may be lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from foundry.evaluation.injection import PLACES, stays_inside

Row = dict[str, Any]

CONTEXTS = 3
"""Contexts that each attack of ``bipia`` is put into, at three places each."""


def measure(data: Path | None) -> Iterator[str]:
    if data is None:
        yield "Left out: give --data DIR."
        return
    yield "| set | texts | escaped | " + " | ".join(PLACES) + " |"
    yield "|---|---|---|" + "---|" * len(PLACES)
    for name, read in SETS.items():
        if not (data / name / "items.jsonl").is_file():
            yield f"| {name} | left out: not in {data.name} |"
            continue
        lines = (data / name / "items.jsonl").read_text(encoding="utf-8").splitlines()
        texts = list(dict.fromkeys(read([json.loads(line) for line in lines if line])))
        escaped = [text for text in texts if not stays_inside(text)]
        places = [sum(not stays_inside(text, [place]) for text in escaped) for place in PLACES]
        yield f"| {name} | {len(texts)} | {len(escaped)} | {' | '.join(map(str, places))} |"


def _bipia(rows: list[Row]) -> Iterator[str]:
    contexts = [row for row in rows if row["part"] == "context"]
    yield from (row["context"] for row in contexts)
    for number, row in enumerate(row for row in rows if row["part"] == "attack"):
        yield row["attack"]
        code = row["task"] == "code"
        fitting = [c["context"] for c in contexts if (c["task"] == "code") == code]
        for step in range(CONTEXTS):
            context = fitting[(number * CONTEXTS + step) % len(fitting)]
            lines = context.splitlines()
            half = len(lines) // 2
            yield f"{row['attack']}\n{context}"
            yield f"{context}\n{row['attack']}"
            yield "\n".join([*lines[:half], row["attack"], *lines[half:]])


def _field(*names: str) -> Callable[[list[Row]], Iterator[str]]:
    """The first of the fields that a row has; what is no text, as JSON."""

    def read(rows: list[Row]) -> Iterator[str]:
        for row in rows:
            value = next(row[name] for name in names if row.get(name))
            yield value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    return read


SETS: dict[str, Callable[[list[Row]], Iterator[str]]] = {
    "bipia": _bipia,
    "cyberseceval_pi": _field("user_input"),
    "injecguard": _field("text"),
    "pi_small": _field("text", "injected"),
}
