"""Nouns as they go on in a question: their article, their capital, the name of their source.

Dutch and English only. Which article a Dutch noun has is guessed from its ending and a short
list of common technical nouns; a compound has the article of its last part.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from foundry.records import Source
from foundry.text.headings import strip_number


def listed(words: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(words.split())


LANGUAGES: Final = ("nl", "en")
DONE_NL: Final = listed(
    """
    aanpassen aansluiten afspelen bedienen beveiligen bijwerken controleren drukken
    herstellen indrukken inschakelen installeren instellen kiezen koppelen monteren
    ontvangen openen opslaan plaatsen programmeren reinigen schoonmaken starten terugzetten
    testen toevoegen uitschakelen verbinden vervangen verwijderen wijzigen wissen
    """
)
"""Dutch infinitives that headings of instructions end in."""

DONE_EN: Final[Mapping[str, str]] = {
    "adding": "add", "adjusting": "adjust", "changing": "change", "checking": "check",
    "choosing": "choose", "cleaning": "clean", "closing": "close", "configuring": "configure",
    "connecting": "connect", "creating": "create", "disabling": "disable", "editing": "edit",
    "enabling": "enable", "installing": "install", "mounting": "mount", "opening": "open",
    "ordering": "order", "recording": "record", "removing": "remove", "replacing": "replace",
    "resetting": "reset", "restoring": "restore", "setting": "set", "starting": "start",
    "storing": "store", "switching": "switch", "testing": "test", "updating": "update",
    "using": "use", "wiring": "wire",
}  # fmt: skip
"""English gerunds that headings of instructions begin with → the verb."""

_SHORTEST_TITLE = 8
_VERSION = re.compile(
    r",?\s+(?:rev(?:ision|isie)?\.?|versie|version|v|issue|uitgave|editie)\s*[\w.]{1,8}$",
    re.IGNORECASE,
)
_DOCUMENTS = (
    "handleiding", "gids", "rapport", "gegevensblad", "datasheet", "data sheet", "manual", "guide",
    "report", "bulletin", "introductie", "presentatie", "stuklijst", "lijst", "specificatie",
    "specification", "overzicht", "wijzigingen", "plan", "procedure", "instructie", "brochure",
    "handbook", "contract", "notes", "catalogus", "catalogue", "verslag", "notitie",
)  # fmt: skip

_HET = listed(
    """
    aantal adres apparaat artikelnummer bedrag beeld begin beheer bereik bericht bestand
    bevel budget contact contract deel display doel einde formaat gebied gebruik geheugen
    geluid gevaar gewicht huis interval jaar kanaal kenmerk koper land licht logboek
    materiaal menu merk model moment netwerk niveau nummer onderhoud oppervlak percentage
    plan product programma protocol punt rapport register relais rendement resultaat scherm
    serienummer signaal slot systeem tarief tempo toerental toestel type uur verbruik
    verlies vermogen verschil volume voorbeeld wachtwoord werk woord
    """
)
_HET_ENDS = ("je", "isme", "ment", "sel", "um")
_DE_ENDS = ("ing", "heid", "teit", "tie", "sie", "ij", "age", "ie", "iek", "uur", "theek")
_PLURAL = ("en", "ers", "els", "ens", "jes", "'s", "ors", "eurs", "ants")
_SINGULAR = ("is", "us", "teken", "leven", "gegeven", "vermogen", "geheugen", "adres", "proces")
_BREAKS = re.compile(
    r"\b(?:aan|bij|binnen|door|in|met|na|naar|om|onder|op|over|per|sinds|te|ten|tijdens|tot|tussen"
    r"|uit|van|vanaf|volgens|voor|zonder)\b|[(,:;/]"
)
_WORD = re.compile(r"[^\W\d_][\w-]*")
_ARTICLE: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(
        r"(?:the|a|an|each|every|all|both|any|no|this|these|its|your)\s", re.IGNORECASE
    ),
    "nl": re.compile(
        r"(?:de|het|een|elke|elk|iedere|ieder|alle|beide|geen|deze|dit|uw)\s", re.IGNORECASE
    ),
}
_BOUNDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "min": "minimum", "max": "maximum", "typ": "typical", "nom": "nominal",
        "minimum": "minimum", "maximum": "maximum", "typical": "typical", "nominal": "nominal",
        "default": "default",
    },
    "nl": {
        "min": "minimale", "max": "maximale", "typ": "typische", "nom": "nominale",
        "minimum": "minimale", "maximum": "maximale", "minimaal": "minimale",
        "maximaal": "maximale", "typisch": "typische", "nominaal": "nominale",
        "standaard": "standaard ingestelde",
    },
}  # fmt: skip


def lowered(text: str) -> str:
    """Without the capital of a sentence's first word; names and identifiers keep theirs."""
    first = text.split(" ", 1)[0]
    keeps = any(letter.isdigit() or letter.isupper() for letter in first[1:]) or len(first) == 1
    return text if keeps and first.lower() != "a" else text[:1].lower() + text[1:]


