"""The cache of prefixes and summaries by language models, in the project's database.

Keys hash the text, the model and the template, so nothing is paid for twice: not after an
interrupted run, a moved file, a change elsewhere in the file, or a detour over another model.
No model is called here.
"""

from __future__ import annotations

import hashlib
import json

from foundry.config import parse_provider
from foundry.craft.prefixes import build_heading_prefix
from foundry.craft.summaries import summarise
from foundry.ids import hash_text
from foundry.records import Chunk, Document, Source, Summary
from foundry.workspace import Workspace

BUILTIN_SUMMARIZER = "builtin/extractive"
"""The model name of summaries that no language model wrote."""

PARTIAL = "partial"
"""Marks the recipe of a source whose enrichment is incomplete."""

_KEY_VERSION = 1


def is_language_model(model: str) -> bool:
    """True for a language model, False for ``none`` and the built-in fallbacks."""
    return parse_provider(model) not in {"none", "builtin"}


def compute_enrichment_recipe(workspace: Workspace) -> str:
    """A hash of everything that decides prefixes and summaries; empty for the built-in ones."""
    config, parts = workspace.config, []
    if config.embedding.context_model == "none":
        parts.append(["none"])
    elif is_language_model(config.embedding.context_model):
        parts.append(["prefixes", config.embedding.context_model, workspace.templates.prefixes])
    if is_language_model(config.ingest.summary_model):
        parts.append(["summary", config.ingest.summary_model, workspace.templates.summary])
    return _hash_parts(parts)[:16] if parts else ""


def has_recipe(source: Source, recipe: str) -> bool:
    """True if this recipe made the source's chunks, whatever their enrichment."""
    return source.recipe.partition("+")[0] == recipe


def is_enriched(source: Source, annotations: str) -> bool:
    """True if the source has all prefixes and the summary of this enrichment recipe."""
    return source.recipe.partition("+")[2] == annotations


def join_recipes(recipe: str, annotations: str) -> str:
    """The recipe of a source from those of its chunks and of its enrichment."""
    chunks = recipe.partition("+")[0]
    return f"{chunks}+{annotations}" if annotations else chunks


def find_prefix(workspace: Workspace, source: Source, chunk: Chunk) -> str | None:
    """The chunk's prefix under the current configuration; None if its model has not written it yet."""
    model = workspace.config.embedding.context_model
    if model == "none":
        return ""
    if not is_language_model(model):
        return build_heading_prefix(chunk, source.title)
    for key in _compute_prefix_keys(workspace, source, chunk):
        cached = workspace.store.find_response(key)
        if cached:
            return cached
    return None


def save_prefix(workspace: Workspace, source: Source, chunk: Chunk, prefix: str) -> None:
    """Cache the context model's prefix of a chunk."""
    for key in _compute_prefix_keys(workspace, source, chunk):
        workspace.store.save_response(key, workspace.config.embedding.context_model, prefix)


def find_summary(workspace: Workspace, source: Source, document: Document) -> Summary | None:
    """The source's summary under the current configuration; None if it is not written yet."""
    model = workspace.config.ingest.summary_model
    if not is_language_model(model):
        return build_extractive_summary(workspace, source, document)
    text = find_cached_summary(workspace, document.text, source.language)
    return None if text is None else Summary(source.id, text, model)


def is_current_fallback(workspace: Workspace, summary: Summary) -> bool:
    """True for a built-in summary if the configuration asks for built-in ones."""
    return summary.model == BUILTIN_SUMMARIZER and not is_language_model(
        workspace.config.ingest.summary_model
    )


def build_extractive_summary(workspace: Workspace, source: Source, document: Document) -> Summary:
    """The built-in summary, made of the source's own sentences."""
    most = workspace.config.ingest.summary_max_tokens
    text = summarise(document, source.language, workspace.count_tokens, most)
    return Summary(source.id, text, BUILTIN_SUMMARIZER)


def find_cached_summary(workspace: Workspace, text: str, language: str) -> str | None:
    """The summary model's summary of a text: a whole source or part of one."""
    return workspace.store.find_response(_compute_summary_key(workspace, text, language)) or None


def save_cached_summary(workspace: Workspace, text: str, language: str, summary: str) -> None:
    """Cache the summary model's summary of a text."""
    model = workspace.config.ingest.summary_model
    workspace.store.save_response(_compute_summary_key(workspace, text, language), model, summary)


def _compute_prefix_keys(workspace: Workspace, source: Source, chunk: Chunk) -> tuple[str, str]:
    """Two keys: the chunk's id survives other edits of its file, its place survives a move."""
    model, template = workspace.config.embedding.context_model, workspace.templates.prefixes
    writer = [_KEY_VERSION, model, template]
    place = [source.content_hash, chunk.start, chunk.end, hash_text(chunk.content)]
    return (
        f"prefix-{_hash_parts([*writer, 'chunk', chunk.id])}",
        f"prefix-{_hash_parts([*writer, 'place', *place])}",
    )


def _compute_summary_key(workspace: Workspace, text: str, language: str) -> str:
    settings = workspace.config.ingest
    writer = [_KEY_VERSION, settings.summary_model, workspace.templates.summary]
    return (
        f"summary-{_hash_parts([*writer, settings.summary_max_tokens, language, hash_text(text)])}"
    )


def _hash_parts(parts: list[object] | list[list[str]]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
