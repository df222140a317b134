"""Specifications of a project, ``features/NAME.md``, and the approval that each one needs.

A document is written only from a specification whose exact present words somebody approved. A
file that cannot be read is a specification with the status ``broken``, never an exception.
Nothing outside the folder is read or written.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import stat
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from foundry.clock import get_now
from foundry.craft.conflicts import find_unknown_patterns
from foundry.craft.revisions import compare_lines
from foundry.craft.specifications import (
    Unreadable,
    build_broken_specification,
    check_name,
    parse_specification,
    render_template,
    replace_approval,
)
from foundry.errors import ChangedMeanwhile, FoundryError, NotFound, RuleError, UsageError
from foundry.messages import Message
from foundry.records import (
    Approval,
    KeptText,
    Specification,
    SpecificationComparison,
    SpecificationProblem,
)
from foundry.render.files import delete_document, write_document
from foundry.text.spotlight import clean_line, escape_controls
from foundry.workspace import Workspace

FOLDER = "features"
_SUFFIX = ".md"
_MAX_BYTES = 1_000_000
"""A specification is a page or two; a file beyond 1 MB is something else."""
_MAX_PERSON_LENGTH = 200
_LOCK = "approval"


def list_specifications(workspace: Workspace) -> tuple[Specification, ...]:
    """Every specification of the project, by name; README.md and hidden files do not count."""
    return tuple(_read_specification(workspace, name) for name in _list_names(workspace))


def get_specification(workspace: Workspace, name: str) -> Specification:
    """The specification NAME, NAME.md or features/NAME.md. Raises ``NotFound`` if unknown."""
    return _read_specification(workspace, _resolve_name(workspace, name))


def choose_specification(workspace: Workspace, name: str | None) -> Specification | None:
    """The approved specification to write from: the named one, else the only one.

    An agent writes without one unless it is named: None. Otherwise it is required.
    Raises ``UsageError`` for an unknown name, and ``RuleError`` if the named one is not
    approved or has no sections, or if not exactly one is approved.
    """
    if name is not None:
        return _require_usable(get_specification(workspace, name))
    if workspace.agent is not None:
        return None
    specs = list_specifications(workspace)
    approved = [spec for spec in specs if spec.approved]
    if len(approved) == 1:
        return _require_usable(approved[0])
    if approved:
        names = [spec.name for spec in approved]
        raise RuleError(
            "feature-required", where=FOLDER, number=len(names), names=names, first=names[0]
        )
    raise _build_none_approved(specs)


def check_specification(workspace: Workspace, name: str) -> tuple[SpecificationProblem, ...]:
    """The problems of a specification, including patterns that match no source."""
    spec = get_specification(workspace, name)
    return (*spec.problems, *_find_unmatched_patterns(workspace, spec))


def check_change(workspace: Workspace, name: str, change: Change) -> Specification:
    """The specification as it would be, with all its problems; nothing is written."""
    known = {_normalise_name(one): one for one in _list_names(workspace)}
    shown = _normalise_name(name)
    if shown in known:
        now = _read_specification(workspace, known[shown])
    else:
        now = _decode_specification(name, render_template(name).encode())
    text = _apply(now, change)
    spec = _decode_specification(name, text.encode("utf-8", "replace"))
    return replace(spec, problems=(*spec.problems, *_find_unmatched_patterns(workspace, spec)))


def compare_approved(workspace: Workspace, name: str) -> SpecificationComparison:
    """How a specification differs from what was approved last."""
    spec, old = get_specification(workspace, name), ""
    if spec.approval and not spec.approved:
        kept = workspace.store.find_text(spec.path, spec.approval.content_hash)
        old = kept.text if kept else ""
    elif spec.approval:
        old = spec.markdown
    lines = compare_lines(_strip_approval(old), _strip_approval(spec.markdown)) if old else ()
    return SpecificationComparison(
        spec.name, spec.content_hash, spec.approval, kept=bool(old), lines=lines
    )


def _strip_approval(text: str) -> str:
    try:
        return replace_approval(text, None)
    except Unreadable:
        return text


def approve_specification(
    workspace: Workspace, name: str, by: str, *, reviewed: str | None = None
) -> Specification:
    """Record in the file that ``by`` approved its present content.

    A valid approval by the same person stays unchanged. ``reviewed`` is the hash of what ``by``
    read, where others may work at the same time: raises ``ChangedMeanwhile`` if that is not the
    present content, or if somebody else approved it. Raises ``RuleError`` if a blocking problem
    remains.
    """
    person = require_person(by)
    with workspace.store.lock(_LOCK):
        return _approve(workspace, name, person, reviewed)


def _approve(workspace: Workspace, name: str, person: str, reviewed: str | None) -> Specification:
    spec = get_specification(workspace, name)
    if reviewed is not None:
        _require_as_reviewed(spec, person, reviewed)
    blocking = [problem for problem in spec.problems if problem.blocking]
    if blocking:
        raise RuleError(
            "feature-not-approvable",
            where=spec.path,
            name=spec.name,
            problems=[_place_problem(problem) for problem in blocking],
        )
    if spec.approved and spec.approval and spec.approval.by == person:
        return spec
    now = get_now().replace(microsecond=0)
    keep_specification(workspace, spec)
    return _write_approval(workspace, spec, Approval(person, now, spec.content_hash))


def keep_specification(workspace: Workspace, spec: Specification) -> None:
    """Keep the text of a specification to compare later ones with; every role sees it."""
    kept = KeptText(spec.path, spec.content_hash, spec.markdown, get_now(), role="public")
    workspace.store.save_text(kept)


def _require_as_reviewed(spec: Specification, person: str, reviewed: str) -> None:
    _require_content(spec, reviewed)
    if spec.approved and spec.approval and spec.approval.by != person:
        by, day = spec.approval.by, f"{spec.approval.time:%Y-%m-%d}"
        raise ChangedMeanwhile(
            "feature-approved-already", where=spec.path, name=spec.name, by=by, day=day
        )


def _require_content(spec: Specification, reviewed: str) -> None:
    """Raise unless the specification is as it was read; the error has the hash of what it is now."""
    if not reviewed:
        raise UsageError("feature-hash-missing", where="If-Match", path=spec.path)
    if spec.content_hash != reviewed:
        facts = {"name": spec.name, "hash": spec.content_hash}
        raise ChangedMeanwhile("feature-changed-meanwhile", where=spec.path, **facts)


def revoke_approval(workspace: Workspace, name: str) -> Specification:
    """Make a specification a draft again; a draft stays unchanged.

    Waits for an approval under way, so that none which began before ends after it.
    """
    with workspace.store.lock(_LOCK):
        return _revoke(workspace, name)


def _revoke(workspace: Workspace, name: str) -> Specification:
    spec = get_specification(workspace, name)
    if spec.status == "broken":
        refusal = explain_refusal(spec)
        assert refusal
        raise _build_refusal(spec, refusal)
    if spec.status == "draft" and spec.approval is None:
        return spec
    return _write_approval(workspace, spec, None)


Change = Callable[[Specification], str]
"""Makes the new text of a specification's file; raises ``Unreadable``."""


