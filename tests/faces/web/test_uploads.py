"""Files that are sent: what is kept, what is refused, and what becomes of them."""

from __future__ import annotations

import io
import time
import zipfile
from typing import Any

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.web.site import Site

LAMP = b"# Lamp\n\nThe lamp is rated at 40 W.\n"


def send(client: TestClient, name: str, data: bytes, **form: str) -> Any:
    files = [("files", (name, data))]
    return client.post("/api/v1/uploads", files=files, data=form).json()


def wait_for(client: TestClient, job: str) -> Any:
    for _ in range(600):
        found = client.get(f"/api/v1/jobs/{job}").json()
        if found["status"] in {"done", "failed", "cancelled"}:
            return found
        time.sleep(0.05)
    raise AssertionError(found)


def test_an_uploaded_file_can_be_asked_about(client: TestClient, project: Project) -> None:
    sent = send(client, "lamp.md", LAMP, tags="new")
    ended = wait_for(client, sent["jobs"][0]["id"])
    assert (ended["status"], ended["path"]) == ("done", "sources/uploads/lamp.md")
    answer = client.post("/api/v1/ask", json={"question": "What is the lamp rated at?"}).json()
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
    assert [reason["code"] for reason in refused["reason_codes"]] == [code]
    assert not (project.root / "sources" / "uploads" / name).exists()
    unread = client.get("/api/v1/sources").json()["unread"]
    assert (refused["path"], refused["reason"]) in [(f["path"], f["reason"]) for f in unread]


def test_a_refused_file_is_dismissed_once(client: TestClient) -> None:
    path = send(client, "gone.exe", b"MZ\x90\x00")["files"][0]["path"]
    assert client.delete("/api/v1/unread", params={"path": path}).status_code == 204
    assert path not in client.get("/sources").text
    assert client.delete("/api/v1/unread", params={"path": path}).status_code == 404


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
    assert refused["reason_codes"][0]["code"] == "upload-name-taken"
    assert send(client, "same.md", b"# Other\n\nOther words.\n", replace="true")["jobs"]


def test_a_request_that_is_too_large_is_not_read(client: TestClient, site: Site) -> None:
    headers = {
        "Content-Length": str(site.upload_bytes + 1),
        "Content-Type": "multipart/form-data; boundary=x",
    }
    reply = client.post("/api/v1/uploads", content=b"", headers=headers)
    assert (reply.status_code, reply.json()["problem"]["code"]) == (413, "web-too-large")


def test_a_request_that_grows_too_large_is_read_no_further(client: TestClient) -> None:
    parts = (b" " * 500_000 for _ in range(10))
    headers = {"Content-Type": "application/json"}
    reply = client.post("/api/v1/ask", content=parts, headers=headers)
    assert (reply.status_code, reply.json()["problem"]["code"]) == (413, "web-too-large")


def test_a_request_sent_twice_is_done_once(client: TestClient) -> None:
    asked = client.post("/api/v1/ask", json={"question": "What is the fuse rated at?"}).json()
    address, key = f"/api/v1/log/{asked['id']}/feedback", {"Idempotency-Key": "abc"}
    said = [
        client.post(address, json={"judgement": "correct"}, headers=key).json() for _ in range(2)
    ]
    assert said[0] == said[1]
