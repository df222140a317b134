"""Several projects on one server: who sees which, and what one of them does to another."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import apsw
import pytest
from fastapi.testclient import TestClient

from foundry.api import open_project
from foundry.journeys.access import create_token, give_role, revoke_token
from foundry.journeys.project import init_project
from foundry.records import Confidentiality
from foundry.web.app import make_app
from foundry.web.projects import Projects
from foundry.web.projects import _read_mark as read_mark
from foundry.web.replays import Replays
from foundry.web.site import open_site
from foundry.workspace import Workspace, open_home
from tests.faces.web.conftest import SECRET_PATH
from tests.faces.web.test_visibility import (
    Ids,
    build_body,
    call,
    hide,
    list_pages,
    list_routes,
    make_unknown,
)
from tests.support.local_servers import NO_SERVERS

OWN = re.compile(r'\s(?:href|src|action|formaction)="(/[^"]*)')


@dataclass
class Served:
    """A server of two projects, and what is in them."""

    home: Workspace
    projects: Projects
    client: TestClient
    alpha: Ids
    beta: Ids

    def bear(self, name: str, most: Confidentiality = "secret", **roles: Confidentiality) -> None:
        """Call as a new person with these roles; the folder ``everywhere`` is all projects."""
        self.client.headers["Authorization"] = f"Bearer {self.make_token(name, most, **roles)}"

    def make_token(self, name: str, most: Confidentiality, **roles: Confidentiality) -> str:
        for folder, role in roles.items():
            where = "" if folder == "everywhere" else folder
            give_role(self.home, name, where, role, most="secret")
        known = [one for one in self.home.access.list_tokens() if one.name == name]
        for token in known:
            revoke_token(self.home, token.id)
        return create_token(self.home, name, most, timedelta(days=1))[1]


def make_project(root: Path, text: str) -> Ids:
    init_project(root, mode="offline", environment=NO_SERVERS)
    path = root / SECRET_PATH
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    with open_project(root, environment={}) as project:
        project.ingest()
        return hide(project, root.name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ids, Ids]:
    root = tmp_path_factory.mktemp("several")
    alpha = make_project(root / "alpha", "# Eerste\n\nReinig de behuizing met zeep.\n")
    beta = make_project(root / "beta", "# Tweede\n\nReinig de behuizing met alcohol.\n")
    return root, {**alpha, "name": "alpha"}, {**beta, "name": "beta"}


@pytest.fixture(scope="module")
def running(folder: tuple[Path, Ids, Ids]) -> Iterator[Served]:
    root, alpha, beta = folder
    with open_home(root, environment={}) as home:
        site = open_site(home, "192.0.2.1", several=True)
        projects = Projects(site, most=1)
        with TestClient(make_app(site, projects), base_url="http://127.0.0.1") as client:
            yield Served(home, projects, client, alpha, beta)


@pytest.fixture
def served(running: Served) -> Served:
    """Nobody has a role yet, and nobody calls."""
    for given in running.home.access.list_roles():
        running.home.access.delete_role(given.person, given.folder)
    running.client.headers.pop("Authorization", None)
    running.client.cookies.clear()
    return running


def describe_without(served: Served, name: str, method: str, path: str, body: object) -> str:
    """What a caller gets of a project, with the project's name taken out."""
    ids = {**served.beta, "name": name}
    found = call(served.client, method, f"/p/{name}{path}", ids, body)
    return str(found).replace(f"/p/{name}/", "/p/NAME/")


def test_no_list_of_a_project_names_what_is_in_another(served: Served) -> None:
    served.bear("ada", alpha="secret", beta="secret")
    inside = TestClient(served.client.app, base_url="http://127.0.0.1/p/alpha")
    inside.headers = served.client.headers
    assert inside.get("/api/v2/openapi.json").json()["servers"] == [{"url": "/p/alpha"}]
    served.client.get("/p/beta/api/v2/openapi.json")
    words = [value for name, value in served.beta.items() if name not in {"name", "format"}]
    words += ["beta", "Tweede", "alcohol"]
    paths = [path for method, path, _ in list_routes(inside) if method == "get" and "{" not in path]
    paths += ["/", "/sources", "/log", "/conversations", "/admin/people", "/admin/audit"]
    assert {inside.get(path).status_code for path in paths[-6:]} == {200}
    found = {path: [word for word in words if word in inside.get(path).text] for path in paths}
    assert {path: seen for path, seen in found.items() if seen} == {}


