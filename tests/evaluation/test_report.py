"""Reports over runs: what the page contains, whatever the runs are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser

from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report import WORST, make_report
from foundry.messages import LANGUAGES
from foundry.records import EvalResult, EvalRun
from tests.evaluation.report_runs import make_many, make_question, make_result, make_run

UNANSWERABLE = make_question("u1", "Who won?", answerable=False, expected=(), answers=())
RESULTS = [
    make_result(),
    make_result(make_question("q2"), right=12, verdict="low_confidence", score=0.4, f1=0.25),
    make_result(UNANSWERABLE, verdict="no_evidence", score=0.1, f1=None),
]
Runs = Sequence[tuple[EvalRun, Sequence[EvalResult]]]
ONE: Runs = [(make_run(), RESULTS)]
TWO: Runs = [*ONE, (make_run(2, "wide"), [make_result(make_question("q2")), *RESULTS[2:]])]


def page_of(runs: Runs = ONE, language: str = "en", **more: int) -> LexborHTMLParser:
    return LexborHTMLParser(html_of(runs, language, **more))


def html_of(
    runs: Runs = ONE, language: str = "en", *, drawn: bool = False, worst: int = WORST
) -> str:
    """The page; without its plots, which take most of the time, where a test is not about them."""
    with pytest.MonkeyPatch.context() as patch:
        if not drawn:
            patch.setattr("foundry.evaluation.report.report.draw_plots", lambda *_: ())
        made = make_report(runs, project="LC-512", phrases=Phrases(language), worst=worst)
    return made.text


def cells(page: LexborHTMLParser, row: str, table: str = "table") -> list[str]:
    """The cells of the first row that this heads."""
    heads = [node for node in page.css(f"{table} tbody th") if node.text() == row]
    parent = heads[0].parent
    assert parent
    return [node.text(separator=" ").strip() for node in parent.css("td")]


@pytest.fixture(scope="module")
def two() -> LexborHTMLParser:
    return page_of(TWO, drawn=True)


def test_the_page_loads_nothing() -> None:
    html = html_of(drawn=True)
    assert set(re.findall(r"\w+://[^\s\"'<]+", html)) == {"http://www.w3.org/2000/svg"}
    page = LexborHTMLParser(html)
    assert page.css("script, link, img, iframe, object, form") == []
    assert not re.search(r"url\((?!#)|@import", html)
    policy = page.css_first("meta[http-equiv]").attributes["content"] or ""
    assert policy.startswith("default-src 'none'")


def test_the_page_is_made_for_everyone_to_read(two: LexborHTMLParser) -> None:
    assert two.css_first("html").attributes["lang"] == "en"
    assert all(node.attributes.get("scope") for node in two.css("th"))
    assert len(two.css("svg title")) == len(two.css("svg desc")) == len(two.css("svg")) > 4
    ids = [node.attributes["id"] for node in two.css("[id]")]
    assert len(set(ids)) == len(ids)
    assert {node.attributes["href"] for node in two.css("nav a")} <= {f"#{id_}" for id_ in ids}


def test_every_run_is_named_with_what_was_run(two: LexborHTMLParser) -> None:
    assert two.css_first(".subtitle").text() == "base, wide"
    assert cells(two, "Hash of the index") == ["8c1f0a2b3c4d5e6f"] * 2
    assert cells(two, "Started") == ["2026-03-05 14:02 UTC"] * 2
    assert cells(two, "Answered / passages shown / refused") == ["2 / 0 / 1", "1 / 0 / 1"]


def test_a_measure_is_shown_with_its_interval_and_number_of_questions() -> None:
    page = page_of()
    assert cells(page, "base", ".headline")[1].startswith("0.500 0.000 to 1.000 n = 2")
    assert cells(page, "False refusals") == ["0.000 0.000 to 0.000"]
    assert cells(page, "MRR")[0].startswith("0.542 0.083 to 1.000 n = 2")


def test_what_cannot_be_counted_is_undefined_in_both_languages() -> None:
    runs = [(make_run(), RESULTS[:1])]
    assert cells(page_of(runs), "Refusal recall")[0] == "undefined"
    assert cells(page_of(runs, "nl"), "Weigeringsrecall")[0] == "niet bepaald"


def test_dutch_has_its_own_words_and_decimals() -> None:
    page = page_of(language="nl")
    assert page.css_first("html").attributes["lang"] == "nl"
    assert page.css_first("h1").text() == "Evaluatierapport: LC-512"
    assert cells(page, "MRR")[0].startswith("0,542")


def test_a_second_run_is_compared_with_the_first_over_common_questions(
    two: LexborHTMLParser,
) -> None:
    summary = two.css_first("#summary + ul").text()
    assert "wide against base, over 2 questions in common" in summary
    moved = [row.text(separator="|") for row in two.css("#moved ~ .wide tbody tr")]
    assert [row.split("|")[2:] for row in moved] == [
        ["Recall@10", "0.000", "1.000", "better"],
        ["Exact match", "0.000", "1.000", "better"],
        ["Token F1", "0.250", "1.000", "better"],
        ["Verdict", "low confidence", "answer", "different"],
    ]


def test_a_clear_change_is_marked_better_or_worse() -> None:
    before = [make_result(make_question(f"q{n}"), right=20) for n in range(8)]
    after = [make_result(make_question(f"q{n}"), right=1) for n in range(8)]
    page = page_of([(make_run(), before), (make_run(2, "new"), after)])
    assert "▲ +0.950 (0.950 to 0.950)" in cells(page, "MRR")[1]
    assert "clearly better: Recall@1 +1.000" in page.css_first("#summary + ul").text()
    back = page_of([(make_run(2, "new"), after), (make_run(), before)])
    assert "▼ −0.950" in cells(back, "MRR")[1]


def test_only_settings_that_differ_are_set_side_by_side() -> None:
    other = make_run(2, "wide", config={**make_run().config, "retrieval.top_k": 20})
    page = page_of([*ONE, (other, RESULTS)])
    assert cells(page, "retrieval.top_k") == ["10", "20"]
    assert len([node for node in page.css("tbody th") if node.text() == "retrieval.min_score"]) == 1
    assert "the same in all runs" in page_of(TWO).body.text()  # type: ignore[union-attr]


def test_runs_over_other_questions_or_another_index_are_warned_of() -> None:
    other = (make_run(2, "other", index="1", questions="2"), [make_result(make_question("z"))])
    page = page_of([*ONE, other])
    warnings = page.css_first(".warnings").text()
    assert "did not ask the same questions" in warnings
    assert "did not search the same index" in warnings
    assert "have no question in common" in page.css_first("#summary + ul").text()


def test_the_worst_questions_come_first_with_their_hits() -> None:
    failed = make_result(make_question("q3"), error="The model did not answer.")
    wrong = make_result(make_question("q4"), right=3, verdict="no_evidence", score=0.1, f1=0.0)
    page = page_of([(make_run(), [*RESULTS, wrong, failed])])
    entries = page.css("article")
    assert [entry.css_first("code").text() for entry in entries] == ["own/q3", "own/q4", "own/q2"]
    assert "The model did not answer." in entries[0].text()
    hits = [row.text(separator=" ").split() for row in entries[1].css(".hits tbody tr")]
    assert hits[2] == ["3", "sources/manual.pdf", "7", "3.1", "Supply", "0.30", "✓", "1"]
    assert hits[0][-1] == "no"
    assert "The first right hit is at rank 3 of 12." in entries[1].text()


def test_of_the_worst_questions_as_many_are_shown_as_asked_for() -> None:
    page = page_of([(make_run(), make_many(60))], worst=2)
    assert len(page.css("article")) == 2
    assert page_of([(make_run(), make_many(60))], worst=0).css("article") == []


def test_every_question_is_in_the_folded_table() -> None:
    page = page_of([(make_run(), make_many(60))])
    assert len(page.css(".folded .compact tbody tr")) >= 60
    assert "Show all 60 outcomes" in page.css_first("#questions ~ details").text()


def test_figures_are_broken_down_by_language_and_tag() -> None:
    results = [make_result(make_question("q1", language="nl", tags=("table",))), *RESULTS[1:]]
    page = page_of([(make_run(), results)])
    assert cells(page, "nl")[:3] == ["1", "0", "1.000"]
    assert cells(page, "en")[:3] == ["2", "0", "0.000"]
    assert cells(page, "table")[0] == "1"


def test_a_run_over_search_alone_leaves_out_what_does_not_apply() -> None:
    results = [
        replace(result, verdict=None, answer="", citations=(), coverage=None) for result in RESULTS
    ]
    page = page_of([(make_run(kind="retrieval"), results)])
    heads = [node.text() for node in page.css("tbody th")]
    assert "Token F1" not in heads
    assert "False refusals, gate" in heads
    assert "Nothing was answered" in page.body.text()  # type: ignore[union-attr]
    assert cells(page, "base", ".headline")[-1] == "n/a"


@pytest.mark.parametrize("results", [[], RESULTS[:1], [make_result(error="It failed.")]])
def test_an_unfinished_run_is_reported_with_what_it_has(results: list[EvalResult]) -> None:
    page = page_of([(make_run(finished=None), results)])
    assert "base is not finished" in page.css_first(".warnings").text()
    assert f"cover the {len(results)} outcomes" in page.css_first(".warnings").text()
    assert page.css("#measures")


def test_runs_without_outcomes_have_no_plots() -> None:
    page = page_of([(make_run(), [])], drawn=True)
    assert page.css("svg") == []
    assert "Nothing to show." in page.css_first("#plots").parent.text()  # type: ignore[union-attr]


HOSTILE = '<script>alert(1)</script> & "it\'s" | `x` ${7*7} {{7*7}} مرحبا ' + "w" * 300


def test_what_people_wrote_never_becomes_markup() -> None:
    question = make_question("<b>k</b>", HOSTILE, tags=("<i>t</i>",), answers=("<u>a</u>",))
    result = make_result(question, right=None, answer=HOSTILE, notices=("<s>n</s>",), f1=0.0)
    run = make_run(name="<h1>run</h1>", notices=("<em>run</em>",), overrides={"<q>": "<p>"})
    page = page_of([(run, [result])])
    assert page.css("script, body b, body i, body u, body s, body em") == []
    assert page.css_first("article h4 [dir=auto]").text() == HOSTILE
    assert "49" not in page.css_first("article h4").text()


def test_characters_that_no_file_can_contain_are_replaced() -> None:
    result = make_result(make_question(text="half \ud800 a pair \x00"), right=None)
    assert "half ? a pair" in html_of([(make_run(), [result])])


def test_runs_of_one_name_get_distinct_labels() -> None:
    page = page_of([(make_run(1), RESULTS), (make_run(2), RESULTS), (make_run(3, ""), RESULTS)])
    assert page.css_first(".subtitle").text() == "base (#1), base (#2), (#3)"


def test_passwords_in_addresses_are_masked() -> None:
    config = {"storage": {"url": "postgresql://me:secret@db/x"}, "retrieval.top_k": 5}
    html = html_of([(make_run(config=config), RESULTS)])
    assert "secret" not in html
    assert "postgresql://…@db/x" in html


def test_the_same_runs_give_the_same_bytes() -> None:
    assert html_of(TWO, drawn=True) == html_of(TWO, drawn=True)


def test_both_languages_have_every_phrase_that_a_report_needs() -> None:
    runs = [(make_run(), make_many(60)), (make_run(2, "b", finished=None), make_many(40, 2))]
    made = {html_of(runs, language) for language in LANGUAGES}
    assert len(made) == 2


def test_a_report_of_one_run_needs_no_comparison(two: LexborHTMLParser) -> None:
    assert page_of().css("#moved") == []
    assert two.css("#moved")


def test_the_report_counts_what_was_right_by_verdict() -> None:
    results = [make_result(), make_result(verdict="low_confidence", f1=0.0, right=None)]
    rows = page_of([(make_run(), results)]).css("#summary ~ .wide .facts tbody tr")
    assert [[cell.text() for cell in row.css("td")] for row in rows] == [
        ["All answers", "1", "1", "0"],
        ["Answers without a mark", "1", "0", "0"],
        ["Answers of low confidence", "0", "1", "0"],
    ]
