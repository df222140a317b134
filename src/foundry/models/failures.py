"""Failed model calls: the one place where foreign errors become ``ModelError``.

LiteLLM mislabels some failures (it calls both a body that is not JSON and a refused
connection an "internal server error"), so the HTTP status actually received counts
first and the error's class second. Messages name the model and the host, and never
contain a key, a prompt or a traceback.
"""

from __future__ import annotations

import email.utils
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from foundry.clock import get_now
from foundry.config import redact_secrets
from foundry.errors import (
    FoundryError,
    ModelError,
    ModelRejected,
    ModelReplyInvalid,
    ModelTimeout,
    ModelUnreachable,
)
from foundry.models.deadlines import DeadlineExceeded, Exchange
from foundry.models.providers import OLLAMA, PROVIDERS, Target
from foundry.models.settings import ModelSettings

Kind = Literal[
    "key", "forbidden", "unknown", "request", "length", "policy", "payment",
    "limit", "server", "timeout", "connection", "reply", "size", "moved",
]  # fmt: skip

RETRIED: frozenset[Kind] = frozenset({"limit", "server", "timeout", "connection"})

_NAMES: Mapping[Kind, str] = {
    "key": "AuthenticationError",
    "forbidden": "PermissionDeniedError",
    "unknown": "NotFoundError LiteLLMUnknownProvider ModelNotMappedError",
    "request": """
        BadRequestError InvalidRequestError ImageFetchError VectorStoreSearchError
        UnprocessableEntityError UnsupportedParamsError RejectedRequestError UnsupportedProtocol
        InvalidURL CookieConflict""",
    "length": "ContextWindowExceededError",
    "policy": """
        ContentPolicyViolationError GuardrailRaisedException BlockedPiiEntityError
        ModifyResponseException SensitiveDataRouteException ContentFilterFinishReasonError""",
    "payment": "PaymentRequiredError BudgetExceededError",
    "limit": "RateLimitError",
    "server": """
        ServiceUnavailableError BadGatewayError InternalServerError MockException APIError
        OpenAIError ConflictError APIStatusError HTTPStatusError""",
    "connection": """
        MidStreamFallbackError APIConnectionError WebSocketConnectionClosedError
        WebSocketQueueFullError NetworkError ProtocolError ProxyError TransportError StreamError
        RequestError HTTPError ConnectionError OSError""",
    "timeout": "Timeout APITimeoutError TimeoutException DeadlineExceeded TimeoutError",
    "reply": """
        APIResponseValidationError JSONSchemaValidationError LengthFinishReasonError
        InvalidWebhookSignatureError DecodingError JSONDecodeError""",
    "moved": "TooManyRedirects",
    "size": "ReplyTooLarge",
}
KINDS: Mapping[str, Kind] = {name: kind for kind, names in _NAMES.items() for name in names.split()}
"""The name of an exception of LiteLLM, openai, httpx, Python or this package → its kind.

Names are looked up along the class's ancestors, nearest first.
"""

_STATUS: Mapping[int, Kind] = {
    400: "request", 401: "key", 402: "payment", 403: "forbidden", 404: "unknown",
    408: "timeout", 409: "server", 413: "length", 422: "request", 425: "server", 429: "limit",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CallFailure:
    """A failed attempt: the error to raise, whether to retry, and after how many seconds."""

    error: FoundryError
    kind: Kind | None
    retried: bool
    retry_after: float | None = None
    detail: str = ""


def classify_error(
    error: BaseException, target: Target, settings: ModelSettings, exchange: Exchange
) -> CallFailure:
    """Classify whatever an attempt raised; Foundry's own errors pass unchanged."""
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
    named = "size" if exchange.oversized else _classify_by_name(error)
    if named == "size" or isinstance(error, DeadlineExceeded):
        return named
    status = exchange.status
    if status is None:
        # LiteLLM calls a refused connection an internal error.
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
    # Errors of LiteLLM's own parsing: the reply had an unexpected shape.
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
    seconds = _parse_seconds(value)
    return max(0.0, seconds) if seconds is not None and abs(seconds) < _LONGEST_RETRY_S else None


_LONGEST_RETRY_S = 1e9
"""About 30 years: more is no instruction but a mistake."""


def _parse_seconds(value: str) -> float | None:
    """The seconds of a ``Retry-After``: a number, several joined by a proxy, or a date."""
    try:
        return max(float(part) for part in value.split(","))
    except ValueError:
        pass
    try:
        return email.utils.parsedate_to_datetime(value).timestamp() - get_now().timestamp()
    except (ValueError, TypeError, OverflowError):
        return None


_PREFIX = re.compile(r"^(?:litellm\.)?(?:\w*(?:Error|Exception|Timeout)\b(?: Error)?\s*[:-]\s*)+")


def _format_detail(error: BaseException, settings: ModelSettings) -> str:
    """The provider's own message in one line of at most 300 characters, without keys."""
    text = str(error).split("\nTraceback", 1)[0].split(" Received Model Group", 1)[0]
    text = _PREFIX.sub("", " ".join(text.split()))
    text = redact_secrets(text, settings.environment).rstrip(" .")
    return text if len(text) <= 300 else f"{text[:299]}…"


# Kind → the error to raise and its message.
_MESSAGES: Mapping[Kind, tuple[type[FoundryError], str]] = {
    "key": (ModelRejected, "models-key-rejected"),
    "forbidden": (ModelRejected, "models-key-forbidden"),
    "unknown": (ModelRejected, "models-unknown"),
    "request": (ModelRejected, "models-request-rejected"),
    "length": (ModelRejected, "models-text-too-long"),
    "policy": (ModelRejected, "models-content-declined"),
    "payment": (ModelRejected, "models-no-credit"),
    "moved": (ModelRejected, "models-moved"),
    "limit": (ModelError, "models-rate-limit"),
    "server": (ModelError, "models-server-failed"),
    "timeout": (ModelTimeout, "models-timeout"),
    "connection": (ModelUnreachable, "models-unreachable"),
    "reply": (ModelReplyInvalid, "models-reply-invalid"),
    "size": (ModelReplyInvalid, "models-reply-too-large"),
}
_OLLAMA_MESSAGES = {
    "models-unknown": "models-unknown-ollama",
    "models-unreachable": "models-unreachable-ollama",
}


def _build_error(
    kind: Kind, target: Target, settings: ModelSettings, exchange: Exchange, detail: str
) -> FoundryError:
    """The error; ``answer`` is the server's own: the status and its words."""
    status = f" (HTTP {exchange.status})" if exchange.status and exchange.status >= 300 else ""
    known = PROVIDERS.get(target.provider)
    error_type, code = _MESSAGES[kind]
    if target.provider in OLLAMA:
        code = _OLLAMA_MESSAGES.get(code, code)
    return error_type(
        code,
        where=target.host,
        model=target.model,
        name=target.name,
        answer=f"{status}: {detail}" if detail else status,
        key=known.keys[0][0] if known and known.keys else f"{target.provider.upper()}_API_KEY",
        base=f"models.api_base.{target.provider}",
        timeout=settings.timeout_s,
        tried="",
        wait="",
    )
