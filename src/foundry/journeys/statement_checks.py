"""One statement of a text against the passages that a search finds for it.

The rules say what a sentence or row says exactly and what one contradicts. For all else the passages
to read are chosen, and a judge decides where one is configured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from foundry.analysis import analyse, detect_query_language, fold
from foundry.craft.excerpts import ReadTogether, choose_excerpts
from foundry.craft.grounding import Finding, Judgement, apply_judgement, verify_statement
from foundry.craft.grounding.computations import compute_from_cells
from foundry.craft.grounding.figures import collect_figures, find_absent_figure
from foundry.journeys.search import search
from foundry.journeys.writing import DoubtfulStatement, LlmJudge, open_judge
from foundry.lexicon import load_shared_lexicon
from foundry.messages import Message
from foundry.ports import Progress, Step
from foundry.records import (
    CheckedStatement,
    ClaimCheck,
    ClaimVerdict,
    DocumentStatement,
    Evidence,
    Filters,
    Hit,
    Reference,
    SearchMode,
    Source,
)
from foundry.render.places import format_page
from foundry.text.lines import ParsedEvidence, parse_evidence, parse_line
from foundry.text.quantities import Quantity, find_quantities, is_same_quantity
from foundry.text.references import (
    build_source_names,
    find_cited_pages,
    find_named_source,
    has_cited_page,
)
from foundry.workspace import Workspace

MAX_HITS = 5
"""Passages that are searched for a statement: of true statements nearly all have theirs among five."""

SHOWN = 3
"""Passages that a reader or a judge reads for a statement that the rules leave open."""

_MAX_QUERY_LENGTH = 2_000
_SHORT_STATEMENT = 5
"""Words. A shorter statement is searched together with its subject."""

_MIN_DETECTABLE_WORDS = 6
"""Words. Fewer say too little to detect a language (a guess)."""

_JUDGED_AT_ONCE = 25
"""Statements that are judged between two steps of progress: those of one call (a guess)."""

_MOST_READ = 20
"""Passages that are read for a value; one that more may have is not called absent."""


@dataclass(frozen=True, slots=True)
class Match:
    """What one passage says of a statement."""

    hit: Hit
    finding: Finding


@dataclass(frozen=True, slots=True)
class RuledStatement:
    """A statement as the rules leave it, with the passages that a judge should read for it."""

    checked: CheckedStatement
    hits: tuple[Hit, ...] = ()


@dataclass
class StatementChecker:
    """Checks the statements of one text; what they share is read once."""

    workspace: Workspace
    filters: Filters
    mode: SearchMode | None
    sources: dict[str, Source]
    progress: Progress = lambda _step: None
    unjudged: int = 0
    """How many statements the judge should have decided on and did not."""
    _materials: dict[str, ParsedEvidence] = field(default_factory=dict)
    _resolved: dict[str, str | None] = field(default_factory=dict)

    def check(
        self, statement: DocumentStatement, topic: str | None, document_language: str
    ) -> RuledStatement:
        """The statement by the rules: its cited sources first, then all, ``topic``'s before others."""
        references = tuple(map(self._resolve, statement.references))
        statement = replace(statement, references=references)
        language = detect_statement_language(statement.text, document_language)
        cited = list_cited(statement)
        matches = self._match(statement, language, cited) if cited else []
        if not any(_is_exact(match) for match in matches):
            matches += self._match(statement, language, (), known=matches)
            matches.sort(key=lambda match: match.hit.source.path not in (*cited, topic))
        exact = [match for match in matches if _is_exact(match)]
        if exact and self._is_ambiguous(statement, language, matches, topic):
            return self._leave_open(statement, language, matches, Message("claim-several-rows"))
        if exact:
            return RuledStatement(self._build_exact(statement, language, matches, exact))
        against = [match for match in matches if match.finding.verdict == "contradicted"]
        if against:
            best = max(against, key=lambda match: match.finding.nearness)
            check = _build_check(statement, "contradicted", best.finding)
            hits = dict.fromkeys(match.hit for match in (best, *matches))
            return RuledStatement(CheckedStatement(statement, check, best.hit), (*hits,)[:SHOWN])
        return self._leave_open(statement, language, matches)

    @cached_property
    def names(self) -> dict[str, str]:
        """What the text may call a source, with its path."""
        return build_source_names(self.sources.values())

    @cached_property
    def judge(self) -> LlmJudge | None:
        """The judge of what the rules leave open, if a model is named: nobody writes here."""
        named = self.workspace.config.validation.verifier != "same"
        return open_judge(self.workspace) if named else None

    def judge_open(self, ruled: Sequence[RuledStatement]) -> list[CheckedStatement]:
        """The statements with the judge's verdicts on those that the rules leave open.

        It reads those that a passage contradicts too: where it accepts one, the reason says both.
        """
        settled = [one.checked for one in ruled]
        doubtful = {number: one.hits for number, one in enumerate(ruled) if one.hits}
        if self.judge is None or not doubtful:
            return settled
        statements = [
            DoubtfulStatement(
                settled[number].claimed.text,
                tuple(Evidence(hit.chunk.id, hit) for hit in hits),
                cited=0,
                before=settled[number].claimed.subject,
                computed=bool(settled[number].check.computed),
                contradiction=_get_contradiction(settled[number].check),
            )
            for number, hits in doubtful.items()
        ]
        shown = {hit.chunk.id: hit for hits in doubtful.values() for hit in hits}
        judged = list(self._judge(self.judge, statements))
        self.unjudged = judged.count(None)
        for number, judgement in zip(doubtful, judged, strict=True):
            if judgement is not None:
                settled[number] = self._settle(settled[number], judgement, shown)
        return settled

    def _judge(
        self, judge: LlmJudge, statements: Sequence[DoubtfulStatement]
    ) -> Iterator[Judgement | None]:
        total = len(statements)
        for start in range(0, total, _JUDGED_AT_ONCE):
            self.progress(Step("judge", start, total, "statements"))
            yield from judge.judge(statements[start : start + _JUDGED_AT_ONCE])
        self.progress(Step("judge", total, total, "statements"))

    def read(self, evidence: Evidence) -> ParsedEvidence:
        """The parsed passage, parsed once for the whole text."""
        chunk = evidence.hit.chunk.id
        if chunk not in self._materials:
            self._materials[chunk] = parse_evidence(evidence)
        return self._materials[chunk]

    def _match(
        self,
        statement: DocumentStatement,
        language: str,
        only: tuple[str, ...],
        known: Sequence[Match] = (),
    ) -> list[Match]:
        """What each passage found in all sources, or in ``only`` some, says of the statement."""
        seen = {match.hit.chunk.id for match in known}
        hits = (hit for hit in self._find_hits(statement, only) if hit.chunk.id not in seen)
        return [Match(hit, self._verify(statement, language, hit)) for hit in hits]

    def _is_ambiguous(
        self,
        statement: DocumentStatement,
        language: str,
        matches: Sequence[Match],
        topic: str | None,
    ) -> bool:
        """Whether rows of other passages could be meant as well: parts lists all have an item A1.

        Those of the source that the text is about come before others; superseded ones do not count.
        """
        near = [match for match in matches if match.hit.source.path == topic]
        if not any(map(_is_exact, near)):
            near = [m for m in matches if _is_exact(m) or m.hit.fit.reason is None]
        evidence = [Evidence(match.hit.chunk.id, match.hit) for match in near]
        known = next(_choose_language(language, m.hit) for m in near if _is_exact(m))
        return verify_statement(statement.text, evidence, known).verdict != "exact"

    def _find_hits(self, statement: DocumentStatement, only: tuple[str, ...]) -> tuple[Hit, ...]:
        short = len(statement.text.split()) < _SHORT_STATEMENT or _is_anaphoric(statement.text)
        query = f"{statement.subject} {statement.text}" if short else statement.text
        filters = replace(self.filters, sources=only) if only else self.filters
        asked = query[:_MAX_QUERY_LENGTH]
        return search(self.workspace, asked, filters=filters, mode=self.mode, top_k=MAX_HITS).hits

    def _verify(self, statement: DocumentStatement, language: str, hit: Hit) -> Finding:
        known = _choose_language(language, hit)
        return verify_statement(statement.text, [Evidence(hit.chunk.id, hit)], known)

    def _build_exact(
        self,
        statement: DocumentStatement,
        language: str,
        matches: Sequence[Match],
        exact: Sequence[Match],
    ) -> CheckedStatement:
        """The statement as a source says it; misattributed if that is not where it says so."""
        cited = list_cited(statement)
        own = [match for match in exact if match.hit.source.path in cited]
        placed = self._find_on_page(statement, language, matches, own) if own else None
        found = placed or (own or exact)[0]
        source = found.hit.source
        check = _build_check(statement, "exact", found.finding, (source.path,))
        reason = None
        if cited and not own:
            reason = Message("verify-other-source", cited=cited, found=(source.path,))
        elif own and placed is None:
            pages = _list_cited_pages(statement, source)
            names = [first if first == last else f"{first}–{last}" for first, last in pages]
            where = format_page(check.quotes[0])
            reason = Message("verify-other-page", cited=names, found=where)
        if reason is not None:
            check = replace(check, verdict="misattributed", reason=reason)
        return CheckedStatement(statement, check, found.hit)

    def _find_on_page(
        self,
        statement: DocumentStatement,
        language: str,
        matches: Sequence[Match],
        own: Sequence[Match],
    ) -> Match | None:
        """The exact match on a page that the statement cites; any, if it cites none."""
        for match in own:
            source = match.hit.source
            pages = _list_cited_pages(statement, source)
            quotes = match.finding.quotes
            if not pages or any(has_cited_page(pages, quote, source.pages) for quote in quotes):
                return match
        for match in matches:
            source = match.hit.source
            pages = _list_cited_pages(statement, source)
            # The source may say it twice.
            part = _cut_to_pages(match.hit, pages) if pages else None
            if part is not None:
                finding = self._verify(statement, language, part)
                if finding.verdict == "exact":
                    return Match(match.hit, finding)
        return None

    def _leave_open(
        self,
        statement: DocumentStatement,
        language: str,
        matches: Sequence[Match],
        reason: Message | None = None,
    ) -> RuledStatement:
        """A statement for a reader or a judge, with the passages that come nearest."""
        cited = list_cited(statement)
        if not matches:
            reason = Message("verify-no-passage")
            check = ClaimCheck(statement.text, "unclear", 0.0, reason, cited)
            return RuledStatement(CheckedStatement(statement, check))
        nearest = choose_excerpts(
            statement.text,
            [Evidence(match.hit.chunk.id, match.hit) for match in matches],
            limit=SHOWN,
            read=self._choose_reading(statement, language, matches[0].hit),
        )
        first = nearest[0].evidence.id if nearest else ""
        best = max(matches, key=lambda m: (m.hit.chunk.id == first, m.finding.nearness))
        check = _build_check(statement, "unclear", best.finding)
        check = replace(check, reason=reason or check.reason)
        computed = self._find_computed(statement, language, matches)
        absent = None if computed else self._find_absent(check, language)
        if computed:
            reason = Message("claim-computed", formulas=(computed,))
            check = replace(check, reason=reason, computed=(computed,))
        elif absent:
            check = replace(check, reason=Message("verify-value-nowhere", value=absent))
        shown = dict.fromkeys([*(one.evidence.hit for one in nearest), best.hit])
        return RuledStatement(CheckedStatement(statement, check, best.hit, nearest), (*shown,))

    def _choose_reading(
        self, statement: DocumentStatement, language: str, hit: Hit
    ) -> ReadTogether | None:
        """The built-in model where no words can be compared: it takes a second of a processor."""
        if hit.chunk.language in (language, "und"):
            return None
        return partial(self.workspace.late_interaction.score_parts, statement.text)

    def _find_computed(
        self, statement: DocumentStatement, language: str, matches: Sequence[Match]
    ) -> str | None:
        """How a value that no passage has follows from two cells that the statement names."""
        line = parse_line(statement.text, language)
        materials = [self.read(Evidence(match.hit.chunk.id, match.hit)) for match in matches]
        absent = find_absent_figure(line, collect_figures(materials))
        if absent is None:
            return None
        found = (compute_from_cells(absent, line, material) for material in materials)
        return next((one.formula for one in found if one and one.certain), None)

    def _find_absent(self, check: ClaimCheck, language: str) -> str | None:
        """A value of the statement that the nearest passage lacks, and that is in no source at all."""
        for words in check.missing:
            values = [q for q in find_quantities(words, language) if q.kind == "number"]
            if len(values) == 1 and self._is_nowhere(values[0], language):
                return words
        return None

    def _is_nowhere(self, value: Quantity, language: str) -> bool:
        digits = value.text.replace(",", "").replace(".", "")
        forms = {value.text, digits, f"{max(value.bare, default=0):g}"}
        forms |= {f"{number:,g}".replace(",", mark) for number in value.bare for mark in ",. "}
        terms = {term for form in forms for term in analyse(form, language) if _has_digit(term)}
        store = self.workspace.store
        hits = store.search_text(sorted(terms), _MOST_READ, self.filters) if terms else []
        if len(hits) >= _MOST_READ:
            return False
        chunks = store.get_chunks([hit.chunk_id for hit in hits])
        found = (q for chunk in chunks for q in find_quantities(chunk.text, chunk.language))
        return not any(is_same_quantity(value, other) for other in found)

    def _settle(
        self, item: CheckedStatement, judgement: Judgement, shown: dict[str, Hit]
    ) -> CheckedStatement:
        # The judge reads all passages together, and may quote that of another statement.
        quoted = dict.fromkeys(quote.evidence_id for quote in judgement.quotes)
        carrying = [shown[chunk] for chunk in quoted]
        check = apply_judgement(item.check, judgement)
        if judgement.verdict != "supported" or judgement.objection or not carrying:
            return replace(item, check=check)
        if self._lacks_figure(item, carrying):
            return item
        path = carrying[0].source.path
        check = replace(check, carried_by=(path,))
        if check.citations and path not in check.citations:
            reason = Message("verify-other-source", cited=check.citations, found=(path,))
            check = replace(check, verdict="misattributed", reason=reason)
        return replace(item, check=check, hit=carrying[0], nearest=())

    def _lacks_figure(self, item: CheckedStatement, hits: Sequence[Hit]) -> bool:
        """Whether it has a number that the passages lack: no judge may accept that."""
        materials = [self.read(Evidence(hit.chunk.id, hit)) for hit in hits]
        line = parse_line(item.claimed.text, materials[0].language)
        absent = find_absent_figure(line, collect_figures(materials))
        return absent is not None and not item.check.computed

    def _resolve(self, reference: Reference) -> Reference:
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


