"""The register of drafts: added when a draft's file is written, verified, accepted.

A draft is identified by the path of its file, and its text by a hash, so an edit by hand
shows. Line ends and a byte order mark may change. Nothing here writes to a draft's file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from foundry.clock import format_minute, get_now
from foundry.errors import ChangedMeanwhile, NotFound, RuleError
from foundry.journeys.drafts.content import CheckMemory
from foundry.journeys.drafts.state import (
    compare_draft_bytes,
    find_empty_sections,
    find_stale_reasons,
    get_draft_key,
    get_draft_path,
    hash_draft_bytes,
    hash_draft_text,
    list_correction_ids,
    read_draft_bytes,
)
from foundry.journeys.drafts.verification import DraftVerification, verify_draft_file
from foundry.journeys.specifications import keep_specification, require_person
from foundry.messages import Message
from foundry.ports import Progress
from foundry.records import (
    CheckedStatement,
    Draft,
    DraftRecord,
    DraftState,
    KeptText,
    Review,
    Section,
    SectionSummary,
    Source,
    UsedSource,
    find_gaps,
)
from foundry.text.spotlight import clean_line
from foundry.workspace import Workspace

_MAX_NOTE_LENGTH = 2_000
_MAX_FAILURES = 8
"""Failures listed in an error; ``foundry draft verify`` lists all."""


@dataclass(frozen=True, slots=True)
class DraftStatus:
    """A registered draft with its state now: its file, its acceptance, what makes it stale.

    ``gaps`` are its empty sections and what its specification asks for and it does not say.
    """

    record: DraftRecord
    state: DraftState
    accepted: bool
    stale: tuple[Message, ...]
    gaps: tuple[Message, ...] = ()


def register_draft(workspace: Workspace, draft: Draft, path: Path, text: str) -> DraftRecord:
    """Record a draft whose ``text`` was just written to ``path``; replaces an earlier one there.

    An earlier acceptance ends, as it was for another text; remarks stay.
    """
    key = get_draft_key(workspace, path)
    earlier = workspace.store.find_draft(key)
    record = DraftRecord(
        path=key,
        topic=draft.topic,
        created=draft.created,
        content_hash=hash_draft_text(text),
        feature=draft.feature.name if draft.feature else None,
        feature_hash=draft.feature.content_hash if draft.feature else None,
        verdict=draft.verdict,
        language=draft.language,
        model=draft.model,
        mode=draft.mode,
        attribution_coverage=draft.attribution_coverage,
        shown_coverage=draft.shown_coverage,
        sections=tuple(_summarise_section(section) for section in draft.sections),
        sources=tuple(
            build_used_source(workspace, source) for source in _list_cited(draft.sections)
        ),
        usage=draft.usage,
        role=workspace.principal.role,
        agent=draft.agent.name if draft.agent else None,
        notes=earlier.notes if earlier else (),
    )
    workspace.store.save_draft(record)
    keep_text(workspace, record, text, written=True)
    if draft.feature:
        keep_specification(workspace, draft.feature)
    return record


def keep_text(
    workspace: Workspace, record: DraftRecord, text: str, *, written: bool = False
) -> None:
    """Keep a text of a draft, to compare and merge with; ``written`` if a run wrote it."""
    content = hash_draft_text(text)
    known = workspace.store.find_text(record.path, content)
    kept = KeptText(
        record.path, content, text, get_now(), record.role, record.sources,
        written or bool(known and known.written),
    )  # fmt: skip
    workspace.store.save_text(kept)


def list_drafts(workspace: Workspace, feature: str | None = None) -> tuple[DraftRecord, ...]:
    """All drafts, or those of one specification, the latest first."""
    return tuple(workspace.store.list_drafts(feature))


def get_draft(workspace: Workspace, name_or_path: str) -> DraftRecord:
    """The draft at a path, else the latest of the specification with that name.

    A path is relative to the project or to the working directory; a file name, with or without
    its suffix, or the name of the agent that wrote it is enough if only one draft has it. Raises
    ``NotFound``.
    """
    drafts = list_drafts(workspace)
    keys = {name_or_path, *_list_keys(workspace, name_or_path)}
    bare = name_or_path.removeprefix("features/").removesuffix(".md")
    named = [
        draft
        for draft in drafts
        if name_or_path in (Path(draft.path).name, Path(draft.path).stem, draft.agent)
    ]
    matches: list[DraftRecord] = [
        *(draft for draft in drafts if draft.path in keys),
        *(draft for draft in drafts if draft.feature == bare),
        *(named if len({draft.path for draft in named}) == 1 else ()),
    ]
    if matches:
        return matches[0]
    error = NotFound("draft-unknown", where="drafts", name=name_or_path)
    paths = tuple(dict.fromkeys(draft.path for draft in drafts))
    known = Message("draft-advice-known", paths=paths)
    error.advice = (known if drafts else Message("draft-advice-write"),)
    raise error


def get_draft_state(workspace: Workspace, record: DraftRecord) -> DraftState:
    """Whether the file is as Foundry wrote it, edited, or missing (also if unreadable)."""
    data = read_draft_bytes(get_draft_path(workspace, record))
    return "missing" if data is None else compare_draft_bytes(data, record)


def is_acceptance_current(workspace: Workspace, record: DraftRecord) -> bool:
    """True if somebody accepted exactly the text that the file has now."""
    return record.review is not None and _hash_file(workspace, record) == record.review.content_hash


def get_draft_status(workspace: Workspace, record: DraftRecord) -> DraftStatus:
    """The state of a draft now."""
    return DraftStatus(
        record,
        get_draft_state(workspace, record),
        is_acceptance_current(workspace, record),
        find_stale_reasons(workspace, record),
        (*find_empty_sections(record), *find_gaps(record.sections)),
    )


def verify_draft(
    workspace: Workspace, name: str, *, progress: Progress = lambda _step: None
) -> DraftVerification:
    """Check a draft as its file is now: its footnotes, their quotes, then every statement.

    Raises ``UsageError`` for an unknown draft, ``RuleError`` if its file is gone, and
    otherwise like ``foundry.journeys.verify.verify``.
    """
    record = get_draft(workspace, name)
    _require_file(workspace, record)
    result = _verify(workspace, record, progress)
    return replace(result, stale=find_stale_reasons(workspace, record))


def _verify(workspace: Workspace, record: DraftRecord, progress: Progress) -> DraftVerification:
    """Check the file of a draft, and keep what was found of each statement for its reviewer."""
    result = verify_draft_file(workspace, record, progress)
    if result.verification:
        CheckMemory(workspace).keep(result.verification.statements)
    return result


def accept_draft(
    workspace: Workspace,
    name: str,
    by: str,
    note: str = "",
    *,
    again: bool = True,
    reviewed: str = "",
    confirm: Callable[[Sequence[CheckedStatement]], bool] = lambda _statements: False,
    progress: Progress = lambda _step: None,
) -> DraftRecord:
    """Record that ``by`` reviewed the draft as its file is now; the last acceptance counts.

    Without ``again`` there is one at most: raises ``ChangedMeanwhile`` with who was first, as it does if
    ``reviewed``, the hash of what ``by`` read, is not that of the file.
    ``confirm`` is asked whether the reviewer accepts statements of an edit that neither rules nor a
    judge settle; they and those that Foundry marked as not verified are recorded, and never count as
    verified. Raises ``RuleError`` if it says no, if the draft
    is out of date, or was edited and does not verify.
    """
    person = require_person(by)
    record = get_draft(workspace, name)
    _require_file(workspace, record)
    _require_fresh(workspace, record)
    content = _hash_file(workspace, record) or ""
    if reviewed not in {"", content}:
        facts = {"path": record.path, "hash": content}
        raise ChangedMeanwhile("draft-changed-since-read", where=record.path, **facts)
    unchecked = tuple(text for section in record.sections for text in section.unverified)
    if content != record.content_hash:
        unchecked = _require_verified(_verify(workspace, record, progress), confirm)
    # Of two who accept at once the second sees that it is the second.
    with workspace.store.lock("drafts", lambda _holder: None):
        now = workspace.store.find_draft(record.path)
        first = now.review if now else None
        if first and first.content_hash == content and (first != record.review or not again):
            day = f"{first.time:%Y-%m-%d}"
            facts = {"where": record.path, "path": record.path, "by": first.by, "day": day}
            raise ChangedMeanwhile("draft-accepted-already", **facts)
        same = now and replace(now, notes=record.notes) == record
        if now is None or not same or _hash_file(workspace, record) != content:
            raise RuleError("draft-changed-meanwhile", where=record.path, path=record.path)
        time = _find_acceptance_time(workspace, record)
        said = clean_line(note)[:_MAX_NOTE_LENGTH]
        accepted = replace(now, review=Review(person, time, content, said, unchecked))
        workspace.store.save_draft(accepted)
    return accepted


def _find_acceptance_time(workspace: Workspace, record: DraftRecord) -> datetime:
    """Now, but after each earlier acceptance: a clock that went back would make an old one the last."""
    earlier = [
        draft.review.time for draft in workspace.store.list_drafts(record.feature) if draft.review
    ]
    now = get_now().replace(microsecond=0)
    return max([now, *(time + timedelta(seconds=1) for time in earlier)])


def find_overwrite_warning(workspace: Workspace, path: Path) -> Message | None:
    """The edit by hand that a new draft at ``path`` would overwrite, or None."""
    record = workspace.store.find_draft(get_draft_key(workspace, path))
    if record is None or get_draft_state(workspace, record) != "edited":
        return None
    since = format_minute(record.created)
    if record.review and is_acceptance_current(workspace, record):
        who = record.review.by
        return Message("draft-edited-and-accepted", path=record.path, since=since, who=who)
    return Message("draft-edited", path=record.path, since=since)


def _list_keys(workspace: Workspace, name: str) -> tuple[str, ...]:
    """The paths that a name on the command line may mean."""
    try:
        return tuple(
            get_draft_key(workspace, base / name) for base in (workspace.root, workspace.cwd)
        )
    except (OSError, ValueError, RuntimeError):
        return ()


def _hash_file(workspace: Workspace, record: DraftRecord) -> str | None:
    data = read_draft_bytes(get_draft_path(workspace, record))
    return None if data is None else hash_draft_bytes(data)


def _require_file(workspace: Workspace, record: DraftRecord) -> None:
    if get_draft_state(workspace, record) == "missing":
        raise RuleError("draft-file-missing", where=record.path, path=record.path)


def _require_fresh(workspace: Workspace, record: DraftRecord) -> None:
    stale = find_stale_reasons(workspace, record)
    if stale:
        raise RuleError("draft-stale", where=record.path, path=record.path, reasons=stale)


def _require_verified(
    result: DraftVerification, confirm: Callable[[Sequence[CheckedStatement]], bool]
) -> tuple[str, ...]:
    """The statements that are not settled and were confirmed."""
    path, faults = result.record.path, result.list_faults()
    if faults:
        shown = _cut_failures(faults)
        raise RuleError("draft-not-verified", where=path, path=path, failures=shown)
    unchecked = {item.check.sentence: item for item in result.undecided}
    if unchecked and not confirm(tuple(unchecked.values())):
        shown, number = _cut_failures(result.failures()), len(unchecked)
        raise RuleError("draft-unchecked", where=path, path=path, number=number, failures=shown)
    return tuple(unchecked)


def _cut_failures(failures: Sequence[Message]) -> tuple[Message, ...]:
    shown, more = failures[:_MAX_FAILURES], len(failures) - _MAX_FAILURES
    return (*shown, Message("draft-more-failures", number=more)) if more > 0 else (*shown,)


def _summarise_section(section: Section) -> SectionSummary:
    return SectionSummary(
        title=section.title,
        sentences=len(section.sentences),
        attribution_coverage=section.attribution_coverage,
        shown_coverage=section.shown_coverage,
        reason=section.reason,
        conflicts=section.conflicts,
        scope=section.scope,
        needs=section.needs,
        form=section.form,
        left_out=section.left_out,
        unverified=tuple(one.text for one in section.sentences if not one.verified),
    )


def _list_cited(sections: Iterable[Section]) -> Iterable[Source]:
    """The sources that sentences cite, in order of first use."""
    cited: dict[str, Source] = {}
    for section in sections:
        known = {entry.evidence.id: entry.evidence.hit.source for entry in section.sources}
        for sentence in section.sentences:
            ids = [*(quote.evidence_id for quote in sentence.quotes), *sentence.citations]
            for source in (known[key] for key in ids if key in known):
                cited.setdefault(source.path, source)
    return cited.values()


def build_used_source(workspace: Workspace, source: Source) -> UsedSource:
    """A source as a draft cites it now."""
    return UsedSource(
        path=source.path,
        title=source.title,
        content_hash=source.content_hash,
        revision=source.revision,
        revision_date=source.revision_date,
        status=source.status,
        corrections=list_correction_ids(workspace, source),
    )
