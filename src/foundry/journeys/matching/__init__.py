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
