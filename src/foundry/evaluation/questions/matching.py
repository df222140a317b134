"""Which place of the project a file means: its source by path, name or title, its spans by words.

A name that fits no source, or several, stays as it was written: the question is kept, and a
run counts such a source as unknown. What does not stand where it should becomes a notice.
"""

from __future__ import annotations

import bisect
import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath

from foundry.evaluation.questions.rows import NamedPlace
from foundry.records import Block, Expectation, Source
from foundry.workspace import Workspace

MOST_QUOTED = 10
"""KnownSources of a quote that are taken, where a source repeats it."""

_QUOTES = str.maketrans("‘’‚‛′“”„‟″«»‐‑–—−\u00a0", '\'\'\'\'\'"""""""----- ')
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Match:
    """A place in the project, and what was wrong with how it was named.

    ``how`` is empty for a source known by its path, else what it was found by.
    """

    expected: Expectation
    known: bool
    how: str = ""
    problems: tuple[str, ...] = ()


@dataclass
class KnownSources:
    """The sources of a project, looked up by whatever name a file has for them."""

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
        return {_plain(source.path): source for source in self.sources}

    @cached_property
    def _by_name(self) -> dict[str, list[Source]]:
        """File names, and file names without their ending, in lower case."""
        found: dict[str, list[Source]] = {}
        for source in self.sources:
            path = PurePosixPath(_plain(source.path))
            for name in dict.fromkeys((path.name.lower(), path.stem.lower())):
                found.setdefault(name, []).append(source)
        return found

    @cached_property
    def _by_title(self) -> dict[str, list[Source]]:
        found: dict[str, list[Source]] = {}
        for source in self.sources:
            found.setdefault(_folded(source.title), []).append(source)
        return found

    @cached_property
    def _corpus_titles(self) -> Mapping[str, str]:
        return self.titles()

    def find(self, name: str) -> tuple[Source | None, str]:
        """The source that is meant, or None; and how it was found, or why it was not."""
        plain = self._inside(name)
        if plain in self._by_path:
            return self._by_path[plain], ""
        if name.startswith("src_"):
            by_id = next((one for one in self.sources if one.id == name), None)
            if by_id is not None:
                return by_id, ""
        wanted = [part.lower() for part in PurePosixPath(plain).parts]
        named = self._by_name.get(wanted[-1], []) if wanted else []
        if named:
            return _nearest(named, wanted)
        for title in (name, self._corpus_titles.get(name)):
            titled = self._by_title.get(_folded(title), []) if title else []
            if titled:
                return _only(titled, "its title")
        return None, "no source is called so"

    def _inside(self, name: str) -> str:
        """A path as the project writes it, where it may be one."""
        path = _plain(name)
        root = _plain(str(self.workspace.root.absolute()))
        if Path(path).is_absolute() and path.startswith(f"{root}/"):
            path = path[len(root) + 1 :]
        return path

    def text(self, source: Source) -> str:
        """The stored text of a source."""
        if source.id not in self._texts:
            self._texts[source.id] = self.workspace.store.source_text(source.id)
        return self._texts[source.id]

    def holds(self, source: Source, quote: str) -> bool:
        """Whether a source has these words."""
        return bool(find_quote(self.text(source), quote))

    def blocks(self, source: Source) -> list[Block]:
        """The blocks of a source, in reading order."""
        if source.id not in self._blocks:
            self._blocks[source.id] = self.workspace.store.source_blocks(source.id)
        return self._blocks[source.id]

    def match(self, place: NamedPlace) -> Match:
        """The place in the project. Nothing that was named is dropped but spans that cannot be."""
        source, how = self.find(place.source)
        if source is None:
            bare = Expectation(
                place.source, place.spans, place.page, place.section, place.relevance
            )  # fmt: skip
            return Match(bare, known=False, how=how)
        narrowed = Expectation(source.path, (), place.page, place.section, place.relevance)
        problems: list[str] = []
        for step in (self._paged, self._sectioned):
            narrowed, problem = step(source, narrowed)
            problems += problem
        spans = list(self._spans(source, place, narrowed, problems))
        whole = replace(narrowed, spans=tuple(sorted(set(spans))))
        return Match(whole, known=True, how=how, problems=tuple(problems))

    def _paged(self, source: Source, place: Expectation) -> tuple[Expectation, list[str]]:
        if place.page is None:
            return place, []
        if source.pages is None:
            return place, [f"{source.path} has no pages, so page {place.page} says nothing"]
        if 1 <= place.page <= source.pages:
            return place, []
        return place, [f"{source.path} has {source.pages} pages, and no page {place.page}"]

    def _sectioned(self, source: Source, place: Expectation) -> tuple[Expectation, list[str]]:
        """The section under its heading as the source writes it."""
        if place.section is None:
            return place, []
        wanted = _folded(place.section)
        headings = {name for block in self.blocks(source) for name in block.heading_path}
        for same in (_folded, _unnumbered):
            found = sorted(name for name in headings if same(name) == same(wanted))
            if found:
                return replace(place, section=found[0]), []
        return place, [f"{source.path} has no section {place.section!r}"]

    def _spans(
        self, source: Source, place: NamedPlace, narrowed: Expectation, problems: list[str]
    ) -> Iterator[tuple[int, int]]:
        """The spans that were given, those of the quotes, and that of the cue at a time."""
        text = self.text(source)
        fitting = [pair for pair in place.spans if pair[1] <= len(text)]
        if len(fitting) < len(place.spans):
            problems.append(
                f"{source.path} has {len(text):,} letters; spans beyond its end were left out"
            )
        shown = [_words(text[start:end]) for start, end in fitting]
        missing = [quote for quote in place.quotes if _words(quote) not in shown]
        if fitting and missing and len(place.quotes) == len(place.spans):
            # The offsets are of another text of the same document: its words count.
            problems.append(
                f"the spans in {source.path} do not hold the quotes; those were looked for"
            )
            fitting = []
        yield from fitting
        for quote in place.quotes if not fitting else missing:
            found = find_quote(text, quote)
            inside = [pair for pair in found if self._is_in(source, narrowed, pair)] or found
            if not found:
                problems.append(f"{source.path} does not hold the words {_short(quote)}")
            yield from inside[:MOST_QUOTED]
        if place.time is not None:
            yield from self._at(source, place.time, problems)

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

    def _at(self, source: Source, time: float, problems: list[str]) -> Iterator[tuple[int, int]]:
        """The words spoken at a time, in seconds from the start; who notes one leaves parts out."""
        timed = [block for block in self.blocks(source) if block.time_start is not None]
        begins = [math.floor(block.time_start or 0.0) for block in timed]
        at = bisect.bisect_right(begins, time) - 1
        if at < 0:
            problems.append(f"{source.path} has no words at {time:g} seconds")
        else:
            yield timed[at].start, timed[at].end


