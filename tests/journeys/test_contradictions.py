"""Contradictions that a model reports: kept only if both quotes are in their passages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from foundry.craft.conflicts import find_conflicts, merge_conflicts
from foundry.craft.grounding.model_quotes import locate_quote
from foundry.journeys.contradictions import (
    ConflictScan,
    build_conflict_schema,
    scan_for_conflicts,
)
from foundry.prompts import load_templates
from tests.craft.samples import make_evidence
from tests.journeys.answers import online
from tests.support.model_server import Behaviour, Json, ModelServer, Raw, Status, Text

ITEMS = [
    make_evidence("# Care\nClean the housing with\nalcohol & water <daily>.", "S1", source="a.md"),
    make_evidence("Alcohol damages the lacquer of the housing.", "S2", source="b.md"),
    make_evidence("The supply voltage is 24 V.", "S3", source="c.md"),
    make_evidence("The supply voltage is 12 V.", "S4", source="d.md"),
]


def named(a: str, a_quote: str, b: str, b_quote: str) -> dict[str, str]:
    return {"a": a, "a_quote": a_quote, "b": b, "b_quote": b_quote, "reason": "Alcohol harms it."}


CLEANING = named("S1", "Clean the housing with alcohol &amp; water &lt;daily&gt;.",
                 "S2", "S2| Alcohol damages the lacquer of the housing.")  # fmt: skip
SUPPLY = named("S3", "supply voltage is 24 V", "S4", "The supply voltage is 12 V.")


def scan(built: Path, reply: Behaviour) -> tuple[ConflictScan, ModelServer]:
    with ModelServer(default=reply) as server, online(built, server) as workspace:
        assert workspace.generator is not None
        template = load_templates().conflicts
        return scan_for_conflicts(workspace.generator, template, "How to clean?", ITEMS), server


def test_quotes_are_the_exact_words_of_their_passages(built: Path) -> None:
    found, _ = scan(built, Json({"conflicts": [CLEANING]}))
    (conflict,) = found.conflicts
    assert conflict.a.quote.text == "Clean the housing with\nalcohol & water <daily>."
    assert conflict.a.quote.section == "Care"
    assert conflict.b.quote.text == "Alcohol damages the lacquer of the housing."
    assert (conflict.kind, conflict.found_by) == ("statement", "openai/scripted")


def test_the_passages_are_marked_line_by_line(built: Path) -> None:
    _, server = scan(built, Json({"conflicts": []}))
    prompt = server.chats[0].prompt
    assert "S1| alcohol & water &lt;daily&gt;." in prompt
    assert "How to clean?" in prompt


def test_a_model_names_no_other_passages(built: Path) -> None:
    item = build_conflict_schema(["S1", "S2"])["properties"]["conflicts"]["items"]["properties"]
    assert item["a"]["enum"] == item["b"]["enum"] == ["S1", "S2"]
    found, _ = scan(built, Json({"conflicts": [named("S9", "x y z", "S2", "Alcohol damages")]}))
    assert found.conflicts == ()
    assert any("no passage 'S9'" in str(notice) for notice in [*map(str, found.notices)])


@pytest.mark.parametrize(
    "item",
    [
        named("S1", "Never clean the housing.", "S2", "Alcohol damages the lacquer"),
        named("S3", "The supply voltage is 24 V.", "S3", "supply voltage is 24 V"),
        named("S1", "", "S2", "Alcohol damages"),
        {"a": "S1"},
        "nonsense",
    ],
)
def test_what_it_cannot_quote_is_dropped_with_a_notice(built: Path, item: Any) -> None:
    found, _ = scan(built, Json({"conflicts": [item]}))
    assert found.conflicts == ()
    assert found.notices


@pytest.mark.parametrize(
    "reply",
    [Text(""), Text("No contradictions, sorry."), Text('{"conflicts": [{"a": "S1", "a_qu'),
     Json([1, 2]), Json({"conflicts": "none"}), Raw("<html>"), Status(400)],
)  # fmt: skip
def test_a_failing_model_finds_nothing_and_leaves_a_notice(built: Path, reply: Behaviour) -> None:
    found, _ = scan(built, reply)
    assert found.conflicts == ()
    assert found.notices


def test_complete_items_before_a_truncation_are_kept(built: Path) -> None:
    whole = Json({"conflicts": [SUPPLY]}).text
    found, _ = scan(built, Text(whole[:-2] + ', {"a": "S1", "a_quote": "Cle', finish="length"))
    assert len(found.conflicts) == 1


def test_it_takes_the_kind_of_the_rules_and_does_not_repeat_them(built: Path) -> None:
    found, _ = scan(built, Json({"conflicts": [SUPPLY, CLEANING]}))
    assert [conflict.kind for conflict in found.conflicts] == ["number", "statement"]
    merged = merge_conflicts(find_conflicts(ITEMS), found.conflicts)
    assert [one.found_by for one in merged] == ["rules", "openai/scripted"]
    assert found.usage.calls == 1


def test_one_passage_is_not_asked_about(built: Path) -> None:
    with ModelServer() as server, online(built, server) as workspace:
        assert workspace.generator is not None
        found = scan_for_conflicts(workspace.generator, "{passages}", "?", ITEMS[:1])
        assert (found, server.chats) == (ConflictScan(), [])


def test_a_quote_with_odd_characters_is_found() -> None:
    item = make_evidence("The (max.) limit is 5 V [note 2] *.", "S1")
    quote = locate_quote("“The (max.) limit  is 5 V [note 2] *.”", item)
    assert quote is not None
    assert quote.text == "The (max.) limit is 5 V [note 2] *."
