"""A document from a specification or a topic: its plan, then its sections."""

from foundry.journeys.generate.draft import generate
from foundry.journeys.generate.plan import Announce, DraftPlan, PlannedSection, plan_draft
