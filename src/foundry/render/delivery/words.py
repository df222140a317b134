"""The words around the chapters, in Dutch and English, and how dates and shares are written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class DeliveryWords:
    """Every word of a document that no draft brings."""

    language: str
    months: tuple[str, ...]
    contents: str
    skip: str
    made_with: str
    date: str
    project: str
    chapter: str
    owner: str
    approved: str
    accepted: str
    by_on: str
    page_of: str
    stale: str
    stale_why: str
    stale_chapter: str
    notes: str
    back: str
    sources: str
    sources_why: str
    path: str
    title: str
    revision: str
    coverage: str
    coverage_why: str
    section: str
    sentences: str
    supported: str
    shown: str
    remark: str
    conflicts: str
    no_conflicts: str
    holds: str
    undecided: str
    superseded: str
    approvals: str
    approvals_why: str
    written: str
    note: str


ENGLISH = DeliveryWords(
    language="en",
    months=(
        "January", "February", "March", "April", "May", "June", "July", "August",
        "September", "October", "November", "December",
    ),
    contents="Contents",
    skip="Skip to the text",
    made_with="Made with",
    date="Date",
    project="Project",
    chapter="Chapter",
    owner="Owner",
    approved="Specification approved",
    accepted="Text accepted",
    by_on="{by}, {date}",
    page_of="Page {page} of {pages}",
    stale="Out of date",
    stale_why="This document was built although the following changed after its text was written:",
    stale_chapter="This chapter may be out of date:",
    notes="Notes",
    back="Back to the text",
    sources="Source register",
    sources_why=(
        "Every source that the text cites, as it was when the text was written. The SHA-256 "
        "identifies the exact file."
    ),
    path="File",
    title="Title",
    revision="Revision",
    coverage="Coverage and conflicts",
    coverage_why=(
        "“As written” is the share of sentences that had a verified source before anything was "
        "removed; “as shown” is the same share of the sentences that stand in this document."
    ),
    section="Section",
    sentences="Sentences",
    supported="As written",
    shown="As shown",
    remark="Remark",
    conflicts="Conflicts between sources",
    no_conflicts="No conflicts between sources were found.",
    holds="Followed: {value}. Decided by {rule}.",
    undecided="Nothing decides which of the two holds.",
    superseded="{value} holds: it stands in the later revision ({rule}).",
    approvals="Approval and acceptance",
    approvals_why="Who approved each specification, and who accepted the text that was written.",
    written="Text written",
    note="Remark of the reviewer",
)  # fmt: skip

DUTCH = DeliveryWords(
    language="nl",
    months=(
        "januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus",
        "september", "oktober", "november", "december",
    ),
    contents="Inhoud",
    skip="Naar de tekst",
    made_with="Gemaakt met",
    date="Datum",
    project="Project",
    chapter="Hoofdstuk",
    owner="Eigenaar",
    approved="Specificatie goedgekeurd",
    accepted="Tekst aanvaard",
    by_on="{by}, {date}",
    page_of="Pagina {page} van {pages}",
    stale="Verouderd",
    stale_why=(
        "Dit document is gemaakt hoewel het volgende veranderde nadat de tekst geschreven was:"
    ),
    stale_chapter="Dit hoofdstuk kan verouderd zijn:",
    notes="Noten",
    back="Terug naar de tekst",
    sources="Bronnenregister",
    sources_why=(
        "Elke bron die de tekst aanhaalt, zoals die was toen de tekst geschreven werd. De SHA-256 "
        "wijst het precieze bestand aan."
    ),
    path="Bestand",
    title="Titel",
    revision="Revisie",
    coverage="Dekking en tegenspraken",
    coverage_why=(
        "“Als geschreven” is het deel van de zinnen dat een gecontroleerde bron had voordat er iets "
        "verwijderd werd; “als getoond” is dat deel van de zinnen die in dit document staan."
    ),
    section="Paragraaf",
    sentences="Zinnen",
    supported="Als geschreven",
    shown="Als getoond",
    remark="Opmerking",
    conflicts="Tegenspraken tussen bronnen",
    no_conflicts="Er zijn geen tegenspraken tussen bronnen gevonden.",
    holds="Gevolgd: {value}. Beslist door {rule}.",
    undecided="Niets beslist welke van de twee geldt.",
    superseded="{value} geldt: het staat in de latere revisie ({rule}).",
    approvals="Goedkeuring en aanvaarding",
    approvals_why=(
        "Wie elke specificatie heeft goedgekeurd, en wie de geschreven tekst heeft aanvaard."
    ),
    written="Tekst geschreven",
    note="Opmerking van de beoordelaar",
)  # fmt: skip


def get_words(language: str) -> DeliveryWords:
    """Dutch for "nl", English for every other language."""
    return DUTCH if language == "nl" else ENGLISH


def format_day(when: datetime, words: DeliveryWords) -> str:
    """``5 March 2026``, in the time zone that ``when`` has."""
    return f"{when.day} {words.months[when.month - 1]} {when.year}"


def format_share(value: float | None) -> str:
    """``98%``, rounded down so that 100% means all; a dash where there is nothing to count."""
    return "–" if value is None else f"{math.floor(value * 100 + 1e-9)}%"
