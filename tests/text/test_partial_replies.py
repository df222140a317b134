"""While a reply streams in, only statements that further text cannot change are returned."""

from __future__ import annotations

import json

import pytest

from foundry.text.replies import Statement, parse_partial_reply, parse_reply

IDS = ("S1", "S2")
STRUCTURED = json.dumps(
    {
        "sentences": [
            {"text": "The supply is 5 V.", "citations": ["S1"]},
            {"text": 'The mark is "A {b}".', "citations": ["S2", "S1"]},
            {"text": "The fan runs.", "citations": []},
        ]
    }
)
PROSE = "The supply is 5 V [S1]. The fan runs at 1.200 rpm. [S2] It is loud, see Fig. 2 [S1, S2]."


@pytest.mark.parametrize(
    "reply", [STRUCTURED, f"```json\n{STRUCTURED}\n```", PROSE, f"<think>5 V? Yes.</think>{PROSE}"]
)
def test_every_early_statement_is_in_the_whole_reply(reply: str) -> None:
    whole = parse_reply(reply.rsplit("</think>", maxsplit=1)[-1], None, IDS, "en").statements
    for end in range(len(reply) + 1):
        early = parse_partial_reply(reply[:end], IDS, "en")
        assert early == whole[: len(early)], reply[:end]


@pytest.mark.parametrize("reply", [STRUCTURED, PROSE])
def test_all_but_the_last_statement_are_returned_before_the_end(reply: str) -> None:
    assert len(parse_partial_reply(reply, IDS, "en")) == 2


def test_a_statement_waits_for_a_mark_after_its_full_stop() -> None:
    assert parse_partial_reply("The supply is 5 V. [S", IDS, "en") == ()
    early = parse_partial_reply("The supply is 5 V. [S1] The fan", IDS, "en")
    assert early == (Statement("The supply is 5 V.", ("S1",)),)


@pytest.mark.parametrize(
    "text", ["", "{", '{"sentences": [', "[", "```json", "<think>The supply. It"]
)
def test_an_opening_gives_no_statement(text: str) -> None:
    assert parse_partial_reply(text, IDS, "en") == ()


def test_a_refusal_gives_no_statement_while_nothing_follows_it() -> None:
    refusal = "The indexed documentation does not contain this information. "
    assert parse_partial_reply(refusal * 2, IDS, "en") == ()


def test_a_reply_that_was_cut_off_keeps_its_complete_sentences() -> None:
    cut = STRUCTURED[: STRUCTURED.index("The fan") + 4]
    found = parse_reply(cut, None, IDS, "en").statements
    assert [one.text for one in found] == ["The supply is 5 V.", 'The mark is "A {b}".']
