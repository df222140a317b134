"""``foundry log``: what is kept of a question, and the rates over time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from foundry.records import QueryRecord, Usage
from foundry.wire.commands import MODELS
from foundry.workspace import open_workspace
from tests.faces.conftest import Run


def keep(project: Path, *rows: dict[str, Any]) -> None:
    """Rows in the project's log, each at noon of its ``day``."""
    with open_workspace(project, environment={}, cwd=project) as workspace:
        for number, row in enumerate(rows):
            day = datetime.fromisoformat(f"{row.pop('day', '2026-03-02')}T12:00").astimezone(UTC)
            defaults: dict[str, Any] = {
                "id": f"q{number}", "time": day, "kind": "ask", "query": "x", "rewritten": None,
                "role": "secret", "agent": None, "verdict": "answer", "gate_score": 0.5,
                "chunks": (), "models": {"generator": "m"}, "answer": None,
                "attribution_coverage": None, "shown_coverage": None, "timings_ms": {},
                "usage": Usage(),
            }  # fmt: skip
            workspace.store.log_query(QueryRecord(**{**defaults, **row}))


@pytest.mark.parametrize("line", ["list", "stats --by week", "stats --by day", "cost"])
def test_a_day_of_another_age_is_refused(run: Run, project: Path, line: str) -> None:
    outcome = run("log", *line.split(), "--since", "0001-01-01")
    assert outcome.status == 2
    assert "1970-01-01" in outcome.err


def test_stats_print_the_documented_json(run: Run, project: Path) -> None:
    run("ask", "What is the rating of the input fuse?")
    outcome = run("log", "stats", "--by", "month", "--json")
    assert outcome.status == 0
    assert MODELS["log stats"].model_validate(outcome.json)
    assert outcome.json["total"]["n"] == 1


def test_rates_are_over_rows_with_a_verdict_and_errors_over_all(run: Run, project: Path) -> None:
    keep(project, {}, {"verdict": "no_evidence"}, {"verdict": None, "error": "model: down"},
         {"verdict": None, "kind": "verify"})  # fmt: skip
    total = run("log", "stats", "--json").json["total"]
    assert total["verdict_rates"] == {
        "answer": 0.5, "low_confidence": 0.0, "passages": 0.0, "no_evidence": 0.5,
    }  # fmt: skip
    assert (total["n"], total["error_rate"]) == (4, 0.25)


def test_what_cannot_be_counted_is_null_and_never_0(run: Run, project: Path) -> None:
    keep(project, {"verdict": None, "kind": "verify"})
    total = run("log", "stats", "--json").json["total"]
    assert set(total["verdict_rates"].values()) == {None}
    assert (total["coverage"], total["p50_ms"], total["check_rates"]["partly"]) == (None,) * 3
    assert "–" in run("log", "stats").out


def test_an_empty_log_has_no_rates(run: Run, project: Path) -> None:
    total = run("log", "stats", "--json").json["total"]
    assert (total["n"], total["error_rate"], total["cost"]) == (0, None, None)
    assert run("log", "stats").out == "No questions yet.\n"


def test_coverage_checks_latency_tokens_and_cost_are_summed_up(run: Run, project: Path) -> None:
    priced = Usage(calls=1, prompt_tokens=10, completion_tokens=5, cost=0.25)
    keep(
        project,
        *({"timings_ms": {"total": float(ms)}, "usage": priced} for ms in range(1, 20)),
        {"attribution_coverage": 1.0, "checks": {"supported": 3}, "usage": Usage(cost=None)},
        {"attribution_coverage": 0.5, "checks": {"unsupported": 1}},
    )
    total = run("log", "stats", "--json").json["total"]
    assert (total["coverage"], total["check_rates"]["supported"]) == (0.75, 0.75)
    assert (total["p50_ms"], total["p95_ms"]) == (10.0, 19.0)
    assert (total["tokens"], total["cost"], total["unpriced"]) == (285, 4.75, 1)


@pytest.mark.parametrize(
    ("by", "starts"),
    [
        ("day", ["2026-03-01", "2026-03-02", "2026-03-09"]),
        ("week", ["2026-02-23", "2026-03-02", "2026-03-09"]),
        ("month", ["2026-03-01"]),
    ],
)
def test_periods_begin_on_their_first_day_and_empty_ones_are_left_out(
    run: Run, project: Path, by: str, starts: list[str]
) -> None:
    keep(project, {"day": "2026-03-01"}, {"day": "2026-03-02"}, {"day": "2026-03-09"})
    periods = run("log", "stats", "--by", by, "--json").json["periods"]
    assert [period["start"] for period in periods] == starts
    assert sum(period["n"] for period in periods) == 3


def test_since_and_until_are_both_included(run: Run, project: Path) -> None:
    keep(project, *({"day": f"2026-03-0{day}"} for day in range(1, 6)))
    words = ("--since", "2026-03-02", "--until", "2026-03-04", "--json")
    assert run("log", "stats", *words).json["total"]["n"] == 3
    assert run("log", "stats", "--since", "2026-03-02", "--until", "2026-03-01").status == 2
    assert run("log", "stats", "--since", "yesterday").status == 2


def test_figures_are_also_given_by_kind_and_by_model(run: Run, project: Path) -> None:
    keep(project, {"kind": "generate"}, {}, {"models": {"generator": "n"}}, {"models": {}})
    found = run("log", "stats", "--json").json
    assert {kind: one["n"] for kind, one in found["kinds"].items()} == {"ask": 3, "generate": 1}
    assert {model: one["n"] for model, one in found["models"].items()} == {"m": 2, "n": 1}
    out = run("log", "stats", "--by", "day").out
    assert "DAY" in out
    assert "KIND" in out


def test_the_list_can_be_limited(run: Run, project: Path) -> None:
    keep(project, {}, {"verdict": None, "error": "model: down"}, {"day": "2026-03-05"})
    for words, ids in (
        (("--verdict", "error"), ["q1"]),
        (("--since", "2026-03-05"), ["q2"]),
        (("--kind", "chat"), []),
    ):
        listed = run("log", "list", *words, "--json").json["queries"]
        assert [entry["id"] for entry in listed] == ids


def test_a_row_shows_checks_changes_and_profile(run: Run, project: Path) -> None:
    keep(project, {"checks": {"supported": 2}, "changes": {"removed": 1}, "profile": "cheap",
                   "rewritten": "What is the fuse of the DX-4?"})  # fmt: skip
    out = run("log", "show", "q0").out
    assert "Checks:   2 supported" in out
    assert "Changes:  1 removed" in out
    assert "Profile:  cheap" in out
    assert "Searched: What is the fuse of the DX-4?" in out
