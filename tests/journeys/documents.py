"""Approved features with accepted drafts, written and registered by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from foundry.journeys.drafts import accept_draft
from foundry.journeys.drafts.state import hash_draft_text
from foundry.journeys.specifications import approve_specification, get_specification
from foundry.records import DraftRecord, SectionSummary, UsedSource
from foundry.workspace import Workspace

WHEN = datetime(2026, 3, 5, 12, 30, tzinfo=UTC)
FUSE = "The input fuse is rated at 3.15 A slow.[^1]"
FUSE_NOTE = "[^1]: datasheet.md §3.1\n\n    > The input fuse is rated at 3.15 A slow.\n"


def specify(workspace: Workspace, name: str, title: str) -> None:
    """Write a specification and approve it."""
    path = workspace.root / "features" / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    text = f"---\ntitle: {title}\nowner: O. Wner\nstatus: draft\nsections:\n  - Supply\n---\n\n"
    path.write_text(f"{text}What the supply of the controller is.\n", encoding="utf-8")
    approve_specification(workspace, name, "A. Prover")


def draft(
    workspace: Workspace, feature: str, text: str = "", *, accept: bool = True, **changes: object
) -> DraftRecord:
    """A draft in ``output/FEATURE.md``, registered as ``generate`` would: of a feature, or of an agent."""
    text = text or f"# {feature}\n\n## Supply\n\n{FUSE}\n\n{FUSE_NOTE}"
    path = workspace.root / "output" / f"{feature}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    source = workspace.store.find_source("sources/datasheet.md")
    assert source is not None
    used = UsedSource(source.path, source.title, source.content_hash)
    alone = "agent" in changes and "feature" not in changes
    record = DraftRecord(
        path=f"output/{feature}.md", topic=feature, created=WHEN, content_hash=hash_draft_text(text),
        feature=None if alone else feature,
        feature_hash=None if alone else get_specification(workspace, feature).content_hash,
        verdict="answer", language="en", model="builtin/extractive", mode="offline",
        attribution_coverage=1.0, shown_coverage=1.0,
        sections=(SectionSummary("Supply", 1, 1.0, 1.0),), sources=(used,),
    )  # fmt: skip
    workspace.store.save_draft(replace(record, **changes))  # type: ignore[arg-type]
    return accept_draft(workspace, record.path, "R. Viewer") if accept else record


def file_of(workspace: Workspace, feature: str) -> Path:
    """The file that ``draft`` wrote."""
    return workspace.root / "output" / f"{feature}.md"
