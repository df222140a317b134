"""Providers: who runs a model, at which address, with which key.

All of it follows from names and settings, without a request; LiteLLM is imported only
for providers that are not in the table below. A model is local if no text leaves this
machine: builtin, onnx, or any provider with a loopback address.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from foundry.config import SHORTEST_SECRET, parse_provider, show_value
from foundry.errors import ConfigError, KeyMissing
from foundry.messages import Message
from foundry.models.litellm_client import load_litellm
from foundry.models.settings import ModelSettings

IN_PROCESS = ("builtin", "onnx", "none")
OLLAMA = ("ollama", "ollama_chat")
_OLLAMA_PORT = 11434
_IN_FILE = "models.api_base."
# LiteLLM always gets their address. Without it, it would read the process environment,
# or send requests meant for a server on this machine to api.openai.com.
_EXPLICIT_BASE = ("openai", *OLLAMA, "lm_studio", "llamafile")


def is_classifier(model: str) -> bool:
    """Whether a model only answers yes or no to "Document: … Claim: …" (MiniCheck, arXiv:2404.10774)."""
    return "minicheck" in model.lower()


@dataclass(frozen=True, slots=True)
class ProviderInfo:
    """What Foundry knows about a provider.

    ``keys`` are the environment variables that must be set, each as a tuple of
    alternatives; ``bases`` those that may contain another address. ``signs`` is true if
    the keys are cloud credentials, which the cloud's own library reads. ``also`` are
    hosts that LiteLLM contacts in addition to that of ``base``.
    """

    base: str | None
    keys: tuple[tuple[str, ...], ...] = ()
    bases: tuple[str, ...] = ()
    signs: bool = False
    also: tuple[str, ...] = ()


def _build_keyed(base: str, key: str, *more: str, bases: tuple[str, ...] = ()) -> ProviderInfo:
    return ProviderInfo(base, ((key, *more),), bases)


_AWS = (
    "AWS_ACCESS_KEY_ID",
    "AWS_PROFILE",
    "AWS_ROLE_ARN",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
)
_GOOGLE = (
    "GOOGLE_APPLICATION_CREDENTIALS",
    "VERTEXAI_PROJECT",
    "GOOGLE_CLOUD_PROJECT",
    "VERTEX_PROJECT",
)

PROVIDERS: Mapping[str, ProviderInfo] = {
    "ollama": ProviderInfo(
        f"http://127.0.0.1:{_OLLAMA_PORT}", (), ("OLLAMA_API_BASE", "OLLAMA_HOST")
    ),
    "openai": _build_keyed(
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        bases=("OPENAI_API_BASE", "OPENAI_BASE_URL"),
    ),
    "anthropic": _build_keyed(
        "https://api.anthropic.com",
        "ANTHROPIC_API_KEY",
        bases=("ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"),
    ),
    "azure": ProviderInfo(
        None,
        (("AZURE_API_KEY", "AZURE_AD_TOKEN"), ("AZURE_API_VERSION",)),
        ("AZURE_API_BASE",),
    ),
    "gemini": _build_keyed(
        "https://generativelanguage.googleapis.com", "GEMINI_API_KEY", "GOOGLE_API_KEY"
    ),
    "mistral": _build_keyed(
        "https://api.mistral.ai/v1", "MISTRAL_API_KEY", bases=("MISTRAL_API_BASE",)
    ),
    "groq": _build_keyed("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "cohere": ProviderInfo(
        "https://api.cohere.com", (("COHERE_API_KEY", "CO_API_KEY"),), also=("api.cohere.ai",)
    ),
    "openrouter": _build_keyed("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", "OR_API_KEY"),
    "together_ai": _build_keyed(
        "https://api.together.ai/v1", "TOGETHERAI_API_KEY", "TOGETHER_API_KEY"
    ),
    "deepseek": _build_keyed("https://api.deepseek.com/beta", "DEEPSEEK_API_KEY"),
    "xai": _build_keyed("https://api.x.ai/v1", "XAI_API_KEY"),
    "voyage": _build_keyed("https://api.voyageai.com/v1", "VOYAGE_API_KEY"),
    "jina_ai": _build_keyed("https://api.jina.ai/v1", "JINA_AI_API_KEY"),
    "fireworks_ai": _build_keyed(
        "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY", "FIREWORKS_AI_API_KEY"
    ),
    "perplexity": _build_keyed(
        "https://api.perplexity.ai", "PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY"
    ),
    "cerebras": _build_keyed("https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
    "nvidia_nim": _build_keyed("https://integrate.api.nvidia.com/v1", "NVIDIA_NIM_API_KEY"),
    "huggingface": ProviderInfo(
        "https://router.huggingface.co",
        (("HF_TOKEN", "HUGGINGFACE_API_KEY"),),
        also=("huggingface.co",),
    ),
    "bedrock": ProviderInfo(None, (_AWS,), signs=True),
    "vertex_ai": ProviderInfo(None, (_GOOGLE,), signs=True),
    # Self-hosted servers: no default address, the key is optional.
    "hosted_vllm": ProviderInfo(None, (), ("HOSTED_VLLM_API_BASE",)),
    "lm_studio": ProviderInfo("http://127.0.0.1:1234/v1", (), ("LM_STUDIO_API_BASE",)),
    "llamafile": ProviderInfo("http://127.0.0.1:8080/v1", (), ("LLAMAFILE_API_BASE",)),
    "litellm_proxy": ProviderInfo(None, (), ("LITELLM_PROXY_API_BASE",)),
}

# Names that LiteLLM accepts without a provider.
_BARE_NAMES = (
    (("gpt-", "o1", "o3", "o4", "chatgpt-", "text-embedding-3", "text-embedding-ada"), "openai"),
    (("claude-",), "anthropic"),
)


@dataclass(frozen=True, slots=True)
class Target:
    """A parsed model name with its address and key.

    ``api_base`` is the model's address if it is known. ``sent_base`` is the address
    passed to LiteLLM; with None LiteLLM builds the provider's usual one. ``named_by`` is the
    key of foundry.yaml or the variable that names the address, "" for the usual one, and
    ``key_name`` the variable with the key, "" if none is sent.
    """

    model: str
    provider: str
    name: str
    api_base: str | None
    local: bool
    sent_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    named_by: str = ""
    key_name: str = ""

    @property
    def litellm_name(self) -> str:
        """The model's name in LiteLLM."""
        return f"{self.provider}/{self.name}"

    @property
    def host(self) -> str:
        """Host and port, as shown in messages and the privacy report."""
        if self.provider in IN_PROCESS:
            return "this process"
        return urlsplit(self.api_base).netloc.rpartition("@")[2] if self.api_base else self.provider


