"""The client's document: the accepted draft of every approved feature, in one.

Everything that stands in the way is listed at once. What is out of date can be
agreed to, and is then marked in the document; a draft whose file is missing or whose
footnotes are broken cannot. It writes no sentence and changes no draft.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from foundry.craft.footnotes import DraftParts, renumber, split_draft
from foundry.errors import RuleError
from foundry.journeys.drafts import find_stale_reasons, list_drafts
from foundry.journeys.drafts.state import get_draft_path, hash_draft_bytes, read_draft_bytes
from foundry.journeys.specifications import list_specifications
from foundry.ports import Progress, Step
from foundry.records import Chapter, Delivery, DraftRecord, Review, Specification, UsedSource
from foundry.render.delivery import FORMATS
from foundry.render.delivery.docx_template import load_template
from foundry.render.escapes import escape
from foundry.render.files import write_documents
from foundry.render.places import shorten_paths
from foundry.workspace import Workspace

_BOUNDARY = r"(?=[\s,]|$)"


class BuildRefused(RuleError):
    """Something stands in the way of the document; the message lists everything."""

    code = "not_ready"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One thing in the way, of one feature; one that is ``stale`` can be agreed to."""

    feature: str
    message: str
    stale: bool


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What ``build`` wrote: format → path and size in bytes."""

    delivery: Delivery
    files: Mapping[str, tuple[Path, int]]
    notices: tuple[str, ...] = ()


@dataclass(slots=True)
class _ChapterCandidate:
    """An approved feature with its latest accepted draft, while it is looked at."""

    feature: Specification
    record: DraftRecord | None = None
    parts: DraftParts | None = None
    obstacles: list[Obstacle] = field(default_factory=list)

    def add_obstacle(self, message: str, *, stale: bool) -> None:
        self.obstacles.append(Obstacle(self.feature.name, message, stale))


def build(
    workspace: Workspace,
    targets: Mapping[str, Path],
    *,
    created: datetime,
    title: str | None = None,
    language: str | None = None,
    allow_stale: bool = False,
    overwrite: bool = False,
    progress: Progress = lambda _step: None,
) -> BuildResult:
    """Assemble the document and write it in every format of ``targets`` (format → path).

    All files are put in place or none. ``created`` is the time on the cover: with the
    same inputs it is all that changes. Raises ``BuildRefused``, ``OverwriteRefused``,
    ``WriteError``, and ``ExportMissing`` where a format needs a package that is not there.
    """
    with _lock_build(workspace):
        delivery, notices = assemble(
            workspace, created=created, title=title, language=language, allow_stale=allow_stale
        )
        template = workspace.config.output.docx_template
        if template and "docx" in targets:
            delivery = replace(delivery, docx_template=load_template(workspace.root, template))
        made: dict[str, bytes] = {}
        for at, name in enumerate(targets):
            progress(Step("render", at, len(targets), "formats", name))
            made[name] = FORMATS[name](delivery)
        progress(Step("render", len(targets), len(targets), "formats"))
        write_documents({targets[name]: data for name, data in made.items()}, overwrite=overwrite)
    files = {name: (targets[name], len(data)) for name, data in made.items()}
    return BuildResult(delivery, files, notices)


def assemble(
    workspace: Workspace,
    *,
    created: datetime,
    title: str | None = None,
    language: str | None = None,
    allow_stale: bool = False,
) -> tuple[Delivery, tuple[str, ...]]:
    """The document before it has a format, with notices. Raises ``BuildRefused``."""
    features, drafts = list_specifications(workspace), list_drafts(workspace)
    wanted = [feature for feature in features if _is_wanted(feature, drafts)]
    candidates = [_check_candidate(workspace, feature, drafts) for feature in wanted]
    ready = [one for one in candidates if one.parts is not None]
    _require_ready(candidates, ready, allow_stale=allow_stale)
    bodies, notes = renumber(_disambiguate_names(ready))
    stale = [obstacle for one in candidates for obstacle in one.obstacles]
    delivery = Delivery(
        title=title or workspace.config.project.name,
        project=workspace.config.project.name,
        language=language or _choose_language(workspace, ready),
        created=created,
        chapters=tuple(_build_chapter(one, body) for one, body in zip(ready, bodies, strict=True)),
        notes=notes,
        register=_collect_sources(ready),
        stale=tuple(f"{obstacle.feature}: {obstacle.message}" for obstacle in stale),
    )
    left_out = [feature for feature in features if feature not in wanted]
    return delivery, tuple(_list_notices(ready, left_out, drafts))


@contextlib.contextmanager
def _lock_build(workspace: Workspace) -> Iterator[None]:
    """Held while one build works; a second one is refused at once."""
    # Imported here: it brings asyncio along.
    import filelock

    path = workspace.root / ".foundry" / "build.lock"
    path.parent.mkdir(exist_ok=True)
    lock = filelock.FileLock(path)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise RuleError(
            "Another build of this project is running.",
            where=str(workspace.root),
            fix="Wait until it is done, then run this again.",
        ) from None
    try:
        yield
    finally:
        lock.release()


# Looking at one feature


def _is_wanted(feature: Specification, drafts: Sequence[DraftRecord]) -> bool:
    """Approved, or approved once and edited since: a chapter must not vanish by an edit."""
    if feature.status == "broken":
        return any(draft.review for draft in drafts if draft.feature == feature.name)
    return feature.approved or (feature.status == "changed" and feature.approval is not None)


def _check_candidate(
    workspace: Workspace, feature: Specification, drafts: Sequence[DraftRecord]
) -> _ChapterCandidate:
    one = _ChapterCandidate(feature)
    written = [draft for draft in drafts if draft.feature == feature.name]
    one.record = max(
        (draft for draft in written if draft.review), key=_get_acceptance_time, default=None
    )
    if one.record is None:
        paths = ", ".join(draft.path for draft in written)
        told = f"No draft of it is accepted yet ({paths})." if written else "It has no draft."
        one.add_obstacle(told, stale=True)
        return one
    if feature.approval is None:
        reason = feature.problems[0].message if feature.problems else ""
        one.add_obstacle(f"{feature.path} cannot be read. {reason}".strip(), stale=False)
        return one
    one.parts = _read_parts(workspace, one, one.record)
    for reason in find_stale_reasons(workspace, one.record):
        one.add_obstacle(reason, stale=True)
    _check_coverage(workspace, one, one.record)
    return one


def _get_acceptance_time(record: DraftRecord) -> tuple[float, float]:
    accepted = record.review.time.timestamp() if record.review else 0.0
    return accepted, record.created.timestamp()


def _read_parts(
    workspace: Workspace, one: _ChapterCandidate, record: DraftRecord
) -> DraftParts | None:
    """The draft's text as its file has it now, or None with the reason as an obstacle."""
    data = read_draft_bytes(get_draft_path(workspace, record))
    if data is None:
        one.add_obstacle(f"{record.path} is missing or cannot be read.", stale=False)
        return None
    if record.review and hash_draft_bytes(data) != record.review.content_hash:
        one.add_obstacle(f"{record.path} was edited since it was accepted.", stale=True)
    try:
        parts = split_draft(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        one.add_obstacle(f"{record.path}, line {line}: It is not UTF-8 text.", stale=False)
        return None
    for problem in parts.problems:
        where = f"{record.path}, line {problem.line}"
        one.add_obstacle(f"{where}: {problem.message} {problem.fix}", stale=False)
    if not parts.body.strip():
        one.add_obstacle(f"{record.path} has no text.", stale=False)
    return parts


def _check_coverage(workspace: Workspace, one: _ChapterCandidate, record: DraftRecord) -> None:
    least = workspace.config.validation.min_attribution
    measured = [("The draft", record.attribution_coverage)]
    measured += [
        (f"Section “{section.title}”", section.attribution_coverage) for section in record.sections
    ]
    for what, coverage in measured:
        if coverage is not None and coverage < least:
            # Rounded down: 89.99% told as 90% would not be below 90%.
            told = f"{int(coverage * 1000) / 10:g}%"
            limit = f"{least:.0%} (validation.min_attribution)"
            one.add_obstacle(f"{what} is supported for {told}, below {limit}.", stale=True)


def _require_ready(
    candidates: Sequence[_ChapterCandidate],
    ready: Sequence[_ChapterCandidate],
    *,
    allow_stale: bool,
) -> None:
    if not candidates:
        raise BuildRefused(
            "There is no approved feature, so there is nothing to build.",
            where="features",
            fix="Approve one: `foundry feature list`, then `foundry feature approve NAME`.",
        )
    obstacles = [obstacle for one in candidates for obstacle in one.obstacles]
    can_agree = bool(ready) and all(obstacle.stale for obstacle in obstacles)
    if obstacles and not (allow_stale and can_agree):
        raise _build_refusal(obstacles, can_agree=can_agree)


def _build_refusal(obstacles: Sequence[Obstacle], *, can_agree: bool) -> BuildRefused:
    things = "one thing stands" if len(obstacles) == 1 else f"{len(obstacles)} things stand"
    lines = [f"The document cannot be built; {things} in the way:"]
    lines += [f"  - {one.feature}: {one.message}" for one in obstacles]
    fix = "Mend this, and have the draft accepted: `foundry draft accept NAME`."
    if can_agree:
        fix += " Or build with --allow-stale: the document is marked as out of date."
    return BuildRefused("\n".join(lines), where="features, drafts", fix=fix)


# Putting it together


def _build_chapter(one: _ChapterCandidate, body: str) -> Chapter:
    feature, record = one.feature, one.record
    # ``ready`` holds only features whose draft was accepted, and they are approved.
    assert record is not None
    assert record.review is not None
    assert feature.approval is not None
    review: Review = record.review
    return Chapter(
        feature=feature.name,
        title=feature.title,
        owner=feature.owner,
        markdown=body,
        approved_by=feature.approval.by,
        approved=feature.approval.time,
        accepted_by=review.by,
        accepted=review.time,
        draft=record,
        stale=tuple(obstacle.message for obstacle in one.obstacles),
    )


def _collect_sources(ready: Sequence[_ChapterCandidate]) -> tuple[UsedSource, ...]:
    """Every source that a chapter cites, by path; twice where chapters used other bytes."""
    register = {
        (source.path, source.content_hash): source
        for one in ready
        if one.record
        for source in one.record.sources
    }
    return tuple(register[key] for key in sorted(register))


def _disambiguate_names(ready: Sequence[_ChapterCandidate]) -> list[DraftParts]:
    """The drafts with sources by their path where only the whole document has two of a name."""
    pairs = [(one.record, one.parts) for one in ready if one.record and one.parts]
    names = shorten_paths(source.path for record, _ in pairs for source in record.sources)
    return [_rename_sources(parts, record.sources, names) for record, parts in pairs]


def _rename_sources(
    parts: DraftParts, sources: Sequence[UsedSource], names: Mapping[str, str]
) -> DraftParts:
    own = shorten_paths(source.path for source in sources)
    longer = {escape(own[path]): escape(names[path]) for path in own if own[path] != names[path]}
    if not longer:
        return parts
    known = "|".join(re.escape(name) for name in sorted(longer, key=len, reverse=True))
    pattern = re.compile(f"^({known}){_BOUNDARY}")
    definitions = tuple(
        replace(one, place=pattern.sub(lambda match: longer[match[1]], one.place))
        for one in parts.definitions
    )
    return replace(parts, definitions=definitions)


def _choose_language(workspace: Workspace, ready: Sequence[_ChapterCandidate]) -> str:
    """The configured language, else that of most chapters; Dutch or English."""
    configured = workspace.config.generation.language
    if configured != "question":
        return configured
    counted = Counter(one.record.language for one in ready if one.record).most_common(1)
    return "nl" if counted and counted[0][0] == "nl" else "en"


def _list_notices(
    ready: Sequence[_ChapterCandidate],
    left_out: Sequence[Specification],
    drafts: Sequence[DraftRecord],
) -> Iterator[str]:
    for feature in left_out:
        if any(draft.review for draft in drafts if draft.feature == feature.name):
            yield f"{feature.name}: left out, because its specification is not approved."
    for one in ready:
        for draft in drafts:
            newer = one.record is not None and draft.created > one.record.created
            if newer and draft.feature == one.feature.name and not draft.review:
                yield f"{one.feature.name}: {draft.path} is newer, but nobody accepted it."