def create_specification(
    workspace: Workspace,
    name: str,
    title: str = "",
    owner: str = "",
    change: Change = lambda spec: spec.markdown,
) -> Specification:
    """Write a new specification from a commented template and ``change``; never overwrites a file.

    ``title`` defaults to one made from the name. Raises ``UsageError`` for an invalid name
    and ``RuleError`` if the specification exists.
    """
    bare = unicodedata.normalize("NFC", name.removesuffix(_SUFFIX))
    problem = check_name(bare)
    if problem is None and bare.lower() == "readme":
        problem = SpecificationProblem(Message("feature-name-invalid", name=bare))
    if problem:
        raise UsageError(problem.problem, where="NAME")
    # On a file system that ignores case the two would be one file.
    taken = [known for known in _list_names(workspace) if known.casefold() == bare.casefold()]
    path = _get_folder(workspace) / f"{bare}{_SUFFIX}"
    if taken or os.path.lexists(path):
        raise RuleError(
            "feature-exists",
            where=f"{FOLDER}/{(taken or [bare])[0]}{_SUFFIX}",
            name=(taken or [bare])[0],
        )
    shown = title.strip() or bare.replace("-", " ").replace("_", " ").strip().capitalize()
    template = _decode_specification(bare, render_template(shown, owner).encode())
    write_document(path, _strip_approval(_apply(template, change)), overwrite=False)
    return _read_specification(workspace, bare)


