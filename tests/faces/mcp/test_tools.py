"""The tools, called by the SDK's own client: in this process, over standard input, over HTTP."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import anyio
import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent, Tool

from foundry.api import Project, open_project
from foundry.journeys.access import create_token, list_events
from foundry.journeys.project import init_project
from foundry.journeys.specifications import approve_specification
from foundry.mcp.server import build_server
from foundry.mcp.tools import TOOLS
from foundry.operations.table import Scope
from foundry.records import Confidentiality
from foundry.web.app import make_app
from foundry.web.site import open_site
from foundry.workspace import Workspace, lower_role, reconfigure
from tests.faces.conftest import DATASHEET, NOTES, READ
from tests.support.local_servers import NO_SERVERS

Result = TypeVar("Result")
SUPPLY = "Which fuse protects the input?"
FEATURE = "---\ntitle: Power\nowner: Ada\nsections:\n  - Supply\n---\n\nThe supply and the fuse.\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    root = tmp_path_factory.mktemp("mcp") / "demo"
    init_project(root, mode="offline", environment=NO_SERVERS)
    (root / "sources" / "datasheet.md").write_text(DATASHEET, encoding="utf-8")
    (root / "sources" / "secret").mkdir()
    (root / "sources" / "secret" / "notes.md").write_text(NOTES, encoding="utf-8")
    (root / "features" / "power.md").write_text(FEATURE, encoding="utf-8")
    with open_project(root, environment={}) as project:
        project.ingest("sources/secret", confidentiality="secret")
        project.ingest()
        approve_specification(project.workspace, "power", "Sanne")
        yield project


@pytest.fixture
def public(project: Project) -> Workspace:
    whole = project.workspace
    return reconfigure(whole, lower_role(whole.config, "public"))


def call(workspace: Workspace, name: str, **arguments: Any) -> CallToolResult:
    """One call within this process."""
    server = build_server(lambda _: Scope(workspace))
    return talk(Client(server), lambda client: client.call_tool(name, arguments))


def detail(workspace: Workspace, name: str, **arguments: Any) -> CallToolResult:
    """One call for the whole result."""
    return call(workspace, name, detail=True, **arguments)


def read(workspace: Workspace, name: str, **arguments: Any) -> str:
    """The text of one call."""
    return read_text(call(workspace, name, **arguments))


def read_text(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def talk(client: Client, use: Callable[[Client], Awaitable[Result]]) -> Result:
    async def run() -> Result:
        async with client:
            return await use(client)

    return anyio.run(run)


def test_every_tool_says_what_it_does_and_whether_it_changes_anything(project: Project) -> None:
    server = build_server(lambda _: Scope(project.workspace))
    tools = talk(Client(server), lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == list(TOOLS)
    assert all(tool.description for tool in tools)
    hints = [tool.annotations for tool in tools if tool.annotations]
    assert [hint.read_only_hint for hint in hints] == [True] * 6 + [False]
    assert {(hint.destructive_hint, hint.open_world_hint) for hint in hints} == {(False, False)}


def list_tools(project: Project) -> list[Tool]:
    server = build_server(lambda _: Scope(project.workspace))
    return talk(Client(server), lambda client: client.list_tools()).tools


def test_the_list_of_tools_costs_a_model_less_than_4000_tokens(project: Project) -> None:
    shown = [tool.model_dump(by_alias=True, exclude_none=True) for tool in list_tools(project)]
    text = json.dumps(shown, ensure_ascii=False)
    assert project.workspace.count_tokens(text) < 4000
    assert "outputSchema" not in text


def test_every_argument_is_described_with_an_example(project: Project) -> None:
    parts = [
        part for tool in list_tools(project) for part in tool.input_schema["properties"].values()
    ]
    assert all(part["description"] and part["examples"] for part in parts)
    assert any("type=pdf" in str(part["examples"]) for part in parts)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("search", {"query": SUPPLY}, "(chk_"),
        ("ask", {"question": SUPPLY}, "Verdict: passages"),
        ("read_passage", {"source": "sources/datasheet.md"}, "sources/datasheet.md, "),
        ("list_sources", {}, "sources/secret/notes.md"),
        ("verify_text", {"text": "The input fuse is rated at 6 A slow."}, "✗ contradicted"),
        ("generate", {"topic": "Power"}, "## Supply"),
    ],
)
def test_a_result_is_a_short_text_that_is_said_once(
    project: Project, name: str, arguments: dict[str, Any], said: str
) -> None:
    short, whole = (tool(project.workspace, name, **arguments) for tool in (call, detail))
    assert said in read_text(short)
    assert short.structured_content is None
    assert len(read_text(short)) < len(read_text(whole))


def test_the_whole_result_is_sent_for_detail(project: Project) -> None:
    result = detail(project.workspace, "search", query=SUPPLY)
    assert json.loads(read_text(result).partition("\n")[2]) == result.structured_content
    assert result.structured_content["hits"][0]["chunk_id"]


def test_a_found_passage_can_be_read_by_the_id_that_is_shown(project: Project) -> None:
    found = re.search(r"\((chk_\w+)\)", read(project.workspace, "search", query=SUPPLY))
    assert found
    assert "3.15 A" in read(project.workspace, "read_passage", chunk_id=found[1])


def test_a_long_source_says_where_to_go_on(project: Project) -> None:
    place = {"source": "sources/datasheet.md", "char_end": 5}
    assert "it goes on: char_start 5" in read(project.workspace, "read_passage", **place)


def test_a_passage_is_no_answer_and_can_be_read_in_its_source(project: Project) -> None:
    answer = detail(project.workspace, "ask", question=SUPPLY).structured_content
    assert (answer["verdict"], answer["answer"]) == ("passages", "")
    chunk = answer["passages"][0]["chunk_id"]
    read = detail(project.workspace, "read_passage", chunk_id=chunk).structured_content
    assert read["text"] == READ[read["char_start"] : read["char_end"]]
    assert "3.15 A" in read["text"]


def test_the_words_of_a_source_are_marked_as_data(project: Project) -> None:
    mark, _, found = read(project.workspace, "search", query=SUPPLY).partition("\n")
    assert "data" in mark
    assert "3.15 A" in found


def test_a_source_is_read_at_a_span(project: Project) -> None:
    place = {"source": "sources/datasheet.md", "char_start": 0, "char_end": 3}
    read = detail(project.workspace, "read_passage", **place).structured_content
    assert (read["text"], read["length"]) == ("DMX", len(READ))


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ({}, "mcp-one-place"),
        ({"source": "sources/datasheet.md", "char_start": 10**6}, "passage-empty"),
        ({"chunk_id": "chk_gone"}, "passage-unknown"),
        ({"source": "sources/none.md"}, "source-unknown"),
        ({"sources": "x"}, "mcp-invalid"),
    ],
)
def test_a_wrong_place_is_an_error_with_its_code(
    project: Project, place: dict[str, Any], code: str
) -> None:
    result = detail(project.workspace, "read_passage", **place)
    assert (result.is_error, result.structured_content["problem"]["code"]) == (True, code)
    assert result.structured_content["error"]["fix"]


def test_a_text_is_verified(project: Project) -> None:
    text = "The input fuse is rated at 3.15 A slow.\n\nThe input fuse is rated at 6 A slow.\n"
    checked = detail(project.workspace, "verify_text", text=text).structured_content
    assert [item["verdict"] for item in checked["statements"]] == ["exact", "contradicted"]


def test_a_lower_role_sees_nothing_of_what_is_hidden(public: Workspace) -> None:
    listed = detail(public, "list_sources").structured_content
    assert [source["path"] for source in listed["sources"]] == ["sources/datasheet.md"]
    hidden = detail(public, "read_passage", source="sources/secret/notes.md")
    assert hidden.structured_content["problem"]["code"] == "source-unknown"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"role": "secret"}, "mcp-other-role"),
        ({"role": "x" * 100_000}, "mcp-other-role"),
        ({"project": "other"}, "mcp-other-project"),
        ({"project": ["other"]}, "mcp-other-project"),
        ({"x" * 100_000: 1}, "mcp-invalid"),
    ],
)
def test_a_call_cannot_ask_for_another_role_or_project(
    public: Workspace, asked: dict[str, Any], code: str
) -> None:
    result = detail(public, "search", query=SUPPLY, **asked)
    assert (result.is_error, result.structured_content["problem"]["code"]) == (True, code)
    assert len(str(result.structured_content)) < 1000


def test_an_error_does_not_say_where_on_the_machine_the_project_is(public: Workspace) -> None:
    result = detail(public, "read_passage", source="sources/none.md")
    assert str(public.root) not in str(result)


def test_an_error_is_a_short_text_with_its_code_and_fix(public: Workspace) -> None:
    result = call(public, "search", query=SUPPLY, project="other")
    assert (result.is_error, result.structured_content) == (True, None)
    said = read_text(result)
    assert "(mcp-other-project, project)" in said
    assert "Leave out project" in said


def test_generate_plans_unless_the_owner_says_write(project: Project, public: Workspace) -> None:
    plan = detail(project.workspace, "generate", topic="Power").structured_content["plan"]
    assert (plan["sections"][0]["title"], plan["sections"][0]["prompt"]) == ("Supply", [])
    refused = detail(public, "generate", topic="Power", write=True)
    assert refused.structured_content["problem"]["code"] == "access-role-too-low"
    assert not list(project.root.glob("drafts/*"))


def test_the_owner_writes_a_draft_and_the_audit_stream_says_so(project: Project) -> None:
    wanted = {"topic": "Power", "output": "drafts/power.md", "write": True}
    draft = detail(project.workspace, "generate", **wanted).structured_content["draft"]
    assert draft["sources"] == ["sources/datasheet.md"]
    assert "3.15 A" in (project.root / "drafts" / "power.md").read_text(encoding="utf-8")
    assert list_events(project.workspace, 1).events[0].action == "draft.write"


def test_a_draft_counts_from_the_project_wherever_the_server_was_started(
    project: Project, tmp_path: Path
) -> None:
    elsewhere = replace(project.workspace, cwd=tmp_path)
    wanted = {"topic": "Power", "write": True, "overwrite": True}
    refused = detail(elsewhere, "generate", output=str(tmp_path / "profile.md"), **wanted)
    assert refused.structured_content["problem"]["code"] == "output-outside"
    written = call(elsewhere, "generate", output="drafts/here.md", detail=True, **wanted)
    assert written.structured_content["draft"]["path"] == "drafts/here.md"
    assert (project.root / "drafts" / "here.md").is_file()


def test_an_unknown_tool_is_an_error_of_the_protocol(project: Project) -> None:
    async def use(client: Client) -> str:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("remove", {})
        return str(caught.value)

    server = build_server(lambda _: Scope(project.workspace))
    assert "Unknown tool" in talk(Client(server), use)


def test_a_process_speaks_only_the_protocol_on_standard_output(project: Project) -> None:
    program = str(Path(sys.executable).with_name("foundry"))
    arguments = ["mcp", "--role", "public", "--project", str(project.root)]
    started = stdio_client(StdioServerParameters(command=program, args=arguments))

    async def use(client: Client) -> list[Any]:
        calls = [("list_sources", {}), ("ask", {"question": SUPPLY})]
        return [read_text(await client.call_tool(*each)) for each in calls]

    listed, answer = talk(Client(started), use)
    assert "sources/datasheet.md" in listed
    assert "sources/secret" not in listed
    assert "3.15 A" in answer


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_http_the_role_is_that_of_the_token(project: Project, mode: str) -> None:
    async def use(client: Client) -> Any:
        return (await client.call_tool("list_sources", {"detail": True})).structured_content

    seen = {}
    for role in ("public", "secret"):
        listed = serve(project, role, mode, use)
        seen[role] = [source["path"] for source in listed["sources"]]
    assert seen["public"] == ["sources/datasheet.md"]
    assert seen["secret"] == ["sources/datasheet.md", "sources/secret/notes.md"]


def serve(
    project: Project,
    role: Confidentiality,
    mode: str,
    use: Callable[[Client], Awaitable[Result]],
) -> Result:
    """What a client gets at /mcp of a server that needs tokens."""
    name = f"{role} {mode}"
    token = create_token(project.workspace, name, role, timedelta(days=1))[1]
    app = make_app(open_site(project.workspace, "192.0.2.1"))

    async def run() -> Result:
        async with app.router.lifespan_context(app), reach(app, token) as http:
            transport = streamable_http_client("http://127.0.0.1/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                return await use(client)

    return anyio.run(run)


@pytest.fixture(scope="module")
def listening(project: Project) -> Iterator[str]:
    """The address of ``foundry serve`` on this machine, a process of its own."""
    words = ["serve", "--port", "0", "--json", "--project", str(project.root)]
    program = str(Path(sys.executable).with_name("foundry"))
    with subprocess.Popen([program, *words], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = iter(process.stdout.readline, "}\n")
        yield json.loads("".join([*lines, "}"]))["address"]
        process.send_signal(signal.SIGINT)


def test_a_client_reaches_the_tools_of_a_running_server(project: Project, listening: str) -> None:
    token = create_token(project.workspace, "socket", "public", timedelta(days=1))[1]

    async def use(client: Client) -> list[CallToolResult]:
        assert len((await client.list_tools()).tools) == len(TOOLS)
        calls = [
            ("ask", {"question": SUPPLY}),
            ("list_sources", {}),
            ("search", {"query": SUPPLY, "role": "secret"}),
            ("search", {"query": SUPPLY, "project": "other"}),
        ]
        return [await client.call_tool(name, {**given, "detail": True}) for name, given in calls]

    async def run() -> list[CallToolResult]:
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            transport = streamable_http_client(f"{listening}/mcp", http_client=http)
            async with Client(transport) as client:
                return await use(client)

    answer, listed, role, other = [result.structured_content for result in anyio.run(run)]
    assert "3.15 A" in str(answer["passages"])
    assert [source["path"] for source in listed["sources"]] == ["sources/datasheet.md"]
    assert role["problem"]["code"] == "mcp-other-role"
    assert other["problem"]["code"] == "mcp-other-project"


def reach(app: Any, token: str) -> httpx2.AsyncClient:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), headers=headers)


def test_over_http_a_caller_from_elsewhere_needs_a_token(project: Project) -> None:
    app = make_app(open_site(project.workspace, "192.0.2.1"))

    async def run() -> httpx2.Response:
        async with reach(app, "") as http:
            return await http.post("http://127.0.0.1/mcp", json={})

    reply = anyio.run(run)
    assert (reply.status_code, reply.headers["WWW-Authenticate"]) == (401, "Bearer")


def test_a_plan_of_an_agent_needs_no_specification(project: Project) -> None:
    result = detail(project.workspace, "generate", topic="The DX-4", agent="workflow")
    assert result.structured_content
    assert result.structured_content["plan"]["agent"] == "workflow"
