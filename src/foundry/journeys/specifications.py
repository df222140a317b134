"""Specifications of a project: ``features/NAME.md``, their approval, and why one is refused.

A document is written only from a specification that somebody approved in exactly its present
words. A file that cannot be read is a specification with the status ``broken``, never an
exception. Nothing outside the folder is read or written.
"""

from __future__ import annotations

import difflib
import os
import stat
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from foundry.craft.conflicts import find_unknown_patterns
from foundry.craft.specifications import (
    Unreadable,
    build_broken_specification,
    check_name,
    describe_approval,
    parse_specification,
    render_template,
    replace_approval,
)
from foundry.errors import FoundryError, RuleError, UsageError
from foundry.records import Approval, Specification, SpecificationProblem
from foundry.render.files import write_document
from foundry.workspace import Workspace

FOLDER = "features"
SUFFIX = ".md"
_MAX_BYTES = 1_000_000
"""Bytes."""


def list_names(workspace: Workspace) -> list[str]:
    """The names of all specifications as the file system has them, sorted."""
    try:
        with os.scandir(get_folder(workspace)) as entries:
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


def get_folder(workspace: Workspace) -> Path:
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


def get_file(workspace: Workspace, name: str) -> Path:
    """The file of a name as the file system has it, links resolved."""
    return (get_folder(workspace) / f"{name}{SUFFIX}").resolve()


def read_file(workspace: Workspace, name: str) -> Specification:
    """One file of the folder, whatever state it is in."""
    try:
        data = _read_file_bytes(workspace, name)
    except Unreadable as error:
        return _build_broken(name, error)
    return decode_specification(name, data)


def decode_specification(name: str, data: bytes) -> Specification:
    """The specification in the bytes of a file."""
    shown = normalise_name(name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _build_broken(name, Unreadable("It is not UTF-8 text.", "Save it as UTF-8.", line))
    feature = parse_specification(shown, f"{FOLDER}/{shown}{SUFFIX}", text)
    problem = check_name(shown)
    if problem is None:
        return feature
    return replace(feature, problems=(problem, *feature.problems))


def _read_file_bytes(workspace: Workspace, name: str) -> bytes:
    try:
        path = get_file(workspace, name)
        if not path.is_relative_to(get_folder(workspace)):
            fix = "Copy the file into the folder."
            raise Unreadable("It is a link that leads out of the folder.", fix)
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):
            raise Unreadable("It is no file.", "Move it out of the folder.")
        if facts.st_size > _MAX_BYTES:
            message = f"It is too large: {facts.st_size / 1e6:,.1f} MB, and 1 MB is allowed."
            raise Unreadable(message, "Shorten it, or split it into several.")
        return path.read_bytes()
    except (OSError, RuntimeError) as error:
        # Path.resolve raises RuntimeError for links that lead in a circle.
        message = f"It cannot be read: {getattr(error, 'strerror', None) or error}."
        raise Unreadable(message, "Check that the file is there and may be read.") from error


def _build_broken(name: str, error: Unreadable) -> Specification:
    shown = normalise_name(name)
    problem = SpecificationProblem(error.message, error.fix, error.line)
    return build_broken_specification(shown, f"{FOLDER}/{shown}{SUFFIX}", problem)


def normalise_name(name: str) -> str:
    """A name that can be shown and stored, composed as people type it."""
    return unicodedata.normalize("NFC", name.encode("utf-8", "backslashreplace").decode())


def explain_refusal(feature: Specification) -> str:
    """Why a specification may not be written from, as a sentence; empty where it may."""
    if feature.status == "broken":
        return f"{feature.name} cannot be read: {' '.join(format_problem(p) for p in feature.problems)}"
    if feature.status == "changed":
        return _explain_outdated_approval(feature)
    if feature.status == "draft":
        return f"{feature.name} is a draft: nobody approved it yet."
    return "" if feature.sections else f"{feature.name} names no sections."


def _explain_outdated_approval(feature: Specification) -> str:
    if feature.approval is None:
        return f"{feature.name} says approved, but no approval is recorded with it."
    if feature.approval.content_hash == feature.content_hash:
        wrong = " ".join(format_problem(one) for one in feature.problems if one.blocking)
        return f"{feature.name} cannot stand as approved: {wrong}"
    since = describe_approval(feature.approval)
    return f"{feature.name} was changed since {since}; it is no longer approved."


