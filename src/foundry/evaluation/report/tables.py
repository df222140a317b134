"""Runs as a report shows them, labelled and compared with the first, and their tables as data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from foundry.errors import UsageError
from foundry.evaluation.comparison import (
    ChangedQuestion,
    Comparison,
    MeasureChange,
    compare_results,
    get_severity,
)
from foundry.evaluation.metrics.answers import ANSWER_MEASURES, SHOWN_MEASURES
from foundry.evaluation.metrics.measures import (
    CHIEF,
    CITATION,
    GATE,
    MEANS,
    QUALITY,
    RANKING,
    REFUSAL,
    SPENT,
    TIMES,
    TRUST,
)
from foundry.evaluation.metrics.ranking import SPAN_MEASURES
from foundry.evaluation.metrics.statistics import (
    Interval,
    count_trust,
    intervals_of,
    summarise,
    values_of,
)
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.runs.history import flatten, mask_user
from foundry.records import EvalQuestion, EvalResult, EvalRun

Tone = Literal["", "good", "bad"]

GROUPS: Mapping[str, tuple[str, ...]] = {
    "ranking": (*RANKING, *SPAN_MEASURES),
    "refusal": REFUSAL,
    "gate": (*GATE, "auroc"),
    "citation": (*CITATION, "coverage"),
    "answers": (*ANSWER_MEASURES, *TRUST),
    "passages": SHOWN_MEASURES,
    "times": TIMES,
    "spent": SPENT,
}
CHIEF_QUALITY = tuple(name for name in CHIEF if name in QUALITY)
"""The measures of the summary and of the plot of differences; the table has all depths."""

OF_ANSWERS = frozenset(("refusal", "citation", "answers", "passages", "spent"))
"""The groups that a run over search alone lacks."""

HEADLINE = (
    *("recall@10", "ndcg@10", "auroc", "false_refusal_rate", "refusal_recall"),
    *("sure_precision", "shown_gold"),
)
MOST_ROWS = 40
"""Rows of changed questions and of groups: a page is read, a list of thousands is not."""

_BREAKDOWN = ("recall@10", "ndcg@10", "false_refusal_rate", "refusal_recall")
_BREAKDOWN_ANSWERS = ("sure_precision", "f1", "shown_gold")
_DIRECTIONS: Mapping[str, Tone] = {"worse": "bad", "better": "good", "changed": ""}


_CHIEF_VERSIONS = ("foundry", "embedding", "generator", "gate")


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run, its label in the report, and its figures with their 95 % intervals."""

    run: EvalRun
    label: str
    results: tuple[EvalResult, ...]
    figures: Mapping[str, float | None]
    counts: Mapping[str, int]
    intervals: Mapping[str, Interval | None]

    @property
    def answers(self) -> bool:
        """False for a run over search alone."""
        return self.run.kind == "ask"


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A run compared with the first one; ``comparison`` is None where they share no question."""

    run: RunSummary
    comparison: Comparison | None

    @property
    def changes(self) -> Mapping[str, MeasureChange]:
        """The changes by measure, where both runs have it."""
        changes = self.comparison.measures if self.comparison else ()
        return {change.measure: change for change in changes if change.difference is not None}


def summarise_runs(runs: Sequence[tuple[EvalRun, Sequence[EvalResult]]]) -> Iterator[RunSummary]:
    """Yield the runs in their order; those with the same name get their number as well."""
    names = Counter(run.name for run, _results in runs)
    for run, results in runs:
        figures, counts = summarise(results)
        if run.finished:
            # Figures recorded at the end of the run win; measures added since are computed.
            figures, counts = {**figures, **run.figures}, {**counts, **run.counts}
        unique = bool(run.name) and names[run.name] == 1
        label = run.name if unique else f"{run.name} (#{run.id})".lstrip()
        yield RunSummary(run, label, tuple(results), figures, counts, intervals_of(results))


def compare_run(first: RunSummary, other: RunSummary) -> ComparedRun:
    """Compare two runs over the questions that both asked alike."""
    try:
        comparison = compare_results(first.run, first.results, other.run, other.results)
    except UsageError:
        return ComparedRun(other, None)
    return ComparedRun(other, comparison)


def list_facts(summary: RunSummary, t: Phrases) -> dict[str, str]:
    """What was run, by the name of the fact."""
    run = summary.run
    counts = {name: t.number(number) for name, number in summary.counts.items()}
    kinds = ("answerable", "unanswerable", "unlabelled")
    labels = ", ".join(f"{counts.get(kind, '0')} {t(f'report-kind-{kind}')}" for kind in kinds)
    known = _flatten_texts(run.versions)
    versions = [f"{name} {known[name]}" for name in _CHIEF_VERSIONS if name in known]
    return {
        "number": f"#{run.id}",
        "kind": t(f"report-run-{run.kind}"),
        "sets": ", ".join(run.sets) or t("report-none"),
        "state": t("report-state-finished" if run.finished else "report-state-unfinished"),
        "started": t.moment(run.started),
        "duration": t("report-seconds", n=t.number(run.seconds, 1)) if run.seconds else "–",
        "questions": f"{counts.get('questions', '0')}: {labels}",
        "judged": counts.get("judged", "0"),
        "answered": " / ".join(
            counts.get(name, "0") for name in ("answered", "passages", "refused")
        ),
        "errors": counts.get("errors", "0"),
        "unknown_sources": counts.get("unknown_sources", "0"),
        "questions_hash": run.questions[:16] or "–",
        "index_hash": run.index[:16] or "–",
        "versions": ", ".join(versions) or t("report-none"),
        "overrides": ", ".join(f"{k}={v}" for k, v in _flatten_texts(run.overrides).items())
        or t("report-none"),
    }


def describe_settings(run: EvalRun) -> dict[str, str]:
    """Every setting and version of a run by its dotted key."""
    versions = {f"version: {key}": value for key, value in _flatten_texts(run.versions).items()}
    return {**_flatten_texts(run.config), **versions}


def _flatten_texts(settings: Mapping[str, Any]) -> dict[str, str]:
    """Dotted keys with their values as text; user names and passwords are masked."""
    return {
        key: mask_user(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for key, value in flatten(settings).items()
    }


@dataclass(frozen=True, slots=True)
class ReportCell:
    """``small`` has lines below ``text``; ``tone`` marks a clear change or a fault."""

    text: str
    small: tuple[str, ...] = ()
    tone: Tone = ""


Row = Sequence[ReportCell]


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Rows by the heading above them, which is empty in a table of one group; ``note`` follows.

    The first column heads its row, those in ``texts`` are anybody's words, all others numbers.
    """

    caption: str
    columns: Sequence[str]
    groups: Mapping[str, Sequence[Row]]
    texts: Collection[str] = ()
    note: str = ""

    @property
    def size(self) -> int:
        """The number of rows."""
        return sum(len(rows) for rows in self.groups.values())


