"""From drafts and deliveries to files, the same from every face.

Where a file may be written, whether it may be overwritten, a copy of what someone edited, and
the register of drafts. A face says what it wants and whether to overwrite; nothing here asks.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from foundry.clock import get_now
from foundry.errors import NotFound, RuleError, StoreError, UsageError
from foundry.installation import is_installed, tell_install
from foundry.journeys.assembly import BuildRefused, assemble, assemble_draft
from foundry.journeys.drafts import (
    find_overwrite_warning,
    find_stale_reasons,
    get_draft,
    register_draft,
)
from foundry.journeys.drafts.state import get_draft_key
from foundry.journeys.generate import Announce, generate
from foundry.journeys.specifications import choose_specification
from foundry.messages import Message
from foundry.ports import Progress, Step
from foundry.records import Delivery, Draft, Filters, SearchMode
from foundry.render.delivery import FORMATS
from foundry.render.delivery.docx_template import load_template
from foundry.render.files import (
    Overwrite,
    check_output_path,
    decide_overwrite,
    keep_copy,
    make_file_name,
    write_document,
    write_documents,
)
from foundry.render.markdown import render_markdown
from foundry.workspace import Workspace

LANGUAGES = ("nl", "en")
"""Languages of cover and appendices."""


@dataclass(frozen=True, slots=True)
class DraftFile:
    """A draft with its file; ``written`` is False for a draft without evidence.

    ``edited_copy`` is the copy of an edited draft that was overwritten, if there was one.
    """

    draft: Draft
    path: Path
    written: bool
    edited_copy: Path | None = None


@dataclass(frozen=True, slots=True)
class BuildTargets:
    """The files of a build, format → path, with a notice for a format that is left out."""

    files: Mapping[str, Path]
    notices: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What ``build`` made: format → path and size in bytes, and format → bytes."""

    delivery: Delivery
    files: Mapping[str, tuple[Path, int]]
    rendered: Mapping[str, bytes]
    seconds: float
    notices: tuple[Message, ...] = ()


def hide_place(workspace: Workspace, written: DraftFile) -> DraftFile:
    """The same with the path that the register has, for a caller elsewhere."""
    return replace(written, path=Path(get_draft_key(workspace, written.path)))


_READ = frozenset({"sources", "features", "agents"})
"""Folders of the project that Foundry reads."""


def resolve_output(workspace: Workspace, output: Path) -> Path:
    """The real path to write to, links resolved; a relative one counts from ``workspace.cwd``.

    Raises ``RuleError`` unless it is a regular or new file inside ``workspace.cwd``, the project or
    ``output.allowed_dirs``.
    """
    folders = [workspace.root, *_list_allowed(workspace)]
    return check_output_path(output, workspace.cwd, folders)


def _list_allowed(workspace: Workspace) -> list[Path]:
    return [workspace.root / name for name in workspace.config.output.allowed_dirs]


def choose_draft_path(workspace: Workspace, output: str, feature: str | None) -> Path:
    """Where a draft goes that a server writes: ``output``, else a file of ``output.dir``.

    It is named after the specification or the agent. Nobody at a server can be asked whether a file
    may be lost, so it is Markdown, of the project or ``output.allowed_dirs``, and new or a draft.
    Raises ``RuleError`` for others, and like ``choose_specification``.
    """
    if output:
        path = check_output_path(Path(output), workspace.root, _list_allowed(workspace))
        key = get_draft_key(workspace, path)
        known = workspace.store.find_draft(key) or not path.exists()
        if not known or path.suffix != ".md" or key.partition("/")[0].lower() in _READ:
            raise RuleError("output-not-draft", where=key, path=key)
        return path
    chosen = choose_specification(workspace, feature)
    names = [workspace.agent.name if workspace.agent else "", chosen.name if chosen else ""]
    name = "-".join(filter(None, names))
    return workspace.root / workspace.config.output.dir / f"{name}.md"


