"""Passages that come closest: the right place, whole, once, in its exact words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from foundry.craft.excerpts import choose_excerpts
from foundry.messages import Message
from foundry.records import Evidence, Excerpt, SubjectFit
from tests.craft.samples import make_evidence

MANUAL = make_evidence(
    "# 1 Overview\n"
    "The Lumo is a DMX controller for small theatres. It was designed by Anna Jansen in 2024.\n"
    "# 3.2 Power supply\n"
    "The supply voltage is 5 V. The current is at most 1.5 A, because the fuse is small.\n"
    "Contents .......... 12\n"
    "Page 3 of 12\n"
    "# 4 Connections\n"
    "The controller has the following connectors:\n"
    "- two XLR-5 outputs\n"
    "- one USB port\n"
    "- one Ethernet port\n"
    "# 5 Ratings\n"
    "Parameter | Min | Max | Unit\n"
    "Ambient temperature | -20 | 60 | °C\n"
    "Relative humidity | 10 | 90 | %",
    "S1",
    title="Lumo manual",
)
DUTCH = make_evidence(
    "# 2 Onderhoud\nVervang het filter elke zes maanden. De garantie vervalt na twee jaar.",
    "S2", source="onderhoud.md", language="nl",
)  # fmt: skip
LONG = make_evidence(
    "# Pump\n" + " ".join(f"The pump number {n} has a valve of {n} mm." for n in range(90)),
    "S3", source="pumps.md",
)  # fmt: skip


def choose(asked: str, *evidence: Evidence, limit: int = 3, words: int = 120) -> Sequence[Excerpt]:
    return choose_excerpts(asked, evidence or (MANUAL, DUTCH), limit=limit, max_words=words)


def read(excerpt: Excerpt) -> list[str]:
    return [line.text for line in excerpt.lines]


@pytest.mark.parametrize(
    ("question", "nearest"),
    [
        ("What is the supply voltage?", "The supply voltage is 5 V."),
        ("Wanneer vervalt de garantie?", "De garantie vervalt na twee jaar."),
        ("Maximum ambient temperature?", "Ambient temperature; Min: -20; Max: 60; Unit: °C"),
        ("Is there a USB port?", "one USB port"),
    ],
)
def test_the_line_nearest_to_the_question_is_marked(question: str, nearest: str) -> None:
    marked = choose(question)[0].nearest
    assert marked is not None
    assert marked.text == nearest


def test_a_sentence_has_its_neighbours_under_the_same_heading_and_no_others() -> None:
    first = choose("What is the supply voltage?")[0]
    assert first.headings == ("3.2 Power supply",)
    assert read(first) == [
        "The supply voltage is 5 V.",
        "The current is at most 1.5 A, because the fuse is small.",
    ]


def test_the_parts_of_a_section_follow_it_under_their_headings() -> None:
    blocks = make_evidence("# Start\nBegin with the fuse.\n# Check\nLook at the lamp.", "S1")
    chunk = blocks.hit.chunk
    path = {"Start": ("Start",), "Check": ("Start", "Check")}
    nested = tuple(replace(b, heading_path=path[b.heading_path[-1]]) for b in chunk.blocks)
    evidence = replace(blocks, hit=replace(blocks.hit, chunk=replace(chunk, blocks=nested)))
    assert read(choose("fuse", evidence)[0]) == [
        "Begin with the fuse.",
        "Check",
        "Look at the lamp.",
    ]


def test_a_row_has_the_labels_of_its_columns() -> None:
    row = choose("Relative humidity")[0].nearest
    assert row is not None
    assert row.cells[1:] == (("Min", "10"), ("Max", "90"), ("Unit", "%"))


def test_an_item_has_its_siblings_and_the_sentence_that_opens_the_list() -> None:
    assert read(choose("USB port")[0]) == [
        "The controller has the following connectors:",
        "two XLR-5 outputs",
        "one USB port",
        "one Ethernet port",
    ]


def test_steps_keep_their_numbers() -> None:
    steps = make_evidence("# Fuse\nDo this:\n1) Open the lid.\n2) Take the fuse out.", "S1")
    assert read(choose("fuse", steps)[0])[1:] == ["1) Open the lid.", "2) Take the fuse out."]


def test_a_sentence_that_opens_a_long_list_is_context_of_its_last_items() -> None:
    items = "\n".join(f"- port number {n} of the rear panel" for n in range(30))
    listed = make_evidence(f"# Ports\nThe panel has these:\n{items}", "S1")
    shown = choose("port number 29", listed, words=30)[0].lines
    assert [line.context for line in shown[:2]] == [True, False]
    assert shown[0].text == "The panel has these:"


def test_contents_furniture_and_headings_are_no_lines() -> None:
    shown = " ".join(text for e in choose("page 3 of 12 contents", limit=9) for text in read(e))
    assert "Page 3 of 12" not in shown
    assert "....." not in shown


def test_no_words_are_shown_twice() -> None:
    spans = [
        (q.evidence_id, q.start, q.end) for e in choose("valve", LONG, limit=5) for q in e.quotes
    ]
    assert len(spans) == len(set(spans))
    assert all(a[2] <= b[1] for a, b in zip(sorted(spans), sorted(spans)[1:], strict=False))


@pytest.mark.parametrize("limit", [1, 3, 5])
@pytest.mark.parametrize(
    "question", ["valve", "supply voltage", "humidity filter", "de het een", "?"]
)
def test_lines_are_exact_words_of_their_source_within_the_limits(question: str, limit: int) -> None:
    excerpts = choose(question, MANUAL, DUTCH, LONG, limit=limit, words=40)
    assert 0 < len(excerpts) <= limit
    for excerpt in excerpts:
        chunk = excerpt.evidence.hit.chunk
        for quote in excerpt.quotes:
            assert chunk.text[quote.start - chunk.start : quote.end - chunk.start] == quote.text
        words = sum(len(line.text.split()) for line in excerpt.lines)
        assert words <= 40 or len(excerpt.lines) == 1
        assert sum(line.nearest for line in excerpt.lines) == 1


def test_what_two_sources_say_alike_is_shown_once_with_both() -> None:
    copy = make_evidence("# Garantie\nDe garantie vervalt na twee jaar, en niet eerder.", "S1")
    other = make_evidence(
        "# Garantie\nDe garantie vervalt na twee jaar, en niet eerder.", "S2", source="b.md"
    )
    (only,) = choose("garantie", copy, other)
    assert [item.id for item in only.same] == ["S2"]


@pytest.mark.parametrize("reason", [None, Message("gate-no-passage")])
def test_of_equal_passages_a_current_one_is_shown(reason: Message | None) -> None:
    text = "# Warranty\nThe warranty ends after two years, and not before."
    old = make_evidence(text, "S1", source="sources/archive 2019/a.md")
    old = replace(old, hit=replace(old.hit, source=old.hit.source.state("archived")))
    if reason:
        old = make_evidence(text, "S1", source="a.md")
        old = replace(old, hit=replace(old.hit, fit=SubjectFit("fits", reason)))
    (only,) = choose("warranty", old, make_evidence(text, "S2", source="b.md"))
    assert (only.evidence.id, [item.id for item in only.same]) == ("S2", ["S1"])


def test_passages_that_differ_in_a_number_are_both_shown() -> None:
    long = "Whatever the cause may be, and whoever has opened the housing of the controller before,"
    one, two = (
        make_evidence(
            f"# Warranty\n{long} the warranty ends after {n} years.", f"S{n}", source=f"{n}.md"
        )
        for n in (2, 3)
    )
    assert len(choose("warranty", one, two)) == 2


@pytest.mark.parametrize(
    "asked", ["Wie lange gilt die Garantie?", "garantie " * 1000, "de het een", "?!", ""]
)
def test_any_question_gets_the_nearest_passages(asked: str) -> None:
    assert choose(asked)[0].lines


def test_a_table_without_header_shows_its_rows() -> None:
    bare = make_evidence("U7 | regulator | 3.36\nU8 | driver | 1.10", "S1")
    marked = choose("driver", bare)[0].nearest
    assert marked is not None
    assert "driver" in marked.text


def test_the_line_above_a_table_is_not_repeated_as_its_title() -> None:
    item = make_evidence("# Parts\nThe parts are:\nPart | Price\nU7 | 3.36\nU8 | 1.10", "S1")
    chunk = item.hit.chunk
    blocks = tuple(
        replace(block, table=block.table and replace(block.table, title="The parts are:"))
        for block in chunk.blocks
    )
    titled = replace(item, hit=replace(item.hit, chunk=replace(chunk, blocks=blocks)))
    assert [excerpt.table for excerpt in choose("price of U8", titled)] == [""]


def test_a_source_of_one_word_is_shown() -> None:
    assert read(choose("anything", make_evidence("Calibrated", "S1", title="Note"))[0]) == [
        "Calibrated"
    ]


def test_reading_decides_between_lines_that_share_no_word_with_the_question() -> None:
    def compare(texts: Sequence[Sequence[str]]) -> list[float]:
        return [float("Jansen" in parts[0]) for parts in texts]

    first = choose_excerpts("Wie bedacht hem?", [MANUAL], limit=1, read=compare)[0].nearest
    assert first is not None
    assert "Anna Jansen" in first.text
