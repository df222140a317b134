"""Files that are sent: what is kept, what is refused, and what becomes of them."""

from __future__ import annotations

import asyncio
import io
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.journeys.access import create_token
from foundry.journeys.chains import update_chains
from foundry.records import Confidentiality
from foundry.web.app import make_app
from foundry.web.site import UPLOADS_AT_ONCE, Site, open_site

ROUTES = ("/api/v2/uploads", "/sources/upload")
"""The API's, and that of the form without scripts."""
LAMP = b"# Lamp\n\nThe lamp is rated at 40 W.\n"


def send(client: TestClient, name: str, data: bytes, **form: str) -> Any:
    files = [("files", (name, data))]
    return client.post("/api/v2/uploads", files=files, data=form).json()


def wait_for(client: TestClient, job: str) -> Any:
    for _ in range(600):
        found = client.get(f"/api/v2/jobs/{job}").json()
        if found["status"] in {"done", "failed", "cancelled"}:
            return found
        time.sleep(0.05)
    raise AssertionError(found)


def test_an_uploaded_file_can_be_asked_about(client: TestClient, project: Project) -> None:
    sent = send(client, "lamp.md", LAMP, tags="new")
    ended = wait_for(client, sent["jobs"][0]["id"])
    assert (ended["status"], ended["path"]) == ("done", "sources/uploads/lamp.md")
    answer = client.post("/api/v2/ask", json={"question": "What is the lamp rated at?"}).json()
    assert "40 W" in str(answer["passages"])
    again = send(client, "lamp.md", LAMP, tags="new")
    assert [file["status"] for file in again["files"]] == ["unchanged"]


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../../etc/cron.d/x.md", "x.md"),
        ("..\\..\\boot.md", "boot.md"),
        (".hidden.md", "hidden.md"),
        ("a\x00\nb\u202e.md", "a_b_.md"),
        ("ä" * 300 + ".md", "ä" * 120 + ".md"),
    ],
)
def test_a_name_leads_nowhere_else(
    client: TestClient, project: Project, name: str, safe: str
) -> None:
    from foundry.journeys.work.uploads import make_safe_name

    assert make_safe_name(name) == safe


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("tool.exe", b"MZ\x90\x00", "readers-type-left-out"),
        ("tool.pdf", b"MZ\x90\x00" + b"\x00" * 60, "upload-program"),
        ("run.txt", b"#!/bin/sh\nrm -rf /\n", "upload-program"),
        ("page.docx", b"%PDF-1.7", "upload-other-kind"),
        ("text.md", b"%PDF-1.7", "upload-other-kind"),
        ("data.csv", b"a\x00b\x00", "upload-other-kind"),
        ("empty.md", b"", "readers-empty"),
    ],
)
def test_a_file_that_is_not_what_it_says_is_refused_with_its_reason(
    client: TestClient, project: Project, name: str, data: bytes, code: str
) -> None:
    refused = send(client, name, data)["files"][0]
    assert refused["reason"]["code"] == code
    assert not (project.root / "sources" / "uploads" / name).exists()
    unread = client.get("/api/v2/sources").json()["unread"]
    assert (refused["path"], refused["reason"]) in [(f["path"], f["reason"]) for f in unread]


def test_a_refused_file_is_dismissed_once(client: TestClient) -> None:
    path = send(client, "gone.exe", b"MZ\x90\x00")["files"][0]["path"]
    assert client.delete("/api/v2/unread", params={"path": path}).status_code == 204
    assert path not in client.get("/sources").text
    assert client.delete("/api/v2/unread", params={"path": path}).status_code == 404


def test_an_archive_bomb_fails_in_its_job(client: TestClient) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 80_000_000)
    sent = send(client, "bomb.docx", packed.getvalue())
    ended = wait_for(client, sent["jobs"][0]["id"])
    assert [file["status"] for file in ended["files"]] == ["failed"]


def test_another_file_of_the_same_name_is_kept(client: TestClient) -> None:
    send(client, "same.md", LAMP)
    refused = send(client, "same.md", b"# Other\n\nOther words.\n")["files"][0]
    assert refused["reason"]["code"] == "upload-name-taken"
    assert send(client, "same.md", b"# Other\n\nOther words.\n", replace="true")["jobs"]


def test_both_files_of_one_name_are_kept_and_the_same_one_only_once(client: TestClient) -> None:
    send(client, "both.md", LAMP)
    paths = [send(client, "both.md", data, keep_both="true") for data in (b"# B\n\nC.\n", LAMP)]
    assert paths[0]["jobs"][0]["path"] == "sources/uploads/both (2).md"
    assert [*paths[1]["jobs"], *paths[1]["files"]][0]["path"] == "sources/uploads/both.md"


def add_source(client: TestClient, name: str) -> str:
    """The address of a source that was sent."""
    # With the same bytes it would be a copy of another one.
    wait_for(client, send(client, name, LAMP + name.encode())["jobs"][0]["id"])
    found = client.get("/api/v2/sources").json()["sources"]
    return next(f"/api/v2/sources/{one['id']}" for one in found if one["path"].endswith(name))