def test_a_project_without_a_role_is_as_one_that_does_not_exist(served: Served) -> None:
    served.bear("ada", alpha="secret")
    inside = TestClient(served.client.app, base_url="http://127.0.0.1/p/alpha")
    inside.headers = served.client.headers
    routes = [
        (method, path, build_body(what) if "{" in path else {})
        for method, path, what in list_routes(inside)
    ]
    routes += [("get", path, None) for path in (*list_pages(), "/", "/admin", "/metrics")]
    routes += [("post", "/mcp", {}), ("get", "/healthz", None), ("get", "/%2e%2e/alpha/", None)]
    assert len(routes) > 80
    for method, path, body in routes:
        real = describe_without(served, "beta", method, path, body)
        assert real == describe_without(served, "nope", method, path, body), path
        assert real.startswith("(404,"), path


def test_what_is_in_another_project_is_as_what_is_in_none(served: Served) -> None:
    served.bear("ada", alpha="secret", beta="secret")
    inside = TestClient(served.client.app, base_url="http://127.0.0.1/p/alpha")
    inside.headers = served.client.headers
    routes = [one for one in list_routes(inside) if "{" in one[1] and "/roles" not in one[1]]
    pages = [("get", path, dict[str, object]()) for path in list_pages()]
    assert len(routes) > 15
    for method, path, operation in (*routes, *pages):
        body, known = build_body(operation), {**served.beta, "name": "no-such-thing"}
        unknown = call(served.client, method, f"/p/alpha{path}", make_unknown(known), body)
        assert call(served.client, method, f"/p/alpha{path}", known, body) == unknown, path


def test_a_session_is_for_the_projects_of_its_person(served: Served) -> None:
    token = served.make_token("ada", "secret", alpha="public")
    reply = served.client.post(
        "/login", data={"token": token, "next": "/p/alpha/"}, follow_redirects=False
    )
    assert reply.headers["location"] == "/p/alpha/"
    assert served.client.get("/p/alpha/sources").status_code == 200
    assert served.client.get("/p/beta/sources").status_code == 404
    assert [one["name"] for one in list_projects(served)] == ["alpha"]
    revoke_token(served.home, "ada")
    assert served.client.get("/p/alpha/sources").status_code == 401


def list_projects(served: Served, q: str = "") -> list[dict[str, object]]:
    found: list[dict[str, object]] = served.client.get("/api/v2/projects", params={"q": q}).json()[
        "projects"
    ]
    return found


def test_a_caller_without_a_token_learns_nothing_of_what_exists(served: Served) -> None:
    for path in ("/p/alpha/api/v2/sources", "/p/nope/api/v2/sources", "/api/v2/projects"):
        assert served.client.get(path).status_code == 401
    reply = served.client.get("/p/nope/", headers={"Accept": "text/html"}, follow_redirects=False)
    assert reply.headers["location"] == "/login?next=/p/nope/"


def test_a_role_is_at_most_that_of_the_token(served: Served) -> None:
    served.bear("eve", "public", everywhere="secret")
    assert served.client.get("/p/alpha/api/v2/sources").status_code == 200
    assert served.client.get("/p/alpha/api/v2/log/audit").status_code == 403
    assert list_projects(served, "alpha")[0]["sources"] is None
    served.bear("eve", everywhere="secret")
    assert list_projects(served, "ALPHA")[0]["sources"] == 1


def test_an_owner_gives_roles_in_the_own_project_and_makes_no_tokens(served: Served) -> None:
    served.bear("ada", alpha="secret", beta="public")
    gave = served.client.post("/p/alpha/admin/people", data={"name": "bob", "role": "internal"})
    assert "bob" in gave.text
    assert served.client.put("/p/beta/api/v2/roles/bob", json={"role": "public"}).status_code == 403
    asked = {"name": "root", "role": "secret"}
    assert served.client.post("/p/alpha/api/v2/tokens", json=asked).status_code == 403
    assert [one.folder for one in served.home.access.list_roles(person="bob")] == ["alpha"]
    assert served.client.delete("/p/alpha/api/v2/roles/bob").status_code == 200
    events = served.client.get("/p/alpha/api/v2/log/audit").json()["events"]
    assert {"role.give", "role.withdraw"} <= {event["action"] for event in events}


