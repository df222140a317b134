"""Conflicts between sources: found by rule, merged with those a model found, and resolved by rank.

Two passages conflict if their sources are about one thing, or both name it, and one sentence or row of
each says the same of it but for a number, unit, date, version, name or negation. Precision comes
before recall: where the subject or a condition may differ, nothing is reported. No model is asked
here.
"""

from typing import TYPE_CHECKING

from foundry.craft.conflicts.resolution import (
    find_leading_paths,
    find_preferred_revisions,
    find_unknown_patterns,
    resolve_conflicts,
)
from foundry.late import import_late

if TYPE_CHECKING:
    from foundry.craft.conflicts.detection import (
        find_conflicts,
        find_contradiction,
        merge_conflicts,
    )

# A search asks which source prevails, and compares none.
__getattr__ = import_late(__name__, "detection")
