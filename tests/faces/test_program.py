"""The program as a whole: its help, its start, its end."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

import foundry.cli as foundry_cli
from foundry.cli.commands import COMMANDS, LazyGroup
from foundry.cli.help import describe_expected, fill_help
from foundry.cli.program import foundry
from foundry.messages import LANGUAGES, Language, use_language
from tests.faces.conftest import PROGRAM, Run
from tests.house.test_messages import read_area


def process(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*PROGRAM, *arguments], capture_output=True, timeout=60, **options)  # type: ignore[call-overload, no-any-return]


def test_no_arguments_show_the_commands_in_groups(run: Run) -> None:
    outcome = run()
    assert outcome.status == 0
    for heading in ("Start:", "Sources:", "Questions:", "Documents:", "Maintenance:"):
        assert heading in outcome.out
    assert all(f"  {name} " in outcome.out for name in COMMANDS)


def test_help_imports_no_command_and_no_heavy_library() -> None:
    code = (
        "import sys; sys.argv = ['foundry', '--help']\n"
        "from foundry.cli import main\n"
        "try: main()\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "click" in loaded
    heavy = {"pydantic", "numpy", "rich", "yaml", "apsw", "litellm", "logging", "foundry.config"}
    assert not heavy & loaded
    assert not {entry.module for entry in COMMANDS.values()} & loaded


def list_commands() -> list[tuple[str, click.Command]]:
    """Every command of the program with its path."""
    found: list[tuple[str, click.Command]] = [("foundry", foundry)]
    for path, group in found:
        if isinstance(group, click.Group):
            ctx = click.Context(group)
            for name in group.list_commands(ctx):
                command = group.get_command(ctx, name)
                assert command is not None
                found.append((f"{path} {name}", command))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_and_option_has_its_help_in_every_language(language: Language) -> None:
    with use_language(language):
        for path, command in list_commands():
            fill_help(command, click.Context(command, info_name=path))
            assert command.help
            assert not command.help.startswith("help-")
            options = [item for item in command.params if isinstance(item, click.Option)]
            assert [item.name for item in options if not item.help] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_help_belongs_to_a_command_or_option(language: Language) -> None:
    known = {"foundry": {""}, "option": set(), "heading": set(), "default": set()}
    for path, command in list_commands():
        names = {o.lstrip("-") for item in command.params for o in item.opts}
        known["-".join(path.split()[1:]) or "foundry"] = names
    shared = set().union(*known.values()) | {"help"}
    for code, parts in read_area(language, "help.ftl").items():
        names = known[code.removeprefix("help-")] | {"", "short", "epilog"}
        extra = {"help-option": shared, "help-heading": set(parts)}.get(code, set())
        assert set(parts) <= names | extra, code


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_the_common_options(name: str) -> None:
    command = foundry.get_command(click.Context(foundry), name)
    assert command is not None
    every = [command]
    if isinstance(command, click.Group):
        every += [
            command.get_command(click.Context(command), sub)
            for sub in command.list_commands(click.Context(command))
        ]  # type: ignore[misc]
    for one in every:
        options = {text for parameter in one.params for text in parameter.opts}
        assert {"--project", "--json", "-q", "-v"} <= options


def test_completion_offers_commands_without_importing_them() -> None:
    command = foundry
    assert isinstance(command, LazyGroup)
    offered = command.shell_complete(click.Context(command), "in")
    assert [item.value for item in offered] == ["init", "ingest", "index"]


def test_version_is_a_json_document(run: Run) -> None:
    assert run("version", "--json").json["foundry"]


def test_common_options_may_come_before_the_command(run: Run) -> None:
    assert run("--json", "version").json == run("version", "--json").json


def test_unknown_command_names_the_nearest(run: Run) -> None:
    outcome = run("serch", "x")
    assert outcome.status == 2
    assert "Did you mean 'search'?" in outcome.err
    assert outcome.out == ""


@pytest.mark.parametrize(
    "words",
    [("nonsense",), ("version", "--nonsense"), (), ("sources", "shwo"), ("init", "a", "b")],
)
def test_wrong_usage_with_json_is_an_error_document(run: Run, words: tuple[str, ...]) -> None:
    outcome = run("--json", *words)
    assert outcome.status == 2
    assert outcome.json["error"]["code"] == "usage"
    assert set(outcome.json["error"]) == {"code", "message", "where", "fix"}
    assert outcome.json["error"]["fix"]


@pytest.mark.parametrize(
    ("group", "default"),
    [("sources", "list"), ("log", "list"), ("feature", "list"), ("draft", "list"),
     ("eval", "list"), ("index", "status")],
)  # fmt: skip
def test_a_group_without_a_command_lists(run: Run, project: Path, group: str, default: str) -> None:
    assert run(group).out == run(group, default).out
    assert (
        run(group, "--json").json == run("--json", group).json == run(group, default, "--json").json
    )


def test_a_group_passes_options_on_to_its_list(run: Run, project: Path) -> None:
    assert run("log", "--limit", "5", "--json").json == {"queries": []}


def test_a_mistyped_subcommand_names_the_nearest(run: Run, project: Path) -> None:
    outcome = run("sources", "shwo", "x")
    assert outcome.status == 2
    assert "Unknown command 'shwo'. Did you mean 'show'?" in outcome.err


@pytest.mark.parametrize(
    ("words", "problem", "fix"),
    [
        ("log list --limit 0", "Ongeldige waarde voor --limit: '0'.", "van 1 tot en met 1000000."),
        ("log list --since x", "Ongeldige waarde voor --since: 'x'.", "een datum, zoals 2026"),
        (
            "log stats --by year",
            "Ongeldige waarde voor --by: 'year'.",
            "een van: day, week, month.",
        ),
        ("eval run --tag a --jobs 0", "Ongeldige waarde voor --jobs: '0'.", "van 1 tot en met 64."),
        ("log list --limit", "Bij --limit ontbreekt de waarde.", "foundry log list --help"),
        ("log list --json=1", "Bij --json hoort geen waarde.", "foundry log list --help"),
        ("version a b", "meer dan de opdracht aanneemt: a b", "foundry version --help"),
        ("log lst", "Onbekende opdracht 'lst'. Bedoelde u 'list'?", "foundry log --help"),
        ("log show", "ID ontbreekt.", "foundry log show --help"),
    ],
)
def test_wrong_usage_is_explained_in_the_language(
    run: Run, words: str, problem: str, fix: str
) -> None:
    outcome = run("--language", "nl", *words.split())
    assert outcome.status == 2
    assert problem in outcome.err
    assert fix in outcome.err


def test_the_program_can_say_what_every_option_takes() -> None:
    free = (click.types.StringParamType, click.Path, click.types.BoolParamType)
    params = [param for _, command in list_commands() for param in command.params]
    counts = [param for param in params if getattr(param, "count", False)]
    limited = [one for one in params if one not in counts and not isinstance(one.type, free)]
    assert [one.name for one in limited if not describe_expected(one.type)] == []


def test_json_after_a_double_dash_is_not_an_option(run: Run) -> None:
    outcome = run("nonsense", "--", "--json")
    assert outcome.out == ""
    assert "Error:" in outcome.err


def test_a_closed_pipe_is_silent() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*PROGRAM, "version"], stdout=writer, stderr=subprocess.PIPE, timeout=60)
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 0


def test_interruption_is_one_short_line_and_130() -> None:
    code = (
        "import signal, time, foundry.cli.start as version\n"
        "from foundry.cli.program import foundry\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "version.show = lambda text: (print('ready', flush=True), time.sleep(60))\n"
        "foundry.main(['version'])"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=30)
    assert child.returncode == 130
    assert err.split() == [b"Interrupted."]


def test_an_interruption_while_loading_is_quiet_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(module: str, name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("foundry.cli.entry.load", interrupted)
    # A thread that another test left behind would end this process at once.
    monkeypatch.setattr("foundry.cli.entry._exit_past_threads", lambda _status: None)
    with pytest.raises(SystemExit) as end:
        foundry_cli.main()
    assert end.value.code == 130
    assert capsys.readouterr().err.split() == ["Interrupted."]


@pytest.mark.parametrize(("words", "status"), [(["version"], 0), (["nothing"], 2)])
def test_the_end_of_the_program_is_told_to_what_waits_for_it(words: list[str], status: int) -> None:
    code = (
        "import atexit, sys\n"
        "from foundry.cli import run_program\n"
        "atexit.register(print, 'told')\n"
        f"sys.argv = ['foundry', *{words!r}]\n"
        "run_program()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (status, "told")


def test_a_terminal_without_utf8_gets_question_marks(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    name = "projet à Zürich"
    done = process("init", name, cwd=tmp_path, env=environment)
    assert done.returncode == 0
    assert b"projet ? Z?rich" in done.stdout
    assert (tmp_path / name / "foundry.yaml").exists()


def test_json_stays_exact_without_utf8(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = process("init", "Zürich", "--json", cwd=tmp_path, env=environment)
    assert json.loads(done.stdout)["project"].endswith("Zürich")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [("version",), ("version", "--json")])
def test_a_full_disk_under_the_output_is_an_error_and_no_traceback(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*PROGRAM, *words], stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1
    assert done.stderr.startswith(b"Error: The disk is full.")
    assert b"Traceback" not in done.stderr


def test_closed_streams_do_no_harm(tmp_path: Path) -> None:
    command = shlex.join([*PROGRAM, "init", "made"])
    done = subprocess.run(["sh", "-c", f"{command} <&- >&- 2>&-"], cwd=tmp_path, timeout=60)
    assert done.returncode == 0
    assert (tmp_path / "made" / "foundry.yaml").exists()
