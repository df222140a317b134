"""Questions with known answers, kept in the project: imported, drafted, accepted, chosen for a run.

Nothing here asks or measures; a run takes what ``select_questions`` gives.
"""

from foundry.evaluation.questions.selecting import count_unreviewed, select_questions

__all__ = ["count_unreviewed", "select_questions"]
