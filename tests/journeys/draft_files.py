"""A draft over the small project, written without a generator: each statement with its quote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from foundry.journeys.drafts import register_draft
from foundry.journeys.search import search
from foundry.journeys.specifications import approve_specification, get_specification
from foundry.messages import Message
from foundry.records import (
    CitedSource,
    Conflict,
    ConflictSide,
    Draft,
    DraftRecord,
    Evidence,
    Hit,
    Quote,
    Section,
    Sentence,
    Usage,
)
from foundry.render.markdown import render_markdown
from foundry.workspace import Workspace

SUPPLY = "The controller runs on a supply of 12 V DC with at most 2.5 A."
FUSE = "The input fuse is rated at 3.15 A slow."
OUTPUTS = "Each of the four outputs delivers 512 channels at a refresh rate of 44 Hz."
STORED = "Bewaar de regelaar droog bij een temperatuur tussen 5 en 40 graden."
EMPTY = Message("answer-no-hits")
RULE = Message("conflict-hierarchy", best="rev-b.pdf", below="rev-a.pdf")
SECTIONS = {
    SUPPLY: "3.1 Supply",
    FUSE: "3.1 Supply",
    OUTPUTS: "3.2 Outputs",
    STORED: "2 Opslag",
}
WHEN = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
FILE = "output/supply.md"
SPEC = "---\ntitle: Supply\nowner: Ann\nsections:\n  - Supply\n  - Transport\n---\n\nFor whom.\n"


def write_spec(workspace: Workspace, name: str = "supply") -> Path:
    """An approved specification."""
    path = workspace.root / "features" / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(SPEC, encoding="utf-8")
    approve_specification(workspace, name, "Ann")
    return path


def make_draft(
    workspace: Workspace,
    statements: Sequence[str],
    feature: str | None,
    *,
    conflicting: bool = False,
) -> Draft:
    """Two sections: the statements, each quoted from its source, and one without evidence."""
    cited = [_cited(workspace, text, f"S{at}") for at, text in enumerate(statements, 1)]
    sentences = [
        Sentence(text, (one.evidence.id,), one.quotes)
        for text, one in zip(statements, cited, strict=True)
    ]
    filled = Section("Supply", tuple(sentences), tuple(cited), attribution_coverage=1.0)
    conflicts = (_conflict(cited[0]),) if conflicting else ()
    filled = replace(filled, conflicts=conflicts)
    empty = Section("Transport", (), reason=EMPTY, verdict="no_evidence")
    draft = Draft(
        topic="Supply", language="en", verdict="answer", sections=(filled, empty),
        model="builtin/extractive", mode="offline", attribution_coverage=1.0, shown_coverage=1.0,
        timings_ms={}, usage=Usage(), created=WHEN,
    )  # fmt: skip
    return replace(draft, feature=get_specification(workspace, feature)) if feature else draft


def _cited(workspace: Workspace, text: str, identity: str) -> CitedSource:
    hit = next(hit for hit in search(workspace, text).hits if text in _source_text(workspace, hit))
    start = _source_text(workspace, hit).index(text)
    quote = Quote(identity, text, start, start + len(text), section=SECTIONS[text])
    return CitedSource(Evidence(identity, hit), (quote,))


def _conflict(cited: CitedSource) -> Conflict:
    """A contradiction with a revision that does not exist, which would fail verification."""
    hit, quote = cited.evidence.hit, cited.quotes[0]
    side = ConflictSide(hit.chunk.id, hit.source.path, quote)
    other = replace(side, source="sources/rev-a.pdf", quote=replace(quote, text="Rated at 9 A."))
    values = ("3.15 A", "9 A")
    return Conflict(
        "number", side, other, values, Message("conflict-no-reason"), holds="a", rule=RULE
    )


def _source_text(workspace: Workspace, hit: Hit) -> str:
    return workspace.store.source_text(hit.source.id)


def put_draft(
    workspace: Workspace,
    *statements: str,
    feature: str | None = "supply",
    file: str = FILE,
    created: datetime = WHEN,
    conflicting: bool = False,
) -> DraftRecord:
    """Write and register a draft, as ``foundry generate`` does."""
    if feature and not (workspace.root / "features" / f"{feature}.md").exists():
        write_spec(workspace, feature)
    statements = statements or (SUPPLY, FUSE, OUTPUTS)
    draft = make_draft(workspace, statements, feature, conflicting=conflicting)
    draft = replace(draft, created=created)
    path = workspace.root / file
    path.parent.mkdir(exist_ok=True, parents=True)
    text = render_markdown(draft)
    path.write_text(text, encoding="utf-8")
    return register_draft(workspace, draft, path, text)