def change_specification(
    workspace: Workspace, name: str, change: Change, reviewed: str
) -> Specification:
    """Change the file of a specification if its hash is still ``reviewed``.

    Its approval stays in the file, but no longer counts if the content differs; one in the new text is
    ignored. Raises ``ChangedMeanwhile`` with the hash of what it is now.
    """
    with workspace.store.lock(_LOCK):
        spec = get_specification(workspace, name)
        path = _get_written(workspace, spec, reviewed)
        text = _apply(spec, change)
        approval = spec.approval if spec.status in {"approved", "changed"} else None
        with contextlib.suppress(Unreadable):
            text = replace_approval(text, approval)
        keep_specification(workspace, spec)
        write_document(path.resolve(), text, overwrite=True)
        return get_specification(workspace, name)


def delete_specification(workspace: Workspace, name: str, reviewed: str) -> Specification:
    """Delete the file of a specification; returns what it was. Raises like ``change_specification``."""
    with workspace.store.lock(_LOCK):
        spec = get_specification(workspace, name)
        path = _get_written(workspace, spec, reviewed)
        keep_specification(workspace, spec)
        delete_document(path, spec.path)
        return spec


def _get_written(workspace: Workspace, spec: Specification, reviewed: str) -> Path:
    """The path of a specification's file, links not resolved, if the file is as it was read."""
    if not spec.markdown:
        # Nothing was read: a link, a folder, no UTF-8.
        raise _build_refusal(spec, explain_refusal(spec) or Message("feature-odd-key"))
    _require_content(spec, reviewed)
    return _get_folder(workspace) / f"{_resolve_name(workspace, spec.name)}{_SUFFIX}"


def _apply(spec: Specification, change: Change) -> str:
    """The changed text. Raises ``RuleError`` if it is too large, or has no front matter to change."""
    try:
        text = change(spec)
    except Unreadable as error:
        raise _build_refusal(spec, explain_refusal(spec) or error.problem) from error
    if not text.strip():
        raise RuleError("feature-emptied", where=spec.path, name=spec.name)
    if (size := len(text.encode("utf-8", "replace"))) > _MAX_BYTES:
        raise RuleError("feature-too-large", where=spec.path, megabytes=round(size / 1e6, 1))
    return text


def require_person(by: str) -> str:
    """A person's name on one line. Raises ``UsageError`` if it is empty or too long."""
    person = clean_line(by)
    if not person or len(person) > _MAX_PERSON_LENGTH:
        code = "feature-person-long" if person else "feature-person-missing"
        raise UsageError(code, where="--by")
    return person


def explain_refusal(spec: Specification) -> Message | None:
    """Why nothing may be written from a specification; None if it may."""
    if spec.status == "broken":
        problems = [_place_problem(problem) for problem in spec.problems]
        return Message("feature-broken", name=spec.name, problems=problems)
    if spec.status == "changed":
        return _explain_outdated_approval(spec)
    if spec.status == "draft":
        return Message("feature-is-draft", name=spec.name)
    return None if spec.sections else Message("feature-no-sections-named", name=spec.name)


def _require_usable(spec: Specification) -> Specification:
    if refusal := explain_refusal(spec):
        raise _build_refusal(spec, refusal)
    return spec


def _build_refusal(spec: Specification, refusal: Message) -> RuleError:
    error = RuleError(refusal, where=spec.path)
    if spec.status != "broken" and not _is_blocked(spec):
        error.advice = (Message("feature-advice-review", path=spec.path, name=spec.name),)
    elif not error.fix:
        error.advice = (Message("feature-advice-check", name=spec.name),)
    return error


def _build_none_approved(specs: Sequence[Specification]) -> RuleError:
    """The error if no specification is approved, with the next step."""
    if not specs:
        return RuleError("feature-none", where=FOLDER)
    names = [f"{spec.name} ({spec.status})" for spec in specs]
    usable = (item for item in specs if not _is_blocked(item) and item.status != "broken")
    ready = next(usable, None)
    first = ready or specs[0]
    code = "feature-advice-approve-first" if ready else "feature-advice-check-first"
    error = RuleError("feature-none-approved", where=FOLDER, names=names)
    error.advice = (Message(code, name=first.name),)
    return error


def _explain_outdated_approval(spec: Specification) -> Message:
    approval = spec.approval
    if approval is None:
        return Message("feature-approval-unrecorded", name=spec.name)
    if approval.content_hash == spec.content_hash:
        problems = [_place_problem(item) for item in spec.problems if item.blocking]
        return Message("feature-invalidated", name=spec.name, problems=problems)
    day = f"{approval.time:%Y-%m-%d}"
    return Message("feature-outdated", name=spec.name, by=approval.by, day=day)


def _is_blocked(spec: Specification) -> bool:
    return any(problem.blocking for problem in spec.problems)


