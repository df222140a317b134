"""The JSON of stored questions and of what changes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from foundry.cli.shape import Maybe, Shape, flag, integer, text
from foundry.cli.shapes.parts import NOTICES, USAGE

QUESTION: Mapping[str, Shape] = {
    "key": text("set/id"),
    "id": text("unique in its set"),
    "set": text(),
    "text": text("the question"),
    "answerable": Maybe(flag("null if unlabelled")),
    "language": text("ISO 639-1, or und"),
    "expected": [
        {
            "source": text("path within the project"),
            "spans": [[integer("start, end in code points of the source text")]],
            "page": Maybe(integer("from 1")),
            "section": Maybe(text("heading with its number")),
            "relevance": integer("above 1: the better of several"),
        }
    ],
    "answers": [text("an accepted answer")],
    "tags": [text()],
    "origin": text("", "added", "imported", "feedback", "drafted"),
    "reviewed": flag("false for a draft until a person accepts it"),
    "note": text("may be empty"),
}
SKIPPED: Sequence[Shape] = [
    {"file": text(), "line": integer("from 1"), "reason": text("why it was left out")}
]
_KEYS: Sequence[Shape] = [text("set/id")]
_COUNTS: Mapping[str, Shape] = {
    "questions": integer(),
    "answerable": integer(),
    "unanswerable": integer(),
    "unlabelled": integer("answerable is null"),
    "unreviewed": integer("drafts, left out of runs until accepted"),
}

EVALUATION_QUESTIONS: dict[str, Shape] = {
    "eval add": QUESTION,
    "eval import": {
        "added": _KEYS,
        "updated": _KEYS,
        "unchanged": _KEYS,
        "refused": [
            {
                "file": text("as named in the command"),
                "line": Maybe(integer("from 1; null if not a line")),
                "id": Maybe(text("of the question, if stated")),
                "reason": text(),
                "fix": text("what to do"),
            }
        ],
        "notices": NOTICES,
    },
    "eval draft": {
        "set": text(),
        "model": text("who drafted"),
        "questions": [QUESTION],
        "kept": [text("set/id of a question drafted before and left alone")],
        "skipped": [
            {"source": text("path within the project"), "what": text(), "reason": text()},
        ],
        "usage": USAGE,
        "notices": NOTICES,
    },
    "eval list": {"questions": [QUESTION], "sets": {"*": _COUNTS}},
    "eval show": {
        **QUESTION,
        "quotes": [
            {
                "source": text("path within the project"),
                "start": integer("in code points of the source text"),
                "end": integer(),
                "text": text("the words there now"),
            }
        ],
        "unknown_sources": [text("expected but not in the project")],
    },
    "eval accept": {
        "accepted": _KEYS,
        "rejected": _KEYS,
        "before": [text("set/id of a question accepted before")],
        "notices": NOTICES,
    },
    "eval remove": {"removed": _KEYS},
    "eval export": {"path": text("of the file"), "questions": integer()},
    "log feedback": {
        "query_id": text("qry_…"),
        "correct": flag(),
        "time": text("ISO 8601"),
        "note": text("may be empty"),
    },
}
