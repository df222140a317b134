"""Model servers on this machine: who answers on the usual ports, with which models.

Ollama, LM Studio, llama.cpp and vLLM each listen on a port of their own and list their models,
with the context window where they know it. Whatever answers is read with suspicion: within a
second, a megabyte, and only in the form that these servers have. Nothing is sent but the request,
nowhere but to the address given, and no redirect is followed.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlsplit

from foundry.doc import HIDDEN, Doc
from foundry.errors import ConfigError
from foundry.models.deadlines import (
    DeadlineExceeded,
    Exchange,
    ReplyTooLarge,
    open_session,
    run_bounded,
)
from foundry.models.gateway import map_calls
from foundry.models.providers import (
    OLLAMA,
    PROVIDERS,
    Target,
    is_classifier,
    is_loopback,
    resolve_target,
)
from foundry.models.settings import ModelSettings

CONNECT_S = 0.2
"""For a connection on this machine, which takes well under a millisecond where one is accepted."""
ANSWER_S = 1.0
"""For a list of models, which takes milliseconds; a server that loads a model meanwhile may be slow."""
_MOST_BYTES = 2**20
_MOST_MODELS = 200
_LONGEST_NAME = 200
_AT_ONCE = 8

_BILLIONS = re.compile(r"(?<![a-z\d.])(?:(\d+)x)?(\d+(?:\.\d+)?)([bm])(?![a-z\d])", re.IGNORECASE)
"""Parameters as names and servers write them: 8B, 270m, 8x7b."""
_NO_WRITERS = ("embed", "bge-", "minilm", "/e5", "rerank")
_PLAIN_TEMPLATE = re.compile(r"\s*\{\{-?\s*\.Prompt\s*-?\}\}\s*")
"""Ollama's template of a model that was not trained on instructions."""

SERVER_NAMES: Mapping[str, str] = {
    "ollama": "Ollama",
    "lm_studio": "LM Studio",
    "llamafile": "llama.cpp",
    "hosted_vllm": "vLLM",
}
"""LiteLLM's provider for each server, and what people call it."""
_USUAL: Mapping[str, str] = {"hosted_vllm": "http://127.0.0.1:8000/v1"}
"""Where those listen that have no address in the table of providers."""


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model that a server lists; what the server does not say is None.

    ``window`` is the most tokens that it reads at once as it is loaded, ``billions`` its parameters,
    ``size`` its file in bytes. ``writes`` is false for an embedding or reranking model, ``chats``
    for one without training on instructions. ``loaded`` is false where the server will load it with
    a window of its own choice, so that ``window`` is only the most that it could have.
    """

    name: str
    window: Annotated[int | None, Doc("null where the server does not say")] = None
    billions: Annotated[float | None, HIDDEN] = None
    size: Annotated[int | None, HIDDEN] = None
    writes: Annotated[bool, Doc("false for embedding and reranking models")] = True
    chats: Annotated[bool | None, HIDDEN] = None
    loaded: Annotated[bool, HIDDEN] = True

    @property
    def is_judge(self) -> bool:
        """Whether it only judges (MiniCheck)."""
        return is_classifier(self.name)


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered: LiteLLM's ``provider`` for it, its address there, and its models."""

    provider: Annotated[str, HIDDEN]
    address: str
    models: tuple[LocalModel, ...]

    @property
    def name(self) -> Annotated[str, Doc("Ollama, LM Studio, llama.cpp or vLLM")]:
        """What people call it."""
        return SERVER_NAMES.get(self.provider, self.provider)

    @property
    def is_usual(self) -> bool:
        """Whether it is where its provider is called without an address."""
        return self.address == PROVIDERS[self.provider].base


@dataclass(frozen=True, slots=True)
class LocalChoice:
    """A model of a server for a step."""

    server: LocalServer
    model: LocalModel

    @property
    def configured_name(self) -> str:
        """As ``foundry.yaml`` names it."""
        return f"{self.server.provider}/{self.model.name}"


def find_servers(environment: Mapping[str, str]) -> tuple[LocalServer, ...]:
    """The servers that answer on this machine, in the order of ``SERVER_NAMES``.

    They are looked for where they listen by default, or where the variables that LiteLLM reads say
    (``OLLAMA_HOST``, ``LM_STUDIO_API_BASE``, …), at the same time, and only on loopback addresses.
    """
    places = [(name, place) for name in SERVER_NAMES if (place := find_place(name, environment))]
    found = map_calls(lambda one: list_models(*one), places, len(SERVER_NAMES))
    return tuple(server for server in found if server is not None)


