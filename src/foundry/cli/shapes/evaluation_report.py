"""The JSON of writing a report over evaluation runs."""

from __future__ import annotations

from foundry.cli.shape import Maybe, Shape, flag, integer, number, text
from foundry.cli.shapes.parts import NOTICES

EVALUATION_REPORT: dict[str, Shape] = {
    "eval report": {
        "path": text("the file written"),
        "format": text("", "html", "md"),
        "bytes": integer(),
        "runs": [
            {
                "id": integer(),
                "name": text(),
                "label": text(
                    "its name in the report, with the number where two runs share a name"
                ),
                "kind": text("whole answers, or search and gate alone", "ask", "retrieval"),
                "finished": flag(),
                "questions": integer("with an outcome"),
                "errors": integer(),
                "wrong": integer("outcomes with a fault: errors, wrong refusals, missing places …"),
                "figures": {"*": Maybe(number("by measure; null where it is undefined"))},
            }
        ],
        "compared": [
            {
                "id": integer("of a run compared with the first"),
                "common": integer("questions that both asked in the same way"),
                "better": [text("a measure whose 95 % interval of the difference excludes 0")],
                "worse": [text()],
            }
        ],
        "notices": NOTICES,
    },
}
