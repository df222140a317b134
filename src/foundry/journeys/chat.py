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

from foundry.analysis import QueryTerm, analyse_query, detect_query_language, fold
from foundry.errors import FoundryError
from foundry.journeys.ask import AskRequest, ask_streaming
from foundry.journeys.query_log import log_failure
from foundry.journeys.search import require_query
from foundry.journeys.writing import run_to_end
from foundry.ports import Generator as Model
from foundry.ports import Message, Reply
from foundry.prompts import fill
from foundry.prompts.schemas import TEXT, build_object
from foundry.records import Answer, Filters, SearchMode, SearchResult, Sentence, Usage
from foundry.text.followups import find_context_words, is_follow_up
from foundry.text.names import find_names, is_mentioned_in
from foundry.text.spotlight import escape_line, mark_lines
from foundry.workspace import Workspace

RewriteMethod = Literal["as typed", "rewritten by the model", "words carried over"]

MAX_TURNS = 6
"""Turns that a rewriting sees: what "it" stands for was said a moment ago."""

SCHEMA = build_object(question=TEXT)
_MAX_REPLY_TOKENS = 200
_MAX_ANSWER_LENGTH = 600
_MAX_NEW_WORDS = 3
"""Plain words that a rewriting may add ("what is the … of"); names and numbers never."""


@dataclass(frozen=True, slots=True)
class StandaloneQuestion:
    """A question as it is asked of the sources, and how it came from what was typed."""

    question: str
    how: RewriteMethod = "as typed"
    carried: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """What was typed, the question that it stood for, and the answer."""

    typed: str
    standalone: StandaloneQuestion
    answer: Answer


TurnStream = Generator[StandaloneQuestion | SearchResult | Sentence, None, Turn]
"""The question that stands alone, then the steps of its answer; returns the turn."""


@dataclass
class Conversation:
    """Questions one after the other, each in the light of those before."""

    workspace: Workspace
    filters: Filters | None = None
    mode: SearchMode | None = None
    turns: list[Turn] = field(default_factory=list)

    def ask(self, typed: str) -> Turn:
        """Answer a question. Raises like ``foundry.journeys.ask.ask``; the conversation goes on."""
        return run_to_end(self._turn(typed, stream=False))

    def ask_streaming(self, typed: str) -> TurnStream:
        """The same, yielding the question that stands alone, the search, and each sentence."""
        return self._turn(typed, stream=True)

    def forget(self) -> None:
        """Begin anew: the next question stands alone."""
        self.turns.clear()

    def _turn(self, typed: str, *, stream: bool) -> TurnStream:
        standalone = self._understand(typed)
        yield standalone
        asked = AskRequest(
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

    def _understand(self, typed: str) -> StandaloneQuestion:
        try:
            return make_standalone(self.workspace, require_query(typed), self.turns)
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


def make_standalone(workspace: Workspace, typed: str, turns: Sequence[Turn]) -> StandaloneQuestion:
    """The question that a follow-up stands for: by the model, else by carrying words over."""
    if not turns:
        return StandaloneQuestion(typed)
    model = workspace.generator
    if model is None:
        return _carry_over(typed, turns)
    reply = _rewrite(model, workspace, typed, turns)
    rewritten = _parse_question(reply)
    problem = _find_distortion(rewritten, typed, turns) if rewritten else "it held no question"
    if problem is None:
        if _is_same_question(rewritten, typed):
            return StandaloneQuestion(typed, usage=reply.usage, notices=reply.notices)
        notices = (*reply.notices, f"Read as: {rewritten}")
        return StandaloneQuestion(rewritten, "rewritten by the model", (), reply.usage, notices)
    carried = _carry_over(typed, turns)
    notice = f"The model's rewriting of the question was not used: {problem}."
    return replace(carried, usage=reply.usage, notices=(*reply.notices, notice, *carried.notices))


def _carry_over(typed: str, turns: Sequence[Turn]) -> StandaloneQuestion:
    carried = (
        find_context_words(typed, turns[-1].standalone.question) if is_follow_up(typed) else ()
    )
    if not carried:
        return StandaloneQuestion(typed)
    words = " ".join(carried)
    notice = f"Read as a follow-up: {words!r} was carried over from the question before."
    question = f"{typed.rstrip(' ?!.')} ({words})?"
    return StandaloneQuestion(question, "words carried over", carried, notices=(notice,))


def _rewrite(model: Model, workspace: Workspace, typed: str, turns: Sequence[Turn]) -> Reply:
    told = "\n".join(_render_turn(turn) for turn in turns[-MAX_TURNS:])
    values = {"history": mark_lines(told, "H"), "question": escape_line(typed)}
    asked = Message("user", fill(workspace.templates.standalone, values))
    return model.generate([asked], schema=SCHEMA, max_tokens=_MAX_REPLY_TOKENS)


def _render_turn(turn: Turn) -> str:
    answer = turn.answer.text[:_MAX_ANSWER_LENGTH] or "(no answer in the sources)"
    return f"Question: {turn.standalone.question}\nAnswer: {' '.join(answer.split())}"


def _parse_question(reply: Reply) -> str:
    text = reply.data.get("question") if reply.data is not None else reply.text
    lines = [line.strip(" \"'`") for line in str(text).splitlines() if line.strip()]
    # Prose around a question is talk, not a question.
    return lines[0] if len(lines) == 1 and len(lines[0]) <= 500 else ""


def _is_same_question(one: str, other: str) -> bool:
    return re.findall(r"\w+", fold(one)) == re.findall(r"\w+", fold(other))


def _find_distortion(rewritten: str, typed: str, turns: Sequence[Turn]) -> str | None:
    """What a rewriting brings in that nobody said, or None."""
    said = fold(" ".join([typed, *(_render_turn(turn) for turn in turns)]))
    for name in find_names(rewritten):
        if not name.initial and not is_mentioned_in(name, said):
            return f"nobody said {name.text!r}"
    for number in re.findall(r"\d+(?:[.,]\d+)*", rewritten):
        if not re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)", said):
            return f"nobody said {number!r}"
    known = {term for word in _analyse_terms(said) for term in word.terms}
    new = [word.word for word in _analyse_terms(rewritten) if not known.intersection(word.terms)]
    if len(new) > _MAX_NEW_WORDS:
        return f"it brought in {', '.join(map(repr, new[:5]))}"
    kept = {term for word in _analyse_terms(rewritten) for term in word.terms}
    lost = [word.word for word in _analyse_terms(typed) if not kept.intersection(word.terms)]
    if len(lost) > _MAX_NEW_WORDS:
        return f"it left out {', '.join(map(repr, lost[:5]))}"
    return None


def _analyse_terms(text: str) -> tuple[QueryTerm, ...]:
    return analyse_query(text, ("en", "nl"))
