"""Feature specifications of a project: ``features/NAME.md``, and the gate that they pass.

A document is written only from a specification that somebody approved in exactly its present
words. A file that cannot be read is a specification with status ``broken`` and the
reason, never an exception; nothing outside the folder is read or written.
"""

from __future__ import annotations

import difflib
import os
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime

from foundry.craft.conflicts import unknown_patterns
from foundry.craft.features import name_problem, template, with_approval
from foundry.errors import RuleError, UsageError
from foundry.features.files import (
    FOLDER,
    SUFFIX,
    features_folder,
    file_of,
    list_names,
    parse,
    read_file,
    shown_name,
)
from foundry.features.refusals import none_approved, not_usable, refusal, told
from foundry.records import Approval, Feature, SpecProblem
from foundry.render.files import write_document
from foundry.workspace import Workspace

__all__ = [
    "FOLDER",
    "approve_feature",
    "check_feature",
    "choose_feature",
    "get_feature",
    "list_features",
    "new_feature",
    "refusal",
    "require_person",
    "revoke_feature",
]

_LONGEST_PERSON = 200


def list_features(workspace: Workspace) -> tuple[Feature, ...]:
    """Every specification of the project by name; README.md and hidden files are none."""
    return tuple(read_file(workspace, name) for name in list_names(workspace))


def get_feature(workspace: Workspace, name: str) -> Feature:
    """One specification; ``name`` is NAME, NAME.md or features/NAME.md. Raises ``UsageError``."""
    return read_file(workspace, _known_name(workspace, name))


def choose_feature(workspace: Workspace, name: str | None) -> Feature:
    """The approved specification to write from: the one named, or the only one there is.

    Raises ``UsageError`` for a name that does not exist, and ``RuleError`` where the
    named one is not approved or names no section, or where not exactly one is approved.
    """
    if name is not None:
        return _require_usable(get_feature(workspace, name))
    features = list_features(workspace)
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
    raise none_approved(features)


def check_feature(workspace: Workspace, name: str) -> tuple[SpecProblem, ...]:
    """What is missing or wrong in a specification, its patterns held against the sources too."""
    feature = get_feature(workspace, name)
    return (*feature.problems, *_idle_patterns(workspace, feature))


def approve_feature(workspace: Workspace, name: str, by: str) -> Feature:
    """Record in the file that ``by`` approved its present content.

    An approval by the same person that still holds stays as it is. Raises ``RuleError``
    where a blocking problem stands in the way.
    """
    person = require_person(by)
    feature = get_feature(workspace, name)
    blocking = [problem for problem in feature.problems if problem.blocking]
    if blocking:
        raise RuleError(
            f"{feature.name} cannot be approved: {' '.join(told(one) for one in blocking)}",
            where=feature.path,
            fix=f"{blocking[0].fix} `foundry feature check {feature.name}` lists everything.",
        )
    if feature.approved and feature.approval and feature.approval.by == person:
        return feature
    now = datetime.now(UTC).replace(microsecond=0)
    return _stamp(workspace, feature, Approval(person, now, feature.content_hash))


def revoke_feature(workspace: Workspace, name: str) -> Feature:
    """Make a specification a draft again; one that is no more than a draft stays as it is."""
    feature = get_feature(workspace, name)
    if feature.status == "broken":
        raise not_usable(feature)
    if feature.status == "draft" and feature.approval is None:
        return feature
    return _stamp(workspace, feature, None)


def new_feature(workspace: Workspace, name: str, title: str = "", owner: str = "") -> Feature:
    """Write a commented template for a new specification; nothing is ever overwritten.

    ``title`` is made from the name where none is given. Raises ``UsageError`` for what
    is no name, and ``RuleError`` where a specification of that name exists.
    """
    bare = unicodedata.normalize("NFC", name.removesuffix(SUFFIX))
    problem = name_problem(bare)
    if problem:
        raise UsageError(problem.message, where="NAME", fix=problem.fix)
    # Where upper and lower case are one, the two would be one file.
    taken = [known for known in list_names(workspace) if known.casefold() == bare.casefold()]
    path = features_folder(workspace) / f"{bare}{SUFFIX}"
    if taken or os.path.lexists(path):
        raise RuleError(
            f"There is a specification {(taken or [bare])[0]} already; nothing was changed.",
            where=f"{FOLDER}/{(taken or [bare])[0]}{SUFFIX}",
            fix="Choose another name, or edit that file.",
        )
    shown = title.strip() or bare.replace("-", " ").replace("_", " ").strip().capitalize()
    write_document(path, template(shown, owner), overwrite=False)
    return read_file(workspace, bare)


def require_person(by: str) -> str:
    """A person's name on one line; raises ``UsageError`` for an empty or overlong one."""
    person = "".join(c if c.isprintable() else " " for c in by)
    person = " ".join(person.split())
    if not person or len(person) > _LONGEST_PERSON:
        raise UsageError(
            "It must be recorded who decides this." if not person else "That name is too long.",
            where="--by",
            fix='Give a name: --by "Sanne Kuiper".',
        )
    return person


def _require_usable(feature: Feature) -> Feature:
    if refusal(feature):
        raise not_usable(feature)
    return feature


def _idle_patterns(workspace: Workspace, feature: Feature) -> list[SpecProblem]:
    """Patterns of the hierarchy that no ingested source fits: a hint, sources may come later."""
    if not feature.source_hierarchy:
        return []
    paths = [source.path for source in workspace.store.list_sources()]
    if not paths:
        fix = "Run `foundry ingest`, then check again."
        message = "No sources are ingested yet, so source_hierarchy was not held against them."
        return [SpecProblem(message, fix, blocking=False)]
    return [
        SpecProblem(
            f"No ingested source fits {pattern} of source_hierarchy.",
            _near_path(pattern, paths),
            blocking=False,
        )
        for pattern in unknown_patterns(feature.source_hierarchy, paths)
    ]


def _near_path(pattern: str, paths: Sequence[str]) -> str:
    near = difflib.get_close_matches(pattern, paths, n=1, cutoff=0.4)
    hint = f"The nearest path is {near[0]}; " if near else ""
    return f"{hint}`foundry sources list` shows every path."


def _stamp(workspace: Workspace, feature: Feature, approval: Approval | None) -> Feature:
    """Write an approval into the file, or take it out, if its content is still what was read."""
    name = _known_name(workspace, feature.name)
    path = file_of(workspace, name)
    data = path.read_bytes()
    now = parse(name, data)
    if now.content_hash != feature.content_hash or now.status == "broken":
        raise RuleError(
            f"{feature.name} was changed by someone else just now; nothing was done.",
            where=feature.path,
            fix="Review it again and repeat the command.",
        )
    text = with_approval(data.decode("utf-8"), approval)
    done = parse(name, text.encode("utf-8"))
    if done.content_hash != feature.content_hash or done.approved != (approval is not None):
        raise RuleError(
            f"The status of {feature.name} cannot be written so that it holds; nothing was done.",
            where=feature.path,
            fix="Write status: draft on a line of its own in the front matter, then try again.",
        )
    write_document(path, text, overwrite=True)
    return done


def _known_name(workspace: Workspace, name: str) -> str:
    bare = name.removeprefix(f"{FOLDER}/").removesuffix(SUFFIX)
    names = list_names(workspace)
    for known in names:
        if shown_name(known) == shown_name(bare):
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
