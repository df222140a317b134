"""Questions with known answers, kept in the project: imported, drafted, accepted, chosen for a run.

Nothing here asks or measures; a run takes what ``select_questions`` gives.
"""

from foundry.evaluation.questions.accepting import Accepted, accept_questions
from foundry.evaluation.questions.adding import Wanted, add_question
from foundry.evaluation.questions.drafting import DRAFTED_SET, Drafts, draft_questions
from foundry.evaluation.questions.exporting import questions_as_lines
from foundry.evaluation.questions.feedback import FEEDBACK_SET, import_feedback
from foundry.evaluation.questions.importing import ImportReport, import_questions, read_questions
from foundry.evaluation.questions.naming import DEFAULT_SET, get_question
from foundry.evaluation.questions.reading import Refused
from foundry.evaluation.questions.selecting import (
    choose_questions,
    count_unreviewed,
    select_questions,
)
from foundry.evaluation.questions.showing import Shown, show_question

__all__ = [
    "DEFAULT_SET",
    "DRAFTED_SET",
    "FEEDBACK_SET",
    "Accepted",
    "Drafts",
    "ImportReport",
    "Refused",
    "Shown",
    "Wanted",
    "accept_questions",
    "add_question",
    "choose_questions",
    "count_unreviewed",
    "draft_questions",
    "get_question",
    "import_feedback",
    "import_questions",
    "questions_as_lines",
    "read_questions",
    "select_questions",
    "show_question",
]
