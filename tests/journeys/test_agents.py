"""Agents: their files and what is wrong with them, profiles, and the sections they write."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from foundry.agents import list_shipped_names
from foundry.analysis import detect_language
from foundry.config import parse_config
from foundry.errors import ConfigError, NotFound, RuleError, UsageError
from foundry.journeys.agents import (
    check_agent,
    create_agent,
    get_agent,
    list_agents,
    use_agent,
)
from foundry.journeys.ask import ask
from foundry.journeys.delivery import generate_file
from foundry.journeys.drafts import verify_draft
from foundry.journeys.generate import generate, plan_draft
from foundry.records import Agent
from foundry.render.markdown import render_markdown
from foundry.workspace import Workspace, open_workspace
from tests.journeys.answers import online
from tests.journeys.draft_runs import first_lines, play
from tests.support.model_server import ModelServer

SHORT = """title: Note
persona: You write for fitters.
profile: cheap
temperature: 0.1
max_tokens: 300
sections:
  - title: Supply
    ask: [supply voltage and input fuse]
  - title: Football
    ask: [football teams of Brazil]
    needs: a sports page
"""


def put(workspace: Workspace, **texts: str) -> None:
    """Files of agents in the project."""
    folder = workspace.root / "agents"
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


def refuse(workspace: Workspace, text: str) -> ConfigError:
    """The error of an agent's file with this text."""
    put(workspace, note=text)
    with pytest.raises(ConfigError) as caught:
        get_agent(workspace, "note")
    return caught.value


@pytest.mark.parametrize("language", ["en", "nl"])
@pytest.mark.parametrize("name", list_shipped_names())
def test_every_agent_of_foundry_is_valid(workspace: Workspace, name: str, language: str) -> None:
    agent, english = get_agent(workspace, name, language), get_agent(workspace, name)
    assert agent.persona
    assert agent.description
    assert all(section.needs for section in agent.sections)
    assert [len(s.ask) for s in agent.sections] == [len(s.ask) for s in english.sections]
    assert not agent.sections or detect_language(agent.text) == language


def test_an_unknown_key_names_its_line_and_the_nearest_key(workspace: Workspace) -> None:
    error = refuse(workspace, SHORT.replace("    needs", "    nedes"))
    assert error.where == "agents/note.yaml:11"
    assert "line 11: Unknown key sections.1.nedes" in error.message
    assert "sections.1.needs" in error.message


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("profile: premum", "must be 'cheap', 'balanced' or 'premium'"),
        ("temperature: 9", "at most 2"),
        ("output: answer", "has no sections"),
        ("sections: []", "needs sections"),
        ("max_tokens: many", "a whole number"),
        ("- a list", "this is a list or a single value"),
        ('title: "a\\0b"', "a character that cannot be shown: U+0000"),
        ('persona: "\\u202Eb"', "a character that cannot be shown: U+202E"),
    ],
)
def test_a_wrong_value_says_what_is_allowed(workspace: Workspace, wrong: str, said: str) -> None:
    key = wrong.partition(":")[0]
    kept = [line for line in SHORT.partition("sections:")[0].splitlines() if key not in line]
    tail = "" if key in ("sections", "- a list") else "sections:" + SHORT.partition("sections:")[2]
    text = wrong if key == "- a list" else "\n".join([*kept, wrong, tail])
    assert said in refuse(workspace, text).message


def test_two_sections_of_one_title_are_refused(workspace: Workspace) -> None:
    error = refuse(workspace, SHORT.replace("title: Football", "title: SUPPLY"))
    assert "two sections have the same title: Supply and SUPPLY" in error.message


def test_an_agent_that_extends_itself_is_refused(workspace: Workspace) -> None:
    error = refuse(workspace, "extends: note\n")
    assert "note extends itself" in error.message
    assert "foundry agent list" in error.fix


def test_a_bad_name_is_said_to_be_where_it_was_given(workspace: Workspace) -> None:
    with pytest.raises(UsageError) as shown:
        get_agent(workspace, "../x")
    with pytest.raises(UsageError) as used:
        use_agent(workspace, "../x", "document", "The DX-4")
    assert (shown.value.where, used.value.where) == ("NAME", "--agent")


def test_agents_that_extend_each_other_in_a_circle_are_refused(workspace: Workspace) -> None:
    put(workspace, a="extends: b\n", b="extends: a\n")
    with pytest.raises(ConfigError, match="a, b, a"):
        get_agent(workspace, "a")


