"""Failing sentences are reattributed, regenerated or removed, in the configured order."""

from __future__ import annotations

from pathlib import Path

from foundry.journeys.ask import ask
from foundry.records import Answer
from tests.journeys.answers import FUSE, RATED, online, rewritten, said
from tests.support.model_server import ModelServer, Status, Text

WRONG = "The input fuse is rated at 5 A slow."
OUTPUTS = "Each of the four outputs delivers 512 channels at a refresh rate of 44 Hz."
SUPPLY = "The controller runs on a supply of 12 V DC with at most 2.5 A."


def asked(built: Path, server: ModelServer, **variables: str) -> Answer:
    with online(built, server, **variables) as workspace:
        return ask(workspace, FUSE)


def actions(answer: Answer) -> list[str]:
    return [change.action for change in answer.changes]


def test_a_failing_sentence_is_asked_for_again_with_the_reason(
    built: Path, server: ModelServer
) -> None:
    server.script(said((WRONG, "S1")), rewritten((RATED, "S1")))
    answer = asked(built, server)
    assert (answer.verdict, answer.text) == ("answer", f"{RATED} [S1]")
    assert actions(answer) == ["regenerated"]
    stricter = server.chats[1].prompt
    assert WRONG in stricter
    assert "5 A" in stricter.split(WRONG)[1]


def test_what_was_verified_stays_when_the_rest_is_rewritten(
    built: Path, server: ModelServer
) -> None:
    server.script(said((SUPPLY, "S1"), (WRONG, "S1")), rewritten((SUPPLY, "S1"), (RATED, "S1")))
    answer = asked(built, server)
    assert [sentence.text for sentence in answer.sentences] == [SUPPLY, RATED]
    assert answer.attribution_coverage == 1.0


def test_there_are_at_most_as_many_tries_as_configured(built: Path, server: ModelServer) -> None:
    amperes = iter(range(5, 20))
    server.default = lambda _: rewritten(
        (f"The input fuse is rated at {next(amperes)} A slow.", "S1")
    )
    answer = asked(built, server, FOUNDRY_VALIDATION__MAX_REGENERATIONS="2")
    assert len(server.chats) == 3
    assert actions(answer) == ["regenerated", "regenerated", "removed"]
    assert answer.verdict == "passages"


def test_the_same_failing_reply_ends_the_tries_at_once(built: Path, server: ModelServer) -> None:
    server.default = rewritten((WRONG, "S1"))
    answer = asked(built, server, FOUNDRY_VALIDATION__MAX_REGENERATIONS="5")
    assert len(server.chats) == 2
    assert actions(answer) == ["removed"]


def test_remove_does_not_ask_again(built: Path, server: ModelServer) -> None:
    server.default = said((RATED, "S1"), (WRONG, "S1"))
    answer = asked(built, server, FOUNDRY_VALIDATION__ON_UNSUPPORTED="remove")
    assert len(server.chats) == 1
    assert (actions(answer), answer.verdict) == (["removed"], "low_confidence")
    assert answer.attribution_coverage == 0.5


def test_a_misattributed_sentence_is_reattributed_without_another_call(
    built: Path, server: ModelServer
) -> None:
    server.default = said(
        ("Clean the housing every six months with a dry cloth.", "S9"), (RATED, "S7")
    )
    answer = asked(built, server)
    assert "reattributed" in actions(answer)
    assert [check.verdict for check in answer.checks if check.sentence == RATED] == [
        "misattributed"
    ]


def test_the_order_may_put_regeneration_first(built: Path, server: ModelServer) -> None:
    server.script(said((RATED, "")), rewritten((RATED, "S1")))
    answer = asked(built, server, FOUNDRY_VALIDATION__REPAIR="[regenerate, reattribute]")
    assert len(server.chats) == 2
    assert answer.text.endswith(". [S1]")


def test_without_the_step_a_misattributed_sentence_is_removed(
    built: Path, server: ModelServer
) -> None:
    server.default = said((RATED, ""))
    answer = asked(built, server, FOUNDRY_VALIDATION__REPAIR="[]")
    assert (answer.verdict, actions(answer)) == ("passages", ["removed"])


def test_a_second_try_that_refuses_leaves_what_was_verified(
    built: Path, server: ModelServer
) -> None:
    refusal = Text("The indexed documentation does not contain this information.")
    server.script(said((RATED, "S1"), (WRONG, "S1")), refusal)
    answer = asked(built, server)
    assert [sentence.text for sentence in answer.sentences] == [RATED]
    assert (answer.verdict, answer.attribution_coverage) == ("low_confidence", 0.5)


def test_a_second_try_that_leaves_a_sentence_out_ends_the_tries(
    built: Path, server: ModelServer
) -> None:
    server.script(said((RATED, "S1"), (WRONG, "S1")), rewritten())
    answer = asked(built, server)
    assert [sentence.text for sentence in answer.sentences] == [RATED]
    assert (actions(answer), len(server.chats)) == (["removed"], 2)


def test_a_second_try_that_fails_costs_nothing_that_was_verified(
    built: Path, server: ModelServer
) -> None:
    server.script(said((RATED, "S1"), (WRONG, "S1")), Status(400))
    answer = asked(built, server)
    assert [sentence.text for sentence in answer.sentences] == [RATED]
    assert actions(answer) == ["removed"]
    assert any(
        "Asking the model again failed" in str(notice) for notice in [*map(str, answer.notices)]
    )


def test_a_new_sentence_takes_the_place_of_the_one_it_replaces(
    built: Path, server: ModelServer
) -> None:
    server.script(
        said((WRONG, "S1"), (SUPPLY, "S1"), (WRONG.replace("5 A", "7 A"), "S1")),
        rewritten((RATED, "S1"), (OUTPUTS, "S1"), replaces="R2 R1"),
    )
    answer = asked(built, server)
    assert [sentence.text for sentence in answer.sentences] == [OUTPUTS, SUPPLY, RATED]


def test_the_stricter_prompt_says_what_the_source_has_instead(
    built: Path, server: ModelServer
) -> None:
    server.script(said((WRONG, "S1")), rewritten((RATED, "S1")))
    asked(built, server)
    listed = server.chats[1].prompt.split("\nR1| ")[1].splitlines()[0]
    assert f'S1 says "{RATED}"' in listed
