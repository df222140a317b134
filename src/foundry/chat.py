"""A conversation: each follow-up is made to stand alone, and then asked like any question.

The gate judges every turn anew. Earlier answers help to understand a question and
are never evidence: no prompt for an answer holds them. A model's rewriting is only
believed where it adds no name, no number and hardly a word that nobody said.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from foundry.analysis import QueryTerm, detect_query_language, fold, query_terms
from foundry.ask import Asked, ask_streaming
from foundry.errors import FoundryError
from foundry.journal import log_failure
from foundry.ports import Generator as Model
from foundry.ports import Message, Reply
from foundry.prompts import fill
from foundry.records import Answer, Filters, SearchMode, SearchResult, Sentence, Usage
from foundry.search import require_query
from foundry.wording.followups import carried_words, leans_back
from foundry.wording.names import find_names, stands_in
from foundry.wording.spotlight import mark_lines, one_line
from foundry.workspace import Workspace
from foundry.writing import drain

How = Literal["as typed", "rewritten by the model", "words carried over"]

REMEMBERED = 6
"""Turns that a rewriting sees: what "it" stands for was said a moment ago."""

SCHEMA = {
    "type": "object",
    "properties": {"question": {"type": "string"}},
    "required": ["question"],
    "additionalProperties": False,
}
_LONGEST_REPLY = 200
_LONGEST_ANSWER = 600
_MOST_NEW_WORDS = 3
"""Plain words that a rewriting may add ("what is the … of"); names and numbers never."""


@dataclass(frozen=True, slots=True)
class Standalone:
    """A question as it is asked of the sources, and how it came from what was typed."""

    question: str
    how: How = "as typed"
    carried: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """What was typed, the question that it stood for, and the answer."""

    typed: str
    standalone: Standalone
    answer: Answer


Turning = Generator[Standalone | SearchResult | Sentence, None, Turn]
"""The question that stands alone, then the steps of its answer; returns the turn."""


@dataclass
class Conversation:
    """Questions one after the other, each in the light of those before."""

    workspace: Workspace
    filters: Filters | None = None
    mode: SearchMode | None = None
    turns: list[Turn] = field(default_factory=list)

    def ask(self, typed: str) -> Turn:
        """Answer a question. Raises like ``foundry.ask.ask``; the conversation goes on."""
        return drain(self._turn(typed, stream=False))

    def ask_streaming(self, typed: str) -> Turning:
        """The same, yielding the question that stands alone, the search, and each sentence."""
        return self._turn(typed, stream=True)

    def forget(self) -> None:
        """Begin anew: the next question stands alone."""
        self.turns.clear()

    def _turn(self, typed: str, *, stream: bool) -> Turning:
        standalone = self._understand(typed)
        yield standalone
        asked = Asked(
            question=standalone.question,
            typed=typed if standalone.how != "as typed" else None,
            kind="chat",
            language=self._language(typed),
            usage=standalone.usage,
            notices=standalone.notices,
        )
        answer = yield from ask_streaming(
            self.workspace, asked, filters=self.filters, mode=self.mode, stream=stream
        )
        turn = Turn(typed, standalone, answer)
        self.turns.append(turn)
        return turn

    def _understand(self, typed: str) -> Standalone:
        try:
            return stand_alone(self.workspace, require_query(typed), self.turns)
        except FoundryError as error:
            log_failure(self.workspace, "chat", typed, self.filters, error)
            raise

    def _language(self, typed: str) -> str | None:
        """The language of what was typed; of the turn before where a few words do not tell."""
        if self.workspace.config.generation.language != "question":
            return None
        spoken = detect_query_language(typed)
        if spoken == "und" and self.turns:
            return self.turns[-1].answer.language
        return spoken if spoken != "und" else None


def stand_alone(workspace: Workspace, typed: str, turns: Sequence[Turn]) -> Standalone:
    """The question that a follow-up stands for: by the model, else by carrying words over."""
    if not turns:
        return Standalone(typed)
    model = workspace.generator
    if model is None:
        return _carry_over(typed, turns)
    reply = _rewrite(model, workspace, typed, turns)
    rewritten = _read(reply)
    problem = _added(rewritten, typed, turns) if rewritten else "it held no question"
    if problem is None:
        if _same(rewritten, typed):
            return Standalone(typed, usage=reply.usage, notices=reply.notices)
        notices = (*reply.notices, f"Read as: {rewritten}")
        return Standalone(rewritten, "rewritten by the model", (), reply.usage, notices)
    carried = _carry_over(typed, turns)
    notice = f"The model's rewriting of the question was not used: {problem}."
    return replace(carried, usage=reply.usage, notices=(*reply.notices, notice, *carried.notices))


def _carry_over(typed: str, turns: Sequence[Turn]) -> Standalone:
    carried = carried_words(typed, turns[-1].standalone.question) if leans_back(typed) else ()
    if not carried:
        return Standalone(typed)
    words = " ".join(carried)
    notice = f"Read as a follow-up: {words!r} was carried over from the question before."
    question = f"{typed.rstrip(' ?!.')} ({words})?"
    return Standalone(question, "words carried over", carried, notices=(notice,))


def _rewrite(model: Model, workspace: Workspace, typed: str, turns: Sequence[Turn]) -> Reply:
    told = "\n".join(_told(turn) for turn in turns[-REMEMBERED:])
    values = {"history": mark_lines(told, "H"), "question": one_line(typed)}
    asked = Message("user", fill(workspace.templates.standalone, values))
    return model.generate([asked], schema=SCHEMA, max_tokens=_LONGEST_REPLY)


def _told(turn: Turn) -> str:
    answer = turn.answer.text[:_LONGEST_ANSWER] or "(no answer in the sources)"
    return f"Question: {turn.standalone.question}\nAnswer: {' '.join(answer.split())}"


def _read(reply: Reply) -> str:
    text = reply.data.get("question") if reply.data is not None else reply.text
    lines = [line.strip(" \"'`") for line in str(text).splitlines() if line.strip()]
    # Prose around a question is talk, not a question.
    return lines[0] if len(lines) == 1 and len(lines[0]) <= 500 else ""


def _same(one: str, other: str) -> bool:
    return re.findall(r"\w+", fold(one)) == re.findall(r"\w+", fold(other))


def _added(rewritten: str, typed: str, turns: Sequence[Turn]) -> str | None:
    """What a rewriting brings in that nobody said, or None."""
    said = fold(" ".join([typed, *(_told(turn) for turn in turns)]))
    for name in find_names(rewritten):
        if not name.initial and not stands_in(name, said):
            return f"nobody said {name.text!r}"
    for number in re.findall(r"\d+(?:[.,]\d+)*", rewritten):
        if not re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)", said):
            return f"nobody said {number!r}"
    known = {term for word in _terms(said) for term in word.terms}
    new = [word.word for word in _terms(rewritten) if not known.intersection(word.terms)]
    if len(new) > _MOST_NEW_WORDS:
        return f"it brought in {', '.join(map(repr, new[:5]))}"
    kept = {term for word in _terms(rewritten) for term in word.terms}
    lost = [word.word for word in _terms(typed) if not kept.intersection(word.terms)]
    if len(lost) > _MOST_NEW_WORDS:
        return f"it left out {', '.join(map(repr, lost[:5]))}"
    return None


def _terms(text: str) -> tuple[QueryTerm, ...]:
    return query_terms(text, ("en", "nl"))
