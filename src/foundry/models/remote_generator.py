"""Language models behind LiteLLM: plain, structured and streamed replies.

Bad JSON is never an exception: after a second request the reply is returned as prose,
with a notice. Notices also report what had to be changed for the provider: a schema or
a temperature that it does not accept, a shorter reply.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Generator as Pieces
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from foundry.errors import ModelError, ModelRejected
from foundry.messages import Message, format_message
from foundry.models.deadlines import ReplyTooLarge
from foundry.models.gateway import call, request_arguments, stream
from foundry.models.litellm_client import describe_ollama_model, load_http_handler, load_litellm
from foundry.models.meter import Charge
from foundry.models.providers import OLLAMA, Target, describe_key_host, require_key, resolve_target
from foundry.models.replies import (
    LEVELS,
    Level,
    build_response_format,
    build_schema_instruction,
    complete,
    count_most_bytes,
    count_most_characters,
    find_mismatch,
    find_reply,
    make_reply_key,
    save_reply,
)
from foundry.models.settings import ModelSettings
from foundry.models.tokens import (
    compute_price,
    estimate_usage,
    get_window,
    load_token_counter,
    measure_usage,
    sanitize,
)
from foundry.ports import ChatMessage, Reply
from foundry.records import Usage
from foundry.text.json_replies import read_object

# Ollama reloads the model whenever num_ctx changes, so there are few sizes, doubling from here.
_SMALLEST_NUM_CTX = 4096
# Tokens around each message, and how much lower than the model's own count cl100k_base may be:
# guesses on the safe side, because Ollama silently cuts a prompt that does not fit.
_PER_MESSAGE = 8
_OTHER_TOKENIZER = 1.25
# Providers whose LiteLLM code accepts LiteLLM's own client, and so the shared session. The
# others use the session by themselves, or a client that cannot be aborted.
_TAKES_HANDLER = (
    *("anthropic", "deepseek", "fireworks_ai", "gemini", "groq", "hosted_vllm", "huggingface"),
    *("mistral", "ollama_chat", "openrouter", "together_ai", "xai"),
)
_NO_SCHEMA = re.compile(r"response_format|json|schema|grammar|\bformat\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _RawReply:
    text: str
    finish: str
    usage: Usage
    notices: tuple[Message, ...] = ()


@dataclass
class RemoteGenerator:
    """A language model behind LiteLLM, as a ``Generator``; safe in threads.

    It remembers what its provider rejects, so that each rejection happens only once.
    """

    target: Target
    settings: ModelSettings
    _level: Level = field(default="json_schema", init=False)
    _takes_temperature: bool = field(default=True, init=False)

    @property
    def model(self) -> str:
        return self.target.model

    @property
    def local(self) -> bool:
        return self.target.local

    def window(self) -> int:
        """The context window in tokens; 8192 if it is not known."""
        return get_window(self.target.model, self.settings)

    def generate(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """One completion, from the cache if possible; raises ``ModelError`` and its subclasses."""
        asked = _clean_messages(messages)
        limit = max_tokens or self.settings.max_tokens
        key = self._make_key(asked, schema, limit)
        cached = find_reply(key, self.model, self.settings)
        if cached is not None:
            return cached
        reply, complete = (
            _build_reply(self._ask(asked, limit, None), None, limit, self.model)
            if schema is None
            else self._generate_object(asked, schema, limit)
        )
        return self._save(key, reply, complete)

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Pieces[str, None, Reply]:
        """Yield pieces of text as they arrive; the return value is the whole ``Reply``.

        A cached reply is one piece. Closing the generator closes the connection. A reply
        that does not fit the schema is not requested again: it stays prose.
        """
        asked = _clean_messages(messages)
        limit = max_tokens or self.settings.max_tokens
        key = self._make_key(asked, schema, limit)
        cached = find_reply(key, self.model, self.settings)
        if cached is not None:
            yield cached.text
            return cached
        raw = yield from self._stream_pieces(asked, limit, schema)
        reply, complete = _build_reply(raw, schema, limit, self.model)
        return self._save(key, reply, complete)

    def _stream_pieces(
        self, asked: Sequence[ChatMessage], limit: int, schema: Mapping[str, Any] | None
    ) -> Pieces[str, None, _RawReply]:
        """One streamed request, repeated without a parameter that the provider rejects."""
        texts: list[str] = []
        finish, usage = "", None
        while True:
            arguments, notices, level = self._build_request(asked, limit, schema)
            arguments |= {"stream": True, "stream_options": {"include_usage": True}}
            pieces = stream(
                self.target,
                self.settings,
                partial(_open_stream, arguments),
                limit=count_most_bytes(limit),
            )
            try:
                with self._charge(arguments) as charge, contextlib.closing(pieces):
                    for text, reason, counted in pieces:
                        charge.started = True
                        finish, usage = reason or finish, counted or usage
                        if text:
                            texts.append(text)
                            yield text
                    measured = measure_usage(usage, self.target, None)
                    charge.settle(measured)
                break
            except ModelRejected as error:
                if texts or not self._concede(error, level):
                    raise
        return _RawReply("".join(texts), finish, measured, notices)

    def _make_key(
        self, asked: Sequence[ChatMessage], schema: Mapping[str, Any] | None, limit: int
    ) -> str:
        parameters = {"temperature": self.settings.temperature, "max_tokens": limit}
        return make_reply_key(self.target, asked, schema, parameters)

    def _save(self, key: str, reply: Reply, complete: bool) -> Reply:
        notice = save_reply(key, reply, self.settings) if complete else None
        return replace(reply, notices=(*reply.notices, notice)) if notice else reply

    def _generate_object(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any], limit: int
    ) -> tuple[Reply, bool]:
        first = self._ask(messages, limit, schema)
        data, problem = _parse_reply(first, schema)
        if problem is None:
            return Reply(first.text, data, first.usage, self.model, first.notices), True
        # A reply that was cut off needs more room, a malformed one a correction.
        wider = limit * 2 if first.finish == "length" else limit
        try:
            second = self._ask((*messages, *_build_correction(first, problem)), wider, schema)
        except ModelError as error:
            notice = Message("models-second-try", problem=problem, cause=error.problem)
            return Reply(first.text, None, first.usage, self.model, (*first.notices, notice)), False
        usage = first.usage + second.usage
        data, problem_left = _parse_reply(second, schema)
        notices = {**dict.fromkeys(first.notices), **dict.fromkeys(second.notices)}
        if problem_left is None:
            notice = Message("models-asked-twice", problem=problem)
            return Reply(second.text, data, usage, self.model, (*notices, notice)), True
        notice = Message("models-schema-ignored", problem=problem_left)
        return Reply(second.text, None, usage, self.model, (*notices, notice)), False

    def _ask(
        self, messages: Sequence[ChatMessage], limit: int, schema: Mapping[str, Any] | None
    ) -> _RawReply:
        """One request, repeated without a parameter that the provider rejects."""
        while True:
            arguments, notices, level = self._build_request(messages, limit, schema)
            try:
                with self._charge(arguments) as charge:
                    raw = call(
                        self.target,
                        self.settings,
                        partial(_complete, arguments, self.target),
                        limit=count_most_bytes(limit),
                    )
                    charge.settle(raw.usage)
            except ModelRejected as error:
                if not self._concede(error, level):
                    raise
            else:
                return replace(raw, notices=notices)

    def _charge(self, arguments: Mapping[str, Any]) -> AbstractContextManager[Charge]:
        texts = [message["content"] for message in arguments["messages"]]
        most = partial(estimate_usage, self.target, texts, arguments["max_tokens"])
        return self.settings.meter.charge(self.model, self.target.host, most)

    def _concede(self, error: ModelRejected, level: Level) -> bool:
        """Give up the parameter that the provider rejected; False if it is none of ours."""
        said = str(error.problem.params.get("answer", ""))
        if "temperature" in said and self._takes_temperature:
            self._takes_temperature = False
            return True
        if level == "prompt" or not _NO_SCHEMA.search(said):
            return False
        self._level = LEVELS[LEVELS.index(level) + 1]
        return True

    def _build_request(
        self, messages: Sequence[ChatMessage], limit: int, schema: Mapping[str, Any] | None
    ) -> tuple[dict[str, Any], tuple[Message, ...], Level]:
        """The arguments of a LiteLLM call, notices about them, and the level of the schema."""
        arguments = request_arguments(self.target, self.settings)
        level: Level = self._level if schema else "prompt"
        if schema and level != LEVELS[0]:
            messages = _add_schema(messages, schema)
        arguments["messages"] = [{"role": m.role, "content": m.content} for m in messages]
        arguments["max_tokens"] = limit
        if self.target.provider in _TAKES_HANDLER:
            arguments["client"] = load_http_handler()
        sent = describe_key_host(self.target)
        notices = [sent] if sent else []
        if self.settings.meter.limits_cost and compute_price(self.target, 1, 1) is None:
            notices.append(Message("spending-no-price", model=self.model))
        if self._takes_temperature:
            arguments["temperature"] = self.settings.temperature
        else:
            notices.append(Message("models-temperature-refused"))
        if self.target.provider in OLLAMA:
            describe_ollama_model(self.target.name, self.window())
            context, room = self._fit_ollama_window(messages, limit)
            arguments |= {"num_ctx": context, "max_tokens": room}
            if room < limit:
                notices.append(Message("models-window-small", room=room))
        if schema and level != LEVELS[0]:
            notices.append(Message("models-schema-refused", level=level))
        if schema and level != "prompt":
            arguments["response_format"] = build_response_format(schema, level)
        return arguments, tuple(notices), level

    def _fit_ollama_window(self, messages: Sequence[ChatMessage], limit: int) -> tuple[int, int]:
        """``num_ctx`` and the tokens left for the reply; raises if the prompt does not fit."""
        count = load_token_counter()
        prompt = sum(count(message.content) + _PER_MESSAGE for message in messages)
        window = self.window()
        if prompt >= window:
            raise ModelRejected(
                "models-prompt-too-long",
                where=self.target.host,
                prompt=prompt,
                model=self.model,
                window=window,
            )
        wanted = int(prompt * _OTHER_TOKENIZER) + limit
        size = _SMALLEST_NUM_CTX
        while size < wanted:
            size *= 2
        return min(size, window), min(limit, window - prompt)


def open_generator(model: str, settings: ModelSettings) -> RemoteGenerator:
    """The generator for a LiteLLM name; raises ``KeyMissing`` and ``ConfigError`` at once."""
    target = resolve_target(model, settings)
    require_key(target, settings)
    if target.provider == "ollama":
        # The chat route uses the model's own template; the other a generic one.
        target = replace(target, provider="ollama_chat")
    return RemoteGenerator(target, settings)


def _complete(arguments: Mapping[str, Any], target: Target) -> _RawReply:
    response = load_litellm().completion(**arguments)
    choice = response.choices[0]
    text = sanitize(choice.message.content or "")
    if len(text) > count_most_characters(arguments["max_tokens"]):
        raise ReplyTooLarge
    usage = measure_usage(getattr(response, "usage", None), target, response)
    return _RawReply(text, choice.finish_reason or "", usage)


def _open_stream(arguments: Mapping[str, Any]) -> Pieces[tuple[str, str, Any], None, None]:
    chunks = load_litellm().completion(**arguments)
    left = count_most_characters(arguments["max_tokens"])
    try:
        for chunk in chunks:
            choice = chunk.choices[0] if chunk.choices else None
            text = sanitize(choice.delta.content or "") if choice else ""
            reason = (choice.finish_reason or "") if choice else ""
            left -= len(text)
            if left < 0:
                raise ReplyTooLarge
            yield text, reason, getattr(chunk, "usage", None)
    finally:
        # LiteLLM's wrapper cannot be closed, only the stream below it.
        close = getattr(getattr(chunks, "completion_stream", None), "close", None)
        if close is not None:
            with contextlib.suppress(Exception):
                close()


def _clean_messages(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """The messages without lone surrogates."""
    return tuple(replace(m, content=sanitize(m.content)) for m in messages)


def _add_schema(
    messages: Sequence[ChatMessage], schema: Mapping[str, Any]
) -> tuple[ChatMessage, ...]:
    """The messages with the schema in words, for a provider that takes none as a parameter."""
    words = build_schema_instruction(schema)
    return (*messages[:-1], replace(messages[-1], content=f"{messages[-1].content}\n\n{words}"))


def _build_reply(
    raw: _RawReply, schema: Mapping[str, Any] | None, limit: int, model: str
) -> tuple[Reply, bool]:
    """The reply without a second request, and whether it is complete."""
    notices = (*raw.notices, *_note_truncation(raw, limit))
    data, problem = _parse_reply(raw, schema) if schema else (None, None)
    if problem is not None:
        notices = (*notices, Message("models-schema-ignored", problem=problem))
    whole = bool(raw.text.strip()) and raw.finish in ("stop", "") and problem is None
    return Reply(raw.text, data, raw.usage, model, notices), whole


def _parse_reply(
    raw: _RawReply, schema: Mapping[str, Any]
) -> tuple[dict[str, Any] | None, Message | None]:
    data = read_object(raw.text)
    if data is None:
        cut = raw.finish == "length"
        return None, Message("models-json-cut" if cut else "models-no-json")
    data = complete(data, schema)
    misfit = find_mismatch(data, schema)
    return (None, misfit) if misfit else (data, None)


def _build_correction(first: _RawReply, problem: Message) -> tuple[ChatMessage, ...]:
    if first.finish == "length" or not first.text.strip():
        return ()
    said = format_message(problem, "en")
    asked = f"That reply cannot be used: {said}. Reply again, with the JSON object only."
    return (ChatMessage("assistant", sanitize(first.text)), ChatMessage("user", asked))


def _note_truncation(raw: _RawReply, limit: int) -> tuple[Message, ...]:
    if raw.finish != "length":
        return () if raw.text.strip() else (Message("models-reply-empty"),)
    return (Message("models-reply-cut", limit=limit),)