def test_a_file_is_deleted_only_if_that_is_asked_for(client: TestClient, project: Project) -> None:
    file, address = project.root / "sources/uploads/stays.md", add_source(client, "stays.md")
    assert client.delete(address).json()["removed"] == ["sources/uploads/stays.md"]
    assert file.exists()
    address = add_source(client, "stays.md")
    assert client.delete(address, params={"file": "true"}).status_code == 200
    assert not file.exists()
    event = project.workspace.access.list_events(1)[0]
    assert (event.action, event.subject.split()[1:]) == ("source.remove", ["file"])


def test_a_lower_role_deletes_no_file(client: TestClient, project: Project) -> None:
    address = add_source(client, "guarded.md")
    token = create_token(project.workspace, "eve", "confidential", timedelta(days=1))[1]
    headers = {"Authorization": f"Bearer {token}"}
    with TestClient(make_app(open_site(project.workspace, "192.0.2.1")), headers=headers) as other:
        other.base_url = "http://127.0.0.1"
        reply = other.delete(address, params={"file": "true"})
    assert reply.status_code == 403
    assert (project.root / "sources/uploads/guarded.md").exists()


def test_an_attachment_has_no_file_of_its_own_to_delete(
    client: TestClient, project: Project
) -> None:
    mail = (
        b"Subject: Lamp\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n"
        b"--x\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n--x\r\nContent-Type: text/plain\r\n"
        b"Content-Disposition: attachment; filename=note.txt\r\n\r\nThe lamp is rated at 40 W.\r\n--x--\r\n"
    )
    wait_for(client, send(client, "mail.eml", mail)["jobs"][0]["id"])
    found = client.get("/api/v2/sources").json()["sources"]
    inner = next(one["id"] for one in found if one["path"].endswith("note.txt"))
    reply = client.delete(f"/api/v2/sources/{inner}", params={"file": "true"})
    assert (reply.status_code, reply.json()["problem"]["code"]) == (400, "upload-attached")


def test_a_file_behind_a_link_out_of_the_project_is_not_deleted(
    client: TestClient, project: Project, tmp_path: Path
) -> None:
    address = add_source(client, "linked.md")
    folder = project.root / "sources/uploads"
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    reply = client.delete(address, params={"file": "true"})
    folder.unlink()
    (tmp_path / "elsewhere").rename(folder)
    assert (reply.status_code, (folder / "linked.md").exists()) == (403, True)


@pytest.mark.parametrize("path", ROUTES)
def test_a_request_that_is_too_large_is_not_read(client: TestClient, site: Site, path: str) -> None:
    headers = {
        "Content-Length": str(site.upload_bytes + 1),
        "Content-Type": "multipart/form-data; boundary=x",
    }
    reply = client.post(path, content=b"", headers=headers)
    assert (reply.status_code, reply.json()["problem"]["code"]) == (413, "web-too-large")


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize(("role", "status"), [(None, 401), ("internal", 403)])
def test_nothing_is_read_of_an_upload_by_someone_else_than_the_owner(
    project: Project, role: Confidentiality | None, status: int, path: str
) -> None:
    read = list[int]()

    def parts() -> Iterator[bytes]:
        for number in range(3):
            read.append(number)
            yield b"x" * 100_000

    headers, sender = {"Content-Type": "multipart/form-data; boundary=x"}, f"sender of {path[1:4]}"
    if role:
        token = create_token(project.workspace, sender, role, timedelta(days=1))[1]
        headers["Authorization"] = f"Bearer {token}"
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    with TestClient(app, base_url="http://127.0.0.1") as other:
        reply = other.post(path, content=parts(), headers=headers)
    assert (reply.status_code, read) == (status, [])
    if role:
        event = project.workspace.access.list_events(1)[0]
        assert (event.who, event.outcome) == (sender, "refused")


def test_an_upload_counts_as_one_request(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    site = open_site(project.workspace, "192.0.2.1")
    counted = list[str]()
    monkeypatch.setattr(site.limits, "count_request", counted.append)
    token = create_token(project.workspace, "counted", "secret", timedelta(days=1))[1]
    headers = {"Authorization": f"Bearer {token}"}
    with TestClient(make_app(site), base_url="http://127.0.0.1", headers=headers) as owner:
        send(owner, "counted.exe", b"MZ\x90\x00")
    assert len(counted) == 1


def test_few_uploads_arrive_at_the_same_time(site: Site) -> None:
    """A request waits, unread, while as many others as may be are in progress."""

    async def try_one() -> list[str]:
        received = list[str]()
        for _ in range(UPLOADS_AT_ONCE):
            await waiting.uploads.acquire()
        headers = [(b"host", b"127.0.0.1"), (b"content-type", b"multipart/form-data; boundary=x")]
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/api/v2/uploads",
            "headers": headers,
            "query_string": b"",
            "http_version": "1.1",
            "scheme": "http",
            "root_path": "",
        }

        async def receive() -> dict[str, Any]:
            received.append("body")
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send_(message: dict[str, Any]) -> None:
            received.append(message["type"])

        task = asyncio.create_task(make_app(waiting)(scope, receive, send_))
        done, _ = await asyncio.wait([task], timeout=0.5)
        assert not done
        assert not received
        waiting.uploads.release()
        await task
        return received

    waiting = replace(site, uploads=asyncio.Semaphore(UPLOADS_AT_ONCE))
    assert asyncio.run(try_one())[0] == "body"


