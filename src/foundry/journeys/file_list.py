"""The list of files: sources, and files that wait, could not be read or are new, with the state of each.

Ten thousand sources are chosen and sorted in one pass over their outlines; only those of the page that
is shown are loaded and compared with the disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from foundry.analysis import fold
from foundry.journeys.source_files import compare_files, list_new
from foundry.messages import Message
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Confidentiality,
    DocumentStatus,
    FileState,
    Filters,
    Source,
    SourceOrder,
    SourceOutline,
    UnreadFile,
)
from foundry.workspace import Workspace

STATES: tuple[FileState, ...] = get_args(FileState)
ON_DISK = frozenset({"new", "changed", "gone"})
"""States that only a comparison with the whole folder finds."""
_GREATEST_FIRST = frozenset({"date", "size", "modified", "ingested"})
_KEYS: Mapping[str, Callable[[SourceOutline], Any]] = {
    "path": lambda one: one.path,
    "title": lambda one: fold(one.title),
    "type": lambda one: one.type,
    "revision": lambda one: fold(one.revision or ""),
    "date": lambda one: one.dated,
    "status": lambda one: one.status or "",
    "confidentiality": lambda one: CONFIDENTIALITY_LEVELS.index(one.confidentiality),
    "size": lambda one: one.size,
    "modified": lambda one: one.modified,
    "ingested": lambda one: one.ingested,
}


@dataclass(frozen=True, slots=True)
class SourceChoice:
    """Which files a list has, in which order; all ``words`` are in path, title, revision or tags.

    ``current`` leaves out sources that have a later revision. Files that are no sources match
    by words, type, folder and confidentiality, and match no other filter.
    """

    words: str = ""
    filters: Filters = field(default_factory=Filters)
    status: DocumentStatus | Literal[""] = ""
    state: FileState | Literal[""] = ""
    current: bool = False
    order: SourceOrder = "path"

    def has(self, text: str) -> bool:
        """Whether all words are in this folded text."""
        return all(word in text for word in fold(self.words).split())

    def has_unread(self, file: UnreadFile) -> bool:
        """Whether a file that was not read is chosen."""
        other = _outline_unread(file.path, file.confidentiality)
        return self.state in ("", file.status) and self.includes_other(other)

    def includes(self, one: SourceOutline) -> bool:
        """Whether a source that matches the filters is chosen, whatever its state."""
        if self.status and self.status != one.status:
            return False
        texts = (one.path, one.title, one.revision or "", *one.tags)
        return not self.words or self.has(fold(" ".join(texts)))

    def includes_other(self, one: SourceOutline) -> bool:
        """Whether a file that is no source is chosen, whatever its state."""
        wanted = self.filters
        others = (wanted.tags, wanted.sources, wanted.date_from, wanted.date_to, self.status)
        folders = tuple(f"{folder}/" for folder in wanted.folders)
        return (
            not any(others)
            and (not wanted.types or one.type in wanted.types)
            and (not folders or one.path.startswith(folders))
            and (not wanted.levels or one.confidentiality in wanted.levels)
            and self.has(fold(one.path))
        )


@dataclass(frozen=True, slots=True)
class FileMark:
    """The state of a file, and why it was not read."""

    state: FileState
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A row of the list; ``source`` is None for a file that is none, ``newer`` the latest revision."""

    path: str
    type: str
    mark: FileMark
    source: Source | None = None
    newer: str = ""


@dataclass(frozen=True, slots=True)
class FileList:
    """The chosen files in their order, with what sets some apart, and all sources there are.

    ``counts`` are of the files that match, in whichever state.
    """

    found: list[SourceOutline]
    known: list[SourceOutline]
    marks: Mapping[str, FileMark]
    counts: Mapping[FileState, int]

    @property
    def sources(self) -> list[SourceOutline]:
        """Those of the chosen files that are sources."""
        return [one for one in self.found if one.id]

    def find_state(self, one: SourceOutline) -> FileState:
        """The state of a file, as far as it is known without its disk."""
        if mark := self.marks.get(one.path):
            return mark.state
        return "warned" if one.warned else "read"


