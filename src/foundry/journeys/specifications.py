"""Specifications of a project, ``features/NAME.md``, and the approval that each one needs.

A document is written only from a specification whose exact present words somebody approved. A
file that cannot be read is a specification with the status ``broken``, never an exception.
Nothing outside the folder is read or written.
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
_SUFFIX = ".md"
_MAX_BYTES = 1_000_000
"""A specification is a page or two; a file beyond 1 MB is something else."""
_MAX_PERSON_LENGTH = 200


def list_specifications(workspace: Workspace) -> tuple[Specification, ...]:
    """Every specification of the project, by name; README.md and hidden files do not count."""
    return tuple(_read_specification(workspace, name) for name in _list_names(workspace))


def get_specification(workspace: Workspace, name: str) -> Specification:
    """The specification NAME, NAME.md or features/NAME.md. Raises ``UsageError`` if unknown."""
    return _read_specification(workspace, _resolve_name(workspace, name))


def choose_specification(workspace: Workspace, name: str | None) -> Specification:
    """The approved specification to write from: the named one, else the only one.

    Raises ``UsageError`` for an unknown name, and ``RuleError`` if the named one is not
    approved or has no sections, or if not exactly one is approved.
    """
    if name is not None:
        return _require_usable(get_specification(workspace, name))
    specs = list_specifications(workspace)
    approved = [spec for spec in specs if spec.approved]
    if len(approved) == 1:
        return _require_usable(approved[0])
    if approved:
        listed = ", ".join(spec.name for spec in approved)
        raise RuleError(
            f"--feature is required: {len(approved)} specifications are approved ({listed}).",
            where=FOLDER,
            fix=f"Name one of them, such as --feature {approved[0].name}.",
        )
    raise _build_none_approved(specs)


def check_specification(workspace: Workspace, name: str) -> tuple[SpecificationProblem, ...]:
    """The problems of a specification, including patterns that match no source."""
    spec = get_specification(workspace, name)
    return (*spec.problems, *_find_unmatched_patterns(workspace, spec))


def approve_specification(workspace: Workspace, name: str, by: str) -> Specification:
    """Record in the file that ``by`` approved its present content.

    A valid approval by the same person stays unchanged. Raises ``RuleError`` if a blocking
    problem remains.
    """
    person = require_person(by)
    spec = get_specification(workspace, name)
    blocking = [problem for problem in spec.problems if problem.blocking]
    if blocking:
        raise RuleError(
            f"{spec.name} cannot be approved: {' '.join(map(_format_problem, blocking))}",
            where=spec.path,
            fix=f"{blocking[0].fix} `foundry feature check {spec.name}` lists everything.",
        )
    if spec.approved and spec.approval and spec.approval.by == person:
        return spec
    now = datetime.now(UTC).replace(microsecond=0)
    return _write_approval(workspace, spec, Approval(person, now, spec.content_hash))


def revoke_approval(workspace: Workspace, name: str) -> Specification:
    """Make a specification a draft again; a draft stays unchanged."""
    spec = get_specification(workspace, name)
    if spec.status == "broken":
        raise _build_refusal(spec)
    if spec.status == "draft" and spec.approval is None:
        return spec
    return _write_approval(workspace, spec, None)


def create_specification(
    workspace: Workspace, name: str, title: str = "", owner: str = ""
) -> Specification:
    """Write a commented template for a new specification; never overwrites a file.

    ``title`` defaults to one made from the name. Raises ``UsageError`` for an invalid name
    and ``RuleError`` if the specification exists.
    """
    bare = unicodedata.normalize("NFC", name.removesuffix(_SUFFIX))
    problem = check_name(bare)
    if problem:
        raise UsageError(problem.message, where="NAME", fix=problem.fix)
    # On a file system that ignores case the two would be one file.
    taken = [known for known in _list_names(workspace) if known.casefold() == bare.casefold()]
    path = _get_folder(workspace) / f"{bare}{_SUFFIX}"
    if taken or os.path.lexists(path):
        raise RuleError(
            f"A specification {(taken or [bare])[0]} already exists; nothing was changed.",
            where=f"{FOLDER}/{(taken or [bare])[0]}{_SUFFIX}",
            fix="Choose another name or edit that file.",
        )
    shown = title.strip() or bare.replace("-", " ").replace("_", " ").strip().capitalize()
    write_document(path, render_template(shown, owner), overwrite=False)
    return _read_specification(workspace, bare)


def require_person(by: str) -> str:
    """A person's name on one line. Raises ``UsageError`` if it is empty or too long."""
    person = "".join(c if c.isprintable() else " " for c in by)
    person = " ".join(person.split())
    if not person or len(person) > _MAX_PERSON_LENGTH:
        raise UsageError(
            "The name of the person who decides is missing."
            if not person
            else "The name is too long.",
            where="--by",
            fix='Give a name: --by "Sanne Kuiper".',
        )
    return person


