"""The JSON of looking after indexes, the log and evaluation."""

from __future__ import annotations

from foundry.cli.shape import Maybe, Shape, flag, integer, number, text
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
    "eval dataset": {
        "dataset": text("name of the folder"),
        "documents": integer(),
        "queries": integer(),
        "arms": {
            "*": {
                "ndcg@10": Maybe(number("0 to 1")),
                "recall@10": Maybe(number("0 to 1")),
                "recall@100": Maybe(number("0 to 1")),
                "mrr@10": Maybe(number("0 to 1")),
                "p50_ms": number("half of the searches took less"),
                "p95_ms": number(),
            }
        },
        "gate": Maybe(
            {
                "auroc": Maybe(number("0 to 1")),
                "refusal_precision": Maybe(number("0 to 1")),
                "refusal_recall": Maybe(number("0 to 1")),
                "false_refusal_rate": Maybe(number("0 to 1")),
                "threshold": number("retrieval.min_score"),
            }
        ),
        "notices": NOTICES,
    },
}
