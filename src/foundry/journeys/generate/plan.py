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
from foundry.analysis import UNKNOWN, detect_language, detect_query_language
from foundry.craft.outline import SectionOutline, outline_sections
from foundry.craft.prompting import Prompt, SectionTask
from foundry.craft.quotations import find_continuations
from foundry.journeys.calibration import choose_gate_calibration
from foundry.journeys.evidence import GatheredEvidence, gather_evidence
from foundry.journeys.generate.section_search import (
    MOST_QUOTED_FROM,
    DraftScope,
    drop_topic_lines,
    find_subject,
    judge_topic,
    merge_searches,
    search_items,
    search_section,
)
from foundry.journeys.question import require_query
from foundry.journeys.writing import cut_brief, fit_prompt, measure_budget
from foundry.messages import Message
from foundry.ports import Progress, Similarity, Step
from foundry.records import (
    Agent,
    Budget,
    Conflict,
    Evidence,
    Filters,
    SearchMode,
    SearchResult,
    Section,
    Specification,
    Usage,
    deduplicate_conflicts,
)
from foundry.workspace import Workspace

if TYPE_CHECKING:
    from pydantic import TypeAdapter


from foundry.ports import Vectors

_CACHE_VERSION = 3

TOPIC = "{topic}"
"""In what an agent asks: the topic of the document."""

Announce = Callable[["DraftPlan"], None]
"""Called with the plan before anything is written, to show conflicts and a tight budget."""


@dataclass(frozen=True, slots=True)
class PlannedSection:
    """A section before it is written.

    ``earlier`` is the cached section of an earlier run. ``searched`` has the result of each of the
    outline's queries, or without a model of each of its items. ``prompt`` is the model's (None
    without evidence), ``left_out`` the evidence that did not fit into its window.
    """

    outline: SectionOutline
    gathered: GatheredEvidence
    key: str
    searched: tuple[SearchResult, ...] = ()
    earlier: Section | None = None
    prompt: Prompt | None = None
    left_out: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftPlan:
    """A draft before it is written; ``conflicts`` are shown before anything is generated.

    ``refused`` if no source covers its topic; ``own`` if the whole project is about it, and
    ``narrow`` if it is about something else.
    """

    topic: str
    language: str
    feature: Specification | None
    sections: tuple[PlannedSection, ...]
    budget: Budget
    filters: Filters | None = None
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Message, ...] = ()
    agent: Agent | None = None
    refused: bool = False
    own: bool = False
    narrow: bool = False

    @property
    def outlined(self) -> bool:
        """Whether a specification or an agent says which sections there are."""
        return self.feature is not None or self.agent is not None

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The conflicts of all sections, without duplicates."""
        conflicts = (
            planned.earlier.conflicts if planned.earlier else planned.gathered.conflicts
            for planned in self.sections
        )
        return deduplicate_conflicts(conflict for part in conflicts for conflict in part)


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
    """Search and gather evidence for each section of the agent or the specification, else for the topic.

    ``fresh`` ignores sections of earlier runs. Raises ``UsageError`` for an empty or overlong
    topic, ``IndexMissing``, and ``ConfigError`` if a prompt cannot fit into the model's window.
    """
    topic = require_query(topic, "topic")
    outlines = _build_outlines(workspace, topic, feature)
    language = _choose_language(workspace, topic, feature)
    scope = DraftScope(topic, feature, language, filters, mode, agent=workspace.agent)
    scope = judge_topic(workspace, find_subject(workspace, scope, outlines))
    outlines = drop_topic_lines(scope, outlines)
    find = search_items if workspace.generator is None else search_section
    searched = [find(workspace, outline, scope) for outline in outlines]
    merged = [merge_searches(workspace, scope, results) for results in searched]
    outlines = _name_filled(outlines, merged)
    keys = [
        _compute_section_key(workspace, scope, *pair) for pair in zip(outlines, merged, strict=True)
    ]
    again = fresh or scope.refused is not None
    earlier = [None] * len(keys) if again else _find_reusable(workspace, keys)
    sections = []
    for number, outline in enumerate(outlines):
        progress(Step("search", number, len(outlines), "sections", outline.title))
        gathered = GatheredEvidence(merged[number])
        planned = PlannedSection(outline, gathered, keys[number], searched[number], earlier[number])
        sections.append(planned if planned.earlier else _add_evidence(workspace, planned, scope))
    progress(Step("search", len(outlines), len(outlines), "sections"))
    return DraftPlan(
        topic=topic,
        language=language,
        feature=feature,
        sections=tuple(sections),
        budget=measure_budget(
            workspace,
            feature.text.strip() if feature else "",
            [planned.prompt for planned in sections if planned.prompt],
        ),
        filters=filters,
        usage=sum((planned.gathered.usage for planned in sections), Usage()),
        notices=(*scope.notices, *_list_notices(workspace, sections)),
        agent=workspace.agent,
        refused=scope.refused is not None,
        own=scope.own,
        narrow=scope.narrow,
    )


def _build_outlines(
    workspace: Workspace, topic: str, feature: Specification | None
) -> tuple[SectionOutline, ...]:
    if workspace.agent is not None:
        return _outline_agent(workspace, workspace.agent, topic, feature)
    if feature is None or not feature.sections:
        return (SectionOutline(topic),)
    outlines = outline_sections(feature.sections, feature.text, topic, build_similarity(workspace))
    return tuple(replace(one, form=feature.forms.get(one.title)) for one in outlines)


def _name_filled(
    outlines: Sequence[SectionOutline], results: Sequence[SearchResult]
) -> tuple[SectionOutline, ...]:
    """The outlines with the titles of the document; a section without evidence takes none."""
    titles = tuple(
        outline.title
        for outline, result in zip(outlines, results, strict=True)
        if result.gate.decision != "no_evidence"
    )
    return tuple(replace(outline, beside=titles) for outline in outlines)


def _outline_agent(
    workspace: Workspace, agent: Agent, topic: str, feature: Specification | None
) -> tuple[SectionOutline, ...]:
    """The sections of an agent, each with the lines of the specification that concern it."""
    text = feature.text if feature else ""
    titles = [section.title for section in agent.sections]
    added = outline_sections(titles, text, topic, build_similarity(workspace) if text else None)
    return tuple(
        SectionOutline(
            section.title,
            (*(line.replace(TOPIC, topic) for line in section.ask), *more.wants),
            subject=None,
            max_sentences=section.max_sentences,
            needs=section.needs,
            form=section.form,
        )
        for section, more in zip(agent.sections, added, strict=True)
    )


def _choose_language(workspace: Workspace, topic: str, feature: Specification | None) -> str:
    """The configured language, else the specification's, the topic's or the agent's."""
    configured = workspace.config.generation.language
    if configured != "question":
        return configured
    if feature and feature.text.strip():
        return detect_language(feature.text)
    agent = workspace.agent
    if agent is None:
        return detect_language(topic)
    found = detect_query_language(topic)
    # Foundry's own agents are read in the language of the topic.
    return detect_language(agent.text) if found == UNKNOWN or not agent.path else found


