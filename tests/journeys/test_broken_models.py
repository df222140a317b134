"""Small and broken models: supported sentences are kept with their quotes, the rest is removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foundry.journeys.ask import ask
from foundry.records import Answer
from tests.journeys.answers import FUSE, RATED, online, said
from tests.support.model_server import Json, ModelServer, Text

OWN = "Fuses were invented by Thomas Edison in 1890."


def asked(built: Path, server: ModelServer, reply: object) -> Answer:
    server.default = reply  # type: ignore[assignment]
    with online(built, server) as workspace:
        answer = ask(workspace, FUSE)
        for cited in answer.sources:
            text = workspace.store.source_text(cited.evidence.hit.source.id)
            assert all(text[quote.start : quote.end] == quote.text for quote in cited.quotes)
        return answer


@pytest.mark.parametrize(
    "reply",
    [
        Text(f"{RATED} {OWN}"),
        Text(f"Sure! Here is what I found:\n\n- {RATED}\n- {OWN}"),
        Text("```json\n" + json.dumps({"sentences": [{"text": RATED}, {"text": OWN}]}) + "\n```"),
        Text('{"sentences": [{"text": "' + RATED + '", "citations": ["S1"]}, {"text": "' + OWN),
        Json({"sentences": [RATED, OWN]}),
        Json({"answer": [{"sentence": RATED, "sources": "S1"}, {"sentence": OWN, "sources": []}]}),
        Text(f"<think>The user wants a fuse.</think>{RATED} {OWN}"),
    ],
    ids=["prose", "list", "fence", "cut off", "strings", "other keys", "thinking"],
)
def test_what_is_supported_is_kept_with_a_found_citation(
    built: Path, server: ModelServer, reply: object
) -> None:
    answer = asked(built, server, reply)
    assert [sentence.text for sentence in answer.sentences] == [RATED]
    assert answer.sentences[0].citations
    assert OWN not in answer.text


@pytest.mark.parametrize("text", [f"{RATED[:-1]} [S1].", f"1. {RATED}", f"{RATED} [S1][S1]"])
def test_a_citation_repeated_in_the_text_is_left_out_where_the_source_has_none(
    built: Path, server: ModelServer, text: str
) -> None:
    answer = asked(built, server, said((text, "S1")))
    assert [sentence.text for sentence in answer.sentences] == [RATED]


def test_a_number_in_brackets_is_not_taken_for_a_citation(built: Path, server: ModelServer) -> None:
    answer = asked(built, server, said((RATED.replace("3.15", "(4)"), "S1")))
    assert answer.checks[0].sentence == "The input fuse is rated at (4) A slow."


def test_a_model_that_cites_everything_keeps_only_the_citations_that_support_it(
    built: Path, server: ModelServer
) -> None:
    answer = asked(built, server, said((RATED, "S1 S2 S3 S4 S5 S99")))
    assert len(answer.sentences[0].citations) < 3
    assert answer.changes[0].action == "recited"


def test_a_model_that_answers_from_its_own_knowledge_gives_way_to_the_passages(
    built: Path, server: ModelServer
) -> None:
    answer = asked(built, server, said((OWN, "S1"), ("Paris is the capital of France.", "S1")))
    assert (answer.verdict, answer.text) == ("passages", "")
    assert "ask-model-failed" in {reason.code for reason in answer.reasons}
    assert answer.attribution_coverage == 0.0
    assert {check.verdict for check in answer.checks} == {"unclear"}


def test_a_model_that_repeats_the_context_shows_sentences_not_marks(
    built: Path, server: ModelServer
) -> None:
    repeated = "S1| The controller runs on a supply of 12 V DC with at most 2.5 A.\n" * 3
    answer = asked(built, server, Text(f"<context>\n{repeated}</context>"))
    assert "S1|" not in answer.text
    assert "<context>" not in answer.text
    assert len(answer.sentences) <= 1


@pytest.mark.parametrize(
    "text", ["", "   ", "???", "{}", "[]", "null", '{"sentences": []}', "\x00\x07"]
)
def test_a_reply_without_content_gives_way_to_the_passages(
    built: Path, server: ModelServer, text: str
) -> None:
    answer = asked(built, server, Text(text))
    assert (answer.verdict, answer.sentences) == ("passages", ())


@pytest.mark.parametrize(
    "refusal",
    [
        "The indexed documentation does not contain this information.",
        "De geïndexeerde documentatie bevat deze informatie niet.",
        "Unfortunately, the provided documents do not contain an answer to this question.",
        "Helaas, de bronnen bevatten geen informatie hierover.",
    ],
)
@pytest.mark.parametrize("cited", ["", "S1", "S1 S2"])
def test_a_refusal_in_either_language_is_never_an_answer_with_citations(
    built: Path, server: ModelServer, refusal: str, cited: str
) -> None:
    answer = asked(built, server, said((refusal, cited)))
    assert (answer.verdict, answer.sources) == ("no_evidence", ())
    assert "refus" in " ".join(map(str, answer.reasons)) or "no answer" in " ".join(
        map(str, answer.reasons)
    )


def test_an_answer_in_another_language_gets_a_notice(built: Path, server: ModelServer) -> None:
    server.default = said(("The housing must be cleaned every six months with a dry cloth.", "S1"))
    with online(built, server) as workspace:
        answer = ask(workspace, "Hoe vaak moet ik de behuizing reinigen?")
    assert answer.language == "nl"
    assert any(
        "wrote in English instead of Dutch" in str(notice) for notice in [*map(str, answer.notices)]
    )


def test_the_answers_language_is_asked_for_and_quotes_keep_the_sources(
    built: Path, server: ModelServer
) -> None:
    server.default = said(("The housing must be cleaned every six months with a dry cloth.", "S1"))
    with online(built, server) as workspace:
        answer = ask(workspace, "How often must the housing be cleaned?")
    assert "Write in English." in server.chats[0].prompt
    assert "zes maanden" in answer.sources[0].quotes[0].text
