"""What a measurement of a set came to, and its JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foundry.evaluation.dataset.beir import DatasetQuery
from foundry.evaluation.dataset.figures import HEAD, ArmFigures, Difference, Figures, Gate
from foundry.evaluation.dataset.searching import Outcome
from foundry.evaluation.dataset.setups import Setup
from foundry.evaluation.lines import SkippedLine
from foundry.evaluation.measuring.intervals import Interval
from foundry.records import SearchMode


@dataclass(frozen=True, slots=True)
class Measured:
    """The set under one configuration. ``outcomes``: arm → query id → what it found.

    ``folder`` is the cached project, ``reused`` how many documents it held before. ``differences``
    are those to the first configuration, by arm and measure; empty for that one itself.
    """

    setup: Setup
    arms: Mapping[SearchMode, ArmFigures]
    gate: Gate | None
    outcomes: Mapping[SearchMode, Mapping[str, Outcome]]
    folder: Path
    reused: int
    differences: Mapping[str, Mapping[str, Difference]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DatasetReport:
    """The figures of a set; its gate is None where no query says whether it is answerable.

    ``queries`` are those that were searched; ``counts`` tell of the others and of what was left
    out. ``compared`` are the other configurations.
    """

    dataset: str
    documents: int
    queries: tuple[DatasetQuery, ...]
    qrels: Mapping[str, Mapping[str, int]]
    measured: Measured
    compared: tuple[Measured, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    skipped: tuple[SkippedLine, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def arms(self) -> Mapping[SearchMode, ArmFigures]:
        """The first configuration's figures by arm."""
        return self.measured.arms

    @property
    def gate(self) -> Gate | None:
        """The first configuration's gate."""
        return self.measured.gate

    def as_dict(self) -> dict[str, Any]:
        """The report as ``--json`` prints it."""
        return {
            "dataset": self.dataset,
            "documents": self.documents,
            "queries": len(self.queries),
            **_measured(self.measured),
            "notices": list(self.notices),
            "counts": dict(self.counts),
            "skipped": [line.as_dict() for line in self.skipped],
            "compared": [
                {**_measured(one), "differences": _differences(one)} for one in self.compared
            ],
        }


def _measured(one: Measured) -> dict[str, Any]:
    return {
        "arms": {name: _arm(arm) for name, arm in one.arms.items()},
        "gate": one.gate and _gate(one.gate),
        "config": {"name": one.setup.name, "changes": _changes(one.setup)},
        "index": {"folder": str(one.folder), "reused": one.reused},
    }


def _changes(setup: Setup) -> dict[str, str]:
    return {key: json.dumps(value, ensure_ascii=False) for key, value in setup.changes.items()}


def _arm(arm: ArmFigures) -> dict[str, Any]:
    means = {name: rounded(value) for name, value in arm.ranking.means.items()}
    return {
        **{name: means[name] for name in HEAD},
        "p50_ms": rounded(arm.p50_ms, 1),
        "p95_ms": rounded(arm.p95_ms, 1),
        **means,
        "intervals": _intervals(arm.ranking.intervals),
        "spans": arm.spans and _figures(arm.spans),
        "characters": arm.characters and _figures(arm.characters),
    }


def _figures(figures: Figures) -> dict[str, Any]:
    means = {name: rounded(value) for name, value in figures.means.items()}
    return {**means, "intervals": _intervals(figures.intervals)}


def _gate(gate: Gate) -> dict[str, Any]:
    figures = gate.figures
    return {
        "auroc": rounded(figures.auroc),
        "refusal_precision": rounded(figures.refusal_precision),
        "refusal_recall": rounded(figures.refusal_recall),
        "false_refusal_rate": rounded(figures.false_refusal_rate),
        "threshold": figures.threshold,
        "arm": gate.arm,
        "intervals": _intervals(gate.intervals),
    }


def _differences(one: Measured) -> dict[str, Any]:
    return {
        arm: {
            name: {
                "difference": rounded(found.mean),
                "interval": interval_as_list(found.interval),
                "clear": found.clear,
            }
            for name, found in differences.items()
        }
        for arm, differences in one.differences.items()
    }


def _intervals(found: Mapping[str, Interval | None]) -> dict[str, list[float] | None]:
    return {name: interval_as_list(interval) for name, interval in found.items()}


def interval_as_list(interval: Interval | None) -> list[float] | None:
    """``[low, high]``, or null where it is undefined."""
    return None if interval is None else [round(interval.low, 4), round(interval.high, 4)]


def rounded(value: float | None, digits: int = 4) -> float | None:
    """The value as it is printed; None stays None."""
    return None if value is None else round(float(value), digits)
