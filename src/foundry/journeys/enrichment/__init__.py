"""Context prefixes and summaries by language models (decisions D0004, D0008), after the text.

Text and its index are in the database by then, with the built-in prefixes and summary. What
the models write is kept request by request, so that a run that was cut short goes on, and is
put in place source by source before anything is embedded. Before more is sent than the
configuration allows, the caller is asked. Reads no file and embeds nothing.
"""

from foundry.journeys.enrichment.run import (
    Confirm,
    EnrichmentPlan,
    enrich,
    exceeds_limits,
    refuse,
    require_models,
)

__all__ = ["Confirm", "EnrichmentPlan", "enrich", "exceeds_limits", "refuse", "require_models"]
