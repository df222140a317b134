"""One statement matched against the passages that a search finds for it.

The context keeps what all statements of a text share: the sources, the search, and the
sentences embedded for comparison across languages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from foundry.analysis import detect_query_language, fold
from foundry.craft.grounding import (
    ClaimCalibration,
    Finding,
    Judgement,
    apply_judgement,
    get_claim_calibration,
    verify_statement,
)
from foundry.craft.grounding.attribution import MIN_RETELLING
from foundry.craft.grounding.claims import Claim, collect_lowercase_words, parse_claim
from foundry.craft.grounding.figures import collect_figures, find_absent_figure
from foundry.journeys.matching.values import ValueSearch
from foundry.journeys.search import search
from foundry.journeys.writing import (
    DoubtfulStatement,
    LlmJudge,
    open_judge,
)
from foundry.lexicon import load_shared_lexicon
from foundry.messages import Message
from foundry.records import (
    CheckedStatement,
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
from foundry.text.references import build_source_names, find_named_source
from foundry.workspace import Workspace

MAX_HITS = 5
"""Passages per statement, at about 25 ms each; the first one mostly decides."""

JOINT_HITS = 3
"""Passages that are read together if none alone supports the statement."""

VALUE_HITS = 2
"""Passages with a statement's values that are read if those found do not support it (a guess)."""

CROSS_LINGUAL_HITS = 3
"""Passages in another language: each compares sentences by meaning, which takes time."""

CONTRADICTION_MARGIN = 0.15
"""How much more of a statement a contradicting passage must match to outweigh support (set by hand)."""

CROSS_LINGUAL_SUPPORT = 0.75
"""A lower score across languages rests on numbers and names, not on meaning (set by hand)."""

JUDGED_HITS = 3
"""Passages that the judge reads for a statement: the one shown with it, and the best others (a guess)."""

_FULL_MATCH = 0.95
"""A passage with nearly every word ends the search: another can hardly match better (set by hand)."""

_SCATTER_PENALTY = 0.2
"""Just above ``CONTRADICTION_MARGIN``: one sentence with every word outweighs two with half each."""

_ABSENT = frozenset({"claim-value-missing", "claim-name-missing"})

_MAX_QUERY_LENGTH = 2_000
_SHORT_STATEMENT = 5
"""Words. A shorter statement is searched together with its subject."""
_MIN_DETECTABLE_WORDS = 6
"""Words. Fewer say too little to detect a language (a guess)."""


@dataclass(frozen=True, slots=True)
class StatementMatch:
    """A statement and one passage, or several together."""

    finding: Finding
    hits: tuple[Hit, ...]

    @property
    def strength(self) -> float:
        """The share of the statement's words in the passages; across languages, its score.

        Support from several places counts for less.
        """
        shared = self.finding.score if self.finding.words is None else self.finding.words
        return shared - _SCATTER_PENALTY if len(self.finding.quotes) > 1 else shared


@dataclass
class VerificationContext:
    """What all statements of a text share."""

    workspace: Workspace
    filters: Filters
    mode: SearchMode | None
    sources: dict[str, Source]
    _materials: dict[str, ParsedEvidence] = field(default_factory=dict)
    _matched: dict[str, list[StatementMatch]] = field(default_factory=dict)
    _resolved: dict[str, str | None] = field(default_factory=dict)

    def find_hits(
        self, statement: DocumentStatement, only: tuple[str, ...] = ()
    ) -> tuple[Hit, ...]:
        """The passages nearest to a statement, in all sources or in ``only`` some."""
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

    def match(
        self,
        statement: DocumentStatement,
        language: str,
        hits: tuple[Hit, ...],
        read: Callable[[Evidence], ParsedEvidence] | None = None,
    ) -> StatementMatch:
        """Match the statement against passages taken together; ``read`` may read parts of them."""
        finding = verify_statement(
            statement.text,
            [Evidence(hit.chunk.id, hit) for hit in hits],
            language,
            known_words=_list_known_words(statement),
            similar=self.workspace.late_interaction.compare_sentences,
            read=read or self.read,
            constants=self.constants,
        )
        match = StatementMatch(_downgrade_scattered(statement, finding), hits)
        self._matched.setdefault(statement.text, []).append(match)
        return match

    def list_nearest(self, statement: DocumentStatement, shown: Hit) -> list[Hit]:
        """The passage that is shown with a statement, and those that matched it best alone."""
        alone = [match for match in self._matched.get(statement.text, ()) if len(match.hits) == 1]
        best = sorted(alone, key=lambda match: -match.finding.score)
        hits = {hit.chunk.id: hit for hit in (shown, *(match.hits[0] for match in best))}
        return list(hits.values())[:JUDGED_HITS]

    def parse(self, statement: DocumentStatement, language: str, hits: Iterable[Hit]) -> Claim:
        """The statement's values, its names apart from words that the passages have too."""
        materials = [self.read(Evidence(hit.chunk.id, hit)) for hit in hits]
        common = collect_lowercase_words(materials, _list_known_words(statement))
        return parse_claim(statement.text, language, common)

    @cached_property
    def values(self) -> ValueSearch:
        """Where the searched sources have a value."""
        return ValueSearch(self.workspace.store, self.filters, self.sources, self.read)

    @cached_property
    def constants(self) -> ClaimCalibration:
        """The calibration of scores."""
        return get_claim_calibration()

    @cached_property
    def judge(self) -> LlmJudge | None:
        """The judge of what the rules cannot settle, if a model is named: nobody writes here."""
        named = self.workspace.config.validation.verifier != "same"
        return open_judge(self.workspace) if named else None

    def read(self, evidence: Evidence) -> ParsedEvidence:
        """The parsed passage, parsed once for the whole text."""
        chunk = evidence.hit.chunk.id
        if chunk not in self._materials:
            self._materials[chunk] = parse_evidence(evidence)
        return self._materials[chunk]

    @cached_property
    def names(self) -> dict[str, str]:
        """What the text may call a source, with its path."""
        return build_source_names(self.sources.values())

    def resolve(self, reference: Reference) -> Reference:
        """The reference with the source that its words name, if any."""
        if reference.words not in self._resolved:
            self._resolved[reference.words] = self._find_source(reference.words)
        return replace(reference, source=self._resolved[reference.words])

    def _find_source(self, words: str) -> str | None:
        if not words.startswith("chk_"):
            return find_named_source(words, self.names)
        chunks = self.workspace.store.get_chunks(words.split(maxsplit=1)[:1])
        owners = {source.id: path for path, source in self.sources.items()}
        return owners.get(chunks[0].source_id) if chunks else None


