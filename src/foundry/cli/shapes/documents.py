"""The JSON of writing documents."""

from __future__ import annotations

from collections.abc import Mapping

from foundry.cli.shape import Maybe, Shape, flag, integer, number, text
from foundry.cli.shapes.parts import CHANGE, CONFLICT, DROPPED, NOTICES, SCORED, USAGE, VERDICTS

BUDGET: Mapping[str, Shape] = {
    "brief": integer("tokens of the project's brief"),
    "spec": integer("tokens of the feature specification"),
    "summaries": integer("tokens of the source summaries"),
    "chunks": integer("generation.token_budget"),
    "total": integer(),
    "window": Maybe(integer("context window of the model; null for the built-in writer")),
    "max_summaries": integer("generation.max_source_summaries"),
}
DOCUMENTS: dict[str, Shape] = {
    "generate": {
        "path": Maybe(text("the file; null when nothing was written")),
        "topic": text(),
        "feature": Maybe(text("name of the specification")),
        "language": text("of the document; ISO 639-1, or und"),
        "verdict": text("", *VERDICTS),
        "coverage": Maybe(number("verified sentences of all, before removal")),
        "shown_coverage": Maybe(number("verified sentences of those shown")),
        "sections": [
            {
                "title": text(),
                "verdict": text("", *VERDICTS),
                "sentences": integer(),
                "sources": integer("citations"),
                "coverage": Maybe(number("0 to 1")),
                "shown_coverage": Maybe(number("0 to 1")),
                "reason": Maybe(text("why nothing stands in it")),
                "conflicts": integer("listed below, each once for the document"),
                "reused": flag("written by an earlier run, and nothing changed since"),
                "dropped": [DROPPED],
                "changes": [CHANGE],
            }
        ],
        "sources": [text("path of a cited source, in order of first use")],
        "model": text("who wrote the document"),
        "models": {"*": text("model by step")},
        "mode": text("", "offline", "online"),
        "conflicts": [CONFLICT],
        "budget": Maybe(BUDGET),
        "usage": USAGE,
        "notices": NOTICES,
        "seconds": number(),
    },
    "generate --dry-run": {
        "topic": text(),
        "feature": Maybe(text("name of the specification")),
        "language": text("of the document; ISO 639-1, or und"),
        "sections": [
            {
                "title": text(),
                "wants": [text("line of the specification that speaks of this section")],
                "verdict": text("the gate's", *VERDICTS),
                "score": number("the gate's, 0 to 1"),
                "reasons": [text("why there is no evidence")],
                "evidence": [{"id": text("S1 …"), **SCORED}],
                "dropped": [DROPPED],
                "left_out": [text("S1 …, for which the model's window has no room")],
                "prompt": [{"role": text("", "system", "user"), "content": text()}],
                "prompt_tokens": Maybe(integer()),
                "notices": NOTICES,
            }
        ],
        "conflicts": [CONFLICT],
        "budget": BUDGET,
        "tight": flag("the budget takes more than 85 % of the window"),
        "usage": USAGE,
        "notices": NOTICES,
    },
}
