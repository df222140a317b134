"""The documented forms of citation are parsed, and nothing else is taken for a mark."""

from __future__ import annotations

import pytest

from foundry.craft.grounding import is_refusal, parse_reply
from foundry.text.replies import Statement, read_plainly

IDS = ("S1", "S2", "S3")

FORMS = [
    ("It is 5 V [S1]. It is red [S1, S2].", [("It is 5 V.", "S1"), ("It is red.", "S1 S2")]),
    ("It is 5 V. [S1] It is red. [S2][S3]", [("It is 5 V.", "S1"), ("It is red.", "S2 S3")]),
    ("It is 5 V 【S1】.", [("It is 5 V.", "S1")]),
    ("It is 5 V 【S1†manual】.", [("It is 5 V.", "S1")]),
    ("It is 5 V (S1).", [("It is 5 V (S1).", "")]),
    ("It is 5 V [1].", [("It is 5 V [1].", "")]),
    ("See note [^2] for it [S1].", [("See note [^2] for it.", "S1")]),
    ("The S2 relay closes (5)% later [S1; S3].", [("The S2 relay closes (5)% later.", "S1 S3")]),
    ("It is 5 V[^1].\n\n[^1]: S3", [("It is 5 V.", "S3")]),
    ("Answer: It is 5 V [S1].\n\nSources:\n- S1 manual.pdf", [("It is 5 V.", "S1")]),
    ("## Supply\n- It is 5 V [S1]\n- It is red [S2]", [("It is 5 V", "S1"), ("It is red", "S2")]),
    ("See (table 2) and array[0] [S1].", [("See (table 2) and array[0].", "S1")]),
    ('```json\n{"sentences": [{"text": "It is 5 V.", "citations": ["S1"]}]}\n```',
     [("It is 5 V.", "S1")]),
    ('Sure! {"sentences": [{"text": "It is 5 V.", "citations": "S1, S2"}]}',
     [("It is 5 V.", "S1 S2")]),
    ('{"sentences": ["It is 5 V [S2]."]}', [("It is 5 V.", "S2")]),
    ('[{"sentence": "It is 5 V.", "citation": "[S1]"}]', [("It is 5 V.", "S1")]),
    ("```\nIt is 5 V [S1].\n```", [("It is 5 V.", "S1")]),
    ("It is &lt;5 V [S9].", [("It is <5 V.", "S9")]),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "expected"), FORMS)
def test_a_form_of_citation_is_parsed(reply: str, expected: list[tuple[str, str]]) -> None:
    result = parse_reply(reply, None, IDS, "en")
    assert [(s.text, " ".join(s.citations)) for s in result.statements] == expected


OWN = [
    "The change was (5)% in 2023.",
    "The change was (5) % in 2023.",
    "See [5] for the limits.",
    "Close the valve (S5).",
    "Press [S1] and [S5] at once.",
    "Press [S1].",
    "The S5 relay runs at .5 A.",
    "The limit is 5 V[^1].",
    "It is 5 V 【S1】 wide.",
    "The board is 5*3*2 mm.",
    "- 5 °C is the lowest temperature.",
    "+ 5 V is the supply.",
    "3. Oktober 2023 is the date.",
    "De verandering was (5)% in 2023.",
    "Sluit klep (S5), zie [5].",
    "Het relais S5 trekt aan bij 1.200,5 V (1).",
    "De laagste temperatuur is −5 °C.",
]


@pytest.mark.parametrize("text", OWN)
@pytest.mark.parametrize("cited", [["S1"], [], ["S1", "S5"]])
def test_beside_a_field_of_citations_a_text_keeps_its_own_marks_and_numbers(
    text: str, cited: list[str]
) -> None:
    data = {"sentences": [{"text": text, "citations": cited}]}
    (statement,) = parse_reply("", data, (*IDS, "S5"), "nl").statements
    assert (statement.text, statement.citations) == (text, tuple(cited))