def _list_known_words(statement: DocumentStatement) -> str:
    return " ".join([*statement.heading_path, statement.subject, _extract_row_label(statement)])


def _downgrade_scattered(statement: DocumentStatement, finding: Finding) -> Finding:
    """Downgrade support from scattered pieces to partial.

    Any text has some number of the right size somewhere. So the values of a table row must be in
    one place, and across languages without a comparison by meaning there must be numbers, all
    in one place.
    """
    if not finding.supported:
        return finding
    worded = any(map(str.isalpha, "".join(quote.text for quote in finding.quotes)))
    scattered = len(finding.quotes) > 1
    rows = max((_count_rows(quote.text) for quote in finding.quotes), default=0)
    if statement.kind == "table" and (scattered or rows > 1):
        reason = Message("claim-values-apart")
    elif not worded:
        # Labels of a chart.
        reason = Message("claim-facts-apart")
    elif (
        finding.words is None
        and finding.score < CROSS_LINGUAL_SUPPORT
        and (scattered or not find_quantities(statement.text, "und"))
    ):
        reason = Message("claim-facts-apart")
    else:
        return finding
    return replace(finding, verdict="partly", reason=reason, score=min(finding.score, 0.5))


def _count_rows(text: str) -> int:
    """The number of table rows that a quote spans."""
    return sum("|" in line or "\t" in line for line in text.splitlines())


def match_statement(
    context: VerificationContext, statement: DocumentStatement, language: str, hits: Sequence[Hit]
) -> list[StatementMatch]:
    """Match a statement against each passage, then against several together.

    Stops at a passage that has nearly every word.
    """
    matches: list[StatementMatch] = []
    foreign = 0
    for hit in hits:
        is_foreign = hit.chunk.language not in (language, "und")
        foreign += is_foreign
        if is_foreign and foreign > CROSS_LINGUAL_HITS:
            continue
        match = context.match(statement, language, (hit,))
        matches.append(match)
        if match.finding.supported and match.strength >= _FULL_MATCH:
            return matches
    if len(hits) > 1 and not any(match.finding.supported for match in matches):
        matches.append(context.match(statement, language, tuple(hits[:JOINT_HITS])))
    return matches


def match_values(
    context: VerificationContext,
    statement: DocumentStatement,
    language: str,
    matches: Sequence[StatementMatch],
) -> list[StatementMatch]:
    """Match a statement against unread passages that have its values, then with the nearest one."""
    hits = {hit.chunk.id: hit for match in matches for hit in match.hits}
    claim = context.parse(statement, language, hits.values())
    near = list_near_sources(matches)
    found = context.values.find_hits(claim, near, hits, VALUE_HITS)
    own = [context.match(statement, language, (hit,)) for hit in found]
    if not found or not matches or any(match.finding.supported for match in own):
        return own
    together = (*found, *matches[0].hits[:1])
    return [*own, context.match(statement, language, together)]


