"""Conflicts between sources: found by rule, put together with a model's, and decided by rank.

Two places conflict when they say something else of the very same thing: another number,
unit, date, version or name, or a negation more. Precision comes before recall: where the
subject or a condition may differ, nothing is reported. No model is asked here.
"""

from foundry.craft.conflicts.deciding import decide, unknown_patterns
from foundry.craft.conflicts.finding import contradicts, find_conflicts, merge_conflicts
from foundry.craft.conflicts.telling import Difference

__all__ = [
    "Difference",
    "contradicts",
    "decide",
    "find_conflicts",
    "merge_conflicts",
    "unknown_patterns",
]
