"""One statement of a text against the passages that a search finds for it, in its cited sources first.

The verdict is that of ``craft.grounding``, as in an answer; here the evidence is found and named, and
the passages are chosen that a reader or a judge reads where the rules leave a statement open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from foundry.analysis import analyse, fold
from foundry.analysis.lexer import has_digit
from foundry.craft.excerpts import ReadTogether, choose_excerpts
from foundry.craft.grounding import (
    ClaimRuling,
    EvidenceIndex,
    Finding,
    Judgement,
    Statement,
    apply_judgement,
    build_check,
    choose_language,
    rule_claim,
    verify_statement,
)
from foundry.craft.grounding.figures import find_absent_figure, find_figures
from foundry.journeys.search import search
from foundry.journeys.writing.llm_judge import MAX_BATCH, LlmJudge, build_doubt, open_judge
from foundry.lexicon import load_shared_lexicon
from foundry.messages import Message
from foundry.ports import Progress, Step
from foundry.records import (
    CheckedStatement,
    ClaimCheck,
    DocumentStatement,
    Evidence,
    Excerpt,
    Filters,
    Hit,
    Reference,
    SearchMode,
    Source,
)
from foundry.render.places import format_page
from foundry.text.lines import ParsedLine
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

_MOST_READ = 20
"""Passages that are read for a number; one that more may have is not called absent."""


@dataclass(frozen=True, slots=True)
class RuledStatement:
    """A statement as the rules leave it, with the passages that a judge should read for it.

    In ``check`` the passages are named by the ids of their chunks, in ``checked`` by their paths.
    """

    checked: CheckedStatement
    check: ClaimCheck
    language: str
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
    _resolved: dict[str, str | None] = field(default_factory=dict)

    def check(
        self, statement: DocumentStatement, topic: str | None, document_language: str
    ) -> RuledStatement:
        """The statement by the rules: its cited sources first, then all, ``topic``'s before others."""
        references = tuple(map(self._resolve, statement.references))
        statement = replace(statement, references=references)
        cited = list_cited(statement)
        hits = self._find_hits(statement, cited) if cited else ()
        ruling = self._rule(statement, hits, topic, document_language) if hits else None
        if ruling is None or ruling.check.verdict != "exact":
            found = {hit.chunk.id: hit for hit in (*hits, *self._find_hits(statement))}
            first = (*cited, topic)
            hits = tuple(sorted(found.values(), key=lambda hit: hit.source.path not in first))
            ruling = self._rule(statement, hits, topic, document_language)
        if ruling.check.carried_by:
            placed = self._place(statement, ruling, hits)
            return RuledStatement(placed, ruling.check, document_language)
        if ruling.check.verdict != "contradicted":
            return self._leave_open(statement, ruling, hits, document_language)
        against = ruling.check.quotes[0].evidence_id
        near = sorted(hits, key=lambda hit: hit.chunk.id != against)
        checked = _build_checked(statement, ruling.check, near[0])
        read = () if ruling.decided else (*near,)[:SHOWN]
        return RuledStatement(checked, ruling.check, document_language, read)

    def _rule(
        self, statement: DocumentStatement, hits: Sequence[Hit], topic: str | None, language: str
    ) -> ClaimRuling:
        cited = list_cited(statement)
        # A source that it cites and in which nothing is found is cited all the same.
        citations = [hit.chunk.id for hit in hits if hit.source.path in cited] or cited
        about = {hit.chunk.id for hit in hits if hit.source.path == topic}
        evidence = [Evidence(hit.chunk.id, hit) for hit in hits]
        index = EvidenceIndex(evidence, language, about=about, has=self._has)
        return rule_claim(Statement(statement.text, tuple(citations)), index)

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
        doubtful = [one for one in ruled if one.hits]
        if self.judge is None or not doubtful:
            return [one.checked for one in ruled]
        statements = [
            build_doubt(
                one.check,
                [Evidence(hit.chunk.id, hit) for hit in one.hits],
                one.language,
                one.checked.claimed.subject,
            )
            for one in doubtful
        ]
        judged: list[Judgement | None] = []
        for start in range(0, len(statements), MAX_BATCH):
            self.progress(Step("judge", start, len(statements), "statements"))
            judged += self.judge.judge(statements[start : start + MAX_BATCH])
        self.progress(Step("judge", len(statements), len(statements), "statements"))
        self.unjudged = judged.count(None)
        # The judge reads all passages together, and may quote that of another statement.
        shown = {hit.chunk.id: hit for one in doubtful for hit in one.hits}
        said = iter(judged)
        return [_settle(one, next(said), shown) if one.hits else one.checked for one in ruled]

    def _find_hits(
        self, statement: DocumentStatement, only: tuple[str, ...] = ()
    ) -> tuple[Hit, ...]:
        short = len(statement.text.split()) < _SHORT_STATEMENT or _is_anaphoric(statement.text)
        query = f"{statement.subject} {statement.text}" if short else statement.text
        filters = replace(self.filters, sources=only) if only else self.filters
        asked = query[:_MAX_QUERY_LENGTH]
        return search(self.workspace, asked, filters=filters, mode=self.mode, top_k=MAX_HITS).hits

    def _place(
        self, statement: DocumentStatement, ruling: ClaimRuling, hits: Sequence[Hit]
    ) -> CheckedStatement:
        """The statement as a source says it; misattributed if that is not where it says so."""
        known = {hit.chunk.id: hit for hit in hits}
        carrying = [known[id_] for id_ in ruling.check.carried_by]
        if ruling.check.verdict == "misattributed":
            return _build_checked(statement, ruling.check, carrying[0])
        placed = self._find_on_page(statement, ruling, hits, carrying)
        hit, finding = placed or (carrying[0], ruling.findings[carrying[0].chunk.id])
        check = replace(ruling.check, quotes=finding.quotes)
        if placed is None:
            names = [
                first if first == last else f"{first}–{last}"
                for first, last in _list_cited_pages(statement, hit.source)
            ]
            where = format_page(check.quotes[0])
            reason = Message("verify-other-page", cited=names, found=where)
            check = replace(check, verdict="misattributed", reason=reason)
        return _build_checked(statement, check, hit)

    def _find_on_page(
        self,
        statement: DocumentStatement,
        ruling: ClaimRuling,
        hits: Sequence[Hit],
        carrying: Sequence[Hit],
    ) -> tuple[Hit, Finding] | None:
        """A passage that says it on a page that the statement cites; any, if it cites none."""
        for hit in carrying:
            pages, finding = _list_cited_pages(statement, hit.source), ruling.findings[hit.chunk.id]
            if not pages or any(
                has_cited_page(pages, one, hit.source.pages) for one in finding.quotes
            ):
                return hit, finding
        for hit in hits:
            pages = _list_cited_pages(statement, hit.source)
            # The source may say it twice.
            part = _cut_to_pages(hit, pages) if pages else None
            if part is not None:
                evidence = Evidence(hit.chunk.id, part)
                language = choose_language(ruling.language, evidence)
                finding = verify_statement(statement.text, [evidence], language)
                if finding.verdict == "exact":
                    return hit, finding
        return None

    def _leave_open(
        self,
        statement: DocumentStatement,
        ruling: ClaimRuling,
        hits: Sequence[Hit],
        language: str,
    ) -> RuledStatement:
        """A statement for a reader or a judge, with the passages that come nearest."""
        check = ruling.check
        if not hits:
            check = replace(check, reason=Message("verify-no-passage"))
            return RuledStatement(_build_checked(statement, check), check, language)
        nearest = choose_excerpts(
            statement.text,
            [Evidence(hit.chunk.id, hit) for hit in hits],
            limit=SHOWN,
            read=self._choose_reading(statement, ruling.language, hits[0]),
        )
        first = nearest[0].evidence.id if nearest else ruling.nearest[0]
        best = next(hit for hit in hits if hit.chunk.id == first)
        plain = check.reason in [one.reason for one in ruling.findings.values()]
        own = build_check(
            Statement(statement.text, check.citations), check.verdict, ruling.findings[first]
        )
        check = replace(own, computed=check.computed, reason=own.reason if plain else check.reason)
        found = _build_checked(statement, check, best, nearest)
        shown = dict.fromkeys([*(one.evidence.hit for one in nearest), best])
        return RuledStatement(found, check, language, () if ruling.decided else (*shown,))

    def _choose_reading(
        self, statement: DocumentStatement, language: str, hit: Hit
    ) -> ReadTogether | None:
        """The built-in model where no words can be compared: it takes a second of a processor."""
        if hit.chunk.language in (language, "und"):
            return None
        return partial(self.workspace.late_interaction.score_parts, statement.text)

    def _has(self, number: ParsedLine) -> bool:
        """Whether any source has a number, or so many passages may that not all are read."""
        value = number.quantities[0]
        digits = value.text.replace(",", "").replace(".", "")
        forms = {value.text, digits, f"{max(value.bare, default=0):g}"}
        forms |= {f"{bare:,g}".replace(",", mark) for bare in value.bare for mark in ",. "}
        terms = {term for one in forms for term in analyse(one, number.language) if has_digit(term)}
        store = self.workspace.store
        hits = store.search_text(sorted(terms), _MOST_READ, self.filters) if terms else []
        chunks = store.get_chunks([hit.chunk_id for hit in hits])
        figures = frozenset[str]().union(*(find_figures(chunk.text) for chunk in chunks))
        return len(hits) >= _MOST_READ or find_absent_figure(number, figures) is None

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


