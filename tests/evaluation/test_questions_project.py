"""Questions in a project: matched to sources, stored once, made from feedback, selected for a run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from foundry.errors import UsageError
from foundry.evaluation.questions import (
    AnswerPlace,
    ImportReport,
    accept_questions,
    add_question,
    count_unreviewed,
    get_question,
    import_feedback,
    import_questions,
    questions_as_lines,
    select_questions,
    show_question,
)
from foundry.journeys.ingest import ingest
from foundry.journeys.query_log import save_feedback
from foundry.records import (
    EvalQuestion,
    Expectation,
    QueryRecord,
    Quote,
    Sentence,
    ShownAnswer,
    ShownSource,
    Usage,
    Verdict,
)
from foundry.workspace import Workspace, open_workspace
from tests.evaluation.question_sources import HANDLEIDING, RANGE, A, B, make_project
from tests.evaluation.test_question_files import beir, lines

EXAMPLE = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("questions") / "project")


@pytest.fixture
def workspace(built: Path, tmp_path: Path) -> Iterator[Workspace]:
    root = tmp_path / "project"
    shutil.copytree(built, root)
    with open_workspace(root, environment={}, cwd=root) as opened:
        yield opened


def take(workspace: Workspace, folder: Path, *rows: object, **options: Any) -> ImportReport:
    return import_questions(workspace, [lines(folder, *rows)], **options)


def stored(workspace: Workspace, key: str) -> EvalQuestion:
    return get_question(workspace, key)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        (HANDLEIDING, HANDLEIDING),
        ("./sources/handleiding.md", HANDLEIDING),
        ("sources\\handleiding.md", HANDLEIDING),
        ("handleiding.md", HANDLEIDING),
        ("HANDLEIDING.MD", HANDLEIDING),
        ("handleiding", HANDLEIDING),
        ("elsewhere/handleiding.md", HANDLEIDING),
        ("dx-4 - handleiding", HANDLEIDING),
        ("sheets/a/sheet.md", A),
        ("b/sheet.md", B),
        ("sheet.md", None),
        ("nothing.pdf", None),
    ],
)
def test_a_source_is_found_by_path_name_or_title_unless_several_fit(
    workspace: Workspace, tmp_path: Path, name: str, path: str | None
) -> None:
    report = take(workspace, tmp_path, {"id": "1", "text": "A?", "source": name})
    assert stored(workspace, "1").expected == (Expectation(path or name),)
    assert bool(
        [notice for notice in map(str, report.notices) if name in notice and "not in" in notice]
    ) is (path is None)


def test_a_source_found_by_its_name_alone_is_reported(workspace: Workspace, tmp_path: Path) -> None:
    report = take(workspace, tmp_path, {"text": "A?", "source": "elsewhere/handleiding.md"})
    assert [notice for notice in map(str, report.notices) if f"→ {HANDLEIDING}" in notice]


def test_a_document_of_a_set_is_found_by_the_title_that_its_corpus_gives(
    workspace: Workspace, tmp_path: Path
) -> None:
    folder = beir(tmp_path, "q1\td17\t1\n", {"_id": "q1", "text": "A?"})
    lines(folder, {"_id": "d17", "title": "DX-4 - Handleiding", "text": "…"}, name="corpus.jsonl")
    import_questions(workspace, [folder])
    assert stored(workspace, "q1").expected == (Expectation(HANDLEIDING),)


def test_quotes_are_found_whatever_their_white_space_and_dashes(
    workspace: Workspace, tmp_path: Path
) -> None:
    quote = "the  supply\nrange is 18 V"
    take(workspace, tmp_path, {"id": "1", "text": "A?", "source": A, "quote": quote})
    source = workspace.store.find_source(A)
    assert source is not None
    (start, end), = stored(workspace, "1").expected[0].spans  # fmt: skip
    assert workspace.store.source_text(source.id)[start:end] == "The supply range is 18 V"


def test_spans_of_another_revision_are_found_again_by_their_words(
    workspace: Workspace, tmp_path: Path
) -> None:
    row = {"id": "1", "text": "A?", "source": A, "spans": [[0, 5]], "quotes": [RANGE]}
    report = take(workspace, tmp_path, row)
    source = workspace.store.find_source(A)
    assert source is not None
    (start, end), = stored(workspace, "1").expected[0].spans  # fmt: skip
    assert workspace.store.source_text(source.id)[start:end] == RANGE
    assert [notice for notice in map(str, report.notices) if "do not match the quotes" in notice]


def test_a_time_means_the_words_spoken_then(workspace: Workspace, tmp_path: Path) -> None:
    take(workspace, tmp_path, {"id": "1", "text": "A?", "source": "call.vtt", "time": 5})
    source = workspace.store.find_source("sources/call.vtt")
    assert source is not None
    (start, end), = stored(workspace, "1").expected[0].spans  # fmt: skip
    assert "May" in workspace.store.source_text(source.id)[start:end]


def test_a_section_is_kept_as_its_source_writes_it(workspace: Workspace, tmp_path: Path) -> None:
    rows = [
        {"id": "1", "text": "A?", "source": HANDLEIDING, "section": "foutcodes"},
        {"id": "2", "text": "B?", "source": HANDLEIDING, "section": "Garantie", "page": 3},
    ]
    report = take(workspace, tmp_path, *rows)
    assert stored(workspace, "1").expected[0].section == "3.2 Foutcodes"
    assert stored(workspace, "2").expected[0].section == "Garantie"
    notice = next(item for item in map(str, report.notices) if "Garantie" in item)
    assert "has no pages" in notice


def test_importing_again_changes_nothing(workspace: Workspace, tmp_path: Path) -> None:
    rows = [{"text": "A?", "source": A}, {"id": "x/1", "text": "B?", "answerable": False}]
    first, again = (take(workspace, tmp_path, *rows) for _ in range(2))
    assert (len(first.added), len(again.unchanged), again.added) == (2, 2, ())


def test_other_content_under_a_stored_id_is_refused_unless_it_replaces(
    workspace: Workspace, tmp_path: Path
) -> None:
    take(workspace, tmp_path, {"id": "1", "text": "A?"})
    refused = take(workspace, tmp_path, {"id": "1", "text": "B?"}, {"id": "2", "text": "C?"})
    assert ([row.id for row in refused.refused], refused.added) == (["1"], ("questions/2",))
    assert stored(workspace, "1").text == "A?"
    report = take(workspace, tmp_path, {"id": "1", "text": "B?"}, replace_changed=True)
    assert (report.updated, stored(workspace, "1").text) == (("questions/1",), "B?")


def test_a_duplicate_id_names_the_line_of_the_first(workspace: Workspace, tmp_path: Path) -> None:
    rows = [{"id": "1", "text": "A?"}, {"id": "1", "text": "B?"}, {"id": "1", "text": "A?"}]
    report = take(workspace, tmp_path, *rows)
    assert [(row.line, "q.jsonl:1" in str(row.reason)) for row in report.refused] == [(2, True)]
    assert (report.added, stored(workspace, "1").text) == (("questions/1",), "A?")


def test_sources_that_came_later_are_found_when_importing_again(
    workspace: Workspace, tmp_path: Path
) -> None:
    row = {"id": "1", "text": "A?", "source": "handleiding.md", "answer": "5120"}
    take(workspace, tmp_path, row)
    before = replace(stored(workspace, "1"), expected=(Expectation("handleiding.md"),))
    workspace.maintenance().evaluation.save_questions([before])
    report = take(workspace, tmp_path, row)
    assert report.updated == ("questions/1",)
    assert stored(workspace, "1").expected == (Expectation(HANDLEIDING),)


def test_a_language_that_is_not_known_becomes_und_with_a_notice(
    workspace: Workspace, tmp_path: Path
) -> None:
    languages = {"1": "nl-BE", "2": "English", "3": "xx", "4": None}
    rows = [
        {"id": key, "text": "Hoe groot is het?", "language": languages[key]} for key in languages
    ]
    report = take(workspace, tmp_path, *rows)
    assert [stored(workspace, key).language for key in languages] == ["nl", "en", "und", "nl"]
    assert [notice for notice in map(str, report.notices) if "3 (xx)" in notice]


def test_one_broken_file_of_several_leaves_nothing_behind(
    workspace: Workspace, tmp_path: Path
) -> None:
    good, bad = lines(tmp_path, {"text": "A?"}), tmp_path / "missing.jsonl"
    with pytest.raises(UsageError, match=r"missing\.jsonl does not exist"):
        import_questions(workspace, [good, bad])
    assert select_questions(workspace) == []


def test_the_example_questions_are_imported_whole(workspace: Workspace) -> None:
    report = import_questions(workspace, [EXAMPLE / "questions.jsonl"])
    rows = (EXAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    assert (len(report.added), report.refused) == (len(rows), ())
    also = json.loads(rows[8])["also"]
    assert [place.source for place in stored(workspace, "a009").expected][1:] == also


def test_an_export_is_taken_back_unchanged(workspace: Workspace, tmp_path: Path) -> None:
    row = {"text": "A?", "source": A, "quote": RANGE, "relevance": 2, "tags": ["t"], "note": "n"}
    take(workspace, tmp_path, row, {"text": "B?", "source": B, "answerable": None}, set_name="one")
    add_question(workspace, "Who is it?", answerable=False, answers=(), set_name="two")
    workspace.maintenance().evaluation.save_questions(
        [EvalQuestion("d", "two", "Drafted?", origin="drafted", reviewed=False)]
    )
    before = workspace.store.evaluation.list_questions()
    path = tmp_path / "out.jsonl"
    path.write_text(questions_as_lines(workspace, before), encoding="utf-8")
    assert len(import_questions(workspace, [path]).unchanged) == len(before) == 4
    workspace.maintenance().evaluation.remove_questions([result.key for result in before])
    import_questions(workspace, [path])
    assert workspace.store.evaluation.list_questions() == before


def test_an_added_quote_is_found_in_every_source_that_has_it(workspace: Workspace) -> None:
    question = add_question(workspace, "What is the range?", place=AnswerPlace(quotes=(RANGE,)))
    assert [place.source for place in question.expected] == [A, B]
    assert (question.answerable, question.language, question.origin) == (True, "en", "added")


@pytest.mark.parametrize(
    ("place", "options", "where"),
    [
        (AnswerPlace(sources=("nothing.md",)), {}, "--source"),
        (AnswerPlace(sources=(A,), section="Nowhere"), {}, A),
        (AnswerPlace(sources=(A, B), page=1), {}, "--page"),
        (AnswerPlace(spans=("a.md:9-3",)), {}, "--span"),
        (AnswerPlace(spans=(f"{A}:5-99999",)), {}, A),
        (AnswerPlace(quotes=("no such words",)), {}, "--quote"),
        (AnswerPlace(), {"language": "xx"}, "--language"),
        (AnswerPlace(), {"set_name": "a/b"}, "--set"),
        (AnswerPlace(), {"identity": " "}, "--id"),
        (AnswerPlace(sources=(A,)), {"answerable": False}, "--unanswerable"),
    ],
)
def test_what_is_added_by_hand_must_be_there(
    workspace: Workspace, place: AnswerPlace, options: dict[str, Any], where: str
) -> None:
    with pytest.raises(UsageError) as raised:
        add_question(workspace, "Where is it?", place=place, **options)
    assert (raised.value.where, bool(raised.value.fix)) == (where, True)


def test_a_run_takes_reviewed_questions_and_reports_how_many_wait(workspace: Workspace) -> None:
    add_question(workspace, "One?", tags=("x",))
    add_question(workspace, "Two?", set_name="other")
    waiting = EvalQuestion("w", "other", "Three?", tags=("x",), reviewed=False)
    workspace.maintenance().evaluation.save_questions([waiting])
    assert [question.text for question in select_questions(workspace)] == ["Two?", "One?"]
    assert [question.text for question in select_questions(workspace, tags=("x",))] == ["One?"]
    assert count_unreviewed(workspace, sets=("other",)) == 1
    with pytest.raises(UsageError, match="There is no set of questions 'nope'"):
        select_questions(workspace, ("nope",))


def test_accepting_touches_only_what_waits_and_rejecting_removes_it(workspace: Workspace) -> None:
    waiting = [EvalQuestion(key, "d", f"{key}?", reviewed=False) for key in "abc"]
    workspace.maintenance().evaluation.save_questions(waiting)
    assert accept_questions(workspace, ["d/a"]).accepted == ("d/a",)
    assert accept_questions(workspace, ["a"]).before == ("d/a",)
    assert accept_questions(workspace, ["b"], reject=True).rejected == ("d/b",)
    with pytest.raises(UsageError, match="accepted before"):
        accept_questions(workspace, ["a"], reject=True)
    assert accept_questions(workspace, everything=True).accepted == ("d/c",)
    assert [question.key for question in select_questions(workspace)] == ["d/a", "d/c"]


def test_an_id_in_two_sets_must_be_given_in_full(workspace: Workspace) -> None:
    workspace.maintenance().evaluation.save_questions(
        [
            EvalQuestion("q/1", "a", "A?"),
            EvalQuestion("q/1", "b", "B?"),
            EvalQuestion("1", "q", "C?"),
        ]
    )
    assert stored(workspace, "b/q/1").text == "B?"
    assert stored(workspace, "q/1").text == "C?"
    with pytest.raises(UsageError) as raised:
        accept_questions(workspace, ["1", "q/2"])
    assert "q/2" in raised.value.message


PIN = "De pincode bij levering is 5120."


def answered(workspace: Workspace, verdict: Verdict = "answer") -> str:
    """Log an answer about the pin code with its quote, and give the id of its row."""
    source = workspace.store.find_source(HANDLEIDING)
    assert source is not None
    chunk = workspace.store.source_chunks(source.id)[-1]
    start = workspace.store.source_text(source.id).index(PIN)
    quote = Quote("S1", PIN, start, start + len(PIN))
    cited = ShownSource("S1", source.id, chunk.id, source.path, source.title, "", 0.9)
    written = () if verdict != "answer" else (Sentence("Die is 5120.", ("S1",), (quote,)),)
    record = replace(
        RECORD, verdict=verdict, chunks=() if verdict == "no_evidence" else ((chunk.id, 0.9),),
        answer="Die is 5120. [S1]" if written else None,
        shown=ShownAnswer("nl", written, (cited,), ()),
    )  # fmt: skip
    workspace.store.log_query(record)
    return record.id


RECORD = QueryRecord(
    id="qry_1", time=datetime.now(UTC), kind="ask", query="Wat is de pincode bij levering?",
    rewritten=None, role="secret", agent=None, verdict="answer", gate_score=0.5, chunks=(), models={},
    answer=None, attribution_coverage=None, shown_coverage=None, timings_ms={}, usage=Usage(),
)  # fmt: skip


def test_a_right_answer_is_expected_again_at_the_words_that_carried_it(
    workspace: Workspace,
) -> None:
    query = answered(workspace)
    save_feedback(workspace, query, correct=True)
    question = stored(workspace, import_feedback(workspace).added[0])
    assert [quote.text for quote in show_question(workspace, query).quotes] == [PIN]
    assert (question.answerable, question.reviewed) == (True, True)
    assert question.answers == ("Die is 5120.",)


def test_the_words_of_an_answer_are_found_where_they_moved_to(workspace: Workspace) -> None:
    save_feedback(workspace, query := answered(workspace), correct=True)
    manual = workspace.root / HANDLEIDING
    manual.write_text(f"Voorwoord.\n\n{manual.read_text(encoding='utf-8')}", encoding="utf-8")
    ingest(workspace)
    import_feedback(workspace)
    assert [quote.text for quote in show_question(workspace, query).quotes] == [PIN]


def test_passages_that_were_right_wait_for_a_person_to_name_the_place(workspace: Workspace) -> None:
    save_feedback(workspace, query := answered(workspace, "passages"), correct=True)
    report = import_feedback(workspace)
    question = stored(workspace, f"feedback/{query}")
    assert (question.answerable, question.reviewed, question.answers) == (True, False, ())
    assert question.expected == (Expectation(HANDLEIDING),)
    assert [notice.code for notice in report.notices] == ["eval-feedback-passages"]


def test_a_wrong_answer_waits_with_the_readers_words(workspace: Workspace) -> None:
    query = answered(workspace)
    save_feedback(workspace, query, correct=False, note="It is 5121.")
    question = stored(workspace, import_feedback(workspace).added[0])
    assert (question.reviewed, question.expected, question.note) == (False, (), "It is 5121.")
    assert question.answerable is None


def test_a_refusal_that_was_right_makes_a_question_without_answer(workspace: Workspace) -> None:
    query = answered(workspace, "no_evidence")
    save_feedback(workspace, query, correct=True)
    question = stored(workspace, import_feedback(workspace).added[0])
    assert (question.answerable, question.expected) == (False, ())


def test_the_latest_word_counts_until_a_person_took_the_question_over(
    workspace: Workspace,
) -> None:
    query = answered(workspace)
    save_feedback(workspace, query, correct=False)
    import_feedback(workspace)
    save_feedback(workspace, query, correct=True)
    assert import_feedback(workspace).updated == (f"feedback/{query}",)
    assert import_feedback(workspace).unchanged == (f"feedback/{query}",)
    changed = replace(stored(workspace, query), text="Wat is de code?")
    workspace.maintenance().evaluation.save_questions([changed])
    save_feedback(workspace, query, correct=False)
    assert [n for n in map(str, import_feedback(workspace).notices) if "is left alone" in n]
    assert stored(workspace, query) == changed


def test_feedback_that_makes_no_question_is_refused_with_the_reason(workspace: Workspace) -> None:
    plain = replace(RECORD, query="(redacted)")
    for record in (plain, replace(plain, id="qry_2", kind="generate", query="Power")):
        workspace.store.log_query(record)
        save_feedback(workspace, record.id, correct=True)
    report = import_feedback(workspace)
    assert [(row.id, str(row.reason).split()[-1]) for row in report.refused] == [
        ("qry_1", "(log.redact)."), ("qry_2", "question."),
    ]  # fmt: skip
    with pytest.raises(UsageError, match="no query 'qry_9'"):
        save_feedback(workspace, "qry_9", correct=True)


def test_exported_places_are_found_again_after_their_source_changed(
    workspace: Workspace, tmp_path: Path
) -> None:
    add_question(
        workspace, "How wide?", place=AnswerPlace(sources=(A,), quotes=(RANGE,)), identity="w"
    )
    path = tmp_path / "out.jsonl"
    path.write_text(questions_as_lines(workspace, select_questions(workspace)), encoding="utf-8")
    sheet = workspace.root / A
    sheet.write_text(f"Preface.\n\n{sheet.read_text(encoding='utf-8')}", encoding="utf-8")
    ingest(workspace)
    import_questions(workspace, [path], replace_changed=True)
    assert [quote.text for quote in show_question(workspace, "w").quotes] == [RANGE]


def test_a_file_full_of_repeats_and_endless_names_gives_short_notices(
    workspace: Workspace, tmp_path: Path
) -> None:
    row = {"text": "A?", "source": "x" * 50_000}
    report = take(workspace, tmp_path, *[row] * 200)
    notices = [*map(str, report.notices)]
    assert any("q.jsonl:6 and 194 more" in notice for notice in notices), notices
    assert len(notices) < 10
    assert max(map(len, notices)) < 600


def test_a_source_may_be_named_with_its_page(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text('question,source\nA?,"handleiding.md, p. 3"\nB?,"nowhere.md, p. 3"\n')
    import_questions(workspace, [path])
    first, second = sorted(workspace.store.evaluation.list_questions(), key=lambda one: one.text)
    assert (first.expected[0].source, first.expected[0].page) == (HANDLEIDING, 3)
    assert second.expected[0].source == "nowhere.md, p. 3"
