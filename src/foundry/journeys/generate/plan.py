"""The plan of a draft: evidence, conflicts, prompt and budget of each section, and cached sections.

A plan is what ``--dry-run`` shows. It may call the models of HyDE and relevance scoring, never
the one that writes. A section of an earlier run is reused only if everything that could change
it is the same: specification, passages, models, settings, prompts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from foundry import __version__
from foundry.analysis import detect_language
from foundry.craft.outline import SectionOutline, outline_sections
from foundry.craft.prompting import Prompt, SectionTask
from foundry.journeys.calibration import choose_gate_calibration, choose_verifier_calibration
from foundry.journeys.evidence import GatheredEvidence, gather_evidence
from foundry.journeys.search import require_query, search
from foundry.journeys.writing import build_similarity, cut_brief, fit_prompt, measure_budget
from foundry.ports import Progress, Step
from foundry.records import (
    Budget,
    Conflict,
    Evidence,
    Filters,
    Hit,
    SearchMode,
    SearchResult,
    Section,
    Specification,
    Usage,
    Verdict,
    deduplicate_conflicts,
)
from foundry.workspace import Workspace

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_CACHE_VERSION = 1


@dataclass(frozen=True, slots=True)
class DraftScope:
    """What all sections of a document share: what it is about, for whom, and where to look."""

    topic: str
    feature: Specification | None
    language: str
    filters: Filters | None
    mode: SearchMode | None


def compute_section_key(
    workspace: Workspace, scope: DraftScope, outline: SectionOutline, result: SearchResult
) -> str:
    """A hash of everything that decides the section's text."""
    config = workspace.config
    parts = {
        "form": _CACHE_VERSION,
        "version": __version__,
        "topic": scope.topic,
        "section": asdict(outline),
        "feature": scope.feature.content_hash if scope.feature else None,
        "language": scope.language,
        "mode": scope.mode,
        "filters": asdict(workspace.allowed(scope.filters)),
        "found": _describe_hits(workspace, result),
        "gate": result.gate.decision,
        "sources": _list_reachable(workspace),
        "brief": workspace.brief(),
        "models": config.models_in_use(),
        "settings": [
            getattr(config, part).model_dump(mode="json")
            for part in ("retrieval", "generation", "validation")
        ],
        "templates": asdict(workspace.templates),
        "constants": [
            asdict(choose_gate_calibration(workspace, result.mode)),
            asdict(choose_verifier_calibration(workspace)),
        ],
    }
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, default=str)
    return f"sec_{hashlib.sha256(text.encode()).hexdigest()}"


def _describe_hits(workspace: Workspace, result: SearchResult) -> list[tuple[str, ...]]:
    """The passages that may become evidence, and what a prompt says of their sources."""
    least = workspace.config.retrieval.min_score
    return [
        (
            hit.chunk.id,
            hit.source.content_hash,
            hit.source.title,
            hit.source.revision or "",
            hit.source.revision_date or "",
        )
        for hit in result.hits
        if hit.relevance >= least
    ]


def _list_reachable(workspace: Workspace) -> list[tuple[str, str]]:
    """A hypothetical answer may find any passage: with HyDE every source counts."""
    if workspace.hyde_model is None:
        return []
    return [(source.path, source.content_hash) for source in workspace.store.list_sources()]


def find_cached_section(workspace: Workspace, key: str) -> Section | None:
    """The section that was written from exactly this, marked as reused; None where there is none."""
    text = workspace.store.find_section(key)
    if text is None:
        return None
    try:
        section = _build_adapter().validate_json(text)
    except ValueError:
        # Written by a version with other records: it is written again.
        return None
    return replace(section, reused=True, usage=Usage())


def cache_section(workspace: Workspace, key: str, section: Section) -> None:
    """Keep a section for later runs; its search is made anew by each."""
    kept = replace(section, search=None)
    workspace.store.save_section(key, _build_adapter().dump_json(kept).decode())


@cache
def _build_adapter() -> TypeAdapter[Section]:
    # Built on first use: it costs some 50 ms.
    from pydantic import TypeAdapter

    return TypeAdapter(Section)


_VERDICT_ORDER: tuple[Verdict, ...] = ("no_evidence", "low_confidence", "answer")


@dataclass(frozen=True, slots=True)
class PlannedSection:
    """One section before it is written.

    ``earlier`` is what an earlier run wrote from exactly this. ``prompt`` is the one that a
    model gets (None without evidence), ``left_out`` the evidence that its window had no room for.
    """

    outline: SectionOutline
    gathered: GatheredEvidence
    key: str
    earlier: Section | None = None
    prompt: Prompt | None = None
    left_out: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftPlan:
    """A document before it is written; ``conflicts`` are shown before anything is generated."""

    topic: str
    language: str
    feature: Specification | None
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
        return deduplicate_conflicts(one for conflicts in found for one in conflicts)


