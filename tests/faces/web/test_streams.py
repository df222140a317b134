"""Streams end with their client."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from foundry.web import streams
from foundry.web.site import Site
from foundry.web.streams import Emit, stream
from foundry.wire.base import WireModel
from foundry.wire.requests import StageJson

STAGE = StageJson(stage="search")


def test_work_stops_when_its_client_is_gone(site: Site) -> None:
    listening, stopped = threading.Event(), threading.Event()

    def work(emit: Emit) -> WireModel:
        try:
            emit("stage", STAGE)
            listening.wait(10)
            emit("stage", STAGE)
        finally:
            stopped.set()
        return STAGE

    events = stream(site, work)
    assert isinstance(events, Iterator)
    assert next(events).event == "stage"
    events.close()
    listening.set()
    assert stopped.wait(10)
    assert site.slots.acquire(timeout=10)
    site.slots.release()


def test_a_client_that_waits_gets_a_sign_of_life(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.01)
    over = threading.Event()

    def work(_emit: Emit) -> WireModel:
        over.wait(10)
        return STAGE

    events = stream(site, work)
    assert next(events).comment is not None
    over.set()
    assert [event.event for event in events if event.event] == ["result"]


def test_a_fault_in_a_stream_names_no_path(site: Site) -> None:
    def work(_emit: Emit) -> WireModel:
        raise RuntimeError("/private/path")

    (event,) = stream(site, work)
    assert event.event == "error"
    assert "private" not in event.data.model_dump_json()
