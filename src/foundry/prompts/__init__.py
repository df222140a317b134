"""The prompt templates: Markdown files that a project can replace."""

from foundry.prompts.templates import PLACEHOLDERS, Templates, fill, load_templates

__all__ = ["PLACEHOLDERS", "Templates", "fill", "load_templates"]
