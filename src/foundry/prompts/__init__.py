"""The prompt templates: Markdown files that a project can replace."""

from foundry.prompts.templates import Templates, fill, load_templates
