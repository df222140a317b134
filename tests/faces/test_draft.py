"""``foundry draft``: what people type and read, and the JSON that scripts get."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from foundry.journeys.drafts import verify_draft
from foundry.journeys.drafts.edits import add_note
from foundry.wire.commands import MODELS
from foundry.workspace import open_workspace
from tests.faces.conftest import Run
from tests.journeys.draft_files import FILE, FUSE, OUTPUTS, put_draft
from tests.store.records import make_draft


@pytest.fixture
def draft(project: Path) -> Path:
    """A registered draft of two statements; its file."""
    with open_workspace(project, environment={}, cwd=project) as workspace:
        put_draft(workspace, FUSE, OUTPUTS)
    return project / FILE


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ("list",),
        ("show", FILE),
        ("notes", FILE),
        ("diff", FILE, FILE),
        ("verify", "supply"),
        ("accept", "supply", "--by", "Ann"),
    ],
    ids=lambda words: words[0],
)
def test_every_command_prints_the_documented_json(
    run: Run, draft: Path, words: tuple[str, ...]
) -> None:
    run("draft", "accept", FILE, "--by", "Bob", "--note", "first")
    outcome = run("draft", *words, "--json")
    assert outcome.status == 0
    assert MODELS[f"draft {words[0]}"].model_validate(outcome.json)


def test_the_list_shows_state_coverage_and_who_accepted(run: Run, draft: Path) -> None:
    assert run("draft", "accept", "supply", "--by", "Ann").status == 0
    listed = run("draft", "list").out
    for words in ("supply", "as written", "100%", "by Ann", FILE):
        assert words in listed
    edit(draft, "# Supply", "# The supply")
    assert "by Ann, edited since" in run("draft", "list").out
    assert run("draft", "list", "--feature", "other").out.startswith("No drafts of other yet.")


def test_the_list_says_why_a_draft_is_out_of_date(run: Run, draft: Path) -> None:
    run("feature", "revoke", "supply")
    outcome = run("draft", "list")
    assert "The specification supply is no longer approved." in outcome.err
    assert run("draft", "list", "-q").err == ""
    assert run("draft", "list", "--json").json["drafts"][0]["stale"]


def test_a_draft_is_shown_with_its_empty_section_and_sources(run: Run, draft: Path) -> None:
    out = run("draft", "show", "supply").out
    assert "Supply: 2 sentences, coverage 100%" in out
    assert "Transport is empty: No hits." in out
    assert "sources/datasheet.md" in out


def test_a_conflict_is_shown_with_the_rule_that_decided_it(run: Run, draft: Path) -> None:
    with open_workspace(Path.cwd(), environment={}, cwd=Path.cwd()) as workspace:
        workspace.store.save_draft(make_draft("output/b.md"))
    assert (
        "conflict: 3.3 V (a.md) / 5 V (b.md); sources that"
        in run("draft", "show", "output/b.md").out
    )
    shown = run("draft", "show", "output/b.md", "--json").json
    assert MODELS["draft show"].model_validate(shown)


def test_verify_reports_what_an_edit_broke_and_exits_with_1(run: Run, draft: Path) -> None:
    edit(draft, "Hz.[^2]", "Hz.[^9]")
    edit(draft, "3.15 A slow.[^1]", "5 A slow.[^1]")
    outcome = run("draft", "verify", FILE)
    assert outcome.status == 1
    assert "[^9] has no footnote." in outcome.out
    assert "5 A slow" in outcome.out
    assert "does not pass: 3 problems" in outcome.out


def test_a_draft_that_fails_verification_is_not_accepted(run: Run, draft: Path) -> None:
    edit(draft, "3.15 A slow.[^1]", "5 A slow.[^1]")
    outcome = run("draft", "accept", FILE, "--by", "Ann", "--json")
    assert outcome.status == 2
    assert "5 A slow" in outcome.json["error"]["message"]
    assert run("draft", "show", FILE, "--json").json["review"] is None


@pytest.fixture
def unclear(draft: Path) -> str:
    """A statement added by hand of which the rules cannot tell whether a source supports it."""
    edit(draft, "44 Hz.[^2]", "44 Hz.[^2] There are four outputs.")
    return "There are four outputs."


def test_what_cannot_be_checked_is_listed_and_not_accepted_unasked(run: Run, unclear: str) -> None:
    outcome = run("draft", "accept", FILE, "--by", "Ann")
    assert outcome.status == 2
    assert f"read these: {unclear}" in outcome.err
    assert "--yes" in outcome.err


def test_a_reviewer_accepts_what_cannot_be_checked(run: Run, unclear: str) -> None:
    accepted = run("draft", "accept", FILE, "--by", "Ann", "--yes")
    assert (accepted.status, unclear in accepted.err) == (0, True)
    assert run("draft", "show", FILE, "--json").json["review"]["unchecked"] == [unclear]
    assert f"Accepted by Ann, not verified: “{unclear}”" in run("draft", "show", FILE).out


@pytest.mark.parametrize("form", ["md", "html"])
def test_the_document_marks_what_was_accepted_and_not_verified(
    run: Run, unclear: str, form: str
) -> None:
    run("draft", "accept", FILE, "--by", "Ann", "--yes")
    assert run("build", "--format", form, "--output", f"built.{form}").status == 0
    text = Path(f"built.{form}").read_text(encoding="utf-8")
    assert re.search(rf"{unclear}\s*\W*(<em>)?\W*accepted by Ann, not verified", text)
    assert re.search(r"Accepted by the reviewer and not verified\W", text)


def test_an_unsupported_statement_is_refused_whoever_accepts_it(run: Run, draft: Path) -> None:
    edit(draft, "3.15 A slow.[^1]", "5 A slow.[^1]")
    assert run("draft", "accept", FILE, "--by", "Ann", "--yes").status == 2


def test_a_file_that_is_not_text_is_reported_without_a_traceback(run: Run, draft: Path) -> None:
    draft.write_bytes(b"\xff\xfe\x00broken")
    outcome = run("draft", "verify", FILE, "--json")
    assert outcome.status == 1
    assert outcome.json["verification"] is None
    assert outcome.json["footnotes"][0]["message"] == "It is not UTF-8 text."
    draft.unlink()
    assert run("draft", "verify", FILE).status == 2
    assert "missing" in run("draft", "list").out


def test_a_draft_is_found_from_its_own_folder(
    run: Run, draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(draft.parent)
    assert run("draft", "show", draft.name, "--json").json["path"] == FILE


def test_without_drafts_the_list_says_how_to_write_one(run: Run, project: Path) -> None:
    outcome = run("draft", "list")
    assert outcome.status == 0
    assert "foundry generate" in outcome.out
    assert run("draft", "show", "supply").status == 2


def test_accept_names_an_empty_section(run: Run, draft: Path) -> None:
    assert "Transport is empty: No hits." in run("draft", "accept", "supply", "--by", "Ann").err


def test_build_names_an_empty_section(run: Run, draft: Path) -> None:
    run("draft", "accept", "supply", "--by", "Ann")
    assert "supply: Transport is empty: No hits." in run("build", "--format", "md").err


def test_remarks_are_shown_with_the_sentence_that_they_are_on_now(run: Run, draft: Path) -> None:
    assert "has no remarks" in run("draft", "notes", FILE).out
    with open_workspace(Path.cwd(), environment={}, cwd=Path.cwd()) as workspace:
        add_note(workspace, FILE, FUSE, "Slow or fast?", "Eve")
    assert "Eve (open): Slow or fast?" in run("draft", "notes", FILE).out
    edit(draft, "3.15 A slow.[^1]", "5 A slow.[^1]")
    assert "now reads: The input fuse is rated at 5 A slow." in run("draft", "notes", FILE).out


def test_two_runs_are_compared_with_the_signs_of_their_checks(run: Run, draft: Path) -> None:
    assert run("draft", "diff", FILE).status == 2
    with open_workspace(Path.cwd(), environment={}, cwd=Path.cwd()) as workspace:
        put_draft(workspace, FUSE)
        verify_draft(workspace, FILE)
    first, last = run("draft", "diff", FILE).out.splitlines()
    assert first == f"- {OUTPUTS}"
    assert last.endswith("1 unchanged, 0 changed, 1 removed, 0 added")
    edit(draft, "3.15 A slow.[^1]", "5 A slow.[^1]")
    run("draft", "verify", FILE)
    shown = run("draft", "diff", FILE).out
    assert f"- ✓ {FUSE}" in shown
    assert "+ ✗ The input fuse is rated at 5 A slow." in shown