def resolve_target(model: str, settings: ModelSettings) -> Target:
    """Parse a model name; raises ``ConfigError`` if it names no known provider."""
    provider, name = _split_name(model)
    if provider in IN_PROCESS:
        return Target(model, provider, name, None, local=True)
    known = _find_provider(provider)
    given, named_by = _find_given_base(provider, settings)
    key_name = _find_key_name(provider, settings.environment)
    base = given or (known.base if known else None)
    return Target(
        model=model,
        provider=provider,
        name=name,
        api_base=base,
        local=base is not None and is_loopback(base),
        sent_base=base if provider in _EXPLICIT_BASE else given,
        api_key=None if known and known.signs else settings.environment.get(key_name),
        named_by=named_by,
        key_name=key_name,
    )


def list_missing_keys(target: Target, settings: ModelSettings) -> list[str]:
    """The environment variables (keys, addresses) that the model needs and that are not set.

    Local models need none.
    """
    if target.local:
        return []
    known = _find_provider(target.provider)
    if known is None:
        report = load_litellm().validate_environment(target.litellm_name)
        return [key for key in report.get("missing_keys", ()) if not settings.environment.get(key)]
    missing = [
        alternatives[0]
        for alternatives in known.keys
        if not any(settings.environment.get(key) for key in alternatives)
    ]
    return missing + ([] if target.api_base else list(known.bases[:1]))


def require_key(target: Target, settings: ModelSettings) -> None:
    """Raise ``KeyMissing``, naming the variable, if the provider's key is not set."""
    require_encryption(target, settings)
    missing = list_missing_keys(target, settings)
    if missing:
        raise KeyMissing("models-key-missing", where=target.host, model=target.model, names=missing)