def list_files(workspace: Workspace, wanted: SourceChoice) -> FileList:
    """The chosen files. Only the highest role sees which files wait, and which are new."""
    store = workspace.store
    known = store.outline_sources()
    matching = known if wanted.filters == Filters() else store.outline_sources(wanted.filters)
    if wanted.current:
        older = store.list_superseded()
        matching = [one for one in matching if one.path not in older]
    unread = {file.path: file for file in store.list_unread()}
    marks = {path: FileMark(file.status, file.reason) for path, file in unread.items()}
    marks |= _find_marks(workspace, wanted.state, matching)
    paths = {path for one in known for path in (one.path, *one.copies)} if marks else set()
    others = [
        _outline_unread(path, unread[path].confidentiality if path in unread else "public")
        for path in marks.keys() - paths
    ]
    found = [one for one in matching if wanted.includes(one)]
    found += [one for one in others if wanted.includes_other(one)]
    files = FileList(found, known, marks, {})
    counts = Counter(map(files.find_state, found))
    if wanted.state:
        found = [one for one in found if files.find_state(one) == wanted.state]
    return replace(files, found=_sort(found, wanted.order, files), counts=counts)


def _find_marks(
    workspace: Workspace, state: str, sources: Iterable[SourceOutline]
) -> dict[str, FileMark]:
    """The files that wait, and with a state of the disk those of the folder that differ."""
    marks: dict[str, FileMark] = {}
    owner = workspace.principal.sees_all
    if state in ON_DISK:
        differing = compare_files(workspace.root, sources)
        marks |= {one.path: FileMark(said) for one, said in differing}
    if state == "new" and owner:
        marks |= {path: FileMark("new") for path in list_new(workspace)}
    for job in workspace.maintenance().list_open_jobs() if owner else ():
        marks[job.path] = FileMark("waiting")
    return marks


def _outline_unread(path: str, level: Confidentiality) -> SourceOutline:
    suffix = path.rpartition("/")[2].rpartition(".")[2].lower()
    return SourceOutline("", path, "", suffix, level, None, "", 0, None, "", "", "", warned=False)


def _sort(found: list[SourceOutline], order: SourceOrder, files: FileList) -> list[SourceOutline]:
    """Sort by path first, so that equals stay by path."""
    name, reverse = order.removeprefix("-"), order.startswith("-")
    found = sorted(found, key=_KEYS["path"])
    if name == "state":
        return sorted(found, key=lambda one: STATES.index(files.find_state(one)), reverse=reverse)
    return sorted(found, key=_KEYS[name], reverse=reverse != (name in _GREATEST_FIRST))


def load_rows(
    workspace: Workspace, files: FileList, shown: Sequence[SourceOutline]
) -> list[ListedFile]:
    """The rows of a page, with the sources themselves, compared with the disk."""
    store = workspace.store
    read = [one for one in shown if one.id]
    sources, latest = store.get_sources([one.id for one in read]), store.list_superseded()
    differing = {one.path: said for one, said in compare_files(workspace.root, read)}
    rows = []
    for one in shown:
        state = differing.get(one.path) or files.find_state(one)
        mark = files.marks.get(one.path) or FileMark(state)
        newer = latest.get(one.path, "")
        rows.append(ListedFile(one.path, one.type, mark, sources.get(one.id), newer))
    return rows


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A page of a list and the number of sources on all; ``next`` is the path that the next follows.

    It is None on the last page, and in another order than by path.
    """

    sources: list[Source]
    total: int
    next: str | None


def list_page(
    workspace: Workspace, wanted: SourceChoice, limit: int, *, page: int = 1, after: str = ""
) -> SourcePage:
    """Page number ``page`` of the chosen sources, of those behind the path ``after``."""
    found = list_files(workspace, wanted).sources
    later = [source for source in found if source.path > after] if after else found
    shown, more = later[(page - 1) * limit : page * limit], page * limit < len(later)
    following = shown[-1].path if more and wanted.order == "path" else None
    loaded = workspace.store.get_sources([one.id for one in shown])
    return SourcePage([loaded[one.id] for one in shown if one.id in loaded], len(found), following)
