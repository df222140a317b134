"""Language analysis, shared by every store and journey: language, index terms, sentences.

Every store indexes and searches these terms, so that BM25 ranks alike in all of them. Text is
counted and cut here, never understood: no part-of-speech tags, no named entities. The package knows
nothing of sources, chunks or indexes.
"""

from foundry.analysis.folding import fold, fold_in_place
from foundry.analysis.languages import UNKNOWN, detect_language, detect_query_language
from foundry.analysis.sentences import find_sentences
from foundry.analysis.terms import analyse, analyse_query, split_compounds

ANALYSIS_VERSION = 2
"""Increased whenever the same text gives other terms or languages: sources are then re-indexed."""
