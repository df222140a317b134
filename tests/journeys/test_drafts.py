"""Drafts after writing: found, out of date, edited by hand, verified and accepted."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from foundry.clock import set_clock
from foundry.errors import RuleError, UsageError
from foundry.journeys.assembly import assemble
from foundry.journeys.drafts import (
    accept_draft,
    find_overwrite_warning,
    find_stale_reasons,
    get_draft,
    get_draft_state,
    is_acceptance_current,
    list_drafts,
    register_draft,
    verify_draft,
)
from foundry.journeys.ingest import ingest
from foundry.journeys.passages.correction_requests import CorrectionRequest
from foundry.journeys.passages.corrections import add_correction
from foundry.journeys.specifications import get_specification, revoke_approval
from foundry.messages import LANGUAGES, Message
from foundry.records import DraftRecord, GroundingChange, Section
from foundry.render.markdown import format_nothing_found, render_markdown
from foundry.workspace import Workspace, open_workspace
from tests.journeys.draft_files import (
    EMPTY,
    FILE,
    FUSE,
    OUTPUTS,
    STORED,
    SUPPLY,
    WHEN,
    make_draft,
    put_draft,
    write_spec,
)


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Iterator[Workspace]:
    """A copy of the ingested project."""
    root = shutil.copytree(built, tmp_path / "copy")
    with open_workspace(root, environment={}, cwd=root) as opened:
        yield opened


def edit(workspace: Workspace, old: str, new: str, file: str = FILE) -> None:
    path = workspace.root / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def failures(workspace: Workspace) -> str:
    found = verify_draft(workspace, FILE)
    assert not found.passed
    return "\n".join(map(str, found.failures()))


def test_a_draft_is_registered_with_its_sources(copy: Workspace) -> None:
    record = put_draft(copy, STORED, FUSE, SUPPLY)
    assert record.path == FILE
    assert record.feature_hash == get_specification(copy, "supply").content_hash
    assert [used.path for used in record.sources] == [
        "sources/onderhoud.md",
        "sources/datasheet.md",
    ]
    assert [(section.title, section.sentences, section.reason) for section in record.sections] == [
        ("Supply", 3, None), ("Transport", 0, EMPTY),
    ]  # fmt: skip
    assert get_draft(copy, FILE) == record


def test_a_draft_outside_the_project_is_registered_by_its_absolute_path(
    copy: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "elsewhere.md"
    draft = make_draft(copy, (FUSE,), None)
    path.write_text("text")
    record = register_draft(copy, draft, path, "text")
    assert (record.path, record.feature) == (str(path.resolve()), None)
    assert get_draft_state(copy, record) == "as written"
    assert get_draft(copy, str(path)) == record


@pytest.mark.parametrize("name", [FILE, f"./{FILE}", "supply.md", "supply", "features/supply.md"])
def test_a_draft_is_found_by_path_or_by_its_feature(copy: Workspace, name: str) -> None:
    put_draft(copy, file="output/older.md", created=WHEN - timedelta(days=1))
    put_draft(copy)
    assert get_draft(copy, name).path == FILE
    assert [draft.path for draft in list_drafts(copy, "supply")] == [FILE, "output/older.md"]


def test_an_unknown_draft_is_answered_with_the_known_ones(copy: Workspace) -> None:
    with pytest.raises(UsageError) as caught:
        get_draft(copy, "nothing")
    assert "foundry generate" in caught.value.fix
    put_draft(copy)
    with pytest.raises(UsageError) as caught:
        get_draft(copy, "nothing\x00")
    assert FILE in caught.value.fix


def test_an_edit_shows_but_another_checkout_does_not(copy: Workspace) -> None:
    record = put_draft(copy)
    path = copy.root / FILE
    written = path.read_bytes()
    path.write_bytes(b"\xef\xbb\xbf" + written.replace(b"\n", b"\r\n"))
    assert get_draft_state(copy, record) == "as written"
    path.write_bytes(written + b" ")
    assert get_draft_state(copy, record) == "edited"
    path.unlink()
    assert get_draft_state(copy, record) == "missing"
    path.mkdir()
    assert get_draft_state(copy, record) == "missing"


def test_a_draft_as_written_passes_with_its_empty_section(copy: Workspace) -> None:
    put_draft(copy)
    found = verify_draft(copy, "supply")
    assert found.failures() == ()
    assert found.passed
    assert found.verification
    assert found.verification.counts["exact"] == 3


def test_an_edit_in_the_words_of_a_source_is_verified_and_accepted(copy: Workspace) -> None:
    record = put_draft(copy)
    edit(copy, "Each of the four outputs delivers", "Each of four outputs delivers")
    assert get_draft_state(copy, record) == "edited"
    accepted = accept_draft(copy, FILE, "Bob", "read\nall of it")
    assert accepted.review
    assert (accepted.review.by, accepted.review.note) == ("Bob", "read all of it")
    assert is_acceptance_current(copy, accepted)


def test_the_last_acceptance_counts_even_if_the_clock_went_back(copy: Workspace) -> None:
    put_draft(copy)
    with set_clock(lambda: WHEN + timedelta(days=400)):
        first = accept_draft(copy, FILE, "Ada")
    with set_clock(lambda: WHEN):
        second = accept_draft(copy, FILE, "Bob")
    assert first.review
    assert second.review
    assert second.review.time > first.review.time


def test_a_false_statement_is_named_with_its_line(copy: Workspace) -> None:
    put_draft(copy)
    edit(copy, "44 Hz.[", "60 Hz.[")
    text = failures(copy)
    line = next(
        number
        for number, line in enumerate((copy.root / FILE).read_text().splitlines(), 1)
        if "60 Hz" in line
    )
    assert text.startswith(f"line {line}: ")
    with pytest.raises(RuleError, match="60 Hz"):
        accept_draft(copy, FILE, "Bob")


def test_a_true_statement_without_a_footnote_fails_too(copy: Workspace) -> None:
    put_draft(copy, FUSE, OUTPUTS)
    edit(copy, "Hz.[^2]", f"Hz.[^2] {SUPPLY}")
    text = failures(copy)
    assert "A statement has no footnote: “The controller runs on a supply" in text


def test_one_invented_statement_among_many_true_ones_fails(copy: Workspace) -> None:
    put_draft(copy)
    edit(
        copy, "## Transport", "The housing is waterproof to a depth of ten metres.\n\n## Transport"
    )
    assert "waterproof" in failures(copy)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("[^1]: ", "[^7]: "), "[^1] has no footnote."),
        (lambda text: text[: text.index("[^1]: ")], "[^2] has no footnote."),
        (lambda text: text.replace("Hz.[^2]", "Hz."), "Footnote [^2] is never used."),
        (lambda text: text.replace("[^2]: ", "[^1]: "), "Footnote [^1] is defined twice"),
        (lambda text: text.replace(".[^2]", ".[^2"), "not a valid mark"),
        (lambda text: text.replace("[^1]: datasheet.md", "[^1]: other.pdf"), "names no source"),
        (lambda text: text.replace("    > The input fuse", "    > An input fuse"), "does not say"),
        (lambda text: text.replace("[^1]: datasheet.md", "[^1]: onderhoud.md"), "the words are in sources/"),
        (lambda text: text.replace("title: Supply", "title: [Supply"), "front matter is damaged"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_footnote_is_named_with_its_line(
    copy: Workspace, change: Callable[[str], str], message: str
) -> None:
    put_draft(copy, FUSE, OUTPUTS)
    path = copy.root / FILE
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    found = failures(copy)
    assert message in found
    assert found.startswith("line ")


def test_a_quote_may_be_wrapped_but_not_reworded(copy: Workspace) -> None:
    put_draft(copy)
    edit(copy, "    > The input fuse is rated", "    > The input fuse\n    > is  rated")
    assert verify_draft(copy, FILE).passed


def test_a_contradiction_marked_by_foundry_is_not_verified(copy: Workspace) -> None:
    put_draft(copy, FUSE, conflicting=True)
    assert "9 A" in (copy.root / FILE).read_text(encoding="utf-8")
    assert verify_draft(copy, FILE).failures() == ()
    edit(copy, "“Rated at 9 A.”", "“Rated at 8 A.”")
    assert "rev-a.pdf" in failures(copy)


def test_the_log_of_a_verified_draft_counts_no_line_of_foundry(copy: Workspace) -> None:
    put_draft(copy, FUSE, conflicting=True)
    verify_draft(copy, FILE)
    assert copy.store.list_queries(1)[0].checks == {"exact": 1}


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_foundrys_own_words_for_an_empty_section_are_skipped(
    copy: Workspace, language: str
) -> None:
    words = format_nothing_found(language)
    put_draft(copy, FUSE)
    edit(copy, format_nothing_found("en"), words)
    assert verify_draft(copy, FILE).passed
    edit(copy, words, f"{words} The crate weighs 12 kg.")
    assert "The crate weighs 12 kg" in failures(copy)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"---\ntitle: x\n---\n\n# Title\n", "It makes no statement."),
        ("The fuse is rated at 3.15 A slow. Né.".encode("latin-1"), "It is not UTF-8 text."),
        (b"\x00\x01\x02" * 100, ""),
    ],
)
def test_a_file_that_is_not_a_draft_any_more_fails_with_the_reason(
    copy: Workspace, data: bytes, message: str
) -> None:
    put_draft(copy)
    (copy.root / FILE).write_bytes(data)
    assert message in failures(copy)


def test_front_matter_that_was_removed_changes_no_verdict(copy: Workspace) -> None:
    put_draft(copy)
    path = copy.root / FILE
    path.write_text(path.read_text().split("---\n", 2)[2])
    assert verify_draft(copy, FILE).passed


def test_a_draft_with_another_systems_line_ends_verifies_the_same(copy: Workspace) -> None:
    put_draft(copy)
    path = copy.root / FILE
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n")
    assert verify_draft(copy, FILE).failures() == ()


def test_a_missing_file_is_an_error_with_a_fix(copy: Workspace) -> None:
    put_draft(copy)
    (copy.root / FILE).unlink()
    for act in (lambda: verify_draft(copy, FILE), lambda: accept_draft(copy, FILE, "Bob")):
        with pytest.raises(RuleError, match="missing") as caught:
            act()
        assert "generate the draft again" in caught.value.fix


def test_the_last_acceptance_counts_and_an_edit_ends_it(copy: Workspace) -> None:
    put_draft(copy)
    accept_draft(copy, FILE, "Bob")
    record = accept_draft(copy, FILE, "Cas", "second")
    assert get_draft(copy, FILE).review == record.review
    assert record.review
    assert record.review.by == "Cas"
    edit(copy, "# Supply", "# The supply")
    assert not is_acceptance_current(copy, record)


def test_writing_the_draft_again_ends_its_acceptance(copy: Workspace) -> None:
    put_draft(copy)
    accept_draft(copy, FILE, "Bob")
    put_draft(copy, FUSE)
    assert get_draft(copy, FILE).review is None


@pytest.mark.parametrize("by", ["", " \n"])
def test_an_acceptance_needs_a_name(copy: Workspace, by: str) -> None:
    put_draft(copy)
    with pytest.raises(UsageError):
        accept_draft(copy, FILE, by)


def _change_source(workspace: Workspace) -> None:
    path = workspace.root / "sources" / "datasheet.md"
    path.write_text(path.read_text().replace("3.15 A", "4 A"))


def _ingest_change(workspace: Workspace) -> None:
    _change_source(workspace)
    ingest(workspace)


def _correct_source(workspace: Workspace) -> None:
    wanted = CorrectionRequest("3.15 A", read="3.75 A", reason="Print.")
    add_correction(workspace, "sources/datasheet.md", wanted, "Ann")


def _remove_source(workspace: Workspace) -> None:
    source = workspace.store.find_source("sources/datasheet.md")
    assert source
    workspace.maintenance().remove_source(source.id)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda ws: (ws.root / "features/supply.md").unlink(), "specification supply is gone"),
        (lambda ws: (ws.root / "features/supply.md").write_text("x"), "supply cannot be read"),
        (lambda ws: write_spec(ws).write_text("---\ntitle: x\n---\n"), "supply changed after"),
        (lambda ws: revoke_approval(ws, "supply"), "supply is no longer approved"),
        (_change_source, "sources/datasheet.md changed and has not been ingested"),
        (_ingest_change, "The source sources/datasheet.md changed after"),
        (_correct_source, "The source sources/datasheet.md was corrected after"),
        (_remove_source, "The source sources/datasheet.md was removed"),
    ],
)
def test_a_draft_that_is_out_of_date_says_why_and_is_not_accepted(
    copy: Workspace, change: Callable[[Workspace], object], message: str
) -> None:
    record = put_draft(copy)
    assert find_stale_reasons(copy, record) == ()
    change(copy)
    assert message in " ".join(map(str, find_stale_reasons(copy, record)))
    with pytest.raises(RuleError, match="out of date"):
        accept_draft(copy, FILE, "Bob")


def test_a_source_that_was_only_touched_makes_nothing_stale(copy: Workspace) -> None:
    record = put_draft(copy)
    path = copy.root / "sources" / "datasheet.md"
    path.write_bytes(path.read_bytes())
    assert find_stale_reasons(copy, record) == ()


def test_only_an_edited_draft_warns_before_it_is_overwritten(copy: Workspace) -> None:
    path = copy.root / FILE
    assert find_overwrite_warning(copy, path) is None
    put_draft(copy)
    assert find_overwrite_warning(copy, path) is None
    edit(copy, "# Supply", "# The supply")
    assert "was edited by hand" in str(find_overwrite_warning(copy, path))
    accept_draft(copy, FILE, "Bob")
    assert "accepted by Bob" in str(find_overwrite_warning(copy, path))


def test_a_draft_replaced_in_the_meantime_is_not_accepted(
    copy: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = put_draft(copy)
    edit(copy, "# Supply", "# The supply")
    find = copy.store.find_draft
    monkeypatch.setattr(
        copy.store, "find_draft", lambda path: replace(record, topic=f"{find(path)}")
    )
    with pytest.raises(RuleError, match="changed while it was being accepted"):
        accept_draft(copy, FILE, "Bob")


def put_changed(workspace: Workspace, change: Callable[[Section], Section]) -> DraftRecord:
    """A draft of two sentences whose section is changed before it is written."""
    write_spec(workspace)
    draft = make_draft(workspace, (SUPPLY, FUSE), "supply")
    first, empty = draft.sections
    draft = replace(draft, sections=(change(first), empty))
    path = workspace.root / FILE
    path.parent.mkdir(exist_ok=True)
    path.write_text(render_markdown(draft), encoding="utf-8")
    return register_draft(workspace, draft, path, path.read_text(encoding="utf-8"))


def put_unverified(workspace: Workspace) -> DraftRecord:
    """A draft whose second sentence nobody could check."""

    def doubt(section: Section) -> Section:
        one, other = section.sentences
        return replace(section, sentences=(one, replace(other, verified=False)))

    return put_changed(workspace, doubt)


def test_the_line_on_what_was_left_out_is_no_statement(copy: Workspace) -> None:
    gone = GroundingChange("Shake it.", "removed", Message("claim-orphan"))
    record = put_changed(copy, lambda one: replace(one, form="steps", changes=(gone,)))
    assert "*Left out here, because" in (copy.root / FILE).read_text(encoding="utf-8")
    assert verify_draft(copy, record.path).passed


def test_the_mark_of_what_is_not_verified_is_no_word_of_the_statement(copy: Workspace) -> None:
    record = put_unverified(copy)
    assert "*(not verified)*" in (copy.root / FILE).read_text(encoding="utf-8")
    result = verify_draft(copy, record.path)
    assert result.passed
    assert [item.check.sentence for item in result.verification.statements] == [SUPPLY, FUSE]  # type: ignore[union-attr]


def test_an_acceptance_records_what_is_marked_and_takes_the_place_of_the_mark(
    copy: Workspace,
) -> None:
    accepted = accept_draft(copy, put_unverified(copy).path, "Ann")
    assert accepted.review
    assert accepted.review.unchecked == (FUSE,)
    delivery, _ = assemble(copy, created=WHEN)
    (chapter,) = delivery.chapters
    assert "(not verified)" not in chapter.markdown
    assert f"{FUSE}[^1] *(accepted by Ann, not verified)*" in chapter.markdown
