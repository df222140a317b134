"""Choosing sources as a caller names them: one by its path or id, several by filters."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from operator import attrgetter
from pathlib import PurePath

from foundry.analysis import fold
from foundry.craft.conflicts.resolution import parse_revision_mark
from foundry.errors import NotFound, UsageError
from foundry.messages import Message
from foundry.records import (
    Block,
    Filters,
    Source,
    SourceOutline,
    Table,
    list_containers,
)
from foundry.workspace import Workspace

FILTER_KEYS = ("type", "tag", "source", "folder", "confidentiality", "from", "to", "revision")
ALL_REVISIONS = "all"
_MOST_SUGGESTED = 3


def get_source(workspace: Workspace, name: str) -> Source:
    """The source with this id or path, relative to the project or to ``workspace.cwd``.

    Raises ``NotFound`` when there is none that the caller may see.
    """
    for candidate in (name, _find_project_path(workspace, name)):
        source = workspace.store.find_source(candidate) if candidate else None
        if source is not None:
            return source
    error = NotFound("source-unknown", where=str(workspace.root), name=name)
    error.advice = _suggest_sources(workspace, name)
    raise error


def choose_paths(workspace: Workspace, name: str) -> tuple[str, ...]:
    """Return the path that a name refers to; for an id all paths of the source. Raises ``NotFound``."""
    source = get_source(workspace, name)
    paths = (*source.copies, source.path)
    asked = (name, _find_project_path(workspace, name))
    return tuple(path for path in paths if path in asked) or paths


def _suggest_sources(workspace: Workspace, name: str) -> tuple[Message, ...]:
    """The paths of sources that the caller sees with this file name, else with one like it."""
    paths = [source.path for source in workspace.store.outline_sources()]
    asked = fold(PurePath(name).name)
    named = {path: fold(PurePath(path).name) for path in paths}
    near = difflib.get_close_matches(asked, sorted(set(named.values())), n=1, cutoff=0.8)
    found = [path for path in paths if near and named[path] == near[0]][:_MOST_SUGGESTED]
    return (Message("source-did-you-mean", paths=found),) if found else ()


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table of a source, with the page that it begins on."""

    page: int | None
    table: Table


def list_tables(blocks: Sequence[Block]) -> list[SourceTable]:
    """The tables among a source's blocks; what continues a table is part of it."""
    tables: list[SourceTable] = []
    for block in blocks:
        if block.table is None:
            continue
        if block.table.continued and tables:
            before = tables[-1].table
            cells = before.cells + block.table.cells
            tables[-1] = replace(tables[-1], table=replace(before, cells=cells))
        else:
            tables.append(SourceTable(block.page, block.table))
    return tables


def _find_project_path(workspace: Workspace, name: str) -> str | None:
    path = (workspace.cwd / name).absolute()
    root = workspace.root.absolute()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else None


def find_parent(workspace: Workspace, source: Source) -> Source | None:
    """The source that this one is attached to, or None."""
    containers = list_containers(source.path)
    return workspace.store.find_source(containers[0]) if containers else None


def list_attached(workspace: Workspace, source: Source) -> list[Source]:
    """The sources attached to this one and to its attachments, by path."""
    if not any(list_containers(f"{path}/") for path in (source.path, *source.copies)):
        return []
    attached = list_family(workspace, [source.id])[1:]
    found = workspace.store.get_sources([one.id for one in attached]).values()
    return sorted(found, key=attrgetter("path"))


def list_family(workspace: Workspace, names: Sequence[str]) -> list[SourceOutline]:
    """The sources with these ids or paths, once each, each followed by its attachments.

    Raises ``NotFound`` for a name that no source has.
    """
    if not names:
        return []
    ids = [get_source(workspace, name).id for name in names]
    outlines = workspace.store.outline_sources()
    known = {one.id: one for one in outlines}
    return add_attached([known[one] for one in ids if one in known], outlines)


def add_attached(
    chosen: Iterable[SourceOutline], known: Iterable[SourceOutline]
) -> list[SourceOutline]:
    """The chosen sources once each, each followed by those among the known that are attached to it."""
    below = _map_attached(known)
    family = (
        item
        for one in chosen
        for item in (one, *(other for path in (one.path, *one.copies) for other in below[path]))
    )
    return list({one.id: one for one in family}.values())


