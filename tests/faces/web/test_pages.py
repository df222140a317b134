"""The pages as HTML: what they show, keep and lead to. What a browser does is in test_browser.py."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.journeys.access import create_token
from foundry.messages import Message
from foundry.records import Conflict, ConflictSide, Quote, Sentence, ShownAnswer, Source, Usage
from foundry.store.rows import decode_record, encode_record
from foundry.web.app import make_app
from foundry.web.pages.citations import CitedText, group_conflicts
from foundry.web.pages.templates import render_part
from foundry.web.site import open_site
from tests.faces.web.test_questions import read_events
from tests.journeys.answers import online
from tests.support.model_server import ModelServer

FUSE = "What is the rating of the input fuse?"
RATED = "The input fuse is rated at 3.15 A slow."
PATH = "sources/datasheet.md"


@pytest.fixture(scope="module")
def answer(client: TestClient) -> str:
    """The address of an answer."""
    return str(client.post("/ask", data={"question": FUSE}).url)


@pytest.fixture(scope="module")
def source(project: Project) -> Source:
    found = project.workspace.store.find_source(PATH)
    assert found
    return found


@pytest.mark.parametrize(
    "path", ["/", "/sources", "/verify", "/log", "/api/v2/sources", "/healthz"]
)
def test_head_is_answered_like_get_without_a_body(client: TestClient, path: str) -> None:
    reply = client.head(path)
    assert (reply.status_code, reply.content) == (200, b"")


@pytest.mark.parametrize("path", ["/log?kind=%00", "/sources/%00", "/sources?x=%00"])
def test_an_address_with_a_nul_is_refused(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 400


def test_the_first_question_of_a_page_is_logged_as_a_question(client: TestClient) -> None:
    earlier = [{"question": FUSE, "answer": RATED, "language": "en"}]
    client.post("/turns", json={"typed": "How many channels has an output?"})
    client.post("/turns", json={"typed": "And the supply?", "earlier": earlier})
    rows = client.get("/api/v2/log?limit=2").json()["queries"]
    assert [row["kind"] for row in rows] == ["chat", "ask"]


def test_a_conversation_has_the_turns_that_its_reader_may_see(
    client: TestClient, project: Project
) -> None:
    token = create_token(project.workspace, "reader", "public", timedelta(days=1))[1]
    reader = {"Authorization": f"Bearer {token}"}
    asked = list[str]()
    for question, headers in (("What is rated?", reader), ("And hidden?", {}), ("And F1?", reader)):
        earlier = [{"question": "x", "answer": "", "id": one} for one in asked]
        body = {"typed": question, "earlier": earlier}
        asked.append(client.post("/api/v2/chat", json=body, headers=headers).json()["answer"]["id"])
    shown = [
        re.findall(r"<h[12]>(.*?)</h[12]>", client.get(f"/answers/{asked[-1]}", headers=who).text)
        for who in ({}, reader)
    ]
    assert shown == [["What is rated?", "And hidden?", "And F1?"], ["What is rated?", "And F1?"]]


def test_a_form_without_scripts_searches_within_its_filters(client: TestClient) -> None:
    inside = client.post("/ask", data={"question": FUSE, "source": PATH, "tag": ""})
    outside = client.post("/ask", data={"question": FUSE, "source": "sources/none.md"})
    assert (inside.status_code, outside.status_code) == (200, 404)
    assert "3.15 A" in inside.text


def test_a_question_asked_again_is_listed_once_and_first(client: TestClient) -> None:
    for question in (FUSE, "What is the supply?", FUSE):
        client.post("/ask", data={"question": question})
    page = client.get("/").text.partition("Asked before")[2]
    assert re.findall(r'answers/\w+">(.+?)<', page)[0] == FUSE
    assert page.count(FUSE) == 1


def test_an_answer_is_exported_with_its_sources(client: TestClient, answer: str) -> None:
    text = client.get(f"{answer}.md").text
    assert "3.15 A" in text
    assert "DX-4 datasheet" in text
    assert client.get(f"{answer}.docx").content.startswith(b"PK")


def test_a_mark_leads_back_to_the_answers_that_cite_it(client: TestClient, answer: str) -> None:
    href = re.findall(r'href="(/sources/[^"]+start=[^"]+)"', client.get(answer).text)[0]
    page = client.get(href.replace("&amp;", "&")).text
    assert answer.rpartition("/")[2] in page


def test_passages_are_called_no_answer_and_open_at_their_nearest_line(
    client: TestClient, answer: str
) -> None:
    page = client.get(answer).text
    assert "Passages that come closest" in page
    assert (
        f'<mark class="nearest"><span class="unseen">Nearest to the question: </span>{RATED}'
        in page
    )
    href = html.unescape(re.findall(r'class="cite" href="([^"]+)" data-pane', page)[0])
    assert parse_qs(urlsplit(href).query)["exact"] == [RATED]


def test_passages_stream_as_they_are_in_the_whole_answer(client: TestClient) -> None:
    events = read_events(client.post("/turns", json={"typed": FUSE}).text)
    shown = [part for name, part in events if name == "passage"]
    assert shown
    for part in shown:
        assert part.replace(" new", "").strip() in events[-1][1]


def test_only_the_kinds_of_a_judgement_that_passages_can_have_are_offered(
    client: TestClient, answer: str
) -> None:
    page = client.get(answer).text
    assert re.findall(r'data-judge="(\w+)"', page) == ["correct", "wrong_source"]
    assert "Was the right passage here?" in page


def test_an_answer_of_the_former_writer_is_shown_as_it_was(
    project: Project, client: TestClient, answer: str
) -> None:
    store = project.workspace.store
    record = store.find_query(answer.rpartition("/")[2])
    assert record
    assert record.shown
    (line,) = (line for line in record.shown.passages[0].lines if line.nearest)
    said = Sentence(RATED, (record.shown.sources[0].id,), line.quotes)
    shown = replace(record.shown, passages=(), sentences=(said,))
    models = {"generator": "builtin/extractive"}
    store.log_query(replace(record, id="qry_old", verdict="answer", models=models, shown=shown))
    page = client.get("/answers/qry_old").text
    assert RATED in page
    assert "Passages that come closest" not in page
    assert re.findall(r'data-judge="(\w+)"', page)[1:] == ["wrong_source", "wrong_fact", "missing"]


def test_a_sentence_that_nobody_checked_says_so() -> None:
    said = CitedText("It is waterproof.", "", (), verified=False)
    assert "not verified" in render_part("answer", "sentence", said)
    assert "not verified" not in render_part("answer", "sentence", replace(said, verified=True))


def test_words_that_moved_are_found_by_their_text(client: TestClient, source: Source) -> None:
    params = {"start": 0, "end": 9, "exact": RATED, "revision": "0123456789ab"}
    page = client.get(f"/sources/{source.id}", params=params).text
    text = client.get(f"/api/v2/sources/{source.id}/blocks").json()["blocks"]
    block = next(block for block in text if RATED in block["text"])
    start = block["char_start"] + block["text"].index(RATED)
    assert f'class="body" data-start="{start}"' in page
    assert "has changed" in page


def test_the_same_words_against_several_others_are_one_contradiction(project: Project) -> None:
    def side(path: str, text: str) -> ConflictSide:
        return ConflictSide("chk", f"sources/{path}", Quote("S1", text, 0, len(text)))

    plain = Message("conflict-values", ours="1 A", theirs="2 A")
    first = Conflict(
        "number", side("a.md", "F1: 1 A"), side("b.md", "F1: 2 A"), ("1 A", "2 A"), plain
    )
    told = replace(first, b=side("c.md", "F1 differs"), reason=Message("verbatim", text="told"))
    (shown,) = group_conflicts([first, told], project.workspace)
    assert [part.text for part in shown.side.parts if part.marked] == ["1 A"]
    assert [other.side.name for other in shown.opposites] == ["b.md", "c.md"]
    assert [str(other.reason) for other in shown.opposites] == ["None", "told"]


def test_a_contradiction_is_read_aloud_in_the_languages_of_its_sources(project: Project) -> None:
    paths = (PATH, "sources/gone.md")
    sides = [ConflictSide("chk", path, Quote("S1", "F1: 1 A", 0, 7)) for path in paths]
    reason = Message("verbatim", text="told")
    found = Conflict("number", sides[0], sides[1], ("1 A", "2 A"), reason)
    (shown,) = group_conflicts([found], project.workspace)
    page = render_part("answer", "conflict", shown)
    assert page.count('<span lang="en">') == 1


def test_labels_are_changed_and_a_source_is_read_again(client: TestClient, source: Source) -> None:
    own = f"/api/v2/sources/{source.id}"
    body = {"tags": ["manual"], "confidentiality": "internal"}
    changed = client.patch(own, json=body).json()
    assert (changed["tags"], changed["confidentiality"]) == (["manual"], "internal")
    again = client.post(f"{own}/ingest").json()
    assert again["jobs"] or again["files"]
    client.patch(own, json={"tags": [], "confidentiality": "public"})


def test_an_agent_is_offered_where_a_model_writes(client: TestClient, project: Project) -> None:
    with ModelServer() as server, online(project.root, server) as workspace:
        app = make_app(open_site(workspace, "127.0.0.1"))
        with TestClient(app, base_url="http://127.0.0.1") as online_client:
            assert '<option value="answer"' in online_client.get("/").text
    assert '<option value="answer"' not in client.get("/").text


def test_numbers_are_written_in_the_language_of_the_page(
    client: TestClient, project: Project
) -> None:
    record = project.workspace.store.find_query(str(project.ask(FUSE).id))
    assert record
    slow = replace(
        record, id="qry_slow", timings_ms={"total": 1_234_560}, usage=Usage(1, cost=0.25)
    )
    project.workspace.store.log_query(slow)
    dutch = client.get("/log", headers={"Accept-Language": "nl"}).text
    english = client.get("/log").text
    assert ("1.234,6" in dutch, "$ 0,2500" in dutch) == (True, True)
    assert ("1,234.6" in english, "$0.2500" in english) == (True, True)


def test_an_agent_that_writes_documents_answers_no_question(client: TestClient) -> None:
    reply = client.post("/turns", json={"typed": FUSE, "agent": "blueprint"})
    assert "event: error" in reply.text


def test_a_text_is_checked_with_the_worst_first_and_links_to_the_words(client: TestClient) -> None:
    page = client.post("/verify", data={"text": f"{RATED}\n\nThe input fuse is rated at 6 A slow."})
    found = re.findall(r'<li class="(\w+)">', page.text)
    assert found == ["contradicted", "exact"]
    href = re.search(r'<blockquote><a class="small" href="([^"]+)"', page.text)
    assert href
    assert client.get(html.unescape(href[1])).status_code == 200


def test_a_checked_text_is_escaped(client: TestClient) -> None:
    page = client.post(
        "/verify", data={"text": "The fuse is <script>alert(1)</script> slow today."}
    )
    assert "<script>alert" not in page.text


def test_checking_a_text_shows_its_steps(client: TestClient) -> None:
    events = read_events(client.post("/verify/stream", json={"text": RATED}).text)
    assert [name for name, _ in events] == ["step", "step", "result"]
    assert events[1][1]["done"] == 1
    assert 'class="exact"' in str(events[-1][1])


def test_a_caller_of_the_page_cannot_name_a_judge(client: TestClient) -> None:
    reply = client.post("/verify/stream", json={"text": RATED, "judge": "openai/gpt-4o"})
    assert reply.status_code in {400, 422}
    asked = client.post("/api/v2/verify", json={"text": RATED, "judge": "openai/gpt-4o"})
    assert asked.status_code in {400, 422}


def test_the_page_offers_a_judge_only_where_one_is_configured(client: TestClient) -> None:
    assert 'name="judge"' not in client.get("/verify").text


def test_an_answer_says_under_which_filters_when_and_for_whom_it_was_made(
    client: TestClient, project: Project
) -> None:
    page = client.post("/ask", data={"question": FUSE, "source": PATH})
    record = project.workspace.store.find_query(str(page.url).rpartition("/")[2])
    assert record
    asked = f"{record.time.astimezone():%Y-%m-%d %H:%M} for the role secret, only from sources with"
    for shown in (page.text, client.get(f"{page.url}.md").text.replace("\\", "")):
        assert f"{asked}: source={PATH}" in shown
    assert f"Filters: source={PATH}" in client.get("/log").text


def test_an_answer_of_a_row_without_filters_is_still_shown(
    client: TestClient, project: Project, answer: str
) -> None:
    record = project.workspace.store.find_query(answer.rpartition("/")[2])
    assert record
    old = json.loads(encode_record(record.shown))
    del old["filters"], old["mode"]
    assert decode_record(ShownAnswer, json.dumps(old)).mode is None


def test_an_answer_says_that_a_cited_source_has_changed_since(
    client: TestClient, project: Project, answer: str
) -> None:
    store = project.workspace.store
    record = store.find_query(answer.rpartition("/")[2])
    assert record
    assert record.shown
    assert "Changed since this answer" not in client.get(answer).text
    then = tuple(replace(one, content_hash="0" * 64) for one in record.shown.sources)
    store.log_query(replace(record, id="qry_then", shown=replace(record.shown, sources=then)))
    for address in ("/answers/qry_then", "/answers/qry_then.md"):
        assert re.search("Changed since this answer: .*DX.*4", client.get(address).text)


def test_a_login_leads_to_the_whole_address_that_was_asked_for(project: Project) -> None:
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    with TestClient(app, base_url="http://127.0.0.1", follow_redirects=False) as nobody:
        wanted = "/answers/qry_1?pane=%2Fsources%2Fsrc_1%3Fstart%3D1%26exact%3Da"
        reply = nobody.get(wanted, headers={"Accept": "text/html"})
    assert parse_qs(urlsplit(reply.headers["location"]).query)["next"] == [wanted]


def test_pages_are_compressed_and_streams_are_not(client: TestClient) -> None:
    page = client.get("/sources", headers={"Accept-Encoding": "gzip"})
    assert page.headers["content-encoding"] == "gzip"
    stream = client.post("/turns", json={"typed": FUSE}, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in stream.headers
