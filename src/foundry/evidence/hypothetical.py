"""HyDE: a language model's short hypothetical answer, to search the vectors with (decision D0006).

It is searched with and thrown away: nobody reads it, nothing cites it, and it is no
evidence. A model that fails costs nothing but the step, which is then said.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from foundry.craft.prompting import LANGUAGES
from foundry.errors import ModelError
from foundry.ports import CountTokens, Message
from foundry.prompts import fill
from foundry.records import SearchMode, Usage
from foundry.workspace import Workspace

_ASKED = 160
_KEPT = 120
"""Tokens. Fewer than 100 are asked for; a model that writes on is cut at a sentence's end."""


@dataclass(frozen=True, slots=True)
class Hypothetical:
    """The text to search with; empty where the step was skipped, with the reason in ``notices``."""

    text: str = ""
    usage: Usage = field(default_factory=Usage)
    notices: tuple[str, ...] = ()


def write_hypothetical(
    workspace: Workspace, question: str, language: str, mode: SearchMode
) -> Hypothetical:
    """What a manual might say in answer to the question, as ``retrieval.hyde_model`` imagines it.

    Only after the gate has opened. A mode without vectors has no use for it.
    """
    if not workspace.config.retrieval.hyde or mode == "bm25":
        return Hypothetical()
    model = workspace.hyde_model
    if model is None:
        named = workspace.config.retrieval.hyde_model
        return _skipped(f"retrieval.hyde_model is {named}")
    values = {"question": question, "language": LANGUAGES.get(language, "the question's language")}
    asked = Message("user", fill(workspace.templates.hyde, values))
    try:
        reply = model.generate([asked], max_tokens=_ASKED)
    except ModelError as error:
        return _skipped(error.message)
    text = _shortened(" ".join(reply.text.split()), workspace.count_tokens)
    if not text:
        return Hypothetical("", reply.usage, _skipped("the model wrote nothing").notices)
    # That a reply was cut off at its limit is no loss here.
    return Hypothetical(text, reply.usage)


def _skipped(reason: str) -> Hypothetical:
    return Hypothetical(notices=(f"HyDE was skipped: {reason.rstrip('.')}.",))


def _shortened(text: str, count: CountTokens) -> str:
    """The text within ``_KEPT`` tokens, cut after a sentence where there is one, else after a word."""
    words = text.split(" ")
    while words and count(" ".join(words)) > _KEPT:
        words = words[: max(len(words) * 9 // 10, 1)] if len(words) > 1 else []
    kept = " ".join(words)
    if kept == text:
        return text
    stop = max(kept.rfind(mark) for mark in (". ", "! ", "? "))
    return kept[: stop + 1] if stop > 0 else kept