def _map_attached(outlines: Iterable[SourceOutline]) -> Mapping[str, list[SourceOutline]]:
    """Path of a file → the sources that are attached to it or to its attachments."""
    below: dict[str, list[SourceOutline]] = defaultdict(list)
    for one in outlines:
        for path in (one.path, *one.copies):
            for outer in list_containers(path):
                below[outer].append(one)
    return below


def parse_filters(workspace: Workspace, texts: Sequence[str] = ()) -> Filters:
    """The filters that ``KEY=VALUE`` texts mean.

    Keys are those of ``FILTER_KEYS``; all but dates and revision may repeat, and a source brings its
    attachments. A named source is searched whichever revision it is. Raises ``UsageError``
    for an unknown key, source or revision, and for dates that are invalid, repeated or in the wrong
    order.
    """
    values: dict[str, list[str]] = {key: [] for key in FILTER_KEYS}
    for text in texts:
        key, value = _parse_filter(text)
        values[key].append(value)
    date_from, date_to = (_parse_date(values[key], key) for key in ("from", "to"))
    if date_from and date_to and date_from > date_to:
        dates = {"from": date_from, "to": date_to}
        raise UsageError("source-filter-dates-reversed", where="--filter", **dates)
    named = tuple(source.path for source in list_family(workspace, values["source"]))
    revision = _get_only(values["revision"], "revision") or (ALL_REVISIONS if named else "")
    if revision not in ("", ALL_REVISIONS):
        named = _find_revisions(workspace, revision, named)
    return Filters(
        types=tuple(value.lower().lstrip(".") for value in values["type"]),
        tags=tuple(values["tag"]),
        sources=named,
        date_from=date_from,
        date_to=date_to,
        folders=tuple(value.strip("/") for value in values["folder"]),
        levels=tuple(value.lower() for value in values["confidentiality"]),
        revision=revision,
    )


def _find_revisions(workspace: Workspace, wanted: str, among: Sequence[str]) -> tuple[str, ...]:
    """Return the paths of the sources with this revision mark or date; raises ``UsageError`` if none has it."""
    mark = parse_revision_mark(wanted)
    found = tuple(
        source.path
        for source in workspace.store.list_sources()
        if (not among or source.path in among)
        and (
            (mark and parse_revision_mark(source.revision or "") == mark)
            or fold(source.revision or "") == fold(wanted)
            or source.revision_date == wanted
        )
    )
    if not found:
        raise UsageError("source-no-revision", where="--revision", value=wanted)
    return found


def find_unmatched(workspace: Workspace, filters: Filters) -> Iterator[Message]:
    """A notice for each type and tag that no source has: probably a typing error."""
    named = (
        ("source-no-type", filters.types, "type"),
        ("source-no-tag", filters.tags, "tag"),
        ("source-no-folder", filters.folders, "folder"),
        ("source-no-level", filters.levels, "confidentiality"),
    )
    if not any(wanted for _, wanted, _ in named):
        return
    counts = workspace.store.count_facets()
    for code, wanted, facet in named:
        known = {one.value for one in getattr(counts, facet)}
        for value in wanted:
            if value not in known:
                listed = sorted(known) or Message("source-none-known")
                yield Message(code, value=value, known=listed)


def _parse_filter(text: str) -> tuple[str, str]:
    key, separator, value = text.partition("=")
    if key not in FILTER_KEYS or not separator or not value.strip():
        raise UsageError("source-filter-invalid", where="--filter", text=text, keys=FILTER_KEYS)
    return key, value.strip()


def _parse_date(values: Sequence[str], key: str) -> str | None:
    text = _get_only(values, key)
    if not text:
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        where = f"--filter {key}="
        raise UsageError("source-filter-date", where=where, text=text) from error


def _get_only(values: Sequence[str], key: str) -> str:
    if len(values) > 1:
        raise UsageError("source-filter-twice", where="--filter", key=key)
    return values[0] if values else ""
