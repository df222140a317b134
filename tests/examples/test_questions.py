"""Every label in ``questions.jsonl`` is right about the sources of the example project."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from examples.build_example import CONTENT, HERE, SOURCES, content_files, read_about
from examples.kit.manuscript import (
    Figure,
    Heading,
    Listing,
    Mark,
    Notice,
    Paragraph,
    Part,
    Table,
    number_headings,
    read_front_matter,
    read_manuscript,
)
from tests.examples.extracted_text import pdf_pages

QUESTIONS: list[dict[str, Any]] = [
    json.loads(line) for line in (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]
ANSWERABLE = [question for question in QUESTIONS if question["answerable"]]
KINDS = {
    True: {"fact", "table", "transcript", "parts", "small_file", "cross_language"},
    False: {"near_miss", "off_topic"},
}
CONTENT_OF = {f"sources/{read_about(path)['target']}": path for path in content_files()}
# What near-misses ask for; were one to enter a source, its label would be wrong.
ABSENT = {
    "weight",
    "weegt",
    "gewicht",
    "poe",
    "mtbf",
    "lc-1024",
    "lc-256",
    "lc-512-hv",
    "wifi",
    "zeeniveau",
    "altitude",
    "directeur",
    "medewerkers",
    "e12",
    "telefoonnummer",
    "trilling",
    "trillingsproef",
    "vibration",
    "frans",
    "kilowattuur",
    "fcc",
    "mac",
    "knx",
    "dali",
    "salt",
    "chief",
    "buigradius",
    "rendement",
    "efficiency",
    "seats",
    "programming",
    "afstandsbediening",
    "app",
}


def by_id(question: dict[str, Any]) -> str:
    return str(question["id"])


def test_there_are_enough_of_each_sort() -> None:
    sorts = Counter((question["answerable"], question["language"]) for question in QUESTIONS)
    assert all(
        sorts[answerable, language] >= 30
        for answerable in (True, False)
        for language in ("nl", "en")
    )
    kinds = Counter(question["kind"] for question in QUESTIONS)
    assert kinds["near_miss"] >= kinds["off_topic"] >= 30
    assert kinds["cross_language"] >= 20


def test_ids_and_texts_are_unique() -> None:
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS)
    assert len({question["text"].lower() for question in QUESTIONS}) == len(QUESTIONS)


@pytest.mark.parametrize("question", QUESTIONS, ids=by_id)
def test_question_has_the_agreed_shape(question: dict[str, Any]) -> None:
    needed = {"id", "text", "language", "answerable", "kind"}
    more = {"source", "answer"} if question["answerable"] else set()
    optional = {"section", "page", "time", "also"} if question["answerable"] else set()
    assert needed | more <= question.keys() <= needed | more | optional
    assert question["kind"] in KINDS[question["answerable"]]
    assert question["language"] in {"nl", "en"}


@pytest.mark.parametrize("question", ANSWERABLE, ids=by_id)
def test_answer_is_in_the_named_section(question: dict[str, Any]) -> None:
    text = _section_text(question["source"], question.get("section"))
    missing = [word for word in _words(question["answer"]) if word not in _words(text)]
    assert not missing


@pytest.mark.parametrize("question", [q for q in ANSWERABLE if "page" in q], ids=by_id)
def test_answer_is_on_the_named_page(question: dict[str, Any]) -> None:
    page = _pages(question["source"])[question["page"] - 1]
    assert set(_words(question["answer"])) <= set(_words(page))


@pytest.mark.parametrize("question", [q for q in ANSWERABLE if "time" in q], ids=by_id)
def test_answer_is_spoken_at_the_named_time(question: dict[str, Any]) -> None:
    minutes, seconds = divmod(question["time"], 60)
    lines = re.split(r"\n(?=\[|\d\d:)", _read(question["source"]))
    cue = next(line for line in lines if f"00:{minutes:02}:{seconds:02}" in line[:10])
    assert set(_words(question["answer"])) <= set(_words(cue))


@pytest.mark.parametrize("question", [q for q in ANSWERABLE if "also" in q], ids=by_id)
def test_other_sources_named_have_the_same_figures(question: dict[str, Any]) -> None:
    figures = {word for word in _words(question["answer"]) if word[0].isdigit()}
    assert all(figures <= set(_words(_section_text(path, None))) for path in question["also"])


def test_cross_language_questions_differ_from_the_language_of_their_source() -> None:
    dutch = (
        "handleiding",
        "rapporten",
        "metingen",
        "firmware",
        "overleg",
        "stuklijst",
        "sales",
        "support",
    )
    wrong = [
        question["id"]
        for question in ANSWERABLE
        if (question["kind"] == "cross_language")
        != (
            ("nl" if any(name in question["source"] for name in dutch) else "en")
            != question["language"]
        )
    ]
    assert not wrong


def test_what_near_misses_ask_for_is_in_no_source() -> None:
    paths = [
        f"sources/{path.relative_to(SOURCES)}" for path in SOURCES.rglob("*") if path.is_file()
    ]
    words = {word for path in paths for word in _words(_section_text(path, None))}
    assert words & ABSENT == set()


def _words(text: str) -> list[str]:
    """Words in lower case, decimal commas as points, so that 2,5 and 2.5 agree."""
    plain = re.sub(r"(?<=\d),(?=\d)", ".", text.lower())
    return re.findall(r"[^\W_]+(?:[.\-'][^\W_]+)*", plain)


@cache
def _read(source: str) -> str:
    return (SOURCES.parent / source).read_text(encoding="utf-8")


@cache
def _pages(source: str) -> list[str]:
    return pdf_pages((SOURCES.parent / source).read_bytes())


@cache
def _section_text(source: str, section: str | None) -> str:
    """A section's own text, or the whole source without one; fails on an unknown section."""
    sections = _sections(source)
    if section is None:
        return "\n".join(sections.values())
    return sections[section]


