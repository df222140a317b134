"""The files of the folder ``features/``, read one by one.

Nothing outside the folder is opened, links resolved. A file that cannot be read comes back as
a broken specification with the reason.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from dataclasses import replace
from pathlib import Path

from foundry.craft.features import Unreadable, broken_feature, name_problem, read_feature
from foundry.errors import FoundryError, RuleError
from foundry.records import Feature, SpecProblem
from foundry.workspace import Workspace

FOLDER = "features"
SUFFIX = ".md"
_LARGEST = 1_000_000
"""Bytes."""


def list_names(workspace: Workspace) -> list[str]:
    """The names of all specifications as the file system has them, sorted."""
    try:
        with os.scandir(features_folder(workspace)) as entries:
            files = [entry.name for entry in entries]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise FoundryError(
            f"The folder of specifications cannot be read: {error.strerror or error}.",
            where=FOLDER,
            fix="Check that it is a folder and that you may read it.",
        ) from error
    return sorted(
        name.removesuffix(SUFFIX)
        for name in files
        if name.endswith(SUFFIX) and not name.startswith(".") and name.lower() != "readme.md"
    )


def features_folder(workspace: Workspace) -> Path:
    """The folder, links resolved; raises ``RuleError`` where it lies outside the project."""
    root = workspace.root.resolve()
    folder = (root / FOLDER).resolve()
    if not folder.is_relative_to(root):
        raise RuleError(
            f"{FOLDER} is a link that leads outside the project.",
            where=FOLDER,
            fix="Make it a folder of the project and copy the specifications into it.",
        )
    return folder


def file_of(workspace: Workspace, name: str) -> Path:
    """The file of a name as the file system has it, links resolved."""
    return (features_folder(workspace) / f"{name}{SUFFIX}").resolve()


def read_file(workspace: Workspace, name: str) -> Feature:
    """One file of the folder, whatever state it is in."""
    try:
        data = _bytes(workspace, name)
    except Unreadable as error:
        return _broken(name, error)
    return parse(name, data)


def parse(name: str, data: bytes) -> Feature:
    """The specification in the bytes of a file."""
    shown = shown_name(name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _broken(name, Unreadable("It is not UTF-8 text.", "Save it as UTF-8.", line))
    feature = read_feature(shown, f"{FOLDER}/{shown}{SUFFIX}", text)
    problem = name_problem(shown)
    if problem is None:
        return feature
    return replace(feature, problems=(problem, *feature.problems))


def _bytes(workspace: Workspace, name: str) -> bytes:
    try:
        path = file_of(workspace, name)
        if not path.is_relative_to(features_folder(workspace)):
            fix = "Copy the file into the folder."
            raise Unreadable("It is a link that leads out of the folder.", fix)
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):
            raise Unreadable("It is no file.", "Move it out of the folder.")
        if facts.st_size > _LARGEST:
            message = f"It is too large: {facts.st_size / 1e6:,.1f} MB, and 1 MB is allowed."
            raise Unreadable(message, "Shorten it, or split it into several.")
        return path.read_bytes()
    except (OSError, RuntimeError) as error:
        # Path.resolve raises RuntimeError for links that lead in a circle.
        message = f"It cannot be read: {getattr(error, 'strerror', None) or error}."
        raise Unreadable(message, "Check that the file is there and may be read.") from error


def _broken(name: str, error: Unreadable) -> Feature:
    shown = shown_name(name)
    problem = SpecProblem(error.message, error.fix, error.line)
    return broken_feature(shown, f"{FOLDER}/{shown}{SUFFIX}", problem)


def shown_name(name: str) -> str:
    """A name that can be shown and stored, composed as people type it."""
    return unicodedata.normalize("NFC", name.encode("utf-8", "backslashreplace").decode())
