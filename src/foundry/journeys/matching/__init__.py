"""Statements of a text matched against the passages that a search finds for them."""

from foundry.journeys.matching.matches import (
    StatementMatch,
    VerificationContext,
    detect_statement_language,
    find_strongest,
    judge_statements,
    match_statement,
    match_values,
)
from foundry.journeys.matching.objections import (
    explain_unsupported,
    find_computed,
    list_cited,
)

__all__ = [
    "StatementMatch",
    "VerificationContext",
    "detect_statement_language",
    "explain_unsupported",
    "find_computed",
    "find_strongest",
    "judge_statements",
    "list_cited",
    "match_statement",
    "match_values",
]
