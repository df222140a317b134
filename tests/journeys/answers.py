"""Answers of a scripted model over the small project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foundry.journeys.chat import chat_streaming
from foundry.ports import run_to_end
from foundry.records import Answer, EarlierTurn, Turn
from foundry.workspace import Workspace, open_workspace
from tests.support.model_server import Json, ModelServer, Text

FUSE = "What is the rating of the input fuse?"
RATED = "The input fuse is rated at 3.15 A slow."


def chat(workspace: Workspace, typed: str, earlier: Sequence[EarlierTurn] = ()) -> Turn:
    """A turn of a conversation, at once."""
    return run_to_end(chat_streaming(workspace, typed, earlier, stream=False))


@dataclass
class Talk:
    """Questions in sequence, with the turns kept as a face keeps them."""

    workspace: Workspace
    earlier: list[EarlierTurn] = field(default_factory=list)

    def ask(self, typed: str) -> Turn:
        turn = chat(self.workspace, typed, self.earlier)
        self.earlier.append(turn.as_earlier())
        return turn


def said(*statements: tuple[str, str]) -> Text:
    """A structured reply: statements with the ids they cite, separated by spaces."""
    rows: list[dict[str, Any]] = [
        {"text": text, "citations": cited.split()} for text, cited in statements
    ]
    return Json({"sentences": rows})


def rewritten(*statements: tuple[str, str], replaces: str = "R1") -> Text:
    """A structured reply to a stricter prompt; the statements replace these, separated by spaces."""
    numbers = replaces.split()
    rows: list[dict[str, Any]] = [
        {"replaces": numbers[min(n, len(numbers) - 1)], "text": text, "citations": cited.split()}
        for n, (text, cited) in enumerate(statements)
    ]
    return Json({"sentences": rows})


def judged(
    *verdicts: tuple[str, str],
    passage: str = "S1",
    missing: str = "",
    correction: str = "",
    fits: str = "yes",
    unanswered: str = "",
) -> Text:
    """A judge's reply: the verdict on each statement in its order, with a quote of the passage.

    After them it rejects the control, which a prompt may have.
    """
    rows = [
        {
            "id": f"C{n}",
            "quotes": [{"passage": passage, "quote": quote}] if quote else [],
            "missing": missing,
            "verdict": verdict,
            "fits": fits,
            "correction": "" if verdict == "supported" else correction,
        }
        for n, (verdict, quote) in enumerate(verdicts, 1)
    ]
    rows.append({"id": f"C{len(rows) + 1}", "quotes": [], "verdict": "not"})
    return Json({"verdicts": rows, "unanswered": unanswered})


def online(built: Path, server: ModelServer, **variables: str) -> Workspace:
    environment = {
        "FOUNDRY_GENERATION__MODEL": "openai/scripted",
        "FOUNDRY_MODE": "online",
        "FOUNDRY_MODELS__CACHE": "false",
        "FOUNDRY_MODELS__MAX_RETRIES": "0",
        "FOUNDRY_VALIDATION__VERIFIER": "none",
        "OPENAI_API_KEY": "test",
        "OPENAI_API_BASE": server.openai,
        **variables,
    }
    return open_workspace(built, environment=environment, cwd=built)


def quotes_are_in_their_source(workspace: Workspace, answer: Answer) -> bool:
    quotes = [quote for cited in answer.sources for quote in cited.quotes]
    texts = {
        cited.evidence.id: workspace.store.source_text(cited.evidence.hit.source.id)
        for cited in answer.sources
    }
    return bool(quotes) and all(
        texts[quote.evidence_id][quote.start : quote.end] == quote.text for quote in quotes
    )