def generate_file(
    workspace: Workspace,
    topic: str,
    output: Path,
    *,
    feature: str | None = None,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    fresh: bool = False,
    overwrite: Overwrite = False,
    progress: Progress = lambda _step: None,
    announce: Announce = lambda _plan: None,
) -> DraftFile:
    """Write a cited document as an agent or an approved specification says, and register it.

    ``feature`` names the specification; None means the only approved one, or none with an agent. Paths, specification
    and permission to overwrite are settled before anything is written or a model is called. A
    draft without evidence is not written. Raises like ``resolve_output``,
    ``choose_specification`` and ``generate``; ``OverwriteRefused`` and ``WriteError``.
    """
    path = resolve_output(workspace, output)
    specification = choose_specification(workspace, feature)
    replacing = decide_overwrite([path], overwrite, find_overwrite_warning(workspace, path) or "")
    draft = generate(
        workspace,
        topic,
        feature=specification,
        filters=filters,
        mode=mode,
        fresh=fresh,
        progress=progress,
        announce=announce,
    )
    if draft.verdict == "no_evidence":
        return DraftFile(draft, path, written=False)
    text = render_markdown(draft, (item.path for item in workspace.store.list_sources()))
    with workspace.store.lock("drafts"):
        # Asked again: the file may have been edited while the draft was written.
        edited = replacing and find_overwrite_warning(workspace, path) is not None
        copy = keep_copy(path) if edited else None
        write_document(path, text, overwrite=replacing)
        try:
            record = register_draft(workspace, draft, path, text)
            # What changed while it was written is said at once.
            notices = find_stale_reasons(workspace, record)
        except StoreError as error:
            notices = (Message("generate-not-registered", cause=error.problem),)
    draft = replace(draft, notices=(*draft.notices, *notices))
    return DraftFile(draft, path, written=True, edited_copy=copy)


def build(
    workspace: Workspace,
    targets: BuildTargets,
    *,
    created: datetime | None = None,
    title: str | None = None,
    language: str | None = None,
    allow_stale: bool = False,
    overwrite: Overwrite = False,
    keep: bool = True,
    progress: Progress = lambda _step: None,
) -> BuildResult:
    """Assemble the client's document and write it in every format of ``targets``: all or none.

    Without ``keep`` no file is written.

    ``created`` is the time on the cover, by default now; it is all that differs between two
    builds of the same inputs. What prevents a build is reported before ``overwrite`` is asked.
    Raises ``UsageError``, ``BuildRefused``, ``OverwriteRefused``, ``WriteError``, and
    ``ExtraMissing`` if a format needs a package that is not installed.
    """
    started = time.perf_counter()
    _require_words(title, language)
    delivery, notices = assemble(
        workspace,
        created=created or get_now().astimezone(),
        title=title,
        language=language,
        allow_stale=allow_stale,
    )
    replacing = keep and decide_overwrite(targets.files.values(), overwrite)
    with workspace.store.lock("build", _refuse_second):
        rendered = _render_all(workspace, delivery, targets, progress)
        contents = {targets.files[name]: data for name, data in rendered.items()}
        if keep:
            write_documents(contents, overwrite=replacing)
    files = {name: (targets.files[name], len(data)) for name, data in rendered.items()}
    seconds = time.perf_counter() - started
    return BuildResult(delivery, files, rendered, seconds, (*targets.notices, *notices))


def render_draft(workspace: Workspace, name: str) -> bytes:
    """A draft alone as a Word file, accepted or not. Raises like ``get_draft``, and ``BuildRefused``."""
    delivery = assemble_draft(workspace, get_draft(workspace, name), created=get_now().astimezone())
    targets = BuildTargets({"docx": Path()})
    return _render_all(workspace, delivery, targets, lambda _step: None)["docx"]


@dataclass(frozen=True, slots=True)
class BuiltFile:
    """A file of the last build that is kept."""

    format: str
    path: Path
    bytes: int
    built: datetime


@dataclass(frozen=True, slots=True)
class BuildState:
    """The files that are kept, which the highest role alone sees, and what prevents a build now.

    ``only_stale`` if a build that allows for what is out of date can be made all the same.
    """

    files: tuple[BuiltFile, ...]
    obstacles: tuple[Message, ...] = ()
    only_stale: bool = False


def get_build_state(workspace: Workspace) -> BuildState:
    """What was built, and whether the client's document can be built as the caller sees the project."""
    files = tuple(_list_built(workspace)) if workspace.principal.sees_all else ()
    try:
        assemble(workspace, created=get_now())
    except BuildRefused as error:
        found: Any = error.problem.params.get("obstacles") or (error.problem,)
        return BuildState(files, tuple(found), bool(error.advice))
    return BuildState(files)


