"""What the configuration sends where: each model and address with its host and what it would get.

What a step sends is read from the placeholders of its prompts, and its host from the resolution that
the calls themselves use. Nothing is contacted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from foundry.config import BUILTIN_GENERATOR, PROFILES, Config, OutsideConfig
from foundry.doc import Doc
from foundry.messages import Message
from foundry.models.catalogue import list_hosts
from foundry.models.page_services import KEY
from foundry.models.providers import IN_PROCESS, is_loopback
from foundry.models.settings import ModelSettings
from foundry.prompts import OPTIONAL, PLACEHOLDERS

WRITER = ("system", "question", "listing", "section", "stricter", "standalone", "questions")
STEPS: Mapping[str, tuple[str, ...]] = {
    "embedding.context_model": ("prefixes",),
    "ingest.summary_model": ("summary",),
    "retrieval.hyde_model": ("hyde",),
    "retrieval.scorer_model": ("scorer", "conflicts"),
    "validation.verifier": ("verifier",),
    "generation.model": WRITER,
    "generation.offline.model": WRITER,
    "generation.online.model": WRITER,
    **{
        f"generation.{mode}.profiles.{profile}": WRITER
        for mode in ("offline", "online")
        for profile in PROFILES
    },
}
"""Configuration key → the prompts that are sent to its model."""

NO_CONTENT = {"language", "number", "max_tokens", "max_sentences", "form"}
"""Placeholders with settings of ours, not with text of users or sources."""

# Models that get texts without a prompt around them.
_PLAIN = {"embedding.model": ("question", "chunks"), "retrieval.reranker": ("question", "passages")}
TRACE_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
"""OpenTelemetry's own variables; either one switches tracing on."""
_DATABASE = ("document", "chunks", "question", "answers")


@dataclass(frozen=True, slots=True)
class Destination:
    """A key that names a model or an address: its host, and what would be sent there."""

    key: Annotated[str, Doc("the configuration key")]
    value: Annotated[str, Doc("the model or address; may be empty")]
    host: Annotated[str, Doc("host with port, or where on this machine; empty if there is none")]
    local: Annotated[bool, Doc("no text leaves this machine")]
    used: Annotated[bool, Doc("by the current mode and settings")]
    sends: Annotated[tuple[Message, ...], Doc("what would be sent")]


@dataclass(frozen=True, slots=True)
class PrivacyReport:
    """All destinations, by key."""

    destinations: tuple[Destination, ...]

    @property
    def private(self) -> Annotated[bool, Doc("nothing leaves this machine")]:
        """Whether nothing leaves this machine."""
        return all(one.local for one in self.destinations if one.used)


def describe_privacy(config: Config, settings: ModelSettings) -> PrivacyReport:
    """The report of a configuration; nothing is contacted and no database needed."""
    database = _describe_database(config, settings.environment)
    models, outside = _list_models(config, settings), _describe_outside(config.ingest.outside)
    server = _list_server(config, settings.environment)
    cluster = _list_cluster(config.ingest.ray)
    engine = _describe_engine(config.storage.engine_url)
    found = (*models, outside, *cluster, database, engine, *server, *_list_bases(config))
    return PrivacyReport(found)


def _list_models(config: Config, settings: ModelSettings) -> Iterator[Destination]:
    in_use = _find_used(config)
    for key, value in _list_named(config).items():
        used = key in in_use
        model = in_use.get(key, value)
        hosts = [] if model in {"none", "same", ""} else list_hosts({key: model}, settings)
        judges = ".profiles." in key and config.validation.verifier == "same"
        sends = _describe_content(key, *(("validation.verifier",) if judges else ()))
        for one in hosts:
            is_silent = model.partition("/")[0].partition(":")[0] in IN_PROCESS
            yield Destination(key, model, one.host, one.local, used, () if is_silent else sends)
        if not hosts:
            yield Destination(key, value, "", local=True, used=False, sends=())


def _list_named(config: Config) -> dict[str, str]:
    """Every key that names a model, with what it says."""
    generation = config.generation
    return {
        "embedding.model": config.embedding.model,
        "embedding.context_model": config.embedding.context_model,
        "ingest.summary_model": config.ingest.summary_model,
        "retrieval.reranker": config.reranker(),
        "retrieval.hyde_model": config.retrieval.hyde_model,
        "retrieval.scorer_model": config.retrieval.scorer_model,
        "validation.verifier": config.validation.verifier,
        "generation.model": generation.model or "",
        "generation.offline.model": generation.offline.model or "",
        "generation.online.model": generation.online.model or "",
        **{
            f"generation.{mode}.profiles.{profile}": models.profiles.get_model(profile) or ""
            for mode, models in (("offline", generation.offline), ("online", generation.online))
            for profile in PROFILES
        },
    }


