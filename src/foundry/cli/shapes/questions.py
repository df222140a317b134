"""The JSON of searching, asking and verifying."""

from __future__ import annotations

from foundry.cli.shape import Maybe, Shape, flag, integer, number, text
from foundry.cli.shapes.parts import (
    ASK,
    CHECKED,
    GATE,
    MODES,
    NOTICES,
    PLACE,
    QUOTED,
    RANKED,
    SPAN,
    TIMINGS,
    USAGE,
)

QUESTIONS: dict[str, Shape] = {
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
}
