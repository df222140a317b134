"""The prompt templates: Markdown files beside this module, each replaceable by a project's own.

Loads and checks them, and puts values in their places. What the values are, and
how source text is made harmless before it becomes one, is ``craft.prompting``'s.
"""

from foundry.prompts.templates import PLACEHOLDERS, Templates, fill, load_templates

__all__ = ["PLACEHOLDERS", "Templates", "fill", "load_templates"]
