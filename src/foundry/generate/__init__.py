"""A document: plan its sections, show what contradicts, write each section, ground, log.

Returns a ``Draft``; rendering it and writing the file are the caller's. A topic that
the sources do not cover gives a draft without sentences and the verdict
``no_evidence``; the model that writes is not called for a section without evidence.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from foundry.errors import FoundryError
from foundry.generate.planning import Announce, Plan, PlannedSection, plan_draft
from foundry.generate.reuse import keep_section
from foundry.generate.sections import compose_all, write_section
from foundry.journal import log_draft, log_failure
from foundry.models import map_calls
from foundry.ports import Generator, Progress, Step
from foundry.records import Draft, Feature, Filters, SearchMode, Section, Usage, Verdict
from foundry.workspace import Workspace
from foundry.writing import model_name

__all__ = ["Announce", "Plan", "PlannedSection", "generate", "plan_draft"]


def generate(
    workspace: Workspace,
    topic: str,
    *,
    feature: Feature | None = None,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    fresh: bool = False,
    progress: Progress = lambda _step: None,
    announce: Announce = lambda _plan: None,
) -> Draft:
    """Write the sections of a feature, or a draft on the topic alone, every sentence cited.

    A section that an earlier run wrote from exactly the same is taken over, unless
    ``fresh``. ``announce`` is told of the plan before anything is written. Raises like
    ``plan_draft``, and ``ModelError``; sections that are done by then are kept for the next run.
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
        sections = _write(workspace, plan, progress)
    except FoundryError as error:
        log_failure(workspace, "generate", topic, filters, error)
        raise
    draft = _draft(workspace, plan, sections)
    ended = time.perf_counter()
    timings = {"retrieval": planned - started, "generation": ended - planned}
    timings["total"] = ended - started
    draft = replace(
        draft, timings_ms={name: round(1000 * value, 2) for name, value in timings.items()}
    )
    log_draft(workspace, draft, filters)
    return draft


def _write(workspace: Workspace, plan: Plan, progress: Progress) -> tuple[Section, ...]:
    """Every section; a model writes several at a time, the built-in writer all together."""
    total = len(plan.sections)
    progress(Step("write", 0, total, "sections"))
    generator = workspace.generator
    if generator is None:
        sections = compose_all(workspace, plan)
        if plan.feature is not None:
            for planned, section in zip(plan.sections, sections, strict=True):
                _keep(workspace, planned, section)
        progress(Step("write", total, total, "sections"))
        return sections
    return _write_with_model(workspace, generator, plan, progress)


def _write_with_model(
    workspace: Workspace, generator: Generator, plan: Plan, progress: Progress
) -> tuple[Section, ...]:
    total = len(plan.sections)

    def write(planned: PlannedSection) -> Section:
        section = write_section(workspace, generator, plan, planned)
        _keep(workspace, planned, section)
        return section

    written: list[Section] = []
    try:
        for section in map_calls(write, plan.sections, workspace.config.models.max_concurrency):
            written.append(section)
            progress(Step("write", len(written), total, "sections", section.title))
    except FoundryError as error:
        error.fix = f"{error.fix} What was written by then is kept: run it again to go on.".strip()
        raise
    return tuple(written)


def _keep(workspace: Workspace, planned: PlannedSection, section: Section) -> None:
    """What was written; a section that a model left empty is tried again by the next run."""
    if not section.reused and (section.sentences or workspace.generator is None):
        keep_section(workspace, planned.key, section)


def _draft(workspace: Workspace, plan: Plan, sections: tuple[Section, ...]) -> Draft:
    checked = [(one.attribution_coverage, len(one.checks)) for one in sections]
    shown = [(one.shown_coverage, len(one.sentences)) for one in sections]
    return Draft(
        topic=plan.topic,
        language=plan.language,
        verdict=_verdict(sections),
        sections=sections,
        model=model_name(workspace.generator),
        mode=workspace.config.mode,
        attribution_coverage=_mean(checked),
        shown_coverage=_mean(shown),
        timings_ms={},
        usage=sum((one.usage for one in sections), Usage()),
        created=datetime.now(UTC),
        checks=tuple(check for one in sections for check in one.checks),
        changes=tuple(change for one in sections for change in one.changes),
        notices=(*plan.notices, *_section_notices(sections)),
        feature=plan.feature,
        budget=plan.budget,
        models=_models(workspace, plan),
    )


def _verdict(sections: Sequence[Section]) -> Verdict:
    """Empty sections say so themselves; a document is as sure as the weakest one that holds text."""
    filled = [one.verdict for one in sections if one.sentences]
    if not filled:
        return "no_evidence"
    return "low_confidence" if "low_confidence" in filled else "answer"


def _mean(parts: Sequence[tuple[float | None, int]]) -> float | None:
    """The coverage of all sentences together; None where there is nothing to count."""
    counted = [(value, size) for value, size in parts if value is not None and size]
    total = sum(size for _, size in counted)
    return sum(value * size for value, size in counted) / total if total else None


def _section_notices(sections: Sequence[Section]) -> tuple[str, ...]:
    """Each section's own with its title; what is said of several is said once, without one."""
    told = Counter(notice for one in sections for notice in dict.fromkeys(one.notices))
    alone = len(sections) == 1
    return tuple(
        dict.fromkeys(
            notice if alone or told[notice] > 1 else f"{one.title}: {notice}"
            for one in sections
            for notice in one.notices
        )
    )


def _models(workspace: Workspace, plan: Plan) -> dict[str, str]:
    models = {"embedding": workspace.config.embedding.model}
    for planned in plan.sections:
        models |= planned.gathered.models
    return {**models, "generator": model_name(workspace.generator)}
