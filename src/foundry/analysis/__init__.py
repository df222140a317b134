"""Language analysis, done once and shared: which language, which terms, which sentences.

Both stores index and search the terms made here, so that BM25 ranks alike in
both. Nothing here knows of sources, chunks or indexes; and nothing is
understood, only counted and cut: no part-of-speech tags, no named entities.
"""

from foundry.analysis.compounds import find_parts
from foundry.analysis.folding import fold
from foundry.analysis.languages import UNKNOWN, detect_language, detect_query_language
from foundry.analysis.sentences import sentence_spans
from foundry.analysis.terms import QueryTerm, analyse, query_terms

__all__ = [
    "ANALYSIS_VERSION",
    "UNKNOWN",
    "QueryTerm",
    "analyse",
    "detect_language",
    "detect_query_language",
    "find_parts",
    "fold",
    "query_terms",
    "sentence_spans",
]

ANALYSIS_VERSION = 1
"""Raised when the same text gives other terms or languages: sources are then made anew."""
