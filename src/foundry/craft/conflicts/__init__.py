"""Conflicts between sources: found by rule, merged with those a model found, and resolved by rank.

Two passages conflict if they state different facts about the same thing: another number, unit,
date, version or name, or an added negation. Precision comes before recall: where the subject or a
condition may differ, nothing is reported. No model is asked here.
"""

from foundry.craft.conflicts.detection import find_conflicts, find_contradiction, merge_conflicts
from foundry.craft.conflicts.resolution import (
    find_leading_paths,
    find_preferred_revisions,
    find_unknown_patterns,
    resolve_conflicts,
)