def test_every_address_on_a_page_is_in_its_project(served: Served) -> None:
    served.bear("ada", alpha="secret")
    source = served.alpha["source_id"]
    pages = [
        "/",
        "/sources",
        f"/sources/{source}",
        "/documents",
        "/tables",
        "/admin/people",
        "/quality",
    ]
    for path in pages:
        found = OWN.findall(served.client.get(f"/p/alpha{path}").text)
        assert len(found) > 5
        wrong = [one for one in found if not one.startswith(("/p/alpha/", "/static/"))]
        assert set(wrong) <= {"/projects", "/logout"}, path


def test_a_redirect_stays_in_the_project(served: Served) -> None:
    served.bear("ada", alpha="secret")
    reply = served.client.post("/p/alpha/sources/read", follow_redirects=False)
    assert reply.headers["location"] == "/p/alpha/sources"
    assert served.client.get("/p/alpha").url.path == "/p/alpha/"


def test_a_project_is_closed_for_another_unless_it_is_needed(served: Served) -> None:
    served.bear("ada", everywhere="secret")
    served.client.get("/p/alpha/")
    alpha = served.projects._open["alpha"].site
    assert alpha
    while alpha.worker.is_busy:
        time.sleep(0.01)
    with alpha.use():
        served.client.get("/p/beta/")
        assert "alpha" in served.projects._open
    served.client.get("/p/beta/")
    assert set(served.projects._open) == {"beta"}
    assert served.client.get("/p/alpha/api/v2/sources").status_code == 200


def test_replies_are_kept_for_each_project(served: Served) -> None:
    kept = Replays()
    said = [
        kept.limit_to(name).run("key", ("ada",), str, partial(str, name))
        for name in ("alpha", "beta", "alpha")
    ]
    assert said == ["alpha", "beta", "alpha"]


def test_a_project_comes_goes_and_breaks_without_the_others(served: Served) -> None:
    served.bear("ada", everywhere="secret")
    made, config = served.projects.folder / "gamma", served.projects.folder / "gamma/foundry.yaml"
    assert served.client.get("/p/gamma/").status_code == 404
    shutil.copytree(served.projects.folder / "beta", made)
    assert served.client.get("/p/gamma/api/v2/sources").status_code == 200
    whole = config.read_text(encoding="utf-8")
    config.write_text("web: [", encoding="utf-8")
    broken = served.client.get("/p/gamma/api/v2/sources")
    assert (broken.status_code, "YAML" in broken.text) == (503, True)
    assert served.client.get("/p/alpha/api/v2/sources").status_code == 200
    config.write_text(whole, encoding="utf-8")
    assert served.client.get("/p/gamma/api/v2/sources").status_code == 200
    shutil.rmtree(made)
    gone = served.client.get("/p/gamma/api/v2/sources")
    assert (gone.status_code, gone.json()["problem"]["code"]) == (404, "web-project-gone")


def test_a_project_that_is_removed_while_it_is_asked_is_gone(served: Served) -> None:
    served.bear("ada", everywhere="secret")
    made = served.projects.folder / "brief"
    shutil.copytree(served.projects.folder / "alpha", made)
    served.client.get("/p/brief/api/v2/sources")
    mark = read_mark(made)
    shutil.rmtree(made)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("foundry.web.projects._read_mark", lambda _folder: mark)
        reply = served.client.get("/p/brief/api/v2/sources")
    assert (reply.status_code, reply.json()["problem"]["code"]) == (404, "web-project-gone")


def test_only_an_owner_is_told_why_a_project_does_not_open(served: Served) -> None:
    made = served.projects.folder / "delta"
    made.mkdir()
    (made / "foundry.yaml").write_text("web: [", encoding="utf-8")
    served.bear("eve", delta="public")
    assert "YAML" not in served.client.get("/p/delta/api/v2/sources").text
    served.bear("ada", everywhere="secret")
    assert "YAML" in served.client.get("/projects").text
    shutil.rmtree(made)


