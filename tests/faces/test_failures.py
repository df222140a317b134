"""From an exception to the words and the status that the user gets."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import click
import pytest

from foundry.cli.call import Call
from foundry.cli.failures import describe_error, report_error
from foundry.errors import FoundryError, KeyMissing, RuleError


def test_an_error_of_foundry_keeps_its_code_and_status() -> None:
    failure = describe_error(RuleError("verbatim", text="No.", where="here", fix="Ask."))
    assert (failure.code, failure.status) == ("refused", 2)
    error = {"code": "refused", "message": "No.", "where": "here", "fix": "Ask."}
    assert failure.to_json().model_dump()["error"] == error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()])
def test_an_interruption_is_130(error: BaseException) -> None:
    assert describe_error(error).status == 130


def test_a_full_disk_is_named_as_such() -> None:
    failure = describe_error(OSError(errno.ENOSPC, "No space left on device", "/data/x"))
    assert (failure.code, failure.where, failure.status) == ("disk_full", "/data/x", 1)


def test_a_missing_package_is_named_with_its_install_command() -> None:
    failure = describe_error(ModuleNotFoundError("No module named 'ranx'", name="ranx"))
    assert "pip install ranx" in failure.fix


def test_an_unexpected_error_names_its_place() -> None:
    try:
        raise KeyError("x")
    except KeyError as error:
        failure = describe_error(error)
    assert failure.code == "unexpected"
    assert "test_failures.py" in failure.where
    assert "-vv" in failure.fix


def test_text_says_what_where_and_what_next(capsys: pytest.CaptureFixture[str]) -> None:
    status = report_error(
        KeyMissing("verbatim", text="No key.", where="openai", fix="Set OPENAI_API_KEY."), Call()
    )
    shown = capsys.readouterr().err
    assert status == 1
    assert shown == "Error: No key.\n  Where: openai\n  Next:  Set OPENAI_API_KEY.\n"


@pytest.mark.parametrize(("verbosity", "shown"), [(0, False), (1, False), (2, True)])
def test_a_traceback_is_shown_with_vv_only(
    capsys: pytest.CaptureFixture[str], verbosity: int, shown: bool
) -> None:
    try:
        raise FoundryError("Broken.")
    except FoundryError as error:
        report_error(error, Call(verbosity=verbosity))
    assert ("Traceback" in capsys.readouterr().err) is shown


def test_a_traceback_shows_no_key(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZURE_API_KEY", "tulip/field+12")
    said = "Bad header tulip/field+12 tulip%2Ffield%2B12 Bearer abcdef sk-proj-123456 http://me:pw@host"
    try:
        try:
            raise ValueError(said)
        except ValueError as inner:
            raise FoundryError("Broken.") from inner
    except FoundryError as error:
        report_error(error, Call(verbosity=2))
    shown = capsys.readouterr().err
    assert "ValueError: Bad header [key] [key] [key] [key] http://[key]@host" in shown


def test_an_unexpected_error_shows_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "tulipfield12")
    assert "tulip" not in describe_error(KeyError("tulipfield12")).message


def test_a_file_name_never_starts_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    report_error(FoundryError("Broken.", where="a\nError: b\x9b.md"), Call())
    assert capsys.readouterr().err == "Error: Broken.\n  Where: a\\nError: b\\x9b.md\n"


_STOPPED = """
import os, signal, sys, tempfile
from foundry.cli import entry

class Program:
    def main(self, arguments):
        with tempfile.TemporaryDirectory(dir=sys.argv[1]):
            os.kill(os.getpid(), getattr(signal, sys.argv[2]))
            signal.pause()

# Under nohup a program starts with hang-ups ignored.
signal.signal(getattr(signal, sys.argv[2]), signal.SIG_DFL)
entry.load = lambda *_: Program()
entry.main()
"""


@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_ends_the_program_without_leaving_files(
    tmp_path: Path, name: str, status: int
) -> None:
    run = [sys.executable, "-c", _STOPPED, str(tmp_path), name]
    ended = subprocess.run(run, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stderr) == (status, "\nInterrupted.\n")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_package_of_an_extra_names_the_extra_and_its_command() -> None:
    failure = describe_error(ModuleNotFoundError("No module named 'uvicorn'", name="uvicorn"))
    assert failure.code == "missing_package"
    assert "web" in failure.message
    assert "[web]" in failure.fix