def make_row(*cells: ReportCell | str) -> Row:
    """A row of cells and plain texts."""
    return tuple(cell if isinstance(cell, ReportCell) else ReportCell(cell) for cell in cells)


def name_measure(measure: str, phrases: Phrases) -> str:
    """The measure in words, with its depth: ``Recall@10``."""
    name, _, depth = measure.partition("@")
    return phrases(f"report-name-{name}") + (f"@{depth}" if depth else "")


def format_value(measure: str, value: float | None, phrases: Phrases) -> str:
    """``0.912``, ``840 ms``, ``12,034``, ``$0.0213``, or the word for undefined."""
    if value is None:
        return phrases("report-undefined")
    if measure.endswith("_ms"):
        return phrases.time(value)
    if measure == "cost":
        return f"${phrases.number(value, 4)}"
    return phrases.number(value, 0 if measure == "tokens" else 3)


def format_interval(measure: str, interval: Interval | None, phrases: Phrases) -> str:
    """``0.880 to 0.940``; empty where there is none."""
    if interval is None:
        return ""
    low, high = (format_value(measure, end, phrases) for end in (interval.low, interval.high))
    return phrases("report-interval", low=low, high=high)


def format_change(change: MeasureChange, phrases: Phrases) -> str:
    """``▲ +0.030 (0.010 to 0.050)``, marked where it is clearly better or worse; ``=`` for none."""
    interval, difference = change.interval, change.difference or 0.0
    if interval is not None and interval.low == interval.high == 0:
        return "="
    mark = {"": "", "good": "▲ ", "bad": "▼ "}[_get_tone(change)]
    text = format_value(change.measure, difference, phrases)
    # A difference that rounds to 0 has no sign.
    sign = "+" if difference > 0 and any(digit in text for digit in "123456789") else ""
    bounds = format_interval(change.measure, interval, phrases)
    return f"{mark}{sign}{text}" + (f" ({bounds})" if bounds else "")