def describe_key_host(target: Target) -> Message | None:
    """Which host gets a key, if foundry.yaml chooses it: the file may be another's."""
    known = _find_provider(target.provider)
    usual = known is not None and target.api_base == known.base
    if target.local or usual or not target.key_name or not target.named_by.startswith(_IN_FILE):
        return None
    return Message(
        "models-key-sent", variable=target.key_name, host=target.host, key=target.named_by
    )


def require_encryption(target: Target, settings: ModelSettings) -> None:
    """Raise ``ConfigError`` if foundry.yaml would send a key over a network unencrypted.

    An address in the environment is the user's own choice, and values under 8 characters are
    no keys: servers that need none are given a word.
    """
    in_clear = urlsplit(target.api_base or "").scheme == "http"
    secret = len(settings.environment.get(target.key_name, "")) >= SHORTEST_SECRET
    if in_clear and secret and describe_key_host(target) is not None:
        raise ConfigError(
            "models-key-in-clear",
            where=target.named_by,
            variable=target.key_name,
            host=target.host,
            setting=next(iter(_list_base_variables(target.provider))),
        )


def needs_key(target: Target) -> bool:
    """False for local models and self-hosted servers."""
    known = _find_provider(target.provider)
    return not target.local and (known is None or bool(known.keys))


def list_other_hosts(target: Target) -> tuple[str, ...]:
    """Hosts that LiteLLM contacts in addition to the provider's usual address."""
    known = _find_provider(target.provider)
    return known.also if known and target.sent_base is None else ()


def is_loopback(url: str) -> bool:
    """True if the address can only be this machine; names are not looked up."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    # As destinations, 0.0.0.0 and :: also mean this machine.
    return (mapped or address).is_loopback or address.is_unspecified


def _find_provider(provider: str) -> ProviderInfo | None:
    return PROVIDERS.get("ollama" if provider in OLLAMA else provider)


def _find_given_base(provider: str, settings: ModelSettings) -> tuple[str | None, str]:
    """A provider's address in the settings, or else in the environment, and what names it."""
    for name in (provider, "ollama") if provider in OLLAMA else (provider,):
        if settings.api_base.get(name):
            return _build_url(settings.api_base[name], provider), f"{_IN_FILE}{name}"
    for variable in _list_base_variables(provider):
        if settings.environment.get(variable):
            return _build_url(settings.environment[variable], provider), variable
    return None, ""


def _list_base_variables(provider: str) -> tuple[str, ...]:
    known = _find_provider(provider)
    return (known.bases if known else ()) or (f"{provider.upper()}_API_BASE",)


def _find_key_name(provider: str, environment: Mapping[str, str]) -> str:
    """The variable with the provider's key, or "" if none is set."""
    known = _find_provider(provider)
    names = known.keys[0] if known and known.keys else (f"{provider.upper()}_API_KEY",)
    return next((name for name in names if environment.get(name)), "")


def _split_name(model: str) -> tuple[str, str]:
    provider = parse_provider(model)
    if provider in IN_PROCESS:
        return provider, model.removeprefix(f"{provider}:").removeprefix(f"{provider}/")
    if "/" not in model:
        bare = next((who for starts, who in _BARE_NAMES if model.startswith(starts)), None)
        if bare:
            return bare, model
    name = model.partition("/")[2]
    if name and (_find_provider(provider) or provider in _list_litellm_providers()):
        return provider, name
    raise ConfigError("models-provider-unknown", where=model, model=model)


def _list_litellm_providers() -> set[str]:
    return {str(getattr(name, "value", name)) for name in load_litellm().provider_list}


def _build_url(address: str, provider: str) -> str:
    """The address as a URL; ``OLLAMA_HOST`` may be ``host``, ``:port`` or ``host:port``."""
    text = address.strip().rstrip("/")
    if provider not in OLLAMA:
        return text if "://" in text else f"http://{text}"
    bare = "://" not in text
    url = f"http://{text}" if bare else text
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError as error:
        raise ConfigError(
            "models-ollama-address", where="OLLAMA_HOST", address=show_value(address)
        ) from error
    host = parts.hostname or "127.0.0.1"
    if host in ("0.0.0.0", "::"):  # noqa: S104  (a server binds to it; a client needs loopback)
        host = "127.0.0.1"
    shown = f"[{host}]" if ":" in host else host
    port = port or (_OLLAMA_PORT if bare else {"https": 443}.get(parts.scheme, 80))
    return f"{parts.scheme}://{shown}:{port}{parts.path}"
