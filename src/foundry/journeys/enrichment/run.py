"""Context prefixes and summaries by language models (decisions D0004, D0008), after the text.

Text and its index are in the database by then, with the built-in prefixes and summary. What
the models write is kept request by request, so that a run that was cut short goes on, and is
put in place source by source before anything is embedded. Before more is sent than the
configuration allows, the caller is asked. Reads no file and embeds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from foundry.journeys.enrichment.budgeted_model import BudgetedModel
from foundry.journeys.enrichment.cache import (
    PARTIAL,
    compute_enrichment_recipe,
    find_prefix,
    find_summary,
    is_current_fallback,
    is_enriched,
    join_recipes,
)
from foundry.journeys.enrichment.prefixes import (
    PrefixBatch,
    cut_batches,
    estimate_prefixes,
    find_request_budget,
    write_prefixes,
)
from foundry.journeys.enrichment.summaries import (
    SummaryLimits,
    count_marked_tokens,
    estimate_summaries,
    find_limits,
    write_summaries,
)
from foundry.models import estimate_cost
from foundry.ports import Generator, Progress, Step
from foundry.records import Document, EnrichmentReport, Estimate, Source, Summary
from foundry.workspace import Workspace

Confirm = Callable[[Estimate], bool]
"""Asked before more is sent to models than ``models.confirm_tokens`` or ``confirm_cost``."""

_TOO_SMALL = "Its context window of {window:,} tokens is too small for this."


def refuse(_: Estimate) -> bool:
    """Nobody is there to be asked."""
    return False


@dataclass
class EnrichmentPlan:
    """What is missing: chunks without a prefix in batches, sources without a summary."""

    batches: list[PrefixBatch] = field(default_factory=list)
    prefixes: int = 0
    summaries: list[Source] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)


@dataclass
class _EnrichmentModels:
    """The models of one run, each None where a built-in stand-in does its step."""

    workspace: Workspace
    context: BudgetedModel | None
    summary: BudgetedModel | None

    @cached_property
    def limits(self) -> SummaryLimits | None:
        return find_limits(self.workspace, self.summary) if self.summary else None

    @property
    def both(self) -> list[BudgetedModel]:
        return [asker for asker in (self.context, self.summary) if asker]


def require_models(workspace: Workspace) -> None:
    """Raise before any work where a model that is configured here cannot be called."""
    _ = workspace.context_model, workspace.summary_model


def enrich(
    workspace: Workspace, confirm: Confirm = refuse, progress: Progress = lambda _step: None
) -> EnrichmentReport | None:
    """Write what is missing of prefixes and summaries, and put all that is known in place.

    Returns None where no language model has a part in it. A model that fails is a notice,
    and the next run asks it again for what is missing.
    """
    recipe = compute_enrichment_recipe(workspace)
    sources = [s for s in workspace.store.list_sources() if not is_enriched(s, recipe)]
    writers = _EnrichmentModels(
        workspace, _open_model(workspace.context_model), _open_model(workspace.summary_model)
    )
    plan = _plan_enrichment(workspace, writers, sources, progress)
    estimate = _estimate_cost(workspace, writers, plan)
    allowed = not exceeds_limits(workspace, estimate) or confirm(estimate)
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
    if not writers.both:
        return None
    report = EnrichmentReport(
        estimate=estimate,
        allowed=allowed,
        prefixes=prefixes,
        prefixes_missing=plan.prefixes - prefixes,
        summaries=summaries,
        summaries_missing=len(plan.summaries) - summaries,
    )
    usage = sum((asker.usage for asker in writers.both), report.usage)
    return replace(report, usage=usage, notices=_list_notices(workspace, writers, report))


def exceeds_limits(workspace: Workspace, estimate: Estimate) -> bool:
    """True when so much may only be sent after asking."""
    limits = workspace.config.models
    dear = estimate.cost is not None and estimate.cost > limits.confirm_cost
    return estimate.tokens > limits.confirm_tokens or dear


def _open_model(generator: Generator | None) -> BudgetedModel | None:
    return BudgetedModel(generator) if generator else None


def _plan_enrichment(
    workspace: Workspace, writers: _EnrichmentModels, sources: Sequence[Source], progress: Progress
) -> EnrichmentPlan:
    plan = EnrichmentPlan()
    room = find_request_budget(workspace, writers.context) if writers.context else None
    for number, source in enumerate(sources if writers.both else (), 1):
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
    for asker, fits in ((writers.context, room), (writers.summary, writers.limits)):
        if asker and fits is None:
            asker.stopped = _TOO_SMALL.format(window=asker.generator.window())
    return plan


def _estimate_cost(
    workspace: Workspace, writers: _EnrichmentModels, plan: EnrichmentPlan
) -> Estimate:
    parts = [(writers.context, estimate_prefixes(plan.batches))]
    if writers.limits:
        parts.append((writers.summary, estimate_summaries(plan.tokens, writers.limits)))
    whole = Estimate()
    for asker, part in parts:
        if asker is None or not part.calls:
            continue
        model = asker.generator.model
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
    """Put in place what is known of a source; what is not, keeps its earlier stand-in."""
    store = workspace.store
    chunks = store.source_chunks(source.id)
    prefixes = [find_prefix(workspace, source, chunk) for chunk in chunks]
    known = [
        replace(chunk, prefix=prefix)
        for chunk, prefix in zip(chunks, prefixes, strict=True)
        if prefix is not None and prefix != chunk.prefix
    ]
    summary = _find_wanted_summary(workspace, source)
    stored = store.summaries([source.id]).get(source.id)
    kept = summary or stored
    if kept and (known or kept != stored):
        store.save_annotations(kept, known)
    complete = summary is not None and None not in prefixes
    wanted = join_recipes(source.recipe, recipe if complete else PARTIAL)
    if wanted != source.recipe:
        store.update_source(replace(source, recipe=wanted))


def _find_wanted_summary(workspace: Workspace, source: Source) -> Summary | None:
    """The summary that the source should have; None where its model has yet to write it."""
    store = workspace.store
    stored = store.summaries([source.id]).get(source.id)
    if stored and is_current_fallback(workspace, stored):
        return stored
    blocks = tuple(store.source_blocks(source.id))
    text = store.source_text(source.id)
    return find_summary(workspace, source, Document(text, blocks, source.type, source.title))


def _list_notices(
    workspace: Workspace, writers: _EnrichmentModels, report: EnrichmentReport
) -> tuple[str, ...]:
    if report.complete:
        return ()
    config = workspace.config
    missing = [
        (report.prefixes_missing, "chunk(s)", "prefix", config.embedding.context_model, writers.context),
        (report.summaries_missing, "source(s)", "summary", config.ingest.summary_model, writers.summary),
    ]  # fmt: skip
    return tuple(
        f"{number:,} {of} have no {what} by {model}; an earlier or built-in one stands in. "
        + " ".join(asker.reasons if report.allowed else (_explain_declined(report.estimate),))
        for number, of, what, model, asker in missing
        if number and asker
    )


def _explain_declined(estimate: Estimate) -> str:
    cost = "" if estimate.cost is None else f" and ${estimate.cost:,.2f}"
    return (
        f"It was not asked: some {estimate.tokens:,} tokens{cost} are above models.confirm_tokens "
        "or models.confirm_cost. `foundry ingest --yes` asks it."
    )
