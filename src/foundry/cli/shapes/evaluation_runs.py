"""The JSON of evaluation runs and of their comparison."""

from __future__ import annotations

from collections.abc import Mapping

from foundry.cli.shape import Maybe, Shape, flag, integer, number, text
from foundry.cli.shapes.parts import NOTICES, TIMINGS, USAGE, VERDICTS

_KINDS = ("ask", "retrieval")
_DIRECTIONS = ("better", "worse", "changed")
_INTERVAL = Maybe({"low": Maybe(number()), "high": Maybe(number())})
_SPAN: Mapping[str, Shape] = {
    "source": text("path within the project"),
    "start": integer("in code points of the source text"),
    "end": integer(),
    "page": Maybe(integer("from 1")),
    "covers": [integer("an expected place that it covers, from 0")],
}
_RUN: Mapping[str, Shape] = {
    "id": integer(),
    "name": text(),
    "kind": text("whole answers, or search alone", *_KINDS),
    "sets": [text()],
    "started": text("ISO 8601"),
    "finished": Maybe(text("ISO 8601; null while it runs, or where it was interrupted")),
    "seconds": number("of asking and saving, without loading models"),
    "figures": {"*": Maybe(number("by measure; null where it is undefined"))},
    "intervals": Maybe({"*": _INTERVAL}),
    "counts": {"*": integer("questions, errors, answerable, judged …")},
    "overrides": {"*": text("set by -o")},
    "config": {"*": text("the value used; JSON where it is not a text")},
    "versions": {"*": text("programs, models, hashes of prompts and brief")},
    "index": text("hash of sources, chunks and vectors"),
    "questions": text("hash of the questions"),
    "notices": NOTICES,
}
_RESULT: Mapping[str, Shape] = {
    "key": text("set/id"),
    "text": text(),
    "answerable": Maybe(flag()),
    "expected": [
        {
            "source": text("path within the project"),
            "spans": [[integer("start, then end")]],
            "page": Maybe(integer("from 1")),
            "section": Maybe(text()),
            "relevance": integer(),
        }
    ],
    "answers": [text("a wording that counts as right")],
    "verdict": Maybe(text("of the answer; null in a retrieval run", *VERDICTS)),
    "gate_verdict": Maybe(text("", *VERDICTS)),
    "score": Maybe(number("the gate's, 0 to 1")),
    "answer": text("with citation marks; empty where there is none"),
    "coverage": Maybe(number("share of verified sentences")),
    "figures": {"*": Maybe(number("by measure; null where it is undefined"))},
    "citations": [{**_SPAN, "text": text("the quote")}],
    "ranking": [
        {
            "chunk_id": text("chk_…"),
            **_SPAN,
            "section": Maybe(text("deepest heading with its number")),
            "relevance": Maybe(number("0 to 1; null below the hits")),
        }
    ],
    "timings_ms": TIMINGS,
    "usage": USAGE,
    "error": Maybe(text("what failed; nothing else counts then")),
    "unknown": [text("an expected place that the index lacks")],
    "notices": NOTICES,
}
_NAMED: Mapping[str, Shape] = {
    "id": integer(),
    "name": text(),
    "kind": text("", *_KINDS),
    "sets": [text()],
    "finished": flag(),
}
_COMPARISON: Mapping[str, Shape] = {
    "first": _NAMED,
    "second": _NAMED,
    "common": integer("questions compared"),
    "left_out": {
        "only_first": [text("key of a question")],
        "only_second": [text()],
        "text_changed": [text("asked in other words")],
        "label_changed": [text("with another label, answer or expected place")],
    },
    "differs": [
        {
            "name": text("a configuration key, a version, index …"),
            "first": Maybe(text()),
            "second": Maybe(text()),
        }
    ],
    "measures": [
        {
            "measure": text(),
            "first": Maybe(number("over the questions where both runs have it")),
            "second": Maybe(number()),
            "difference": Maybe(number("second - first")),
            "interval": _INTERVAL,
            "n": integer("questions behind it"),
            "clear": flag("the interval excludes 0"),
            "better": flag("clearly"),
            "worse": flag("clearly, or undefined where it was not"),
        }
    ],
    "worse": [text("a measure that got clearly worse, without times and costs")],
    "changed": [
        {
            "key": text("set/id"),
            "text": text(),
            "what": text("", "error", "verdict", "recall@10", "exact_match", "f1"),
            "first": Maybe(text()),
            "second": Maybe(text()),
            "direction": text("", *_DIRECTIONS),
        }
    ],
    "notices": NOTICES,
}

EVALUATION_RUNS: dict[str, Shape] = {
    "eval run": {
        "run": _RUN,
        "passed": flag("false exits with 1"),
        "failed": [
            {
                "measure": text(),
                "least": Maybe(number("from --fail-below")),
                "most": Maybe(number("from --fail-above")),
                "value": Maybe(number()),
            }
        ],
        "worse": [text("a measure that is clearly worse than in the baseline")],
        "baseline": Maybe(_COMPARISON),
    },
    "eval runs": {
        "runs": [_RUN],
        "questions": [_RESULT],
        "indexes": [{"path": text("within the project"), "size": integer("bytes")}],
        "removed": [integer("id of a run")],
        "cleared": [text("path of a removed index")],
    },
    "eval compare": _COMPARISON,
}
