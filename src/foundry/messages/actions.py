"""How each face says what to do next.

A text of the catalogue names an action by its command: ``foundry ingest``. A terminal shows that. A
page has a place for some actions, the API a route for more; whatever is left can only be done on the
server, and is said to be. So a text is written once, for all faces.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

Face = Literal["terminal", "page", "api"]

PLACES = (
    "ingest",
    "sources",
    "sources list",
    "sources show",
    "sources remove",
    "log list",
    "search",
)
"""Commands that have a place on the pages, which ``action-COMMAND`` names."""
ROUTES = {
    "ingest": "POST /api/v2/ingest",
    "sources": "GET /api/v2/sources",
    "sources list": "GET /api/v2/sources",
    "sources show": "GET /api/v2/sources/ID",
    "sources remove": "DELETE /api/v2/sources/ID",
    "correction list": "GET /api/v2/corrections",
    "correction blocks": "GET /api/v2/sources/ID/blocks",
    "correction add": "POST /api/v2/sources/ID/corrections",
    "correction remove": "DELETE /api/v2/corrections/ID",
    "work list": "GET /api/v2/jobs",
    "log list": "GET /api/v2/log",
    "log feedback": "POST /api/v2/log/ID/feedback",
    "search": "POST /api/v2/search",
    "agent list": "GET /api/v2/agents",
    "feature list": "GET /api/v2/features",
    "feature check": "GET /api/v2/features/NAME/check",
    "feature approve": "POST /api/v2/features/NAME/approve",
    "generate": "POST /api/v2/drafts",
    "draft list": "GET /api/v2/drafts",
    "draft verify": "GET /api/v2/drafts/PATH/verification",
    "draft accept": "POST /api/v2/drafts/PATH/accept",
    "eval run": "POST /api/v2/evaluation/runs/stream",
    "eval runs": "GET /api/v2/evaluation/runs",
    "doctor": "GET /api/v2/doctor",
}
"""Commands that have a route."""

_NAMED = "|".join(sorted(ROUTES, key=len, reverse=True))
_COMMAND = re.compile(rf"`foundry ([^`]+)`|\bfoundry ({_NAMED})\b")
_WORDS = re.compile(r"[a-z]+(?: [a-z]+)?")


def name_actions(text: str, face: Face, name: Callable[[str], str]) -> str:
    """A text of the catalogue, in Fluent, whose commands are what the face has in their place.

    ``name`` gives the words of a code.
    """
    if face == "terminal":
        return text

    def replace(found: re.Match[str]) -> str:
        command = found[1] or found[2]
        words = _WORDS.match(command)
        # An option, as of ``ingest --prune``, is another action.
        key = words[0] if words and "--" not in command else ""
        if face == "api" and key in ROUTES:
            return f"`{ROUTES[key]}`"
        if face == "page" and key in PLACES:
            return name(f"action-{key.replace(' ', '-')}")
        return f"`{command}` {name('action-server')}"

    return _COMMAND.sub(replace, text)
