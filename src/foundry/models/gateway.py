"""Remote model calls, limited in time, concurrency and retries.

The gateway knows when to retry and when to give up; requests and replies belong to
its callers. Pauses between attempts follow the server's ``Retry-After`` or grow
exponentially with jitter, and never add up to more than 60 seconds.

Here alone foreign errors become ``ModelError``. LiteLLM mislabels some failures (it calls both a body
that is not JSON and a refused connection an "internal server error"), so the HTTP status actually
received counts first and the error's class second. Messages name the model and the host, and never
contain a key, a prompt or a traceback.
"""

from __future__ import annotations

import contextlib
import email.utils
import math
import queue
import random
import re
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from foundry.clock import get_now
from foundry.config import redact_secrets
from foundry.errors import (
    FoundryError,
    ModelError,
    ModelRejected,
    ModelReplyInvalid,
    ModelTimeout,
    ModelUnreachable,
    SpendingLimitReached,
)
from foundry.messages import Message
from foundry.models.deadlines import DeadlineExceeded, Exchange, iterate_bounded, run_bounded, take
from foundry.models.litellm_client import load_litellm
from foundry.models.providers import OLLAMA, PROVIDERS, Target, needs_key
from foundry.models.settings import ModelSettings

MAX_WAIT_S = 60.0
"""Upper bound for the sum of all pauses of one call; a person is waiting for the answer."""

_LONGEST_PAUSE_S = 20.0
# A call waits this many time-outs for a free slot; a stream may last as long in all. A guess:
# long enough for a queue of slow local replies.
_PATIENCE = 10

T = TypeVar("T")
R = TypeVar("R")


class _CallFailed(Exception):
    def __init__(self, failure: CallFailure) -> None:
        super().__init__(str(failure.error))
        self.failure = failure


def call(target: Target, settings: ModelSettings, work: Callable[[], T], *, limit: int) -> T:
    """Run ``work`` (one HTTP request), and retry it where that can help.

    Each attempt takes a slot, at most ``timeout_s``, and reads at most ``limit`` bytes.
    Raises ``ModelError`` and its subclasses.
    """

    def attempt() -> T:
        exchange = Exchange(limit)
        try:
            with _acquire_slot(target, settings):
                return run_bounded(work, exchange, settings.timeout_s)
        except Exception as error:
            raise _CallFailed(classify_error(error, target, settings, exchange)) from error

    return _retry(attempt, settings)


def stream(
    target: Target, settings: ModelSettings, open_stream: Callable[[], Iterator[T]], *, limit: int
) -> Generator[T, None, None]:
    """Yield the items of a stream; it is retried only before the first one.

    ``timeout_s`` bounds the silence before each item, ten times that the whole stream, and
    ``limit`` its bytes. Closing the generator closes the connection and frees the slot.
    """
    pieces, first = _retry(
        lambda: _open_until_first(_iterate_stream(target, settings, open_stream, limit)), settings
    )
    with contextlib.closing(pieces):
        yield from first
        try:
            yield from pieces
        except _CallFailed as failed:
            raise failed.failure.error from failed.__cause__


def map_calls(function: Callable[[T], R], items: Iterable[T], limit: int) -> Iterator[R]:
    """Apply ``function`` to each item in at most ``limit`` threads; yield results in order.

    An error is raised in its result's place, a limit of spending once the calls under way have
    ended: they are paid for, and ``function`` may keep what they give. After an error, or once the
    iterator is closed, no further call starts. Items are taken as threads become free.
    """
    waiting = iter(items)
    if limit <= 1:
        yield from map(function, waiting)
        return
    done: queue.SimpleQueue[tuple[int, bool, Any]] = queue.SimpleQueue()
    results: dict[int, tuple[bool, Any]] = {}
    started = 0
    with contextlib.suppress(StopIteration):
        while started < limit:
            _start_call(function, next(waiting), started, done)
            started += 1
    wanted, failed, ended = 0, False, 0
    while wanted < started:
        number, succeeded, value = take(done, math.inf)
        ended += 1
        results[number] = (succeeded, value)
        failed = failed or not succeeded
        if not failed:
            with contextlib.suppress(StopIteration):
                _start_call(function, next(waiting), started, done)
                started += 1
        while wanted in results:
            succeeded, value = results.pop(wanted)
            if not succeeded:
                if isinstance(value, SpendingLimitReached):
                    for _ in range(started - ended):
                        take(done, math.inf)
                raise value
            wanted += 1
            yield value


