"""Changing the labels of many sources at once, and removing many.

What cannot be changed or removed is a result with its reason, and stops nothing else. Labels change in
one transaction, each source from what it is by then: of two people at once both tag, and for
confidentiality and status the later one wins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from foundry.errors import ChangedMeanwhile, FoundryError, NotFound, RuleError, UsageError
from foundry.journeys.file_list import SourceChoice, list_files
from foundry.journeys.source_files.copies import remove_path
from foundry.journeys.sources import add_attached, choose_paths, get_source
from foundry.messages import Message
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Confidentiality,
    DocumentStatus,
    FailedChange,
    Source,
    SourceOutline,
    SourcesChange,
    list_containers,
)
from foundry.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Labels:
    """What to change; None and empty tuples leave a label as it is.

    ``tags`` take the place of all. ``as_read`` takes back the status that a person said.
    """

    tags: Sequence[str] | None = None
    add_tags: Sequence[str] = ()
    remove_tags: Sequence[str] = ()
    confidentiality: Confidentiality | None = None
    status: DocumentStatus | Literal["as_read"] | None = None

    def apply(self, source: Source, least: Confidentiality = "public") -> Source:
        """The source with these labels, and not less confidential than ``least``."""
        kept = source.tags if self.tags is None else self.tags
        tags = dict.fromkeys(
            [*(tag for tag in kept if tag not in self.remove_tags), *self.add_tags]
        )
        asked = self.confidentiality or source.confidentiality
        level = max(least, asked, key=CONFIDENTIALITY_LEVELS.index)
        said = self.status
        stated = source.stated if said is None else None if said == "as_read" else said
        return replace(source.state(stated), tags=tuple(tags), confidentiality=level)


@dataclass(frozen=True, slots=True)
class ChosenSources:
    """Sources by their names, or all of ``choice``; if these are not ``expected`` many, none is meant."""

    names: Sequence[str] = ()
    choice: SourceChoice | None = None
    expected: int | None = None


def change_sources(workspace: Workspace, chosen: ChosenSources, labels: Labels) -> SourcesChange:
    """Change the labels of the chosen sources and their attachments.

    A file attached to one of them that is a copy of one elsewhere stays as confidential as that one.
    Raises ``ChangedMeanwhile`` for another number than expected, and ``RuleError`` below the highest role.
    """
    store = workspace.maintenance()
    roots, failed = _select(workspace, chosen)
    family = add_attached(roots, store.outline_sources())
    own = {one.id for one in roots}
    within = tuple(f"{path}/" for one in roots for path in _list_paths(one))

    def change(source: Source) -> Source:
        paths = (source.path, *source.copies)
        free = source.id in own or all(path.startswith(within) for path in paths)
        return labels.apply(source, "public" if free else source.confidentiality)

    changed = {*store.change_sources([one.id for one in family], change)}
    return SourcesChange(
        tuple(one.path for one in family if one.id in changed),
        tuple(one.path for one in family if one.id not in changed),
        tuple(failed),
    )


def _select(
    workspace: Workspace, chosen: ChosenSources
) -> tuple[list[SourceOutline], list[FailedChange]]:
    """The chosen sources, and the names that none has."""
    if chosen.choice is not None:
        found = list_files(workspace, chosen.choice).sources
        if chosen.expected not in (None, len(found)):
            raise ChangedMeanwhile(
                "source-selection-changed", n=len(found), expected=chosen.expected
            )
        return found, []
    outlines = workspace.store.outline_sources()
    known = {key: one for one in outlines for key in (one.id, *_list_paths(one))}
    selected, failed = dict[str, SourceOutline](), list[FailedChange]()
    for name in chosen.names:
        try:
            one = known.get(name) or known[get_source(workspace, name).id]
            selected[one.id] = one
        except (NotFound, KeyError):
            failed.append(FailedChange(name, Message("source-unknown", name=name)))
    return [*selected.values()], failed


def _list_paths(one: SourceOutline) -> tuple[str, ...]:
    return (one.path, *one.copies)


def remove_chosen(workspace: Workspace, chosen: ChosenSources, *, files: bool) -> SourcesChange:
    """Remove the chosen sources and their attachments, with ``files`` from the disk too.

    Raises ``ChangedMeanwhile`` for another number than expected, and ``RuleError`` below the highest role.
    """
    workspace.maintenance()
    roots, failed = _select(workspace, chosen)
    # A path is removed alone, while a copy of the file stays.
    named = set() if chosen.choice else {*chosen.names}
    paths = [
        path for one in roots for path in named.intersection(_list_paths(one)) or _list_paths(one)
    ]
    removed, refused = _remove(workspace, paths, files=files)
    failed += [FailedChange(path, error.problem) for path, error in refused]
    return SourcesChange(tuple(removed), (), tuple(failed))


def remove_sources(workspace: Workspace, names: Sequence[str], *, files: bool = False) -> list[str]:
    """Remove sources and their attachments as ``remove_chosen``; an id means all paths of the source.

    Returns the paths of what was in the index. Raises ``NotFound`` before anything is removed, and
    afterwards ``UsageError`` for the file of an attachment, and ``RuleError`` for a file that cannot be
    removed: such a source stays. Raises ``RuleError`` below the highest role.
    """
    workspace.maintenance()
    paths = [path for name in names for path in choose_paths(workspace, name)]
    removed, refused = _remove(workspace, paths, files=files)
    for _, error in refused:
        raise error
    return removed


def _remove(
    workspace: Workspace, paths: Sequence[str], *, files: bool
) -> tuple[list[str], list[tuple[str, FoundryError]]]:
    """Remove paths and what is attached to their files; returns those removed, and those that stay."""
    store, refused = workspace.maintenance(), list[tuple[str, FoundryError]]()
    meant, below = {*paths}, _map_below(workspace)
    chosen = list[str]()
    for path in paths:
        try:
            # The file of an attachment goes with the file that it is in.
            if files and meant.isdisjoint(list_containers(path)):
                _remove_file(workspace, path)
            chosen += [path, *below[path]]
        except FoundryError as error:
            refused.append((path, error))
    # A job would bring them back.
    store.cancel_jobs(chosen)
    return [path for path in dict.fromkeys(chosen) if remove_path(workspace, path)], refused


def _map_below(workspace: Workspace) -> Mapping[str, list[str]]:
    """Path of a file → the paths of what is attached to it."""
    below: dict[str, list[str]] = defaultdict(list)
    for one in workspace.store.outline_sources():
        for path in _list_paths(one):
            for outer in list_containers(path):
                below[outer].append(path)
    return below


def _remove_file(workspace: Workspace, name: str) -> None:
    containers = list_containers(name)
    if containers:
        raise UsageError("upload-attached", where="file", path=name, outer=containers[-1])
    path = workspace.root / name
    cause: str | Message = Message("readers-link-outside")
    # A folder on the way may lead elsewhere by now.
    if path.parent.resolve().is_relative_to(workspace.root.resolve()):
        try:
            path.unlink(missing_ok=True)
            return
        except OSError as error:
            cause = str(error.strerror)
    raise RuleError("upload-file-stays", where=name, path=name, cause=cause)
