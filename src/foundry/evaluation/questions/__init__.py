"""Questions with known answers, stored in the project: import, draft, add, review, select, export."""

from foundry.evaluation.questions.drafts import (
    DEFAULT_NUMBER,
    DRAFTED_SET,
    MAX_NUMBER,
    DraftReport,
    draft_questions,
)
from foundry.evaluation.questions.files import (
    QuestionFile,
    QuestionView,
    accept_questions,
    choose_questions,
    count_sets,
    count_unreviewed,
    get_question,
    questions_as_lines,
    read_questions,
    select_questions,
    show_question,
)
from foundry.evaluation.questions.imports import (
    FEEDBACK_SET,
    AnswerPlace,
    ImportReport,
    add_question,
    import_feedback,
    import_questions,
)
from foundry.evaluation.questions.rows import DEFAULT_SET
