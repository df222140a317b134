"""One enrichment run: find what is missing, ask for consent, write it, apply it to the sources.

Text and search index are saved by then, with built-in prefixes and summaries. The caller is
asked before more is sent than the configuration allows. Reads no files and embeds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from foundry.journeys.enrichment.cache import (
    PARTIAL,
    compute_enrichment_recipe,
    find_prefix,
    find_summary,
    is_current_fallback,
    is_enriched,
    join_recipes,
)
from foundry.journeys.enrichment.writers import (
    BudgetedModel,
    PrefixBatch,
    SummaryLimits,
    count_marked_tokens,
    cut_batches,
    estimate_prefixes,
    estimate_summaries,
    find_limits,
    find_request_budget,
    write_prefixes,
    write_summaries,
)
from foundry.messages import Message
from foundry.models import estimate_cost
from foundry.ports import Generator, Progress, Step
from foundry.records import Document, EnrichmentReport, Estimate, Source, Summary
from foundry.workspace import Workspace

Confirm = Callable[[Estimate], bool]
"""Asked before a run sends more than ``models.confirm_tokens`` or ``confirm_cost``."""


def refuse(_: Estimate) -> bool:
    """Decline, for callers without anyone to ask."""
    return False


@dataclass
class _EnrichmentPlan:
    """What is missing: batches of chunks without a prefix, sources without a summary."""

    batches: list[PrefixBatch] = field(default_factory=list)
    prefixes: int = 0
    summaries: list[Source] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)


@dataclass
class _EnrichmentModels:
    """The models of one run; None where the built-in fallback is configured."""

    workspace: Workspace
    context: BudgetedModel | None
    summary: BudgetedModel | None

    @cached_property
    def limits(self) -> SummaryLimits | None:
        return find_limits(self.workspace, self.summary) if self.summary else None

    @property
    def active(self) -> list[BudgetedModel]:
        return [model for model in (self.context, self.summary) if model]


def require_models(workspace: Workspace) -> None:
    """Raise before any work if a configured model cannot be called."""
    _ = workspace.context_model, workspace.summary_model


def enrich(
    workspace: Workspace,
    confirm: Confirm = refuse,
    progress: Progress = lambda _step: None,
    only: Collection[str] | None = None,
) -> EnrichmentReport | None:
    """Write the missing prefixes and summaries and apply all that are known to their sources.

    ``only`` limits it to the sources with those ids. Returns None if no language model is configured for either. A model that fails is a
    notice, and the next run asks it again.
    """
    recipe = compute_enrichment_recipe(workspace)
    store = workspace.store
    found = store.list_sources() if only is None else store.get_sources(only).values()
    sources = [source for source in found if not is_enriched(source, recipe)]
    writers = _EnrichmentModels(
        workspace, _open_model(workspace.context_model), _open_model(workspace.summary_model)
    )
    plan = _plan_enrichment(workspace, writers, sources, progress)
    estimate = _estimate_cost(workspace, writers, plan)
    allowed = not _exceeds_limits(workspace, estimate) or confirm(estimate)
    prefixes = summaries = 0
    if allowed and writers.context:
        prefixes = write_prefixes(workspace, writers.context, plan.batches, progress)
    if allowed and writers.summary and writers.limits:
        summaries = write_summaries(
            workspace, writers.summary, plan.summaries, writers.limits, progress
        )
    for number, source in enumerate(sources, 1):
        _apply_known(workspace, source, recipe)
        progress(Step("settle", number, len(sources), "sources", source.path))
    if not writers.active:
        return None
    report = EnrichmentReport(
        estimate=estimate,
        allowed=allowed,
        prefixes=prefixes,
        prefixes_missing=plan.prefixes - prefixes,
        summaries=summaries,
        summaries_missing=len(plan.summaries) - summaries,
    )
    usage = sum((model.usage for model in writers.active), report.usage)
    return replace(report, usage=usage, notices=_list_notices(workspace, writers, report))


def _exceeds_limits(workspace: Workspace, estimate: Estimate) -> bool:
    limits = workspace.config.models
    is_costly = estimate.cost is not None and estimate.cost > limits.confirm_cost
    return estimate.tokens > limits.confirm_tokens or is_costly


def _open_model(generator: Generator | None) -> BudgetedModel | None:
    return BudgetedModel(generator) if generator else None


def _plan_enrichment(
    workspace: Workspace, writers: _EnrichmentModels, sources: Sequence[Source], progress: Progress
) -> _EnrichmentPlan:
    plan = _EnrichmentPlan()
    room = find_request_budget(workspace, writers.context) if writers.context else None
    for number, source in enumerate(sources if writers.active else (), 1):
        chunks = workspace.store.source_chunks(source.id)
        missing = {c.id for c in chunks if find_prefix(workspace, source, c) is None}
        plan.prefixes += len(missing)
        if missing and room:
            plan.batches += cut_batches(source, chunks, missing, room)
        if _find_wanted_summary(workspace, source) is None:
            plan.summaries.append(source)
            text = workspace.store.source_text(source.id)
            plan.tokens.append(count_marked_tokens(text, workspace.count_tokens))
        progress(Step("plan", number, len(sources), "sources", source.path))
    for model, fits in ((writers.context, room), (writers.summary, writers.limits)):
        if model and fits is None:
            model.stopped = Message("enrich-window", tokens=model.generator.window())
    return plan


def _estimate_cost(
    workspace: Workspace, writers: _EnrichmentModels, plan: _EnrichmentPlan
) -> Estimate:
    parts = [(writers.context, estimate_prefixes(plan.batches))]
    if writers.limits:
        parts.append((writers.summary, estimate_summaries(plan.tokens, writers.limits)))
    whole = Estimate()
    for writer, part in parts:
        if writer is None or not part.calls:
            continue
        model = writer.generator.model
        cost = estimate_cost(model, part.prompt_tokens, part.completion_tokens, workspace.settings)
        whole = Estimate(
            whole.calls + part.calls,
            whole.prompt_tokens + part.prompt_tokens,
            whole.completion_tokens + part.completion_tokens,
            None if cost is None or whole.cost is None else whole.cost + cost,
            tuple(dict.fromkeys([*whole.models, model])),
        )
    return whole


def _apply_known(workspace: Workspace, source: Source, recipe: str) -> None:
    """Store what is known of a source; what is not known keeps its earlier or built-in text."""
    store = workspace.maintenance()
    chunks = store.source_chunks(source.id)
    prefixes = [find_prefix(workspace, source, chunk) for chunk in chunks]
    changed = [
        replace(chunk, prefix=prefix)
        for chunk, prefix in zip(chunks, prefixes, strict=True)
        if prefix is not None and prefix != chunk.prefix
    ]
    summary = _find_wanted_summary(workspace, source)
    stored = store.summaries([source.id]).get(source.id)
    current = summary or stored
    if current and (changed or current != stored):
        store.save_annotations(current, changed)
    complete = summary is not None and None not in prefixes
    recipe = join_recipes(source.recipe, recipe if complete else PARTIAL)
    if recipe != source.recipe:
        store.update_source(replace(source, recipe=recipe))


def _find_wanted_summary(workspace: Workspace, source: Source) -> Summary | None:
    """The source's summary under the current configuration; None if it is not written yet."""
    store = workspace.store
    stored = store.summaries([source.id]).get(source.id)
    if stored and is_current_fallback(workspace, stored):
        return stored
    blocks = tuple(store.source_blocks(source.id))
    text = store.source_text(source.id)
    return find_summary(workspace, source, Document(text, blocks, source.type, source.title))


def _list_notices(
    workspace: Workspace, writers: _EnrichmentModels, report: EnrichmentReport
) -> tuple[Message, ...]:
    if report.complete:
        return ()
    config = workspace.config
    missing = [
        (
            "enrich-prefixes-missing",
            report.prefixes_missing,
            config.embedding.context_model,
            writers.context,
        ),
        (
            "enrich-summaries-missing",
            report.summaries_missing,
            config.ingest.summary_model,
            writers.summary,
        ),
    ]
    declined = () if report.allowed else (_explain_declined(report.estimate),)
    return tuple(
        Message(code, n=number, model=model, reasons=declined or writer.reasons)
        for code, number, model, writer in missing
        if number and writer
    )


def _explain_declined(estimate: Estimate) -> Message:
    cost = None if estimate.cost is None else Message("enrich-declined-cost", cost=estimate.cost)
    return Message("enrich-declined", tokens=estimate.tokens, cost=cost)
