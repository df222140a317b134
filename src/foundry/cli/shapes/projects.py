"""The JSON of setting up a project and reading its sources."""

from __future__ import annotations

from foundry.cli.shape import Maybe, Shape, flag, integer, number, text
from foundry.cli.shapes.parts import NOTICES, SOURCE, USAGE

PROJECTS: dict[str, Shape] = {
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
        "annotated": Maybe(
            {
                "prefixes": integer("context prefixes that a model wrote in this run"),
                "prefixes_missing": integer("chunks with an earlier or built-in one instead"),
                "summaries": integer("source summaries that a model wrote in this run"),
                "summaries_missing": integer("sources with an earlier or built-in one instead"),
                "allowed": flag("false when the estimate was above the limits and nobody agreed"),
                "estimate": {
                    "models": [text("that would be asked")],
                    "calls": integer("of what was missing before this run"),
                    "prompt_tokens": integer(),
                    "completion_tokens": integer(),
                    "cost": Maybe(number("US dollars; null when unknown")),
                },
                "usage": USAGE,
            }
        ),
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
}
