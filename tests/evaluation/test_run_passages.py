"""What a run measures where passages are shown and nothing is called an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from foundry.config import BUILTIN_GENERATOR
from foundry.evaluation.metrics.answers import measure_passages
from foundry.evaluation.metrics.measures import CITATION
from foundry.evaluation.metrics.outcomes import outcome_of_answer
from foundry.evaluation.questions.places import Places
from foundry.journeys.ask import ask
from foundry.records import (
    Answer,
    EvalQuestion,
    Evidence,
    Excerpt,
    ExcerptLine,
    Expectation,
    Focus,
    Hit,
    Quote,
)
from foundry.workspace import Workspace, open_workspace
from tests.evaluation.question_sources import HANDLEIDING, RANGE, A, B, make_project

PIN = "De pincode bij levering is 5120."
BATTERY = "De bufferaccu van de klok gaat 8 jaar mee."


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root = make_project(tmp_path_factory.mktemp("passages") / "project")
    with open_workspace(root, environment={}, cwd=Path(root)) as opened:
        yield opened


def find_span(workspace: Workspace, words: str, path: str = HANDLEIDING) -> tuple[int, int]:
    source = workspace.store.find_source(path)
    assert source is not None
    start = workspace.store.source_text(source.id).index(words)
    return start, start + len(words)


def make_passage(workspace: Workspace, *lines: str, path: str = HANDLEIDING) -> Excerpt:
    """An excerpt of these sentences of a source."""
    source = workspace.store.find_source(path)
    assert source is not None
    spans = [find_span(workspace, line, path) for line in lines]
    chunk = next(
        chunk
        for chunk in workspace.store.source_chunks(source.id)
        if all(chunk.start <= start and end <= chunk.end for start, end in spans)
    )
    hit = Hit(chunk, source, Focus(chunk.start, chunk.end), 0.9, 0.03)
    quotes = [Quote("S1", line, *span) for line, span in zip(lines, spans, strict=True)]
    shown = (ExcerptLine(line, (quote,)) for line, quote in zip(lines, quotes, strict=True))
    return Excerpt(Evidence("S1", hit), tuple(shown))


def measure(
    workspace: Workspace, expected: Expectation | None, *passages: Excerpt, answer: str = ""
) -> tuple[float | None, float | None]:
    """``shown_gold`` and ``shown_source``."""
    answers = (answer,) if answer else ()
    question = EvalQuestion("q", "own", "?", True, "nl", answers=answers)
    places = (expected,) if expected else ()
    figures = measure_passages(Places(workspace), question, places, passages)
    return figures["shown_gold"], figures["shown_source"]


def test_an_expected_quote_must_be_shown_whole(workspace: Workspace) -> None:
    start, end = find_span(workspace, BATTERY)[0], find_span(workspace, PIN)[1]
    both = Expectation(HANDLEIDING, ((start, end),))
    assert measure(workspace, both, make_passage(workspace, BATTERY, PIN)) == (1, 1)
    assert measure(workspace, both, make_passage(workspace, BATTERY)) == (0, 1)


def test_a_quote_shown_from_another_source_in_the_same_words_counts(workspace: Workspace) -> None:
    expected = Expectation(B, (find_span(workspace, RANGE, B),))
    assert measure(workspace, expected, make_passage(workspace, RANGE, path=A)) == (1, 0)


def test_without_a_quote_one_passage_must_have_every_word_of_the_answer(
    workspace: Workspace,
) -> None:
    expected, shown = Expectation(HANDLEIDING), make_passage(workspace, PIN)
    assert measure(workspace, expected, shown, answer="pincode 5120") == (1, 1)
    assert measure(workspace, expected, shown, answer="pincode 5121") == (0, 1)
    assert measure(workspace, Expectation(A), shown, answer="5120") == (0, 0)


def test_a_section_alone_is_shown_with_a_line_of_it(workspace: Workspace) -> None:
    shown = make_passage(workspace, PIN)
    assert measure(workspace, Expectation(HANDLEIDING, section="3.2"), shown) == (1, 1)
    assert measure(workspace, Expectation(HANDLEIDING, section="3.1"), shown) == (0, 1)


def test_of_a_whole_source_only_the_source_is_measured(workspace: Workspace) -> None:
    assert measure(workspace, Expectation(HANDLEIDING), make_passage(workspace, PIN)) == (None, 1)
    assert measure(workspace, None, make_passage(workspace, PIN)) == (None, None)


def answer_with(workspace: Workspace, **changes: object) -> Answer:
    """An answer of nobody: no sentences, and what the test is about."""
    plain = ask(workspace, "Wat is de pincode bij levering?")
    empty = {"sentences": (), "sources": (), "model": BUILTIN_GENERATOR, "passages": ()}
    return replace(plain, **{**empty, **changes})  # type: ignore[arg-type]


def test_passages_have_no_answer_to_score_and_are_kept_with_their_places(
    workspace: Workspace,
) -> None:
    expected = Expectation(HANDLEIDING, (find_span(workspace, PIN),))
    question = EvalQuestion("q", "own", "?", True, "nl", (expected,), ("5120",))
    answer = answer_with(
        workspace, verdict="passages", passages=(make_passage(workspace, BATTERY, PIN),)
    )
    result = outcome_of_answer(Places(workspace), question, answer, 1.0)
    assert {result.figures[name] for name in ("f1", "exact_match", *CITATION)} == {None}
    assert (result.figures["shown_gold"], result.answer) == (1, "")
    assert [(shown.text, shown.covers) for shown in result.citations] == [
        (f"{BATTERY} {PIN}", (0,)),
    ]  # fmt: skip


@pytest.mark.parametrize(("model", "name"), [(BUILTIN_GENERATOR, "shown_gold"), ("x/y", "f1")])
def test_a_refusal_counts_as_nothing_shown_or_as_a_wrong_answer_of_the_model(
    workspace: Workspace, model: str, name: str
) -> None:
    expected = Expectation(HANDLEIDING, (find_span(workspace, PIN),))
    question = EvalQuestion("q", "own", "?", True, "nl", (expected,), ("5120",))
    answer = answer_with(workspace, verdict="no_evidence", model=model)
    figures = outcome_of_answer(Places(workspace), question, answer, 1.0).figures
    assert [key for key in ("shown_gold", "f1") if figures[key] is not None] == [name]
    assert figures[name] == 0
