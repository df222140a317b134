"""Contradictions in a document: shown before writing, resolved by the hierarchy, marked in the draft."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from foundry.journeys.ask import ask
from foundry.journeys.contradictions import find_quoted_conflicts
from foundry.journeys.generate import DraftPlan, generate, plan_draft
from foundry.journeys.generate.sections import build_section
from foundry.journeys.ingest import ingest
from foundry.journeys.writing import quote_only
from foundry.records import Draft, Filters, Quote, Sentence
from foundry.render.markdown import render_markdown
from foundry.text.passages import build_quotes, find_passages
from foundry.workspace import Workspace, open_workspace
from tests.journeys.draft_runs import drafting, feature, parts, play
from tests.support.model_server import Json, ModelServer

OLD = """# DX-4 data sheet

Rev. A, 2025-06

## 3 Supply

The supply voltage of the DX-4 is 12 V DC at the terminals. Reverse polarity is blocked.
"""
NEW = OLD.replace("Rev. A, 2025-06", "Rev. B, 2026-03").replace("12 V", "24 V")
GUIDE = """# DX-4 installation guide

## 2 Supply

The supply voltage of the DX-4 is 48 V DC at the terminals. Use a breaker of 2 A.
"""


@pytest.fixture(scope="module")
def contradicting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("conflicts") / "project"
    (root / "sources").mkdir(parents=True)
    (root / "foundry.yaml").write_text("project: {id: prj_conflicts}\n")
    for name, text in (("sheet-a.md", OLD), ("sheet-b.md", NEW), ("guide.md", GUIDE)):
        (root / "sources" / name).write_text(text, encoding="utf-8")
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
    return root


@pytest.fixture
def opened(contradicting: Path) -> Iterator[Workspace]:
    with open_workspace(contradicting, environment={}, cwd=contradicting) as workspace:
        yield workspace


def drafted(workspace: Workspace, *hierarchy: str) -> Draft:
    spec = feature("Supply voltage", source_hierarchy=hierarchy)
    return generate(workspace, "The DX-4", feature=spec)


def said(draft: Draft) -> str:
    return " ".join(sentence.text for section in draft.sections for sentence in section.sentences)


def test_a_contradiction_is_shown_before_anything_is_written(
    contradicting: Path, server: ModelServer
) -> None:
    play(server)
    seen: list[tuple[DraftPlan, bool]] = []
    with drafting(contradicting, server) as workspace:
        generate(
            workspace,
            "The DX-4",
            feature=feature("Supply voltage"),
            announce=lambda plan: seen.append((plan, "section" in parts(server))),
        )
    ((plan, written),) = seen
    assert plan.conflicts
    assert not written


def test_the_hierarchy_decides_and_the_draft_follows_it(opened: Workspace) -> None:
    draft = drafted(opened, "sources/guide.md", "sources/sheet-*.md")
    assert "48 V" in said(draft)
    assert "24 V" not in said(draft)
    assert any("guide.md" in str(conflict.rule) for conflict in draft.conflicts)


def test_another_hierarchy_decides_otherwise(opened: Workspace) -> None:
    draft = drafted(opened, "sources/sheet-b.md", "sources/guide.md")
    assert "24 V" in said(draft)
    assert "48 V" not in said(draft)


def test_the_document_marks_what_was_decided_by_which_rule(opened: Workspace) -> None:
    text = render_markdown(drafted(opened, "sources/guide.md", "sources/sheet-*.md"))
    body = text.partition("\n---\n")[2]
    assert "> **Sources contradict each other.**" in body
    assert "source hierarchy" in body
    assert "holds: " in text.partition("\n---\n")[0]


def test_without_a_hierarchy_a_real_contradiction_stays_open(opened: Workspace) -> None:
    plan = plan_draft(opened, "The DX-4", feature=feature("Supply voltage"))
    opposed = [conflict for conflict in plan.conflicts if not conflict.superseded]
    assert opposed
    assert all(one.holds is None for one in opposed)


def test_a_superseded_revision_is_not_an_open_contradiction(opened: Workspace) -> None:
    every = Filters(revision="all")
    plan = plan_draft(opened, "The DX-4", feature=feature("Supply voltage"), filters=every)
    (old,) = [conflict for conflict in plan.conflicts if conflict.superseded]
    sides = {"a": old.a, "b": old.b}
    assert old.holds
    assert sides[old.holds].source == "sources/sheet-b.md"


def test_the_prompt_names_the_side_that_prevails(contradicting: Path, server: ModelServer) -> None:
    play(server)
    spec = feature("Supply voltage", source_hierarchy=("sources/guide.md", "sources/sheet-*.md"))
    with drafting(contradicting, server) as workspace:
        generate(workspace, "The DX-4", feature=spec)
    prompt = next(r.prompt for r in server.chats if 'Write the section "' in r.prompt)
    assert "C| S" in prompt
    assert 'holds: "The supply voltage of the DX-4 is 48 V DC at the terminals."' in prompt


def test_a_sentence_on_an_overruled_passage_is_reported(
    contradicting: Path, server: ModelServer
) -> None:
    wrong = "The supply voltage of the DX-4 is 24 V DC at the terminals."
    play(
        server,
        section=lambda request: Json(
            {"sentences": [{"text": wrong, "citations": [_id_of(request.prompt, "24 V")]}]}
        ),
    )
    spec = feature("Supply voltage", source_hierarchy=("sources/guide.md", "sources/sheet-*.md"))
    with drafting(contradicting, server) as workspace:
        draft = generate(workspace, "The DX-4", feature=spec)
    assert any(
        "relies on an overruled passage" in str(notice) for notice in [*map(str, draft.notices)]
    )


def _id_of(prompt: str, words: str) -> str:
    return next(
        line.split("|")[0] for line in prompt.splitlines() if words in line and "| The" in line
    )


def test_an_answer_names_the_contradiction_it_touches(opened: Workspace) -> None:
    answer = ask(opened, "What is the supply voltage of the DX-4?")
    assert {conflict.a.source for conflict in answer.conflicts} | {
        conflict.b.source for conflict in answer.conflicts
    }


def test_a_passage_about_something_else_names_none(contradicting: Path) -> None:
    one = {"FOUNDRY_ANSWER__PASSAGES": "1"}
    with open_workspace(contradicting, environment=one, cwd=contradicting) as workspace:
        assert ask(workspace, "Which breaker should be used?").conflicts == ()


def test_an_answer_shows_conflicts_with_passages_that_the_question_did_not_find(
    opened: Workspace,
) -> None:
    answer = ask(opened, "What is the supply voltage of the DX-4?")
    asked, shown = answer.search.question, answer.passages[0]
    cited = [shown.evidence]
    found = find_quoted_conflicts(opened, asked, cited, (), quotes=shown.quotes)
    assert {side.source for one in found for side in (one.a, one.b)} >= {"sources/guide.md"}
    only = Filters(sources=(cited[0].hit.source.path,))
    assert find_quoted_conflicts(opened, asked, cited, (), only, quotes=shown.quotes) == ()


def test_a_quote_with_rarer_words_does_not_hide_the_conflict_of_another(tmp_path: Path) -> None:
    (tmp_path / "sources").mkdir()
    (tmp_path / "foundry.yaml").write_text("project: {id: prj_rare}\n")
    rare = [
        "amber",
        "birch",
        "cedar",
        "daisy",
        "ebony",
        "fennel",
        "ginger",
        "hazel",
        "iris",
        "juniper",
        "lilac",
        "maple",
    ]
    notes = {f"{n}.md": f"# Note {n}\n\n{rare[2 * n]} {rare[2 * n + 1]}\n" for n in range(6)}
    for name, text in {"sheet.md": NEW, "guide.md": GUIDE, **notes}.items():
        (tmp_path / "sources" / name).write_text(text, encoding="utf-8")
    with open_workspace(tmp_path, environment={}, cwd=tmp_path) as workspace:
        ingest(workspace)
        answer = ask(workspace, "What is the supply voltage of the DX-4?")
        shown = answer.passages[0]
        quotes = (*shown.quotes, Quote("S9", " ".join(rare), 0, 9))
        assert find_quoted_conflicts(
            workspace, answer.search.question, [shown.evidence], (), quotes=quotes
        )


def test_a_section_shows_conflicts_with_passages_that_it_did_not_find(opened: Workspace) -> None:
    spec = feature("Supply voltage", source_hierarchy=("guide.md",))
    plan = plan_draft(opened, "The DX-4", feature=spec)
    evidence = [
        e for e in plan.sections[0].gathered.evidence if e.hit.source.path.endswith("guide.md")
    ]
    gathered = replace(plan.sections[0].gathered, evidence=tuple(evidence), conflicts=())
    planned = replace(plan.sections[0], gathered=gathered)
    passage = next(p for p in find_passages(evidence[0].hit.chunk) if "48 V" in p.text)
    quote = build_quotes(passage, evidence[0])
    said = Sentence("The supply voltage is 48 V DC.", (evidence[0].id,), tuple(quote))
    section = build_section(opened, plan, planned, quote_only((said,)))
    sides = {side.source for one in section.conflicts for side in (one.a, one.b)}
    assert "sources/sheet-b.md" in sides
    assert all(one.holds for one in section.conflicts)
