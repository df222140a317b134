"""Questions with known answers, kept in the project: imported, drafted, accepted, chosen for a run.

Nothing here asks or measures; a run takes what ``select_questions`` gives.
"""

from foundry.evaluation.questions.importing import (
    ImportReport,
    import_questions,
    read_questions,
)
from foundry.evaluation.questions.naming import get_question
from foundry.evaluation.questions.reading import Refused
from foundry.evaluation.questions.selecting import count_unreviewed, select_questions

__all__ = [
    "ImportReport",
    "Refused",
    "count_unreviewed",
    "get_question",
    "import_questions",
    "read_questions",
    "select_questions",
]
