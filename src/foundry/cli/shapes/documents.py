"""The JSON of writing documents."""

from __future__ import annotations

from foundry.cli.shape import Maybe, Shape, integer, number, text
from foundry.cli.shapes.parts import NOTICES, USAGE, VERDICTS

DOCUMENTS: dict[str, Shape] = {
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
}
