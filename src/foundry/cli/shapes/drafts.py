"""The JSON of drafts: how they stand, and what verifying one by hand found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from foundry.cli.shape import Maybe, Shape, flag, integer, number, text
from foundry.cli.shapes.parts import CONFLICT, USAGE, VERDICTS
from foundry.cli.shapes.questions import QUESTIONS

_STATES = ("as written", "edited", "missing")
_STANDING: Mapping[str, Shape] = {
    "path": text("within the project, else absolute"),
    "feature": Maybe(text("the specification it was written from")),
    "topic": text(),
    "created": text("ISO 8601"),
    "state": text("of the file, against what was written", *_STATES),
    "content_hash": text("SHA-256 of the file as written"),
    "feature_hash": Maybe(text("content_hash of the specification at that time")),
    "verdict": text("", *VERDICTS),
    "coverage": Maybe(number("verified sentences of all, before removal")),
    "shown_coverage": Maybe(number("verified sentences of those shown")),
    "accepted": flag("somebody accepted the file as it is now"),
    "review": Maybe(
        {
            "by": text(),
            "time": text("ISO 8601"),
            "content_hash": text("SHA-256 of what was accepted"),
            "note": text("may be empty"),
        }
    ),
    "stale": [text("why it is out of date")],
}
_PROBLEMS: Sequence[Shape] = [
    {"message": text(), "line": integer("from 1"), "fix": text("what to do")}
]

DRAFTS: dict[str, Shape] = {
    "draft list": {"drafts": [_STANDING]},
    "draft show": {
        **_STANDING,
        "language": text("ISO 639-1, or und"),
        "model": text("who wrote it"),
        "mode": text("", "offline", "online"),
        "usage": USAGE,
        "sections": [
            {
                "title": text(),
                "sentences": integer(),
                "coverage": Maybe(number("0 to 1")),
                "shown_coverage": Maybe(number("0 to 1")),
                "reason": Maybe(text("why nothing stands in it")),
                "conflicts": [CONFLICT],
            }
        ],
        "sources": [
            {
                "path": text("cited, in order of first use"),
                "title": text(),
                "content_hash": text("SHA-256 of the file at that time"),
                "revision": Maybe(text("as printed in the source")),
                "revision_date": Maybe(text("as printed in the source, ISO 8601")),
            }
        ],
    },
    "draft verify": {
        "path": text("of the draft"),
        "feature": Maybe(text()),
        "state": text("", *_STATES),
        "passed": flag("nothing is wrong; the exit status is 1 when something is"),
        "footnotes": _PROBLEMS,
        "quotes": _PROBLEMS,
        "verification": Maybe(QUESTIONS["verify"]),
        "stale": _STANDING["stale"],
    },
    "draft accept": _STANDING,
}
