"""The drafts of a project: registered when their file is written, verified, accepted.

A draft is known by its file's path. What was written there is known by its hash, so an edit
by hand shows; line ends and a byte order mark, which a checkout on another system changes,
are no edit. Nothing here writes or mends a draft's file.
"""

from foundry.journeys.drafts.register import (
    accept_draft,
    find_overwrite_warning,
    get_draft,
    get_draft_state,
    is_acceptance_current,
    list_drafts,
    register_draft,
    verify_draft,
)
from foundry.journeys.drafts.state import find_stale_reasons
from foundry.journeys.drafts.verification import DraftVerification

__all__ = [
    "DraftVerification",
    "accept_draft",
    "find_overwrite_warning",
    "find_stale_reasons",
    "get_draft",
    "get_draft_state",
    "is_acceptance_current",
    "list_drafts",
    "register_draft",
    "verify_draft",
]
