"""Before anything is written: for each section what was found, decided, left out, and what it will take.

A plan is what ``--dry-run`` shows. It may call the models of HyDE and relevance
scoring, for sections whose gate is open, and never the one that writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from foundry.analysis import detect_language
from foundry.craft.outline import SectionOutline, outline_sections
from foundry.craft.prompting import Prompt, SectionTask
from foundry.evidence import Gathered, gather_evidence
from foundry.generate.reuse import Scope, find_earlier, section_key
from foundry.ports import Progress, Step
from foundry.records import (
    Budget,
    Conflict,
    Evidence,
    Feature,
    Filters,
    Hit,
    SearchMode,
    SearchResult,
    Section,
    Usage,
    Verdict,
    each_once,
)
from foundry.search import require_query, search
from foundry.workspace import Workspace
from foundry.writing import compare_sentences, cut_brief, fit_prompt, measure_budget

_OPEN: tuple[Verdict, ...] = ("no_evidence", "low_confidence", "answer")


@dataclass(frozen=True, slots=True)
class PlannedSection:
    """One section before it is written.

    ``earlier`` is what an earlier run wrote from exactly this. ``prompt`` is the one that a
    model gets (None without evidence), ``left_out`` the evidence that its window had no room for.
    """

    outline: SectionOutline
    gathered: Gathered
    key: str
    earlier: Section | None = None
    prompt: Prompt | None = None
    left_out: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """A document before it is written; ``conflicts`` are shown before anything is generated."""

    topic: str
    language: str
    feature: Feature | None
    sections: tuple[PlannedSection, ...]
    budget: Budget
    filters: Filters | None = None
    usage: Usage = field(default_factory=Usage)
    notices: tuple[str, ...] = ()

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The conflicts of all sections, each once."""
        found = (
            planned.earlier.conflicts if planned.earlier else planned.gathered.conflicts
            for planned in self.sections
        )
        return each_once(one for conflicts in found for one in conflicts)


def plan_draft(
    workspace: Workspace,
    topic: str,
    *,
    feature: Feature | None = None,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    fresh: bool = False,
    progress: Progress = lambda _step: None,
) -> Plan:
    """Retrieve, judge and gather evidence for every section of the feature, or for the topic alone.

    ``fresh`` does not look for sections of earlier runs. Raises ``UsageError`` for an empty or
    overlong topic, ``IndexMissing``, and ``ConfigError`` where a prompt cannot fit the model's
    window.
    """
    topic = require_query(topic, "topic")
    outlines = _outlines(workspace, topic, feature)
    language = _language(workspace, topic, feature)
    scope = Scope(topic, feature, language, filters, mode)
    found = [_search_section(workspace, outline, scope) for outline in outlines]
    keys = [section_key(workspace, scope, *pair) for pair in zip(outlines, found, strict=True)]
    earlier = [None] * len(keys) if fresh else _find_earlier(workspace, keys)
    planned = []
    for number, (outline, result) in enumerate(zip(outlines, found, strict=True)):
        progress(Step("search", number, len(outlines), "sections", outline.title))
        one = PlannedSection(outline, Gathered(result), keys[number], earlier[number])
        planned.append(one if one.earlier else _with_evidence(workspace, one, scope))
    progress(Step("search", len(outlines), len(outlines), "sections"))
    return Plan(
        topic=topic,
        language=language,
        feature=feature,
        sections=tuple(planned),
        budget=measure_budget(
            workspace,
            feature.text.strip() if feature else "",
            [one.prompt for one in planned if one.prompt],
        ),
        filters=filters,
        usage=sum((one.gathered.usage for one in planned), Usage()),
        notices=_notices(workspace, planned),
    )


def _outlines(
    workspace: Workspace, topic: str, feature: Feature | None
) -> tuple[SectionOutline, ...]:
    if feature is None or not feature.sections:
        return (SectionOutline(topic),)
    return outline_sections(feature.sections, feature.text, topic, compare_sentences(workspace))


