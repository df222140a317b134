"""Failing sentences are reattributed, regenerated or removed, in the configured order."""

from __future__ import annotations

from pathlib import Path

from foundry.journeys.ask import ask
from foundry.records import Answer
from tests.journeys.answers import FUSE, RATED, online, said
from tests.support.model_server import ModelServer, Status, Text

WRONG = "The input fuse is rated at 5 A slow."
SUPPLY = "The controller runs on a supply of 12 V DC."


def asked(built: Path, server: ModelServer, **variables: str) -> Answer:
    with online(built, server, **variables) as workspace:
        return ask(workspace, FUSE)


def actions(answer: Answer) -> list[str]:
    return [change.action for change in answer.changes]


def test_a_failing_sentence_is_asked_for_again_with_the_reason(
    built: Path, server: ModelServer
) -> None:
    server.script(said((WRONG, "S1")), said((RATED, "S1")))
    answer = asked(built, server)
    assert (answer.verdict, answer.text) == ("answer", f"{RATED} [S1]")
    assert actions(answer) == ["regenerated"]
    stricter = server.chats[1].prompt
    assert WRONG in stricter
    assert "5 A" in stricter.split(WRONG)[1]


def test_what_was_verified_stays_when_the_rest_is_rewritten(
    built: Path, server: ModelServer
) -> None:
    server.script(said((SUPPLY, "S1"), (WRONG, "S1")), said((SUPPLY, "S1"), (RATED, "S1")))
    answer = asked(built, server)
    assert [sentence.text for sentence in answer.sentences] == [SUPPLY, RATED]
    assert answer.attribution_coverage == 1.0


def test_there_are_at_most_as_many_tries_as_configured(built: Path, server: ModelServer) -> None:
    amperes = iter(range(5, 20))
    server.default = lambda _: said((f"The input fuse is rated at {next(amperes)} A.", "S1"))
    answer = asked(built, server, FOUNDRY_VALIDATION__MAX_REGENERATIONS="2")
    assert len(server.chats) == 3
    assert actions(answer) == ["regenerated", "regenerated", "removed"]
    assert answer.verdict == "no_evidence"


def test_the_same_failing_reply_ends_the_tries_at_once(built: Path, server: ModelServer) -> None:
    server.default = said((WRONG, "S1"))
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
    server.script(said((RATED, "")), said((RATED, "S1")))
    answer = asked(built, server, FOUNDRY_VALIDATION__REPAIR="[regenerate, reattribute]")
    assert len(server.chats) == 2
    assert answer.text.endswith(". [S1]")


def test_without_the_step_a_misattributed_sentence_is_removed(
    built: Path, server: ModelServer
) -> None:
    server.default = said((RATED, ""))
    answer = asked(built, server, FOUNDRY_VALIDATION__REPAIR="[]")
    assert (answer.verdict, actions(answer)) == ("no_evidence", ["removed"])


def test_a_second_try_that_refuses_leaves_what_was_verified(
    built: Path, server: ModelServer
) -> None:
    refusal = Text("The indexed documentation does not contain this information.")
    server.script(said((RATED, "S1"), (WRONG, "S1")), refusal)
    answer = asked(built, server)
    assert [sentence.text for sentence in answer.sentences] == [RATED]
    assert (answer.verdict, answer.attribution_coverage) == ("low_confidence", 0.5)


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


JUDGED = "A slow fuse of 3.15 A sits at the input."


def test_a_judge_decides_on_a_borderline_sentence_only(built: Path, server: ModelServer) -> None:
    server.script(said((JUDGED, "S1")), Text('{"supported": true}'))
    answer = asked(
        built, server, FOUNDRY_VALIDATION__VERIFIER="openai/judge",
        FOUNDRY_VALIDATION__ON_UNSUPPORTED="remove",
    )  # fmt: skip
    assert [check.verdict for check in answer.checks] == ["supported"]
    assert "verifier" in str(answer.checks[0].reason)
    assert answer.usage.calls == 2


def test_a_judge_may_reject_what_only_looks_supported(built: Path, server: ModelServer) -> None:
    doubtful = "The slow input fuse guards the supply of the controller."
    server.script(said((doubtful, "S1"), (RATED, "S1")), Text('{"supported": false}'))
    answer = asked(
        built, server, FOUNDRY_VALIDATION__VERIFIER="openai/judge",
        FOUNDRY_VALIDATION__ON_UNSUPPORTED="remove",
    )  # fmt: skip
    assert [sentence.text for sentence in answer.sentences] == [RATED]
    assert answer.checks[0].verdict == "unsupported"


def test_a_judge_never_overrules_a_number(built: Path, server: ModelServer) -> None:
    server.script(said((WRONG, "S1")))
    server.default = Text('{"supported": true}')
    answer = asked(
        built, server, FOUNDRY_VALIDATION__VERIFIER="openai/judge",
        FOUNDRY_VALIDATION__ON_UNSUPPORTED="remove",
    )  # fmt: skip
    assert answer.verdict == "no_evidence"
    assert len(server.chats) == 1


def test_minicheck_gets_its_own_form_and_answers_yes_or_no(
    built: Path, server: ModelServer
) -> None:
    server.script(said((JUDGED, "S1")), Text("Yes"))
    asked(
        built, server, FOUNDRY_VALIDATION__VERIFIER="openai/bespoke-minicheck",
        FOUNDRY_VALIDATION__ON_UNSUPPORTED="remove",
    )  # fmt: skip
    sent = server.chats[1].messages[0]["content"]
    assert sent.startswith("Document: ")
    assert sent.endswith(f"Claim: {JUDGED}")


def test_a_failing_judge_decides_nothing_and_leaves_a_notice(
    built: Path, server: ModelServer
) -> None:
    server.script(said((JUDGED, "S1"), (RATED, "S1")), Status(500))
    answer = asked(
        built, server, FOUNDRY_VALIDATION__VERIFIER="openai/judge",
        FOUNDRY_VALIDATION__ON_UNSUPPORTED="remove",
    )  # fmt: skip
    assert [sentence.text for sentence in answer.sentences][-1:] == [RATED]
    assert any(
        "verifier was not asked again" in str(notice) for notice in [*map(str, answer.notices)]
    )
