"""Has pages read by an outside service and checks its words.

The characters of a page are exact where it has any: the service's text there is only compared with them,
and words that the page lacks are reported in a warning. Where a page has none, as on a scan, the
service's text is kept, marked with its name, and compared with that of local OCR.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import pairwise

from foundry.errors import FoundryError
from foundry.messages import Message
from foundry.ports import PageService, ReadOptions
from foundry.readers.ocr.lines import simplify_word, tells_quantity
from foundry.readers.outside.replies import OutsidePage, OutsideReply, read_reply
from foundry.readers.pages.characters import PageText, PlacedCharacter, fold_letters
from foundry.readers.pdf.blocks import PageBlock, drop_known
from foundry.readers.pdf.headings import PdfPart
from foundry.readers.pdf.scans import format_pages
from foundry.readers.worker_process import announce
from foundry.records import Box, Doubt, Recognition

_TIME_SHARE = 0.4
"""Share of a file's time limit for sending pages; local reading has a limit of its own. A guess."""


def build_word_page(words: Iterable[tuple[str, Box]]) -> PageText:
    """Build a page whose "characters" are whole words, to look up those in a box."""
    return PageText(0.0, 0.0, [PlacedCharacter(word, box, 0) for word, box in words])


@dataclass
class OutsideReading:
    """The replies of a service for the pages of a file, and the warnings about them."""

    service: PageService
    stop: float
    parts: dict[int, list[PdfPart]] = field(default_factory=dict)
    replies: dict[int, OutsideReply] = field(default_factory=dict)
    missed: list[int] = field(default_factory=list)
    problem: Message | None = None
    unknown: dict[int, list[str]] = field(default_factory=dict)
    doubts: dict[int, list[Doubt]] = field(default_factory=dict)
    unchecked: set[int] = field(default_factory=set)

    def read(self, pages: Sequence[int], sent: Iterable[tuple[OutsidePage, bytes]]) -> None:
        """Send ``pages``, whose content ``sent`` yields in the same order, until the time is up."""
        self.problem = self.service.problem
        if self.problem is None:
            waiting: deque[OutsidePage] = deque()
            replies = self.service.read_pages(self._send(sent, waiting, len(pages)))
            for reply in replies:
                self._take(waiting.popleft(), reply)
        self.missed = [number for number in pages if number not in self.replies]

    def _send(
        self, sent: Iterable[tuple[OutsidePage, bytes]], waiting: deque[OutsidePage], total: int
    ) -> Iterator[bytes]:
        for done, (page, content) in enumerate(sent):
            announce("outside", done, total)
            if time.monotonic() > self.stop:
                self.problem = Message("outside-late")
                return
            waiting.append(page)
            yield content

    def _take(self, page: OutsidePage, reply: object) -> None:
        try:
            if isinstance(reply, FoundryError):
                raise reply
            self.replies[page.number] = read_reply(self.service.kind, reply, page)
        except FoundryError as error:
            self.problem = error.problem

    def check(
        self,
        number: int,
        own: PageText | None,
        seen: PageText | None,
        read: Sequence[PageBlock],
    ) -> list[PageBlock]:
        """Keep the parts of a reply that the page lacks as text; return the blocks of ``read`` left over.

        ``own`` are the page's own characters, ``seen`` the words that OCR read in the blocks ``read``;
        either is None if there are none.
        """
        reply = self.replies[number]
        kept: list[PdfPart] = []
        for part in reply.parts:
            block = part.block
            assert block is not None
            inside = own.list_inside(block.box, 0.0) if own else []
            if own and inside:
                letters = own.fold(inside)
                words = (fold_letters(word).text for word in block.text.split())
                found = [
                    word
                    for word, folded in zip(block.text.split(), words, strict=True)
                    if folded and not letters.find_all(folded, begins=True, ends=True)
                ]
                self.unknown.setdefault(number, []).extend(found)
                continue
            block.recognition = self._recognise(number, block, seen)
            kept.append(part)
        self.parts[number] = kept
        blocks = [part.block for part in kept if part.block]
        return drop_known(read, [*blocks, *reply.furniture])

    def _recognise(self, number: int, block: PageBlock, seen: PageText | None) -> Recognition:
        """Return the share of a part's words that OCR read there too, and the quantities it did not."""
        words = [word for word in map(simplify_word, block.text.split()) if fold_letters(word).text]
        if seen is None or not words:
            self.unchecked.add(number)
            return Recognition(None, reader=self.service.name)
        inside = seen.order_visually(seen.list_inside(block.box))
        there = [simplify_word(seen.characters[index].char) for index in inside]
        numbers = list(filter(tells_quantity, there))
        new = _find_new(words, _list_with_pairs(there))
        doubts = [
            Doubt(word, next(iter(get_close_matches(word, numbers, 1)), ""))
            for word in new
            if tells_quantity(word)
        ]
        self.doubts.setdefault(number, []).extend(doubts)
        share = round(1 - len(new) / len(words), 3)
        return Recognition(share, tuple(dict.fromkeys(doubts)), self.service.name)

    def list_warnings(self) -> Iterator[Message]:
        """Yield the warnings about the pages that were read outside."""
        name = self.service.name
        if self.replies:
            yield Message(READ, reader=name, pages=format_pages(list(self.replies)))
        if self.missed:
            cause = self.problem or Message("readers-no-reason")
            yield Message(FAILED, reader=name, pages=format_pages(self.missed), cause=cause)
        unknown = {page: words for page, words in self.unknown.items() if words}
        if unknown:
            yield _name_words("outside-unknown", name, unknown)
        doubts = {page: [one.read for one in found] for page, found in self.doubts.items() if found}
        if doubts:
            yield _name_words("outside-doubts", name, doubts)
        if self.unchecked:
            yield Message("outside-unchecked", pages=format_pages(list(self.unchecked)))
        strays = sum(reply.strays for reply in self.replies.values())
        if strays:
            yield Message("outside-strays", reader=name, number=strays)


READ, FAILED = "outside-read", "outside-failed"
"""Codes of the warnings that a service read pages of a source, and that it failed to."""


def open_reading(options: ReadOptions) -> OutsideReading | None:
    """Start the outside reading of a file; None if no service is configured."""
    if options.outside is None:
        return None
    stop = time.monotonic() + _TIME_SHARE * (options.time_s or float("inf"))
    return OutsideReading(options.outside, stop)


def _name_words(code: str, reader: str, words: dict[int, list[str]]) -> Message:
    number, first = sum(map(len, words.values())), next(iter(words.values()))[0]
    return Message(code, reader=reader, pages=format_pages(list(words)), number=number, word=first)


def _list_with_pairs(words: Sequence[str]) -> list[str]:
    """The words, and each two neighbours joined: readings differ in where they put spaces."""
    return [*words, *(first + second for first, second in pairwise(words))]


def _find_new(words: Sequence[str], known: Sequence[str]) -> list[str]:
    """The words that are unknown, alone and joined with either neighbour."""
    found, new = set(known), []
    for place, word in enumerate(words):
        around = (*words[max(0, place - 1) : place], word, *words[place + 1 : place + 2])
        joined = (first + second for first, second in pairwise(around))
        if word not in found and not found.intersection(joined):
            new.append(word)
    return new
