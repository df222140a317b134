"""Questions with known answers, stored in the project: import, draft, add, review, select, export."""

from foundry.evaluation.questions.drafts import (
    DEFAULT_NUMBER,
    DRAFTED_SET,
    MAX_NUMBER,
    DraftReport,
    draft_questions,
)
from foundry.evaluation.questions.entry import AnswerPlace, add_question
from foundry.evaluation.questions.feedback import FEEDBACK_SET, import_feedback
from foundry.evaluation.questions.fields import DEFAULT_SET
from foundry.evaluation.questions.files import QuestionFile, RefusedLine
from foundry.evaluation.questions.imports import ImportReport, import_questions, read_questions
from foundry.evaluation.questions.selection import (
    QuestionView,
    ReviewResult,
    accept_questions,
    choose_questions,
    count_unreviewed,
    get_question,
    questions_as_lines,
    select_questions,
    show_question,
)

__all__ = [
    "DEFAULT_NUMBER",
    "DEFAULT_SET",
    "DRAFTED_SET",
    "FEEDBACK_SET",
    "MAX_NUMBER",
    "AnswerPlace",
    "DraftReport",
    "ImportReport",
    "QuestionFile",
    "QuestionView",
    "RefusedLine",
    "ReviewResult",
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
