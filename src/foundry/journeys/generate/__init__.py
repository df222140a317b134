"""A document: plan its sections, show what contradicts, write each section, ground, log.

Returns a ``Draft``; rendering it and writing the file are the caller's. A topic that
the sources do not cover gives a draft without sentences and the verdict
``no_evidence``; the model that writes is not called for a section without evidence.
"""

from foundry.journeys.generate.draft import generate
from foundry.journeys.generate.plan import Announce, DraftPlan, PlannedSection, plan_draft

__all__ = ["Announce", "DraftPlan", "PlannedSection", "generate", "plan_draft"]
