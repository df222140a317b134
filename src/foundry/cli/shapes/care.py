"""The JSON of looking after indexes and the log."""

from __future__ import annotations

from foundry.cli.shape import Maybe, Shape, flag, integer, text
from foundry.cli.shapes.parts import FIGURES, NOTICES, QUERY

CARE: dict[str, Shape] = {
    "index status": {
        "sources": integer(),
        "chunks": integer(),
        "text_rows": integer("chunks in the text index"),
        "model": Maybe(text("the embedding model")),
        "vectors": integer("chunks in the vector index"),
        "pending": integer("chunks without a vector yet"),
        "fingerprint": Maybe(text("what the vectors were made with")),
        "constants": text("of the gate's score", "shipped", "project"),
        "notices": NOTICES,
    },
    "index rebuild": {
        "text_rows": integer("chunks in the text index"),
        "embedded": Maybe(integer("chunks embedded; null without --embeddings")),
    },
    "index verify": {
        "ok": flag(),
        "problems": [{"code": text(), "message": text(), "fix": text("the command that mends it")}],
    },
    "log list": {"queries": [QUERY]},
    "log show": QUERY,
    "log stats": {
        "by": Maybe(text("", "day", "week", "month")),
        "since": Maybe(text("first day, as it was given")),
        "until": Maybe(text("last day, as it was given")),
        "total": FIGURES,
        "periods": [{"start": text("first day; periods without rows are left out"), **FIGURES}],
        "kinds": {"*": FIGURES},
        "models": {"*": FIGURES},
    },
}