def explain_refusal(spec: Specification) -> str:
    """Why nothing may be written from a specification, as a sentence; empty if it may."""
    if spec.status == "broken":
        return f"{spec.name} cannot be read: {' '.join(_format_problem(p) for p in spec.problems)}"
    if spec.status == "changed":
        return _explain_outdated_approval(spec)
    if spec.status == "draft":
        return f"{spec.name} is a draft: nobody approved it yet."
    return "" if spec.sections else f"{spec.name} names no sections."


def _require_usable(spec: Specification) -> Specification:
    if explain_refusal(spec):
        raise _build_refusal(spec)
    return spec


def _build_refusal(spec: Specification) -> RuleError:
    fix = f"Run `foundry feature check {spec.name}` and fix what it lists"
    if spec.status != "broken" and not _is_blocked(spec):
        fix = f"Review {spec.path}, then run `foundry feature approve {spec.name}`"
    return RuleError(explain_refusal(spec), where=spec.path, fix=f"{fix}.")


def _build_none_approved(specs: Sequence[Specification]) -> RuleError:
    """The error if no specification is approved, with the next step."""
    if not specs:
        return RuleError(
            "There is no feature specification yet, so there is nothing to write from.",
            where=FOLDER,
            fix="Run `foundry feature new NAME`, fill it in, then `foundry feature approve NAME`.",
        )
    listed = ", ".join(f"{spec.name} ({spec.status})" for spec in specs)
    usable = (item for item in specs if not _is_blocked(item) and item.status != "broken")
    ready = next(usable, None)
    first = ready or specs[0]
    verb = "approve" if ready else "check"
    return RuleError(
        f"No feature specification is approved: {listed}.",
        where=FOLDER,
        fix=f"Run `foundry feature {verb} {first.name}`" + (" after a review." if ready else "."),
    )


def _explain_outdated_approval(spec: Specification) -> str:
    if spec.approval is None:
        return f"{spec.name} says approved, but has no record of an approval."
    if spec.approval.content_hash == spec.content_hash:
        problems = " ".join(_format_problem(item) for item in spec.problems if item.blocking)
        return f"{spec.name} can no longer count as approved: {problems}"
    since = describe_approval(spec.approval)
    return f"{spec.name} was changed since {since}; it is no longer approved."


def _is_blocked(spec: Specification) -> bool:
    return any(problem.blocking for problem in spec.problems)


def _format_problem(problem: SpecificationProblem) -> str:
    """A problem with its line number, if it has one."""
    return f"line {problem.line}: {problem.message}" if problem.line else problem.message


def _find_unmatched_patterns(
    workspace: Workspace, spec: Specification
) -> list[SpecificationProblem]:
    """Hints for patterns of the hierarchy that match no source; a source may still come."""
    if not spec.source_hierarchy:
        return []
    paths = [source.path for source in workspace.store.list_sources()]
    if not paths:
        fix = "Run `foundry ingest`, then check again."
        message = "No sources are ingested yet, so source_hierarchy could not be checked."
        return [SpecificationProblem(message, fix, blocking=False)]
    return [
        SpecificationProblem(
            f"No ingested source matches {pattern} of source_hierarchy.",
            _suggest_path(pattern, paths),
            blocking=False,
        )
        for pattern in find_unknown_patterns(spec.source_hierarchy, paths)
    ]


def _suggest_path(pattern: str, paths: Sequence[str]) -> str:
    near = difflib.get_close_matches(pattern, paths, n=1, cutoff=0.4)
    hint = f"The nearest path is {near[0]}; " if near else ""
    return f"{hint}`foundry sources list` shows all paths."


