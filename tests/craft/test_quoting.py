"""The built-in writer: the right sentence, whole, once, with its exact words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from foundry.analysis import analyse_query
from foundry.craft.grounding import verify_statement
from foundry.craft.quoting import compose_answer
from foundry.craft.quoting.candidates import find_candidates
from foundry.craft.quoting.composition import sort_for_reading
from foundry.craft.quoting.identifiers import measure_named
from foundry.craft.quoting.kinds import has_asked_kind
from foundry.craft.quoting.ranking import weigh_question
from foundry.craft.quoting.signs import list_doubts, list_signs, load_weights, rank_answers
from foundry.messages import Message
from foundry.records import Evidence, Question, Sentence, SubjectFit
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
PORTS = "two XLR-5 outputs; one USB port; one Ethernet port"
DUTCH = make_evidence(
    "# 2 Onderhoud\nVervang het filter elke zes maanden. De garantie vervalt na twee jaar.",
    "S2", source="onderhoud.md", language="nl",
)  # fmt: skip


def answer(question: str, *evidence: Evidence, language: str = "en", **more: object) -> list[str]:
    given = list(evidence) or [MANUAL, DUTCH]
    return [s.text for s in compose(question, given, language, **more)]


def compose(
    question: str, evidence: Sequence[Evidence], language: str = "en", **more: object
) -> list[Sentence]:
    asked = analyse_question(question, language)
    return list(compose_answer(asked, evidence, **more).sentences)  # type: ignore[arg-type]


def analyse_question(text: str, language: str = "en") -> Question:
    return Question(text, language, analyse_query(text, ("en", "nl")), chunks=10)


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        ("What is the supply voltage?", "en", "The supply voltage is 5 V."),
        ("Who designed it?", "en", "It was designed by Anna Jansen in 2024."),
        ("When was the Lumo designed?", "en", "It was designed by Anna Jansen in 2024."),
        ("Why is the current at most 1.5 A?", "en",
         "The current is at most 1.5 A, because the fuse is small."),
        ("Hoe vaak moet ik het filter vervangen?", "nl", "Vervang het filter elke zes maanden."),
        ("Wanneer vervalt de garantie?", "nl", "De garantie vervalt na twee jaar."),
        ("What is the maximum ambient temperature?", "en",
         "Parameter: Ambient temperature; Min: -20 °C; Max: 60 °C"),
        ("Which connectors does the controller have?", "en",
         f"The controller has the following connectors: {PORTS}"),
    ],
)  # fmt: skip
def test_the_best_sentence_contains_the_requested_fact(
    question: str, language: str, expected: str
) -> None:
    assert answer(question, language=language, max_sentences=1) == [expected]


def test_a_row_keeps_the_column_that_says_why_it_is_this_row() -> None:
    parts = make_evidence(
        "Position | Description | Supplier | Lead time\n"
        "U1 | Microcontroller 32 bit | Polderchip | 18\n"
        "U2 | Regulator | Stroomlijn | 4",
        title="Parts",
    )
    found = answer("What is the lead time of the microcontroller?", parts, max_sentences=1)
    assert found == ["Position: U1; Description: Microcontroller 32 bit; Lead time: 18"]


def test_a_sentence_that_opens_with_it_follows_its_antecedent() -> None:
    assert answer("Who designed the controller?")[:2] == [
        "The Lumo is a DMX controller for small theatres.",
        "It was designed by Anna Jansen in 2024.",
    ]


def test_an_answer_is_short() -> None:
    for question in ("What is the supply voltage?", "Tell me about the controller"):
        assert 1 <= len(answer(question)) <= 4


def test_every_word_shown_is_in_the_quotes() -> None:
    for question in ("connectors", "humidity", "supply voltage", "designed"):
        for sentence in compose(question, [MANUAL]):
            source = " ".join(quote.text for quote in sentence.quotes)
            missing = [word for word in sentence.text.replace(":", " ").replace(";", " ").split()
                       if word not in source]  # fmt: skip
            assert missing == []


def test_every_quote_is_a_slice_of_the_source() -> None:
    chunk = MANUAL.hit.chunk
    for sentence in compose("controller temperature connectors", [MANUAL]):
        assert sentence.citations == ("S1",)
        for quote in sentence.quotes:
            assert quote.text == chunk.text[quote.start : quote.end] == quote.text.strip()


def test_shown_sentences_are_supported_by_their_citations() -> None:
    for question in ("supply voltage", "connectors", "humidity", "Who designed it?"):
        for sentence in compose(question, [MANUAL]):
            assert verify_statement(sentence.text, [MANUAL], "en").supported


def test_headings_contents_and_furniture_are_never_shown() -> None:
    shown = " ".join(answer("contents page overview power supply 12", max_sentences=20))
    for unwanted in ("....", "Page 3", "3.2", "# 1"):
        assert unwanted not in shown


def test_the_title_as_a_running_header_is_never_shown() -> None:
    evidence = make_evidence("LC-512 Lighting controller | Manual\nThe controller is red.",
                             title="LC-512 lighting controller manual")  # fmt: skip
    assert answer("LC-512 lighting controller manual", evidence) == ["The controller is red."]


def test_half_sentences_are_never_shown() -> None:
    evidence = make_evidence("of the supply voltage was\nand the supply voltage then")
    assert answer("supply voltage", evidence) == []


def test_the_same_sentence_in_two_files_is_shown_once() -> None:
    text = "The supply voltage is 5 V."
    evidence = [make_evidence(text, "S1"), make_evidence(text, "S2", source="copy.md")]
    assert len(compose("What is the supply voltage?", evidence)) == 1


def test_the_same_cell_of_two_files_is_one_sentence_with_both_citations() -> None:
    rows = "{} | FY2022 | FY{}\nRevenue | 1,284.6 | {}"
    texts = [rows.format("Halvard", 2023, "1,340.2"), rows.format("Halvard", 2021, "1,151.3")]
    given = [make_evidence(t, f"S{i}", source=f"{i}.md") for i, t in enumerate(texts, 1)]
    (shown,) = compose("What was the revenue in FY2022?", given)
    assert (shown.text, shown.citations) == ("Halvard: Revenue; FY2022: 1,284.6", ("S1", "S2"))


@pytest.mark.parametrize("titles", [("2022", "2023"), ("2023", "2022")])
def test_a_sentence_of_another_years_document_is_not_shown_beside_the_best(
    titles: tuple[str, str],
) -> None:
    said = {"2022": "A final dividend of 14.2 pence.", "2023": "A final dividend of 14.8 pence."}
    given = [
        make_evidence(said[year], f"S{i}", source=f"{i}.md", title=f"Annual report {year}")
        for i, year in enumerate(titles, 1)
    ]
    assert answer("What is the final dividend of 2022?", *given) == [said["2022"]]


COMPANIES = make_evidence(
    "Company | Revenue 2021 | Revenue 2022 | Net profit 2022\n"
    "Tessel | 450.3 | 492.7 | 30.5\n"
    "Morro | 777.0 | 801.9 | 12.4"
)


def test_the_row_of_another_name_is_not_shown_beside_the_one_asked_for() -> None:
    (shown,) = answer("What was the net profit of Morro in 2022?", COMPANIES)
    assert shown == "Company: Morro; Net profit 2022: 12.4"


def test_a_row_without_the_asked_value_of_the_asked_year_is_less_sure() -> None:
    asked = "What was the net profit of Morro in 20{}?"
    sure = compute_confidence(asked.format(22), COMPANIES)
    assert compute_confidence(asked.format(21), COMPANIES) < 0.5 * sure


def test_a_row_named_by_another_quarter_loses_to_the_one_asked_for() -> None:
    rows = [f"Q{n} FY2022 | {100 + n}.5" for n in (2, 4, 3, 1)]
    made = make_evidence("\n".join(("Quarter | Revenue", *rows)))
    (shown,) = answer("What was the revenue in the fourth quarter of FY2022?", made)
    assert "104.5" in shown


def test_what_is_asked_counts_apart_from_the_period_and_the_title() -> None:
    made = make_evidence(
        "Fiscal year 2022 of Tessel ended in January 2023.\nThe revenue was 500.4.",
        title="Tessel annual report",
    )
    candidates = find_candidates([made], answering=True)
    asked = weigh_question(analyse_question("What was Tessel's revenue in 2022?"), candidates)
    assert [signs["asked"] for signs in list_signs(asked, candidates)] == [0.0, 1.0]


def test_two_revisions_that_disagree_are_both_shown() -> None:
    one = make_evidence("The supply voltage is 5 V.", "S1", source="v1.md")
    two = make_evidence("The supply voltage is 12 V.", "S2", source="v2.md")
    shown = compose("What is the supply voltage?", [one, two])
    assert [s.citations for s in shown] == [("S1",), ("S2",)]


def test_across_languages_candidates_are_read_with_the_question() -> None:
    texts: list[Sequence[str]] = []

    def read(given: Sequence[Sequence[str]]) -> Sequence[float]:
        texts.extend(given)
        return [0.9 if "garantie" in text else 0.6 for text, _ in given]

    assert answer("When does the warranty end?", DUTCH, read=read, max_sentences=1) == [
        "De garantie vervalt na twee jaar."
    ]
    assert texts[0][0].startswith("2 Onderhoud. ")
    assert texts[0][1] == f"{DUTCH.hit.source.title}. 2 Onderhoud"


def test_across_languages_reading_counts_more_than_a_word_that_another_sentence_shares() -> None:
    near = make_evidence("The warranty card is on the back of the housing.", "S1", source="a.md")

    def read(given: Sequence[Sequence[str]]) -> Sequence[float]:
        return [0.8 if "vervalt" in text else 0.4 for text, _ in given]

    (best, *_) = answer("When does the warranty of a pump end?", near, DUTCH, read=read)
    assert best == "De garantie vervalt na twee jaar."


def test_a_sentence_with_most_words_of_the_question_needs_no_reading() -> None:
    def read(_: Sequence[Sequence[str]]) -> Sequence[float]:
        raise AssertionError

    near = make_evidence("The warranty of a pump ends in May.", "S1", source="a.md")
    assert answer("When does the warranty of a pump end?", near, DUTCH, read=read)


def test_of_two_revisions_that_agree_the_current_one_is_quoted() -> None:
    old = make_evidence("The supply voltage of the red outdoor unit is 5 V.", "S1", source="a.md")
    later = SubjectFit(reason=Message("subject-other-revision", revision="B"))
    new = make_evidence("The supply voltage of the unit is 5 V outdoors.", "S2", source="b.md")
    superseded = replace(old, hit=replace(old.hit, fit=later))
    (shown,) = compose("What is the supply voltage of the red outdoor unit?", [superseded, new])
    assert shown.citations == ("S2",)


def test_a_sure_answer_is_one_sentence() -> None:
    made = make_evidence("The pump was sold in 2022. The new pump was sold in 2023 to Halvard.")
    asked = analyse_question("When was the pump sold?")
    sure = compose_answer(asked, [made])
    unsure = compose_answer(asked, [made], found=-5.0)
    assert (sure.is_sure, len(sure.sentences)) == (True, 1)
    assert (unsure.is_sure, len(unsure.sentences)) == (False, 2)


def test_each_fitted_weight_has_its_sign() -> None:
    asked = analyse_question("What is the supply voltage?")
    candidates = find_candidates([MANUAL], answering=True)
    weighed = weigh_question(asked, candidates)
    (signs, *_) = list_signs(weighed, candidates)
    doubts = list_doubts(weighed, rank_answers(weighed, candidates), 1.0)
    assert load_weights()["answers"].keys() == signs.keys()
    assert load_weights()["read"].keys() == {*signs, "reading"}
    assert load_weights()["sure"].keys() == doubts.keys()


def test_in_one_language_no_sentence_is_read() -> None:
    def read(_: Sequence[Sequence[str]]) -> Sequence[float]:
        raise AssertionError

    alike = "The warranty of the pump ends in May.\nThe warranty of the fan ends in June."
    assert answer("When does the warranty end?", make_evidence(alike), read=read)


def test_the_window_near_the_question_breaks_a_tie() -> None:
    first, second = "The cable of the pump is blue.", "The cable of the fan is red."
    made = make_evidence(f"{first}\n{second}")
    windows = ((0, len(first), 0.80), (len(first) + 1, len(first) + len(second) + 1, 0.88))
    near = replace(made, hit=replace(made.hit, nearness=windows))
    question = "Which colour does the cable have?"
    assert answer(question, made, max_sentences=1) == [first]
    assert answer(question, near, max_sentences=1) == [second]


SALES = make_evidence(
    "# Sales\n"
    "Product | Three months ended June 30, 2022 | Three months ended June 30, 2021 "
    "| Six months ended June 30, 2022 | Six months ended June 30, 2021\n"
    "Lamps and cables | 450 | 431 | 901 | 845\n"
    "Lamps | 410 | 390 | 820 | 760",
    title="Lumo quarterly report",
)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What were sales of lamps in Q2 2021?", ["390"]),
        ("Lamps sales in the first half of 2022?", ["820"]),
        ("Sales of lamps?", ["410", "390"]),
    ],
)
def test_a_row_shows_the_period_that_is_asked_for(question: str, values: list[str]) -> None:
    (shown,) = answer(question, SALES, max_sentences=1)
    assert [value for value in ("410", "390", "820", "760") if value in shown] == values
    assert "cables" not in shown


def test_a_sentence_about_another_year_comes_after_one_about_the_year_asked() -> None:
    other, asked = "The company sold 30 lamps in 2022.", "The company sold 20 lamps in June 2021."
    made = make_evidence(f"{other}\n{asked}")
    question = "How many lamps did the company sell in Q2 '21?"
    assert answer(question, made, max_sentences=1) == [asked]


def test_the_steps_below_a_heading_are_shown_as_one() -> None:
    made = make_evidence("# Replace the filter\n- Open the lid.\n- Take the old filter out.")
    assert answer("How do I replace the filter?", made) == [
        "Replace the filter: Open the lid; Take the old filter out"
    ]


def test_a_heading_is_quoted_for_the_value_it_holds() -> None:
    made = make_evidence("# Repair of the roof\nPaid in cash.\n# GRAND TOTAL $5,738.00")
    assert answer("What is the grand total?", made, max_sentences=1) == ["GRAND TOTAL $5,738.00"]


def compute_confidence(question: str, *evidence: Evidence) -> float:
    return compose_answer(analyse_question(question), evidence).confidence


def test_an_answer_that_lacks_the_value_is_less_sure() -> None:
    made = make_evidence("The pump was delivered to Utrecht.")
    sure = compute_confidence("Was the pump delivered?", made)
    assert compute_confidence("When was the pump delivered?", made) < sure


def test_an_answer_about_another_year_is_not_sure() -> None:
    made = make_evidence("In 2022 the company sold 30 lamps.")
    asked = "How many lamps did the company sell in 20{}?"
    assert not compose_answer(analyse_question(asked.format(19)), [made]).is_sure
    assert compose_answer(analyse_question(asked.format(22)), [made]).is_sure


def test_a_question_in_a_source_does_not_answer_itself() -> None:
    for text in (
        "What is the supply voltage? It is 5 V.",
        "It is 5 V. What is the supply voltage?",
    ):
        evidence = make_evidence(text)
        assert answer("What is the supply voltage?", evidence, max_sentences=1) == ["It is 5 V."]


def test_markdown_marks_are_dropped_from_text_and_kept_in_quotes() -> None:
    evidence = make_evidence("The **supply** is [5 V](x.md) for `Lumo`.", type="md")
    (sentence,) = compose("supply", [evidence])
    assert sentence.text == "The supply is 5 V for Lumo."
    assert sentence.quotes[0].text == "The **supply** is [5 V](x.md) for `Lumo`."


def test_rare_words_count_more() -> None:
    evidence = make_evidence("The unit is red. The gromble is blue.")
    asked = replace(analyse_question("unit gromble"), frequencies={"unit": 9, "grombl": 1})
    shown = compose_answer(asked, [evidence], max_sentences=1).sentences
    assert [sentence.text for sentence in shown] == ["The gromble is blue."]


def test_nothing_to_show_gives_nothing() -> None:
    assert compose("anything", []) == []
    assert compose("anything", [make_evidence("# Only a heading")]) == []


def test_a_question_of_stop_words_still_answers() -> None:
    assert answer("what is it?")


def test_only_the_columns_that_are_asked_for_are_shown() -> None:
    rows = "Zone | Sales 2022 | Sales 2021 | Profit 2021\nEUR | 9467 | 9283 | 1606\nAOA | 1 | 2 | 3"
    said = answer("What were the sales of zone EUR in 2021?", make_evidence(rows))
    assert said[0] == "Zone: EUR; Sales 2021: 9283"


TITLED = make_evidence(
    "# 1 Notes\nThe Boeing Company Notes to the Consolidated Financial Statements "
    "Years ended December 31, 2022, 2021 and 2020\n"
    "The pension expense of the company was 3.2 million in 2022.\nGRAND TOTAL 5,738",
    "S1",
)  # fmt: skip


def test_a_line_that_reads_like_a_heading_is_no_sentence() -> None:
    shown = answer("What pension expense do Boeing's financial statements of 2022 have?", TITLED)
    assert shown == ["The pension expense of the company was 3.2 million in 2022."]


def test_a_line_that_reads_like_a_heading_is_shown_for_the_value_it_holds() -> None:
    assert answer("What is the grand total?", TITLED) == ["GRAND TOTAL 5,738"]


def test_a_page_of_headings_answers_nothing() -> None:
    title = make_evidence("The Boeing Company Annual Report For Shareholders 2022", "S1")
    assert answer("Which annual report is it?", title) == []


FUSES = make_evidence(
    "# 4 Remedy\nReplace F1 by a fuse of 1.6 A. The track between X1 and L1 is rated for 2 A.\n"
    "# 5 Replacing\nFuse F2 is behind the cover.\n"
    "- Take a fuse of the same type: 5 x 20 mm, 3 A.\n- Close the cover of X3 for 1 A."
)


def test_a_sentence_about_what_the_identifier_names_comes_first() -> None:
    known = {"f1": 1, "rate": 2, "current": 2}
    asked = replace(analyse_question("What is the current rating of F1?"), frequencies=known)
    shown = compose_answer(asked, [FUSES], max_sentences=1).sentences
    assert [sentence.text for sentence in shown] == ["Replace F1 by a fuse of 1.6 A."]


def test_a_sentence_without_the_identifier_is_never_sure() -> None:
    assert compute_confidence("What is the track between X1 and L1 rated for?", FUSES) > 0
    assert compute_confidence("What is the track of X9 rated for?", FUSES) == 0


@pytest.mark.parametrize(
    ("name", "counts"), [("F1", [1.0, 0.0, 0.0, 0.0, 0.0]), ("F2", [0.0, 0.0, 1.0, 0.5, 0.0])]
)
def test_a_step_is_about_what_its_section_names_unless_it_names_another(
    name: str, counts: list[float]
) -> None:
    candidates = find_candidates([FUSES], answering=True)
    assert [measure_named(f"rating of {name}", one) for one in candidates] == counts


def test_a_number_alone_is_no_identifier() -> None:
    asked = replace(analyse_question("Which fuse is F1?"), frequencies={"f1": 1, "1": 3})
    (word,) = [term for term in weigh_question(asked, []).terms if term.word == "F1"]
    assert word.terms == ("f1",)


def test_which_thing_it_is_says_a_sentence_that_adds_a_value() -> None:
    made = make_evidence("Input fuse F1 is behind the cover. Fuse F1 is a T 1.6 A type.")
    asked = "which input fuse is f1"
    kinds = [has_asked_kind(asked, one) for one in find_candidates([made], answering=True)]
    assert kinds == [False, True]


def test_a_row_of_unlike_values_is_shown_whole_where_no_label_is_asked_for() -> None:
    rows = "Notes | Term (years) | Rate | Carrying value\nDue 2031 | 8.6 | 2.09 | 1,250"
    (shown,) = answer("Wat is de boekwaarde van Due 2031?", make_evidence(rows), language="nl")
    assert shown == "Notes: Due 2031; Term (years): 8.6; Rate: 2.09; Carrying value: 1,250"


CONTRACT = make_evidence(
    "# 1 Definitions\n"
    "In this contract:\n"
    "a. vessel: any of the three ferries, not the till.\n"
    "b. station: the quay where vessels charge, without the transformer house.\n"
    "c. working day: Monday to Saturday, not a holiday."
)


def test_a_question_about_one_item_of_a_list_gets_that_item() -> None:
    (shown,) = answer("Is the transformer house part of the station?", CONTRACT, max_sentences=1)
    assert "transformer house" in shown
    assert "till" not in shown


def test_a_question_about_a_list_gets_the_whole_list() -> None:
    (shown,) = answer("Which definitions are in this contract?", CONTRACT)
    assert "till" in shown
    assert "holiday" in shown


def test_of_two_bounds_the_row_of_the_asked_one_comes_first() -> None:
    made = make_evidence(
        "Charging | Least °C | Most °C\nup to 640 kW | 0 | 45\nabove 640 kW | 10 | 35"
    )
    question = "What is the least temperature for charging at more than 640 kW?"
    (shown,) = answer(question, made, max_sentences=1)
    assert shown.endswith("10")


def test_a_list_after_a_sentence_is_not_joined_to_it_by_a_colon() -> None:
    made = make_evidence("# Fire\nKeep the door shut.\n- Press the fire stop.\n- Go ashore.")
    (shown,) = answer("What are the steps in a fire?", made)
    assert shown == "Keep the door shut. Press the fire stop; Go ashore"


def test_the_best_sentence_comes_before_one_of_another_section() -> None:
    made = make_evidence("# Yard\nThe contract covers the yard.\n# End\nIt may end with notice.")
    above, best = find_candidates([made])
    assert sort_for_reading([best, above]) == [best, above]


def test_a_why_question_gets_the_neighbour_that_gives_the_reason() -> None:
    made = make_evidence(
        "# 4 Power\nThe quay has less power.\nAs a result charging takes longer.\n"
        "The owner decided to cancel the crossings of ten and two from Monday.\nNothing else changed."
    )
    question = "Why did the owner decide to cancel the crossings of ten and two?"
    assert answer(question, made, found=9.0) == [
        "As a result charging takes longer.",
        "The owner decided to cancel the crossings of ten and two from Monday.",
    ]
