"""The pages of documents: specifications, plans, drafts under review, agents, the client's document."""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.journeys.access import create_token
from foundry.web.app import make_app
from foundry.web.pages.drafts import split_parts
from foundry.web.site import open_site
from tests.journeys.draft_files import FUSE, OUTPUTS, SUPPLY, put_draft

SPEC = "/documents/specifications/setup"
FILE = "output/reviewed.md"
DRAFT = f"/documents/drafts/{FILE}"
FIELDS = {
    "title": "Setup",
    "owner": "Ann",
    "section": ["Supply", "Mounting", ""],
    "form": ["", "steps", ""],
    "wants": ["supply voltage\ninput fuse", "", ""],
}


@pytest.fixture
def spec(client: TestClient) -> Iterator[str]:
    """The page of a new specification."""
    yield client.post("/documents/specifications", data={"title": "Setup", "owner": "Ann"}).text
    client.post(f"{SPEC}/delete", data={"seen": read_seen(client.get(SPEC).text)})


@pytest.fixture
def draft(project: Project, client: TestClient) -> str:
    """The page of a draft that everybody may see."""
    record = put_draft(project.workspace, SUPPLY, FUSE, OUTPUTS, feature=None, file=FILE)
    project.workspace.store.save_draft(replace(record, role="public", notes=()))
    return client.get(DRAFT).text


@pytest.fixture(scope="module")
def reader(project: Project) -> Iterator[TestClient]:
    """A colleague who may see what is public."""
    _, token = create_token(project.workspace, "eve", "public", timedelta(days=1))
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    headers = {"Authorization": f"Bearer {token}", "Accept": "text/html"}
    with TestClient(app, base_url="http://127.0.0.1", headers=headers) as client:
        yield client


def read_seen(page: str) -> str:
    """The hash of what a page shows."""
    found = re.search(r'name="seen" value="([^"]*)"', page)
    assert found
    return found[1]