def _write_approval(
    workspace: Workspace, spec: Specification, approval: Approval | None
) -> Specification:
    """Write or remove the approval if the file's content is still what was read."""
    name = _resolve_name(workspace, spec.name)
    path = _get_file(workspace, name)
    data = path.read_bytes()
    now = _decode_specification(name, data)
    if now.content_hash != spec.content_hash or now.status == "broken":
        raise RuleError(
            f"{spec.name} was changed by someone else just now; nothing was written.",
            where=spec.path,
            fix="Review it again and repeat the command.",
        )
    text = replace_approval(data.decode("utf-8"), approval)
    done = _decode_specification(name, text.encode("utf-8"))
    if done.content_hash != spec.content_hash or done.approved != (approval is not None):
        raise RuleError(
            f"The status of {spec.name} cannot be written into its front matter.",
            where=spec.path,
            fix="Put status: draft on its own line in the front matter, then try again.",
        )
    write_document(path, text, overwrite=True)
    return done


def _resolve_name(workspace: Workspace, name: str) -> str:
    bare = name.removeprefix(f"{FOLDER}/").removesuffix(_SUFFIX)
    names = _list_names(workspace)
    for known in names:
        if _normalise_name(known) == _normalise_name(bare):
            return known
    near = difflib.get_close_matches(bare, names, n=3, cutoff=0.4)
    raise UsageError(
        f"There is no feature specification {bare!r}.",
        where=FOLDER,
        fix=f"Did you mean {' or '.join(near)}?"
        if near
        else f"The project has: {', '.join(names)}."
        if names
        else "Run `foundry feature new NAME` to create one.",
    )


def _list_names(workspace: Workspace) -> list[str]:
    """The names of all specifications as the file system spells them, sorted."""
    try:
        with os.scandir(_get_folder(workspace)) as entries:
            files = [entry.name for entry in entries]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise FoundryError(
            f"The folder of specifications cannot be read: {error.strerror or error}.",
            where=FOLDER,
            fix="Check that it is a folder and that you can read it.",
        ) from error
    return sorted(
        name.removesuffix(_SUFFIX)
        for name in files
        if name.endswith(_SUFFIX) and not name.startswith(".") and name.lower() != "readme.md"
    )


def _get_folder(workspace: Workspace) -> Path:
    """The folder, links resolved. Raises ``RuleError`` if it is outside the project."""
    root = workspace.root.resolve()
    folder = (root / FOLDER).resolve()
    if not folder.is_relative_to(root):
        raise RuleError(
            f"{FOLDER} is a link to a folder outside the project.",
            where=FOLDER,
            fix="Replace it with a folder and copy the specifications into it.",
        )
    return folder


def _get_file(workspace: Workspace, name: str) -> Path:
    """The file of a name that ``_list_names`` returned, links resolved."""
    return (_get_folder(workspace) / f"{name}{_SUFFIX}").resolve()


def _read_specification(workspace: Workspace, name: str) -> Specification:
    """One file of the folder, in whatever state."""
    try:
        data = _read_bytes(workspace, name)
    except Unreadable as error:
        return _build_broken(name, error)
    return _decode_specification(name, data)


def _read_bytes(workspace: Workspace, name: str) -> bytes:
    try:
        path = _get_file(workspace, name)
        if not path.is_relative_to(_get_folder(workspace)):
            fix = "Copy the file into the folder."
            raise Unreadable("It is a link to a file outside the folder.", fix)
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):
            raise Unreadable("It is not a regular file.", "Move it out of the folder.")
        if facts.st_size > _MAX_BYTES:
            message = f"It is too large: {facts.st_size / 1e6:,.1f} MB; the limit is 1 MB."
            raise Unreadable(message, "Shorten it or split it.")
        return path.read_bytes()
    except (OSError, RuntimeError) as error:
        # Path.resolve raises RuntimeError for circular links.
        message = f"It cannot be read: {getattr(error, 'strerror', None) or error}."
        raise Unreadable(message, "Check that the file exists and that you can read it.") from error


def _decode_specification(name: str, data: bytes) -> Specification:
    """Parse the bytes of a specification's file."""
    shown = _normalise_name(name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _build_broken(name, Unreadable("It is not UTF-8 text.", "Save it as UTF-8.", line))
    spec = parse_specification(shown, f"{FOLDER}/{shown}{_SUFFIX}", text)
    problem = check_name(shown)
    if problem is None:
        return spec
    return replace(spec, problems=(problem, *spec.problems))


def _build_broken(name: str, error: Unreadable) -> Specification:
    shown = _normalise_name(name)
    problem = SpecificationProblem(error.message, error.fix, error.line)
    return build_broken_specification(shown, f"{FOLDER}/{shown}{_SUFFIX}", problem)


def _normalise_name(name: str) -> str:
    """A name as people type it, safe to show and to store."""
    return unicodedata.normalize("NFC", name.encode("utf-8", "backslashreplace").decode())
