"""Reads Word and PowerPoint files from before 2007 (DOC, PPT), converted by LibreOffice.

LibreOffice is a program of the user's; without it, the error names it. It gets a profile of its
own, in which documents may run no macros and open no links. Files of another kind that have the
old extension, as RTF and HTML often do, are read as what they are. The time limit is that of the
parser process, whose programs are killed with it.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import Reader, ReadOptions
from foundry.readers.archive import build_encryption_error, build_wrong_kind_error, name_kind
from foundry.readers.office.docx import read_docx
from foundry.readers.office.pptx import read_pptx
from foundry.readers.office.rtf import read_rtf
from foundry.readers.web.html import read_html
from foundry.records import Document

_PROGRAMS = (
    *("soffice", "libreoffice"),
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    "C:/Program Files/LibreOffice/program/soffice.exe",
)
_TIME_LIMIT_S = 600
"""Only for use outside of a parser process, so that nothing hangs for ever."""
_TARGETS: dict[str, tuple[str, Reader]] = {"d": ("docx", read_docx), "p": ("pptx", read_pptx)}
"""First letter of the extension → what the file is converted to (.doc, .dot; .ppt, .pps)."""
_SETTINGS = "".join(
    f'<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="{name}" '
    f'oor:op="fuse"><value>true</value></prop></item>'
    for name in ("DisableMacrosExecution", "DisableActiveContent", "BlockUntrustedRefererLinks")
)
_PROFILE = (
    '<?xml version="1.0" encoding="UTF-8"?><oor:items '
    f'xmlns:oor="http://openoffice.org/2001/registry">{_SETTINGS}</oor:items>'
)
_ENCRYPTED_WORD = 0x0100  # fEncrypted of the FibBase, MS-DOC 2.5.2


def read_old_office(path: Path, options: ReadOptions) -> Document:
    """Read a DOC or PPT. Raises ``ReadError`` if LibreOffice is missing or cannot convert it."""
    with path.open("rb") as stream:
        kind = name_kind(stream.read(2048))
    suffix = Path(options.name).suffix.lower()
    target, reader = _TARGETS[suffix[1]]
    if kind is None or kind.code != "readers-kind-office-old":
        return _get_reader(kind, reader)(path, options)
    _refuse_encryption(path)
    with TemporaryDirectory(dir=options.temporary) as folder:
        document = reader(_convert(path, target, Path(folder)), options)
    return replace(document, type=suffix[1:])


def _get_reader(kind: Message | None, usual: Reader) -> Reader:
    readers: dict[str, Reader] = {
        "readers-kind-rtf": read_rtf,
        "readers-kind-html": read_html,
        "readers-kind-zip-document": usual,
    }
    if kind is None or kind.code not in readers:
        actual = kind or Message("readers-kind-binary")
        raise build_wrong_kind_error(actual, Message("readers-kind-office-old"))
    return readers[kind.code]


def _refuse_encryption(path: Path) -> None:
    # Imported here: only files of these old formats need it.
    import olefile

    try:
        with olefile.OleFileIO(path) as file:
            locked = file.exists("EncryptedSummary") or file.exists("EncryptedPackage")
            if file.exists("WordDocument"):
                with file.openstream("WordDocument") as stream:
                    flags = int.from_bytes(stream.read(12)[10:], "little")
                locked = locked or bool(flags & _ENCRYPTED_WORD)
    except (OSError, ValueError, IndexError) as error:
        raise ReadError("readers-damaged", cause=str(error)[:200]) from error
    if locked:
        raise build_encryption_error()


def find_libreoffice(search: str | None = None) -> str | None:
    """The program, on the path ``search`` (by default ``PATH``) or in its usual place, or None."""
    found = (shutil.which(program, path=search) for program in _PROGRAMS)
    return next(filter(None, found), None)


def _convert(path: Path, target: str, folder: Path) -> Path:
    program = find_libreoffice()
    if program is None:
        raise ReadError("readers-no-libreoffice", target=target)
    settings = folder / "profile" / "user" / "registrymodifications.xcu"
    settings.parent.mkdir(parents=True)
    settings.write_text(_PROFILE, encoding="utf-8")
    # A name without surprises: the user's one may look like an option.
    source = shutil.copyfile(path, folder / "file.old")
    command = [
        program,
        f"-env:UserInstallation={(folder / 'profile').as_uri()}",
        *("--headless", "--norestore", "--nolockcheck", "--convert-to", target),
        *("--outdir", str(folder), str(source)),
    ]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=_TIME_LIMIT_S, cwd=folder, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ReadError("readers-not-converted", target=target, cause=str(error)) from error
    converted = folder / f"file.{target}"
    if not converted.is_file():
        lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
        cause = lines[-1].rstrip(".")[:200] if lines else Message("readers-no-reason")
        raise ReadError("readers-not-converted", target=target, cause=cause)
    return converted
