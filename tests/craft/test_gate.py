"""The gate: its verdicts, its reasons, and what its score may depend on."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from foundry.analysis import analyse, analyse_query
from foundry.config import BUILTIN_EMBEDDING
from foundry.craft.gate import (
    CONFIDENT,
    Candidate,
    GateCalibration,
    compute_signals,
    find_unmentioned,
    get_calibration,
    make_decision,
    score_candidates,
)
from foundry.messages import Message
from foundry.records import AskedPart, GateDecision, Question, RetrieverHit, SubjectFit
from tests.craft.samples import make_hit, make_question

ASKED = "What is the rating of the input fuse?"
TEXT = "The input fuse is rated at 3.15 A slow. The cover is grey."


def question(text: str = ASKED, language: str = "en") -> Question:
    words = analyse_query(text, {"en", "nl"})
    known = {"input": 1, "fuse": 1, "rate": 2}
    return make_question(text, language, words, known, 10)


def candidate(cosine: float, rank: int = 1, text: str = TEXT, language: str = "en") -> Candidate:
    hit = make_hit(text, language=language)
    found = RetrieverHit(hit.chunk.id, rank, cosine)
    return Candidate(hit.chunk, hit.source, 1 / (60 + rank), found, None, cosine)


def decide(
    *candidates: Candidate, min_chunks: int = 2, model: str | None = BUILTIN_EMBEDDING
) -> GateDecision:
    scored = score_candidates(question(), candidates, get_calibration(model))
    return make_decision(question(), scored, min_score=0.2, min_chunks=min_chunks)


def test_no_candidates_is_no_evidence_with_a_reason() -> None:
    decision = decide()
    assert (decision.decision, decision.score) == ("no_evidence", 0.0)
    assert decision.reasons


def test_a_near_passage_with_the_words_opens_the_gate() -> None:
    assert decide(candidate(0.92), min_chunks=1).decision == "answer"


def test_a_far_passage_without_the_words_closes_it() -> None:
    far = candidate(0.74, text="Bees find their way back by the sun.")
    assert decide(far).decision == "no_evidence"


def test_words_without_a_source_are_named() -> None:
    words = analyse_query("pension fund", {"en"})
    asked = make_question("pension fund", "en", words, {}, 10)
    scored = score_candidates(asked, [], get_calibration(BUILTIN_EMBEDDING))
    decision = make_decision(asked, scored, min_score=0.2, min_chunks=2)
    assert decision.uncovered == ("pension", "fund")


def test_the_fused_score_changes_nothing() -> None:
    one = candidate(0.86)
    assert decide(one).score == decide(replace(one, fused=0.9)).score


@pytest.mark.parametrize("cosine", [0.75, 0.8, 0.85, 0.9])
def test_a_closer_passage_never_scores_lower(cosine: float) -> None:
    assert decide(candidate(cosine + 0.02)).score >= decide(candidate(cosine)).score


def test_words_do_not_count_where_languages_differ() -> None:
    dutch = candidate(0.86, text="De zekering is 3,15 A traag.", language="nl")
    assert decide(dutch).signals["passage"] == 0.0


def test_unknown_vectors_are_judged_by_words_with_a_reason() -> None:
    decision = decide(candidate(0.3), model="openai/unknown")
    assert not decision.calibrated
    assert any("not calibrated" in str(reason) for reason in [*map(str, decision.reasons)])


def ask(text: str, *candidates: Candidate, language: str = "en", chunks: int = 10) -> GateDecision:
    """A question judged over candidates whose words are the whole index."""
    words = analyse_query(text, {"en", "nl"})
    counts = Counter(
        term for one in candidates for term in set(analyse(one.chunk.content, one.chunk.language))
    )
    known = {term: counts[term] for word in words for term in word.terms if counts[term]}
    asked = make_question(text, language, words, known, chunks)
    scored = score_candidates(asked, candidates, get_calibration(BUILTIN_EMBEDDING))
    return make_decision(asked, scored, min_score=0.2, min_chunks=1)


DEVICE = candidate(0.93, text="The Brinkvonk DX-4 has a supply voltage of 12 V. It speaks DMX.")


def test_a_device_that_no_source_mentions_is_refused_by_name() -> None:
    decision = ask("What is the supply voltage of the ZX-9000?", DEVICE)
    assert decision.decision == "no_evidence"
    assert "No source mentions: ZX-9000." in [*map(str, decision.reasons)]
    assert decision.score < decision.threshold


@pytest.mark.parametrize(
    "text",
    [
        "What is the supply voltage of the DX-4?",
        "What is the supply voltage of the dx 4?",
        "What is the supply voltage of the Brinkvonk?",
        "What is the supply voltage of Brinkvonk's device?",
        "What is the supply voltage of the DMX-device?",
        "Hi Foundry, what is the supply voltage?",
        "Beste collega, what is the supply voltage?",
        "What Is The Supply Voltage Of This Wonderful Device?",
        "WHAT IS THE SUPPLY VOLTAGE OF THIS WONDERFUL DEVICE?",
        "Supply voltage of Wonderful things",
    ],
)
def test_a_variant_spelling_or_an_ordinary_word_is_mentioned(text: str) -> None:
    decision = ask(text, DEVICE)
    assert (decision.decision, decision.unmentioned) == ("answer", ())


def test_a_name_that_no_source_has_is_said_and_opens_the_gate() -> None:
    decision = ask("What is the supply voltage of the DX-4 in Brazil?", DEVICE)
    assert (decision.decision, decision.unmentioned) == ("low_confidence", ("Brazil",))
    assert "No source mentions: Brazil." in map(str, decision.reasons)


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("Does the Brinkvonk ZX-9000 have a supply voltage?", "no_evidence"),
        ("Does the ZX-9000 work with DMX?", "low_confidence"),
        ("Is the supply voltage of the ZX-9000 that of the DX-4?", "low_confidence"),
        ("What was the supply voltage in FQ3?", "low_confidence"),
    ],
)
def test_only_an_identifier_that_the_question_is_about_refuses(text: str, decision: str) -> None:
    assert ask(text, DEVICE).decision == decision


@pytest.mark.parametrize(
    ("short", "title"),
    [
        ("AOW", "Algemene Ouderdomswet"),
        ("PW", "Pensioenwet"),
        ("WIA", "Wet werk en inkomen naar arbeidsvermogen"),
    ],
)
def test_the_initials_of_a_title_are_a_name(short: str, title: str) -> None:
    text = "Deze wet geldt voor ieder die verzekerd is."
    one = candidate(0.9, text=text, language="nl")
    titled = replace(one, source=replace(one.source, title=title))
    assert ask(f"Voor wie geldt de {short}?", titled, language="nl").unmentioned == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What was the supply voltage in 2019?", "No passage found has: 2019."),
        ("What is the supply voltage of version 2.4?", "No passage found has: 2.4."),
        ("What did the DX-4 cost in 2021?", "No passage found has all of these: DX-4, 2021."),
    ],
)
def test_a_period_or_number_that_no_passage_has_is_said(text: str, said: str) -> None:
    older = candidate(0.8, rank=2, text="The older device had a supply voltage of 24 V in 2021.")
    assert said in map(str, ask(text, DEVICE, older).reasons)


def test_a_name_that_no_source_has_is_told_apart_from_a_word() -> None:
    decision = ask("What is the supply voltage of the DX-4 in Brazil for a treasurer?", DEVICE)
    assert decision.unmentioned == ("Brazil",)


@pytest.mark.parametrize("name", ["Art-Net", "Wi-Fi"])
def test_neither_half_of_a_coined_name_mentions_it(name: str) -> None:
    text = "The net supply of the device is fine art; the power of wi is two con fi."
    decision = ask(f"Which supply does the device have for {name}?", candidate(0.93, text=text))
    assert f"No source mentions: {name}." in [*map(str, decision.reasons)]


def test_a_spelt_out_abbreviation_counts_as_mentioned() -> None:
    text = "The mean time between failures of the device is 90 000 hours."
    decision = ask("What is the MTBF of the device?", candidate(0.93, text=text))
    assert decision.decision == "answer"


def test_an_identifier_must_match_to_the_last_digit() -> None:
    text = "Error code E05 means that the supply voltage is too low."
    decision = ask("What does error code E12 mean?", candidate(0.93, text=text))
    assert str(decision.reasons[0]) == "No source mentions: E12."


def test_a_name_may_be_spelt_differently_in_another_language() -> None:
    dutch = candidate(0.93, text="Het kantoor in Wenen telt 40 stoelen.", language="nl")
    assert ask("How many seats has the office in Vienna?", dutch).unmentioned == ()
    assert ask("How many seats has the ZX-9000 in Vienna?", dutch).unmentioned == ("ZX-9000",)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What is the tax rate of PowerCon?", ["PowerCon"]),
        ("When did the war reach Warschau?", []),
        ("How long does the Senate meet?", []),
    ],
)
def test_only_names_that_languages_share_must_occur_in_another_one(
    text: str, names: list[str]
) -> None:
    dutch = candidate(0.93, text="In 1939 werd heel Warsaw verwoest.", language="nl")
    found = find_unmentioned(question(text), [dutch], across=True)
    assert [name.text for name in found] == names


TABLE = "Revenue | 2022 | 2021\nNet sales | 512 | 498\n\nStaff grew a lot in 2019."


@pytest.mark.parametrize(("year", "dated"), [(2022, 1.0), (2019, 0.5), (2016, 0.0)])
def test_a_row_is_of_the_periods_of_its_header(year: int, dated: float) -> None:
    (found,) = compute_signals(question(f"net sales in {year}"), [candidate(0.9, text=TABLE)])
    assert found.dated == pytest.approx(dated)


def test_a_passage_of_another_period_scores_lower() -> None:
    asked, calibration = question("How many net sales in 2022?"), get_calibration(BUILTIN_EMBEDDING)
    texts = ("Net sales were 512 in 2022.", "Net sales were 512 in 2019.")
    of, other = (
        score_candidates(asked, [candidate(0.9, text=text)], calibration).relevances[0]
        for text in texts
    )
    assert of > other + 0.2


def test_words_that_no_source_has_do_not_close_the_gate() -> None:
    decision = ask("how do i prune an apple tree in winter", DEVICE, chunks=20)
    assert decision.decision != "no_evidence"
    assert decision.uncovered == ("prune", "apple", "tree", "winter")


def test_framing_words_need_no_source() -> None:
    assert ask("How many volts does the DX-4 have?", DEVICE).uncovered == ("volts",)


def test_without_a_threshold_nothing_is_refused() -> None:
    words = analyse_query("ZX-9000", {"en"})
    asked = make_question("ZX-9000", "en", words, {}, 10)
    scored = score_candidates(asked, [DEVICE], get_calibration(BUILTIN_EMBEDDING))
    assert make_decision(asked, scored, min_score=0.0, min_chunks=1).decision != "no_evidence"


def test_a_project_calibration_without_cross_lingual_fit_is_uncalibrated_only_there() -> None:
    shared = get_calibration(BUILTIN_EMBEDDING).shared
    constants = GateCalibration("openai/x", shared, None, own=True)
    here, abroad = candidate(0.9), candidate(0.9, language="nl")
    assert score_candidates(question(), [here, abroad], constants).calibrated
    assert not score_candidates(question(), [abroad], constants).calibrated


def test_a_name_that_no_source_mentions_is_not_also_listed_as_uncovered() -> None:
    text = "Who is the CEO of the maker, and who its treasurer?"
    asked = make_question(text, "en", analyse_query(text, {"en"}), {"maker": 1}, 10)
    scored = score_candidates(asked, [candidate(0.8)], get_calibration(BUILTIN_EMBEDDING))
    reasons = make_decision(asked, scored, min_score=0.2, min_chunks=2).reasons
    assert [*map(str, reasons)][-2:] == ["No source mentions: CEO.", "No source covers: treasurer."]


def test_a_search_by_words_alone_says_nothing_of_vectors() -> None:
    by_words = replace(candidate(0.0), cosine=None, dense=None)
    assert not any(
        "vectors" in str(reason) for reason in [*map(str, decide(by_words, model=None).reasons)]
    )


def test_a_score_just_below_the_threshold_looks_lower() -> None:
    scored = score_candidates(question(), [candidate(0.9)], get_calibration(BUILTIN_EMBEDDING))
    below = replace(scored, relevances=(0.1996,))
    decision = make_decision(question(), below, min_score=0.2, min_chunks=1)
    assert str(decision.reasons[0]) == "The best passage scores 0.19, below the threshold 0.20."


def test_an_answer_of_a_middling_score_is_marked() -> None:
    scored = score_candidates(question(), [candidate(0.9)], get_calibration(BUILTIN_EMBEDDING))
    middling = replace(scored, relevances=(CONFIDENT - 0.004,))
    decision = make_decision(question(), middling, min_score=0.2, min_chunks=1)
    assert decision.decision == "low_confidence"
    assert str(decision.reasons[0]).startswith("The best passage scores 0.59. Below 0.60 it may")
    lower = make_decision(
        question(), replace(scored, relevances=(0.248,)), min_score=0.2, min_chunks=1
    )
    assert str(lower.reasons[0]).startswith("The best passage scores 0.25.")


def test_words_are_missing_only_in_their_language_where_the_passage_is_in_another() -> None:
    dutch = candidate(0.86, text="De boom wordt in de winter gesnoeid.", language="nl")
    reasons = ask("When is the apple tree pruned?", dutch, candidate(0.74, rank=2)).reasons
    assert str(reasons[-1]) == "No source in the question's language covers: apple, tree, pruned."


def test_a_passage_without_the_value_asked_for_scores_lower() -> None:
    asked = question("What does the input fuse cost?")
    silent, priced = (
        score_candidates(asked, [candidate(0.9, text=text)], get_calibration(BUILTIN_EMBEDDING))
        for text in (TEXT, "The input fuse costs 3.15 euro. The cover is grey.")
    )
    assert silent.relevances[0] < priced.relevances[0]


def test_a_missing_value_is_a_reason_of_a_refusal() -> None:
    asked = question("What does the input fuse cost?")
    scored = score_candidates(asked, [candidate(0.7)], get_calibration(BUILTIN_EMBEDDING))
    reasons = make_decision(asked, scored, min_score=0.2, min_chunks=1).reasons
    assert "value of the kind" in " ".join(map(str, reasons))


OTHER = SubjectFit("other", Message("subject-other-period", periods=["FY2022"]))


def test_one_passage_about_the_thing_is_enough_against_that_rule() -> None:
    other, own = replace(candidate(0.92), fit=OTHER), candidate(0.92, rank=2)
    assert decide(other, replace(own, fit=SubjectFit("fits"))).decision != "no_evidence"


def test_a_passage_about_another_thing_scores_lower() -> None:
    calibration = get_calibration(BUILTIN_EMBEDDING)
    other = replace(candidate(0.9), fit=OTHER)
    fitting = replace(candidate(0.9, rank=2), fit=SubjectFit("fits"))
    scored = score_candidates(question(), [other, fitting], calibration)
    assert scored.relevances[0] < scored.relevances[1]


def test_a_passage_without_vectors_is_judged_by_its_words() -> None:
    waiting = replace(candidate(0.9), cosine=None)
    scored = score_candidates(question(), [waiting], get_calibration(BUILTIN_EMBEDDING))
    by_words = score_candidates(question(), [waiting], get_calibration(None))
    assert scored.relevances == by_words.relevances


def test_a_passage_in_another_language_without_vectors_is_tried() -> None:
    found = RetrieverHit("chk", 1, 7.0)
    waiting = replace(candidate(0.9, language="nl"), cosine=None, dense=None, bm25=found)
    scored = score_candidates(question(), [waiting], get_calibration(BUILTIN_EMBEDDING))
    decision = make_decision(question(), scored, min_score=0.2, min_chunks=1)
    assert decision.decision == "low_confidence"


def test_a_question_in_a_language_of_no_source_has_no_uncovered_words() -> None:
    text = "Quelle est la pression de la pompe?"
    asked = make_question(
        text, "fr", analyse_query(text, {"en"}), {}, 10, languages=frozenset({"en"})
    )
    scored = score_candidates(asked, [candidate(0.9, language="und")], get_calibration(None))
    decision = make_decision(asked, scored, min_score=0.0, min_chunks=1)
    assert decision.uncovered == ()


@pytest.mark.parametrize("text", ["what is the", "?!"])
def test_a_question_without_a_word_to_look_for_says_so(text: str) -> None:
    asked = make_question(text, "en", analyse_query(text, {"en"}), {}, 10)
    scored = score_candidates(asked, [candidate(0.9)], get_calibration(BUILTIN_EMBEDDING))
    decision = make_decision(asked, scored, min_score=0.0, min_chunks=1)
    assert decision.reasons[-1].code == "gate-common-words"


def judge_sides(*texts: str) -> GateDecision:
    """A question about the input fuse of two devices, each with a document of its own."""
    names = ("DX-4", "DX-8")
    given = [candidate(0.92 if text == TEXT else 0.74, text=text) for text in texts]
    given = [
        replace(one, source=replace(one.source, id=name))
        for one, name in zip(given, names, strict=True)
    ]
    parts = tuple(AskedPart(name, question(), frozenset({name})) for name in names)
    asked = replace(question("What are the input fuses of the DX-4 and the DX-8?"), parts=parts)
    scored = score_candidates(asked, given, get_calibration(BUILTIN_EMBEDDING))
    return make_decision(asked, scored, min_score=0.2, min_chunks=1)


def test_each_part_of_a_question_is_found_in_a_passage_of_its_own() -> None:
    assert judge_sides(TEXT, TEXT).score >= CONFIDENT


def test_a_part_that_no_passage_is_near_is_named() -> None:
    decision = judge_sides(TEXT, "Bees find their way back by the sun.")
    found = [reason for reason in decision.reasons if reason.code == "gate-part-unfound"]
    assert [reason.params["parts"] for reason in found] == [("DX-8",)]
    assert decision.decision == "low_confidence"
