"""Which place of the project a file refers to: a source by path, name or title, spans by words.

A name that matches no source, or several, is kept as written: the question is stored, and a run
counts such a source as unknown. A page, section or quote that is not found becomes a notice.

What a chunk or quote covers of it: a place is a whole source, a page or section of it, or one exact
span; each span of an expectation is a separate place. A whole source is covered by anything in it; a
page or section by a block that lies there; a span by what shares at least ``LEAST_SHARE`` of it, or of
the piece itself where that is the shorter: a small chunk can lie within a long span.
"""

from __future__ import annotations

import bisect
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath

from foundry.evaluation.questions.rows import NamedPlace
from foundry.messages import Message
from foundry.records import Block, Chunk, Expectation, Quote, Source
from foundry.workspace import Workspace

MAX_OCCURRENCES = 10
"""Occurrences of a quote that count in one source; a guess, so that a boilerplate line stays small."""

_QUOTES = str.maketrans("‘’‚‛′“”„‟″«»‐‑–—−\u00a0", '\'\'\'\'\'"""""""----- ')
_WORD = re.compile(r"\S+")
_PAGED = re.compile(r"(.*[^\s,;(])[\s,;(]+(?:pp?|page|pagina|blz)\.? ?(\d{1,5})\)?", re.IGNORECASE)
"""A source with its page, as people write it beside an answer: "manual.pdf, p. 12"."""


@dataclass(frozen=True, slots=True)
class PlaceMatch:
    """A place in the project, with problems in how it was named.

    ``how`` is None for a source found by its path, else what it was found by.
    """

    expected: Expectation
    known: bool
    how: Message | None = None
    problems: tuple[Message, ...] = ()


