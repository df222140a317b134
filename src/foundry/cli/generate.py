"""``foundry generate``."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.output import count, say, say_notices, show, show_json
from foundry.cli.progress import shown_progress
from foundry.cli.project import open_project
from foundry.cli.question import read_question
from foundry.cli.scope import Scope, scope_options
from foundry.cli.status import DONE, NO_EVIDENCE
from foundry.generate import generate
from foundry.records import Draft
from foundry.render.answer import NO_EVIDENCE as NOTHING_FOUND
from foundry.render.files import OverwriteRefused, check_output_path, write_document
from foundry.render.markdown import render_markdown
from foundry.workspace import Workspace


@click.command("generate")
@click.option("--topic", required=True, help="What the document is about; - for standard input.")
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The Markdown file to write, inside the folder you are in or an allowed one.",
)
@click.option("--yes", is_flag=True, help="Overwrite an existing file without asking.")
@scope_options
@common_options
@pass_call
def command(
    call: Call,
    *,
    topic: str,
    output: Path,
    yes: bool,
    scope: Scope,
) -> int:
    """Write a cited document on a topic.

    Every statement carries a footnote to the passage it rests on. When the sources
    hold nothing on the topic, no file is written and the exit status is 3.
    """
    text = read_question((topic,), "topic")
    with open_project(call) as workspace:
        path, overwrite = _choose_path(workspace, output, yes=yes)
        chosen = scope.read(workspace, call)
        with shown_progress(call) as progress:
            draft = generate(workspace, text, filters=chosen, mode=scope.mode, progress=progress)
        written = draft.verdict != "no_evidence"
        if written:
            write_document(path, render_markdown(draft), overwrite=overwrite)
    if call.json:
        show_json(_as_dict(draft, path if written else None))
    elif written:
        say_notices(call, draft.notices)
        show(_as_text(draft, path))
    else:
        show("\n".join([NOTHING_FOUND, *draft.notices, f"{path} was not written."]))
    return DONE if written else NO_EVIDENCE


def _choose_path(workspace: Workspace, output: Path, *, yes: bool) -> tuple[Path, bool]:
    """The file to write and whether it may replace one: settled before anything is retrieved."""
    allowed = [workspace.root / folder for folder in workspace.config.output.allowed_dirs]
    path = check_output_path(output, Path.cwd(), allowed)
    if not path.exists():
        return path, False
    if not yes:
        _ask_to_overwrite(output)
    return path, True


def _ask_to_overwrite(output: Path) -> None:
    fix = "Choose another --output, or give --yes to overwrite it."
    if not sys.stdin.isatty():
        raise OverwriteRefused(f"File exists: {output.name}", where=str(output), fix=fix)
    say(f"File exists: {output.name}")
    if not click.confirm("Overwrite?", err=True):
        raise OverwriteRefused(f"{output.name} was left as it is.", where=str(output), fix=fix)


def _as_dict(draft: Draft, path: Path | None) -> dict[str, Any]:
    return {
        "path": str(path) if path else None,
        "topic": draft.topic,
        "verdict": draft.verdict,
        "coverage": draft.attribution_coverage,
        "shown_coverage": draft.shown_coverage,
        "sections": [
            {
                "title": section.title,
                "sentences": len(section.sentences),
                "sources": len(section.sources),
                "coverage": section.attribution_coverage,
                "reason": section.reason,
            }
            for section in draft.sections
        ],
        "sources": _cited_paths(draft),
        "model": draft.model,
        "mode": draft.mode,
        "usage": dataclasses.asdict(draft.usage),
        "notices": list(draft.notices),
        "seconds": round(_seconds(draft), 3),
    }


def _as_text(draft: Draft, path: Path) -> str:
    filled = [section for section in draft.sections if section.sentences]
    coverage = "not measured"
    if draft.attribution_coverage is not None:
        coverage = f"{draft.attribution_coverage:.0%}"
    sections, sources = count(len(filled), "section"), count(len(_cited_paths(draft)), "source")
    made = f"{sections} from {sources}, by {draft.model}"
    lines = [f"Wrote {path}", f"  {made}, in {_seconds(draft):.1f} s; coverage {coverage}."]
    if draft.verdict == "low_confidence":
        lines.append("  LOW CONFIDENCE: limited source coverage.")
    lines += [f"  Empty: {s.title}: {s.reason}" for s in draft.sections if not s.sentences]
    return "\n".join(lines)


def _cited_paths(draft: Draft) -> list[str]:
    """The sources that the draft cites, by path, in order of first use."""
    cited = (cited for section in draft.sections for cited in section.sources)
    return list(dict.fromkeys(entry.evidence.hit.source.path for entry in cited))


def _seconds(draft: Draft) -> float:
    total = draft.timings_ms.get("total")
    return (sum(draft.timings_ms.values()) if total is None else total) / 1000
