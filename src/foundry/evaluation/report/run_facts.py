"""The facts and settings of a run, as a report shows them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report.run_summary import RunSummary
from foundry.records import EvalRun

_USER_INFO = re.compile(r"(?<=://)[^/@\s]+@")
_CHIEF_VERSIONS = ("foundry", "embedding", "generator", "gate")


def run_facts(summary: RunSummary, t: Phrases) -> dict[str, str]:
    """What was run, by the name of the fact."""
    run = summary.run
    counts = {name: t.number(number) for name, number in summary.counts.items()}
    kinds = ("answerable", "unanswerable", "unlabelled")
    labels = ", ".join(f"{counts.get(kind, '0')} {t(f'kind.{kind}')}" for kind in kinds)
    known = dict(_flatten(run.versions))
    versions = [f"{name} {known[name]}" for name in _CHIEF_VERSIONS if name in known]
    return {
        "number": f"#{run.id}",
        "kind": t(f"run.{run.kind}"),
        "sets": ", ".join(run.sets) or t("none"),
        "state": t("state.finished" if run.finished else "state.unfinished"),
        "started": t.moment(run.started),
        "duration": t("seconds", n=t.number(run.seconds, 1)) if run.seconds else "–",
        "questions": f"{counts.get('questions', '0')}: {labels}",
        "judged": counts.get("judged", "0"),
        "answered": f"{counts.get('answered', '0')} / {counts.get('refused', '0')}",
        "errors": counts.get("errors", "0"),
        "unknown_sources": counts.get("unknown_sources", "0"),
        "questions_hash": run.questions[:16] or "–",
        "index_hash": run.index[:16] or "–",
        "versions": ", ".join(versions) or t("none"),
        "overrides": ", ".join(f"{k}={v}" for k, v in _flatten(run.overrides)) or t("none"),
    }


def describe_settings(run: EvalRun) -> dict[str, str]:
    """Every setting and version of a run by its dotted key."""
    versions = {f"version: {key}": value for key, value in _flatten(run.versions)}
    return {**dict(_flatten(run.config)), **versions}


def _flatten(settings: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Dotted keys with values as text; user names and passwords in addresses are masked."""
    for key, value in settings.items():
        name = f"{above}.{key}" if above else str(key)
        if isinstance(value, Mapping) and value:
            yield from _flatten(value, name)
        else:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            yield name, _USER_INFO.sub("…@", text)
