"""A span for each request, sent to a collector of OpenTelemetry where the environment names one.

It has the route, never the address, because a query contains the words of a question. The variables are
OpenTelemetry's own, such as OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_SERVICE_NAME.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import Headers

from foundry.errors import require_extra
from foundry.models.privacy import TRACE_ENDPOINTS


class Traces:
    """Spans of requests, as children of the caller's span if it sends ``traceparent`` (W3C)."""

    def __init__(self) -> None:
        # Imported here: an extra.
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        named = {} if "OTEL_SERVICE_NAME" in os.environ else {"service.name": "foundry"}
        self._provider = TracerProvider(resource=Resource.create(named))
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("foundry.web")

    def record(
        self,
        headers: Headers,
        request: str,
        *,
        method: str,
        route: str,
        status: int,
        seconds: float,
    ) -> None:
        """Record a span that ends now; ``request`` is its id, also in the log."""
        from opentelemetry.trace import SpanKind, Status, StatusCode
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        end = time.time_ns()
        facts: Mapping[str, Any] = {
            "http.request.method": method,
            "http.route": route,
            "http.response.status_code": status,
            "foundry.request_id": request,
        }
        span = self._tracer.start_span(
            f"{method} {route}",
            context=TraceContextTextMapPropagator().extract(headers),
            kind=SpanKind.SERVER,
            attributes=facts,
            start_time=end - int(seconds * 1e9),
        )
        if status >= 500:
            span.set_status(Status(StatusCode.ERROR))
        span.end(end)

    def close(self) -> None:
        """Send the remaining spans."""
        self._provider.shutdown()


def open_traces(environment: Mapping[str, str]) -> Traces | None:
    """Return the traces if a collector is named, else None. Raises ``ExtraMissing``."""
    named = next((name for name in TRACE_ENDPOINTS if environment.get(name)), None)
    if named is None:
        return None
    require_extra("otel", where=named)
    return Traces()