def test_a_project_changes_an_agent_of_foundry_by_extending_it(workspace: Workspace) -> None:
    put(workspace, blueprint="extends: blueprint\npersona: Short.\n")
    agent = get_agent(workspace, "blueprint")
    assert (agent.persona, agent.path) == ("Short.", "agents/blueprint.yaml")
    assert agent.sections[0].title == "Overview"


def test_an_unknown_base_names_the_nearest(workspace: Workspace) -> None:
    assert "blueprint" in refuse(workspace, "extends: bluprint\n").message


@pytest.mark.parametrize("name", ["../foundry", "/etc/passwd", "agents/../x", "", "Big Name"])
def test_a_path_is_no_name_of_an_agent(workspace: Workspace, name: str) -> None:
    with pytest.raises(UsageError, match="not a valid agent name"):
        get_agent(workspace, name)
    with pytest.raises(UsageError, match="not a valid agent name"):
        create_agent(workspace, name, "pdr", "en")


def test_an_unknown_agent_names_the_nearest(workspace: Workspace) -> None:
    with pytest.raises(NotFound) as caught:
        get_agent(workspace, "blueprnt")
    assert caught.value.fix == "Did you mean blueprint?"


def test_a_file_that_is_too_large_is_not_read(workspace: Workspace) -> None:
    error = refuse(workspace, SHORT + "# " + "x" * 100_000)
    assert "too large" in error.message


def test_a_link_out_of_the_folder_is_not_read(workspace: Workspace) -> None:
    put(workspace)
    (workspace.root / "agents" / "out.yaml").symlink_to(workspace.root / "foundry.yaml")
    with pytest.raises(ConfigError, match="outside the folder"):
        get_agent(workspace, "out")


def test_the_list_has_broken_files_and_files_that_are_none(workspace: Workspace) -> None:
    put(workspace, wrong="titel: x\n")
    (workspace.root / "agents" / "note.yml").write_text(SHORT)
    broken = {entry.name: entry.error for entry in list_agents(workspace) if entry.error}
    assert sorted(broken) == ["note.yml", "wrong"]


def test_a_copy_is_the_file_of_foundry_and_never_overwrites(workspace: Workspace) -> None:
    copy = create_agent(workspace, "mine", "pdr", "nl")
    assert copy.title == "Voorlopige ontwerpbeoordeling"
    with pytest.raises(RuleError, match="already has a file"):
        create_agent(workspace, "mine", "pdr", "en")


def test_profiles_that_lead_to_each_other_are_refused() -> None:
    text = "generation: {online: {profiles: {cheap: premium, premium: cheap}}}"
    with pytest.raises(ConfigError, match="cheap, premium, cheap"):
        parse_config(text)


def test_without_profiles_the_model_of_the_mode_writes(workspace: Workspace) -> None:
    put(workspace, note=SHORT)
    assert check_agent(workspace, "note").model == "builtin/passages"


def test_a_profile_without_a_model_is_refused_where_others_have_one(
    built: Path, server: ModelServer
) -> None:
    with (
        online(built, server, FOUNDRY_GENERATION__ONLINE__PROFILES__CHEAP="openai/small") as one,
        pytest.raises(ConfigError, match="profile premium, which has no model") as caught,
    ):
        use_agent(one, "pdr", "document", "The DX-4")
    assert "generation.online.profiles.premium" in caught.value.where


@pytest.fixture
def writing(built: Path, server: ModelServer, tmp_path: Path) -> Iterator[Workspace]:
    """The project as the agent ``note`` writes for it, with a scripted model of the cheap profile."""
    profile = {"FOUNDRY_GENERATION__ONLINE__PROFILES__CHEAP": "openai/small"}
    copy = shutil.copytree(built, tmp_path / "project")
    with online(copy, server, FOUNDRY_RETRIEVAL__HYDE="false", **profile) as opened:
        put(opened, note=SHORT, reply="title: Reply\noutput: answer\npersona: Be brief.\n")
        yield opened


def test_each_section_is_asked_of_the_model_of_the_profile_as_the_agent_says(
    writing: Workspace, server: ModelServer, tmp_path: Path
) -> None:
    play(server, section=first_lines)
    writing.cwd = tmp_path
    agent = use_agent(writing, "note", "document", "The DX-4")
    result = generate_file(agent, "The DX-4", tmp_path / "note.md", fresh=True)
    (request,) = server.chats
    body = request.body
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("small", 0.1, 300)
    assert "\n\nYou write for fitters.\n\n" in request.prompt
    assert "- supply voltage and input fuse" in request.prompt
    supply, football = result.draft.sections
    assert supply.sentences
    assert football.reason