def test_a_folder_that_is_no_project_is_skipped_with_its_reason(served: Served) -> None:
    (served.projects.folder / "notes").mkdir()
    (served.projects.folder / "link").symlink_to(served.projects.folder / "alpha")
    served.bear("ada", everywhere="secret")
    names, skipped = served.projects.list_folders()
    assert names == ["alpha", "beta"]
    assert [one.name for one in skipped] == ["link", "notes"]
    for name in (
        "link",
        "notes",
        "ALPHA",
        "..",
        ".foundry",
        "%2e%2e",
        "alpha%5c",
        "alpha%00",
        "%ff",
    ):
        assert served.client.get(f"/p/{name}/api/v2/sources").status_code in {400, 404}, name
    served.bear("eve", alpha="public")
    assert "notes" not in served.client.get("/projects").text
    (served.projects.folder / "link").unlink()


@pytest.mark.parametrize("name", ["api", "static", "p", "login", "projects"])
def test_a_folder_named_as_a_route_is_a_project(served: Served, name: str) -> None:
    shutil.copytree(served.projects.folder / "alpha", served.projects.folder / name)
    served.bear("ada", everywhere="secret")
    assert served.client.get(f"/p/{name}/api/v2/sources").json()["sources"]
    assert f'href="/p/{name}/sources"' in served.client.get(f"/p/{name}/").text
    shutil.rmtree(served.projects.folder / name)


def test_a_database_in_another_projects_folder_is_refused(served: Served) -> None:
    made = served.projects.folder / "thief"
    made.mkdir()
    own = (served.projects.folder / "alpha/foundry.yaml").read_text(encoding="utf-8")
    text = re.sub(
        r"(?m)^storage:.*$", "storage:\n  url: sqlite:///../alpha/.foundry/foundry.db", own
    )
    (made / "foundry.yaml").write_text(text, encoding="utf-8")
    served.bear("ada", everywhere="secret")
    reply = served.client.get("/p/thief/api/v2/sources")
    assert (reply.status_code, "another project's folder" in reply.text) == (503, True)
    shutil.rmtree(made)


def test_two_servers_on_one_folder_know_the_same_people(served: Served) -> None:
    served.bear("ada", alpha="secret")
    with open_home(served.projects.folder, environment={}) as home:
        site = open_site(home, "192.0.2.1", several=True)
        with TestClient(make_app(site, Projects(site)), base_url="http://127.0.0.1") as other:
            other.headers = served.client.headers
            assert other.get("/p/alpha/api/v2/sources").status_code == 200
            assert served.client.get("/p/alpha/api/v2/sources").status_code == 200


def test_the_whole_servers_metrics_name_no_project(served: Served) -> None:
    served.bear("ada", everywhere="secret")
    served.client.get("/p/alpha/api/v2/sources")
    text = served.client.get("/metrics").text
    assert 'route="/api/v2/sources"' in text
    assert "foundry_projects 2.0" in text
    assert "alpha" not in text


def test_the_list_says_that_it_searches_the_names_of_folders(served: Served) -> None:
    served.bear("ada", everywhere="secret")
    page = served.client.get("/projects", params={"q": "LPH"}).text
    assert ("folder&#39;s name" in page, 'href="/p/alpha/"' in page) == (True, True)


def test_groups_of_the_provider_give_a_role_in_all_projects(served: Served) -> None:
    give_role(served.home, "eve@example.com", "alpha", "public", most="secret")
    site = replace(served.projects.front, name="alpha")
    assert site.choose_role("eve@example.com", most="secret", given="internal") == "internal"
    assert site.choose_role("eve@example.com", most="secret") == "public"
    assert site.choose_role("bob@example.com", most="secret") is None


def test_a_project_of_a_newer_foundry_says_so(served: Served) -> None:
    made = served.projects.folder / "newer"
    shutil.copytree(served.projects.folder / "beta", made)
    connection = apsw.Connection(str(made / ".foundry" / "foundry.db"))
    connection.execute("INSERT INTO schema_version VALUES (999, 'next', '2030-01-01')")
    connection.close()
    served.bear("ada", everywhere="secret")
    reply = served.client.get("/p/newer/api/v2/sources")
    cause = reply.json()["problem"]["params"]["cause"]["code"]
    assert (reply.status_code, cause) == (503, "store-schema-newer")
    shutil.rmtree(made)
