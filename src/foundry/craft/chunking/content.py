"""What of a chunk is indexed and embedded: its words without a file's syntax between them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from foundry.records import Block

# Voice, style and timing marks within the words of a subtitle.
_CUE_TAG = re.compile(r"</?(?:[bciuv]|lang|ruby|rt|font)(?:[ .][^<>]*)?>|<[\d:.]+>|\{\\[^{}]*\}")


class Content:
    """The words and the blocks of any span of one source."""

    def __init__(self, text: str, blocks: Sequence[Block]) -> None:
        self._text = text
        self._blocks = blocks
        self._starts = [block.start for block in blocks]
        self._ends = [block.end for block in blocks]

    def blocks(self, start: int, end: int) -> tuple[Block, ...]:
        """The blocks within a span; those that reach over its ends are clipped to it."""
        inside = self._blocks[bisect_right(self._ends, start) : bisect_left(self._starts, end)]
        return tuple(
            block
            if start <= block.start and block.end <= end
            else replace(block, start=max(start, block.start), end=min(end, block.end))
            for block in inside
        )

    def words(self, start: int, end: int) -> str:
        """The span itself; where it has cues, their words with "Name: " at each speaker's turn."""
        blocks = self.blocks(start, end)
        if all(block.kind != "cue" for block in blocks):
            return self._text[start:end]
        lines: list[str] = []
        turn: tuple[str | None] | None = None
        for block in blocks:
            words = self._text[block.start : block.end].strip()
            if block.kind == "cue":
                words = " ".join(_CUE_TAG.sub("", words).split())
            if block.kind != "cue":
                turn = None
                lines.append(words)
            elif turn == (block.speaker,):
                lines[-1] = f"{lines[-1]} {words}"
            else:
                turn = (block.speaker,)
                lines.append(_labelled(words, block.speaker))
        return "\n".join(lines)


def _labelled(words: str, speaker: str | None) -> str:
    if not speaker or words.startswith(f"{speaker}:"):
        return words
    return f"{speaker}: {words}"
