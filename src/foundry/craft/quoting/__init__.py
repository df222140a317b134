"""``builtin/extractive``: answers and documents made of whole source sentences, with no model.

Every word shown stands in the sentence's quotes. Separators are added between
table cells and list items ("Type: XLR-5; Pins: 5"), a table's unit is put behind
its numbers, list bullets and Markdown's own marks are left out; nothing else
differs but white space.
Headings, contents, captions, page furniture and half sentences are never shown.
It does not rewrite, join facts or draw conclusions.
"""

from foundry.craft.quoting.composition import compose_answer, compose_draft
from foundry.craft.quoting.sections import SectionRequest, compose_sections

__all__ = ["SectionRequest", "compose_answer", "compose_draft", "compose_sections"]
