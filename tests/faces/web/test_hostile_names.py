"""Names, titles and remarks that are made to become markup stay words on every page."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project

FUSE = "What is the rating of the input fuse?"
EVIL = "\"'><img src=x onerror=alert(1)><script>alert(2)<\u2044script>{{7*7}}"
TURNED = f"{EVIL}</script>\u202e"
"""With an end of its script, and what turns the direction of the words after it."""
SPEC = "/documents/specifications/evil"


class Markup(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.faults: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            text = value or ""
            scheme = urlsplit(text.strip()).scheme if name in {"href", "action", "src"} else ""
            if name.startswith("on") or scheme in {"javascript", "data"}:
                self.faults.append(f"<{tag} {name}={text}>")
            if tag == "a" and name == "href":
                self.links.add(text)
            if (tag, name) in {("img", "src"), ("script", "src")} and text == "x":
                self.faults.append(f"<{tag} src=x>")
        if tag == "script" and not dict(attrs).get("src", "").startswith("/static/"):  # type: ignore[union-attr]
            self.faults.append("<script>")


@pytest.fixture(scope="module")
def filled(client: TestClient, project: Project) -> TestClient:
    """A project in which everything has the same evil name."""
    folder = project.root / "sources/evil"
    folder.mkdir()
    markdown = f"# {TURNED}\n\n[click](javascript:alert(3)) The input fuse is rated at 9 A slow. {TURNED}\n\n| {EVIL} | b |\n|---|---|\n| {EVIL} | 9 A |\n"
    name = "<img src=x onerror=alert(1)>\u202efdp.md"
    (folder / name).write_text(markdown, encoding="utf-8")
    (folder / "<b>.html").write_text(
        f"<title>{escape(TURNED)}</title><p onclick=alert(1)>The fuse of <script>alert(4)</script>the input is rated at 8 A.",
        encoding="utf-8",
    )
    (folder / "<i>.exe").write_bytes(b"MZ\0")
    project.ingest(tags=["<u>tag", EVIL[:40]])
    answer = client.post("/ask", data={"question": f"{FUSE} {TURNED}"}).url.path
    key = answer.rpartition("/")[2]
    client.post(f"/api/v2/log/{key}/feedback", json={"judgement": "wrong_source", "note": TURNED})
    client.post(f"/conversations/{key}", data={"title": TURNED})
    client.post("/tables", data={"name": EVIL[:60], "questions": f"{FUSE} {EVIL}"})
    client.post("/admin/people", data={"name": "Eve", "role": "public", "expires": "7d"})
    fill_documents(client)
    return client


def fill_documents(client: TestClient) -> None:
    client.post("/documents/specifications", data={"title": "Evil", "owner": EVIL})
    fields = {
        "title": EVIL,
        "owner": EVIL,
        "section": [EVIL],
        "form": [""],
        "wants": [f"rating of the input fuse\n{EVIL}"],
    }
    for path, given in (("save", fields), ("approve", {"by": EVIL[:60]})):
        seen = client.get("/api/v2/features/evil").json()["content_hash"]
        client.post(f"{SPEC}/{path}", data=given | {"seen": seen})
    draft = client.post("/documents/write", data={"topic": EVIL, "feature": "evil"}).url.path
    page = client.get(draft).text
    sentence = re.search(r'name="sentence" value="([^"]*)"', page)
    assert sentence
    client.post(f"{draft}/notes", data={"sentence": sentence[1], "text": TURNED, "by": EVIL[:60]})


def test_no_page_makes_markup_of_a_name(filled: TestClient) -> None:
    waiting, seen, faults = ["/"], {"/"}, []
    while waiting and len(seen) < 400:
        path = waiting.pop()
        reply = filled.get(path, headers={"Accept": "text/html"})
        if reply.headers.get("content-type", "").startswith("text/html"):
            markup = Markup(reply.text)
            faults += [f"{path}: {fault}" for fault in markup.faults]
            links = {urljoin(path, link).partition("#")[0] for link in markup.links}
            found = {link for link in links if link.startswith("/") and "/api/" not in link} - seen
            waiting += sorted(found)
            seen |= found
    assert not faults, "\n".join(faults)
    assert len(seen) > 60