def list_cited(statement: DocumentStatement) -> tuple[str, ...]:
    """The paths of the sources that a statement cites, once each."""
    return tuple(dict.fromkeys(ref.source for ref in statement.references if ref.source))


def detect_statement_language(text: str, document: str) -> str:
    """A statement's own language if it is long enough to detect, else its document's."""
    language = detect_query_language(text) if len(text.split()) >= _MIN_DETECTABLE_WORDS else "und"
    return document if language == "und" else language


def _choose_language(language: str, hit: Hit) -> str:
    """A statement's language; that of the passage where it is too short to say."""
    return hit.chunk.language if language == "und" else language


def _build_check(
    statement: DocumentStatement,
    verdict: ClaimVerdict,
    finding: Finding,
    carried_by: tuple[str, ...] = (),
) -> ClaimCheck:
    return ClaimCheck(
        sentence=statement.text,
        verdict=verdict,
        score=finding.nearness,
        reason=finding.reason,
        citations=list_cited(statement),
        carried_by=carried_by,
        quotes=finding.quotes,
        differs=finding.differs,
        shared=finding.shared,
        missing=finding.missing,
    )


def _get_contradiction(check: ClaimCheck) -> Message | None:
    return check.reason if check.verdict == "contradicted" else None


def _is_exact(match: Match) -> bool:
    return match.finding.verdict == "exact"


def _is_anaphoric(text: str) -> bool:
    """True for a sentence that refers back with its first word."""
    first = fold(text).split(" ", 1)[0].strip(".,;:")
    return first in load_shared_lexicon().general.back_pronouns


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _list_cited_pages(statement: DocumentStatement, source: Source) -> list[tuple[str, str]]:
    cited = [ref.words for ref in statement.references if ref.source == source.path]
    return [page for words in cited for page in find_cited_pages(words)]


def _cut_to_pages(hit: Hit, pages: Sequence[tuple[str, str]]) -> Hit | None:
    """The part of a passage that stands on some pages; None if none of it does."""
    chunk, count = hit.chunk, hit.source.pages
    blocks = tuple(block for block in chunk.blocks if has_cited_page(pages, block, count))
    if not blocks:
        return None
    start = max(chunk.start, min(block.start for block in blocks))
    end = min(chunk.end, max(block.end for block in blocks))
    text = chunk.text[start - chunk.start : end - chunk.start]
    return replace(hit, chunk=replace(chunk, start=start, end=end, text=text, blocks=blocks))
