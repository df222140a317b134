"""What went wrong in a model call: foreign errors become the ``ModelError`` tree here only.

LiteLLM reports some failures under the wrong name (a body that is no JSON is an
"internal server error", a refused connection too), so the HTTP status that was
really received counts first and the class of the error second. Messages name
the model and the host and never contain a key, a prompt or a traceback.
"""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from foundry.errors import (
    FoundryError,
    ModelError,
    ModelRejected,
    ModelReplyInvalid,
    ModelTimeout,
    ModelUnreachable,
)
from foundry.models.deadlines import DeadlineExceeded, Exchange
from foundry.models.providers import PROVIDERS, Target
from foundry.models.settings import ModelSettings

Kind = Literal[
    "key", "forbidden", "unknown", "request", "length", "policy", "payment",
    "limit", "server", "timeout", "connection", "reply", "moved",
]  # fmt: skip

RETRIED: frozenset[Kind] = frozenset({"limit", "server", "timeout", "connection"})

# By class name, looked up along the class's ancestors: nearest first.
KINDS: Mapping[str, Kind] = {
    # litellm.exceptions
    "AuthenticationError": "key",
    "PermissionDeniedError": "forbidden",
    "NotFoundError": "unknown",
    "LiteLLMUnknownProvider": "unknown",
    "ModelNotMappedError": "unknown",
    "BadRequestError": "request",
    "InvalidRequestError": "request",
    "ImageFetchError": "request",
    "VectorStoreSearchError": "request",
    "UnprocessableEntityError": "request",
    "UnsupportedParamsError": "request",
    "RejectedRequestError": "request",
    "ContextWindowExceededError": "length",
    "ContentPolicyViolationError": "policy",
    "GuardrailRaisedException": "policy",
    "BlockedPiiEntityError": "policy",
    "ModifyResponseException": "policy",
    "SensitiveDataRouteException": "policy",
    "PaymentRequiredError": "payment",
    "BudgetExceededError": "payment",
    "RateLimitError": "limit",
    "ServiceUnavailableError": "server",
    "BadGatewayError": "server",
    "InternalServerError": "server",
    "MidStreamFallbackError": "connection",
    "Timeout": "timeout",
    "APIConnectionError": "connection",
    "APIResponseValidationError": "reply",
    "JSONSchemaValidationError": "reply",
    "MockException": "server",
    "APIError": "server",
    "OpenAIError": "server",
    # openai
    "ConflictError": "server",
    "APITimeoutError": "timeout",
    "APIStatusError": "server",
    "LengthFinishReasonError": "reply",
    "ContentFilterFinishReasonError": "policy",
    "InvalidWebhookSignatureError": "reply",
    "WebSocketConnectionClosedError": "connection",
    "WebSocketQueueFullError": "connection",
    # httpx
    "TimeoutException": "timeout",
    "NetworkError": "connection",
    "ProtocolError": "connection",
    "ProxyError": "connection",
    "UnsupportedProtocol": "request",
    "InvalidURL": "request",
    "TooManyRedirects": "moved",
    "DecodingError": "reply",
    "HTTPStatusError": "server",
    "TransportError": "connection",
    "StreamError": "connection",
    "CookieConflict": "request",
    "RequestError": "connection",
    "HTTPError": "connection",
    # Python and this package
    "DeadlineExceeded": "timeout",
    "TimeoutError": "timeout",
    "ConnectionError": "connection",
    "OSError": "connection",
    "JSONDecodeError": "reply",
}