def _find_reusable(workspace: Workspace, keys: Sequence[str]) -> list[Section | None]:
    """The cached section of each key.

    The built-in writer distributes sentences over all sections, so it reuses all or none.
    """
    earlier = [_find_cached_section(workspace, key) for key in keys]
    if workspace.generator is None and not all(earlier):
        return [None] * len(keys)
    return earlier


def _add_evidence(
    workspace: Workspace, planned: PlannedSection, scope: DraftScope
) -> PlannedSection:
    gathered = gather_evidence(
        workspace,
        planned.gathered.result,
        asked=scope.describe_section(planned.outline),
        hierarchy=scope.feature.source_hierarchy if scope.feature else (),
        max_chunks=MOST_QUOTED_FROM if workspace.generator is None else None,
    )
    if not gathered.evidence:
        return replace(planned, gathered=gathered)
    if workspace.generator is None:
        gathered = _complete_parts(workspace, gathered)
    task = build_section_task(scope.topic, planned.outline, scope.feature, gathered)
    prompt, left_out = fit_prompt(
        workspace, workspace.generator, task, gathered.evidence, scope.language
    )
    return replace(planned, gathered=gathered, prompt=prompt, left_out=left_out)


def _complete_parts(workspace: Workspace, gathered: GatheredEvidence) -> GatheredEvidence:
    """With the chunks beside the evidence into which its lists, tables and paragraphs go on."""
    hits = {item.hit.source.id: item.hit for item in gathered.evidence}
    known = {item.hit.chunk.id for item in gathered.evidence}
    beside = [
        replace(hit, chunk=chunk, nearness=())
        for source_id, hit in hits.items()
        for chunk in find_continuations(workspace.store.source_chunks(source_id), known)
    ]
    first = len(gathered.evidence) + 1
    added = (Evidence(f"S{number}", hit) for number, hit in enumerate(beside, first))
    return replace(gathered, evidence=(*gathered.evidence, *added))