def request_arguments(target: Target, settings: ModelSettings) -> dict[str, Any]:
    """The arguments of every LiteLLM call to this target: name, address, key, time-out."""
    load_litellm()
    arguments: dict[str, Any] = {
        "model": target.litellm_name,
        "api_base": target.sent_base,
        # The client insists on a key even where the server needs none.
        "api_key": target.api_key or (None if needs_key(target) else "unused"),
        "timeout": settings.timeout_s,
        "max_retries": 0,
    }
    if target.provider == "azure":
        arguments["api_version"] = settings.environment.get("AZURE_API_VERSION")
    return arguments


def _start_call(
    function: Callable[[T], R], item: T, number: int, done: queue.SimpleQueue[tuple[int, bool, Any]]
) -> None:
    def run() -> None:
        try:
            done.put((number, True, function(item)))
        except BaseException as error:  # noqa: BLE001  (map_calls raises it again)
            done.put((number, False, error))

    # Daemons, so that an interrupted run does not wait for stalled servers.
    threading.Thread(target=run, name=f"model-call-{number}", daemon=True).start()


def _open_until_first(pieces: Generator[T, None, None]) -> tuple[Generator[T, None, None], list[T]]:
    """A stream and its first item; the list is empty if there is none."""
    for piece in pieces:
        return pieces, [piece]
    return pieces, []


def _iterate_stream(
    target: Target, settings: ModelSettings, open_stream: Callable[[], Iterator[T]], limit: int
) -> Generator[T, None, None]:
    exchange = Exchange(limit)
    try:
        with _acquire_slot(target, settings):
            bounded = iterate_bounded(
                open_stream, exchange, settings.timeout_s, settings.timeout_s * _PATIENCE
            )
            with contextlib.closing(bounded):
                yield from bounded
    except Exception as error:
        raise _CallFailed(classify_error(error, target, settings, exchange)) from error


@contextlib.contextmanager
def _acquire_slot(target: Target, settings: ModelSettings) -> Iterator[None]:
    if not settings.slots.acquire(timeout=settings.timeout_s * _PATIENCE):
        raise ModelTimeout(
            "models-no-slot",
            where=target.host,
            model=target.model,
            running=settings.max_concurrency,
        )
    try:
        yield
    finally:
        settings.slots.release()


def _retry(attempt: Callable[[], T], settings: ModelSettings) -> T:
    # Imported here: only remote calls need it.
    import tenacity

    def pause(state: tenacity.RetryCallState) -> float:
        failure = _get_failure(state)
        if failure.retry_after is not None:
            return failure.retry_after
        grown = settings.retry_wait_s * 2 ** (state.attempt_number - 1)
        return float(min(grown, _LONGEST_PAUSE_S)) * random.uniform(1.0, 1.5)  # noqa: S311  (not a secret)

    def too_long(state: tenacity.RetryCallState) -> bool:
        return bool(state.idle_for + state.upcoming_sleep > MAX_WAIT_S)

    retrying = tenacity.Retrying(
        stop=lambda state: state.attempt_number > settings.max_retries or too_long(state),
        wait=pause,
        retry=tenacity.retry_if_exception(
            lambda error: isinstance(error, _CallFailed) and error.failure.retried
        ),
        reraise=True,
    )
    try:
        return retrying(attempt)
    except _CallFailed as failed:
        raise _add_tries(failed.failure, retrying) from failed.__cause__


def _get_failure(state: Any) -> CallFailure:
    error = state.outcome.exception()
    return error.failure  # type: ignore[no-any-return]


def _add_tries(failure: CallFailure, retrying: Any) -> FoundryError:
    """The failure's error, with the number of attempts and a long ``Retry-After``."""
    error = failure.error
    tries = int(retrying.statistics.get("attempt_number", 1))
    if not failure.retried:
        return error
    waits = failure.retry_after or 0.0
    added = {
        "tried": Message("models-tried", tries=tries) if tries > 1 else "",
        "wait": Message("models-wait", seconds=round(waits)) if waits > MAX_WAIT_S else "",
    }
    problem = Message(error.problem.code, **{**error.problem.params, **added})
    return type(error)(problem, where=error.where)


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