_STATUS: Mapping[int, Kind] = {
    400: "request", 401: "key", 402: "payment", 403: "forbidden", 404: "unknown",
    408: "timeout", 409: "server", 413: "length", 422: "request", 425: "server", 429: "limit",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CallFailure:
    """A failed try: the error to raise, whether another try may help, and after how long."""

    error: FoundryError
    kind: Kind | None
    retried: bool
    retry_after: float | None = None
    detail: str = ""


def classify_error(
    error: BaseException, target: Target, settings: ModelSettings, exchange: Exchange
) -> CallFailure:
    """Turn whatever a try raised into a fault. Foundry's own errors pass unchanged."""
    if isinstance(error, FoundryError):
        return CallFailure(error, None, retried=False)
    error = _unwrap(error)
    kind = _classify(error, exchange)
    detail = _format_detail(error, settings)
    if kind == "limit" and _is_out_of_credit(error, detail):
        kind = "payment"
    return CallFailure(
        error=_build_error(kind, target, settings, exchange, detail),
        kind=kind,
        retried=kind in RETRIED,
        retry_after=_parse_retry_after(error, exchange) if kind in ("limit", "server") else None,
        detail=detail,
    )


def _unwrap(error: BaseException) -> BaseException:
    inner = getattr(error, "original_exception", None)
    return _unwrap(inner) if isinstance(inner, BaseException) else error


def _classify(error: BaseException, exchange: Exchange) -> Kind:
    if isinstance(error, DeadlineExceeded):
        return "timeout"
    named = _classify_by_name(error)
    status = exchange.status
    if status is None:
        # No response came: LiteLLM calls a refused connection an internal error.
        return "connection" if named == "server" and "onnection" in str(error) else named
    if status < 300:
        if exchange.complete and named in ("server", "connection"):
            return "reply"
        return "timeout" if _is_timeout(error) else "connection" if named == "server" else named
    if status < 400:
        return "moved"
    specific = named in ("length", "policy", "payment")
    return named if specific else _STATUS.get(status, "server" if status >= 500 else "request")


def _classify_by_name(error: BaseException) -> Kind:
    for ancestor in type(error).__mro__:
        if ancestor.__name__ in KINDS:
            return KINDS[ancestor.__name__]
    # LiteLLM lets errors of its own parsing through: the reply had another shape.
    return "reply"


def _is_timeout(error: BaseException) -> bool:
    return _classify_by_name(error) == "timeout" or "timed out" in str(error)


def _is_out_of_credit(error: BaseException, detail: str) -> bool:
    code = f"{getattr(error, 'code', '')} {detail}"
    return "insufficient_quota" in code or "exceeded your current quota" in code


def _parse_retry_after(error: BaseException, exchange: Exchange) -> float | None:
    headers = getattr(error, "litellm_response_headers", None)
    if headers is None and exchange.response is not None:
        headers = exchange.response.headers
    value = (headers or {}).get("retry-after")
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        moment = email.utils.parsedate_to_datetime(value) if "," in value else None
        return max(0.0, moment.timestamp() - time.time()) if moment else None


_PREFIX = re.compile(r"^(?:litellm\.)?(?:\w*(?:Error|Exception|Timeout)\b(?: Error)?\s*[:-]\s*)+")
_SECRETS = re.compile(
    r"\b(?:sk|pk|gsk|xai|hf)[-_][-_A-Za-z0-9*.]{6,}|\bAIza[-_A-Za-z0-9*]{8,}|Bearer\s+\S+"
)


def _format_detail(error: BaseException, settings: ModelSettings) -> str:
    """What the provider said: one line of at most 300 characters, without keys."""
    text = str(error).split("\nTraceback", 1)[0].split(" Received Model Group", 1)[0]
    text = _PREFIX.sub("", " ".join(text.split()))
    for name, value in settings.environment.items():
        if len(value) >= 8 and name.upper().endswith(("KEY", "TOKEN", "SECRET", "PASSWORD")):
            text = text.replace(value, "[key]")
    text = _SECRETS.sub("[key]", text).rstrip(" .")
    return text if len(text) <= 300 else f"{text[:299]}…"


def _build_error(
    kind: Kind, target: Target, settings: ModelSettings, exchange: Exchange, detail: str
) -> FoundryError:
    status = f" (HTTP {exchange.status})" if exchange.status and exchange.status >= 300 else ""
    said = f": {detail}." if detail else "."
    error_type, happened, fix = _choose_texts(kind, target, settings)
    if kind == "timeout":
        said = "."
    return error_type(f"{target.model} {happened}{status}{said}", where=target.host, fix=fix)


def _choose_texts(
    kind: Kind, target: Target, settings: ModelSettings
) -> tuple[type[FoundryError], str, str]:
    key = next(iter(_list_keys(target)), "the key")
    base = f"models.api_base.{target.provider}"
    rejected: dict[Kind, tuple[str, str]] = {
        "key": ("refused the key", f"Check {key} in the environment."),
        "forbidden": (
            "may not be used with this key",
            f"Give the key of {key} access to the model, or choose another model.",
        ),
        "unknown": (
            "is not known to the provider",
            f"Check the model's name{_format_pull_hint(target)} and {base}.",
        ),
        "request": ("refused the request", "Check the model's name and settings."),
        "length": (
            "cannot take a text of this length",
            "Use fewer or smaller chunks (generation.token_budget), or a larger model.",
        ),
        "policy": ("declined the content", "Rephrase the question, or choose another model."),
        "payment": ("is out of credit", f"Add credit to the account of {key}, or change models."),
        "moved": ("has moved to another address", f"Set {base} to the new address."),
    }
    if kind in rejected:
        return ModelRejected, *rejected[kind]
    failed: dict[Kind, tuple[type[FoundryError], str, str]] = {
        "limit": (ModelError, "is over its rate limit", "Wait a while, or lower models.max_concurrency."),
        "server": (ModelError, "failed on the provider's side", "Try again later, or choose another model."),
        "timeout": (
            ModelTimeout,
            f"did not answer within {settings.timeout_s:g} s",
            "Raise models.timeout_s, or check that the server is not overloaded.",
        ),
        "connection": (ModelUnreachable, "could not be reached", _format_connection_hint(target, base)),
        "reply": (
            ModelReplyInvalid,
            "sent a reply that is not in the form of its API",
            f"Check that {base} is the address of such a server.",
        ),
    }  # fmt: skip
    return failed[kind]


def _list_keys(target: Target) -> tuple[str, ...]:
    known = PROVIDERS.get(target.provider)
    return known.keys[0] if known and known.keys else ()


def _format_pull_hint(target: Target) -> str:
    return f" (`ollama pull {target.name}`)" if target.provider.startswith("ollama") else ""


def _format_connection_hint(target: Target, base: str) -> str:
    if target.provider.startswith("ollama"):
        return f"Start Ollama (`ollama serve`), or set {base} to where it runs."
    return f"Check the network, or set {base} to where the server runs."
