"""Why a draft is out of date: its specification or a source that it cites is another by now."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from foundry.errors import UsageError
from foundry.features import get_feature, refusal
from foundry.identity import content_hash
from foundry.records import DraftRecord, Source, UsedSource
from foundry.workspace import Workspace


def find_stale(workspace: Workspace, record: DraftRecord) -> tuple[str, ...]:
    """Every reason as a sentence; empty while the draft rests on what is there now."""
    return (*_specification(workspace, record), *_sources(workspace, record))


def _specification(workspace: Workspace, record: DraftRecord) -> Iterator[str]:
    if record.feature is None:
        return
    try:
        feature = get_feature(workspace, record.feature)
    except UsageError:
        yield f"The specification {record.feature} is gone."
        return
    if feature.status == "broken":
        yield f"The specification {refusal(feature)}"
        return
    changed = feature.content_hash != record.feature_hash
    if changed:
        yield f"The specification {feature.name} changed after this draft was written."
    if not feature.approved:
        yield f"The specification {feature.name} is {'not' if changed else 'no longer'} approved."


def _sources(workspace: Workspace, record: DraftRecord) -> Iterator[str]:
    for used in record.sources:
        source = workspace.store.find_source(used.path)
        if source is None:
            yield f"The source {used.path} was removed from the project."
        elif source.content_hash != used.content_hash:
            yield f"The source {used.path} changed after this draft was written{_to(used, source)}."
        elif _changed_on_disk(workspace.root / source.path, source):
            yield f"The file of the source {used.path} changed and is not ingested again yet."


def _to(used: UsedSource, source: Source) -> str:
    """``(revision A, now B)`` where both print one."""
    before, now = used.revision or used.revision_date, source.revision or source.revision_date
    return f" (revision {before}, now {now})" if before and now and before != now else ""


def _changed_on_disk(path: Path, source: Source) -> bool:
    """Whether a source's file has other bytes than were ingested; one that is gone has not."""
    try:
        facts = path.stat()
        modified = datetime.fromtimestamp(facts.st_mtime, UTC)
        if facts.st_size != source.size:
            return path.is_file()
        # Only a file that was touched is worth reading: sources can be large.
        same = abs((modified - source.modified).total_seconds()) < 1
        return (
            not same and path.is_file() and content_hash(path.read_bytes()) != source.content_hash
        )
    except OSError:
        return False
