"""The prompt within the model's window; what does not fit is reported, never cut silently."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from foundry.craft.prompting import Prompt, PromptTokens, SectionTask, build_messages
from foundry.errors import ConfigError
from foundry.journeys.writing.written import model_name
from foundry.messages import Message
from foundry.models import build_schema_instruction, count_tokens
from foundry.ports import Generator
from foundry.prompts import truncate_to_tokens
from foundry.records import Budget, Evidence, GroundingChange
from foundry.workspace import Workspace


def fit_prompt(
    workspace: Workspace,
    generator: Generator | None,
    task: str | SectionTask,
    evidence: Sequence[Evidence],
    language: str,
    *,
    rejected: Sequence[GroundingChange] = (),
    missing: Sequence[str] = (),
) -> tuple[Prompt, tuple[Evidence, ...]]:
    """The prompt within the model's window, and the lowest-ranked evidence that did not fit.

    Without a generator (the built-in writer needs no prompt, but shows it) everything fits.
    ``rejected`` makes it the stricter prompt of a retry; ``missing`` as in ``build_messages``. The schema that the gateway adds counts
    too. Raises ``ConfigError`` if not even the best passage fits.
    """
    settings = workspace.config.generation
    room = generator.window() - settings.max_tokens if generator else math.inf
    summaries = workspace.store.summaries(list({item.hit.source.id for item in evidence}))
    kept = list(evidence)
    while True:
        prompt = build_messages(
            task,
            kept,
            templates=workspace.templates,
            language=language,
            count=workspace.count_tokens,
            brief=cut_brief(workspace)[0],
            summaries=summaries,
            max_summaries=settings.max_source_summaries,
            rejected=rejected,
            missing=missing,
            persona=workspace.agent.persona if workspace.agent else "",
        )
        added = workspace.count_tokens(build_schema_instruction(prompt.schema))
        if prompt.tokens.total + added <= room:
            return prompt, tuple(evidence[len(kept) :])
        if len(kept) <= 1:
            raise _build_too_small_error(workspace, prompt.tokens, added)
        kept.pop()


def _build_too_small_error(workspace: Workspace, tokens: PromptTokens, added: int) -> ConfigError:
    generator = workspace.generator
    window = generator.window() if generator else 0
    room = max(window - workspace.config.generation.max_tokens, 0)
    return ConfigError(
        "writing-window-too-small",
        where="generation.max_tokens, project.brief_max_tokens",
        total=tokens.total + added,
        brief=tokens.brief,
        spec=tokens.spec,
        summaries=tokens.summaries,
        model=model_name(generator),
        room=room,
    )


def measure_budget(workspace: Workspace, spec: str, prompts: Sequence[Prompt]) -> Budget:
    """The size of the largest prompt: fixed parts as they are, the evidence at its limit.

    Counted with the model's own tokenizer (``litellm.token_counter``), except the evidence,
    which is counted with the tokenizer that both modes share.
    """
    generator, settings = workspace.generator, workspace.config.generation
    count = partial(count_tokens, generator.model) if generator else workspace.count_tokens
    brief = cut_brief(workspace)[0]
    summaries = {prompt.background for prompt in prompts if prompt.background}
    return Budget(
        brief=count(brief) if brief else 0,
        spec=count(spec) if spec else 0,
        summaries=max(map(count, summaries), default=0),
        chunks=settings.token_budget,
        window=generator.window() if generator else None,
        max_summaries=settings.max_source_summaries,
    )


def cut_brief(workspace: Workspace) -> tuple[str, Message | None]:
    """The project's brief within ``brief_max_tokens``, and a notice if it was cut."""
    brief, limit = workspace.brief(), workspace.config.project.brief_max_tokens
    tokens = workspace.count_tokens(brief) if brief else 0
    if tokens <= limit:
        return brief, None
    kept = truncate_to_tokens(brief, limit, workspace.count_tokens)
    return kept, Message("writing-brief-cut", tokens=tokens, limit=limit)
