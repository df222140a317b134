"""Answers and searches are shown in the documented forms, word for word."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from foundry.messages import Message
from foundry.records import (
    Answer,
    CorrectedPart,
    Doubt,
    GateDecision,
    Quote,
    Recognition,
    Sentence,
    append_citations,
    join_sentences,
)
from foundry.render.answer import (
    render_answer,
    render_search,
)
from foundry.render.places import find_section_number, format_time, name_evidence, note_reading
from foundry.wire.answers import AnswerJson, SearchJson, find_passage
from tests.render.samples import (
    TEXT,
    answer,
    cite,
    cited,
    evidence,
    excerpt,
    passages_answer,
    quotes,
    search_result,
    with_blocks,
)


def dump_answer(record: Answer) -> dict[str, Any]:
    return AnswerJson.from_record(record).model_dump(mode="json")


def test_an_answer_with_its_sources() -> None:
    assert render_answer(answer()) == (
        "Answer:\n"
        "The supply is 5 V. [S1] It must not exceed 6 V. [S1]\n"
        "\n"
        "Sources:\n"
        "- S1 sheet.pdf, 3.2 Supply, p. xiv (score: 0.83)"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Join the family day!", "Join the family day! [S1] [S2]"),
        ("It says “go.”", "It says “go.” [S1] [S2]"),
        ("Part: lid; Max: 5 V", "Part: lid; Max: 5 V [S1] [S2]"),
    ],
)
def test_marks_follow_the_whole_sentence(text: str, shown: str) -> None:
    assert append_citations(Sentence(text, ("S1", "S2"))) == shown


def test_only_text_without_a_full_stop_gets_its_own_line() -> None:
    shown = join_sentences([Sentence(text) for text in ("One.", "“Two.”", "Part: lid")])
    assert shown == "One. “Two.”\nPart: lid"


def test_a_sentence_that_nobody_verified_says_so_where_it_stands() -> None:
    doubted = Sentence("It is waterproof.", ("S1",), verified=False)
    shown = render_answer(answer(sentences=(doubted, Sentence("It is red.", ("S1",)))))
    assert "\nIt is waterproof. [S1] (not verified) It is red. [S1]\n" in shown


def test_a_weak_answer_says_so() -> None:
    head = render_answer(answer(verdict="low_confidence")).splitlines()[0]
    assert head == "Answer (LOW CONFIDENCE — limited source coverage):"


def test_no_evidence_names_what_to_ingest() -> None:
    gate = GateDecision("no_evidence", 0.1, 0.2, (), uncovered=("flux", "capacitor"))
    text = render_answer(
        answer(verdict="no_evidence", sentences=(), sources=(), search=search_result(gate=gate))
    )
    assert text.splitlines()[0] == "No supporting documentation found in indexed sources."
    assert "No source covers: flux, capacitor." in text
    assert "foundry ingest" in text


def test_a_missing_name_is_said_once() -> None:
    named = Message("gate-unmentioned", names=("E09",))
    gate = GateDecision("no_evidence", 0.1, 0.2, (named,), uncovered=("E09",))
    found = search_result(gate=gate)
    empty = answer(verdict="no_evidence", sentences=(), sources=(), reasons=(named,), search=found)
    assert render_answer(empty).count("E09") == 1


def test_the_json_of_an_answer_has_the_documented_keys() -> None:
    found = dump_answer(answer())
    wanted = ("question verdict confidence reasons answer sentences sources model mode "
              "attribution_coverage shown_coverage timings_ms usage")  # fmt: skip
    assert set(wanted.split()) <= set(found)
    assert found["sentences"][0]["text"] == "The supply is 5 V."
    assert found["sentences"][0]["citations"] == ["S1"]
    assert json.loads(json.dumps(found)) == found


def test_the_json_of_a_source_has_the_documented_keys() -> None:
    (source,) = dump_answer(answer())["sources"]
    wanted = ("id chunk_id source title section page page_label time score quote char_start "
              "char_end")  # fmt: skip
    assert set(wanted.split()) <= set(source)
    assert (source["source"], source["section"]) == ("docs/sheet.pdf", "3.2 Supply")
    assert (source["page"], source["page_label"], source["time"]) == (14, "xiv", None)
    assert source["score"] == 0.8349


def test_the_quote_runs_from_the_first_to_the_last_byte_for_byte() -> None:
    made = evidence()
    sentences = cite(made, 0, 2)
    (source,) = dump_answer(answer(sentences=sentences, sources=cited((made, sentences))))[
        "sources"
    ]
    text = made.hit.chunk.text
    assert source["quote"] == text[source["char_start"] : source["char_end"]]
    assert source["quote"].startswith("The supply")
    assert source["quote"].endswith("long.")
    assert [quote["sentence"] for quote in source["quotes"]] == [0, 1]


def test_quotes_on_two_pages_are_not_joined() -> None:
    made = evidence()
    first, *rest = quotes(made)
    (source,) = cited((made, cite(made, 0)))
    parted = replace(source, quotes=(first, replace(rest[-1], page=15)))
    found = find_passage(parted)
    assert found is not None
    assert found.text == "The supply is 5 V."


def test_no_evidence_has_empty_lists() -> None:
    found = dump_answer(answer(verdict="no_evidence", sentences=(), sources=()))
    assert (found["sentences"], found["sources"]) == ([], [])
    assert found["answer"] == "No supporting documentation found in indexed sources."


def test_files_with_the_same_name_are_distinguished() -> None:
    one, two = evidence("S1", "a/sheet.pdf"), evidence("S2", "b/sheet.pdf")
    items = ((one, cite(one, 0)), (two, cite(two, 1)))
    text = render_answer(answer(sentences=cite(one, 0) + cite(two, 1), sources=cited(*items)))
    assert "- S1 a/sheet.pdf, " in text
    assert "- S2 b/sheet.pdf, " in text


def test_a_time_is_shown_for_a_transcript() -> None:
    made = with_blocks(evidence(), page=None, page_label=None, time_start=754.2)
    sentences = cite(made, 0)
    shown = answer(sentences=sentences, sources=cited((made, sentences)))
    assert "t=12:34" in render_answer(shown)
    assert dump_answer(shown)["sources"][0]["time"] == "12:34"


def test_the_json_of_a_search_has_the_documented_keys() -> None:
    found = SearchJson.from_record(search_result(evidence().hit)).model_dump(mode="json")
    assert {"query", "mode", "hits", "gate", "timings_ms"} <= set(found)
    (hit,) = found["hits"]
    wanted = ("chunk_id source title section heading_path page page_label time score dense bm25 "
              "text")  # fmt: skip
    assert set(wanted.split()) <= set(hit)
    assert (hit["section"], hit["dense"]) == ("3.2 Supply", {"rank": 1, "score": 0.9123})
    assert hit["bm25"] is None
    assert {"decision", "score", "reasons"} <= set(found["gate"])


def test_what_was_changed_names_the_passage_as_a_reader_knows_it() -> None:
    made = evidence("S9")
    missing = Message("claim-at", name="S9", reason=Message("claim-unknown-citation", name="S9"))
    nearest = Message("claim-nearest-quote", name="S9", quote="5 V")
    reason = Message("claim-and", first=missing, second=nearest)
    renamed = str(name_evidence(reason, [made]))
    title = f"{made.hit.source.title} (3.2 Supply, p. xiv)"
    assert renamed == f'{title}: S9 is not among the evidence; {title} says "5 V"'


def test_a_search_as_text_shows_places_and_the_gate() -> None:
    text = render_search(search_result(evidence().hit))
    assert "1. sheet.pdf, 3.2 Supply, p. xiv (score: 0.83; dense #1)" in text
    assert "The supply is 5 V." in text
    assert "Gate: answer (score: 0.71, min_score: 0.20)" in text


def test_a_search_without_hits_says_so() -> None:
    assert "No hits." in render_search(search_result())


def test_clock_times() -> None:
    assert [format_time(t) for t in (None, 0, 59.9, 754, 3723)] == [
        None,
        "00:00",
        "00:59",
        "12:34",
        "1:02:03",
    ]


def test_section_numbers() -> None:
    titles = ("3.2 Intervals", "3 Scope", "A.1 Annex", "Introduction", "A note", "12. Use", None)
    assert [find_section_number(t) for t in titles] == ["3.2", "3", "A.1", None, None, "12", None]


def test_a_hit_without_a_vector_has_no_score() -> None:
    unrated = search_result(replace(evidence().hit, rated=False))
    assert "(score: –, no vector yet; " in render_search(unrated)
    assert SearchJson.from_record(unrated).hits[0].score is None


def test_a_citation_says_what_ocr_was_unsure_of() -> None:
    read = Recognition(0.7, (Doubt("±5", "+5"),))
    quote = Quote("S1", "It needs 230 V ±5 %.", 0, 20, recognition=read)
    assert [str(note) for note in note_reading([quote])] == [
        "read by OCR with a confidence of 70%",
        "OCR read “±5” or “+5”",
    ]
    assert note_reading([replace(quote, recognition=Recognition(0.95))]) == []


def test_a_citation_says_which_values_may_be_of_another_row_or_column() -> None:
    quote = Quote("S1", "VCC | 4.5 | 5.5", 0, 15, doubtful=("4.5",))
    assert [str(note) for note in note_reading([quote])] == [
        "the row or column of “4.5” is doubtful"
    ]
    assert "2 values" in str(note_reading([replace(quote, doubtful=("4.5", "5.5"))])[0])


def test_a_citation_says_what_was_corrected_once_for_each_correction() -> None:
    words = CorrectedPart("cor_1", "words", 0, 5, "2E0 V", "230 V", "Printed.")
    header = CorrectedPart("cor_2", "header", 0, 5, "1", "2", "Printed.")
    quote = Quote("S1", "It needs 230 V.", 0, 15, corrections=(words, header))
    assert [str(note) for note in note_reading([quote, quote])] == [
        "corrected: “230 V”, read as “2E0 V”",
        "corrected: header rows",
    ]


def test_what_is_said_of_one_source_is_kept_apart() -> None:
    made = evidence()
    words = [CorrectedPart(f"cor_{n}", "words", n, n + 1, "l", str(n), "Print.") for n in (1, 2)]
    quote = replace(quotes(made)[0], corrections=tuple(words))
    sentence = replace(cite(made, 0)[0], quotes=(quote,))
    shown = render_answer(answer(sentences=(sentence,), sources=cited((made, (sentence,)))))
    assert shown.endswith(" – corrected: “1”, read as “l”; corrected: “2”, read as “l”")


def test_json_of_passages_has_no_answer_and_each_line_with_its_place() -> None:
    made = dump_answer(passages_answer(excerpt(same=(evidence("S2", "docs/other.pdf"),))))
    (passage,) = made["passages"]
    first, second, _ = passage["lines"]
    assert (made["verdict"], made["answer"], made["sentences"]) == ("passages", "", [])
    assert (passage["id"], passage["page_label"], passage["nearness"]) == ("S1", "xiv", 0.6123)
    assert (first["text"], first["nearest"], second["nearest"]) == (
        "The supply is 5 V.",
        True,
        False,
    )
    assert TEXT[first["quotes"][0]["char_start"] : first["quotes"][0]["char_end"]] == first["text"]
    assert [one["source"] for one in passage["same"]] == ["docs/other.pdf"]


def test_json_says_which_sentence_nobody_checked() -> None:
    made = dump_answer(answer(sentences=(Sentence("It is waterproof.", verified=False),)))
    assert made["sentences"][0]["verified"] is False
