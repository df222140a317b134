"""The drafts of a project: registered when their file is written, verified, accepted.

A draft is known by its file's path. What was written there is known by its hash, so an edit
by hand shows; line ends and a byte order mark, which a checkout on another system changes,
are no edit. Nothing here writes or mends a draft's file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from foundry.errors import RuleError, UsageError
from foundry.journeys.drafts.state import (
    find_stale_reasons,
    get_draft_key,
    get_draft_path,
    hash_draft_file,
    hash_draft_text,
)
from foundry.journeys.drafts.verification import DraftVerification, verify_draft_file
from foundry.journeys.specifications import require_person
from foundry.ports import Progress
from foundry.records import (
    Draft,
    DraftRecord,
    DraftState,
    Review,
    Section,
    SectionSummary,
    Source,
    UsedSource,
)
from foundry.workspace import Workspace

_MAX_NOTE_LENGTH = 2_000
_MAX_FAILURES = 8


def register_draft(workspace: Workspace, draft: Draft, path: Path, text: str) -> DraftRecord:
    """Remember a draft whose ``text`` was just written to ``path``, in place of an earlier one there.

    An earlier acceptance ends: it was for other words.
    """
    record = DraftRecord(
        path=get_draft_key(workspace, path),
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
        sources=tuple(_build_used_source(source) for source in _list_cited(draft.sections)),
        usage=draft.usage,
    )
    workspace.store.save_draft(record)
    return record


def list_drafts(workspace: Workspace, feature: str | None = None) -> tuple[DraftRecord, ...]:
    """All drafts, or those of one feature; the latest first."""
    return tuple(workspace.store.list_drafts(feature))


def get_draft(workspace: Workspace, name_or_path: str) -> DraftRecord:
    """The draft at a path, else the latest of a feature of that name. Raises ``UsageError``.

    A path counts from the project or from where the program runs; a file's name alone is
    enough where only one draft has it.
    """
    drafts = list_drafts(workspace)
    keys = {name_or_path, *_list_keys(workspace, name_or_path)}
    bare = name_or_path.removeprefix("features/").removesuffix(".md")
    for one in drafts:
        if one.path in keys:
            return one
    for one in drafts:
        if one.feature == bare:
            return one
    named = [one for one in drafts if Path(one.path).name == name_or_path]
    if len(named) == 1:
        return named[0]
    listed = ", ".join(dict.fromkeys(one.path for one in drafts))
    raise UsageError(
        f"There is no draft {name_or_path!r}, and none of a feature of that name.",
        where="drafts",
        fix=f"There are: {listed}."
        if drafts
        else "Write one: `foundry generate --feature NAME --topic TOPIC --output PATH`.",
    )


def get_draft_state(workspace: Workspace, record: DraftRecord) -> DraftState:
    """Whether the file is as Foundry wrote it; what cannot be read as a file is missing."""
    found = hash_draft_file(get_draft_path(workspace, record))
    if found is None:
        return "missing"
    return "as written" if found == record.content_hash else "edited"


def is_acceptance_current(workspace: Workspace, record: DraftRecord) -> bool:
    """True when somebody accepted exactly the words that the file has now."""
    review = record.review
    return (
        review is not None
        and hash_draft_file(get_draft_path(workspace, record)) == review.content_hash
    )


def verify_draft(
    workspace: Workspace, name: str, *, progress: Progress = lambda _step: None
) -> DraftVerification:
    """Check a draft as its file is now: its footnotes, their quotes, then every statement.

    Raises ``UsageError`` for an unknown draft, ``RuleError`` where its file is gone, and
    otherwise like ``foundry.journeys.verify.verify``.
    """
    record = get_draft(workspace, name)
    _require_file(workspace, record)
    return verify_draft_file(workspace, record, progress)


def accept_draft(
    workspace: Workspace,
    name: str,
    by: str,
    note: str = "",
    *,
    progress: Progress = lambda _step: None,
) -> DraftRecord:
    """Record that ``by`` reviewed the draft as its file is now; the last acceptance counts.

    Raises ``RuleError`` where it is out of date, and where it was edited by hand and
    something in it cannot be verified.
    """
    person = require_person(by)
    record = get_draft(workspace, name)
    _require_file(workspace, record)
    _require_fresh(workspace, record)
    content = hash_draft_file(get_draft_path(workspace, record)) or ""
    if content != record.content_hash:
        _require_verified(verify_draft_file(workspace, record, progress))
    now = workspace.store.find_draft(record.path)
    if now != record or hash_draft_file(get_draft_path(workspace, record)) != content:
        raise RuleError(
            f"{record.path} changed while it was being accepted; nothing was recorded.",
            where=record.path,
            fix="Review it again and repeat the command.",
        )
    time = datetime.now(UTC).replace(microsecond=0)
    accepted = replace(record, review=Review(person, time, content, _clean_note(note)))
    workspace.store.save_draft(accepted)
    return accepted


def find_overwrite_warning(workspace: Workspace, path: Path) -> str | None:
    """What would be lost by writing a new draft there: an edit by hand; None where nothing is."""
    record = workspace.store.find_draft(get_draft_key(workspace, path))
    if record is None or get_draft_state(workspace, record) != "edited":
        return None
    accepted = ""
    if record.review and is_acceptance_current(workspace, record):
        accepted = f" and accepted by {record.review.by}"
    since = f"{record.created.astimezone():%Y-%m-%d %H:%M}"
    return f"{record.path} was edited by hand since it was written ({since}){accepted}."


def _list_keys(workspace: Workspace, name: str) -> tuple[str, ...]:
    """The paths that a name on the command line can stand for."""
    try:
        return get_draft_key(workspace, workspace.root / name), get_draft_key(
            workspace, Path.cwd() / name
        )
    except (OSError, ValueError, RuntimeError):
        return ()


def _require_file(workspace: Workspace, record: DraftRecord) -> None:
    if get_draft_state(workspace, record) == "missing":
        raise RuleError(
            f"The file of the draft cannot be read, or is gone: {record.path}.",
            where=record.path,
            fix="Put the file back, or generate the draft again with the same --output.",
        )


def _require_fresh(workspace: Workspace, record: DraftRecord) -> None:
    stale = find_stale_reasons(workspace, record)
    if stale:
        raise RuleError(
            f"{record.path} is out of date: {' '.join(stale)}",
            where=record.path,
            fix="Run `foundry generate` again for it, after an ingest where a source changed. Where "
            "only the approval is missing, `foundry feature approve` is enough.",
        )


def _require_verified(found: DraftVerification) -> None:
    if not found.passed:
        told = found.failures()
        more = f" And {len(told) - _MAX_FAILURES} more." if len(told) > _MAX_FAILURES else ""
        raise RuleError(
            f"{found.record.path} was edited and does not pass: {' '.join(told[:_MAX_FAILURES])}{more}",
            where=found.record.path,
            fix=f"Mend what is named; `foundry draft verify {found.record.path}` shows all of it.",
        )


def _clean_note(note: str) -> str:
    words = "".join(c if c.isprintable() else " " for c in note)
    return " ".join(words.split())[:_MAX_NOTE_LENGTH]


def _summarise_section(section: Section) -> SectionSummary:
    return SectionSummary(
        title=section.title,
        sentences=len(section.sentences),
        attribution_coverage=section.attribution_coverage,
        shown_coverage=section.shown_coverage,
        reason=section.reason,
        conflicts=section.conflicts,
    )


def _list_cited(sections: Iterable[Section]) -> Iterable[Source]:
    """The sources that sentences cite, each once, in order of first use."""
    found: dict[str, Source] = {}
    for section in sections:
        known = {entry.evidence.id: entry.evidence.hit.source for entry in section.sources}
        for sentence in section.sentences:
            ids = [*(quote.evidence_id for quote in sentence.quotes), *sentence.citations]
            for source in (known[one] for one in ids if one in known):
                found.setdefault(source.path, source)
    return found.values()


def _build_used_source(source: Source) -> UsedSource:
    return UsedSource(
        path=source.path,
        title=source.title,
        content_hash=source.content_hash,
        revision=source.revision,
        revision_date=source.revision_date,
    )