@dataclass
class KnownSources:
    """The sources of a project, looked up by path, file name, title or id."""

    workspace: Workspace
    titles: Callable[[], Mapping[str, str]] = dict
    _texts: dict[str, str] = field(default_factory=dict, repr=False)
    _blocks: dict[str, list[Block]] = field(default_factory=dict, repr=False)

    @cached_property
    def sources(self) -> list[Source]:
        """All sources of the project."""
        return self.workspace.store.list_sources()

    @cached_property
    def _by_path(self) -> dict[str, Source]:
        return {_normalise_path(source.path): source for source in self.sources}

    @cached_property
    def _by_name(self) -> dict[str, list[Source]]:
        """File names, and file names without their ending, in lower case."""
        by_name: dict[str, list[Source]] = {}
        for source in self.sources:
            path = PurePosixPath(_normalise_path(source.path))
            for name in dict.fromkeys((path.name.lower(), path.stem.lower())):
                by_name.setdefault(name, []).append(source)
        return by_name

    @cached_property
    def _by_title(self) -> dict[str, list[Source]]:
        by_title: dict[str, list[Source]] = {}
        for source in self.sources:
            by_title.setdefault(_fold(source.title), []).append(source)
        return by_title

    @cached_property
    def _corpus_titles(self) -> Mapping[str, str]:
        return self.titles()

    def find(self, name: str) -> tuple[Source | None, Message | None]:
        """The source with this name or None, and how it was found or why it was not."""
        plain = self._relative_path(name)
        if plain in self._by_path:
            return self._by_path[plain], None
        if name.startswith("src_"):
            by_id = next((source for source in self.sources if source.id == name), None)
            if by_id is not None:
                return by_id, None
        wanted = [part.lower() for part in PurePosixPath(plain).parts]
        named = self._by_name.get(wanted[-1], []) if wanted else []
        if named:
            return _choose_nearest(named, wanted)
        for title in (name, self._corpus_titles.get(name)):
            titled = self._by_title.get(_fold(title), []) if title else []
            if titled:
                return _choose_only(titled, Message("eval-match-title"))
        return None, Message("eval-match-none")

    def _relative_path(self, name: str) -> str:
        """The name as a path inside the project, if it is one."""
        path = _normalise_path(name)
        root = _normalise_path(str(self.workspace.root.absolute()))
        if Path(path).is_absolute() and path.startswith(f"{root}/"):
            path = path[len(root) + 1 :]
        return path

    def text(self, source: Source) -> str:
        """The stored text of a source."""
        if source.id not in self._texts:
            self._texts[source.id] = self.workspace.store.source_text(source.id)
        return self._texts[source.id]

    def blocks(self, source: Source) -> list[Block]:
        """The blocks of a source, in reading order."""
        if source.id not in self._blocks:
            self._blocks[source.id] = self.workspace.store.source_blocks(source.id)
        return self._blocks[source.id]

    def match(self, place: NamedPlace) -> PlaceMatch:
        """The place in the project; only impossible spans are dropped from what was named."""
        source, how = self.find(place.source)
        paged = _PAGED.fullmatch(place.source) if source is None and place.page is None else None
        if paged and self.find(paged[1])[0]:
            return self.match(replace(place, source=paged[1], page=int(paged[2])))
        if source is None:
            bare = Expectation(
                place.source, place.spans, place.page, place.section, place.relevance
            )  # fmt: skip
            return PlaceMatch(bare, known=False, how=how)
        problems: list[Message] = []
        pages, page = source.pages, place.page
        if page is not None and pages is None:
            problems.append(Message("eval-place-no-pages", path=source.path, page=str(page)))
        elif page is not None and pages is not None and not 1 <= page <= pages:
            problems.append(
                Message("eval-place-no-page", path=source.path, n=pages, page=str(page))
            )
        section = place.section and self._match_section(source, place.section, problems)
        narrowed = Expectation(source.path, (), page, section, place.relevance)
        spans = set(self._find_spans(source, place, narrowed, problems))
        whole = replace(narrowed, spans=tuple(sorted(spans)))
        return PlaceMatch(whole, known=True, how=how, problems=tuple(problems))

    def _match_section(self, source: Source, section: str, problems: list[Message]) -> str:
        """The section with its heading as the source writes it."""
        headings = {name for block in self.blocks(source) for name in block.heading_path}
        matches = sorted(name for name in headings if same_section(section, name))
        if matches:
            return matches[0]
        problems.append(Message("eval-place-no-section", path=source.path, section=section))
        return section

    def _find_spans(
        self, source: Source, place: NamedPlace, narrowed: Expectation, problems: list[Message]
    ) -> Iterator[tuple[int, int]]:
        """The given spans, those of the quotes, and that of the cue at the given time."""
        text = self.text(source)
        fitting = [pair for pair in place.spans if pair[1] <= len(text)]
        if len(fitting) < len(place.spans):
            problems.append(Message("eval-spans-beyond-end", path=source.path, n=len(text)))
        texts = [_normalise_words(text[start:end]) for start, end in fitting]
        missing = [quote for quote in place.quotes if _normalise_words(quote) not in texts]
        if fitting and missing and len(place.quotes) == len(place.spans):
            # The offsets belong to another revision of the document, so its words count.
            problems.append(Message("eval-spans-mismatch", path=source.path))
            fitting = []
        yield from fitting
        for quote in place.quotes if not fitting else missing:
            matches = find_quote(text, quote)
            inside = [span for span in matches if self._is_in(source, narrowed, span)] or matches
            if not matches:
                problems.append(
                    Message("eval-words-missing", path=source.path, words=_shorten(quote))
                )
            yield from inside[:MAX_OCCURRENCES]
        if place.time is None:
            return
        timed = [block for block in self.blocks(source) if block.time_start is not None]
        # People note whole seconds, so starts are rounded down.
        begins = [math.floor(block.time_start or 0.0) for block in timed]
        index = bisect.bisect_right(begins, place.time) - 1
        if index >= 0:
            yield timed[index].start, timed[index].end
        else:
            seconds = f"{place.time:g}"
            problems.append(Message("eval-no-words-then", path=source.path, seconds=seconds))

    def _is_in(self, source: Source, place: Expectation, span: tuple[int, int]) -> bool:
        """Whether a span lies on the page and in the section that the place names."""
        if place.page is None and place.section is None:
            return True
        return any(
            block.start < span[1] and span[0] < block.end
            and place.page in (None, block.page)
            and (place.section is None or place.section in block.heading_path)
            for block in self.blocks(source)
        )  # fmt: skip


def find_quote(text: str, quote: str) -> list[tuple[int, int]]:
    """Where the words occur, as [start, end) in code points.

    White space and the form of quotation marks and dashes may differ, and if that finds nothing,
    case too.
    """
    parts = [re.escape(word) for word in _WORD.findall(quote.translate(_QUOTES))]
    if not parts:
        return []
    # The table maps single characters, so offsets stay the same.
    same = text.translate(_QUOTES)
    for flags in (re.NOFLAG, re.IGNORECASE):
        spans = [match.span() for match in re.finditer(r"\s+".join(parts), same, flags)]
        if spans:
            return spans
    return []