def read_area(page: str, name: str) -> str:
    """What a text field of a page has."""
    found = re.search(rf'<textarea[^>]*name="{name}"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert found
    return html.unescape(found[1])


def read_editor(page: str) -> dict[str, str]:
    """What the form of an editor sends."""
    hidden = re.findall(r'name="(before|after|seen)" value="([^"]*)"', page, re.DOTALL)
    form = {name: html.unescape(value) for name, value in hidden}
    return {**form, "markdown": read_area(page, "markdown")}


def save(client: TestClient, page: str, **given: Any) -> Any:
    return client.post(f"{SPEC}/save", data={**FIELDS, "seen": read_seen(page), **given})


# Specifications


def test_a_specification_is_named_after_its_title_and_filled_in_as_a_form(
    client: TestClient, spec: str
) -> None:
    page = save(client, spec).text
    assert 'value="Mounting"' in page
    assert "- Supply: input fuse" in client.get(SPEC, params={"view": "markdown"}).text
    assert '<option value="steps" selected>' in page


def test_a_section_without_a_title_goes_with_what_it_wants(client: TestClient, spec: str) -> None:
    page = save(client, spec).text
    save(client, page, section=["", "Mounting", ""])
    markdown = read_area(client.get(SPEC, params={"view": "markdown"}).text, "markdown")
    assert "Supply" not in markdown


def test_what_is_wrong_is_told_for_a_text_that_is_not_saved(client: TestClient, spec: str) -> None:
    typed = {**FIELDS, "hierarchy": "nothing/*", "title": ""}
    part = client.post(f"{SPEC}/check", data=typed, headers={"X-Part": "1"}).text
    assert part.lstrip().startswith("<ul")
    assert "nothing/*" in part
    page = client.post(f"{SPEC}/check", data=typed).text
    assert "nothing/*</textarea>" in page
    assert "nothing/*" not in client.get(SPEC).text


def test_what_is_done_to_a_specification_is_audited_and_what_is_only_looked_at_is_not(
    client: TestClient, spec: str
) -> None:
    client.post(f"{SPEC}/check", data=FIELDS)
    save(client, spec)
    events = client.get("/api/v2/log/audit").json()["events"][:2]
    assert [(one["action"], one["subject"], one["outcome"]) for one in events] == [
        ("feature.change", "setup", "done"),
        ("feature.create", "setup", "done"),
    ]


def test_the_second_of_two_who_save_gets_the_newer_text_and_keeps_its_own(
    client: TestClient, spec: str
) -> None:
    save(client, spec, owner="Bob")
    reply = save(client, spec, owner="Eve")
    assert reply.status_code == 409
    assert 'value="Eve"' in reply.text
    assert "owner: Bob" in reply.text
    assert 'value="Eve"' in save(client, reply.text, owner="Eve").text


def test_an_empty_markdown_is_neither_saved_nor_taken_for_empty_fields(
    client: TestClient, spec: str
) -> None:
    form = {"view": "markdown", "markdown": "", "seen": read_seen(spec)}
    assert client.post(f"{SPEC}/save", data=form).status_code == 400
    assert 'value="Setup"' in client.get(SPEC).text


def test_an_approval_names_its_person_and_a_change_shows_its_difference(
    client: TestClient, spec: str
) -> None:
    page = save(client, spec).text
    seen = read_seen(page)
    page = client.post(f"{SPEC}/approve", data={"by": "Ann", "seen": seen}).text
    assert "Approved by Ann" in page
    page = save(client, page, owner="Bob").text
    assert "<ins>+ owner: Bob</ins>" in page


def test_titles_are_escaped_wherever_they_are_shown(client: TestClient, spec: str) -> None:
    hostile = '<script>alert("x")</script>'
    page = save(client, spec, title=hostile, section=[hostile], wants=["a"], form=[""]).text
    for shown in (page, client.get("/documents").text, client.get(f"{SPEC}?view=markdown").text):
        assert "&lt;script&gt;" in shown
        assert "<script>alert" not in shown


# Plan and draft


def test_a_plan_shows_evidence_that_opens_at_its_words(client: TestClient, spec: str) -> None:
    page = save(client, spec).text
    client.post(f"{SPEC}/approve", data={"by": "Ann", "seen": read_seen(page)})
    plan = client.get("/documents/plan", params={"feature": "setup"}).text
    assert "exact=" in plan
    assert 'action="/documents/write"' in plan


def test_a_plan_of_an_unapproved_specification_says_why_not(client: TestClient, spec: str) -> None:
    reply = client.get("/documents/plan", params={"feature": "setup"})
    assert reply.status_code == 400
    assert 'role="alert"' in reply.text


def test_a_draft_is_written_without_scripts_and_shown(client: TestClient, spec: str) -> None:
    page = save(client, spec).text
    client.post(f"{SPEC}/approve", data={"by": "Ann", "seen": read_seen(page)})
    form = {"topic": "Setup", "feature": "setup"}
    reply = client.post("/documents/write", data=form)
    assert reply.url.path == "/documents/drafts/output/setup.md"
    assert "3.15 A" in reply.text
    event = client.get("/api/v2/log/audit").json()["events"][0]
    assert (event["action"], event["subject"]) == ("draft.write", "output/setup.md")
    again = client.post("/documents/write", data=form)
    assert again.status_code == 400
    assert 'name="overwrite"' in again.text


def test_sentences_have_numbers_cards_and_a_place_of_their_own(draft: str) -> None:
    assert len(re.findall(r'id="sentence-\d+"', draft)) == 3
    assert 'data-card="card-draft-1-' in draft
    assert "exact=" in draft


def test_an_edited_section_leaves_the_others_and_is_checked(client: TestClient, draft: str) -> None:
    line = re.findall(r"/edit\?line=(\d+)", draft)[0]
    form = read_editor(client.get(f"{DRAFT}/edit", params={"line": line}).text)
    text = form["markdown"].replace("3.15 A", "4 A")
    after = client.post(f"{DRAFT}/edit", data={**form, "markdown": text}).text
    assert 'class="contradicted" id="sentence-1"' in after
    assert "512 channels" in after
    assert "[^1]:" in client.get(f"{DRAFT}/markdown").text


def test_the_second_of_two_who_edit_a_sentence_sees_both_texts(
    client: TestClient, draft: str
) -> None:
    form = read_editor(client.get(f"{DRAFT}/edit").text)
    text = form["markdown"]
    assert text.startswith("# ")
    client.post(f"{DRAFT}/edit", data={**form, "markdown": text.replace("3.15", "4")})
    reply = client.post(f"{DRAFT}/edit", data={**form, "markdown": text.replace("3.15", "5")})
    assert reply.status_code == 409
    assert "rated at 5 A" in read_area(reply.text, "markdown")
    assert "rated at 4 A" in reply.text


def test_a_reader_remarks_but_neither_edits_nor_accepts(
    reader: TestClient, client: TestClient, draft: str
) -> None:
    form = {"sentence": FUSE, "at": "1", "text": "Slow? <b>"}
    page = reader.post(f"{DRAFT}/notes", data=form).text
    assert "Slow? &lt;b&gt;" in page
    assert "/accept" not in page
    assert "/edit" not in page
    assert reader.post(f"{DRAFT}/accept", data={"by": "eve"}).status_code == 403
    note = re.search(r"/notes/(note_\w+)", page)
    assert note
    resolved = client.post(f"{DRAFT}/notes/{note[1]}", data={"act": "resolve", "by": "Ann"})
    assert "resolved by Ann" in resolved.text


def test_a_draft_is_accepted_by_name_with_a_note_and_built(client: TestClient, draft: str) -> None:
    form = {"seen": read_seen(draft.partition("/accept")[2]), "by": "Ann", "note": "Read <all>."}
    page = client.post(f"{DRAFT}/accept", data=form).text
    assert "Accepted by Ann" in page
    assert "Read &lt;all&gt;." in page
    second = client.post(f"{DRAFT}/accept", data={**form, "by": "Bob"})
    assert second.status_code == 409


def test_a_build_that_a_page_refuses_is_in_the_audit_stream(client: TestClient, draft: str) -> None:
    refused = client.post("/documents/build", data={"format": "md"})
    assert refused.status_code == 400
    event = client.get("/api/v2/log/audit").json()["events"][0]
    assert (event["action"], event["outcome"]) == ("build", "not_ready")


def test_what_nobody_could_check_is_accepted_sentence_by_sentence(
    project: Project, client: TestClient, draft: str
) -> None:
    path = project.root / FILE
    path.write_text(
        path.read_text().replace("\n[^1]:", "\nThe moon is made of cheese.\n\n[^1]:", 1)
    )
    form = {"seen": read_seen(client.get(DRAFT).text.partition("/accept")[2]), "by": "Ann"}
    refused = client.post(f"{DRAFT}/accept", data=form)
    assert refused.status_code == 400
    unchecked = re.findall(r'name="unchecked" value="([^"]*)"', refused.text)
    assert unchecked == ["The moon is made of cheese."]
    accepted = client.post(f"{DRAFT}/accept", data={**form, "unchecked": unchecked})
    assert "Accepted by Ann" in accepted.text


def test_a_text_is_compared_with_what_was_written(client: TestClient, draft: str) -> None:
    assert "no earlier text yet" in client.get(f"{DRAFT}/diff").text
    form = read_editor(client.get(f"{DRAFT}/edit").text)
    changed = {**form, "markdown": form["markdown"].replace("3.15", "4")}
    client.post(f"{DRAFT}/edit", data=changed)
    shown = client.get(f"{DRAFT}/diff").text
    assert "<ins>The input fuse is rated at 4 A slow.</ins>" in shown


def test_a_draft_is_a_word_file_that_says_that_nobody_accepted_it(
    client: TestClient, draft: str
) -> None:
    reply = client.get(f"{DRAFT}/docx")
    assert reply.headers["Content-Disposition"].endswith("reviewed.docx")
    with zipfile.ZipFile(io.BytesIO(reply.content)) as package:
        text = package.read("word/document.xml").decode()
    assert "No draft of it is accepted yet" in text
    assert "512 channels" in text


def test_a_part_of_a_draft_ends_where_the_next_section_begins() -> None:
    assert split_parts("# A\n\n## B\ntext\n### C\n## D") == [(0, 2), (2, 5), (5, 6)]


# Agents, roles


def test_an_agent_is_copied_changed_and_deleted(client: TestClient) -> None:
    own = client.post("/documents/agents/blueprint/copy", data={"new": "own"})
    assert own.url.path == "/documents/agents/own"
    text = read_area(own.text, "text")
    bad = client.post("/documents/agents/own/check", data={"text": "x: ["}, headers={"X-Part": "1"})
    assert 'role="alert"' in bad.text
    form = {
        "text": text.replace("title: Blueprint", "title: Mine <b>"),
        "seen": read_seen(own.text),
    }
    saved = client.post("/documents/agents/own/save", data=form).text
    assert "<h1>Mine &lt;b&gt;</h1>" in saved
    assert client.post("/documents/agents/own/save", data=form).status_code == 409
    gone = client.post("/documents/agents/own/delete", data={"seen": read_seen(saved)})
    assert "Mine" not in gone.text


def test_a_reader_is_offered_nothing_that_only_the_owner_may(
    reader: TestClient, client: TestClient, spec: str
) -> None:
    for path in ("/documents", SPEC, "/documents/agents/blueprint"):
        page = reader.get(path)
        assert page.status_code == 200
        assert 'method="post"' not in page.text.replace('action="/documents/build"', "").replace(
            'method="post" action="/logout"', ""
        )
    assert reader.post(f"{SPEC}/save", data=FIELDS).status_code == 403


def test_what_does_not_exist_is_not_found(client: TestClient) -> None:
    for path in ("specifications/none", "drafts/none.md", "drafts/../foundry.yaml", "agents/none"):
        assert client.get(f"/documents/{path}").status_code == 404
