"""The names that a document is about: organisations, products, type numbers, defined names.

Found by how documents introduce them: a run of capitals before a legal form ("Foot Locker, Inc."),
a label on the first page ("Supplier: …"), an identifier in the title, and definitions anywhere:
``(the "Company")``, "hierna te noemen: Opdrachtgever", ``Algemene ouderdomswet (AOW)``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter

from foundry.analysis import fold
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import Block, DocumentName, NameKind, NamePlace
from foundry.text.names import find_names

_LEXICON = load_shared_lexicon()
_WORDS = _LEXICON.names
MOST_NAMES = 100
"""Most names of one document; contracts define some dozens. A guess."""
_SCANNED = 1_000_000
"""Characters searched for definitions, some 500 pages: they are at the front. A guess."""
_LONGEST = 8
"""Words of a name. A guess."""
_BEFORE = 200
"""Characters before a definition in which its name is looked for. A guess."""

_FORMS = "|".join(
    r"\.?".join(map(re.escape, form)) if len(form) <= 4 else re.escape(form)
    for form in sorted(_WORDS.legal_forms, key=len, reverse=True)
)
_FORM = re.compile(
    rf"(?<![\w.-])(?:(?:{_FORMS})\b\.?|(?P<plain>{'|'.join(sorted(_WORDS.plain_legal_forms))}))(?![\w-])",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?P<label>[^:|\n]{3,40}?)\s*[:|][\s|]*(?P<value>[^|\n:]{2,80})")
_SENTENCE_END = re.compile(r"(?<=[a-z]{3}[.;])\s")
_PARENTHESIS = re.compile(r"\(([^()\n]{2,120})\)")
_QUOTED = re.compile(r"[\"“”„«‘'’]([^\"“”„«»‘’]{2,40}?),?[\"“”»’'](?!\w)")
_MARKER = build_alternation(_WORDS.alias_markers)
_MARKED = re.compile(
    rf"(?i:\b{_MARKER}\s*:?\s*(?:{build_alternation(_LEXICON.general.articles)}\s+)?)"
    r"[\"“„‘']?(?P<alias>[^\W\d_a-z][\w-]*(?:\s[^\W\d_a-z][\w-]*){0,3})"
)
_OPENING = re.compile(
    rf"\s*(?:(?:{_MARKER}|{build_alternation(_LEXICON.general.articles)})\b[\s:,]*)*"
    r"[\"“„‘'](?=\S)",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(r"[^\W\d_](?:[\w&/-]*[A-Z])[\w&/-]{0,3}")
_TOKEN = re.compile(r"[^\s()\[\]\"“”„|;:☐☒☑]+")
_LINKS = frozenset({"&"}).union(
    _LEXICON.documents.name_particles, _LEXICON.general.articles, _LEXICON.dates.of
)


@dataclass(slots=True)
class _Found:
    """The names so far, by their folded form, in the order of their first place."""

    names: dict[str, DocumentName] = field(default_factory=dict)

    def add(
        self,
        name: str,
        kind: NameKind,
        aliases: Sequence[str] = (),
        place: NamePlace = "front",
        page: int | None = None,
    ) -> None:
        name = " ".join(name.split()).strip(" ,;:-–")
        key = fold(name).rstrip(".")
        if not key or (key not in self.names and len(self.names) >= MOST_NAMES):
            return
        known = self.names.setdefault(key, DocumentName(name, kind, (), place, page))
        if name.isupper() < known.name.isupper():
            known = replace(known, name=name)
        kept = dict.fromkeys((*known.aliases, *(alias for alias in aliases if fold(alias) != key)))
        self.names[key] = replace(known, aliases=tuple(kept))


def find_document_names(text: str, blocks: Sequence[Block], title: str) -> tuple[DocumentName, ...]:
    """The names that a document is about, those of its title and first page first.

    ``title`` is the title of the document; at most ``MOST_NAMES`` are returned.
    """
    found = _Found()
    front = [text[block.start : block.end] for block in find_front(blocks)]
    for place in (title, *front):
        for line in place.split("\n"):
            for organisation in find_organisations(line, plain=is_organisation(line)):
                found.add(organisation, "organisation", list(_shorten(organisation)))
            for kind, value in _find_labelled(line):
                found.add(value, kind)
    for name in find_names(title):
        form = _LEXICON.documents.form_words & set(fold(title[: name.start]).split()[-1:])
        shaped = any(char.isdigit() for char in name.text) or re.search(r"[a-z][A-Z]", name.text)
        if name.identifier and shaped and not form:
            found.add(name.text, "identifier")
    starts = [block.start for block in blocks]
    definitions = _find_definitions(text[:_SCANNED])
    for position, meant, kind, alias in sorted(definitions, key=itemgetter(0)):
        block = blocks[max(bisect_right(starts, position) - 1, 0)] if blocks else None
        found.add(meant, kind, [alias], "text", block.page if block else None)
    return tuple(found.names.values())


FRONT_BLOCKS = 60
"""Blocks that may belong to the front of a document: a title page and a revision table."""


def find_front(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of the first page, or without pages the first ones, up to the second heading."""
    front: list[Block] = []
    for block in blocks[:FRONT_BLOCKS]:
        if block.page not in {None, 1}:
            break
        # Without pages, sections say where the title page ends.
        if block.page is None and block.kind == "heading" and len(front) > 1:
            break
        front.append(block)
    return front


def find_organisations(line: str, *, plain: bool = False) -> Iterator[str]:
    """The names with a legal form in a line, such as Inc.; if ``plain``, with "Company" too."""
    for form in _FORM.finditer(line):
        if not form[0][0].isupper() or (form["plain"] and not plain):
            continue
        words = _walk_back(line[: form.start()])
        name = line[words : form.end()].strip()
        if words < form.start() and fold(line[words : form.start()]).strip(" ,") not in _LINKS:
            yield name


