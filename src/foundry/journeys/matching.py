"""One statement held against the passages that a search finds for it.

The desk holds what all statements of a text share: the sources that count, the
search, and the sentences that were embedded for comparison across languages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from foundry.analysis import detect_query_language, fold
from foundry.craft.grounding import (
    ClaimCalibration,
    Finding,
    Similarity,
    apply_judge,
    verify_statement,
)
from foundry.journeys.calibration import choose_verifier_calibration
from foundry.journeys.search import search
from foundry.journeys.writing import LlmJudge, build_similarity, open_judge
from foundry.records import (
    DocumentStatement,
    Evidence,
    Filters,
    Hit,
    Reference,
    SearchMode,
    Source,
)
from foundry.text.lines import ParsedEvidence, parse_evidence
from foundry.text.quantities import find_quantities
from foundry.text.references import find_named_source
from foundry.workspace import Workspace

MAX_HITS = 5
"""Passages that a statement is held against: each takes about 25 ms, and the first mostly does."""

JOINT_HITS = 3
"""Of those, how many are read together where none alone carries the statement."""

FOREIGN_HITS = 3
"""Of those, how many may be in another language: their sentences are compared by meaning."""

CONTRADICTION_MARGIN = 0.15
"""How much more of a statement a passage must have to speak against one that carries it."""

CROSS_LINGUAL_SUPPORT = 0.75
"""Between languages: support with a lower score rests on numbers and names, not on meaning."""

_FULL_MATCH = 0.95
# Just more than CLEARLY: one sentence with every word outweighs every word in two places.
_SCATTER_PENALTY = 0.2

_MAX_QUERY_LENGTH = 2_000
_SHORT_STATEMENT = 5
_MIN_DETECTABLE_WORDS = 6


@dataclass(frozen=True, slots=True)
class StatementMatch:
    """A statement held against one passage, or against several together."""

    finding: Finding
    hits: tuple[Hit, ...]

    @property
    def strength(self) -> float:
        """How much the passages have in common with it: words, or by score between languages.

        What is put together from several places counts for less.
        """
        shared = self.finding.score if self.finding.words is None else self.finding.words
        return shared - _SCATTER_PENALTY if len(self.finding.quotes) > 1 else shared


@dataclass
class VerificationContext:
    """What every statement needs: the sources, the search, and sentences embedded so far."""

    workspace: Workspace
    filters: Filters
    mode: SearchMode | None
    sources: dict[str, Source]
    _materials: dict[str, ParsedEvidence] = field(default_factory=dict)
    _resolved: dict[str, str | None] = field(default_factory=dict)

    def hits(self, statement: DocumentStatement, only: tuple[str, ...] = ()) -> tuple[Hit, ...]:
        """The passages nearest to a statement, in all sources or ``only`` in some."""
        short = len(statement.text.split()) < _SHORT_STATEMENT or _is_anaphoric(statement.text)
        query = f"{statement.subject} {statement.text}" if short else statement.text
        filters = replace(self.filters, sources=only) if only else self.filters
        result = search(
            self.workspace,
            query[:_MAX_QUERY_LENGTH],
            filters=filters,
            mode=self.mode,
            top_k=MAX_HITS,
        )
        return result.hits

    def hold(
        self, statement: DocumentStatement, language: str, hits: tuple[Hit, ...]
    ) -> StatementMatch:
        """The statement against passages taken together."""
        crosses = any(hit.chunk.language not in (language, "und") for hit in hits)
        finding = verify_statement(
            statement.text,
            [Evidence(hit.chunk.id, hit) for hit in hits],
            language,
            known_words=" ".join(
                [*statement.heading_path, statement.subject, _extract_row_label(statement)]
            ),
            similar=self.similar if crosses else None,
            read=self.read,
            constants=self.constants,
        )
        finding = _downgrade_scattered(statement, finding)
        if len(hits) == 1:
            evidence = Evidence(hits[0].source.path, hits[0])
            finding = apply_judge(finding, statement.text, evidence, self.verifier)
        return StatementMatch(finding, hits)

    @cached_property
    def similar(self) -> Similarity:
        """Sentences compared by meaning, each embedded once for the whole text."""
        return build_similarity(self.workspace)

    @cached_property
    def constants(self) -> ClaimCalibration:
        """What makes the scores, the project's own or shipped."""
        return choose_verifier_calibration(self.workspace)

    @cached_property
    def verifier(self) -> LlmJudge | None:
        """The judge of borderline statements, where one is configured."""
        return open_judge(self.workspace)

    def read(self, evidence: Evidence) -> ParsedEvidence:
        """A passage prepared for comparison, once for the whole text."""
        chunk = evidence.hit.chunk.id
        if chunk not in self._materials:
            self._materials[chunk] = parse_evidence(evidence)
        return self._materials[chunk]

    def resolved(self, reference: Reference) -> Reference:
        """The reference with the source that its words name."""
        if reference.words not in self._resolved:
            self._resolved[reference.words] = self._find_source(reference.words)
        return replace(reference, source=self._resolved[reference.words])

    def _find_source(self, words: str) -> str | None:
        if not words.startswith("chk_"):
            return find_named_source(words, self.sources.values())
        chunks = self.workspace.store.get_chunks(words.split(maxsplit=1)[:1])
        owners = {source.id: path for path, source in self.sources.items()}
        return owners.get(chunks[0].source_id) if chunks else None


