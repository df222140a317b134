"""Lays corrections over a document: first words, then headings, then headers of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from foundry.ids import hash_text
from foundry.messages import Message
from foundry.readers.corrections.structure import rebuild_paths, reread_header, split_block
from foundry.readers.corrections.words import (
    TextEdits,
    correct_block,
    correct_labels,
    plan_edit,
    replace_words,
)
from foundry.readers.front.document_names import find_document_names, find_front
from foundry.records import Block, CorrectedPart, Correction, CorrectionKind, Document


@dataclass(frozen=True, slots=True)
class Overlay:
    """A corrected document, and by id why a correction was left out."""

    document: Document
    refused: Mapping[str, Message]


def correct_document(document: Document, corrections: Sequence[Correction]) -> Overlay:
    """The document with corrections; of two that clash the first holds. The same if none applies."""
    draft = _Draft(document, corrections)
    for kind in ("words", "heading", "header"):
        draft.keep_apart(kind)
    edits = draft.correct_words()
    draft.correct_headings(edits)
    draft.correct_headers()
    return Overlay(draft.build(edits), draft.refused)


class _Draft:
    """A document while it is corrected; ``parts`` has what each block of the reader became."""

    def __init__(self, document: Document, corrections: Sequence[Correction]) -> None:
        self._document = document
        self.refused: dict[str, Message] = {}
        self._parts: list[list[Block]] = [[block] for block in document.blocks]
        self._text = document.text
        self._found: list[tuple[int, Correction]] = []
        numbers: dict[str, list[int]] = {}
        for number, block in enumerate(document.blocks if corrections else ()):
            words = document.text[block.start : block.end]
            numbers.setdefault(hash_text(words), []).append(number)
        for correction in corrections:
            place = _find_block(correction, numbers)
            if isinstance(place, Message):
                self.refused[correction.id] = place
            else:
                self._found.append((place, correction))

    def keep_apart(self, kind: CorrectionKind) -> None:
        """Leave out what corrects again what an earlier correction of the kind does."""
        kept: list[tuple[int, Correction]] = []
        for number, one in self._found:
            clash = next(
                (
                    other
                    for place, other in kept
                    if place == number
                    and one.kind == other.kind == kind
                    and one.start < other.end
                    and other.start < one.end
                ),
                None,
            )
            if clash is None:
                kept.append((number, one))
            else:
                self.refused[one.id] = Message("correction-twice", id=clash.id)
        self._found = kept

    def _list(self, kind: CorrectionKind) -> list[tuple[int, Correction]]:
        return [(number, one) for number, one in self._found if one.kind == kind]

    def correct_words(self) -> TextEdits:
        """Put the words right, in the text and in what the blocks say of it."""
        blocks = self._document.blocks
        edits = TextEdits(
            plan_edit(self._document.text, blocks[number], one)
            for number, one in self._list("words")
        )
        if edits.edits:
            self._text = edits.apply(self._document.text)
            corrected = [correct_block(block, edits) for block in blocks]
            self._parts = [[block] for block in correct_labels(corrected, blocks, edits)]
        return edits

    def correct_headings(self, edits: TextEdits) -> None:
        """Make headings of words, change their levels, and move what is below them."""
        changes: dict[int, list[tuple[int, int, Correction]]] = {}
        for number, one in self._list("heading"):
            start = self._document.blocks[number].start
            span = edits.move(start + one.start), edits.move(start + one.end, end=True)
            changes.setdefault(number, []).append((*span, one))
        for number, spans in changes.items():
            made = split_block(self._text, self._parts[number][0], spans)
            if isinstance(made, Message):
                self.refused |= dict.fromkeys((one.id for *_, one in spans), made)
            else:
                self._parts[number] = made
        if changes or edits.edits:
            self._parts = rebuild_paths(self._document.blocks, self._parts)

    def correct_headers(self) -> None:
        """Read tables again with as many header rows as they have."""
        for number, one in self._list("header"):
            following = chain.from_iterable(self._parts[number + 1 :])
            made = reread_header(self._text, self._parts[number][0], following, int(one.after))
            if isinstance(made, Message):
                self.refused[one.id] = made
                continue
            for offset, block in enumerate(made):
                self._parts[number + offset] = [_mark(block, one)]

    def build(self, edits: TextEdits) -> Document:
        """The corrected document; words that are corrected on its front are so in its title."""
        if not self._found:
            return self._document
        document = self._document
        blocks = tuple(chain.from_iterable(self._parts))
        title, names = document.title, document.names
        if edits.edits:
            front = find_front(document.blocks)
            last = front[-1].end if front else 0
            for edit in edits.edits:
                title = replace_words(title, edit) if edit.end <= last else title
            names = find_document_names(self._text, blocks, title)
        return replace(document, text=self._text, blocks=blocks, title=title, names=names)


def _find_block(correction: Correction, numbers: Mapping[str, Sequence[int]]) -> int | Message:
    """The index of a correction's block: that with its text, of several the one at its number."""
    same = numbers.get(correction.block_hash, ())
    if correction.block - 1 in same:
        return correction.block - 1
    if len(same) == 1:
        return same[0]
    return Message("correction-block-several" if same else "correction-block-gone")


def _mark(block: Block, correction: Correction) -> Block:
    part = CorrectedPart(
        correction.id,
        correction.kind,
        block.start,
        block.end,
        correction.before,
        correction.after,
        correction.reason,
    )
    return replace(block, corrections=(*block.corrections, part))
