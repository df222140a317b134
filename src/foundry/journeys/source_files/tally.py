"""What an ingest has done so far, and what the project knew before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

from foundry.ids import make_source_id
from foundry.journeys.index import IngestOptions
from foundry.journeys.source_files.outside import find_service
from foundry.messages import Message
from foundry.models.page_services import OutsideReader
from foundry.records import FileReport, Source, UnreadFile, UnreadStatus, list_containers
from foundry.workspace import Workspace

FEW_NAMES = 5
"""Left-out files that a notice names; the list of sources names them all."""


@dataclass
class Tally:
    """What a run has done so far: what its report will say, whenever it ends."""

    workspace: Workspace
    options: IngestOptions
    on_file: Callable[[FileReport], None]
    sources: dict[str, Source]
    unread: dict[str, UnreadFile]
    files: list[FileReport] = field(default_factory=list)
    notices: list[Message] = field(default_factory=list)
    waiting: int = 0
    embedded: int = 0
    names: set[str] = field(default_factory=set)
    """The files of this run."""
    copied: dict[str, Source] = field(default_factory=dict)
    """Further path of a source → the source."""
    sizes: Counter[int] = field(default_factory=Counter)
    """Size in bytes → number of sources; only files of a known size can be copies."""
    contents: Counter[str] = field(default_factory=Counter)
    """Hash of the bytes → number of sources; one that is remembered again counts twice."""
    _attached: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for source in [*self.sources.values()]:
            self.remember(source)
        for path in self.unread:
            for container in list_containers(path):
                self._attached.setdefault(container, set()).add(path)

    @cached_property
    def service(self) -> OutsideReader | None:
        """The page service, if one is configured; it is asked for its version on first use."""
        found = find_service(self.workspace)
        if found and found.problem:
            self.notices.append(
                Message("outside-unavailable", reader=found.name, cause=found.problem)
            )
        return found

    def list_attached(self, path: str) -> tuple[list[Source], list[UnreadFile]]:
        """What was attached to a file before this run, at any depth: read and unread."""
        paths = sorted(self._attached.get(path, ()))
        return (
            [self.sources[item] for item in paths if item in self.sources],
            [self.unread[item] for item in paths if item in self.unread],
        )

    def remember(self, source: Source) -> None:
        """Add or update a source."""
        self.sources[source.path] = source
        self.copied |= dict.fromkeys(source.copies, source)
        self.sizes[source.size] += 1
        self.contents[source.content_hash] += 1
        for path in (source.path, *source.copies):
            for container in list_containers(path):
                self._attached.setdefault(container, set()).add(path)

    def renew(self, path: str) -> Source | None:
        """The source at a path, with the labels that people have given it since this run began."""
        source = self.sources.get(path)
        now = source and self.workspace.store.find_source(source.id)
        if source and now:
            source = replace(
                source, tags=now.tags, confidentiality=now.confidentiality, facts=now.facts
            )
            self.sources[path] = source
        return source

    def forget(self, source: Source) -> None:
        """Drop a source and all its paths."""
        self.sources.pop(source.path, None)
        for path in source.copies:
            self.copied.pop(path, None)

    def rename(self, source: Source, path: str) -> None:
        """A source's file has another name now: it is read again, and its labels stay."""
        if self.sources.pop(source.path, None):
            self.sources[path] = replace(source, path=path, content_hash="")

    def add(self, file: FileReport) -> None:
        """Count a file and remember a failure, until a later ingest can read the file."""
        known = self.unread.get(file.path)
        if file.status == "failed":
            row = self.describe_unread(file.path, "failed", file.reason)
            if row != known:
                self.workspace.maintenance().save_unread([row])
            file = replace(file, known=known is not None and known.reason == row.reason)
        elif known:
            self.workspace.maintenance().remove_unread([file.path])
        self.files.append(file)
        self.on_file(file)

    def describe_unread(
        self, path: str, status: UnreadStatus, reason: Message | None
    ) -> UnreadFile:
        """The row of an unread file, as confidential as its source was or would have been."""
        level = self.choose_options(path).confidentiality or "public"
        return UnreadFile(path, status, Message.from_dict(reason or ""), level)

    def choose_options(self, path: str) -> IngestOptions:
        """The options for a file: the labels it had, those of its outermost file if attached.

        A file that could not be read before is as confidential as that attempt asked for.
        """
        options = self.options
        for owner in (*reversed(list_containers(path)), path):
            source = self.sources.get(owner) or self.copied.get(owner)
            unread = self.unread.get(owner)
            level = source.confidentiality if source else unread and unread.confidentiality
            if level:
                tags = source.tags if source and options.tags is None else options.tags
                level = options.confidentiality or level
                return replace(options, tags=tags, confidentiality=level)
        return options

    def note_left_out(self, files: list[UnreadFile]) -> list[str]:
        """Remember files that are not read; returns the names of those not left out before."""
        news = [file for file in files if self.unread.get(file.path) != file]
        if news:
            self.workspace.maintenance().save_unread(news)
        return [file.path for file in news if file.path not in self.unread]

    def note_names(self, code: str, names: list[str]) -> None:
        """Add a notice that names the first of some files, if there are any."""
        if names:
            more = max(0, len(names) - FEW_NAMES)
            self.notices.append(Message(code, names=names[:FEW_NAMES], more=more))

    def add_embedded(self, number: int) -> None:
        """Count chunks that got their vectors."""
        self.embedded += number


def start_tally(
    workspace: Workspace,
    options: IngestOptions | None = None,
    on_file: Callable[[FileReport], None] = lambda _file: None,
    under: str | None = None,
) -> Tally:
    """The tally of a run that has done nothing yet; with ``under`` of a run of that file alone."""
    store, places = workspace.store, [under]
    if under is not None:
        # The file may have been read under another form of its name.
        same = store.find_source(make_source_id(workspace.config.project.id, under))
        # Or it is a copy.
        same = same or store.find_source(under)
        places += [same.path] if same and same.path != under else []
    return Tally(
        workspace,
        options or IngestOptions(),
        on_file,
        {source.path: source for place in places for source in store.list_sources(place)},
        {file.path: file for place in places for file in store.list_unread(place)},
    )
