"""Prefixes and summaries that a language model wrote, kept in the project's database.

They are kept under hashes of what they were written of, by whom and to which template, so
that nothing is paid for twice: not after an interrupted run, in a moved file, in the
unchanged chunks of a changed one, or after another model was tried in between. Nothing is
asked of a model here; ``annotating`` does that.
"""

from __future__ import annotations

import hashlib
import json

from foundry.config import Config, parse_provider
from foundry.craft.prefixes import build_heading_prefix
from foundry.craft.summaries import summarise
from foundry.ids import hash_text
from foundry.records import Chunk, Document, Source, Summary
from foundry.workspace import Workspace

BUILTIN_SUMMARIZER = "builtin/extractive"
"""Who wrote a summary that no language model wrote."""

PARTIAL = "partial"
"""Stands for the recipe of annotations that are not complete."""

_KEY_VERSION = 1


def is_language_model(model: str) -> bool:
    """True for a language model, False for ``none`` and the built-in stand-ins."""
    return parse_provider(model) not in {"none", "builtin"}


def compute_enrichment_recipe(workspace: Workspace) -> str:
    """A hash of all that decides prefixes and summaries; empty for the built-in ones."""
    config, parts = workspace.config, []
    if config.embedding.context_model == "none":
        parts.append(["none"])
    elif is_language_model(config.embedding.context_model):
        parts.append(["prefixes", config.embedding.context_model, workspace.templates.prefixes])
    if is_language_model(config.ingest.summary_model):
        parts.append(["summary", config.ingest.summary_model, workspace.templates.summary])
    return _hash_parts(parts)[:16] if parts else ""


def has_recipe(source: Source, recipe: str) -> bool:
    """True when the source's chunks were made by this recipe, whatever its annotations."""
    return source.recipe.partition("+")[0] == recipe


def is_enriched(source: Source, annotations: str) -> bool:
    """True when the source has all the prefixes and the summary of this annotation recipe."""
    return source.recipe.partition("+")[2] == annotations


def join_recipes(recipe: str, annotations: str) -> str:
    """The recipe of a source whose chunks and annotations were made by these two."""
    chunks = recipe.partition("+")[0]
    return f"{chunks}+{annotations}" if annotations else chunks


def find_prefix(workspace: Workspace, source: Source, chunk: Chunk) -> str | None:
    """The chunk's prefix under today's configuration; None where its model has yet to write it."""
    model = workspace.config.embedding.context_model
    if model == "none":
        return ""
    if not is_language_model(model):
        return build_heading_prefix(chunk, source.title)
    for key in _compute_prefix_keys(workspace, source, chunk):
        kept = workspace.store.find_response(key)
        if kept:
            return kept
    return None


def save_prefix(workspace: Workspace, source: Source, chunk: Chunk, prefix: str) -> None:
    """Keep what the context model wrote for a chunk."""
    for key in _compute_prefix_keys(workspace, source, chunk):
        workspace.store.save_response(key, workspace.config.embedding.context_model, prefix)


def find_summary(workspace: Workspace, source: Source, document: Document) -> Summary | None:
    """The source's summary under today's configuration; None where its model has yet to write it."""
    model = workspace.config.ingest.summary_model
    if not is_language_model(model):
        return build_extractive_summary(workspace, source, document)
    kept = find_cached_summary(workspace, document.text, source.language)
    return None if kept is None else Summary(source.id, kept, model)


def is_current_fallback(workspace: Workspace, summary: Summary) -> bool:
    """True for a built-in summary where built-in ones are wanted: it came with the text."""
    return summary.model == BUILTIN_SUMMARIZER and not is_language_model(
        workspace.config.ingest.summary_model
    )


def build_extractive_summary(workspace: Workspace, source: Source, document: Document) -> Summary:
    """The built-in summary, of the source's own sentences."""
    most = workspace.config.ingest.summary_max_tokens
    text = summarise(document, source.language, workspace.count_tokens, most)
    return Summary(source.id, text, BUILTIN_SUMMARIZER)


def find_cached_summary(workspace: Workspace, text: str, language: str) -> str | None:
    """What the summary model wrote of a text: a whole source, or a part of one."""
    return workspace.store.find_response(_compute_summary_key(workspace, text, language)) or None


def save_cached_summary(workspace: Workspace, text: str, language: str, digest: str) -> None:
    """Keep what the summary model wrote of a text."""
    model = workspace.config.ingest.summary_model
    workspace.store.save_response(_compute_summary_key(workspace, text, language), model, digest)


def _compute_prefix_keys(workspace: Workspace, source: Source, chunk: Chunk) -> tuple[str, str]:
    """By the chunk's id, which outlives other changes of its file; by place, which outlives a move."""
    writer = _list_writer_parts(workspace.config, workspace.templates.prefixes)
    place = [source.content_hash, chunk.start, chunk.end, hash_text(chunk.content)]
    return (
        f"prefix-{_hash_parts([*writer, 'chunk', chunk.id])}",
        f"prefix-{_hash_parts([*writer, 'place', *place])}",
    )


def _list_writer_parts(config: Config, template: str) -> list[object]:
    return [_KEY_VERSION, config.embedding.context_model, template]


def _compute_summary_key(workspace: Workspace, text: str, language: str) -> str:
    settings = workspace.config.ingest
    writer = [_KEY_VERSION, settings.summary_model, workspace.templates.summary]
    return (
        f"summary-{_hash_parts([*writer, settings.summary_max_tokens, language, hash_text(text)])}"
    )


def _hash_parts(parts: list[object] | list[list[str]]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