def _settle(
    item: RuledStatement, judgement: Judgement | None, shown: Mapping[str, Hit]
) -> CheckedStatement:
    cited = list_cited(item.checked.claimed)
    own = [id_ for id_, hit in shown.items() if hit.source.path in cited]
    check = apply_judgement(replace(item.check, citations=(*own,) or cited), judgement)
    if check.carried_by:
        return _build_checked(item.checked.claimed, check, shown[check.carried_by[0]])
    return replace(item.checked, check=replace(check, citations=cited))


def _build_checked(
    statement: DocumentStatement,
    check: ClaimCheck,
    hit: Hit | None = None,
    nearest: tuple[Excerpt, ...] = (),
) -> CheckedStatement:
    """The statement with its check, in which paths name the passages; ``hit`` carries it or is nearest."""
    cited = list_cited(statement)
    carrying = (hit.source.path,) if hit and check.carried_by else ()
    check = replace(check, citations=cited, carried_by=carrying)
    if check.verdict == "misattributed" and not set(carrying) & set(cited):
        reason = Message("verify-other-source", cited=cited, found=carrying)
        check = replace(check, reason=reason)
    return CheckedStatement(statement, check, hit, nearest)


def _is_anaphoric(text: str) -> bool:
    """True for a sentence that refers back with its first word."""
    first = fold(text).split(" ", 1)[0].strip(".,;:")
    return first in load_shared_lexicon().general.back_pronouns


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
    text = chunk.cut(start, end)
    return replace(hit, chunk=replace(chunk, start=start, end=end, text=text, blocks=blocks))
