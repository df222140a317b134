"""Word and PowerPoint files from before 2007, with a script in the place of LibreOffice."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from pptx import Presentation

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.readers.workers import ParserPool, ReadJob
from tests.readers.office_files import options, paragraph, texts, write_docx
from tests.readers.ole_files import write_ole

SCRIPT = """#!{python}
import pathlib, shutil, sys
target = sys.argv[sys.argv.index("--convert-to") + 1]
folder = pathlib.Path(sys.argv[sys.argv.index("--outdir") + 1])
profile = folder / "profile" / "user" / "registrymodifications.xcu"
assert "DisableMacrosExecution" in profile.read_text()
{action}
"""
COPY = "shutil.copy('{result}', folder / ('file.' + target))"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return write_ole(tmp_path / "a.doc", {"WordDocument": b"\xec\xa5".ljust(5000, b"\0")})


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, action: str) -> None:
    """Put a script on the path that stands in for LibreOffice."""
    program = folder / "bin" / "soffice"
    program.parent.mkdir()
    program.write_text(SCRIPT.format(python=sys.executable, action=action))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))


def test_a_doc_is_read_as_the_word_file_it_is_converted_to(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = write_docx(tmp_path / "result.docx", paragraph("Oude tekst."))
    install(tmp_path, monkeypatch, COPY.format(result=result))
    document = read(old, options(old))
    assert (document.type, texts(document)) == ("doc", ["Oude tekst."])


def test_a_ppt_is_read_as_slides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[0]).shapes.title.text = "Doel"
    deck.save(str(tmp_path / "result.pptx"))
    install(tmp_path, monkeypatch, COPY.format(result=tmp_path / "result.pptx"))
    path = write_ole(tmp_path / "a.ppt", {"PowerPoint Document": bytes(5000)})
    document = read(path, options(path))
    assert (document.type, document.pages, texts(document)) == ("ppt", 1, ["Doel"])


def test_without_libreoffice_the_error_names_it(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ReadError, match="LibreOffice, which is not installed") as caught:
        read(old, options(old))
    assert "save it as .docx" in caught.value.fix


def test_the_reason_of_a_failed_conversion_is_named(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, "sys.exit('Error: source file could not be loaded')")
    with pytest.raises(ReadError, match="could not convert it: Error: source file"):
        read(old, options(old))


def test_a_conversion_that_hangs_is_stopped(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, "import time; time.sleep(600)")
    job = ReadJob(old, ReadOptions("a.doc", temporary=tmp_path))
    with ParserPool(1, timeout_s=2, memory_mb=2000) as pool:
        outcome = next(pool.read_all([job]))
    assert outcome.error
    assert outcome.error.problem.code == "readers-timeout"


@pytest.mark.parametrize(
    "tree",
    [
        {"WordDocument": (bytes(10) + b"\0\1").ljust(5000, b"\0")},
        {"EncryptedSummary": b"x"},
        {"EncryptedPackage": b"x"},
    ],
)
def test_an_encrypted_file_is_refused(tmp_path: Path, tree: dict[str, bytes]) -> None:
    path = write_ole(tmp_path / "a.doc", tree)
    with pytest.raises(ReadError, match="encrypted with a password"):
        read(path, options(path))


def test_other_kinds_with_the_old_extension_are_read_as_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.doc"
    path.write_bytes(b"{\\rtf1 Tekst.}")
    assert texts(read(path, options(path))) == ["Tekst."]
    shutil.copy(write_docx(tmp_path / "b.docx", paragraph("Nieuw.")), path)
    assert texts(read(path, options(path))) == ["Nieuw."]
    path.write_bytes(b"%PDF-1.7")
    with pytest.raises(ReadError, match="This is a PDF"):
        read(path, options(path))
