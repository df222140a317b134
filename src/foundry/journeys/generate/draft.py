"""A draft: plan its sections, write and verify each, log the run.

Returns a ``Draft``; rendering it and writing the file are left to the caller. A section
without evidence costs no model call, and a topic without sources gives an empty draft with
the verdict ``no_evidence``.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from foundry.clock import get_now
from foundry.craft.conflicts.resolution import order_sources
from foundry.craft.quotations import Quotation, Quoter
from foundry.errors import FoundryError, StoreError
from foundry.journeys.generate.plan import (
    Announce,
    DraftPlan,
    PlannedSection,
    build_section_task,
    cache_section,
    plan_draft,
)
from foundry.journeys.generate.sections import (
    add_scopes,
    build_empty_section,
    build_quoted_section,
    build_section,
    list_asked,
    list_rivals,
)
from foundry.journeys.query_log import log_draft, log_failure
from foundry.journeys.writing import (
    model_name,
    write_with_model,
)
from foundry.messages import Message
from foundry.models import map_calls
from foundry.ports import Generator, Progress, Step, run_to_end
from foundry.records import (
    Draft,
    Filters,
    SearchMode,
    Section,
    Specification,
    Usage,
    Verdict,
    find_gaps,
)
from foundry.workspace import Workspace

_MOST_LINES = 40
"""Lines that a section quotes at most, unless an agent says how many. A guess: two pages."""


def generate(
    workspace: Workspace,
    topic: str,
    *,
    feature: Specification | None = None,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    fresh: bool = False,
    progress: Progress = lambda _step: None,
    announce: Announce = lambda _plan: None,
) -> Draft:
    """Write the sections of the agent or specification, else on the topic alone, every sentence cited.

    Reuses sections that an earlier run wrote from the same inputs, unless ``fresh``. Calls
    ``announce`` with the plan before anything is written. Raises like ``plan_draft``, and
    ``ModelError``; finished sections are then kept for the next run.
    """
    started = time.perf_counter()
    try:
        plan = plan_draft(
            workspace,
            topic,
            feature=feature,
            filters=filters,
            mode=mode,
            fresh=fresh,
            progress=progress,
        )
        planned = time.perf_counter()
        announce(plan)
        sections = add_scopes(workspace, plan, _write_sections(workspace, plan, progress))
    except FoundryError as error:
        log_failure(workspace, "generate", topic, error)
        raise
    draft = _build_draft(workspace, plan, sections)
    ended = time.perf_counter()
    timings = {"retrieval": planned - started, "generation": ended - planned}
    timings["total"] = ended - started
    draft = replace(
        draft, timings_ms={name: round(1000 * value, 2) for name, value in timings.items()}
    )
    unlogged = log_draft(workspace, draft)
    return replace(draft, notices=(*draft.notices, *unlogged))


def _write_sections(
    workspace: Workspace, plan: DraftPlan, progress: Progress
) -> tuple[Section, ...]:
    """Every section: a model writes several in parallel; without one all are quoted at once."""
    total = len(plan.sections)
    progress(Step("write", 0, total, "sections"))
    generator = workspace.generator
    if generator is None:
        sections = _quote_sections(workspace, plan)
        if plan.outlined:
            sections = tuple(map(partial(_cache_written, workspace), plan.sections, sections))
        progress(Step("write", total, total, "sections"))
        return sections
    return _write_with_model(workspace, generator, plan, progress)


def _write_with_model(
    workspace: Workspace, generator: Generator, plan: DraftPlan, progress: Progress
) -> tuple[Section, ...]:
    total = len(plan.sections)

    def write(planned: PlannedSection) -> Section:
        section = _write_section(workspace, generator, plan, planned)
        return _cache_written(workspace, planned, section)

    written: list[Section] = []
    try:
        for section in map_calls(write, plan.sections, workspace.config.models.max_concurrency):
            written.append(section)
            progress(Step("write", len(written), total, "sections", section.title))
    except FoundryError as error:
        error.advice += (Message("generate-sections-kept"),)
        raise
    return tuple(written)


def _cache_written(workspace: Workspace, planned: PlannedSection, section: Section) -> Section:
    """Cache a new section; one that a model left empty is tried again in the next run.

    The section comes back with a notice if it cannot be cached: it is written all the same.
    """
    if section.reused or not (section.sentences or workspace.generator is None):
        return section
    try:
        cache_section(workspace, planned.key, section)
    except StoreError as error:
        notice = Message("generate-section-not-cached", cause=error.problem)
        return replace(section, notices=(*section.notices, notice))
    return section


def _write_section(
    workspace: Workspace, generator: Generator, plan: DraftPlan, planned: PlannedSection
) -> Section:
    """A section by a model, every sentence verified and repaired as in an answer."""
    if planned.earlier is not None:
        return replace(planned.earlier, search=planned.gathered.result)
    if not planned.gathered.evidence:
        return build_empty_section(planned, generator.model)
    task = build_section_task(plan.topic, planned.outline, plan.feature, planned.gathered)
    evidence = planned.gathered.evidence
    written = run_to_end(write_with_model(workspace, generator, task, evidence, plan.language))
    return build_section(workspace, plan, planned, written)


def _quote_sections(workspace: Workspace, plan: DraftPlan) -> tuple[Section, ...]:
    """All sections by quotation; what is only near is quoted once."""
    earlier = [(planned.earlier, planned.gathered.result) for planned in plan.sections]
    if all(section for section, _ in earlier):
        return tuple(replace(section, search=result) for section, result in earlier if section)
    hierarchy = plan.feature.source_hierarchy if plan.feature else ()
    sources = workspace.store.list_sources()
    quoter = Quoter(
        workspace.late_interaction.score_parts,
        order_sources(plan.topic, sources, hierarchy),
        plan.topic,
        plan.narrow,
    )
    quoted = [_quote_section(workspace, plan, planned, quoter) for planned in plan.sections]
    # What only comes nearest is chosen last: a passage that another section has is not shown again.
    return tuple(
        _build_quoted(workspace, plan, planned, quoter, own)
        for planned, own in zip(plan.sections, quoted, strict=True)
    )


def _build_quoted(
    workspace: Workspace, plan: DraftPlan, planned: PlannedSection, quoter: Quoter, own: Quotation
) -> Section:
    evidence, outline = planned.gathered.evidence, planned.outline
    if not evidence:
        return build_empty_section(planned, model_name(None))
    if not own.named:
        asked = list_asked(workspace, plan, planned)
        own = quoter.quote_nearest(_name_asked(plan, planned), asked, evidence, outline.form)
    return build_quoted_section(workspace, plan, planned, own)


def _name_asked(plan: DraftPlan, planned: PlannedSection) -> str:
    """What stands before each thing asked where it is read with a passage."""
    outline = planned.outline
    if outline.subject is None and not plan.own:
        return plan.topic
    return outline.title if outline.subject is not None and plan.outlined else ""


def _quote_section(
    workspace: Workspace, plan: DraftPlan, planned: PlannedSection, quoter: Quoter
) -> Quotation:
    evidence, outline = planned.gathered.evidence, planned.outline
    if not evidence:
        return Quotation(())
    title = _name_asked(plan, planned)
    asked = list_asked(workspace, plan, planned)
    most = outline.max_sentences if outline.subject is None else _MOST_LINES
    rivals, wide = list_rivals(planned.gathered.conflicts), not plan.outlined
    return quoter.quote(title, asked, evidence, most, wide=wide, rivals=rivals, form=outline.form)


def _build_draft(workspace: Workspace, plan: DraftPlan, sections: tuple[Section, ...]) -> Draft:
    checked = [(section.attribution_coverage, len(section.checks)) for section in sections]
    shown = [(section.shown_coverage, len(section.sentences)) for section in sections]
    return Draft(
        topic=plan.topic,
        language=plan.language,
        verdict=_decide_draft_verdict(sections),
        sections=sections,
        model=model_name(workspace.generator),
        mode=workspace.config.mode,
        attribution_coverage=_compute_mean(checked),
        shown_coverage=_compute_mean(shown),
        timings_ms={},
        usage=sum((section.usage for section in sections), Usage()),
        created=get_now(),
        checks=tuple(check for section in sections for check in section.checks),
        changes=tuple(change for section in sections for change in section.changes),
        notices=(
            *plan.notices,
            *_merge_notices(sections),
            *find_gaps(sections),
            *_list_missing_files(workspace, sections),
        ),
        feature=plan.feature,
        agent=plan.agent,
        budget=plan.budget,
        models=_list_models(workspace, plan),
    )


def _decide_draft_verdict(sections: Sequence[Section]) -> Verdict:
    """The verdict of the weakest section that has text; empty sections do not count."""
    filled = [section.verdict for section in sections if section.sentences]
    if not filled:
        return "no_evidence"
    if "passages" in filled:
        return "passages"
    return "low_confidence" if "low_confidence" in filled else "answer"


def _compute_mean(parts: Sequence[tuple[float | None, int]]) -> float | None:
    """The mean coverage weighted by the number of sentences; None if there are none."""
    counted = [(value, size) for value, size in parts if value is not None and size]
    total = sum(size for _, size in counted)
    return sum(value * size for value, size in counted) / total if total else None


def _merge_notices(sections: Sequence[Section]) -> tuple[Message, ...]:
    """The sections' notices with their titles; one that several share appears once, without."""
    counts = Counter(notice for section in sections for notice in dict.fromkeys(section.notices))
    alone = len(sections) == 1
    return tuple(
        dict.fromkeys(
            notice
            if alone or counts[notice] > 1
            else Message("generate-notice", section=section.title, notice=notice)
            for section in sections
            for notice in section.notices
        )
    )


def _list_missing_files(workspace: Workspace, sections: Sequence[Section]) -> tuple[Message, ...]:
    """A notice for each cited source without its file."""
    cited = (source.evidence.hit.source.path for part in sections for source in part.sources)
    missing = sorted(workspace.find_missing_files(cited))
    return tuple(Message("generate-source-gone", path=path) for path in missing)


def _list_models(workspace: Workspace, plan: DraftPlan) -> dict[str, str]:
    models = {"embedding": workspace.config.embedding.model}
    for planned in plan.sections:
        models |= planned.gathered.models
    if workspace.verifier is not None:
        models["verifier"] = workspace.verifier.model
    return {**models, "generator": model_name(workspace.generator)}