@cache
def _sections(source: str) -> dict[str, str]:
    content = CONTENT_OF.get(source)
    if content is None:
        return _plain_sections(source)
    if content.suffix == ".yaml":
        about = read_about(content)
        sheets = {"Stuklijst": about["parts"], "Leveranciers": about["suppliers"]}
        return {
            name: "\n".join(str(cell) for row in rows for cell in row)
            for name, rows in sheets.items()
        }
    if source.endswith(".eml"):
        return {"": read_front_matter(content.read_text(encoding="utf-8"))[1]}
    numbered = not source.endswith(".pptx")
    sections: dict[str, str] = {}
    for title, part in number_headings(read_manuscript(content).parts):
        name = title if numbered else title.split(" ", 1)[-1]
        sections[name] = sections.get(name, "") + "\n" + _part_text(part)
    return sections


def _plain_sections(source: str) -> dict[str, str]:
    text = _read(source)
    heading = {".md": r"^#{1,6} (.+)$", ".html": r"<h[12]>(.+?)</h[12]>"}.get(Path(source).suffix)
    if heading is None:
        return {"": text}
    pieces = re.split(heading, text, flags=re.MULTILINE)
    plain = [re.sub(r"<[^>]+>", " ", piece) for piece in pieces[1:]]
    return dict(zip(plain[::2], plain[1::2], strict=True))


def _part_text(part: Part) -> str:
    match part:
        case Paragraph(runs):
            return "".join(text for text, _ in runs)
        case Listing(items=items):
            return "\n".join("".join(text for text, _ in item) for item in items)
        case Table(header, rows):
            return "\n".join(" ".join(row) for row in (header, *rows))
        case Notice(text=text) | Heading(text=text) | Mark(text=text) | Figure(caption=text):
            return text


def test_content_folder_is_where_the_tests_look() -> None:
    assert CONTENT.is_dir()
    assert len(CONTENT_OF) == len(content_files())
