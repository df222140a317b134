"""Conversations that people find again, and answers that they share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.journeys.access import create_token
from foundry.web.app import make_app
from foundry.web.site import open_site

FUSE = "What is the rating of the input fuse?"
CLEANING = "Waarmee wordt de behuizing gereinigd?"
Login = Callable[[str, str], TestClient]


@pytest.fixture
def login(project: Project) -> Iterator[Login]:
    """A browser of somebody with a role."""
    opened = []

    def open_client(name: str, role: str) -> TestClient:
        _, token = create_token(project.workspace, name, role, timedelta(days=1))  # type: ignore[arg-type]
        app = make_app(open_site(project.workspace, "192.0.2.1"))
        headers = {"Authorization": f"Bearer {token}", "Accept": "text/html"}
        client = TestClient(app, base_url="http://127.0.0.1", headers=headers)
        opened.append(client.__enter__())
        return client

    yield open_client
    for client in opened:
        client.__exit__(None, None, None)


def ask(client: TestClient, question: str) -> str:
    """The id of an answer."""
    return client.post("/ask", data={"question": question}).url.path.rpartition("/")[2]


def ask_on(client: TestClient, question: str, earlier: str) -> None:
    turn = {"question": FUSE, "answer": "3.15 A", "id": earlier}
    client.post("/api/v2/chat", json={"typed": question, "earlier": [turn]})


def list_titles(client: TestClient, **asked: str) -> list[str]:
    found = client.get("/api/v2/conversations", params=asked).json()["conversations"]
    return [one["title"] for one in found]


def test_turns_of_one_conversation_are_listed_as_one_with_their_number(login: Login) -> None:
    anna = login("anna", "internal")
    ask_on(anna, "And its part number?", ask(anna, FUSE))
    (found,) = anna.get("/api/v2/conversations").json()["conversations"]
    assert (found["title"], found["turns"]) == (FUSE, 2)
    assert "And its part number?" in anna.get(f"/answers/{found['latest']}").text


def test_nobody_lists_the_conversations_of_another(login: Login) -> None:
    ask(login("bob", "internal"), FUSE)
    assert list_titles(login("cees", "internal")) == []


def test_a_conversation_is_found_by_the_words_of_any_of_its_questions(login: Login) -> None:
    dora = login("dora", "internal")
    ask_on(dora, "And the ambient temperature?", ask(dora, FUSE))
    ask(dora, "Where is the serial number?")
    assert list_titles(dora, q="AMBIENT fuse") == [FUSE]


def test_a_conversation_keeps_the_name_that_it_is_given(login: Login) -> None:
    eve = login("eve", "internal")
    first = ask(eve, FUSE)
    eve.post(f"/conversations/{first}", data={"title": "  Fuse   <b>F1</b> "})
    assert list_titles(eve) == ["Fuse <b>F1</b>"]
    assert "Fuse &lt;b&gt;F1&lt;/b&gt;" in eve.get("/conversations").text


def test_a_removed_conversation_is_off_the_list_and_in_the_log(login: Login) -> None:
    finn = login("finn", "internal")
    first = ask(finn, FUSE)
    finn.post(f"/conversations/{first}", data={"removed": "true"})
    assert list_titles(finn) == []
    assert finn.get(f"/answers/{first}").status_code == 200


def test_nobody_renames_the_conversation_of_another(login: Login) -> None:
    first = ask(login("gijs", "internal"), FUSE)
    other = login("hans", "internal")
    assert other.post(f"/conversations/{first}", data={"title": "Mine"}).status_code == 404


def test_an_answer_says_who_asked_for_it(login: Login) -> None:
    iris = login("iris", "internal")
    assert "(iris)" in iris.get(f"/answers/{ask(iris, FUSE)}").text


def test_an_answer_from_public_sources_is_shared_with_a_lower_role(login: Login) -> None:
    kees, low = login("kees", "internal"), login("lena", "public")
    answer = ask(kees, FUSE)
    assert low.get(f"/answers/{answer}").status_code == 404
    shared = kees.post(f"/answers/{answer}/share", data={"role": "public"}).url.path
    assert "3.15 A slow" in low.get(shared).text
    assert list_titles(low) == []


def test_an_answer_is_not_shared_with_who_may_not_see_a_source_of_it(
    client: TestClient, project: Project
) -> None:
    answer = ask(client, CLEANING)
    reply = client.post(f"/api/v2/log/{answer}/share", json={"role": "internal"})
    assert (reply.status_code, reply.json()["problem"]["code"]) == (403, "web-share-hidden")


def test_nobody_shares_with_a_role_above_their_own(login: Login) -> None:
    mies = login("mies", "internal")
    answer = ask(mies, FUSE)
    assert mies.post(f"/answers/{answer}/share", data={"role": "secret"}).status_code == 404


def test_the_page_offers_only_lower_roles(login: Login) -> None:
    nico = login("nico", "internal")
    page = nico.get(f"/answers/{ask(nico, FUSE)}").text
    form = re.search(r"<form[^>]+/share.*?</form>", page, re.DOTALL)
    assert form
    assert re.findall(r'<option value="(\w+)"', form[0]) == ["public"]