def _get_tone(change: MeasureChange | None) -> Tone:
    """Good or bad where a change is clear."""
    if change is None:
        return ""
    return "good" if change.better else "bad" if change.worse else ""


@dataclass(frozen=True, slots=True)
class RunTables:
    """The tables over ``runs``; ``compared`` has every run after the first."""

    runs: Sequence[RunSummary]
    compared: Sequence[ComparedRun]
    phrases: Phrases

    def headline(self) -> ReportTable:
        """The chief figures, a row for each run; where nothing was answered those of the gate."""
        t = self.phrases
        rows = [
            make_row(run.label, t.number(len(run.results)), *self._list_headline(run))
            for run in self.runs
        ]
        heads = (t("report-run"), t("report-questions"), *(name_measure(n, t) for n in HEADLINE))
        note = "" if all(run.answers for run in self.runs) else t("report-breakdown-gate")
        return ReportTable(t("report-headline-title"), heads, {"": rows}, note=note)

    def _list_headline(self, run: RunSummary) -> Iterator[ReportCell | str]:
        for name in HEADLINE:
            of_gate = not run.answers and name in REFUSAL
            measure = f"gate_{name}" if of_gate else name
            applies = run.answers or of_gate or name in (*RANKING, "auroc")
            yield (
                self._build_cell(run, measure) if applies else self.phrases("report-not-applicable")
            )

    def trust(self) -> ReportTable:
        """What each run showed, by verdict: how much of it is right; empty for search alone."""
        t = self.phrases
        rows = [
            make_row(run.label, t(f"eval-trust-{name}"), *map(t.number, counts))
            for run in self.runs
            for name, counts in count_trust(run.results).items()
        ]
        heads = [t(f"report-trust-{name}") for name in ("shown", "right", "wrong", "unjudged")]
        title, note = t("report-trust-title"), t("report-trust-note") if rows else ""
        return ReportTable(title, (t("report-run"), *heads), {"": rows}, heads[:1], note)

    def facts(self) -> ReportTable:
        """What was run: a row for each fact, a column for each run."""
        t = self.phrases
        facts = [list_facts(run, t) for run in self.runs]
        rows = {t(f"report-fact-{name}"): [own[name] for own in facts] for name in facts[0]}
        return self._tabulate_runs(t("report-runs-title"), t("report-fact"), rows)

    def settings(self, *, differing: bool) -> ReportTable:
        """Every setting and version of every run, or only those that differ."""
        t = self.phrases
        settings = [describe_settings(run.run) for run in self.runs]
        names = sorted({name for own in settings for name in own})
        rows = {name: [own.get(name, "–") for own in settings] for name in names}
        if differing:
            rows = {name: row for name, row in rows.items() if len(set(row)) > 1}
        title = t("report-differing-title" if differing else "report-settings-title")
        note = t("report-differing-none") if differing and not rows else ""
        return self._tabulate_runs(title, t("report-setting"), rows, note)

    def _tabulate_runs(
        self, caption: str, head: str, rows: Mapping[str, Sequence[str]], note: str = ""
    ) -> ReportTable:
        labels = [run.label for run in self.runs]
        own = [make_row(name, *row) for name, row in rows.items()]
        return ReportTable(caption, (head, *labels), {"": own}, labels, note)

    def measures(self) -> ReportTable:
        """Every measure of every run; those of answers only where a run has answers."""
        t = self.phrases
        spans = any(run.figures.get("span_recall@1") is not None for run in self.runs)
        answers = any(run.answers for run in self.runs)
        groups = {
            t(f"report-group-{group}"): [
                make_row(name_measure(name, t), *self._list_cells(group, name))
                for name in names
                if spans or name not in SPAN_MEASURES
            ]
            for group, names in GROUPS.items()
            if answers or group not in OF_ANSWERS
        }
        heads = (t("report-measure"), *(run.label for run in self.runs))
        note = t("report-measures-note" if len(self.runs) == 1 else "report-measures-note-many")
        return ReportTable(t("report-measures-title"), heads, groups, note=note)

    def _list_cells(self, group: str, measure: str) -> Iterator[ReportCell | str]:
        for run in self.runs:
            applies = run.answers or group not in OF_ANSWERS
            nothing = self.phrases("report-not-applicable")
            yield self._build_cell(run, measure) if applies else nothing

    def _build_cell(self, run: RunSummary, measure: str) -> ReportCell:
        """A figure with lines for its interval, the questions behind it, and its change."""
        t, value = self.phrases, run.figures.get(measure)
        compared = {pair.run.run.id: pair.changes for pair in self.compared}
        change = compared.get(run.run.id, {}).get(measure)
        lines = [] if value is None else [format_interval(measure, run.intervals.get(measure), t)]
        if measure in MEANS and value is not None:
            lines.append(f"n = {t.number(len(values_of(run.results, measure)))}")
        lines += [format_change(change, t)] if change else []
        return ReportCell(
            format_value(measure, value, t), tuple(filter(None, lines)), _get_tone(change)
        )

    def list_changed(self) -> list[ReportTable]:
        """The questions that changed, a table for each run that shares questions with the first."""
        return [
            self._tabulate_changed(pair.run, pair.comparison)
            for pair in self.compared
            if pair.comparison
        ]

    def _tabulate_changed(self, run: RunSummary, comparison: Comparison) -> ReportTable:
        t, first = self.phrases, self.runs[0]
        changed = sorted(comparison.changed, key=get_severity)
        what, change = t("report-moved-what"), t("report-moved-change")
        heads = (t("report-question"), what, first.label, run.label, change)
        rows = [_build_changed_row(change, t) for change in changed[:MOST_ROWS]]
        caption = t("report-moved-of", run=run.label, first=first.label)
        note = self._note_changed(run, comparison)
        return ReportTable(caption, (t("report-question-key"), *heads), {"": rows}, heads, note)

    def _note_changed(self, run: RunSummary, comparison: Comparison) -> str:
        t, left = self.phrases, comparison.left_out
        directions = {
            change.question.key: change.direction for change in reversed(comparison.changed)
        }
        counted = Counter(directions.values())
        numbers = {name: counted[name] for name in ("better", "worse", "changed")}
        common = t("report-n-questions", n=comparison.common)
        notes = [t("report-moved-counts", common=common, **numbers)]
        if len(comparison.changed) > MOST_ROWS:
            notes.append(t("report-moved-more", n=len(comparison.changed) - MOST_ROWS))
        lengths = {
            "only_first": len(left.only_first), "only_second": len(left.only_second),
            "text": len(left.text_changed), "label": len(left.label_changed),
        }  # fmt: skip
        if any(lengths.values()):
            names = {"first": self.runs[0].label, "run": run.label}
            notes.append(t("report-moved-left-out", **names, **lengths))
        return " ".join(notes)

    def breakdowns(self) -> list[ReportTable]:
        """The chief figures by set (where there are several), language and tag."""
        groups = {kind: self._group(names) for kind, names in _KINDS.items()}
        return [
            self._break_down(kind, members)
            for kind, members in groups.items()
            if members and (kind != "set" or len(members) > 1)
        ]

    def _group(
        self, names: Callable[[EvalQuestion], Iterable[str]]
    ) -> dict[str, list[list[EvalResult]]]:
        """Name → the outcomes of each run, the largest group first."""
        groups: dict[str, list[list[EvalResult]]] = {}
        for n, run in enumerate(self.runs):
            for result in run.results:
                for name in dict.fromkeys(names(result.question)):
                    groups.setdefault(name, [[] for _ in self.runs])[n].append(result)
        return dict(sorted(groups.items(), key=lambda item: (-max(map(len, item[1])), item[0])))

    def _break_down(
        self, kind: str, groups: Mapping[str, Sequence[Sequence[EvalResult]]]
    ) -> ReportTable:
        t, many = self.phrases, len(self.runs) > 1
        answers = any(run.answers for run in self.runs)
        measures = (*_BREAKDOWN, *(_BREAKDOWN_ANSWERS if answers else ()))
        rows = [
            make_row(
                name, *([run.label] if many else []), *_list_figures(run, results, measures, t)
            )
            for name, parts in list(groups.items())[:MOST_ROWS]
            for run, results in zip(self.runs, parts, strict=True)
        ]
        rest = len(groups) - MOST_ROWS
        notes = [] if all(run.answers for run in self.runs) else [t("report-breakdown-gate")]
        notes += [t("report-breakdown-more", n=t.number(rest))] if rest > 0 else []
        labels = [t("report-run")] if many else []
        heads = ("n", t("report-fact-errors"), *(name_measure(name, t) for name in measures))
        columns = (t(f"report-by-{kind}"), *labels, *heads)
        title = t(f"report-breakdown-{kind}")
        return ReportTable(title, columns, {"": rows}, labels, " ".join(notes))


