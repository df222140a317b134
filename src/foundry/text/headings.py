"""Headings that say nothing of their content, or under which a document speaks of itself.

Closed lists of Dutch and English, folded. They decide only how a heading is used, never
whether a sentence is true.
"""

from __future__ import annotations

import re

from foundry.analysis import fold

_GENERIC = frozenset(
    [
        "introduction",
        "overview",
        "general",
        "summary",
        "description",
        "background",
        "notes",
        "remarks",
        "details",
        "conclusion",
        "example",
        "goals",
        "scope",
        "purpose",
        "inleiding",
        "overzicht",
        "algemeen",
        "samenvatting",
        "beschrijving",
        "achtergrond",
        "toelichting",
        "opmerkingen",
        "hulpmiddel",
        "bronnen",
        "conclusie",
        "voorbeeld",
        "doel",
        "omvang",
        "doelen",
    ]
)
_ADMINISTRATIVE = frozenset(
    """
revision history|document history|change history|version history|ordering information|contents
table of contents|colophon|about this document|references|glossary|colofon|inhoud|inhoudsopgave
revisiehistorie|versiegeschiedenis|versiebeheer|wijzigingshistorie|bestelinformatie
over dit document|literatuur|verwijzingen|begrippen|begrippenlijst
""".strip()
    .replace("\n", "|")
    .split("|")
)
_NUMBER = re.compile(r"^(?:[§#]\s*)?(?:\d+|[A-Za-z])(?:\.\d+)*[.)]?\s+")


def strip_number(heading: str) -> str:
    """``3.2 Intervals`` → ``Intervals``."""
    return _NUMBER.sub("", heading).strip()


def is_generic(heading: str) -> bool:
    """True for "Introduction" and its like: what stands below may be about anything."""
    return fold(strip_number(heading)) in _GENERIC


def is_administrative(heading: str) -> bool:
    """True for "Revision history" and its like."""
    return fold(strip_number(heading)) in _ADMINISTRATIVE