def is_organisation(line: str) -> bool:
    """Whether a line says nothing but the name of an organisation."""
    return any(len(name) >= len(line.strip()) - 1 for name in find_organisations(line, plain=True))


def _walk_back(before: str) -> int:
    """Where the run of capitalised words at the end of a text begins; its length if there is none."""
    start, taken = len(before), 0
    pending = len(before)
    for token in reversed(list(_TOKEN.finditer(before))):
        word = token[0]
        # Only the comma before a legal form belongs to a name.
        ends = word[-1] in ",.;" and not (taken == 0 or re.search(r"\.\w|^[^\W\d]\.$", word))
        if ends or taken >= _LONGEST or before[token.end() : pending].strip(" \t,"):
            break
        if word[0].isupper() or (word[0].isdigit() and taken and not word.isdigit()):
            start, taken = token.start(), taken + 1
        elif fold(word) not in _LINKS or not taken:
            break
        pending = token.start()
    return start


def _shorten(organisation: str) -> Iterator[str]:
    """The name without its legal form: "Foot Locker"."""
    forms = list(_FORM.finditer(organisation))
    short = organisation[: forms[-1].start()].strip(" ,") if forms else ""
    if short and short != organisation:
        yield short.removeprefix("The ").strip()


def _find_labelled(line: str) -> Iterator[tuple[NameKind, str]]:
    """The value of a line whose label names a party or a product: "Supplier: Meridian"."""
    match = _LABEL.fullmatch(line)
    if not match or len(match["value"].split()) > _LONGEST or not match["value"][0].isupper():
        return
    label = fold(match["label"]).strip(" .*#")
    if label in _WORDS.organisation_labels:
        yield "organisation", match["value"]
    elif label in _WORDS.product_labels:
        yield "product", match["value"]


def _find_definitions(text: str) -> Iterator[tuple[int, str, NameKind, str]]:
    """Every defined alias: its place, the name in full, its kind and the alias."""
    for match in _PARENTHESIS.finditer(text):
        before = _cut_clause(text, match.start())
        if _OPENING.match(match[1]):
            aliases = [_strip_article(quoted).strip(" ,.") for quoted in _QUOTED.findall(match[1])]
        elif _ABBREVIATION.fullmatch(match[1]):
            aliases = [match[1]]
        else:
            continue
        for alias in aliases:
            for name, kind in _find_defined(before, alias, quoted=aliases != [match[1]]):
                yield match.start(), name, kind, alias
    for match in _MARKED.finditer(text):
        for name, kind in _find_defined(_cut_clause(text, match.start()), match["alias"]):
            yield match.start(), name, kind, match["alias"]


def _strip_article(words: str) -> str:
    first, _, rest = words.partition(" ")
    return rest if first.lower() in _LEXICON.general.articles else words


def _cut_clause(text: str, end: int) -> str:
    """The text of the sentence in front of a place, without the mark that opens a definition."""
    before = text[max(text.rfind("\n", 0, end) + 1, end - _BEFORE, 0) : end]
    return _SENTENCE_END.split(before)[-1].rstrip(' ,:;("“')


def _find_defined(
    before: str, alias: str, *, quoted: bool = True
) -> Iterator[tuple[str, NameKind]]:
    """What an alias is short for in the text before it, at most one name."""
    short = sum(char.isupper() for char in alias) > 1 and " " not in alias
    long = _match_initials(alias, before) if short else None
    if long:
        yield long, "abbreviation"
        return
    head = alias.rpartition(" ")[2]
    said = list(re.finditer(rf"\b{re.escape(head)}\b", before, re.IGNORECASE))
    for organisation in list(find_organisations(before, plain=True))[-1:]:
        rest = before[before.rfind(organisation) + len(organisation) :]
        named = fold(organisation)
        # "Meridian Events B.V., gevestigd te Utrecht, hierna te noemen: Opdrachtgever".
        if quoted and (not rest or (rest[0] == "," and not said) or fold(head) in named):
            yield organisation, "organisation"
            return
    bare = before[: said[-1].end()] if said else before
    start = _walk_back(bare)
    if quoted and not short and len(bare[start:].split()) > 1 and len(bare) - start > len(alias):
        yield bare[start:], "term"


def _match_initials(short: str, before: str) -> str | None:
    """The words at the end of a text that an abbreviation stands for, or None.

    Its letters occur in order, the first one at the start of a word, the last one in the last word.
    """
    letters = [letter for letter in fold(short) if letter.isalnum()]
    # Lower case may be longer: such text has no plain initials.
    plain = before.lower() if len(before.lower()) == len(before) else before
    at = len(before)
    for number, letter in enumerate(reversed(letters)):
        at = _find_letter(plain, letter, at, first=number == len(letters) - 1)
        if number == 0 and " " in plain[max(at, 0) :]:
            return None
    while at > 0 and fold(before[at:].partition(" ")[0]) in _LINKS:
        at = _find_letter(plain, letters[0], at, first=True)
    long = before[at:] if at >= 0 else ""
    count = len(long.split())
    fits = 2 <= count <= min(len(letters) + 4, 2 * len(letters)) or (count == 1 and len(long) > 8)
    clean = not re.search(r"[.;:,|()\"“”]", long) or _FORM.search(long)
    return long if len(letters) > 1 and fits and clean else None


def _find_letter(text: str, letter: str, end: int, *, first: bool) -> int:
    """The last place of a letter before ``end``, at the start of a word if ``first``; or -1."""
    at = text.rfind(letter, 0, max(end, 0))
    while first and at > 0 and text[at - 1].isalnum():
        at = text.rfind(letter, 0, at)
    return at
