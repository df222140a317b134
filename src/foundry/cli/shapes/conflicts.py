"""The JSON of a contradiction between sources, wherever a command prints one."""

from __future__ import annotations

from collections.abc import Mapping

from foundry.cli.shape import Maybe, Shape, flag, text
from foundry.cli.shapes.parts import QUOTE

SIDE: Mapping[str, Shape] = {
    "chunk_id": text("chk_…"),
    "source": text("path within the project"),
    "revision": Maybe(text("as printed in the source")),
    "revision_date": Maybe(text("as printed in the source, ISO 8601")),
    "quote": QUOTE,
}
CONFLICT: Mapping[str, Shape] = {
    "kind": text("", "number", "unit", "date", "version", "negation", "name", "statement"),
    "a": SIDE,
    "b": SIDE,
    "values": [text("what differs, as the side writes it: a, then b")],
    "reason": text(),
    "holds": Maybe(text("the side that the document follows", "a", "b")),
    "rule": Maybe(text("by what it holds")),
    "superseded": flag("both are revisions of one document, and the later one holds"),
    "found_by": text("rules, or the model's name"),
}
