"""The nouns of Foundry: frozen records that every floor passes along.

Records hold values and nothing else: no input or output, no configuration, no
third-party type. Offsets are code points in the stored text of a source; pages
count from 1; times are seconds from the start; scores are better when higher.
"""

from foundry.records.answers import (
    Answer,
    Change,
    Check,
    CitedSource,
    Draft,
    Evidence,
    Grounding,
    Quote,
    Section,
    Sentence,
    Usage,
    flowing,
    gap_before,
    marked,
)
from foundry.records.checks import CheckedStatement, Claimed, Reference, Skipped, Verification
from foundry.records.documents import Block, Box, Chunk, Document, Source, Summary
from foundry.records.kinds import (
    CONFIDENTIALITY_LEVELS,
    BlockKind,
    ClaimVerdict,
    Confidentiality,
    SearchMode,
    SourceStatus,
    Verdict,
)
from foundry.records.reports import (
    FileReport,
    IndexStatus,
    IngestReport,
    LogFigures,
    LogStats,
    Problem,
    QueryFigures,
    QueryRecord,
)
from foundry.records.retrieval import ChannelHit, Filters, Focus, GateDecision, Hit, SearchResult

__all__ = [
    "CONFIDENTIALITY_LEVELS",
    "Answer",
    "Block",
    "BlockKind",
    "Box",
    "Change",
    "ChannelHit",
    "Check",
    "CheckedStatement",
    "Chunk",
    "CitedSource",
    "ClaimVerdict",
    "Claimed",
    "Confidentiality",
    "Document",
    "Draft",
    "Evidence",
    "FileReport",
    "Filters",
    "Focus",
    "GateDecision",
    "Grounding",
    "Hit",
    "IndexStatus",
    "IngestReport",
    "LogFigures",
    "LogStats",
    "Problem",
    "QueryFigures",
    "QueryRecord",
    "Quote",
    "Reference",
    "SearchMode",
    "SearchResult",
    "Section",
    "Sentence",
    "Skipped",
    "Source",
    "SourceStatus",
    "Summary",
    "Usage",
    "Verdict",
    "Verification",
    "flowing",
    "gap_before",
    "marked",
]
