"""Replies are grounded against the evidence, and every removal has its reason."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from foundry.craft.grounding import (
    EvidenceIndex,
    ParsedReply,
    Statement,
    attribute,
    build_grounding,
    find_quote,
    parse_reply,
)
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
    reply: ParsedReply, evidence: Sequence[Evidence], language: str, *, judged: bool = False
) -> Grounding:
    index = EvidenceIndex(evidence, language, judged=judged)
    return build_grounding([attribute(statement, index) for statement in reply.statements])


def test_a_supported_sentence_keeps_its_citation_and_gets_its_exact_words() -> None:
    result = ground(parsed(("The supply voltage is 5 V.", "S1")), [SUPPLY, FAN], "en")
    quote = result.sentences[0].quotes[0]
    assert result.sentences[0].citations == ("S1",)
    assert quote.text == "The supply voltage is 5 V."
    assert (quote.section, result.changes) == ("3.2 Supply", ())


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


def test_a_sentence_without_citation_is_attributed_or_removed() -> None:
    result = ground(parsed(("The fan runs at 1200 rpm.", "")), [SUPPLY, FAN], "en")
    assert result.sentences[0].citations == ("S2",)
    assert str(result.changes[0].reason).startswith("it cites nothing")


def test_coverage_counts_the_models_sentences_before_removal() -> None:
    said = parsed(("The supply voltage is 5 V.", "S1"), ("The supply voltage is 9 V.", "S1"))
    result = ground(said, [SUPPLY], "en")
    assert (result.attribution_coverage, result.shown_coverage) == (0.5, 1.0)


def test_coverage_of_nothing_is_null() -> None:
    result = ground(ParsedReply(()), [SUPPLY], "en")
    assert (result.attribution_coverage, result.shown_coverage) == (None, None)
    assert not result.refused


def test_a_quote_is_a_slice_of_the_source_wherever_the_chunk_begins() -> None:
    evidence = make_evidence("One thing. The fan runs at 1200 rpm.\nMore.", start=1000)
    quote = find_quote("The fan runs at 1200 rpm.", evidence, "en")
    chunk = evidence.hit.chunk
    assert quote is not None
    assert quote.text == "The fan runs at 1200 rpm."
    assert chunk.text[quote.start - chunk.start : quote.end - chunk.start] == quote.text


def test_no_quote_is_made_up() -> None:
    assert find_quote("Zebras graze.", FAN, "en") is None


def test_a_contradicted_sentence_is_removed_with_what_the_source_says() -> None:
    fuse = make_evidence("The input fuse is rated at 5 A slow. A spare fuse of 9 A is inside.")
    result = ground(parsed(("The input fuse is rated at 9 A slow.", "S1")), [fuse], "en")
    assert (result.sentences, result.checks[0].verdict) == ((), "contradicted")
    assert result.changes[0].action == "removed"
    assert "The input fuse is rated at 5 A slow." in str(result.changes[0].reason)


LOOSE = "A supply of 5 V is what it needs."


def test_what_no_passage_says_exactly_is_shown_as_not_verified() -> None:
    result = ground(parsed((LOOSE, "S1")), [SUPPLY, FAN], "en")
    (sentence,) = result.sentences
    assert (sentence.verified, sentence.citations) == (False, ("S1",))
    assert [quote.text for quote in sentence.quotes] == ["The supply voltage is 5 V."]
    assert (result.checks[0].verdict, result.checks[0].carried_by) == ("unclear", ())
    assert (result.attribution_coverage, result.shown_coverage) == (0.0, 0.0)


def test_a_judge_reads_every_statement_and_one_that_is_exact_for_its_subject() -> None:
    index = EvidenceIndex([SUPPLY, FAN], "en", judged=True)
    texts = (LOOSE, "The supply voltage is 6 V.", "The supply voltage is 5 V.")
    read = [attribute(Statement(text, ("S1",)), index).candidates for text in texts]
    assert read == [("S1",)] * 3


def test_an_open_sentence_that_cites_nothing_is_removed_where_no_judge_reads_it() -> None:
    result = ground(parsed((LOOSE, "")), [SUPPLY, FAN], "en")
    assert result.sentences == ()
    assert str(result.changes[0].reason).startswith("it cites nothing")


def test_a_sentence_that_shares_no_word_with_what_it_cites_is_removed() -> None:
    reply = parse_reply("The supply voltage is 5 V [S1]. Cats purr [S2].", None, ["S1", "S2"], "en")
    result = ground(reply, [SUPPLY, FAN], "en")
    assert [sentence.text for sentence in result.sentences] == ["The supply voltage is 5 V."]
    assert [change.action for change in result.changes] == ["removed"]


def test_a_sentence_in_another_language_than_its_source_is_shown_with_what_was_found() -> None:
    reply = parsed(("Nobody is allowed to open up its housing at any time.", "S3"))
    (sentence,) = ground(reply, [DUTCH], "en").sentences
    assert (sentence.verified, [quote.evidence_id for quote in sentence.quotes]) == (False, ["S3"])


def test_a_sentence_of_two_sources_is_left_open() -> None:
    text = "The supply voltage is 5 V and the fan runs at 1200 rpm."
    (sentence,) = ground(parsed((text, "S1 S2")), [SUPPLY, FAN], "en").sentences
    assert (sentence.verified, sentence.citations) == (False, ("S1", "S2"))


@pytest.mark.parametrize(
    "text", ["S1 [S3]", "S1| [S1]", "Answer:", "**Sources used:**", "[S1], S2."]
)
def test_marks_and_labels_are_no_statements(text: str) -> None:
    assert parse_reply(text, None, ["S1", "S3"], "en").statements == ()