def _place_problem(problem: SpecificationProblem) -> Message:
    """A problem with its line number, if it has one."""
    if not problem.line:
        return problem.problem
    return Message("feature-on-line", line=str(problem.line), problem=problem.problem)


def _find_unmatched_patterns(
    workspace: Workspace, spec: Specification
) -> list[SpecificationProblem]:
    """Hints for patterns of the hierarchy that match no source; a source may still come."""
    if not spec.source_hierarchy:
        return []
    paths = [source.path for source in workspace.store.list_sources()]
    if not paths:
        return [SpecificationProblem(Message("feature-no-sources"), blocking=False)]
    return [
        SpecificationProblem(
            Message(
                "feature-pattern-unmatched", pattern=pattern, hint=_suggest_path(pattern, paths)
            ),
            blocking=False,
        )
        for pattern in find_unknown_patterns(spec.source_hierarchy, paths)
    ]


def _suggest_path(pattern: str, paths: Sequence[str]) -> Message | None:
    near = difflib.get_close_matches(pattern, paths, n=1, cutoff=0.4)
    return Message("feature-nearest-path", path=near[0]) if near else None


def _write_approval(
    workspace: Workspace, spec: Specification, approval: Approval | None
) -> Specification:
    """Write or remove the approval if the file's content is still what was read."""
    name = _resolve_name(workspace, spec.name)
    path = _get_file(workspace, name)
    data = path.read_bytes()
    now = _decode_specification(name, data)
    if now.content_hash != spec.content_hash or now.status == "broken":
        raise RuleError("feature-changed-meanwhile", where=spec.path, name=spec.name)
    text = replace_approval(data.decode("utf-8"), approval)
    done = _decode_specification(name, text.encode("utf-8"))
    if done.content_hash != spec.content_hash or done.approved != (approval is not None):
        raise RuleError("feature-status-unwritable", where=spec.path, name=spec.name)
    write_document(path, text, overwrite=True)
    return done


def _resolve_name(workspace: Workspace, name: str) -> str:
    bare = name.removeprefix(f"{FOLDER}/").removesuffix(_SUFFIX)
    names = _list_names(workspace)
    for known in names:
        if _normalise_name(known) == _normalise_name(bare):
            return known
    near = difflib.get_close_matches(bare, names, n=3, cutoff=0.4)
    error = NotFound("feature-unknown", where=FOLDER, name=bare)
    if near:
        error.advice = (Message("feature-advice-near", near=near),)
    elif names:
        error.advice = (Message("feature-advice-known", names=names),)
    else:
        error.advice = (Message("feature-advice-new"),)
    raise error


def _list_names(workspace: Workspace) -> list[str]:
    """The names of all specifications as the file system spells them, sorted."""
    try:
        with os.scandir(_get_folder(workspace)) as entries:
            files = [entry.name for entry in entries]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise FoundryError(
            "feature-folder-unreadable", where=FOLDER, cause=str(error.strerror or error)
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
        raise RuleError("feature-folder-outside", where=FOLDER, folder=FOLDER)
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
            raise Unreadable("feature-link-outside")
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):
            raise Unreadable("feature-not-regular")
        if facts.st_size > _MAX_BYTES:
            raise Unreadable("feature-too-large", megabytes=round(facts.st_size / 1e6, 1))
        return path.read_bytes()
    except (OSError, RuntimeError) as error:
        # Path.resolve raises RuntimeError for circular links.
        cause = str(getattr(error, "strerror", None) or error)
        raise Unreadable("feature-unreadable", cause=cause) from error


def _decode_specification(name: str, data: bytes) -> Specification:
    """Parse the bytes of a specification's file."""
    shown = _normalise_name(name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _build_broken(name, Unreadable("feature-not-utf8", line))
    spec = parse_specification(shown, f"{FOLDER}/{shown}{_SUFFIX}", text)
    problem = check_name(shown)
    if problem is None:
        return spec
    return replace(spec, problems=(problem, *spec.problems))


def _build_broken(name: str, error: Unreadable) -> Specification:
    shown = _normalise_name(name)
    problem = SpecificationProblem(error.problem, error.line)
    return build_broken_specification(shown, f"{FOLDER}/{shown}{_SUFFIX}", problem)


def _normalise_name(name: str) -> str:
    """A name as people type it, safe to show and to store."""
    shown = escape_controls(name.encode("utf-8", "backslashreplace").decode())
    return unicodedata.normalize("NFC", shown)
