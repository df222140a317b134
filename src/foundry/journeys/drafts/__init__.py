"""The drafts of a project: registered when their file is written, verified, accepted."""

from foundry.journeys.drafts.register import (
    DraftStatus,
    accept_draft,
    find_overwrite_warning,
    get_draft,
    get_draft_state,
    get_draft_status,
    is_acceptance_current,
    list_drafts,
    register_draft,
    verify_draft,
)
from foundry.journeys.drafts.state import find_empty_sections, find_stale_reasons
from foundry.journeys.drafts.verification import DraftVerification
