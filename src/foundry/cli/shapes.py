"""The JSON that every command prints with ``--json``: each field with its type and meaning.

``docs/json.md`` is generated from this table, and the tests hold what the
commands print against it. Fields may be added in a later version; none is
renamed or changes its meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from foundry.cli.shape import Maybe, Shape, flag, integer, number, text

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
QUOTED: Mapping[str, Shape] = {
    "text": text("byte for byte from the source text"),
    **SPAN,
    "section": Maybe(text("deepest heading with its number")),
    "page": Maybe(integer("from 1")),
    "page_label": Maybe(text("the page as it is printed")),
    "time": Maybe(text("in a transcript, 12:34")),
    "box": Maybe({"x0": number("points"), "y0": number(), "x1": number(), "y1": number()}),
}
QUOTE: Mapping[str, Shape] = {"id": text("S1 …, the source it stands in"), **QUOTED}
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
CHECKED: Mapping[str, Shape] = {
    "supported": integer("what it cites carries it, or where it cites nothing any source does"),
    "misattributed": integer("another source carries it"),
    "partly": integer("only some of what it says stands in a source"),
    "unsupported": integer(),
}
QUERY: Mapping[str, Shape] = {
    "id": text(),
    "time": text("ISO 8601"),
    "project": Maybe(text("id of the project")),
    "kind": text("ask, chat, generate, verify"),
    "query": text("as it was typed; the file's name for verify"),
    "rewritten": Maybe(text("the question as it was searched, where it differs")),
    "role": text("highest confidentiality that was seen"),
    "agent": Maybe(text()),
    "verdict": Maybe(text("", *VERDICTS)),
    "gate_score": Maybe(number("0 to 1")),
    "chunks": [{"chunk_id": text("chk_…"), "score": number("0 to 1")}],
    "models": {"*": text("model by step")},
    "profile": Maybe(text("cheap, balanced or premium, if one was chosen")),
    "answer": Maybe(text()),
    "attribution_coverage": Maybe(number("0 to 1")),
    "shown_coverage": Maybe(number("0 to 1")),
    "checks": {"*": integer("statements by verdict; empty where none were checked")},
    "changes": {"*": integer("statements by what repair did: reattributed, removed …")},
    "timings_ms": TIMINGS,
    "usage": USAGE,
    "error": Maybe(text()),
}
RATE = number("0 to 1; null where there is nothing to count")
FIGURES: Mapping[str, Shape] = {
    "n": integer("rows of the log"),
    "verdicts": {verdict: integer() for verdict in VERDICTS},
    "verdict_rates": {verdict: Maybe(RATE) for verdict in VERDICTS},
    "errors": integer(),
    "error_rate": Maybe(number("of all rows")),
    "coverage": Maybe(number("mean attribution coverage")),
    "checks": {verdict: integer() for verdict in CHECKED},
    "check_rates": {verdict: Maybe(RATE) for verdict in CHECKED},
    "p50_ms": Maybe(number("half took less")),
    "p95_ms": Maybe(number()),
    "tokens": integer("of prompts and replies"),
    "cost": Maybe(number("US dollars, as far as known")),
    "unpriced": integer("rows whose cost is not known"),
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
    "verify": {
        "file": text("as it was named"),
        "language": text("of the text; ISO 639-1, or und"),
        "coverage": Maybe(number("supported statements of all; null when there is none")),
        "min_attribution": number("validation.min_attribution"),
        "passed": flag("whether coverage reaches it; the exit status is 1 when not"),
        "counts": CHECKED,
        "statements": [
            {
                "text": text("whole: an item with its list's opening, a row with its header"),
                "line": Maybe(integer("from 1; null where the file has no lines")),
                "page": Maybe(integer("from 1")),
                "page_label": Maybe(text("the page as it is printed")),
                "section": Maybe(text("heading that it stands under")),
                "start": integer("in code points of the text as it was read"),
                "end": integer(),
                "verdict": text("", *CHECKED),
                "score": number("0 to 1"),
                "reason": text(),
                "differs": Maybe(text("what the source says instead")),
                "cited": [
                    {
                        "mark": text("as it stands in the text: [^1], [S1] …"),
                        "words": text("what the mark stands for; empty where nothing says so"),
                        "source": Maybe(text("the source that they name, path in the project")),
                    }
                ],
                "carried_by": [text("path of a source that carries it")],
                "source": Maybe({"chunk_id": text("chk_…"), **PLACE}),
                "quote": Maybe(text("that carries it or comes nearest, byte for byte")),
                "char_start": Maybe(integer("of the quote, in code points of the source text")),
                "char_end": Maybe(integer()),
                "quotes": [{"chunk_id": text("chk_…"), **QUOTED}],
            }
        ],
        "skipped": [
            {
                "text": text(),
                "reason": text("why it is no statement"),
                "line": Maybe(integer("from 1")),
            }
        ],
        "timings_ms": TIMINGS,
        "usage": USAGE,
        "notices": NOTICES,
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
