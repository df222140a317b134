"""Figures for monitoring at ``/metrics``, in the format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import APIRouter, Request, Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import Scope

from foundry.clock import get_now
from foundry.journeys.query_log import log_stats
from foundry.journeys.work import WorkerWatch, list_workers
from foundry.web.projects import Projects
from foundry.web.security.callers import Owned
from foundry.web.site import Site

router = APIRouter(tags=["operation"])
_API = "/api/v2"
SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Upper bounds of the histogram: from a page to the answer of a slow model."""


class _ProjectMeters(Collector):
    """The project's own figures, read from its database at each request."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._watch = WorkerWatch()

    def collect(self) -> Iterator[Metric]:
        """The gauges; those of the log count today's rows."""
        workspace = self._site.owner
        index = workspace.store.index_status(workspace.config.embedding.model)
        jobs = workspace.maintenance().count_open_jobs()
        for name, about, value in (
            ("sources", "Sources in the project", index.sources),
            ("chunks", "Chunks that are searched", index.chunks),
            ("vectors_pending", "Chunks without a vector", index.pending),
            ("jobs_open", "Files that wait or are being read", jobs),
            ("workers", "Processes that read files", len(list_workers(workspace, self._watch))),
        ):
            yield GaugeMetricFamily(f"foundry_{name}", about, value=value)
        today = log_stats(workspace, since=get_now().astimezone().date()).total
        answers = GaugeMetricFamily(
            "foundry_log_rows_today", "Rows of the log since midnight", labels=["outcome"]
        )
        for outcome, n in (*today.verdicts.items(), ("error", today.errors)):
            answers.add_metric([outcome], n)
        yield answers
        yield GaugeMetricFamily(
            "foundry_cost_today_dollars", "Known cost since midnight", value=today.cost or 0.0
        )
        yield GaugeMetricFamily(
            "foundry_tokens_today", "Tokens of models since midnight", value=today.tokens
        )


class _ServerMeters(Collector):
    """The number of open projects on a server, without their names."""

    def __init__(self, projects: Projects) -> None:
        self._projects = projects

    def collect(self) -> Iterator[Metric]:
        """The gauges."""
        about, found = "Projects on the server", len(self._projects.list_folders()[0])
        yield GaugeMetricFamily("foundry_projects", about, value=found)
        now = self._projects.number_open
        yield GaugeMetricFamily("foundry_projects_open", "Projects that are open", value=now)


class Meters:
    """The requests of this server by route, method and status, and how long they took."""

    def __init__(self, site: Site, projects: Projects | None = None) -> None:
        self.registry = CollectorRegistry()
        self.registry.register(_ServerMeters(projects) if projects else _ProjectMeters(site))
        labels = ("method", "route", "status")
        self._requests = Counter(
            "foundry_requests", "Requests served", labels, registry=self.registry
        )
        self._seconds = Histogram(
            "foundry_request_seconds",
            "Seconds from the head of a request to the end of its reply",
            ("route",),
            registry=self.registry,
            buckets=SECONDS,
        )

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)


def find_route(scope: Scope) -> str:
    """The route of a request, without ids, so that the number of series is bounded."""
    route = str(getattr(scope.get("route"), "path", "other"))
    site: Site = scope["state"]["site"]
    if site.strip_root(scope["path"]).startswith(_API) and not route.startswith(_API):
        # A route knows its path in its router, but not the prefix of that router.
        return _API + route.removeprefix("other")
    return route


@router.get("/metrics", include_in_schema=False)
def show_metrics(request: Request, _owner: Owned) -> Response:
    """The meters; the owner's alone: a monitoring system sends a token."""
    meters: Meters = request.app.state.meters
    return Response(generate_latest(meters.registry), media_type=CONTENT_TYPE_LATEST)
