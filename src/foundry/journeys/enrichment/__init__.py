"""Context prefixes and summaries by language models (decisions 22 and 25).

They follow after the text is saved. Every reply is cached at once, so an interrupted run
resumes; results are applied source by source before anything is embedded.
"""

from foundry.journeys.enrichment.run import Confirm, enrich, refuse, require_models
