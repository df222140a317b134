"""Fixtures: a scripted model server, settings that point to it, and no other network."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from foundry.models import ModelSettings, builtin_model
from tests.support.model_server import ModelServer

ENCODE = builtin_model.embed_text


@pytest.fixture(autouse=True)
def _encoded_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The built-in model itself, not the vectors that the other tests know already."""
    monkeypatch.setattr(builtin_model, "embed_text", ENCODE)


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in (
            "127.0.0.1",
            "::1",
        ):
            raise AssertionError(f"a test tried to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def settings(server: ModelServer) -> Callable[..., ModelSettings]:
    """Settings that point all providers of these tests to the server; keywords override them."""

    def make(**changes: Any) -> ModelSettings:
        values: dict[str, Any] = {
            "timeout_s": 30.0,
            "retry_wait_s": 0.01,
            "api_base": {"openai": server.openai, "ollama": server.ollama},
            "environment": {"OPENAI_API_KEY": "sk-secret-0123456789"},
        }
        return ModelSettings(**(values | changes))

    return make
