"""Reads pages by a service outside, and checks each word that it says against what is known here.

Where a page has characters of its own, these are exact: what the service says there is compared with
them and left out, and words that the page does not have are named in a warning. Where it has none, as
on a scan, the service's reading is kept, marked with its name, and compared with that of OCR here.
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
"""Share of the time limit of a file in which pages are sent; what reads the file here has it anew."""


def build_word_page(words: Iterable[tuple[str, Box]]) -> PageText:
    """A page of whole words, to find those in a box."""
    return PageText(0.0, 0.0, [PlacedCharacter(word, box, 0) for word, box in words])


@dataclass
class OutsideReading:
    """What a service says of the pages of a file, and what must be said of that."""

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
        """Ask for pages, of which ``sent`` has the content in the same order, while there is time."""
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
        """Keep the parts of a page that it does not have as text; return what is left of ``read``.

        ``own`` are its own characters, ``seen`` the words that OCR read on it, in the blocks ``read``;
        None if there is none.
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
        """How surely a part was read: the share of its words that OCR read there too."""
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
        """What a person must know about the pages that were read outside."""
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
"""The codes of a source's warnings that a service read it, and that it did not read all of it."""


def open_reading(options: ReadOptions) -> OutsideReading | None:
    """A reading of a file that starts now; None if no service reads pages."""
    if options.outside is None:
        return None
    stop = time.monotonic() + _TIME_SHARE * (options.time_s or float("inf"))
    return OutsideReading(options.outside, stop)


def _name_words(code: str, reader: str, words: dict[int, list[str]]) -> Message:
    number, first = sum(map(len, words.values())), next(iter(words.values()))[0]
    return Message(code, reader=reader, pages=format_pages(list(words)), number=number, word=first)


def _list_with_pairs(words: Sequence[str]) -> list[str]:
    """The words, and each two that follow one another as one: spaces are a matter of taste."""
    return [*words, *(first + second for first, second in pairwise(words))]


def _find_new(words: Sequence[str], known: Sequence[str]) -> list[str]:
    """The words that are not known, by themselves or with one of their neighbours."""
    found, new = set(known), []
    for place, word in enumerate(words):
        around = (*words[max(0, place - 1) : place], word, *words[place + 1 : place + 2])
        joined = (first + second for first, second in pairwise(around))
        if word not in found and not found.intersection(joined):
            new.append(word)
    return new
