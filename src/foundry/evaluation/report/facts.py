"""What was run: by whose name, when, over what, and wherein the runs differ."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report.examined import Examined
from foundry.evaluation.report.figures import abreast
from foundry.evaluation.report.sheet import Cell, Column, Group, Table
from foundry.records import EvalRun

_USER_INFO = re.compile(r"(?<=://)[^/@\s]+@")
_CHIEF_VERSIONS = ("foundry", "embedding", "generator", "gate")

Write = Callable[[Examined, Phrases], str]


def run_tables(runs: Sequence[Examined], phrases: Phrases) -> tuple[Table, ...]:
    """A row for each fact, a column for each run."""
    return tuple(
        Table(
            caption=phrases("runs.title"),
            columns=_columns(phrases("fact"), part),
            groups=(
                Group(
                    "",
                    tuple(
                        (
                            Cell(phrases(f"fact.{name}")),
                            *(Cell(write(run, phrases)) for run in part),
                        )
                        for name, write in _FACTS.items()
                    ),
                ),
            ),
        )
        for part in abreast(runs)
    )


def differing_tables(runs: Sequence[Examined], phrases: Phrases) -> tuple[Table, ...]:
    """The settings and versions that are not the same in all runs; nothing for a single run."""
    if len(runs) < 2:
        return ()
    rows = _setting_rows(runs)
    differing = {name for name, values in rows.items() if len(set(values)) > 1}
    return tuple(
        Table(
            caption=phrases("differing.title"),
            columns=_columns(phrases("setting"), part),
            groups=(
                Group("", _rows({k: v for k, v in _setting_rows(part).items() if k in differing})),
            ),
            note="" if differing else phrases("differing.none"),
        )
        for part in abreast(runs)
    )


def setting_tables(runs: Sequence[Examined], phrases: Phrases) -> tuple[Table, ...]:
    """Every setting and version of every run."""
    return tuple(
        Table(
            caption=phrases("settings.title"),
            columns=_columns(phrases("setting"), part),
            groups=(Group("", _rows(_setting_rows(part))),),
        )
        for part in abreast(runs)
    )


def flat(settings: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Dotted keys with their values as text; user names and passwords in addresses are masked."""
    for key, value in settings.items():
        name = f"{above}.{key}" if above else str(key)
        if isinstance(value, Mapping) and value:
            yield from flat(value, name)
        else:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            yield name, _USER_INFO.sub("…@", text)


def _columns(head: str, runs: Sequence[Examined]) -> tuple[Column, ...]:
    return (Column(head, "label"), *(Column(run.label, "text") for run in runs))


def _rows(values: Mapping[str, Sequence[str]]) -> tuple[tuple[Cell, ...], ...]:
    return tuple((Cell(name), *map(Cell, row)) for name, row in values.items())


def _setting_rows(runs: Sequence[Examined]) -> dict[str, tuple[str, ...]]:
    settings = [_settings(one.run) for one in runs]
    names = sorted({name for one in settings for name in one})
    return {name: tuple(one.get(name, "–") for one in settings) for name in names}


def _settings(run: EvalRun) -> dict[str, str]:
    return {**dict(flat(run.config)), **{f"version: {k}": v for k, v in flat(run.versions)}}


def _sets(one: Examined, phrases: Phrases) -> str:
    return ", ".join(one.run.sets) or phrases("none")


def _state(one: Examined, phrases: Phrases) -> str:
    return phrases("state.finished" if one.run.finished else "state.unfinished")


def _duration(one: Examined, phrases: Phrases) -> str:
    return phrases("seconds", n=phrases.number(one.run.seconds, 1)) if one.run.seconds else "–"


def _questions(one: Examined, phrases: Phrases) -> str:
    kinds = ("answerable", "unanswerable", "unlabelled")
    parts = (
        f"{phrases.number(one.counts.get(kind, 0))} {phrases(f'kind.{kind}')}" for kind in kinds
    )
    return f"{phrases.number(one.counts.get('questions', 0))}: {', '.join(parts)}"


def _answered(one: Examined, phrases: Phrases) -> str:
    numbers = (phrases.number(one.counts.get(name, 0)) for name in ("answered", "refused"))
    return " / ".join(numbers)


def _versions(one: Examined, phrases: Phrases) -> str:
    known = dict(flat(one.run.versions))
    return ", ".join(f"{k} {known[k]}" for k in _CHIEF_VERSIONS if k in known) or phrases("none")


def _overrides(one: Examined, phrases: Phrases) -> str:
    return ", ".join(f"{k}={v}" for k, v in flat(one.run.overrides)) or phrases("none")


def _count(name: str) -> Write:
    return lambda one, phrases: phrases.number(one.counts.get(name, 0))


_FACTS: Mapping[str, Write] = {
    "number": lambda one, _phrases: f"#{one.run.id}",
    "kind": lambda one, phrases: phrases(f"run.{one.run.kind}"),
    "sets": _sets,
    "state": _state,
    "started": lambda one, phrases: phrases.moment(one.run.started),
    "duration": _duration,
    "questions": _questions,
    "judged": _count("judged"),
    "answered": _answered,
    "errors": _count("errors"),
    "unknown_sources": _count("unknown_sources"),
    "questions_hash": lambda one, _phrases: one.run.questions[:16] or "–",
    "index_hash": lambda one, _phrases: one.run.index[:16] or "–",
    "versions": _versions,
    "overrides": _overrides,
}