def find_place(provider: str, environment: Mapping[str, str]) -> str | None:
    """Where to look for a server; None if a variable says that it is on another machine."""
    try:
        target = resolve_target(f"{provider}/any", ModelSettings(environment=environment))
    except (ConfigError, ValueError):
        target = resolve_target(f"{provider}/any", ModelSettings())
    address = target.api_base or _USUAL[provider]
    return address if is_loopback(address) else None


def list_models(
    provider: str, address: str, *, key: str | None = None, timeout_s: float = ANSWER_S
) -> LocalServer | None:
    """The server at an address with its models; None if no such server answers in time.

    ``provider`` is LiteLLM's; one that speaks OpenAI's API is asked which of the three it is, so
    the result's may be another.
    """
    base = address.rstrip("/")
    if urlsplit(base).scheme not in ("http", "https") or not _accepts(base):
        return None
    with _open_client(key, timeout_s) as ask:
        if provider in OLLAMA:
            models = _list_ollama(ask, base)
            return None if models is None else LocalServer("ollama", address, models)
        listed = _list_openai(ask, base)
    return None if listed is None else LocalServer(listed[0] or provider, address, listed[1])


def find_model(server: LocalServer, name: str) -> LocalModel | None:
    """The server's model of that name; Ollama's ``:latest`` need not be said."""
    for model in server.models:
        if name in (model.name, model.name.removesuffix(":latest")):
            return model
    return None


def list_target_models(target: Target, timeout_s: float = ANSWER_S) -> LocalServer | None:
    """The models of the server that a configured model is on, asked with that model's key."""
    base = target.api_base or ""
    return list_models(target.provider, base, key=target.api_key, timeout_s=timeout_s)


def choose_writer(servers: Sequence[LocalServer], needed: int) -> LocalChoice | None:
    """The largest model that fits; among equals the first.

    It writes and has learned to follow instructions, its file is no larger than this machine's
    memory, and its window has the ``needed`` tokens. Where none has all of that, what comes later
    in this list gives way first.
    """
    memory = _get_memory()
    candidates = [
        LocalChoice(server, model)
        for server in servers
        for model in server.models
        if model.writes and not model.is_judge
    ]

    def rank(choice: LocalChoice) -> tuple[bool, bool, bool, float]:
        model = choice.model
        is_small = model.size is None or memory is None or model.size <= memory
        is_wide = model.window is None or model.window >= needed
        return model.chats is not False, is_small, is_wide, model.billions or 0.0

    return max(candidates, key=rank, default=None)


def choose_judge(servers: Sequence[LocalServer]) -> LocalChoice | None:
    """A model that was trained to judge (MiniCheck); None where the writer should judge itself."""
    judges = (LocalChoice(s, m) for s in servers for m in s.models if m.is_judge)
    return next(judges, None)


_Ask = Callable[..., Any]


def _list_ollama(ask: _Ask, base: str) -> tuple[LocalModel, ...] | None:
    tags = ask(f"{base}/api/tags")
    entries = _read_entries(tags, "models", "name")
    if entries is None:
        return None

    def describe(entry: Mapping[str, Any]) -> LocalModel:
        details = entry.get("details")
        size = details.get("parameter_size") if isinstance(details, Mapping) else None
        name = entry["name"]
        model = LocalModel(
            name=name,
            billions=_read_billions(size) or _read_billions(name),
            size=_read_count(entry.get("size")),
            writes=_can_write(name),
        )
        return _add_ollama_details(model, ask(f"{base}/api/show", {"model": name}))

    return tuple(map_calls(describe, entries, _AT_ONCE))


def _add_ollama_details(model: LocalModel, shown: Any) -> LocalModel:
    if not isinstance(shown, Mapping):
        return model
    info, can = shown.get("model_info"), shown.get("capabilities")
    lengths = (
        _read_count(value)
        for key, value in (info.items() if isinstance(info, Mapping) else ())
        if str(key).endswith(".context_length")
    )
    template = shown.get("template")
    plain = _PLAIN_TEMPLATE.fullmatch(template) if isinstance(template, str) else None
    return replace(
        model,
        window=next(lengths, None),
        writes=model.writes and ("completion" in can if isinstance(can, list) and can else True),
        chats=False if plain else None,
    )