def find_quote(text: str, quote: str) -> list[tuple[int, int]]:
    """Where exactly these words stand, [start, end) in code points; white space may differ.

    So may the form of quotation marks and dashes, and as a last resort upper and lower case.
    """
    parts = [re.escape(word) for word in _WORD.findall(quote.translate(_QUOTES))]
    if not parts:
        return []
    # One letter for one: places in the translated text are places in the text.
    same = text.translate(_QUOTES)
    for flags in (re.NOFLAG, re.IGNORECASE):
        found = [match.span() for match in re.finditer(r"\s+".join(parts), same, flags)]
        if found:
            return found
    return []


def _nearest(named: Sequence[Source], wanted: Sequence[str]) -> tuple[Source | None, str]:
    """Of sources with a file name those that share most folders with what was written."""
    shared = {one.id: _shared_end(one.path, wanted) for one in named}
    most = max(shared.values())
    best = [one for one in named if shared[one.id] == most]
    parts = len(PurePosixPath(best[0].path).parts)
    # All that either path says agrees: only the folder that it counts from differs.
    if len(best) == 1 and most in (len(wanted), parts):
        return best[0], ""
    return _only(best, "its file name")


def _shared_end(path: str, wanted: Sequence[str]) -> int:
    """How many parts agree from the end; an ending that was left out does not count."""
    parts = [part.lower() for part in PurePosixPath(_plain(path)).parts]
    if wanted[-1] != parts[-1]:
        parts[-1] = PurePosixPath(parts[-1]).stem
    agree = 0
    for one, other in zip(reversed(parts), reversed(wanted), strict=False):
        if one != other:
            break
        agree += 1
    return agree


def _only(found: Sequence[Source], how: str) -> tuple[Source | None, str]:
    if len(found) == 1:
        return found[0], how
    return None, f"{len(found)} sources fit: {', '.join(one.path for one in found[:3])}"


def _plain(path: str) -> str:
    written = unicodedata.normalize("NFC", path.strip().replace("\\", "/"))
    return str(PurePosixPath(written)) if written else ""


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).lstrip("§ ")


def _unnumbered(text: str) -> str:
    return re.sub(r"^(?:\d+(?:\.\d+)*\.?|[a-z]\.\d+)\s+", "", _folded(text))


def _words(text: str) -> str:
    return " ".join(text.translate(_QUOTES).split())


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= 60 else f"{flat[:57]}…")