def test_emphasis_and_lists_beside_a_field_are_read_as_markdown() -> None:
    text = "1. The supply is **5 V**.\n2. The fan is *loud*. It has **6**."
    data = {"sentences": [{"text": text, "citations": ["S1"]}]}
    found = parse_reply("", data, IDS, "en").statements
    assert [one.text for one in found] == ["The supply is 5 V.", "The fan is loud.", "It has 6."]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("It is 5 V [S1].", "It is 5 V."),
        ("1. It is 5 V.", "It is 5 V."),
        ("It is 5 V [S1] or 6 V [S2].", "It is 5 V or 6 V [S2]."),
        ("It is (5)% [5] (S1) [^1].", "It is (5)% [5] (S1) [^1]."),
    ],
)
def test_another_reading_has_no_marks_of_the_citations(text: str, plain: str) -> None:
    assert read_plainly(Statement(text, ("S1",))).text == plain


def test_structured_data_takes_precedence_over_text() -> None:
    data = {"sentences": [{"text": "It is 5 V.", "citations": ["S1"]}]}
    result = parse_reply("rubbish", data, IDS)
    assert [(s.text, s.citations) for s in result.statements] == [("It is 5 V.", ("S1",))]


@pytest.mark.parametrize("data", [{}, {"sentences": "no"}, {"sentences": [3, None]}, {"x": [1]}])
def test_data_in_another_form_falls_back_to_the_text(data: dict[str, object]) -> None:
    result = parse_reply("It is 5 V [S1].", data, IDS, "en")
    assert [s.citations for s in result.statements] == [("S1",)]


def test_absurd_ids_are_kept_as_unknown_and_short() -> None:
    data = {"sentences": [{"text": "It is 5 V.", "citations": ["9" * 9000, "S1", None]}]}
    (statement,) = parse_reply("", data, IDS).statements
    assert statement.citations == ("9" * 40, "S1", "None")


@pytest.mark.parametrize("reply", ["", "   ", "```\n```", "{", "[[[", "{}", "[S1]"])
def test_a_reply_without_words_has_no_statements(reply: str) -> None:
    result = parse_reply(reply, None, IDS)
    assert (result.statements, result.refused) == ((), False)


@pytest.mark.parametrize(
    "text",
    [
        "The indexed documentation does not contain this information.",
        "the indexed documentation does not contain this information",
        '"The indexed documentation does not contain this information."',
        "The provided documentation does not contain information about the fan.",
        "De geïndexeerde documentatie bevat deze informatie niet.",
        "De bronnen vermelden dit niet.",
        "I cannot find this in the provided context.",
        "Ik kan deze informatie niet vinden in de documentatie.",
    ],
)
def test_a_refusal_is_recognised(text: str) -> None:
    assert is_refusal(text)
    assert parse_reply(text, None, IDS, "en").refused


@pytest.mark.parametrize(
    "text",
    [
        "The controller does not contain a fan.",
        "The document describes the fan.",
        "The sources do not mention a fan, but the supply is 5 V.",
        "De doos bevat geen kabel.",
    ],
)
def test_a_statement_is_not_a_refusal(text: str) -> None:
    assert not is_refusal(text)


def test_a_refusal_beside_a_cited_statement_does_not_count() -> None:
    reply = "It is 5 V [S1]. The documentation does not contain information about the fan."
    result = parse_reply(reply, None, IDS, "en")
    assert not result.refused
    assert len(result.statements) == 2


@pytest.mark.parametrize("form", ['{"sentences": ["It is a\\ud800b."]}', "It is a\ud800b."])
def test_half_a_surrogate_pair_is_replaced(form: str) -> None:
    (statement,) = parse_reply(form, None, IDS, "en").statements
    assert statement.text == "It is a?b."


def test_a_structured_reply_without_a_sentence_states_nothing() -> None:
    assert parse_reply('{"sentences": []}', None, IDS, "en").statements == ()
