"""What several JSON documents share: places, quotes, checks, usage, answers."""

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
    "revision": Maybe(text("as printed in the source")),
    "revision_date": Maybe(text("as printed in the source, ISO 8601")),
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
    "constants": text("fitted to the project's own questions, or not", "shipped", "project"),
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
    "kind": text("ask, chat, generate, verify, eval"),
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

SCORED: Mapping[str, Shape] = {
    "chunk_id": text("chk_…"),
    "source": text("path within the project"),
    "section": Maybe(text("deepest heading with its number")),
    "relevance": number("calibrated, 0 to 1"),
    "scored": Maybe(number("by retrieval.scorer_model, 0 to 10; null where it was not scored")),
}
DROPPED: Mapping[str, Shape] = {**SCORED, "reason": text("why it is no evidence")}

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
    "conflicts": [CONFLICT],
    "dropped": [DROPPED],
    "models": {"*": text("model by step: hyde, scorer")},
    "checks": [CHECK],
    "changes": [CHANGE],
    "notices": NOTICES,
}
