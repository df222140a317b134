"""The JSON of building the client's document."""

from __future__ import annotations

from foundry.cli.shape import Maybe, Shape, integer, number, text
from foundry.cli.shapes.parts import NOTICES

BUILD: dict[str, Shape] = {
    "build": {
        "title": text("on the cover"),
        "project": text(),
        "language": text("of the words around the chapters", "nl", "en"),
        "created": text("ISO 8601"),
        "files": [
            {
                "format": text("", "md", "docx", "pdf", "html"),
                "path": text(),
                "bytes": integer(),
            }
        ],
        "chapters": [
            {
                "feature": text(),
                "title": text(),
                "owner": text(),
                "approved_by": text(),
                "accepted_by": text(),
                "draft": text("path of the accepted draft"),
                "coverage": Maybe(number("verified sentences of all, before removal")),
                "stale": [text("what is out of date")],
            }
        ],
        "notes": integer("in the one list of the document"),
        "sources": [
            {
                "path": text(),
                "title": text(),
                "revision": Maybe(text("as printed in the source")),
                "revision_date": Maybe(text("ISO date, as printed in the source")),
                "sha256": text("of the file's bytes when the text was written"),
            }
        ],
        "stale": [text("what is out of date, with its feature; the document is marked")],
        "notices": NOTICES,
        "seconds": number(),
    },
}
