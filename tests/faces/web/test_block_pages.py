"""A source as read on its pages: blocks, grids, and corrections with a preview, without scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project, open_project
from foundry.journeys.access import create_token, parse_period
from foundry.journeys.passages.corrections import list_corrections, remove_correction
from foundry.journeys.project import init_project
from foundry.web.app import make_app
from foundry.web.site import open_site
from tests.support.local_servers import NO_SERVERS

PARTS = "Part,Mass kg\nPump,12\nCOPY,\nHose,3\n"
NOTES = "# Pump\n\nThe drain hose is l6 mm wide.\n\nOrder part 4711 or part 4712.\n"
LIST = "Part,Mass kg\n" + "".join(f"Bolt {n},{n}\n" for n in range(2, 131))
LONG = f"# Long\n\n{'many words ' * 1000}The last word.\n"
WHY = {"reason": "The print says so.", "by": "Ann"}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    root = tmp_path_factory.mktemp("read") / "demo"
    init_project(root, mode="offline", environment=NO_SERVERS)
    (root / "sources/parts.csv").write_text(PARTS)
    (root / "sources/pump.md").write_text(NOTES)
    (root / "sources/long.md").write_text(LONG)
    (root / "sources/list.csv").write_text(LIST)
    with open_project(root, environment={}) as project:
        project.ingest()
        yield project


@pytest.fixture
def project(opened: Project) -> Iterator[Project]:
    """The project, in which nothing is corrected when a test ends."""
    yield opened
    for state in list_corrections(opened.workspace):
        remove_correction(opened.workspace, state.correction.id)


@pytest.fixture
def client(project: Project) -> Iterator[TestClient]:
    """The owner on this machine."""
    app = make_app(open_site(project.workspace, "127.0.0.1"))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


def find(project: Project, name: str) -> str:
    """The address of a source as read."""
    source = project.workspace.store.find_source(f"sources/{name}")
    assert source
    return f"/sources/{source.id}/read"


def read_hidden(page: str) -> dict[str, str]:
    """The fields of the form that saves what a page previews."""
    form = page[page.index('name="act" value="save"') :]
    fields = re.findall(
        r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[: form.index("</form>")]
    )
    return {"act": "save", **dict(fields)}


def test_the_blocks_of_a_source_are_listed_with_their_kinds(
    client: TestClient, project: Project
) -> None:
    page = client.get(find(project, "pump.md")).text
    assert re.findall(r'<span class="chip">(.+?)</span>', page) == [
        "Heading 1",
        "Paragraph",
        "Paragraph",
    ]
    assert "The drain hose is l6 mm wide." in page


def test_a_table_is_a_grid_with_headers(client: TestClient, project: Project) -> None:
    page = client.get(find(project, "parts.csv")).text
    assert re.search(r'<th scope="col"[^>]*>Mass kg</th>', page)
    assert re.search(r'<th scope="row"[^>]*>Pump</th><td[^>]*>12</td>', page)


def test_the_tabs_of_a_source_are_addresses(client: TestClient, project: Project) -> None:
    address = find(project, "pump.md")
    for tab in ("", "/read", "/details"):
        page = client.get(address.removesuffix("/read") + tab).text
        (current,) = re.findall(r'href="([^"]+)" aria-current="page">(?:Orig|As|Facts)', page)
        assert current == address.removesuffix("/read") + tab


def test_an_offset_and_a_block_lead_to_the_part_that_has_them(
    client: TestClient, project: Project
) -> None:
    address = find(project, "pump.md")
    for query in ("?at=10", "?block=2"):
        assert 'id="block-2" class="chosen"' in client.get(address + query).text


def test_a_rewritten_block_is_previewed_then_saved_then_undone(
    client: TestClient, project: Project
) -> None:
    address = f"{find(project, 'pump.md')}/2"
    shown = client.post(address, data={"written": "The drain hose is 16 mm wide."}).text
    assert "“16”, read as “l6”" in shown
    assert list_corrections(project.workspace) == []
    saved = client.post(address, data=read_hidden(shown) | WHY).text
    assert re.search(r"<ins[^>]*>16</ins> mm wide", saved)
    (made,) = list_corrections(project.workspace)
    assert made.correction.author == "Ann"
    client.post(f"{address}/undo", data={"correction": made.correction.id})
    assert list_corrections(project.workspace) == []


def test_the_second_of_two_equal_words_is_corrected(client: TestClient, project: Project) -> None:
    address = f"{find(project, 'pump.md')}/3"
    shown = client.post(address, data={"written": "Order part 4711 or kit 4712."}).text
    saved = client.post(address, data=read_hidden(shown) | WHY).text
    assert re.search(r"Order part 4711 or <ins[^>]*>kit</ins> 4712\.", saved)


def test_a_long_block_is_shown_in_pieces_and_previewed_where_it_changes(
    client: TestClient, project: Project
) -> None:
    address = find(project, "long.md")
    assert "Show the rest: part 2 of 2" in client.get(address).text
    text = LONG.replace("The last", "The final")
    shown = client.post(f"{address}/2", data={"written": text.split("\n\n")[1]}).text
    assert "<ins" in shown[shown.index("<h3>Corrected</h3>") :]
    assert "final</ins> word." in shown


def test_a_preview_names_the_answers_that_cite_the_words(
    client: TestClient, project: Project
) -> None:
    project.ask("How wide is the drain hose?")
    shown = client.post(
        f"{find(project, 'pump.md')}/2", data={"written": "The drain hose is 16 mm wide."}
    ).text
    cited = shown[shown.index("Answers and drafts that cite this") :]
    assert "How wide is the drain hose?" in cited


def test_a_correction_without_a_reason_is_refused_with_what_was_typed(
    client: TestClient, project: Project
) -> None:
    address = f"{find(project, 'pump.md')}/2"
    shown = client.post(address, data={"written": "The drain hose is 16 mm wide."}).text
    refused = client.post(address, data=read_hidden(shown) | {"reason": "", "by": "Ann"})
    assert refused.status_code == 400
    assert 'name="read" value="16"' in refused.text
    assert "A correction needs a reason." in refused.text


def test_who_saves_second_is_told_who_was_first_and_may_save_again(
    client: TestClient, project: Project
) -> None:
    address = f"{find(project, 'pump.md')}/2"
    drafts = ["The drain hose is 16 mm wide.", "The drain hose is l6 cm wide."]
    first, second = (client.post(address, data={"written": text}).text for text in drafts)
    client.post(address, data=read_hidden(first) | WHY)
    told = client.post(address, data=read_hidden(second) | WHY | {"by": "Bo"})
    assert told.status_code == 409
    assert "Ann corrected this block meanwhile." in told.text
    saved = client.post(address, data=read_hidden(told.text) | WHY | {"by": "Bo"})
    assert saved.status_code == 200
    assert len(list_corrections(project.workspace)) == 2


@pytest.mark.parametrize(
    ("fields", "change"),
    [
        ({"cell": "B2", "read": "14"}, "“14”, read as “12”"),
        ({"row": "3", "drop": "true"}, "row “COPY” dropped"),
        ({"row": "2", "read": "Pump | 12\r\nLid | 2"}, "“Pump | 12 / Lid | 2”"),
        ({"header_rows": "0"}, "header rows of a table: 0, read as 1"),
        ({"header_columns": "0"}, "header columns of a table: 0, read as 1"),
        ({"row": "4", "split": "true"}, "a new table starts at row 4"),
        ({"span": "A1:B1"}, "merged cells of a table: A1:B1"),
    ],
)
def test_a_table_is_corrected_cell_by_cell_and_as_a_whole(
    client: TestClient, project: Project, fields: dict[str, str], change: str
) -> None:
    address = f"{find(project, 'parts.csv')}/1"
    shown = client.post(address, data=fields).text
    assert change in shown
    assert client.post(address, data=read_hidden(shown) | WHY).status_code == 200
    assert len(list_corrections(project.workspace)) == 1


def test_what_is_corrected_already_is_said_with_the_button_that_undoes_it(
    client: TestClient, project: Project
) -> None:
    address = f"{find(project, 'parts.csv')}/1"
    shown = client.post(address, data={"cell": "B2", "read": "14"}).text
    client.post(address, data=read_hidden(shown) | WHY)
    refused = client.post(address, data={"cell": "B2", "read": "15"}).text
    assert "Undo that one first: “Undo” beside the correction." in refused
    assert re.search(r'name="read"[^>]*value="15"', refused)


def test_the_chosen_cell_is_in_the_form_as_it_was_read(
    client: TestClient, project: Project
) -> None:
    page = client.get(f"{find(project, 'parts.csv')}/1?cell=B2").text
    assert re.search(r'name="read"[^>]*value="12"', page)


def test_the_rows_on_the_page_stay_while_a_cell_is_corrected_and_that_is_undone(
    client: TestClient, project: Project
) -> None:
    page = client.get(f"{find(project, 'list.csv')}/1?cell=B120&first=101").text
    form = re.search(r'id="correct-cell" method="post" action="([^"]+)"', page)
    assert form
    shown = client.post(form[1], data={"cell": "B120", "read": "121"}).text
    assert "101–130 of 130" in shown
    saved = client.post(form[1], data=read_hidden(shown) | WHY)
    assert saved.url.query == b"first=101"
    undone = re.search(r'action="([^"]+/undo[^"]*)"', saved.text)
    assert undone
    (made,) = list_corrections(project.workspace)
    again = client.post(undone[1], data={"correction": made.correction.id})
    assert again.url.query == b"first=101"


def test_words_become_a_heading(client: TestClient, project: Project) -> None:
    address = f"{find(project, 'pump.md')}/3"
    shown = client.post(address, data={"heading": "2"}).text
    assert "text becomes heading of level 2" in shown
    client.post(address, data=read_hidden(shown) | WHY)
    assert '<span class="chip">Heading 2</span>' in client.get(find(project, "pump.md")).text


def test_a_correction_holds_after_the_file_is_read_again(
    client: TestClient, project: Project
) -> None:
    address = f"{find(project, 'pump.md')}/2"
    shown = client.post(address, data={"written": "The drain hose is 16 mm wide."}).text
    client.post(address, data=read_hidden(shown) | WHY)
    project.workspace.maintenance().remove_source(address.split("/")[2])
    project.ingest()
    assert re.search(r"<ins[^>]*>16</ins>", client.get(address).text)


def test_a_lower_role_reads_blocks_but_gets_no_forms(project: Project) -> None:
    token = create_token(project.workspace, "eve", "public", parse_period("1d"))[1]
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    headers = {"Authorization": f"Bearer {token}", "Accept": "text/html"}
    address = f"{find(project, 'pump.md')}/2"
    with TestClient(app, base_url="http://127.0.0.1", headers=headers) as client:
        page = client.get(address)
        assert page.status_code == 200
        assert 'method="post" action="/sources' not in page.text
        assert client.post(address, data={"written": "x"}).status_code == 403


def test_the_api_previews_a_correction(client: TestClient, project: Project) -> None:
    source = find(project, "pump.md").split("/")[2]
    body = {"words": "l6 mm", "read": "16 mm", "reason": ""}
    found = client.post(f"/api/v2/sources/{source}/corrections/preview", json=body).json()
    assert (found["before"], found["after"]) == (
        ["The drain hose is l6 mm wide."],
        ["The drain hose is 16 mm wide."],
    )
    assert list_corrections(project.workspace) == []


def test_what_does_not_exist_is_not_found(client: TestClient, project: Project) -> None:
    for address in (f"{find(project, 'pump.md')}/99", "/sources/src_none/read/1"):
        assert client.get(address).status_code == 404