def _downgrade_scattered(statement: DocumentStatement, finding: Finding) -> Finding:
    """Support that is put together from scattered pieces is only partial.

    In any text numbers of the right size can be found somewhere: the values of a row
    must stand in one place, and where languages differ and meaning was not compared,
    there must be numbers, all in one place.
    """
    if not finding.supported:
        return finding
    scattered = len(finding.quotes) > 1
    rows = max((_count_rows(quote.text) for quote in finding.quotes), default=0)
    if statement.kind == "table" and (scattered or rows > 1):
        reason = "its values stand there, but in different places"
    elif (
        finding.words is None
        and finding.score < CROSS_LINGUAL_SUPPORT
        and (scattered or not find_quantities(statement.text, "und"))
    ):
        reason = "its numbers and names stand there, but not together in words that say the same"
    else:
        return finding
    return replace(finding, verdict="partly", reason=reason, score=min(finding.score, 0.5))


def _count_rows(text: str) -> int:
    """How many rows of a table a quote runs over."""
    return sum("|" in line or "\t" in line for line in text.splitlines())


def match_statement(
    desk: VerificationContext, statement: DocumentStatement, language: str, hits: Sequence[Hit]
) -> list[StatementMatch]:
    """Findings for one passage after the other, then for several together.

    Ends early at one that has every word: nothing else can come nearer.
    """
    tried: list[StatementMatch] = []
    foreign = 0
    for hit in hits:
        foreign += hit.chunk.language not in (language, "und")
        if foreign > FOREIGN_HITS and hit.chunk.language not in (language, "und"):
            continue
        held = desk.hold(statement, language, (hit,))
        tried.append(held)
        if held.finding.supported and held.strength >= _FULL_MATCH:
            return tried
    if len(hits) > 1 and not any(held.finding.supported for held in tried):
        tried.append(desk.hold(statement, language, tuple(hits[:JOINT_HITS])))
    return tried


def find_strongest(tried: Sequence[StatementMatch]) -> StatementMatch | None:
    """The strongest support, unless a passage that is clearly nearer says otherwise.

    A few words in common support little where the very sentence stands elsewhere, in
    one piece, with another number or the opposite.
    """
    supports = [held for held in tried if held.finding.supported]
    if not supports:
        return None
    best = max(supports, key=lambda held: held.strength)
    against = [
        held.strength for held in tried if held.finding.hard and len(held.finding.quotes) == 1
    ]
    return None if best.strength + CONTRADICTION_MARGIN < max(against, default=0.0) else best


def detect_statement_language(text: str, document: str) -> str:
    """A statement's own language where it is long enough to tell, else its document's."""
    found = detect_query_language(text) if len(text.split()) >= _MIN_DETECTABLE_WORDS else "und"
    return document if found == "und" else found


def _extract_row_label(statement: DocumentStatement) -> str:
    """What opens a row, in small letters: its capital opens a cell and names nothing."""
    if statement.kind != "table":
        return ""
    words = statement.text.split(";", 1)[0].replace(":", " ").split()
    return " ".join(word.lower() for word in words if word.istitle())


def _is_anaphoric(text: str) -> bool:
    """True for a sentence that says "it" of what stands before it."""
    first = fold(text).split(" ", 1)[0].strip(".,;:")
    return first in _ANAPHORA


_ANAPHORA = frozenset(
    [
        *("it", "this", "that", "these", "those", "they", "its", "their"),
        *("dit", "dat", "deze", "die", "hij", "zij", "ze"),
    ]
)
