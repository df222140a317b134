"""Verify: apart from questions, because it loads the readers of files."""

from __future__ import annotations

from foundry.journeys.verify import verify_text
from foundry.operations.endpoints import VERIFY
from foundry.operations.table import Scope, operation
from foundry.records import Verification
from foundry.render.verification import render_verification
from foundry.wire.requests import TextRequest


@operation(*VERIFY, slow=True, render=render_verification)
def verify(on: Scope, asked: TextRequest) -> Verification:
    """Check a text in Markdown, statement by statement, against the sources."""
    return verify_text(
        on.workspace,
        asked.text.encode(),
        filters=on.filters,
        mode=asked.mode,
        judge=asked.judge,
        progress=on.progress,
    )