def _language(workspace: Workspace, topic: str, feature: Feature | None) -> str:
    """The configured language, else the specification's, else the topic's."""
    configured = workspace.config.generation.language
    if configured != "question":
        return configured
    return detect_language(feature.text if feature and feature.text.strip() else topic)


def _find_earlier(workspace: Workspace, keys: Sequence[str]) -> list[Section | None]:
    """What earlier runs wrote, for each section.

    The built-in writer shares sentences out among all sections, so that only a whole
    document of it can be taken over.
    """
    earlier = [find_earlier(workspace, key) for key in keys]
    if workspace.generator is None and not all(earlier):
        return [None] * len(keys)
    return earlier


def _with_evidence(workspace: Workspace, planned: PlannedSection, scope: Scope) -> PlannedSection:
    gathered = gather_evidence(
        workspace,
        planned.gathered.result,
        language=scope.language,
        filters=scope.filters,
        hierarchy=scope.feature.source_hierarchy if scope.feature else (),
    )
    if not gathered.evidence:
        return replace(planned, gathered=gathered)
    task = section_task(scope.topic, planned.outline, scope.feature, gathered)
    prompt, left_out = fit_prompt(
        workspace, workspace.generator, task, gathered.evidence, scope.language
    )
    return replace(planned, gathered=gathered, prompt=prompt, left_out=left_out)


def section_task(
    topic: str, outline: SectionOutline, feature: Feature | None, gathered: Gathered
) -> SectionTask:
    """What the writer is asked: the section, what it shall hold, and which contradictions are decided."""
    return SectionTask(
        topic=topic,
        section=outline.title,
        spec=feature.text.strip() if feature else "",
        wants=outline.wants,
        decided=tuple(one for one in gathered.conflicts if one.holds),
    )


def _search_section(workspace: Workspace, outline: SectionOutline, scope: Scope) -> SearchResult:
    """The hits of all that the section asks for."""
    depth = workspace.config.retrieval.top_k
    if scope.feature is None:
        depth = max(depth, workspace.config.retrieval.max_context_chunks)

    def look(query: str) -> SearchResult:
        return search(workspace, query, filters=scope.filters, mode=scope.mode, top_k=depth)

    results = [look(query) for query in outline.queries]
    return replace(merge_results(results, depth), query=" ".join(outline.queries))


def _opened(results: Sequence[SearchResult]) -> list[SearchResult]:
    return [one for one in results if one.gate.decision != "no_evidence"]


def merge_results(results: Sequence[SearchResult], limit: int) -> SearchResult:
    """Several searches as one: the best gate decides, and each hit keeps its best relevance.

    Hits of a query whose gate is closed do not count beside one whose gate is open.
    """
    best = max(results, key=lambda one: (_OPEN.index(one.gate.decision), one.gate.score))
    if len(results) == 1:
        return best
    found: dict[str, Hit] = {}
    for result in _opened(results) or [best]:
        for hit in result.hits:
            known = found.get(hit.chunk.id)
            if known is None or hit.relevance > known.relevance:
                found[hit.chunk.id] = hit
    hits = sorted(found.values(), key=lambda hit: (-hit.relevance, -hit.fused))
    notices = dict.fromkeys(notice for one in results for notice in one.notices)
    return replace(best, hits=tuple(hits[:limit]), notices=tuple(notices), timings_ms=_sum(results))


def _sum(results: Sequence[SearchResult]) -> dict[str, float]:
    total: dict[str, float] = {}
    for result in results:
        for name, value in result.timings_ms.items():
            total[name] = round(total.get(name, 0.0) + value, 2)
    return total


def _notices(workspace: Workspace, planned: Sequence[PlannedSection]) -> tuple[str, ...]:
    """What was said of every section alike, once; what concerns one stays with it."""
    cut = cut_brief(workspace)[1]
    said = [notice for one in planned for notice in one.gathered.result.notices]
    return tuple(dict.fromkeys([*([cut] if cut else []), *said]))


Announce = Callable[[Plan], None]
"""Told of the plan before anything is written: conflicts and a tight budget are shown first."""
