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
    Evidence,
    Grounding,
    Sentence,
    Usage,
    flowing,
    gap_before,
    marked,
)
from foundry.records.checks import CheckedStatement, Claimed, Reference, Skipped, Verification
from foundry.records.conflicts import Conflict, ConflictKind, ConflictSide, each_once
from foundry.records.delivery import (
    Chapter,
    Delivery,
    DraftRecord,
    DraftState,
    Note,
    Review,
    SectionSummary,
    UsedSource,
)
from foundry.records.documents import Block, Box, Chunk, Document, Source, Summary
from foundry.records.drafts import Budget, Draft, Section
from foundry.records.features import Approval, Feature, FeatureStatus, SpecProblem
from foundry.records.kinds import (
    CONFIDENTIALITY_LEVELS,
    BlockKind,
    ClaimVerdict,
    Confidentiality,
    SearchMode,
    SourceStatus,
    Verdict,
)
from foundry.records.quotes import Quote
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
from foundry.records.retrieval import (
    ChannelHit,
    DroppedHit,
    Filters,
    Focus,
    GateDecision,
    Hit,
    SearchResult,
)

__all__ = [
    "CONFIDENTIALITY_LEVELS",
    "Answer",
    "Approval",
    "Block",
    "BlockKind",
    "Box",
    "Budget",
    "Change",
    "ChannelHit",
    "Chapter",
    "Check",
    "CheckedStatement",
    "Chunk",
    "CitedSource",
    "ClaimVerdict",
    "Claimed",
    "Confidentiality",
    "Conflict",
    "ConflictKind",
    "ConflictSide",
    "Delivery",
    "Document",
    "Draft",
    "DraftRecord",
    "DraftState",
    "DroppedHit",
    "Evidence",
    "Feature",
    "FeatureStatus",
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
    "Note",
    "Problem",
    "QueryFigures",
    "QueryRecord",
    "Quote",
    "Reference",
    "Review",
    "SearchMode",
    "SearchResult",
    "Section",
    "SectionSummary",
    "Sentence",
    "Skipped",
    "Source",
    "SourceStatus",
    "SpecProblem",
    "Summary",
    "Usage",
    "UsedSource",
    "Verdict",
    "Verification",
    "each_once",
    "flowing",
    "gap_before",
    "marked",
]
