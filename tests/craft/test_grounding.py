"""Replies are grounded against the evidence, and every removal has its reason."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foundry.craft.grounding import (
    ParsedReply,
    Statement,
    attribute,
    build_grounding,
    find_quote,
    index_evidence,
    parse_reply,
    verify_statement,
)
from foundry.ports import CompareSentences, SentenceMatch
from foundry.records import Evidence, Grounding
from tests.craft.samples import make_evidence

SUPPLY = make_evidence("# 3.2 Supply\nThe supply voltage is 5 V. It must not exceed 6 V.", "S1")
FAN = make_evidence("# 4 Fan\nThe fan runs at 1200 rpm.", "S2", source="fan.md")
DUTCH = make_evidence(
    "De garantie vervalt na twee jaar. De behuizing mag niet worden geopend. "
    "De kabel is afgeschermd. De ventilator is stil. De doos bevat een handleiding.",
    "S3", source="nl.md", language="nl",
)  # fmt: skip


def parsed(*statements: tuple[str, str]) -> ParsedReply:
    return ParsedReply(tuple(Statement(text, tuple(ids.split())) for text, ids in statements))


def ground(
    reply: ParsedReply,
    evidence: Sequence[Evidence],
    language: str,
    known_words: str = "",
    similar: CompareSentences | None = None,
) -> Grounding:
    index = index_evidence(evidence, language, known_words=known_words, similar=similar)
    return build_grounding([attribute(statement, index) for statement in reply.statements])


def test_a_supported_sentence_keeps_its_citation_and_gets_its_exact_words() -> None:
    result = ground(parsed(("The supply voltage is 5 V.", "S1")), [SUPPLY, FAN], "en")
    quote = result.sentences[0].quotes[0]
    assert result.sentences[0].citations == ("S1",)
    assert quote.text == "The supply voltage is 5 V."
    assert (quote.section, result.changes) == ("3.2 Supply", ())


def test_a_number_in_a_sentence_has_no_scale_that_the_passage_does_not_name() -> None:
    pack = make_evidence("The pack lasts 4,000 full cycles. Modules 1 to 5 are alike.")
    finding = verify_statement("You can charge and empty the pack 5,000 times.", [pack], "en")
    assert (finding.verdict, str(finding.reason)) == (
        "unsupported",
        "'5,000' does not occur there",
    )


def test_another_frequency_is_never_supported_and_the_same_in_other_words_never_rejected() -> None:
    pump = make_evidence("The pump is inspected every six months.")
    found = [
        verify_statement(text, [pump], "en")
        for text in ("The pump is inspected every year.", "The pump is inspected each 6 months.")
    ]
    assert [one.supported for one in found] == [False, True]
    assert found[0].differs == "every six months"
    yearly = make_evidence("The pump is inspected yearly.")
    assert not verify_statement("The pump is inspected every twelve months.", [yearly], "en").hard
    assert verify_statement("Its warranty is twelve months.", [yearly], "en").hard


def test_a_wrong_citation_moves_to_the_evidence_that_supports_it() -> None:
    result = ground(parsed(("The fan runs at 1200 rpm.", "S1")), [SUPPLY, FAN], "en")
    assert result.sentences[0].citations == ("S2",)
    assert result.changes[0].action == "reattributed"
    assert "S1" in str(result.changes[0].reason)


def test_a_failing_citation_beside_a_good_one_is_dropped_and_named() -> None:
    result = ground(parsed(("The fan runs at 1200 rpm.", "S1 S2")), [SUPPLY, FAN], "en")
    assert result.sentences[0].citations == ("S2",)
    assert result.changes[0].action == "recited"


def test_an_invented_id_never_reaches_the_result() -> None:
    result = ground(parsed(("The supply voltage is 5 V.", "S1 S9")), [SUPPLY], "en")
    assert result.sentences[0].citations == ("S1",)
    assert "S9 is not among the evidence" in str(result.changes[0].reason)


def test_an_unsupported_sentence_is_removed_with_the_reason() -> None:
    result = ground(parsed(("The supply voltage is 9 V.", "S1")), [SUPPLY, FAN], "en")
    assert result.sentences == ()
    assert result.changes[0].action == "removed"
    assert "9 V" in str(result.changes[0].reason)


def test_a_sentence_without_citation_is_attributed_or_removed() -> None:
    result = ground(parsed(("The fan runs at 1200 rpm.", "")), [SUPPLY, FAN], "en")
    assert result.sentences[0].citations == ("S2",)
    assert str(result.changes[0].reason).startswith("it cites nothing")


def test_two_sources_may_support_a_sentence_together() -> None:
    text = "The supply voltage is 5 V and the fan runs at 1200 rpm."
    result = ground(parsed((text, "S1 S2")), [SUPPLY, FAN], "en")
    assert result.sentences[0].citations == ("S1", "S2")
    assert {quote.evidence_id for quote in result.sentences[0].quotes} == {"S1", "S2"}


def test_coverage_counts_the_models_sentences_before_removal() -> None:
    said = parsed(("The supply voltage is 5 V.", "S1"), ("The supply voltage is 9 V.", "S1"))
    result = ground(said, [SUPPLY], "en")
    assert (result.attribution_coverage, result.shown_coverage) == (0.5, 1.0)


def test_coverage_of_nothing_is_null() -> None:
    result = ground(ParsedReply(()), [SUPPLY], "en")
    assert (result.attribution_coverage, result.shown_coverage) == (None, None)
    assert not result.refused


def test_names_in_the_question_are_not_unknown() -> None:
    said = parsed(("Supply is 5 V.", "S1"))
    assert ground(said, [SUPPLY], "en", known_words="what supply is needed").sentences


def test_across_languages_numbers_must_agree_and_words_are_not_compared() -> None:
    good = verify_statement("The warranty expires after 2 years.", [DUTCH], "en")
    bad = verify_statement("The warranty expires after 3 years.", [DUTCH], "en")
    assert good.verdict == "partly"
    assert "languages differ" in str(good.reason)
    assert bad.verdict == "unsupported"


def find_alike(sentence: str, others: Sequence[str]) -> Sequence[SentenceMatch]:
    """Token vectors under which the housing and the warranty are the same in both languages."""
    words = {"housing": "behuizing", "warranty": "garantie", "150": "150"}
    alike = [any(a in sentence and b in other for a, b in words.items()) for other in others]
    one = np.ones(1, dtype=np.float32)
    return [SentenceMatch(one * s, one, one * s, one) for s in (0.95 if a else 0.2 for a in alike)]


def test_across_languages_a_statement_needs_similarity() -> None:
    sentence = "The housing may not be opened."
    assert verify_statement(sentence, [DUTCH], "en").verdict == "partly"
    finding = verify_statement(sentence, [DUTCH], "en", similar=find_alike)
    assert finding.supported
    assert finding.quotes[0].text == "De behuizing mag niet worden geopend."


def test_across_languages_a_lost_negation_is_detected() -> None:
    sentence = "The housing may be opened."
    finding = verify_statement(sentence, [DUTCH], "en", similar=find_alike)
    assert not finding.supported


def test_a_date_may_be_in_the_sources_title() -> None:
    evidence = make_evidence("Anna approved the budget.", title="Minutes of 5 March 2026")
    assert verify_statement("On 5 March 2026 Anna approved the budget.", [evidence], "en").supported


def test_a_quote_is_a_slice_of_the_source_wherever_the_chunk_begins() -> None:
    evidence = make_evidence("One thing. The fan runs at 1200 rpm.\nMore.", start=1000)
    quote = find_quote("The fan runs at 1200 rpm.", evidence, "en")
    chunk = evidence.hit.chunk
    assert quote is not None
    assert quote.text == "The fan runs at 1200 rpm."
    assert chunk.text[quote.start - chunk.start : quote.end - chunk.start] == quote.text


def test_no_quote_is_made_up() -> None:
    assert find_quote("Zebras graze.", FAN, "en") is None


def test_a_spoken_sentence_over_two_cues_has_a_quote_of_each() -> None:
    text = "> The budget was\n00:04 -->\n> approved on Monday."
    evidence = make_evidence(text.replace("00:04 -->\n", "\n"))
    finding = verify_statement("The budget was approved on Monday.", [evidence], "en")
    assert finding.supported
    chunk = evidence.hit.chunk
    assert all(q.text == chunk.text[q.start : q.end] for q in finding.quotes)


def test_reply_to_grounding_end_to_end() -> None:
    reply = parse_reply("The supply voltage is 5 V [S1]. Cats purr [S2].", None, ["S1", "S2"], "en")
    result = ground(reply, [SUPPLY, FAN], "en")
    assert [sentence.text for sentence in result.sentences] == ["The supply voltage is 5 V."]
    assert [change.action for change in result.changes] == ["removed"]


def test_the_restated_sentence_outweighs_a_looser_one_elsewhere() -> None:
    keep = "# 2 Space\nKeep the controller at least 200 mm away from frequency inverters."
    near = make_evidence(keep, "S1")
    loose = make_evidence(
        "Laat 150 mm vrij boven de regelaar.", "S2", source="nl.md", language="nl"
    )
    wrong = "Keep the controller at least 150 mm away from frequency inverters."
    assert ground(parsed((wrong, "")), [loose], "en", similar=find_alike).sentences
    result = ground(parsed((wrong, "S1")), [near, loose], "en", similar=find_alike)
    assert result.sentences == ()
    assert "200 mm" in str(result.changes[0].reason)