_KINDS: Mapping[str, Callable[[EvalQuestion], Iterable[str]]] = {
    "set": lambda question: (question.set,),
    "language": lambda question: (question.language,),
    "tag": lambda question: question.tags,
}


def _build_changed_row(changed: ChangedQuestion, t: Phrases) -> Row:
    names = {"verdict": t("report-verdict"), "error": t("report-moved-error")}
    what = names.get(changed.what) or name_measure(changed.what, t)
    values = (_format_changed(changed, value, t) for value in (changed.first, changed.second))
    tone = _DIRECTIONS[changed.direction]
    direction = ReportCell(t(f"report-moved-{changed.direction}"), tone=tone)
    return make_row(changed.question.key, changed.question.text, what, *values, direction)


def _format_changed(changed: ChangedQuestion, value: str | float | None, t: Phrases) -> str:
    if value is None:
        return "–"
    if isinstance(value, str):
        return t(f"report-verdict-{value}") if changed.what == "verdict" else value
    return format_value(changed.what, value, t)


def _list_figures(
    run: RunSummary, results: Sequence[EvalResult], measures: Sequence[str], t: Phrases
) -> Iterator[ReportCell | str]:
    errors = sum(result.error is not None for result in results)
    yield t.number(len(results))
    yield ReportCell(t.number(errors), tone="bad" if errors else "")
    figures, _ = summarise(results)
    for name in measures:
        gate = not run.answers and name in REFUSAL
        shown = format_value(name, figures[f"gate_{name}" if gate else name], t)
        applies = run.answers or name not in _BREAKDOWN_ANSWERS
        yield shown if applies else t("report-not-applicable")