def _choose_nearest(
    named: Sequence[Source], wanted: Sequence[str]
) -> tuple[Source | None, Message | None]:
    """Of the sources with a file name, the one that shares most folders with the given path."""
    shared = {source.id: _count_shared_parts(source.path, wanted) for source in named}
    most = max(shared.values())
    best = [source for source in named if shared[source.id] == most]
    parts = len(PurePosixPath(best[0].path).parts)
    # Every part of either path agrees; only the starting folder differs.
    if len(best) == 1 and most in (len(wanted), parts):
        return best[0], None
    return _choose_only(best, Message("eval-match-file-name"))


def _count_shared_parts(path: str, wanted: Sequence[str]) -> int:
    """How many parts agree from the end; a missing file extension is ignored."""
    parts = [part.lower() for part in PurePosixPath(_normalise_path(path)).parts]
    if wanted[-1] != parts[-1]:
        parts[-1] = PurePosixPath(parts[-1]).stem
    agree = 0
    for part, other in zip(reversed(parts), reversed(wanted), strict=False):
        if part != other:
            break
        agree += 1
    return agree


def _choose_only(sources: Sequence[Source], how: Message) -> tuple[Source | None, Message | None]:
    if len(sources) == 1:
        return sources[0], how
    paths = [source.path for source in sources[:3]]
    return None, Message("eval-several-match", n=len(sources), paths=paths)


def _normalise_path(path: str) -> str:
    written = unicodedata.normalize("NFC", path.strip().replace("\\", "/"))
    return str(PurePosixPath(written)) if written else ""


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).lstrip("§ ")


def _normalise_words(text: str) -> str:
    return " ".join(text.translate(_QUOTES).split())


def _shorten(text: str) -> str:
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= 60 else f"{flat[:57]}…")


LEAST_SHARE = 0.5
"""Of the shorter of span and piece, in characters. Half: less is a touch, and a span cut by a
chunk's border still has one chunk with most of it."""

_CACHED = 50_000
"""Chunks remembered at most, so that a long run over a large index does not grow for ever."""
_NUMBER = re.compile(r"[\d.]*\d[a-z]?\.?|[a-z](?:\.\d+)+", re.IGNORECASE)

Item = tuple[int, int]
"""A place: its index in ``EvalQuestion.expected``, and that of its span, 0 where it has none."""

Spot = tuple[int | None, tuple[str, ...]]
"""The page and the heading path of a block."""


@dataclass(frozen=True, slots=True)
class SourceRange:
    """A chunk or quote as [start, end) of a source, by its path, with the spots that it touches."""

    id: str
    source: str
    start: int
    end: int
    spots: tuple[Spot, ...]
    section: str | None = None

    @property
    def page(self) -> int | None:
        """The first page that it touches."""
        return next((page for page, _ in self.spots if page is not None), None)


def items_of(expected: Sequence[Expectation]) -> dict[Item, int]:
    """The places of a question with their relevance, without those judged irrelevant."""
    return {
        (index, span): expectation.relevance
        for index, expectation in enumerate(expected)
        if expectation.relevance > 0
        for span in range(max(1, len(expectation.spans)))
    }


def is_whole_source(wanted: Expectation) -> bool:
    """Whether the expectation names a source and no place in it."""
    return not wanted.spans and wanted.page is None and wanted.section is None


def find_covered_items(piece: SourceRange, expected: Sequence[Expectation]) -> list[Item]:
    """The places of a question that a piece covers."""
    return [
        (index, span)
        for index, expectation in enumerate(expected)
        if expectation.relevance > 0 and expectation.source == piece.source
        for span in range(max(1, len(expectation.spans)))
        if _covers(piece, expectation, span)
    ]


def covers_span(piece: tuple[int, int], span: tuple[int, int]) -> bool:
    """Whether a chunk or quote at [start, end) shares enough with a span to count as found."""
    shared = min(piece[1], span[1]) - max(piece[0], span[0])
    return shared > 0 and shared >= LEAST_SHARE * min(span[1] - span[0], piece[1] - piece[0])


def _covers(piece: SourceRange, wanted: Expectation, span: int) -> bool:
    if wanted.spans:
        return covers_span((piece.start, piece.end), wanted.spans[span])
    if is_whole_source(wanted):
        return True
    return any(_lies_there(spot, wanted) for spot in piece.spots)


