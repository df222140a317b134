"""Questions drafted from cells of tables: without a model, from what the tables say exactly.

A cell is asked about by its labels, the table's title and the document's. Where a table's structure
is in doubt, its letters come from OCR, or two cells have the same labels, nothing is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from foundry.evaluation.questions.model_drafts import DraftedQuestion
from foundry.messages import Language, Message, format_message
from foundry.records import Block, Source, TableCell
from foundry.text.markdown import strip_marks
from foundry.workspace import Workspace

BUILTIN_DRAFTER = "builtin/table-cells"
_LONGEST_LABEL, _LONGEST_VALUE = 80, 120
"""Characters of a label and of a value; longer ones are sentences, and no fact to ask about."""
_PER_TABLE = 3
"""Cells asked about in one table, so that drafts are spread over tables."""


@dataclass(frozen=True, slots=True)
class _Fact:
    """A cell with its words without markup: what its table, row and column are called."""

    block: Block
    cell: TableCell
    table: str
    row: str
    column: str
    value: str

    @property
    def place(self) -> tuple[str, str, str]:
        return self.table, self.row, self.column

    def can_be_asked(self) -> bool:
        """Whether it has a value, and labels that are names."""
        labels = all(
            any(map(str.isalpha, label)) and 1 < len(label) <= _LONGEST_LABEL
            for label in (self.row, self.column)
        )
        said = any(map(str.isalnum, self.value)) and self.value not in (self.row, self.column)
        return labels and said and bool(self.table) and len(self.value) <= _LONGEST_VALUE


def draft_from_tables(workspace: Workspace, sources: Sequence[Source]) -> list[DraftedQuestion]:
    """Questions about cells, those of each source in turn."""
    drafted = [list(_draft_source(workspace, source)) for source in sources]
    return [one for group in zip_longest(*drafted) for one in group if one is not None]


def _draft_source(workspace: Workspace, source: Source) -> Iterator[DraftedQuestion]:
    text = workspace.store.source_text(source.id)
    blocks = workspace.store.source_blocks(source.id)
    tables = [list(_list_facts(block, source, text)) for block in blocks]
    named = Counter(fact.place for facts in tables for fact in facts)
    for facts in tables:
        asked = [fact for fact in facts if named[fact.place] == 1 and fact.can_be_asked()]
        step = max(1, len(asked) // _PER_TABLE)
        for fact in asked[step // 2 :: step][:_PER_TABLE]:
            yield _ask(source, fact)


def _list_facts(block: Block, source: Source, text: str) -> Iterator[_Fact]:
    """The cells of a table that was read without doubt."""
    table = block.table
    if table is None or not table.certain or table.continued or block.recognition:
        return
    title = table.title or (block.heading_path[-1] if block.heading_path else "")
    for cell in table.cells:
        words = title, ", ".join(cell.row), ", ".join(cell.column), text[cell.start : cell.end]
        yield _Fact(block, cell, *(strip_marks(part, source.type) for part in words))


def _ask(source: Source, fact: _Fact) -> DraftedQuestion:
    language: Language = "nl" if source.language == "nl" else "en"
    names = {"row": fact.row, "column": fact.column, "table": fact.table, "title": source.title}
    question = format_message(Message("eval-draft-table-question", **names), language)
    return DraftedQuestion(
        source,
        " ".join(question.split()),
        " ".join(fact.value.split()),
        ((fact.cell.start, fact.cell.end),),
        source.language,
        "table",
        fact.block.page,
        fact.block.heading_path[-1] if fact.block.heading_path else None,
    )
