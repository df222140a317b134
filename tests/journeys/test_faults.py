"""kill -9 at random moments of an ingest: the next run ends as if nothing had happened."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bench.faults import kills
from bench.faults.kills import Place, kill_ingest, run_disturbed, run_undisturbed


def test_a_killed_ingest_continues_to_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The bench kills it more often.
    monkeypatch.setattr(kills, "KILLS_PER_TRIAL", 2)
    place = Place("sqlite")
    undisturbed = run_undisturbed(place, tmp_path / "calm")
    trial = run_disturbed(place, tmp_path / "killed", undisturbed, kill_ingest, random.Random(5))
    assert trial.kills >= 1
    assert trial.problems == []
    assert trial.same