def _list_openai(ask: _Ask, base: str) -> tuple[str | None, tuple[LocalModel, ...]] | None:
    """Which server it is, if it says so, and its models."""
    entries = _read_entries(ask(f"{base}/models"), "data", "id")
    if entries is None:
        return None
    root = base.removesuffix("/v1")
    own = _read_entries(ask(f"{root}/api/v0/models"), "data", "id")
    if own and any("max_context_length" in entry for entry in own):
        return "lm_studio", tuple(map(_read_lm_studio, own))
    models = tuple(map(_read_openai, entries))
    if any(model.window for model in models):
        return "hosted_vllm", models
    props = ask(f"{root}/props")
    settings = props.get("default_generation_settings") if isinstance(props, Mapping) else None
    if not isinstance(settings, Mapping):
        return None, models
    window = _read_count(settings.get("n_ctx"))
    return "llamafile", tuple(replace(model, window=window) for model in models)


def _read_lm_studio(entry: Mapping[str, Any]) -> LocalModel:
    """A model that is loaded has the window that it was loaded with."""
    kind = entry.get("type")
    loaded = _read_count(entry.get("loaded_context_length"))
    return LocalModel(
        name=entry["id"],
        window=loaded or _read_count(entry.get("max_context_length")),
        billions=_read_billions(entry["id"]),
        loaded=entry.get("state") != "not-loaded",
        writes=kind in ("llm", "vlm") if isinstance(kind, str) else _can_write(entry["id"]),
    )


def _read_openai(entry: Mapping[str, Any]) -> LocalModel:
    name, meta = entry["id"], entry.get("meta")
    figures: Mapping[str, Any] = meta if isinstance(meta, Mapping) else {}
    parameters = _read_count(figures.get("n_params"))
    return LocalModel(
        name=name,
        window=_read_count(entry.get("max_model_len")),
        billions=parameters / 1e9 if parameters else _read_billions(name),
        size=_read_count(figures.get("size")),
        writes=_can_write(name),
    )


def _read_entries(body: Any, key: str, name: str) -> list[Mapping[str, Any]] | None:
    """The entries of a list of models that have a usable name; None if it is no such list."""
    entries = body.get(key) if isinstance(body, Mapping) else None
    if not isinstance(entries, list) or any(not isinstance(entry, Mapping) for entry in entries):
        return None
    return [entry for entry in entries if _is_name(entry.get(name))][:_MOST_MODELS]


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME and value.isprintable()


def _read_count(value: object) -> int | None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 < value < 10**15 else None  # type: ignore[operator, return-value]


def _read_billions(text: object) -> float | None:
    match = _BILLIONS.search(text) if isinstance(text, str) else None
    if match is None:
        return None
    number = int(match[1] or 1) * float(match[2])
    return number / 1000 if match[3].lower() == "m" else number


def _can_write(name: str) -> bool:
    """Whether a model writes text, judged by its name where the server does not say."""
    return not any(mark in name.lower() for mark in _NO_WRITERS)


def _accepts(address: str) -> bool:
    """Whether something listens there; a client is loaded only then."""
    parts = urlsplit(address)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        limit = CONNECT_S if is_loopback(address) else ANSWER_S
        with socket.create_connection((parts.hostname or "", port), limit):
            return True
    except (OSError, ValueError):
        return False


@contextlib.contextmanager
def _open_client(key: str | None, timeout_s: float) -> Iterator[_Ask]:
    """A function that asks for an address, posting ``body`` if there is one.

    It returns the JSON of the answer, and None for anything else and for none in time.
    """
    # Imported here: it takes 0.1 s, and most often nothing listens.
    import httpx

    failures = (
        *(DeadlineExceeded, ReplyTooLarge, httpx.HTTPError, httpx.InvalidURL),
        *(OSError, ValueError, RecursionError),
    )
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    with open_session() as session:

        def fetch(url: str, body: Mapping[str, Any] | None) -> Any:
            method = "GET" if body is None else "POST"
            response = session.request(method, url, json=body, headers=headers, timeout=timeout_s)
            return json.loads(response.content) if response.status_code == 200 else None

        def ask(url: str, body: Mapping[str, Any] | None = None) -> Any:
            try:
                return run_bounded(partial(fetch, url, body), Exchange(_MOST_BYTES), timeout_s)
            except failures:
                return None

        yield ask


def _get_memory() -> int | None:
    """The memory of this machine in bytes; None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