def get_built_file(workspace: Workspace, name: str) -> BuiltFile:
    """The kept file in a format. Raises ``NotFound``."""
    for file in _list_built(workspace):
        if file.format == name:
            return file
    raise NotFound("build-no-file", where="builds", format=name)


def _list_built(workspace: Workspace) -> Iterator[BuiltFile]:
    for name, path in choose_targets(workspace, None, tuple(FORMATS)).files.items():
        if path.is_file():
            facts = path.stat()
            yield BuiltFile(name, path, facts.st_size, datetime.fromtimestamp(facts.st_mtime, UTC))


def choose_targets(
    workspace: Workspace, output: Path | None = None, formats: Sequence[str] = ()
) -> BuildTargets:
    """The files of a build: ``output`` in each format, by default the project's name.

    Without ``formats`` the suffix of ``output`` decides, else all that can be written. Raises
    ``UsageError`` for an unknown or contradicting format, ``RuleError`` for a path outside the
    current folder, ``output.dir`` and ``output.allowed_dirs``.
    """
    _require_formats(formats)
    config = workspace.config.output
    notices: tuple[Message, ...] = ()
    base, named = workspace.cwd, make_file_name(workspace.config.project.name)
    allowed = [workspace.root / name for name in (config.dir, *config.allowed_dirs)]
    if output is None:
        base, stem, allowed = workspace.root, Path(config.dir) / named, allowed[1:]
    elif (base / output).is_dir():
        stem = output / named
    else:
        stem, formats = output, formats or (_find_format(output),)
    if not formats:
        formats, notices = _list_formats()
    paths = {name: _set_suffix(stem, name, alone=len(formats) == 1) for name in formats}
    return BuildTargets(
        {name: check_output_path(path, base, allowed) for name, path in paths.items()}, notices
    )


def _render_all(
    workspace: Workspace, delivery: Delivery, targets: BuildTargets, progress: Progress
) -> dict[str, bytes]:
    """Format → bytes."""
    template, total = workspace.config.output.docx_template, len(targets.files)
    if template and "docx" in targets.files:
        delivery = replace(delivery, docx_template=load_template(workspace.root, template))
    rendered: dict[str, bytes] = {}
    for number, name in enumerate(targets.files):
        progress(Step("render", number, total, "formats", name))
        rendered[name] = FORMATS[name](delivery)
    progress(Step("render", total, total, "formats"))
    return rendered


def _refuse_second(_holder: Message) -> None:
    raise RuleError("build-running", where="build")


def _require_words(title: str | None, language: str | None) -> None:
    if title is not None and not title.strip():
        raise UsageError("build-title-empty", where="title")
    if language is not None and language not in LANGUAGES:
        raise UsageError("build-not-one-of", where="language", name=language, known=LANGUAGES)


def _require_formats(formats: Sequence[str]) -> None:
    for name in formats:
        if name not in FORMATS:
            raise UsageError("build-not-one-of", where="format", name=name, known=tuple(FORMATS))


def _list_formats() -> tuple[tuple[str, ...], tuple[Message, ...]]:
    """All formats that this installation can write, with a notice if one is missing."""
    if is_installed("export"):
        return tuple(FORMATS), ()
    return tuple(name for name in FORMATS if name != "pdf"), (
        Message("build-no-pdf", command=tell_install("export")),
    )


def _find_format(output: Path) -> str:
    ending = output.suffix.lower().lstrip(".")
    if ending not in FORMATS:
        suffixes = [f".{name}" for name in FORMATS]
        raise UsageError(
            "build-format-unknown", where="--output", name=output.name, suffixes=suffixes
        )
    return ending


def _set_suffix(stem: Path, name: str, *, alone: bool) -> Path:
    ending = stem.suffix.lower().lstrip(".")
    if ending == name:
        return stem
    if ending in FORMATS:
        if alone:
            raise UsageError(
                "build-format-differs", where="--output, --format", name=stem.name, format=name
            )
        stem = stem.with_suffix("")
    return stem.with_name(f"{stem.name}.{name}")
