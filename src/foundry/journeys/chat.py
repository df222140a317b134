"""A conversation: each follow-up is rewritten to be understood alone, then asked like any question.

The gate judges every turn afresh. Earlier answers help to understand a question but are never
evidence: no prompt for an answer contains them. A question that stands alone is asked as typed. A
model's rewriting is used only if it adds no name, no number and hardly any word that was not in the
conversation, except a period next to one of it: "and the year before?"
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from foundry.analysis import analyse_query, detect_query_language, fold
from foundry.analysis.lexer import WORD
from foundry.errors import FoundryError
from foundry.journeys.ask import AskRequest, ask_streaming
from foundry.journeys.query_log import log_failure
from foundry.journeys.question import require_query
from foundry.messages import Message
from foundry.ports import ChatMessage, Reply
from foundry.ports import Generator as Model
from foundry.prompts import TEXT, build_object, fill
from foundry.records import (
    EarlierTurn,
    Event,
    Filters,
    QueryTerm,
    SearchMode,
    StandaloneQuestion,
    Turn,
)
from foundry.text.followups import find_context_words, is_follow_up, stands_alone
from foundry.text.names import find_names, is_mentioned_in
from foundry.text.periods import find_periods, is_next_period
from foundry.text.spotlight import escape_line, mark_lines
from foundry.workspace import Workspace

MAX_TURNS = 6
"""Turns that a rewriting sees: "it" refers to something recent (a guess)."""

SCHEMA = build_object(question=TEXT)
_MAX_REPLY_TOKENS = 200
_MAX_ANSWER_LENGTH = 600
_MAX_NEW_WORDS = 3
"""Plain words that a rewriting may add or drop ("what is the … of"); names and numbers never."""
_MAX_QUESTION_LENGTH = 500


TurnStream = Generator[Event, None, Turn]
"""The standalone question, then the steps of its answer; returns the turn."""


def chat_streaming(
    workspace: Workspace,
    typed: str,
    earlier: Sequence[EarlierTurn] = (),
    *,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    complete: bool = False,
    stream: bool = True,
    who: str = "",
) -> TurnStream:
    """Answer a question that may refer to earlier ones, the oldest first; nothing is kept here.

    Yields the standalone question, the search and each sentence; returns the turn, of which
    ``[*earlier, turn.as_earlier()]`` is the context of the next question. ``complete`` asks for all of
    something; ``stream`` False waits for a model's whole reply. Raises like ``foundry.journeys.ask.ask``.
    """
    try:
        standalone = make_standalone(workspace, require_query(typed), earlier)
    except FoundryError as error:
        log_failure(workspace, "chat", typed, error)
        raise
    yield standalone
    request = AskRequest(
        question=standalone.question,
        typed=typed if standalone.how != "as typed" else None,
        kind="chat",
        complete=complete,
        language=_choose_language(workspace, typed, earlier),
        usage=standalone.usage,
        notices=standalone.notices,
        earlier=tuple(turn.id for turn in earlier if turn.id),
        who=who,
    )
    answer = yield from ask_streaming(workspace, request, filters=filters, mode=mode, stream=stream)
    return Turn(len(earlier) + 1, typed, standalone, answer)


def _choose_language(
    workspace: Workspace, typed: str, earlier: Sequence[EarlierTurn]
) -> str | None:
    """The language of what was typed, else that of the previous answer; None if configured."""
    if workspace.config.generation.language != "question":
        return None
    language = detect_query_language(typed)
    if language == "und" and earlier:
        return earlier[-1].language
    return language if language != "und" else None


def make_standalone(
    workspace: Workspace, typed: str, earlier: Sequence[EarlierTurn]
) -> StandaloneQuestion:
    """The question that a follow-up means: by the model, else with words carried over."""
    if not earlier or stands_alone(typed):
        return StandaloneQuestion(typed)
    model = workspace.generator
    if model is None:
        return _carry_over(typed, earlier)
    reply = _rewrite(model, workspace, typed, earlier)
    rewritten = _parse_question(reply)
    none = Message("chat-no-question")
    problem = _find_distortion(rewritten, typed, earlier) if rewritten else none
    if problem is None:
        if WORD.findall(fold(rewritten)) == WORD.findall(fold(typed)):
            return StandaloneQuestion(typed, usage=reply.usage, notices=reply.notices)
        notices = (*reply.notices, Message("chat-read-as", question=rewritten))
        return StandaloneQuestion(rewritten, "rewritten by the model", (), reply.usage, notices)
    carried = _carry_over(typed, earlier)
    notice = Message("chat-rewriting-unused", reason=problem)
    return replace(carried, usage=reply.usage, notices=(*reply.notices, notice, *carried.notices))


def _carry_over(typed: str, earlier: Sequence[EarlierTurn]) -> StandaloneQuestion:
    previous = earlier[-1].question
    carried = find_context_words(typed, previous) if is_follow_up(typed) else ()
    if not carried:
        return StandaloneQuestion(typed)
    words = " ".join(carried)
    notice = Message("chat-carried-over", words=words)
    question = f"{typed.rstrip(' ?!.')} ({words})?"
    return StandaloneQuestion(question, "words carried over", carried, notices=(notice,))


def _rewrite(
    model: Model, workspace: Workspace, typed: str, earlier: Sequence[EarlierTurn]
) -> Reply:
    history = "\n".join(map(_render_earlier, earlier[-MAX_TURNS:]))
    values = {"history": mark_lines(history, "H"), "question": escape_line(typed)}
    message = ChatMessage("user", fill(workspace.templates.standalone, values))
    return model.generate([message], schema=SCHEMA, max_tokens=_MAX_REPLY_TOKENS)


def _render_earlier(turn: EarlierTurn) -> str:
    answer = turn.answer[:_MAX_ANSWER_LENGTH] or "(no answer in the sources)"
    return f"Question: {turn.question}\nAnswer: {' '.join(answer.split())}"


def _parse_question(reply: Reply) -> str:
    text = reply.data.get("question") if reply.data is not None else reply.text
    lines = [line.strip(" \"'`") for line in str(text).splitlines() if line.strip()]
    # Several lines are prose around the question: do not guess which is the question.
    return lines[0] if len(lines) == 1 and len(lines[0]) <= _MAX_QUESTION_LENGTH else ""


def _find_distortion(rewritten: str, typed: str, earlier: Sequence[EarlierTurn]) -> Message | None:
    """What a rewriting added or dropped against the conversation, or None if it is faithful."""
    context = fold(" ".join([typed, *map(_render_earlier, earlier)]))
    plain = _drop_next_periods(rewritten, context)
    for name in find_names(plain):
        if not name.initial and not is_mentioned_in(name, context):
            return Message("chat-added", words=f"'{name.text}'")
    for number in re.findall(r"\d+(?:[.,]\d+)*", plain):
        if not re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)", context):
            return Message("chat-added", words=f"'{number}'")
    known = {term for word in _analyse_terms(context) for term in word.terms}
    new = [word.word for word in _analyse_terms(rewritten) if not known.intersection(word.terms)]
    if len(new) > _MAX_NEW_WORDS:
        return Message("chat-added", words=[f"'{word}'" for word in new[:5]])
    kept = {term for word in _analyse_terms(rewritten) for term in word.terms}
    lost = [word.word for word in _analyse_terms(typed) if not kept.intersection(word.terms)]
    if len(lost) > _MAX_NEW_WORDS:
        return Message("chat-dropped", words=[f"'{word}'" for word in lost[:5]])
    return None


def _drop_next_periods(text: str, context: str) -> str:
    """The text without the periods that are one year, quarter or half from one of the conversation."""
    known = find_periods(context)
    for period in reversed(find_periods(text)):
        if any(is_next_period(period, other) for other in known):
            text = text[: period.start] + text[period.end :]
    return text


def _analyse_terms(text: str) -> tuple[QueryTerm, ...]:
    return analyse_query(text, ("en", "nl"))