def plan_draft(
    workspace: Workspace,
    topic: str,
    *,
    feature: Specification | None = None,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    fresh: bool = False,
    progress: Progress = lambda _step: None,
) -> DraftPlan:
    """Retrieve, judge and gather evidence for every section of the feature, or for the topic alone.

    ``fresh`` does not look for sections of earlier runs. Raises ``UsageError`` for an empty or
    overlong topic, ``IndexMissing``, and ``ConfigError`` where a prompt cannot fit the model's
    window.
    """
    topic = require_query(topic, "topic")
    outlines = _build_outlines(workspace, topic, feature)
    language = _choose_language(workspace, topic, feature)
    scope = DraftScope(topic, feature, language, filters, mode)
    found = [_search_section(workspace, outline, scope) for outline in outlines]
    keys = [
        compute_section_key(workspace, scope, *pair) for pair in zip(outlines, found, strict=True)
    ]
    earlier = [None] * len(keys) if fresh else _find_reusable(workspace, keys)
    planned = []
    for number, (outline, result) in enumerate(zip(outlines, found, strict=True)):
        progress(Step("search", number, len(outlines), "sections", outline.title))
        one = PlannedSection(outline, GatheredEvidence(result), keys[number], earlier[number])
        planned.append(one if one.earlier else _add_evidence(workspace, one, scope))
    progress(Step("search", len(outlines), len(outlines), "sections"))
    return DraftPlan(
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
        notices=_list_notices(workspace, planned),
    )


def _build_outlines(
    workspace: Workspace, topic: str, feature: Specification | None
) -> tuple[SectionOutline, ...]:
    if feature is None or not feature.sections:
        return (SectionOutline(topic),)
    return outline_sections(feature.sections, feature.text, topic, build_similarity(workspace))


def _choose_language(workspace: Workspace, topic: str, feature: Specification | None) -> str:
    """The configured language, else the specification's, else the topic's."""
    configured = workspace.config.generation.language
    if configured != "question":
        return configured
    return detect_language(feature.text if feature and feature.text.strip() else topic)


def _find_reusable(workspace: Workspace, keys: Sequence[str]) -> list[Section | None]:
    """What earlier runs wrote, for each section.

    The built-in writer shares sentences out among all sections, so that only a whole
    document of it can be taken over.
    """
    earlier = [find_cached_section(workspace, key) for key in keys]
    if workspace.generator is None and not all(earlier):
        return [None] * len(keys)
    return earlier


def _add_evidence(
    workspace: Workspace, planned: PlannedSection, scope: DraftScope
) -> PlannedSection:
    gathered = gather_evidence(
        workspace,
        planned.gathered.result,
        language=scope.language,
        filters=scope.filters,
        hierarchy=scope.feature.source_hierarchy if scope.feature else (),
    )
    if not gathered.evidence:
        return replace(planned, gathered=gathered)
    task = build_section_task(scope.topic, planned.outline, scope.feature, gathered)
    prompt, left_out = fit_prompt(
        workspace, workspace.generator, task, gathered.evidence, scope.language
    )
    return replace(planned, gathered=gathered, prompt=prompt, left_out=left_out)


def build_section_task(
    topic: str, outline: SectionOutline, feature: Specification | None, gathered: GatheredEvidence
) -> SectionTask:
    """What the writer is asked: the section, what it shall hold, and which contradictions are decided."""
    return SectionTask(
        topic=topic,
        section=outline.title,
        spec=feature.text.strip() if feature else "",
        wants=outline.wants,
        decided=tuple(one for one in gathered.conflicts if one.holds),
    )


def _search_section(
    workspace: Workspace, outline: SectionOutline, scope: DraftScope
) -> SearchResult:
    """The hits of all that the section asks for."""
    depth = workspace.config.retrieval.top_k
    if scope.feature is None:
        depth = max(depth, workspace.config.retrieval.max_context_chunks)

    def look(query: str) -> SearchResult:
        return search(workspace, query, filters=scope.filters, mode=scope.mode, top_k=depth)

    results = [look(query) for query in outline.queries]
    return replace(merge_results(results, depth), query=" ".join(outline.queries))


def _filter_open(results: Sequence[SearchResult]) -> list[SearchResult]:
    return [one for one in results if one.gate.decision != "no_evidence"]


def merge_results(results: Sequence[SearchResult], limit: int) -> SearchResult:
    """Several searches as one: the best gate decides, and each hit keeps its best relevance.

    Hits of a query whose gate is closed do not count beside one whose gate is open.
    """
    best = max(results, key=lambda one: (_VERDICT_ORDER.index(one.gate.decision), one.gate.score))
    if len(results) == 1:
        return best
    found: dict[str, Hit] = {}
    for result in _filter_open(results) or [best]:
        for hit in result.hits:
            known = found.get(hit.chunk.id)
            if known is None or hit.relevance > known.relevance:
                found[hit.chunk.id] = hit
    hits = sorted(found.values(), key=lambda hit: (-hit.relevance, -hit.fused))
    notices = dict.fromkeys(notice for one in results for notice in one.notices)
    return replace(
        best, hits=tuple(hits[:limit]), notices=tuple(notices), timings_ms=_sum_timings(results)
    )


def _sum_timings(results: Sequence[SearchResult]) -> dict[str, float]:
    total: dict[str, float] = {}
    for result in results:
        for name, value in result.timings_ms.items():
            total[name] = round(total.get(name, 0.0) + value, 2)
    return total


def _list_notices(workspace: Workspace, planned: Sequence[PlannedSection]) -> tuple[str, ...]:
    """What was said of every section alike, once; what concerns one stays with it."""
    cut = cut_brief(workspace)[1]
    said = [notice for one in planned for notice in one.gathered.result.notices]
    return tuple(dict.fromkeys([*([cut] if cut else []), *said]))


Announce = Callable[[DraftPlan], None]
"""Told of the plan before anything is written: conflicts and a tight budget are shown first."""
