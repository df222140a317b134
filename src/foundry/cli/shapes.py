"""The JSON that every command prints with ``--json``: each field with its type and meaning.

``docs/json.md`` is generated from this table, and the tests hold what the
commands print against it. Fields may be added in a later version; none is
renamed or changes its meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "integer", "number", "boolean"]


@dataclass(frozen=True, slots=True)
class Value:
    """A plain value; ``options`` lists all that it can be, where that is a short list."""

    kind: Kind
    meaning: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Maybe:
    """A shape, or null."""

    shape: Shape


Shape = Value | Maybe | Mapping[str, "Shape"] | Sequence["Shape"]
"""A value, an object by its keys (``*`` stands for any key), or a list of one shape."""


def text(meaning: str = "", *options: str) -> Value:
    """A string."""
    return Value("text", meaning, options=options)


def integer(meaning: str = "") -> Value:
    """A whole number."""
    return Value("integer", meaning)


def number(meaning: str = "") -> Value:
    """A number."""
    return Value("number", meaning)


def flag(meaning: str = "") -> Value:
    """True or false."""
    return Value("boolean", meaning)


VERDICTS = ("answer", "low_confidence", "no_evidence")
MODES = ("hybrid", "dense", "bm25")
NOTICES: Sequence[Shape] = [text("what was skipped or is partial")]
TIMINGS: Mapping[str, Shape] = {"*": number("milliseconds by step")}
USAGE: Mapping[str, Shape] = {
    "calls": integer("calls of a language model"),
    "prompt_tokens": integer(),
    "completion_tokens": integer(),
    "cost": Maybe(number("US dollars; null when unknown")),
    "cached": integer("calls that were answered from the cache"),
}
RANKED: Mapping[str, Shape] = {
    "rank": integer("place in this channel, from 1"),
    "score": number("cosine or BM25"),
}
PLACE: Mapping[str, Shape] = {
    "source": text("path within the project"),
    "title": text("title of the source"),
    "section": Maybe(text("deepest heading with its number")),
    "page": Maybe(integer("from 1")),
    "page_label": Maybe(text("the page as it is printed")),
    "time": Maybe(text("in a transcript, 12:34")),
    "score": number("calibrated relevance, 0 to 1"),
}
GATE: Mapping[str, Shape] = {
    "decision": text("", *VERDICTS),
    "score": number("0 to 1"),
    "threshold": number("retrieval.min_score"),
    "reasons": [text()],
    "signals": {"*": number("what the score was made of")},
    "uncovered": [text("word of the question that no source covers")],
    "calibrated": flag("false when the score was not fitted to the embedding model"),
}
SPAN: Mapping[str, Shape] = {
    "char_start": integer("in code points of the source text"),
    "char_end": integer(),
}
QUOTE: Mapping[str, Shape] = {
    "id": text("S1 …, the source it stands in"),
    "text": text("byte for byte from the source text"),
    **SPAN,
    "section": Maybe(text("deepest heading with its number")),
    "page": Maybe(integer("from 1")),
    "page_label": Maybe(text("the page as it is printed")),
    "time": Maybe(text("in a transcript, 12:34")),
    "box": Maybe({"x0": number("points"), "y0": number(), "x1": number(), "y1": number()}),
}
SOURCE: Mapping[str, Shape] = {
    "id": text("src_…"),
    "path": text("within the project"),
    "title": text(),
    "type": text("the reader: pdf, docx, vtt …"),
    "language": text("ISO 639-1, or und"),
    "pages": Maybe(integer()),
    "chunks": integer(),
    "size": integer("bytes"),
    "content_hash": text("SHA-256 of the file"),
    "modified": text("ISO 8601"),
    "ingested": text("ISO 8601"),
    "tags": [text()],
    "confidentiality": text("", "public", "internal", "confidential", "secret"),
    "revision": Maybe(text("as printed in the source")),
    "revision_date": Maybe(text("as printed in the source, ISO 8601")),
    "warnings": [text("what could not be read")],
}
QUERY: Mapping[str, Shape] = {
    "id": text(),
    "time": text("ISO 8601"),
    "kind": text("ask, generate …"),
    "query": text(),
    "rewritten": Maybe(text("the question as it was searched")),
    "role": text("highest confidentiality that was seen"),
    "agent": Maybe(text()),
    "verdict": Maybe(text("", *VERDICTS)),
    "gate_score": Maybe(number("0 to 1")),
    "chunks": [{"chunk_id": text("chk_…"), "score": number("0 to 1")}],
    "models": {"*": text("model by step")},
    "answer": Maybe(text()),
    "attribution_coverage": Maybe(number("0 to 1")),
    "shown_coverage": Maybe(number("0 to 1")),
    "timings_ms": TIMINGS,
    "usage": USAGE,
    "error": Maybe(text()),
}
ERROR: Shape = {
    "error": {
        "code": text("stable name of the kind of error"),
        "message": text("what happened"),
        "where": text("at what, may be empty"),
        "fix": text("what to do next, may be empty"),
    }
}

CHECK: Mapping[str, Shape] = {
    "sentence": text("as it was written, before any repair"),
    "verdict": text("", "supported", "misattributed", "partly", "unsupported"),
    "score": number("0 to 1, calibrated"),
    "reason": text(),
    "differs": Maybe(text("what the source says instead")),
    "citations": [text("as written")],
    "carried_by": [text("evidence that carries it")],
}
CHANGE: Mapping[str, Shape] = {
    "sentence": text("of the model"),
    "action": text("", "reattributed", "regenerated", "removed", "recited"),
    "reason": text(),
}

ASK: Mapping[str, Shape] = {
    "question": text(),
    "language": text("of the answer; ISO 639-1, or und"),
    "verdict": text("", *VERDICTS),
    "confidence": number("the gate's score, 0 to 1"),
    "reasons": [text()],
    "answer": text("the sentences with their marks"),
    "sentences": [
        {
            "text": text(),
            "citations": [text("S1 …, ids of sources")],
            "quotes": [QUOTE],
        }
    ],
    "sources": [
        {
            "id": text("S1 …"),
            "chunk_id": text("chk_…"),
            **PLACE,
            "quote": Maybe(text("byte for byte from the source text")),
            "char_start": Maybe(integer("of the quote, in code points of the source text")),
            "char_end": Maybe(integer()),
            "quotes": [{**QUOTE, "sentence": Maybe(integer("which it carries, from 0"))}],
        }
    ],
    "model": text("who wrote the answer"),
    "mode": text("", "offline", "online"),
    "attribution_coverage": Maybe(number("verified sentences of all, before removal")),
    "shown_coverage": Maybe(number("verified sentences of those shown")),
    "timings_ms": TIMINGS,
    "usage": USAGE,
    "gate": GATE,
    "checks": [CHECK],
    "changes": [CHANGE],
    "notices": NOTICES,
}

SHAPES: dict[str, Shape] = {
    "init": {
        "project": text("the project's folder"),
        "created": [text("file or folder")],
        "kept": [text("folder that was there already")],
        "mode": text("", "offline", "online"),
        "models": {"*": text("model by configuration key")},
        "reasons": [text("why these models")],
        "notices": NOTICES,
    },
    "doctor": {
        "ok": flag("false when a check failed"),
        "checks": [
            {
                "name": text("what was looked at"),
                "status": text("", "ok", "warn", "fail"),
                "message": text(),
                "fix": text("how to mend it, may be empty"),
            }
        ],
    },
    "version": {"foundry": text(), "python": text(), "platform": text()},
    "ingest": {
        "sources": [
            {
                "path": text("within the project"),
                "status": text("", "added", "updated", "unchanged", "removed", "failed"),
                "reason": Maybe(text("why it failed, or what is noteworthy")),
                "pages": Maybe(integer()),
                "chunks": integer(),
            }
        ],
        "embedded": integer("chunks embedded in this run"),
        "pending": integer("chunks without a vector yet"),
        "seconds": number(),
        "notices": NOTICES,
    },
    "sources list": {"sources": [SOURCE]},
    "sources show": {
        **SOURCE,
        "summary": Maybe(text()),
        "summary_model": Maybe(text()),
        "sections": [
            {
                "title": text("heading with its number"),
                "level": integer("1 to 6"),
                "page": Maybe(integer()),
                "page_label": Maybe(text()),
                "time": Maybe(text("in a transcript, 12:34")),
            }
        ],
    },
    "sources remove": {"removed": [text("path within the project")]},
    "search": {
        "query": text(),
        "language": text("of the query; ISO 639-1, or und"),
        "mode": text("", *MODES),
        "hits": [
            {
                "chunk_id": text("chk_…"),
                **PLACE,
                "heading_path": [text("outermost heading first")],
                "dense": Maybe(RANKED),
                "bm25": Maybe(RANKED),
                "text": text("the chunk, as it stands in the source"),
                **SPAN,
            }
        ],
        "gate": GATE,
        "timings_ms": TIMINGS,
        "notices": NOTICES,
    },
    "ask": ASK,
    "chat": {
        "turn": integer("from 1"),
        "typed": text("the line that was read"),
        "question": text("what was asked of the sources"),
        "how": text("", "as typed", "rewritten by the model", "words carried over"),
        "carried": [text("words of the question before")],
        "answer": ASK,
    },
    "generate": {
        "path": Maybe(text("the file; null when nothing was written")),
        "topic": text(),
        "verdict": text("", *VERDICTS),
        "coverage": Maybe(number("verified sentences of all, before removal")),
        "shown_coverage": Maybe(number("verified sentences of those shown")),
        "sections": [
            {
                "title": text(),
                "sentences": integer(),
                "sources": integer("citations"),
                "coverage": Maybe(number("0 to 1")),
                "reason": Maybe(text("why nothing stands in it")),
            }
        ],
        "sources": [text("path of a cited source, in order of first use")],
        "model": text("who wrote the document"),
        "mode": text("", "offline", "online"),
        "usage": USAGE,
        "notices": NOTICES,
        "seconds": number(),
    },
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
