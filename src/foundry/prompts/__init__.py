"""The prompt templates: Markdown files that a project can replace."""

from foundry.prompts.templates import (
    Templates,
    fill,
    load_templates,
    truncate_to_sentence,
    truncate_to_tokens,
)
