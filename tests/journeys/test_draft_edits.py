"""A draft in the hands of its reviewers: read by sentence, edited by two, remarked on, compared."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from foundry.errors import ChangedMeanwhile, IndexMissing, NotFound, RuleError, UsageError
from foundry.journeys.drafts import accept_draft, edits, get_draft, register_draft, verify_draft
from foundry.journeys.drafts.edits import (
    DraftEdit,
    add_note,
    change_draft_text,
    compare_drafts,
    get_content,
    remove_note,
    resolve_note,
)
from foundry.journeys.ingest import ingest
from foundry.render.markdown import render_markdown
from foundry.workspace import Workspace, open_workspace
from tests.journeys.draft_files import FILE, FUSE, OUTPUTS, STORED, SUPPLY, make_draft, put_draft

WRONG = "The input fuse is rated at 4 A slow."


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Iterator[Workspace]:
    """A copy of the ingested project, with a draft."""
    root = shutil.copytree(built, tmp_path / "copy")
    with open_workspace(root, environment={}, cwd=root) as opened:
        put_draft(opened)
        yield opened


def change(workspace: Workspace, text: str, reviewed: str) -> DraftEdit:
    return change_draft_text(workspace, workspace.root / FILE, text, reviewed)


def spread(workspace: Workspace) -> tuple[str, str]:
    """The draft with each sentence in a paragraph of its own, and the hash of that text."""
    read = get_content(workspace, FILE)
    text = read.text.markdown
    for sentence in (FUSE, OUTPUTS):
        text = text.replace(f" {sentence}", f"\n\n{sentence}")
    return text, change(workspace, text, read.content_hash).content_hash


def test_a_sentence_is_shown_with_the_words_that_its_note_quotes(copy: Workspace) -> None:
    content = get_content(copy, FILE)
    assert [one.claimed.text for one in content.text.sentences] == [SUPPLY, FUSE, OUTPUTS]
    shown = content.text.shown.sentences[1]
    (quote,) = shown.quotes
    source = next(one for one in content.text.shown.sources if one.id == quote.evidence_id)
    assert (quote.text, quote.section) == (FUSE, "3.1 Supply")
    assert copy.store.source_text(source.source_id)[quote.start : quote.end] == FUSE


def test_a_sentence_as_it_was_written_is_verified_without_a_check(copy: Workspace) -> None:
    sentences = get_content(copy, FILE).text.sentences
    assert {(one.edited, one.verified, one.check) for one in sentences} == {(False, True, None)}


def test_a_sentence_that_was_marked_as_not_verified_is_not(copy: Workspace) -> None:
    draft = make_draft(copy, [SUPPLY, FUSE], None)
    filled, *others = draft.sections
    first, second = filled.sentences
    doubtful = replace(filled, sentences=(first, replace(second, verified=False)))
    draft = replace(draft, sections=(doubtful, *others))
    text = render_markdown(draft)
    (copy.root / FILE).write_text(text)
    register_draft(copy, draft, copy.root / FILE, text)
    found = [(one.edited, one.verified) for one in get_content(copy, FILE).text.sentences]
    assert found == [(False, True), (False, False)]


def test_a_verification_is_remembered_until_a_source_changes(copy: Workspace) -> None:
    verify_draft(copy, FILE)
    first = get_content(copy, FILE).text.sentences[0]
    assert first.check
    assert first.check.check.verdict == "exact"
    (copy.root / "sources" / "code.txt").write_text("The code is 1.\n")
    ingest(copy)
    assert get_content(copy, FILE).text.sentences[0].check is None


def test_only_what_an_edit_brings_is_checked(copy: Workspace) -> None:
    read = get_content(copy, FILE)
    edit = change(copy, read.text.markdown.replace(FUSE, WRONG), read.content_hash)
    assert (edit.changed, edit.merged, edit.unchecked) == ((1,), False, None)
    new = edit.content.text.sentences[1]
    assert new.check
    assert (new.edited, new.verified, new.check.check.verdict) == (True, False, "contradicted")
    assert edit.content.text.sentences[0].check is None
    assert get_content(copy, FILE).text.sentences[1] == new


def test_an_edit_by_hand_is_seen_and_not_checked(copy: Workspace) -> None:
    path = copy.root / FILE
    path.write_text(path.read_text().replace(FUSE, WRONG))
    found = get_content(copy, FILE).text.sentences[1]
    assert (found.edited, found.verified, found.check) == (True, False, None)


def test_two_people_who_edit_two_paragraphs_lose_nothing(copy: Workspace) -> None:
    text, read = spread(copy)
    change(copy, text.replace(FUSE, WRONG), read)
    second = change(copy, text.replace(OUTPUTS, "It has outputs."), read)
    assert second.merged
    written = (copy.root / FILE).read_text()
    assert WRONG in written
    assert "It has outputs." in written


def test_two_people_who_edit_one_paragraph_get_both_texts(copy: Workspace) -> None:
    text, read = spread(copy)
    first = change(copy, text.replace(FUSE, WRONG), read)
    with pytest.raises(ChangedMeanwhile) as caught:
        change(copy, text.replace(FUSE, "The fuse is small."), read)
    params = caught.value.problem.params
    assert params["hash"] == first.content_hash
    assert WRONG in str(params["text"])
    assert WRONG in (copy.root / FILE).read_text()


def test_an_edit_by_hand_meanwhile_is_merged_too(copy: Workspace) -> None:
    text, read = spread(copy)
    (copy.root / FILE).write_text(text.replace(FUSE, WRONG))
    assert change(copy, text.replace(OUTPUTS, "It has outputs."), read).merged
    assert WRONG in (copy.root / FILE).read_text()


def test_a_text_that_was_replaced_is_kept(copy: Workspace) -> None:
    read = get_content(copy, FILE)
    edit = change(copy, read.text.markdown.replace(FUSE, WRONG), read.content_hash)
    kept = [(one.content_hash, one.written) for one in edit.content.versions]
    assert kept == [(edit.content_hash, False), (read.content_hash, True)]


def test_line_ends_of_a_browser_are_no_change(copy: Workspace) -> None:
    read = get_content(copy, FILE)
    sent = read.text.markdown.replace("\n", "\r\n")
    edit = change(copy, sent, read.content_hash)
    assert (edit.content_hash, edit.changed) == (read.content_hash, ())


@pytest.mark.parametrize(
    ("old", "new"),
    [("12 V DC with", "-12 V DC with"), (f"{SUPPLY}[^1]", f"{SUPPLY}[^2]"), ("2.5 A.", "2,5 A.")],
)
def test_a_sign_or_another_source_is_an_edit_too(copy: Workspace, old: str, new: str) -> None:
    read = get_content(copy, FILE)
    body, notes, rest = read.text.markdown.partition("[^1]:")
    edit = change(copy, body.replace(old, new) + notes + rest, read.content_hash)
    assert edit.changed == (0,)
    assert edit.content.text.sentences[0].edited


def test_a_note_that_quotes_what_no_source_says_is_a_problem(copy: Workspace) -> None:
    read = get_content(copy, FILE)
    assert read.text.problems == ()
    body, notes, rest = read.text.markdown.partition("[^1]:")
    edit = change(copy, body + notes + rest.replace("3.15 A", "4 A"), read.content_hash)
    (problem,) = edit.content.text.problems
    assert problem.problem.code == "draft-quote-nowhere"


def test_an_edit_is_saved_where_it_cannot_be_checked(
    copy: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise IndexMissing("search-no-vectors", model="m")

    monkeypatch.setattr(edits, "check_statements", fail)
    read = get_content(copy, FILE)
    edit = change(copy, read.text.markdown.replace(FUSE, WRONG), read.content_hash)
    assert edit.unchecked
    assert WRONG in (copy.root / FILE).read_text()


def test_a_source_that_an_edit_cites_is_one_of_the_draft(copy: Workspace) -> None:
    read = get_content(copy, FILE)
    noted = f"{STORED}[^9]\n\n[^1]:"
    text = read.text.markdown.replace("[^1]:", noted, 1)
    change(copy, f"{text}\n[^9]: onderhoud.md\n\n    > {STORED}\n", read.content_hash)
    cited = [used.path for used in get_draft(copy, FILE).sources]
    assert cited == ["sources/datasheet.md", "sources/onderhoud.md"]


def test_an_edit_ends_the_acceptance(copy: Workspace) -> None:
    accept_draft(copy, FILE, "Ann")
    read = get_content(copy, FILE)
    assert read.status.accepted
    edit = change(copy, read.text.markdown.replace(FUSE, WRONG), read.content_hash)
    assert not edit.content.status.accepted


def test_a_change_must_say_what_was_read(copy: Workspace) -> None:
    with pytest.raises(UsageError, match="the version that you read"):
        change(copy, "New.", "")


def test_a_remark_stays_on_its_sentence_through_an_edit(copy: Workspace) -> None:
    add_note(copy, FILE, FUSE, "Slow or fast?", "Eve")
    read = get_content(copy, FILE)
    text = read.text.markdown.replace(f"{SUPPLY}[^1] ", "").replace(FUSE, WRONG)
    (note,) = change(copy, text, read.content_hash).content.notes
    assert (note.kind, note.sentence, note.now) == ("changed", 0, WRONG)
    gone = text.replace(WRONG, "")
    (note,) = change(copy, gone, get_content(copy, FILE).content_hash).content.notes
    assert (note.kind, note.sentence) == ("lost", None)


def test_a_remark_outlives_a_new_run_and_does_not_disturb_an_acceptance(copy: Workspace) -> None:
    record = get_draft(copy, FILE)
    add_note(copy, FILE, FUSE, "Slow or fast?", "Eve")
    accepted = accept_draft(copy, FILE, "Ann")
    assert [note.by for note in accepted.notes] == ["Eve"]
    assert [note.by for note in put_draft(copy).notes] == ["Eve"]
    assert record.notes == ()


def test_a_remark_is_resolved_opened_and_removed(copy: Workspace) -> None:
    (made,) = add_note(copy, FILE, FUSE, "Slow or fast?", "Eve")
    (done,) = resolve_note(copy, FILE, made.note.id, "Ann", done=True)
    assert done.note.resolved == "Ann"
    (again,) = resolve_note(copy, FILE, made.note.id, "", done=False)
    assert again.note == made.note
    assert remove_note(copy, FILE, made.note.id, "") == ()
    with pytest.raises(NotFound):
        remove_note(copy, FILE, made.note.id, "")


def test_a_lower_role_removes_its_own_remarks_alone(copy: Workspace) -> None:
    copy.store.save_draft(replace(get_draft(copy, FILE), role="internal"))
    (made,) = add_note(copy, FILE, FUSE, "Slow or fast?", "Eve")
    with open_workspace(copy.root, environment={}, cwd=copy.root, role="internal") as low:
        with pytest.raises(RuleError, match="Eve"):
            remove_note(low, FILE, made.note.id, "Bob")
        assert remove_note(low, FILE, made.note.id, "Eve") == ()


@pytest.mark.parametrize(("sentence", "text"), [("No such sentence.", "x"), (FUSE, " \n ")])
def test_a_remark_needs_a_sentence_and_words(copy: Workspace, sentence: str, text: str) -> None:
    with pytest.raises(UsageError):
        add_note(copy, FILE, sentence, text, "Eve")


def test_two_runs_of_a_document_are_compared_by_sentence(copy: Workspace) -> None:
    put_draft(copy, SUPPLY, OUTPUTS)
    found = compare_drafts(copy, FILE)
    assert (found.same, [one.kind for one in found.changes]) == (2, ["removed"])
    (change_,) = found.changes
    assert change_.old
    assert change_.old.claimed.text == FUSE


def test_two_drafts_are_compared_with_their_verdicts(copy: Workspace) -> None:
    put_draft(copy, file="output/other.md")
    read = get_content(copy, FILE)
    change(copy, read.text.markdown.replace(FUSE, WRONG), read.content_hash)
    (found,) = compare_drafts(copy, FILE, "output/other.md").changes
    assert found.new
    assert found.new.check
    assert (found.kind, found.new.check.check.verdict) == ("changed", "contradicted")


def test_a_first_run_has_none_to_compare_with(copy: Workspace) -> None:
    with pytest.raises(UsageError, match="no other text"):
        compare_drafts(copy, FILE)


def test_a_draft_without_its_file_has_no_content(copy: Workspace) -> None:
    (copy.root / FILE).unlink()
    with pytest.raises(RuleError, match="missing"):
        get_content(copy, FILE)
