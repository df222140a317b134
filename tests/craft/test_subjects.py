"""What a question names, and whether a passage of a document is about it."""

from __future__ import annotations

import numpy as np

from foundry.analysis import analyse_query
from foundry.craft.subjects import (
    add_period_terms,
    confirm_names,
    find_subject,
    judge_passage,
    list_subject_terms,
    order_by_fit,
    take_turns,
)
from foundry.records import Mentions, Subject, SubjectFit, TermSpread
from foundry.text.periods import find_periods, spell_out_periods
from tests.craft.samples import make_hit, make_question

CHUNKS = 10


def read(text: str, **spread: tuple[int, int]) -> Subject:
    """The subject of a question; ``spread`` says in how many chunks of a.md and b.md a term is.

    A term in all chunks is in the label.
    """
    words = analyse_query(text, {"en"}, "en")
    asked = make_question(
        text, "en", words, {term: sum(n) for term, n in spread.items()}, 2 * CHUNKS
    )
    counts = {
        term: np.array(spread.get(term, (0, 0)))
        for terms in list_subject_terms(asked).values()
        for term in terms
    }
    mentions = Mentions(
        np.array(["src_a.md", "src_b.md"], dtype=object),
        np.array([CHUNKS, CHUNKS]),
        {term: TermSpread(chunks, chunks == CHUNKS) for term, chunks in counts.items()},
    )
    return find_subject(asked, mentions)


def judge(subject: Subject, text: str, source: str = "a.md", title: str = "Report") -> SubjectFit:
    hit = make_hit(text, source=source, title=title)
    return judge_passage(subject, hit.source, hit.chunk)


def test_a_name_in_the_label_of_one_document_names_that_document() -> None:
    subject = read("What is Vellum's tax rate?", vellum=(10, 0), tax=(3, 4))
    assert subject.sources == {"src_a.md"}


def test_a_lower_case_word_names_a_document_if_only_that_one_has_it() -> None:
    assert read("vellum tax rate", vellum=(10, 0), tax=(10, 4)).sources == {"src_a.md"}


def test_a_word_of_all_documents_names_none_of_them() -> None:
    subject = read("Vellum report", vellum=(10, 0), report=(10, 10))
    assert subject.sources == {"src_a.md"}


def test_two_names_of_two_documents_name_both() -> None:
    subject = read("Does Vellum or Corda pay more tax?", vellum=(10, 0), corda=(0, 10))
    assert subject.sources == {"src_a.md", "src_b.md"}


def test_the_word_before_a_revision_names_nothing() -> None:
    assert read("What is the supply in Rev. B?", rev=(10, 0), b=(10, 0)) == Subject(language="en")


def test_a_plain_word_of_another_document_adds_none_to_a_named_one() -> None:
    subject = read("What does the loom of Vellum cost?", vellum=(10, 0), loom=(0, 10))
    assert subject.sources == {"src_a.md"}


def list_sides(text: str, **spread: tuple[int, int]) -> list[str]:
    return [side.name for side in read(text, **spread).sides]


def test_names_that_are_in_one_document_each_are_sides() -> None:
    said = "Does the Vellum lease end before the Corda Paper lease?"
    assert list_sides(said, vellum=(1, 0), corda=(0, 1), paper=(0, 1)) == ["Vellum", "Corda Paper"]


def test_names_that_one_document_has_both_are_no_sides() -> None:
    assert list_sides("Does Vellum or Corda pay?", vellum=(1, 1), corda=(0, 1)) == []


def test_a_topic_of_several_documents_is_no_side_of_a_name_in_another() -> None:
    said = "What is the DMX length of the LC-128?"
    assert list_sides(said, dmx=(10, 0), lc128=(0, 1)) == ["DMX", "LC-128"]
    assert list_sides(said, dmx=(10, 10), lc128=(0, 1)) == []


def test_a_name_of_which_half_is_in_no_source_is_no_side() -> None:
    assert list_sides("Does Vellum or Corda Paper pay?", vellum=(1, 0), paper=(0, 1)) == []


