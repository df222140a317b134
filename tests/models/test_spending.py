"""Limits of what requests may cost: against a server that counts, and a ledger in a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from foundry.clock import set_clock
from foundry.config import SpendingConfig
from foundry.errors import ModelError, ModelRejected, SpendingLimitReached
from foundry.models import Meter, ModelSettings, get_embedder, get_generator, sum_usage
from foundry.models.providers import resolve_target
from foundry.models.remote_generator import RemoteGenerator
from foundry.ports import ChatMessage, Generator
from foundry.store import Store, open_store
from tests.support.model_server import ModelServer, Status, Text

ASK = [ChatMessage("user", "How many volts?")]
# With at most 2,000 tokens of reply, one call of gpt-4o can cost 0.02 dollars; this one does.
DEAR = Text("Five.", prompt_tokens=100, completion_tokens=2000)
Open = Callable[..., Generator]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Store]:
    store = open_store("sqlite:///spent.db", tmp_path, "prj_test")
    yield store
    store.close()


@pytest.fixture
def open_model(settings: Callable[..., ModelSettings], ledger: Store) -> Open:
    """A model whose calls count in the ledger, in a run of its own with these limits."""

    def make(model: str = "openai/gpt-4o", **limits: Any) -> Generator:
        meter = Meter("ask", SpendingConfig(**limits), ledger)
        return get_generator(model, settings(max_tokens=2000, meter=meter))

    return make


@pytest.mark.parametrize("limit", ["cost_per_run", "cost_per_day"])
def test_a_call_that_could_exceed_a_limit_is_not_made(
    server: ModelServer, open_model: Open, limit: str
) -> None:
    with pytest.raises(SpendingLimitReached) as refused:
        open_model(**{limit: 0.01}).generate(ASK)
    assert server.requests == []
    assert refused.value.where == f"spending.{limit}"
    assert refused.value.problem.params["limit"] == 0.01
    assert refused.value.problem.params["spent"] == 0


def test_a_limit_per_run_is_of_that_run(server: ModelServer, open_model: Open) -> None:
    server.default = DEAR
    model = open_model(cost_per_run=0.03)
    model.generate(ASK)
    with pytest.raises(SpendingLimitReached, match=r"0\.02025"):
        model.generate(ASK)
    open_model(cost_per_run=0.03).generate(ASK)
    assert len(server.chats) == 2


def test_a_limit_per_day_is_of_all_runs_and_commands(server: ModelServer, open_model: Open) -> None:
    server.default = DEAR
    open_model().generate(ASK)
    open_model(cost_per_day=0.05).generate(ASK)
    with pytest.raises(SpendingLimitReached):
        open_model(cost_per_day=0.05).generate(ASK)
    assert len(server.chats) == 2


def test_what_is_counted_is_what_the_provider_counted(
    server: ModelServer, open_model: Open, ledger: Store
) -> None:
    server.default = Text("Five.", prompt_tokens=100, completion_tokens=10)
    model = open_model(cost_per_run=0.022)
    model.generate(ASK)
    model.generate(ASK)
    assert sum_usage(ledger.sum_calls()).cost == pytest.approx(2 * 0.00035)


def test_calls_at_the_same_time_do_not_exceed_it_together(
    server: ModelServer, open_model: Open
) -> None:
    server.default = DEAR

    def ask(_: int) -> bool:
        try:
            open_model(cost_per_day=0.045).generate(ASK)
        except SpendingLimitReached:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(ask, range(8))) == len(server.chats) == 2


def test_a_stream_is_stopped_before_it_starts_and_counted_after(
    server: ModelServer, open_model: Open, ledger: Store
) -> None:
    server.default = Text(" ".join(map(str, range(500, 900))))
    model = open_model(cost_per_run=0.022)
    assert len("".join(model.stream(ASK))) > 1000
    with pytest.raises(SpendingLimitReached):
        list(model.stream(ASK))
    assert len(server.chats) == 1
    assert sum_usage(ledger.sum_calls()).completion_tokens > 400


def test_a_stream_that_nobody_reads_to_its_end_counts_as_the_most(
    server: ModelServer, open_model: Open, ledger: Store
) -> None:
    server.default = Text("one two three", pause=0.01)
    pieces = open_model().stream(ASK)
    next(pieces)
    pieces.close()
    assert sum_usage(ledger.sum_calls()).completion_tokens == 2000


def test_a_stream_that_breaks_off_counts_as_the_most(
    server: ModelServer, open_model: Open, ledger: Store
) -> None:
    server.default = Text("one two three", drop=2)
    with pytest.raises(ModelError):
        list(open_model().stream(ASK))
    assert sum_usage(ledger.sum_calls()).completion_tokens == 2000


def test_a_refused_request_costs_nothing(
    server: ModelServer, open_model: Open, ledger: Store
) -> None:
    server.script(Status(400))
    model = open_model(cost_per_run=0.03)
    with pytest.raises(ModelRejected):
        model.generate(ASK)
    model.generate(ASK)
    assert sum_usage(ledger.sum_calls()).prompt_tokens == 11


def test_without_a_known_price_tokens_are_counted_and_that_is_said(
    server: ModelServer, settings: Callable[..., ModelSettings], ledger: Store
) -> None:
    meter = Meter("ask", SpendingConfig(cost_per_day=0.01, tokens_per_day=2020), ledger)
    own = settings(max_tokens=2000, meter=meter)
    # As if the server were elsewhere: what runs here has the price 0.
    model = RemoteGenerator(replace(resolve_target("openai/home-made", own), local=False), own)
    reply = model.generate(ASK)
    assert "spending-no-price" in [notice.code for notice in reply.notices]
    assert ledger.sum_calls()[0].unpriced == 1
    with pytest.raises(SpendingLimitReached):
        model.generate(ASK)
    assert len(server.chats) == 1


def test_a_local_model_is_never_stopped_by_a_limit_of_cost(
    server: ModelServer, open_model: Open
) -> None:
    assert open_model("ollama/scripted", cost_per_run=0).generate(ASK).notices == ()


def test_embedding_counts_too(
    server: ModelServer, settings: Callable[..., ModelSettings], ledger: Store
) -> None:
    meter = Meter("ingest", SpendingConfig(tokens_per_run=100), ledger)
    embedder = get_embedder("openai/text-embedding-3-small", settings(meter=meter))
    embedder.embed_passages(["Five volts."])
    with pytest.raises(SpendingLimitReached):
        embedder.embed_passages(["volt " * 200])
    [row] = ledger.sum_calls()
    assert (row.command, row.usage.calls) == ("ingest", 1)


def test_a_day_begins_at_midnight_of_the_stated_zone(server: ModelServer, open_model: Open) -> None:
    server.default = DEAR
    limits = {"cost_per_day": 0.03, "time_zone": "Europe/Amsterdam"}
    # Clocks go back in the night of 25 October 2026: midnight is at 22:00 UTC, the next at 23:00.
    evening = datetime(2026, 10, 24, 21, 59, tzinfo=UTC)
    with set_clock(lambda: evening):
        open_model(**limits).generate(ASK)
    with set_clock(lambda: evening + timedelta(minutes=2)):
        open_model(**limits).generate(ASK)
    with set_clock(lambda: evening + timedelta(hours=24)), pytest.raises(SpendingLimitReached):
        open_model(**limits).generate(ASK)
    with set_clock(lambda: evening + timedelta(hours=25, minutes=2)):
        open_model(**limits).generate(ASK)


def test_a_clock_that_goes_back_forgets_nothing(server: ModelServer, open_model: Open) -> None:
    server.default = DEAR
    noon = datetime(2026, 6, 1, 12, tzinfo=UTC)
    with set_clock(lambda: noon):
        open_model(cost_per_day=0.03).generate(ASK)
    with set_clock(lambda: noon - timedelta(days=3)), pytest.raises(SpendingLimitReached):
        open_model(cost_per_day=0.03).generate(ASK)
