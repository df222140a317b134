"""The report as Markdown: GitHub's tables, everything escaped, the same contents as the page."""

from __future__ import annotations

from markdown_it import MarkdownIt

from foundry.messages import LANGUAGES
from tests.evaluation.report_runs import make_many, make_question, make_result, make_run
from tests.evaluation.test_report import HOSTILE, ONE, TWO, html_of, markdown_of, page_of


def test_every_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    question = make_question("a|b", HOSTILE, tags=("x|y",))
    text = markdown_of([(make_run(name="r|s"), [make_result(question, right=None)])])
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    rows: list[int] = []
    for token in tokens:
        if token.type == "thead_open":
            rows = [0]
        rows[-1:] = [rows[-1] + (token.type in ("th_open", "td_open"))] if rows else []
        if token.type == "tr_close":
            rows.append(0)
        if token.type == "table_close":
            assert len(set(rows[:-1])) == 1
            rows = []
    assert sum(token.type == "table_open" for token in tokens) >= 8


def test_no_line_of_a_table_falls_out_of_it() -> None:
    text = markdown_of([(make_run(), make_many(60))])
    html = MarkdownIt("gfm-like", {"linkify": False}).render(text)
    assert "<p>|" not in html


def test_what_people_wrote_shows_as_it_is() -> None:
    result = make_result(make_question(text=HOSTILE), right=None, answer=HOSTILE, f1=0.0)
    html = MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(
        markdown_of([(make_run(), [result])])
    )
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert "<code>x</code>" not in html


def test_the_page_and_the_markdown_have_the_same_sections() -> None:
    text = markdown_of(TWO)
    for heading in page_of(TWO).css("h2"):
        assert f"## {heading.text()}" in text or heading.text() == "Plots"


def test_both_languages_have_every_phrase_that_a_report_needs() -> None:
    runs = [(make_run(), make_many(60)), (make_run(2, "b", finished=None), make_many(40, 2))]
    made = {html_of(runs, language) for language in LANGUAGES}
    assert len(made) == 2


def test_a_report_of_one_run_needs_no_comparison() -> None:
    assert "Questions that changed" not in markdown_of(ONE)
    assert "Questions that changed" in markdown_of(TWO)


def test_the_report_counts_what_was_right_by_verdict() -> None:
    results = [make_result(), make_result(verdict="low_confidence", f1=0.0, right=None)]
    text = markdown_of([(make_run(), results)])
    assert "| All answers | 1 | 1 | 0 |" in text
    assert "| Answers of low confidence | 0 | 1 | 0 |" in text