def test_an_empty_section_says_which_source_it_needs_and_the_draft_is_verified(
    writing: Workspace, server: ModelServer, tmp_path: Path
) -> None:
    play(server, section=first_lines)
    writing.cwd = tmp_path
    agent = use_agent(writing, "note", "document", "The DX-4")
    path = generate_file(agent, "The DX-4", tmp_path / "note.md", fresh=True).path
    text = path.read_text(encoding="utf-8")
    assert "# Note: The DX-4\n" in text
    assert "*To fill this section, add: a sports page.*" in text
    assert verify_draft(writing, str(path)).passed
    path.write_text(text.replace("## Supply", "## Power"), encoding="utf-8")
    problems = [problem.message for problem in verify_draft(writing, str(path)).headings]
    assert sorted(problems) == [
        "'Power' is not a section of the agent.",
        "The section 'Supply' is missing.",
    ]


def test_an_answer_is_logged_with_its_agent_and_profile(
    writing: Workspace, server: ModelServer
) -> None:
    play(server)
    answer = ask(use_agent(writing, "reply", "answer", "x"), "What is the input fuse rated at?")
    assert answer.id
    record = writing.store.find_query(answer.id)
    assert record
    assert (record.agent, record.profile) == ("reply", None)
    assert "Be brief." in server.chats[0].prompt


@pytest.mark.parametrize(("name", "output"), [("blueprint", "answer"), ("answer", "document")])
def test_an_agent_of_the_other_kind_is_refused(
    workspace: Workspace, name: str, output: str
) -> None:
    with pytest.raises(UsageError, match="documents") as caught:
        use_agent(workspace, name, output, "The DX-4")  # type: ignore[arg-type]
    assert name in caught.value.fix


def test_an_agent_of_foundry_takes_the_language_of_the_topic(workspace: Workspace) -> None:
    agent = use_agent(workspace, "blueprint", "document", "De regelaar DX-4").agent
    assert isinstance(agent, Agent)
    assert agent.title == "Blauwdruk"


@pytest.mark.parametrize("topic", ["A cookery course", "The ZX-77 rocket"])
def test_a_topic_that_no_source_covers_gives_no_section(asked: Workspace, topic: str) -> None:
    draft = generate(use_agent(asked, "blueprint", "document", topic), topic, fresh=True)
    assert draft.verdict == "no_evidence"
    assert len(draft.sections) == 6
    for section in draft.sections:
        assert f"The sources do not cover the topic “{topic}”." in str(section.reason)
        assert not section.scope


def test_documents_that_do_not_mention_the_topic_are_not_read(asked: Workspace) -> None:
    agent = use_agent(asked, "blueprint", "document", "The refresh rate")
    plan = plan_draft(agent, "The refresh rate", fresh=True)
    hits = [hit for part in plan.sections for hit in part.gathered.result.hits]
    assert hits
    assert "sources/code.txt" not in {hit.source.path for hit in hits}
    assert any("not about “The refresh rate”" in str(note) for note in plan.notices)


def test_what_the_whole_project_is_about_is_no_line_to_search(built: Path) -> None:
    named = {"FOUNDRY_PROJECT__NAME": "The DX-4 controller"}
    with open_workspace(built, environment=named, cwd=built) as opened:
        agent = use_agent(opened, "blueprint", "document", "DX-4")
        own, apart = (plan_draft(agent, topic, fresh=True) for topic in ("DX-4", "DX-4 fuse"))
    assert "DX-4" not in own.sections[0].outline.wants
    assert "DX-4 fuse" in apart.sections[0].outline.wants
    assert own.notices == ()


def test_a_topic_of_one_word_has_the_language_of_the_sources_that_have_it(asked: Workspace) -> None:
    titles = {}
    for topic in ("behuizing", "refresh"):
        agent = use_agent(asked, "blueprint", "document", topic).agent
        titles[topic] = agent.title if agent else ""
    assert titles == {"behuizing": "Blauwdruk", "refresh": "Blueprint"}


def test_an_empty_section_says_what_was_asked(asked: Workspace) -> None:
    draft = generate(use_agent(asked, "pdr", "document", "Input fuse"), "Input fuse", fresh=True)
    empty = [section for section in draft.sections if not section.sentences]
    assert empty
    assert all(item.state != "covered" for section in empty for item in section.scope)
    text = render_markdown(draft)
    assert all(section.scope[0].text in text for section in empty)


def test_search_words_of_an_agent_are_no_gaps_of_what_a_model_wrote(
    writing: Workspace, server: ModelServer
) -> None:
    play(server, section=first_lines)
    agent = use_agent(writing, "note", "document", "The DX-4")
    draft = generate(agent, "The DX-4", fresh=True)
    supply, football = draft.sections
    assert (supply.scope, draft.completeness) == ((), None)
    assert football.scope
