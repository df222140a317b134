"""The JSON of feature specifications."""

from __future__ import annotations

from collections.abc import Mapping

from foundry.cli.shape import Maybe, Shape, flag, integer, text

FEATURE: Mapping[str, Shape] = {
    "name": text(),
    "path": text("within the project"),
    "title": text("the name where it has none"),
    "status": text("", "draft", "approved", "changed", "broken"),
    "owner": text("who answers for the document; may be empty"),
    "sections": [text("heading of the document")],
    "source_hierarchy": [text("pattern of source paths, the most trusted first")],
    "content_hash": text("SHA-256 of all but status and approval; empty for an unreadable file"),
    "approval": Maybe(
        {
            "by": text(),
            "time": text("ISO 8601"),
            "content_hash": text("SHA-256 of what was approved"),
        }
    ),
    "problems": [
        {
            "message": text(),
            "fix": text("what to do"),
            "line": Maybe(integer("from 1")),
            "blocking": flag("true when it stands in the way of an approval"),
        }
    ],
}

FEATURES: dict[str, Shape] = {
    "feature new": FEATURE,
    "feature list": {"features": [FEATURE]},
    "feature show": {**FEATURE, "text": text("the specification below its front matter")},
    "feature check": {
        "ok": flag("nothing stands in the way of an approval"),
        "features": [FEATURE],
    },
    "feature approve": FEATURE,
    "feature revoke": FEATURE,
}