def build_section_task(
    topic: str,
    outline: SectionOutline,
    feature: Specification | None,
    gathered: GatheredEvidence,
) -> SectionTask:
    """What the writer is asked: the section, its wanted content, and its resolved conflicts."""
    return SectionTask(
        topic=topic,
        section=outline.title,
        max_sentences=outline.max_sentences,
        outline=outline.beside,
        spec=feature.text.strip() if feature else "",
        wants=outline.said,
        form=outline.form,
        decided=tuple(one for one in gathered.conflicts if one.holds),
    )


def _list_notices(workspace: Workspace, sections: Sequence[PlannedSection]) -> tuple[Message, ...]:
    """The notices of the brief and of all searches, each once."""
    cut = cut_brief(workspace)[1]
    notices = [
        notice
        for planned in sections
        for notice in planned.gathered.result.notices
        # How the words of an agent were read concerns nobody: the user did not type them.
        if workspace.agent is None or notice.code != "search-read-as"
    ]
    return tuple(dict.fromkeys([*filter(None, [cut]), *notices]))


def _compute_section_key(
    workspace: Workspace, scope: DraftScope, outline: SectionOutline, result: SearchResult
) -> str:
    """A hash of everything that can change the section's text."""
    config = workspace.config
    parts = {
        "form": _CACHE_VERSION,
        "version": __version__,
        "topic": scope.topic,
        "section": asdict(outline),
        "feature": scope.feature.content_hash if scope.feature else None,
        "persona": scope.agent.persona if scope.agent else None,
        "language": scope.language,
        "mode": scope.mode,
        "filters": asdict(scope.filters or Filters()),
        "found": _describe_hits(workspace, result),
        "gate": result.gate.decision,
        "refused": scope.refused is not None,
        "sources": _list_reachable(workspace),
        "brief": workspace.brief(),
        "models": config.models_in_use(),
        "settings": [
            getattr(config, part).model_dump(mode="json")
            for part in ("retrieval", "generation", "validation")
        ],
        "templates": asdict(workspace.templates),
        "constants": asdict(choose_gate_calibration(workspace, result.mode)),
    }
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, default=str)
    return f"sec_{hashlib.sha256(text.encode()).hexdigest()}"


def _describe_hits(workspace: Workspace, result: SearchResult) -> list[tuple[str, ...]]:
    """What decides the evidence, and what a prompt says about its sources."""
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
    """All sources if HyDE is on: a hypothetical answer may find any passage."""
    if workspace.hyde_model is None:
        return []
    return [(source.path, source.content_hash) for source in workspace.store.list_sources()]


def _find_cached_section(workspace: Workspace, key: str) -> Section | None:
    """The section cached under this key, marked as reused, or None."""
    text = workspace.store.find_section(key)
    if text is None:
        return None
    try:
        section = _build_adapter().validate_json(text)
    except ValueError:
        # Cached by another version of Foundry: write it again.
        return None
    return replace(section, reused=True, usage=Usage())


def cache_section(workspace: Workspace, key: str, section: Section) -> None:
    """Cache a section for later runs, without its search, which each run repeats."""
    adapter = _build_adapter()
    workspace.store.save_section(key, adapter.dump_json(replace(section, search=None)).decode())


@cache
def _build_adapter() -> TypeAdapter[Section]:
    # Built on first use: it takes about 50 ms.
    from pydantic import TypeAdapter

    return TypeAdapter(Section)


MAX_COMPARED = 40
"""Sentences embedded per comparison across languages, at about 20 ms each."""


def build_similarity(workspace: Workspace) -> Similarity:
    """Cosines of a sentence with others, by the project's embedding model, opened on first use.

    Compares at most ``MAX_COMPARED`` others per call and gives the rest 0. Embeds each of the
    others once, however often it is compared.
    """
    known: dict[str, Vectors] = {}

    def similar(sentence: str, others: Sequence[str]) -> Sequence[float]:
        if not others:
            return []
        compared = list(others)[:MAX_COMPARED]
        new = [text for text in dict.fromkeys(compared) if text not in known]
        if new:
            known.update(zip(new, workspace.embedder.embed_passages(new), strict=True))
        query = workspace.embedder.embed_query(sentence)
        cosines = [float(known[text] @ query) for text in compared]
        return [*cosines, *([0.0] * (len(others) - len(compared)))]

    return similar
