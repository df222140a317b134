"""From evidence to verified sentences: the model's text, grounded and repaired, or the built-in writer's.

Shared by answers and documents. Both ways end in a ``Grounding``, so that the same
rules count whoever wrote. No model is called here before the gate has opened.
"""

from foundry.writing.comparing import MOST_SIMILAR, compare_sentences, term_weights
from foundry.writing.evidence import answer_language, cited_sources, listed
from foundry.writing.fitting import cut_brief, fit_prompt, measure_budget
from foundry.writing.judging import Verifier, open_verifier
from foundry.writing.replying import write_with_model
from foundry.writing.written import Written, composed, drain, model_name, other_language, removed

__all__ = [
    "MOST_SIMILAR",
    "Verifier",
    "Written",
    "answer_language",
    "cited_sources",
    "compare_sentences",
    "composed",
    "cut_brief",
    "drain",
    "fit_prompt",
    "listed",
    "measure_budget",
    "model_name",
    "open_verifier",
    "other_language",
    "removed",
    "term_weights",
    "write_with_model",
]