def test_the_documents_of_two_names_take_turns() -> None:
    subject = read("Compare Vellum and Corda", vellum=(10, 0), corda=(0, 10))
    ranked = [f"src_{name}.md" for name in "aacab"]
    assert "".join(ranked[place][4] for place in take_turns(subject, ranked)) == "abaac"


def test_a_passage_of_another_companys_report_is_about_another_one() -> None:
    subject = read("What is Vellum's tax rate?", vellum=(10, 0))
    fit = judge(subject, "The tax rate was 21 %.", "b.md", "Corda report")
    assert fit.verdict == "other"
    assert str(fit.reason) == "“Corda report” is not about Vellum"


def test_a_plain_word_leaves_other_documents_in_doubt_and_further_back() -> None:
    subject = read("what does the datasheet say", datasheet=(10, 0))
    fits = [judge(subject, "Pin 7 is free.", source) for source in ("b.md", "a.md")]
    assert [fit.verdict for fit in fits] == ["unknown", "fits"]
    assert order_by_fit(fits) == [1, 0]


def test_a_person_who_speaks_is_no_subject() -> None:
    subject = read("What does Anna want?", anna=(10, 0))
    spoken = make_hit("> A splitter every 100 metres.", source="b.md")
    assert subject.sources
    confirmed = confirm_names(subject, [(spoken.chunk, spoken.source)])
    assert (confirmed.names, confirmed.sources) == ((), frozenset())


def test_a_passage_of_the_named_companys_report_fits() -> None:
    subject = read("What is Vellum's tax rate?", vellum=(10, 0))
    assert judge(subject, "The tax rate was 21 %.").verdict == "fits"


def test_a_passage_elsewhere_that_mentions_the_name_is_in_doubt() -> None:
    subject = read("Who competes with Vellum?", vellum=(10, 1))
    assert judge(subject, "We compete with Vellum.", "b.md").verdict == "unknown"


def test_a_document_that_often_mentions_the_name_is_in_doubt() -> None:
    subject = read("What does Vellum buy?", vellum=(10, 3))
    assert judge(subject, "It buys paper.", "b.md").verdict == "unknown"


def test_a_passage_of_another_year_is_about_another_period() -> None:
    fit = judge(read("What was the revenue in 2019?"), "Revenue was 4 in 2021 and 5 in 2022.")
    assert (fit.verdict, str(fit.reason)) == (
        "other",
        "the passage is of another period than 2019",
    )


def test_a_passage_without_a_period_has_that_of_its_document() -> None:
    subject = read("What was the revenue in Q3 2022?")
    fits = {title: judge(subject, "Revenue: 4.", title=title) for title in TITLES}
    assert {title: (fit.verdict, fit.reason is None) for title, fit in fits.items()} == TITLES


TITLES = {
    "Quarterly report 2022_Q3": ("fits", True),
    "Quarterly report, Q1 2023": ("unknown", False),
    "Report for the quarter ended October 1, 2022": ("fits", True),
    "Terms and conditions": ("unknown", True),
}


def test_passages_about_other_things_come_last_and_keep_their_order() -> None:
    subject = read("What is Vellum's tax rate?", vellum=(10, 0))
    fits = [judge(subject, "Tax: 21 %.", source) for source in ("b.md", "a.md", "b.md", "a.md")]
    assert order_by_fit(fits) == [1, 3, 0, 2]


def test_abbreviated_periods_are_spelled_out() -> None:
    text = "Revenue in FY22, 3Q23 and Q4 2022?"
    assert spell_out_periods(text, find_periods(text)) == "Revenue in 2022, Q3 2023 and Q4 2022?"


def test_a_quarter_in_words_is_searched_as_a_symbol_too() -> None:
    text = "revenue in the fourth quarter"
    words = add_period_terms(analyse_query(text, {"en"}), find_periods(text), {"en"})
    assert {word.word: word.terms for word in words}["fourth"] == ("fourth", "q4")
