"""What a question is about, and whether a passage is about that too.

A name tells documents apart by structure: it is in the label (title, file name, front) of some
sources and hardly in others. No list of companies or products is needed. What is in doubt is
"unknown", never "other".
"""

from foundry.craft.subjects.fitness import judge_passage, order_by_fit
from foundry.craft.subjects.spellings import (
    add_period_terms,
    drop_common_spellings,
    spell_out_periods,
)
from foundry.craft.subjects.subject import (
    AskedName,
    Subject,
    find_subject,
    list_subject_terms,
)

__all__ = [
    "AskedName",
    "Subject",
    "add_period_terms",
    "drop_common_spellings",
    "find_subject",
    "judge_passage",
    "list_subject_terms",
    "order_by_fit",
    "spell_out_periods",
]