def build_refusal(feature: Specification) -> RuleError:
    """The refusal to write from this specification."""
    fix = f"Run `foundry feature check {feature.name}` and mend what it lists"
    if feature.status != "broken" and not _is_blocked(feature):
        fix = f"Review {feature.path}, then run `foundry feature approve {feature.name}`"
    return RuleError(explain_refusal(feature), where=feature.path, fix=f"{fix}.")


def _is_blocked(feature: Specification) -> bool:
    return any(problem.blocking for problem in feature.problems)


def build_none_approved(features: Sequence[Specification]) -> RuleError:
    """The refusal where no specification is approved: which there are, and what to do first."""
    if not features:
        return RuleError(
            "There is no feature specification, so there is nothing approved to write from.",
            where=FOLDER,
            fix="Run `foundry feature new NAME`, fill it in, and `foundry feature approve NAME`.",
        )
    listed = ", ".join(f"{feature.name} ({feature.status})" for feature in features)
    ready = next((one for one in features if not _is_blocked(one) and one.status != "broken"), None)
    first = ready or features[0]
    verb = "approve" if ready else "check"
    return RuleError(
        f"No feature specification is approved: {listed}.",
        where=FOLDER,
        fix=f"Run `foundry feature {verb} {first.name}`" + (" after a review." if ready else "."),
    )


def format_problem(problem: SpecificationProblem) -> str:
    """A problem with its line."""
    return f"line {problem.line}: {problem.message}" if problem.line else problem.message


_MAX_PERSON_LENGTH = 200


def list_specifications(workspace: Workspace) -> tuple[Specification, ...]:
    """Every specification of the project by name; README.md and hidden files are none."""
    return tuple(read_file(workspace, name) for name in list_names(workspace))


def get_specification(workspace: Workspace, name: str) -> Specification:
    """One specification; ``name`` is NAME, NAME.md or features/NAME.md. Raises ``UsageError``."""
    return read_file(workspace, _resolve_name(workspace, name))


def choose_specification(workspace: Workspace, name: str | None) -> Specification:
    """The approved specification to write from: the one named, or the only one there is.

    Raises ``UsageError`` for a name that does not exist, and ``RuleError`` where the
    named one is not approved or names no section, or where not exactly one is approved.
    """
    if name is not None:
        return _require_usable(get_specification(workspace, name))
    features = list_specifications(workspace)
    approved = [feature for feature in features if feature.approved]
    if len(approved) == 1:
        return _require_usable(approved[0])
    if approved:
        listed = ", ".join(feature.name for feature in approved)
        raise RuleError(
            f"--feature is required: {len(approved)} specifications are approved ({listed}).",
            where=FOLDER,
            fix=f"Name one of them, such as --feature {approved[0].name}.",
        )
    raise build_none_approved(features)


def check_specification(workspace: Workspace, name: str) -> tuple[SpecificationProblem, ...]:
    """What is missing or wrong in a specification, its patterns held against the sources too."""
    feature = get_specification(workspace, name)
    return (*feature.problems, *_find_unmatched_patterns(workspace, feature))


def approve_specification(workspace: Workspace, name: str, by: str) -> Specification:
    """Record in the file that ``by`` approved its present content.

    An approval by the same person that still holds stays as it is. Raises ``RuleError``
    where a blocking problem stands in the way.
    """
    person = require_person(by)
    feature = get_specification(workspace, name)
    blocking = [problem for problem in feature.problems if problem.blocking]
    if blocking:
        raise RuleError(
            f"{feature.name} cannot be approved: {' '.join(format_problem(one) for one in blocking)}",
            where=feature.path,
            fix=f"{blocking[0].fix} `foundry feature check {feature.name}` lists everything.",
        )
    if feature.approved and feature.approval and feature.approval.by == person:
        return feature
    now = datetime.now(UTC).replace(microsecond=0)
    return _write_approval(workspace, feature, Approval(person, now, feature.content_hash))


def revoke_approval(workspace: Workspace, name: str) -> Specification:
    """Make a specification a draft again; one that is no more than a draft stays as it is."""
    feature = get_specification(workspace, name)
    if feature.status == "broken":
        raise build_refusal(feature)
    if feature.status == "draft" and feature.approval is None:
        return feature
    return _write_approval(workspace, feature, None)


