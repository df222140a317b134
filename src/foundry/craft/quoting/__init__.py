"""``builtin/extractive``: answers and documents made of whole source sentences, without a model.

Every word shown occurs in the sentence's quotes. Separators are added between table cells and list
items ("Type: XLR-5; Pins: 5"), a table's unit is put behind its numbers, bullets and Markdown marks
are dropped; otherwise only white space differs. Contents, captions, page furniture, half sentences,
and headings without a value are never shown. Nothing is rewritten, combined or concluded.
"""

from foundry.craft.quoting.candidates import QuoteCandidate
from foundry.craft.quoting.composition import compose_draft
from foundry.craft.quoting.section_headings import Ask, SectionRequest
from foundry.craft.quoting.sections import compose_sections
