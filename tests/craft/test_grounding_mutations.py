"""A sentence of a source is exact; with one changed digit it never is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest

from foundry.craft.grounding import verify_statement
from foundry.records import Evidence
from foundry.text.passages import find_passages
from tests.craft.samples import make_evidence

SOURCES = Path(__file__).parents[2] / "examples/dmx-controller/sources"
TEXTS = [path.read_text("utf-8") for path in sorted(SOURCES.rglob("*.[mt][dx]*"))]
EVIDENCE = [make_evidence(text, language="und", type="md") for text in TEXTS]


TEMPLATES = (
    ("en", "Unit {code} of batch {year}-{three} draws {amount} mA at {volts} V since {day} March {year}."),
    ("en", "In {year} the {code} passed {three} of {thousands} tests, or {share}%, at {clock}."),
    ("nl", "De {code} weegt {amount} kg en kost € {volts} sinds {day}-03-{year}; zie § {day}.{three}."),
    ("nl", "Versie {day}.{volts} van {year} telt {thousands} regels in {three} bestanden om {clock}."),
)  # fmt: skip


def _write_sentences(number: int) -> Iterator[tuple[str, str]]:
    """Sentences with numbers in every form, drawn from a fixed seed."""
    draw = Random(20260305)
    for index in range(number):
        language, template = TEMPLATES[index % len(TEMPLATES)]
        mark = "," if language == "nl" else "."
        yield (
            language,
            template.format(
                code=f"{draw.choice(('LC', 'TS', 'RS'))}-{draw.randrange(100, 1000)}-{draw.randrange(10)}",
                year=draw.randrange(1990, 2030),
                three=draw.randrange(100, 1000),
                day=draw.randrange(11, 29),
                amount=draw.randrange(11, 1000),
                volts=f"{draw.randrange(1, 48)}{mark}{draw.randrange(1, 100):02}",
                thousands=f"{draw.randrange(1, 30)}{'.' if language == 'nl' else ','}{draw.randrange(100, 999)}",
                share=f"{draw.randrange(1, 99)}{mark}{draw.randrange(1, 10)}",
                clock=f"{draw.randrange(10, 23)}:{draw.randrange(10, 60)}",
            ),
        )


def _list_sentences(evidence: Evidence) -> Iterator[str]:
    for passage in find_passages(evidence.hit.chunk):
        if passage.kind in {"paragraph", "list_item"} and len(passage.text.split()) > 3:
            yield passage.text


def _change_digits(text: str) -> Iterator[str]:
    """At each digit: none of it, the next one, and one that is far off."""
    for match in re.finditer(r"\d", text):
        others = {0, (int(match[0]) + 1) % 10, (int(match[0]) + 5) % 10} - {int(match[0])}
        for digit in sorted(others):
            yield f"{text[: match.start()]}{digit}{text[match.end() :]}"


def _count_exact(evidence: Evidence, sentences: Iterable[str], language: str) -> tuple[int, int]:
    """How many sentences with one changed digit were tried, and how many of them are exact."""
    changed = [one for sentence in sentences for one in _change_digits(sentence)]
    found = [verify_statement(one, [evidence], language).verdict for one in changed]
    return len(changed), found.count("exact")


def test_no_quote_of_the_example_with_one_changed_digit_is_exact() -> None:
    counts = [_count_exact(item, _list_sentences(item), "und") for item in EVIDENCE]
    assert (sum(n for n, _ in counts) > 750, sum(exact for _, exact in counts)) == (True, 0)


@pytest.mark.parametrize("language", ["en", "nl"])
def test_no_number_in_any_form_with_one_changed_digit_is_exact(language: str) -> None:
    texts = [text for code, text in _write_sentences(60) if code == language]
    counts = [
        _count_exact(make_evidence(text, language=language), [text], language) for text in texts
    ]
    assert (sum(n for n, _ in counts) > 1_700, sum(exact for _, exact in counts)) == (True, 0)


def test_every_sentence_of_a_source_is_exact() -> None:
    missed = [
        sentence
        for evidence in EVIDENCE
        for sentence in _list_sentences(evidence)
        if verify_statement(sentence, [evidence], "und").verdict != "exact"
        and not sentence.rstrip("*_ ").endswith(("?", ":"))
    ]
    assert missed == []
