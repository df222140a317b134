"""Who may use the server: tokens, and the stream of what was done with them."""

from foundry.journeys.access.tokens import (
    create_token,
    find_bearer,
    find_valid,
    has_valid_token,
    list_events,
    list_tokens,
    parse_period,
    record_event,
    revoke_token,
)
