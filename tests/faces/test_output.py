"""What reaches the terminal."""

from __future__ import annotations

import json

import pytest
from rich.cells import cell_len

from foundry.cli.call import Call
from foundry.cli.output import say, say_notices, show, show_json, strip_controls
from foundry.cli.table import show_table
from foundry.wire.projects import RemovedSourcesJson


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("red \x1b[31malert\x1b[0m", "red [31malert[0m"),
        ("line\r\nline\ttab", "line\nline\ttab"),
        ("hidden\rover", "hiddenover"),
        ("a\u202eb\u2066c", "abc"),
        ("\x9b2Jgone", "2Jgone"),
        ("Zürich – 5 °C", "Zürich – 5 °C"),
    ],
)
def test_control_characters_never_reach_a_terminal(text: str, shown: str) -> None:
    assert strip_controls(text) == shown


def test_results_and_messages_use_different_streams(capsys: pytest.CaptureFixture[str]) -> None:
    show("result")
    say("message")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("result\n", "message\n")


LONG = "  - " + "word " * 30 + "x" * 100


def test_a_terminal_gets_long_lines_wrapped_between_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    show(LONG)
    *lines, path = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 and line.endswith("word") for line in lines)
    assert path == "    " + "x" * 100


def test_a_pipe_gets_long_lines_whole(capsys: pytest.CaptureFixture[str]) -> None:
    show(LONG)
    assert capsys.readouterr().out == f"{LONG}\n"


def test_json_keeps_control_characters_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    show_json(RemovedSourcesJson(removed=["a\x1b[31mb\r\n"]))
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert json.loads(out) == {"removed": ["a\x1b[31mb\r\n"]}


def test_json_survives_an_undecodable_file_name(capsys: pytest.CaptureFixture[str]) -> None:
    show_json(RemovedSourcesJson(removed=["\udcff.pdf"]))
    assert json.loads(capsys.readouterr().out) == {"removed": ["\udcff.pdf"]}


def test_a_table_in_a_pipe_cuts_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    long = "x" * 500
    rows = [(long, 12), ("[bold]b[/bold]", None)]
    show_table(("PATH", "CHUNKS"), rows, elastic="PATH", numbers=("CHUNKS",))
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"{long}      12"
    assert lines[2] == "[bold]b[/bold]"


@pytest.mark.parametrize(
    ("name", "first"), [("column-path", "…xxxx/name.md"), ("QUERY", "xxxxxxxxxxxx…")]
)
def test_a_table_on_a_terminal_fits_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, first: str
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "20")
    rows = [("x" * 80 + "/name.md", "公公"), ("short", "added")]
    show_table((name, "STATE"), rows, elastic=name)
    lines = capsys.readouterr().out.splitlines()
    assert all(cell_len(line) <= 20 for line in lines)
    assert lines[1].startswith(first)
    assert lines[1].endswith("公公")


def test_a_column_without_values_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    show_table(("PATH", "TAGS"), [("a", ""), ("b", None)], elastic="PATH")
    assert capsys.readouterr().out == "PATH\na\nb\n"


def test_a_table_cell_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    show_table(("QUERY",), [("two\nlines\x1b[31m",)], elastic="QUERY")
    assert capsys.readouterr().out.splitlines()[1] == "two lines[31m"


def test_json_escapes_what_a_terminal_would_obey(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["a\x9bb", "a\x7fb", "a\u202eb", "é"]
    show_json(RemovedSourcesJson(removed=names))
    out = capsys.readouterr().out
    assert all(mark in out for mark in ("\\u009b", "\\u007f", "\\u202e", "é"))
    assert json.loads(out) == {"removed": names}


def test_a_terminal_cuts_other_long_columns_before_the_table_is_too_wide(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "64")
    rows = [("key" * 6, "s" * 40, "q" * 50, "ok")]
    show_table(("KEY", "SOURCE", "QUESTION", "STATE"), rows, elastic="QUESTION")
    lines = capsys.readouterr().out.splitlines()
    assert max(map(cell_len, lines)) <= 64
    assert lines[1].startswith("key" * 6 + "  s")
    assert lines[1].endswith("q…  ok")


def test_a_table_with_many_texts_fits_a_terminal_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "64")
    rows = [("k" * 18, "s" * 40, "label" * 3, "q" * 50)]
    show_table(("KEY", "SOURCE", "LABEL", "QUESTION"), rows, elastic="QUESTION")
    lines = capsys.readouterr().out.splitlines()
    assert max(map(cell_len, lines)) <= 64


def test_a_narrow_terminal_loses_optional_columns_and_a_pipe_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for is_terminal, shown in ((True, "ID QUERY"), (False, "ID SCORE QUERY")):
        monkeypatch.setattr("sys.stdout.isatty", lambda shown=is_terminal: shown)
        rows = [("q" * 20, "0.5", "w" * 30)]
        show_table(("ID", "SCORE", "QUERY"), rows, elastic="QUERY", optional=("SCORE",))
        assert capsys.readouterr().out.split("\n")[0].split() == shown.split()


def test_a_notice_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    say_notices(Call(), ["a\nError: forged.md was left out."])
    assert capsys.readouterr().err == "Note: a\\nError: forged.md was left out.\n"
