"""From evidence to verified sentences, by a model with repair or by the built-in writer.

Shared by answers and documents. Both writers end in a ``Grounding``, so the same rules apply to
both. No model is called here before the gate has opened.
"""

from typing import TYPE_CHECKING

from foundry.journeys.writing.written import (
    Written,
    choose_answer_language,
    collect_cited_sources,
    explain_unanswered,
    explain_unverified,
    model_name,
    quote_only,
    removal_reason,
    report_dropped,
)
from foundry.late import import_late

if TYPE_CHECKING:
    from foundry.journeys.writing.llm_judge import DoubtfulStatement, LlmJudge, open_judge
    from foundry.journeys.writing.prompt_budget import cut_brief, fit_prompt, measure_budget
    from foundry.journeys.writing.repair_loop import write_with_model

# What a model's text needs; passages are shown without any of it.
__getattr__ = import_late(__name__, "repair_loop", "llm_judge", "prompt_budget")