def create_specification(
    workspace: Workspace, name: str, title: str = "", owner: str = ""
) -> Specification:
    """Write a commented template for a new specification; nothing is ever overwritten.

    ``title`` is made from the name where none is given. Raises ``UsageError`` for what
    is no name, and ``RuleError`` where a specification of that name exists.
    """
    bare = unicodedata.normalize("NFC", name.removesuffix(SUFFIX))
    problem = check_name(bare)
    if problem:
        raise UsageError(problem.message, where="NAME", fix=problem.fix)
    # Where upper and lower case are one, the two would be one file.
    taken = [known for known in list_names(workspace) if known.casefold() == bare.casefold()]
    path = get_folder(workspace) / f"{bare}{SUFFIX}"
    if taken or os.path.lexists(path):
        raise RuleError(
            f"There is a specification {(taken or [bare])[0]} already; nothing was changed.",
            where=f"{FOLDER}/{(taken or [bare])[0]}{SUFFIX}",
            fix="Choose another name, or edit that file.",
        )
    shown = title.strip() or bare.replace("-", " ").replace("_", " ").strip().capitalize()
    write_document(path, render_template(shown, owner), overwrite=False)
    return read_file(workspace, bare)


def require_person(by: str) -> str:
    """A person's name on one line; raises ``UsageError`` for an empty or overlong one."""
    person = "".join(c if c.isprintable() else " " for c in by)
    person = " ".join(person.split())
    if not person or len(person) > _MAX_PERSON_LENGTH:
        raise UsageError(
            "It must be recorded who decides this." if not person else "That name is too long.",
            where="--by",
            fix='Give a name: --by "Sanne Kuiper".',
        )
    return person


def _require_usable(feature: Specification) -> Specification:
    if explain_refusal(feature):
        raise build_refusal(feature)
    return feature


def _find_unmatched_patterns(
    workspace: Workspace, feature: Specification
) -> list[SpecificationProblem]:
    """Patterns of the hierarchy that no ingested source fits: a hint, sources may come later."""
    if not feature.source_hierarchy:
        return []
    paths = [source.path for source in workspace.store.list_sources()]
    if not paths:
        fix = "Run `foundry ingest`, then check again."
        message = "No sources are ingested yet, so source_hierarchy was not held against them."
        return [SpecificationProblem(message, fix, blocking=False)]
    return [
        SpecificationProblem(
            f"No ingested source fits {pattern} of source_hierarchy.",
            _suggest_path(pattern, paths),
            blocking=False,
        )
        for pattern in find_unknown_patterns(feature.source_hierarchy, paths)
    ]


def _suggest_path(pattern: str, paths: Sequence[str]) -> str:
    near = difflib.get_close_matches(pattern, paths, n=1, cutoff=0.4)
    hint = f"The nearest path is {near[0]}; " if near else ""
    return f"{hint}`foundry sources list` shows every path."


def _write_approval(
    workspace: Workspace, feature: Specification, approval: Approval | None
) -> Specification:
    """Write an approval into the file, or take it out, if its content is still what was read."""
    name = _resolve_name(workspace, feature.name)
    path = get_file(workspace, name)
    data = path.read_bytes()
    now = decode_specification(name, data)
    if now.content_hash != feature.content_hash or now.status == "broken":
        raise RuleError(
            f"{feature.name} was changed by someone else just now; nothing was done.",
            where=feature.path,
            fix="Review it again and repeat the command.",
        )
    text = replace_approval(data.decode("utf-8"), approval)
    done = decode_specification(name, text.encode("utf-8"))
    if done.content_hash != feature.content_hash or done.approved != (approval is not None):
        raise RuleError(
            f"The status of {feature.name} cannot be written so that it holds; nothing was done.",
            where=feature.path,
            fix="Write status: draft on a line of its own in the front matter, then try again.",
        )
    write_document(path, text, overwrite=True)
    return done


def _resolve_name(workspace: Workspace, name: str) -> str:
    bare = name.removeprefix(f"{FOLDER}/").removesuffix(SUFFIX)
    names = list_names(workspace)
    for known in names:
        if normalise_name(known) == normalise_name(bare):
            return known
    near = difflib.get_close_matches(bare, names, n=3, cutoff=0.4)
    raise UsageError(
        f"There is no feature specification {bare!r}.",
        where=FOLDER,
        fix=f"Did you mean {' or '.join(near)}?"
        if near
        else f"There are: {', '.join(names)}."
        if names
        else "Run `foundry feature new NAME` to make one.",
    )