def _lies_there(spot: Spot, wanted: Expectation) -> bool:
    page, headings = spot
    if wanted.page is not None and page != wanted.page:
        return False
    return wanted.section is None or any(
        same_section(wanted.section, heading) for heading in headings
    )


@lru_cache(maxsize=10_000)
def same_section(wanted: str, heading: str) -> bool:
    """Whether a heading is the wanted section, by its number, its name or both.

    ``3.2 Intervals``, ``3.2``, ``§3.2`` and ``Intervals`` all mean the heading "3.2 Intervals".
    """
    wanted, heading = (" ".join(text.casefold().split()).lstrip("§ ") for text in (wanted, heading))
    number, _, name = heading.partition(" ")
    if not _NUMBER.fullmatch(number):
        return wanted == heading
    return wanted in (heading, name) or wanted.rstrip(".") == number.rstrip(".")


def locate_chunk(chunk: Chunk, source: str) -> SourceRange:
    """The place of a chunk; its spots are those of its blocks."""
    section = chunk.heading_path[-1] if chunk.heading_path else None
    return SourceRange(chunk.id, source, chunk.start, chunk.end, _spots(chunk.blocks), section)


def locate_quote(quote: Quote, chunk: Chunk, source: str) -> SourceRange:
    """The place of a quote; its spots are those of the blocks that it touches."""
    touched = [
        block for block in chunk.blocks if block.start < quote.end and quote.start < block.end
    ]
    return SourceRange(chunk.id, source, quote.start, quote.end, _spots(touched), quote.section)


def _spots(blocks: Iterable[Block]) -> tuple[Spot, ...]:
    return tuple(dict.fromkeys((block.page, block.heading_path) for block in blocks))


@dataclass(slots=True)
class Places:
    """The places of a project's chunks, read once and cached; safe for threads.

    With ``count_missing`` an expected place that the index lacks counts as not found.
    """

    workspace: Workspace
    count_missing: bool = False
    _ranges: dict[str, SourceRange] = field(default_factory=dict)
    _sources: dict[str, Source] = field(default_factory=dict)
    _known: dict[Expectation, str | None] = field(default_factory=dict)

    def get_ranges(self, chunk_ids: Sequence[str]) -> list[SourceRange]:
        """The places of chunks in the given order, without chunks that no longer exist."""
        cache = self._ranges
        missing = [chunk_id for chunk_id in chunk_ids if chunk_id not in cache]
        if len(cache) + len(missing) > _CACHED:
            self._ranges = cache = {
                chunk_id: cache[chunk_id] for chunk_id in chunk_ids if chunk_id in cache
            }
        for chunk in self.workspace.store.get_chunks(missing) if missing else ():
            source = self._source(chunk.source_id)
            if source is not None:
                cache[chunk.id] = locate_chunk(chunk, source.path)
        return [cache[chunk_id] for chunk_id in chunk_ids if chunk_id in cache]

    def find_missing(self, wanted: Expectation) -> str | None:
        """Name the expected source or place that the index lacks; None where it has it."""
        if self.count_missing:
            return None
        if wanted not in self._known:
            self._known[wanted] = self._describe_missing(wanted)
        return self._known[wanted]

    def read_span(self, path: str, span: tuple[int, int]) -> str:
        """The words of the index at a span of a source; empty for a source that it lacks."""
        source = self.workspace.store.find_source(path)
        return self.workspace.store.source_text(source.id)[slice(*span)] if source else ""

    def _describe_missing(self, wanted: Expectation) -> str | None:
        source = self.workspace.store.find_source(wanted.source)
        if source is None or source.path != wanted.source:
            return wanted.source
        if wanted.spans:
            length = len(self.workspace.store.source_text(source.id))
            beyond = [span for span in wanted.spans if not 0 <= span[0] < span[1] <= length]
            return f"{wanted.source} [{beyond[0][0]}, {beyond[0][1]})" if beyond else None
        if is_whole_source(wanted):
            return None
        spots = _spots(self.workspace.store.source_blocks(source.id))
        if any(_lies_there(spot, wanted) for spot in spots):
            return None
        section = f" §{wanted.section.lstrip('§ ')}" if wanted.section else ""
        page = f", page {wanted.page}" if wanted.page is not None else ""
        return f"{wanted.source}{section}{page}"

    def _source(self, source_id: str) -> Source | None:
        if source_id not in self._sources:
            source = self.workspace.store.find_source(source_id)
            if source is None:
                return None
            self._sources[source_id] = source
        return self._sources[source_id]