def test_a_request_that_grows_too_large_is_read_no_further(client: TestClient) -> None:
    parts = (b" " * 500_000 for _ in range(10))
    headers = {"Content-Type": "application/json"}
    reply = client.post("/api/v2/ask", content=parts, headers=headers)
    assert (reply.status_code, reply.json()["problem"]["code"]) == (413, "web-too-large")


def test_a_key_stands_for_one_request(client: TestClient) -> None:
    def upload(name: str, data: bytes) -> Any:
        files, key = [("files", (name, data))], {"Idempotency-Key": "one"}
        return client.post("/api/v2/uploads", files=files, headers=key)

    first = upload("one.exe", b"MZ\x90\x00")
    assert upload("one.exe", b"MZ\x90\x00").json() == first.json()
    for other in (upload("two.exe", b"MZ\x90\x00"), upload("one.exe", b"MZ\x90\x01")):
        assert (other.status_code, other.json()["error"]["code"]) == (422, "key_reused")


def test_a_request_sent_twice_is_done_once(client: TestClient) -> None:
    asked = client.post("/api/v2/ask", json={"question": "What is the fuse rated at?"}).json()
    address, key = f"/api/v2/log/{asked['id']}/feedback", {"Idempotency-Key": "abc"}
    said = [
        client.post(address, json={"judgement": "correct"}, headers=key).json() for _ in range(2)
    ]
    assert said[0] == said[1]


def test_a_file_sent_as_a_new_revision_is_kept_beside_the_old_one_and_is_the_latest(
    client: TestClient, project: Project
) -> None:
    for text, form in (("8 kg", {}), ("9 kg", {"revises": "true"}), ("10 kg", {"revises": "true"})):
        sent = send(client, "scale.md", f"# Scale\n\nIt weighs {text}.\n".encode(), **form)
        wait_for(client, sent["jobs"][0]["id"])
    update_chains(project.workspace)
    older = project.workspace.store.list_superseded()
    latest = "sources/uploads/scale (3).md"
    assert older["sources/uploads/scale.md"] == older["sources/uploads/scale (2).md"] == latest


# The form of the page in a browser without scripts


def send_form(client: TestClient, *files: tuple[str, bytes], **form: str) -> Any:
    parts = [("files", one) for one in files]
    return client.post("/sources/upload", files=parts, data=form, follow_redirects=False)


def test_the_form_of_the_page_leads_back_to_the_list_with_a_notice(
    client: TestClient, project: Project
) -> None:
    form = {"tags": "new, lamps", "confidentiality": "internal"}
    reply = send_form(client, ("formed.md", LAMP + b"Formed.\n"), **form)
    assert (reply.status_code, reply.headers["location"]) == (303, "/sources?done=waiting&n=1")
    assert "One file waits to be read." in client.get(reply.headers["location"]).text
    job = next(one for one in project.workspace.maintenance().list_jobs() if "formed" in one.path)
    wait_for(client, job.id)
    source = project.workspace.store.find_source("sources/uploads/formed.md")
    assert source
    assert (source.tags, source.confidentiality) == (("new", "lamps"), "internal")


def test_the_page_says_what_was_refused_of_its_form(client: TestClient) -> None:
    page = send_form(client, ("program.md", b"\x7fELF\x02"), ("sent.md", LAMP + b"Sent.\n"))
    assert (page.status_code, "program.md</strong>" in page.text) == (200, True)
    assert "1 done, 1 not:" in page.text


def test_a_taken_name_is_refused_or_kept_as_the_form_says(
    client: TestClient, project: Project
) -> None:
    send_form(client, ("name.md", LAMP + b"First.\n"))
    assert "already another file" in send_form(client, ("name.md", LAMP + b"Second.\n")).text
    kept = send_form(client, ("name.md", LAMP + b"Second.\n"), taken="keep_both")
    assert kept.status_code == 303
    assert (project.workspace.root / "sources/uploads/name (2).md").is_file()


def test_a_form_without_a_file_asks_for_one(client: TestClient) -> None:
    # As browsers send a field for files that is empty.
    head = 'Content-Disposition: form-data; name="files"; filename=""'
    body = f"--x\r\n{head}\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--x--\r\n"
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    page = client.post("/sources/upload", content=body, headers=headers)
    assert (page.status_code, "No file is chosen." in page.text) == (400, True)