def is_identifier(text: str) -> bool:
    """``U3``, ``X1.1``, ``LC-512``, ``E05``: a name of letters and digits."""
    return bool(re.fullmatch(r"(?=\S*\d)(?=\S*[A-Za-z])[\w.,/+-]+", text))


def is_plural(noun: str, language: str) -> bool:
    """Whether a noun phrase most likely stands for several."""
    head = _head(noun, language)
    if language == "en":
        return head.endswith("s") and not head.endswith(("ss", "us", "is"))
    return head.endswith(_PLURAL) and not head.endswith(_SINGULAR)


def is_activity(phrase: str, language: str) -> bool:
    """``Stof verwijderen van de sleuven``, ``Cleaning the vents``: what is done, not a thing."""
    words = phrase.casefold().split()
    if language == "en":
        return bool(words) and words[0] in DONE_EN
    return any(word in DONE_NL for word in words[:3])


def in_brackets(name: str) -> str:
    """``Refresh rate, 512 slots`` → ``Refresh rate (512 slots)``, so that it can go on."""
    head, comma, rest = name.partition(", ")
    return f"{head} ({rest})" if comma and "(" not in name else name


def with_article(noun: str, language: str) -> str:
    """``supply voltage`` → ``the supply voltage``; ``Vermogen`` → ``het vermogen``."""
    plain = lowered(noun)
    if _ARTICLE[language].match(f"{plain} ") or is_identifier(plain.split(" ", 1)[0]):
        return plain
    return f"{_article(plain, language)} {plain}"


def bound_of(label: str, language: str) -> str | None:
    """``Max.`` → ``maximum``; None for a column that is no bound."""
    return _BOUNDS[language].get(label.strip().lower().rstrip("."))


def bounded(noun: str, bound: str, language: str) -> str:
    """``maximum`` and ``Input current`` → ``the maximum input current``."""
    return f"{_article(noun, language)} {bound} {lowered(noun)}"


def names_of(sources: Sequence[Source]) -> dict[str, str]:
    """Path → what each source is called in a question, short where that tells it from the others.

    ``LC-512 - Data sheet, Rev. A`` is the data sheet, unless there is another of it.
    """
    short = {source.path: _short_title(source.title) for source in sources}
    bare = {path: _VERSION.sub("", name) for path, name in short.items()}
    times = Counter(name.casefold() for name in bare.values())
    return {path: name if times[name.casefold()] == 1 else short[path]
            for path, name in bare.items()}  # fmt: skip


def document(name: str, language: str) -> str:
    """``Data sheet, Rev. A`` → ``the data sheet Rev. A``; a name of its own stays as it is."""
    first = name.split(" ", 1)[0].casefold().strip(",.:")
    opening = " ".join(name.casefold().replace(",", "").split(" ")[:2])
    if first.endswith(_DOCUMENTS) or opening.endswith(_DOCUMENTS):
        return with_article(name.replace(", ", " "), language)
    return name


def according_to(question: str, name: str, language: str) -> str:
    """The question about one source: ``… according to the data sheet Rev. B?``"""
    joins = "according to" if language == "en" else "volgens"
    return f"{question.rstrip('? ')} {joins} {document(name, language)}?"


def _short_title(title: str) -> str:
    """The last part of a title, as it is called where the reader knows the product."""
    parts = [part.strip() for part in re.split(r"\s+[-–—|]\s+", title) if part.strip()]
    name = parts[-1] if parts and len(parts[-1]) >= _SHORTEST_TITLE else title.strip()
    head = name.split(": ", 1)[0]
    return head if len(head) >= _SHORTEST_TITLE else name


def subject_of_heading(heading: str) -> str:
    """A heading without number and without what stands in brackets after it."""
    return re.sub(r"\s*\([^)]*\)\s*$", "", strip_number(heading)).strip(" .:")


def _article(noun: str, language: str) -> str:
    if language == "en":
        return "the"
    if is_plural(noun, language):
        return "de"
    head = _head(noun, language)
    if head in _HET:
        return "het"
    if head.endswith(_DE_ENDS) and not head.endswith(tuple(_HET)):
        return "de"
    return "het" if head.endswith(_HET_ENDS) or _ends_in_het(head) else "de"


def _ends_in_het(head: str) -> bool:
    return any(head.endswith(noun) for noun in _HET if len(noun) >= 4)


def _head(noun: str, language: str) -> str:
    """The noun itself: in Dutch and English the last word before a preposition."""
    if language == "en":
        noun = re.split(
            r"\b(?:of|in|at|on|for|from|to|per|with|by|between|during)\b|[(,:;/]", noun
        )[0]
    else:
        noun = _BREAKS.split(noun)[0]
    words = _WORD.findall(noun)
    return words[-1].lower() if words else noun.lower()
