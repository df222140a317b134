"""Language analysis, done once and shared: which language, which terms, which sentences.

Both stores index and search the terms made here, so that BM25 ranks alike in
both. Nothing here knows of sources, chunks or indexes; and nothing is
understood, only counted and cut: no part-of-speech tags, no named entities.
"""

from foundry.analysis.folding import fold
from foundry.analysis.languages import UNKNOWN, detect_language, detect_query_language
from foundry.analysis.sentences import find_sentences
from foundry.analysis.terms import QueryTerm, analyse, analyse_query, split_compound

__all__ = [
    "ANALYSIS_VERSION",
    "UNKNOWN",
    "QueryTerm",
    "analyse",
    "analyse_query",
    "detect_language",
    "detect_query_language",
    "find_sentences",
    "fold",
    "split_compound",
]

ANALYSIS_VERSION = 1
"""Raised when the same text gives other terms or languages: sources are then made anew."""