def _find_used(config: Config) -> dict[str, str]:
    """The keys whose model can be called; the generator under the key that names it."""
    used = config.models_in_use()
    own = f"generation.{config.mode}.model"
    if getattr(config.generation, config.mode).model is None and config.generation.model:
        used["generation.model"] = used.pop(own)
    if config.validation.verifier == "same" and config.generator() != BUILTIN_GENERATOR:
        used["validation.verifier"] = config.generator()
    return used


def _describe_content(*keys: str) -> tuple[Message, ...]:
    prompts = [prompt for key in keys for prompt in STEPS.get(key, ())]
    names = [name for prompt in prompts for name in _list_placeholders(prompt)]
    names += [name for key in keys for name in _PLAIN.get(key, ())]
    kept = dict.fromkeys(name for name in names if name not in NO_CONTENT)
    return tuple(Message(f"privacy-sends-{name.replace('_', '-')}") for name in kept)


def _list_placeholders(prompt: str) -> tuple[str, ...]:
    return (*PLACEHOLDERS[prompt], *OPTIONAL.get(prompt, ()))


def _describe_outside(settings: OutsideConfig) -> Destination:
    """The service that reads pages."""
    address, used = settings.address or "", settings.pages != "never"
    sends = (Message("privacy-sends-pages" if settings.pages == "all" else "privacy-sends-scans"),)
    local = not address or is_loopback(address)
    return Destination(KEY, address, urlsplit(address).netloc, local, used, sends if used else ())


def _list_cluster(address: str) -> Iterator[Destination]:
    """The cluster that reads and embeds, if one does; files with it may carry passwords."""
    if address:
        local = address == "local" or is_loopback(f"//{address}")
        host = "this machine" if address == "local" else address
        sends = (Message("privacy-sends-files"), Message("privacy-sends-chunks"))
        yield Destination("ingest.ray", address, host, local, used=True, sends=sends)


def _list_server(config: Config, environment: Mapping[str, str]) -> Iterator[Destination]:
    """Where ``foundry serve`` signs people in and sends traces, if it does."""
    named = {
        "web.oidc.issuer": (config.web.oidc.issuer, "privacy-sends-sign-in"),
        **{name: (environment.get(name, ""), "privacy-sends-traces") for name in TRACE_ENDPOINTS},
    }
    for key, (address, sends) in named.items():
        if address:
            host, local = urlsplit(address).netloc, is_loopback(address)
            yield Destination(key, address, host, local, used=True, sends=(Message(sends),))


def _describe_database(config: Config, environment: Mapping[str, str]) -> Destination:
    url = config.storage.url
    parts = urlsplit(url)
    if not url.startswith(("postgresql://", "postgres://")):
        return Destination("storage.url", url, "this machine", local=True, used=True, sends=())
    hosts = _list_database_hosts(parts, environment)
    # Without a host it is a socket of this machine; a socket has a path.
    local = all(host.startswith("/") or is_loopback(f"//{host}") for host in hosts)
    sends = tuple(Message(f"privacy-sends-{name}") for name in _DATABASE)
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    where = ", ".join(hosts) or "this machine"
    return Destination("storage.url", shown, where, local, used=True, sends=sends)


def is_object_storage(engine_url: str) -> bool:
    """Whether a search engine's files are on another machine."""
    return engine_url.startswith("lancedb+")


def _describe_engine(url: str) -> Destination:
    """The search engine beside the database: it has vectors and what filters need, no text."""
    if is_object_storage(url):
        sends = (Message("privacy-sends-vectors"),)
        host = urlsplit(url).netloc
        return Destination("storage.engine_url", url, host, local=False, used=True, sends=sends)
    place = "this machine" if url else ""
    return Destination("storage.engine_url", url, place, local=True, used=bool(url), sends=())


def _list_database_hosts(url: SplitResult, environment: Mapping[str, str]) -> list[str]:
    """Where libpq connects: the parameters of the address hold over its host, that over variables.

    A service's host is in a file of libpq's, so its name is listed as a host.
    """
    given = parse_qs(url.query)
    host = given.get("host") or [unquote(url.netloc.rpartition("@")[2])]
    named = [*given.get("service", ()), *given.get("hostaddr", ()), *host]
    if not any(named):
        named = [environment.get(name, "") for name in ("PGSERVICE", "PGHOSTADDR", "PGHOST")]
    return [one for part in named for one in part.split(",") if one]


def _list_bases(config: Config) -> Iterator[Destination]:
    """Addresses of providers; what is sent there is listed with the models that use them."""
    for provider, address in config.models.api_base.items():
        host = urlsplit(address if "://" in address else f"//{address}").netloc.rpartition("@")[2]
        key = f"models.api_base.{provider}"
        local = is_loopback(address if "://" in address else f"http://{address}")
        yield Destination(key, address, host, local, used=False, sends=())