def _is_contradiction(finding: Finding) -> bool:
    """Whether one piece of text says otherwise; a passage that only lacks a value does not."""
    if not finding.hard or len(finding.quotes) != 1:
        return False
    restates = finding.differs is not None or finding.follows >= MIN_RETELLING
    return restates or find_absent_value(finding.reason) is None


def find_absent_value(reason: Message) -> str | None:
    """The number or name that a passage lacks, if that is the reason, or None."""
    if reason.code in _ABSENT:
        return str(reason.params.get("value", reason.params.get("name")))
    inner = reason.params.get("reason")
    return find_absent_value(inner) if isinstance(inner, Message) else None


def list_near_sources(matches: Iterable[StatementMatch]) -> list[Source]:
    """The sources of the passages, nearest first."""
    return list({hit.source.id: hit.source for m in matches for hit in m.hits}.values())


def judge_statements(
    context: VerificationContext, checked: Sequence[CheckedStatement]
) -> list[CheckedStatement]:
    """The statements with the judge's verdicts on those that no passage has word for word.

    The judge also reads the best others, as the right one in another language has few of its
    words. Support by several passages together stays as it is.
    """
    settled = list(checked)
    if context.judge is None:
        return settled
    doubtful = {
        number: context.list_nearest(item.claimed, item.hit)
        for number, item in enumerate(checked)
        if item.hit and _is_doubtful(item)
    }
    statements = [
        DoubtfulStatement(
            checked[number].claimed.text,
            tuple(Evidence(hit.chunk.id, hit) for hit in hits),
            cited=0,
            before=checked[number].claimed.subject,
        )
        for number, hits in doubtful.items()
    ]
    shown = {hit.chunk.id: hit for hits in doubtful.values() for hit in hits}
    judged = context.judge.judge(statements)
    for (number, hits), judgement in zip(doubtful.items(), judged, strict=True):
        if judgement is None:
            continue
        # The judge reads all passages together, and may quote that of another statement.
        quoted = dict.fromkeys(quote.evidence_id for quote in judgement.quotes)
        carrying = [shown[chunk] for chunk in quoted] or hits[:1]
        materials = [context.read(Evidence(hit.chunk.id, hit)) for hit in carrying]
        if judgement.verdict != "supported" or not _lacks_figure(checked[number], materials):
            settled[number] = _settle(checked[number], carrying[0], judgement)
    return settled


def _is_doubtful(item: CheckedStatement) -> bool:
    together = len({quote.evidence_id for quote in item.check.quotes}) > 1
    joint = together and bool(item.check.carried_by)
    return not joint and item.check.reason.code != "claim-word-for-word"


def _lacks_figure(item: CheckedStatement, materials: Sequence[ParsedEvidence]) -> bool:
    """Whether it has a number that the passages lack: no judge may accept that."""
    claim = parse_claim(item.claimed.text, materials[0].language, frozenset())
    return find_absent_figure(claim, collect_figures(materials)) is not None


def _settle(item: CheckedStatement, hit: Hit, judgement: Judgement) -> CheckedStatement:
    check = apply_judgement(item.check, judgement)
    item = replace(item, hit=hit)
    if judgement.verdict != "supported":
        return replace(item, check=check)
    path = hit.source.path
    check = replace(check, carried_by=(path,))
    if check.citations and path not in check.citations:
        reason = Message("verify-other-source", cited=check.citations, found=(path,))
        check = replace(check, verdict="misattributed", reason=reason)
    return replace(item, check=check)


def find_strongest(matches: Sequence[StatementMatch]) -> StatementMatch | None:
    """The strongest support, or None if a clearly better match contradicts the statement.

    A few shared words support little if the very sentence is found elsewhere, in one piece,
    with another number or the opposite meaning.
    """
    supports = [match for match in matches if match.finding.supported]
    if not supports:
        return None
    best = max(supports, key=lambda match: match.strength)
    against = [match.strength for match in matches if _is_contradiction(match.finding)]
    return None if best.strength + CONTRADICTION_MARGIN < max(against, default=0.0) else best


def detect_statement_language(text: str, document: str) -> str:
    """A statement's own language if it is long enough to detect, else its document's."""
    language = detect_query_language(text) if len(text.split()) >= _MIN_DETECTABLE_WORDS else "und"
    return document if language == "und" else language


def _extract_row_label(statement: DocumentStatement) -> str:
    """The first cell of a row in lower case: a capital there does not make a name."""
    if statement.kind != "table":
        return ""
    words = statement.text.split(";", 1)[0].replace(":", " ").split()
    return " ".join(word.lower() for word in words if word.istitle())


def _is_anaphoric(text: str) -> bool:
    """True for a sentence that refers back with its first word."""
    first = fold(text).split(" ", 1)[0].strip(".,;:")
    return first in load_shared_lexicon().general.back_pronouns
