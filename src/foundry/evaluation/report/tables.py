"""The tables of a report about whole runs, as data that each template writes in its format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from foundry.evaluation.comparison import FOUND_IN, ChangedQuestion, Comparison, MeasureChange
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
from foundry.evaluation.metrics.ranking import CUTS, SPAN_MEASURES
from foundry.evaluation.metrics.statistics import (
    Interval,
    columns_of,
    count_trust,
    statistic,
    values_of,
)
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report.run_summary import (
    ComparedRun,
    RunSummary,
    describe_settings,
    list_facts,
)
from foundry.records import EvalQuestion, EvalResult

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
GROUPED = frozenset(name for names in GROUPS.values() for name in names)
CHIEF_QUALITY = tuple(name for name in CHIEF if name in QUALITY)
"""The measures of the summary and of the plot of differences; the tables have all depths."""

OF_ANSWERS = frozenset(("refusal", "citation", "answers", "passages", "spent"))
"""The groups that a run over search alone lacks."""

HEADLINE = (
    *("recall@10", "ndcg@10", "auroc", "false_refusal_rate", "refusal_recall"),
    *("sure_precision", "shown_gold"),
)


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
    low, high = (format_value(measure, bound, phrases) for bound in (interval.low, interval.high))
    return phrases("report-interval", low=low, high=high)


def format_basis(run: RunSummary, measure: str, phrases: Phrases) -> tuple[str, str]:
    """The interval of a figure and ``n = 160``; each is empty where there is none."""
    if run.figures.get(measure) is None:
        return "", ""
    n = run.count_questions(measure)
    counted = "" if n is None else f"n = {phrases.number(n)}"
    return format_interval(measure, run.intervals.get(measure), phrases), counted


def format_change(change: MeasureChange, phrases: Phrases) -> tuple[str, str]:
    """``▲ +0.030`` and ``0.010 to 0.050``; the arrow marks a clear change for better or worse.

    ``=`` where no question differs.
    """
    interval = change.interval
    if interval is not None and interval.low == interval.high == 0:
        return "=", ""
    difference = change.difference or 0.0
    mark = {"": "", "good": "▲ ", "bad": "▼ "}[tone_of(change)]
    text = format_value(change.measure, difference, phrases)
    # A difference that rounds to 0 has no sign.
    sign = "+" if difference > 0 and any(digit in text for digit in "123456789") else ""
    return f"{mark}{sign}{text}", format_interval(change.measure, interval, phrases)


def tone_of(change: MeasureChange | None) -> Tone:
    """Good or bad where a change is clear."""
    if change is None:
        return ""
    return "good" if change.better else "bad" if change.worse else ""


ABREAST = 4
"""Runs side by side in a table that still fits a printed page."""
MOST_ROWS = 40
"""Rows of changed questions and of groups: a page is read, a list of thousands is not."""

_AT_DEPTHS = ("recall", "precision", "ndcg")
_OF_SPANS = ("span_recall", "span_precision", "span_iou")
_BREAKDOWN = ("recall@10", "ndcg@10", "false_refusal_rate", "refusal_recall")
_BREAKDOWN_ANSWERS = ("sure_precision", "f1", "shown_gold")
_DIRECTIONS: Mapping[str, Tone] = {"worse": "bad", "better": "good", "changed": ""}
_SERIOUS = ("error", "verdict", FOUND_IN)


@dataclass(frozen=True, slots=True)
class ReportCell:
    """``small`` has lines below ``text``; ``tone`` marks a clear change or a fault."""

    text: str
    small: tuple[str, ...] = ()
    tone: Tone = ""


Row = tuple[ReportCell, ...]


@dataclass(frozen=True, slots=True)
class TableColumn:
    """``kind``: "label" heads its row, "text" is anybody's words."""

    name: str
    kind: Literal["label", "text", "number"] = "number"


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Rows by the heading above them, which is empty in a table of one group; ``note`` follows."""

    caption: str
    columns: tuple[TableColumn, ...]
    groups: Mapping[str, Sequence[Row]]
    note: str = ""

    @property
    def size(self) -> int:
        """The number of rows."""
        return sum(len(rows) for rows in self.groups.values())


def make_row(*cells: ReportCell | str) -> Row:
    """A row of cells and plain texts."""
    return tuple(cell if isinstance(cell, ReportCell) else ReportCell(cell) for cell in cells)


def make_columns(label: str, *others: str, texts: Collection[str] = ()) -> tuple[TableColumn, ...]:
    """Columns: the first heads its row, those in ``texts`` are words, all others numbers."""
    columns = (TableColumn(name, "text" if name in texts else "number") for name in others)
    return (TableColumn(label, "label"), *columns)


@dataclass(frozen=True, slots=True)
class RunTables:
    """The tables over ``runs``; ``compared`` has every run after the first."""

    runs: Sequence[RunSummary]
    compared: Sequence[ComparedRun]
    phrases: Phrases

    def headline(self) -> ReportTable:
        """The chief figures, a row for each run; where nothing was answered those of the gate."""
        t = self.phrases
        rows = []
        for run in self.runs:
            names = (_find_measure(name, run) for name in HEADLINE)
            nothing = t("report-not-applicable")
            cells = (self._figure(run, name) if name else nothing for name in names)
            rows.append(make_row(run.label, t.number(len(run.results)), *cells))
        heads = (t("report-questions"), *(name_measure(name, t) for name in HEADLINE))
        columns = make_columns(t("report-run"), *heads)
        note = "" if all(run.answers for run in self.runs) else t("report-breakdown-gate")
        return ReportTable(t("report-headline-title"), columns, {"": rows}, note)

    def facts(self) -> list[ReportTable]:
        """What was run: a row for each fact, a column for each run."""
        t = self.phrases
        facts = [list_facts(run, t) for run in self.runs]
        rows = {t(f"report-fact-{name}"): [own[name] for own in facts] for name in facts[0]}
        return self._tabulate_runs(t("report-runs-title"), t("report-fact"), rows)

    def differing(self) -> list[ReportTable]:
        """The settings and versions that differ; nothing for a single run."""
        if len(self.runs) < 2:
            return []
        t = self.phrases
        rows = {name: row for name, row in self._settings().items() if len(set(row)) > 1}
        note = "" if rows else t("report-differing-none")
        return self._tabulate_runs(t("report-differing-title"), t("report-setting"), rows, note)

    def settings(self) -> list[ReportTable]:
        """Every setting and version of every run."""
        t = self.phrases
        title = t("report-settings-title")
        return self._tabulate_runs(title, t("report-setting"), self._settings())

    def measures(self) -> list[ReportTable]:
        """Every measure of every run; those of answers only where a run has answers."""
        t = self.phrases
        if len(self.runs) == 1:
            return [self._depths(), self._others_of_one(self.runs[0], t("report-measures-note"))]
        parts = list(_split(range(len(self.runs))))
        notes = [*([""] * (len(parts) - 1)), t("report-measures-note-many")]
        tables = [
            self._others([self.runs[n] for n in part], note)
            for part, note in zip(parts, notes, strict=True)
        ]
        return [self._depths(), *tables]

    def trust(self) -> list[ReportTable]:
        """What each run showed, by verdict: how much of it is right; nothing for search alone."""
        t = self.phrases
        rows = [
            make_row(
                *([run.label] if len(self.runs) > 1 else []),
                t(f"eval-trust-{name}"),
                *map(t.number, counts),
            )
            for run in self.runs
            for name, counts in count_trust(run.results).items()
        ]
        heads = [t(f"report-trust-{name}") for name in ("shown", "right", "wrong", "unjudged")]
        heads = [t("report-run"), *heads] if len(self.runs) > 1 else heads
        columns = make_columns(*heads, texts=heads[:2] if len(self.runs) > 1 else ())
        title, note = t("report-trust-title"), t("report-trust-note")
        return [ReportTable(title, columns, {"": rows}, note)] if rows else []

    def list_changed(self) -> list[ReportTable]:
        """The questions that changed, a table for each run that shares questions with the first."""
        return [
            self._tabulate_changed(pair.run, pair.comparison)
            for pair in self.compared
            if pair.comparison
        ]

    def breakdowns(self) -> list[ReportTable]:
        """The chief figures by set (where there are several), language and tag."""
        groups = {kind: self._group(names) for kind, names in _KINDS.items()}
        return [
            self._breakdown(kind, members)
            for kind, members in groups.items()
            if members and (kind != "set" or len(members) > 1)
        ]

    def _figure(self, run: RunSummary, measure: str) -> ReportCell:
        lines = tuple(line for line in format_basis(run, measure, self.phrases) if line)
        return ReportCell(format_value(measure, run.figures.get(measure), self.phrases), lines)

    def _tabulate_runs(
        self, caption: str, head: str, rows: Mapping[str, Sequence[str]], note: str = ""
    ) -> list[ReportTable]:
        """Texts by row name, a column for each run, in parts that fit a page."""
        tables = []
        for part in _split(range(len(self.runs))):
            labels = [self.runs[n].label for n in part]
            columns = make_columns(head, *labels, texts=labels)
            own = [make_row(name, *(row[n] for n in part)) for name, row in rows.items()]
            tables.append(ReportTable(caption, columns, {"": own}, note))
        return tables

    def _settings(self) -> dict[str, list[str]]:
        settings = [describe_settings(run.run) for run in self.runs]
        names = sorted({name for own in settings for name in own})
        return {name: [own.get(name, "–") for own in settings] for name in names}

    def _change(self, run: RunSummary, measure: str) -> MeasureChange | None:
        compared = {pair.run.run.id: pair.changes for pair in self.compared}
        return compared.get(run.run.id, {}).get(measure)

    def _depths(self) -> ReportTable:
        """Measures at several depths: a row for each run, a column for each depth."""
        t = self.phrases
        spans = any(run.figures.get("span_recall@1") is not None for run in self.runs)
        groups: dict[str, list[Row]] = {}
        for name in (*_AT_DEPTHS, *(_OF_SPANS if spans else ())):
            rows = groups.setdefault(f"{t(f'report-name-{name}')}@k", [])
            for run in self.runs:
                cells = (self._build_cell(run, f"{name}@{cut}", narrow=True) for cut in CUTS)
                n = t.number(run.count_questions(f"{name}@1") or 0)
                rows.append(make_row(run.label, *cells, n))
        columns = make_columns(t("report-run"), *(f"k = {cut}" for cut in CUTS), "n")
        return ReportTable(t("report-measures-depths"), columns, groups)

    def _build_cell(self, run: RunSummary, measure: str, *, narrow: bool = False) -> ReportCell:
        """A figure with lines for its interval, n and change; ``narrow`` leaves out n."""
        if measure not in GROUPED:
            return ReportCell("–")
        change = self._change(run, measure)
        interval, n = format_basis(run, measure, self.phrases)
        lines = [interval if narrow else ", ".join(filter(None, (interval, n)))]
        if change:
            difference, bounds = format_change(change, self.phrases)
            bounds = f"({bounds})" if bounds else ""
            lines += [difference, bounds] if narrow else [f"{difference} {bounds}".rstrip()]
        value = format_value(measure, run.figures.get(measure), self.phrases)
        return ReportCell(value, tuple(filter(None, lines)), tone_of(change))

    def _others_of_one(self, run: RunSummary, note: str) -> ReportTable:
        """The other measures of a single run: figure, interval and n in a column each."""
        t = self.phrases
        groups: dict[str, list[Row]] = {}
        for group, measures in _other_groups([run]).items():
            rows = groups.setdefault(t(f"report-group-{group}"), [])
            for name in measures:
                value, n = run.figures.get(name), run.count_questions(name)
                interval = (
                    "" if value is None else format_interval(name, run.intervals.get(name), t)
                )
                count = "–" if n is None else t.number(n)
                texts = (format_value(name, value, t), interval or "–", count)
                rows.append(make_row(name_measure(name, t), *texts))
        heads = (t("report-figure"), t("report-interval-column"), "n")
        columns = make_columns(t("report-measure"), *heads)
        return ReportTable(t("report-measures-others"), columns, groups, note)

    def _others(self, runs: Sequence[RunSummary], note: str) -> ReportTable:
        """The other measures of several runs, a column for each run."""
        t = self.phrases
        groups: dict[str, list[Row]] = {}
        for group, measures in _other_groups(runs).items():
            applies = [run.answers or group not in OF_ANSWERS for run in runs]
            groups[t(f"report-group-{group}")] = [
                make_row(
                    name_measure(name, t),
                    *(
                        self._build_cell(run, name) if fits else t("report-not-applicable")
                        for run, fits in zip(runs, applies, strict=True)
                    ),
                )
                for name in measures
            ]
        columns = make_columns(t("report-measure"), *(run.label for run in runs))
        return ReportTable(t("report-measures-others"), columns, groups, note)

    def _tabulate_changed(self, run: RunSummary, comparison: Comparison) -> ReportTable:
        t, first = self.phrases, self.runs[0]
        changed = sorted(comparison.changed, key=_severity)
        what, change = t("report-moved-what"), t("report-moved-change")
        heads = (t("report-question"), what, first.label, run.label, change)
        columns = make_columns(t("report-question-key"), *heads, texts=heads)
        rows = [_build_changed_row(change, t) for change in changed[:MOST_ROWS]]
        caption = t("report-moved-of", run=run.label, first=first.label)
        return ReportTable(caption, columns, {"": rows}, self._note_changed(run, comparison))

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
        parts = {
            "only_first": left.only_first, "only_second": left.only_second,
            "text": left.text_changed, "label": left.label_changed,
        }  # fmt: skip
        if any(parts.values()):
            names = {"first": self.runs[0].label, "run": run.label}
            lengths = {name: len(keys) for name, keys in parts.items()}
            notes.append(t("report-moved-left-out", **names, **lengths))
        return " ".join(notes)

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

    def _breakdown(
        self, kind: str, groups: Mapping[str, Sequence[Sequence[EvalResult]]]
    ) -> ReportTable:
        t, many = self.phrases, len(self.runs) > 1
        answers = any(run.answers for run in self.runs)
        measures = (*_BREAKDOWN, *(_BREAKDOWN_ANSWERS if answers else ()))
        rows = [
            make_row(
                name, *([run.label] if many else []), *_breakdown_cells(run, results, measures, t)
            )
            for name, parts in list(groups.items())[:MOST_ROWS]
            for run, results in zip(self.runs, parts, strict=True)
        ]
        rest = len(groups) - MOST_ROWS
        notes = [] if all(run.answers for run in self.runs) else [t("report-breakdown-gate")]
        notes += [t("report-breakdown-more", n=t.number(rest))] if rest > 0 else []
        heads = ("n", t("report-fact-errors"), *(name_measure(name, t) for name in measures))
        label = t("report-run")
        labels = [label] if many else []
        columns = make_columns(t(f"report-by-{kind}"), *labels, *heads, texts=[label])
        return ReportTable(t(f"report-breakdown-{kind}"), columns, {"": rows}, " ".join(notes))


_KINDS: Mapping[str, Callable[[EvalQuestion], Iterable[str]]] = {
    "set": lambda question: (question.set,),
    "language": lambda question: (question.language,),
    "tag": lambda question: question.tags,
}


def _split(runs: Sequence[int]) -> Iterator[Sequence[int]]:
    """Split the runs into parts that fit a page, each with the first run to compare with."""
    if len(runs) <= ABREAST:
        yield runs
        return
    others = runs[1:]
    for start in range(0, len(others), ABREAST - 1):
        yield (runs[0], *others[start : start + ABREAST - 1])


def _find_measure(measure: str, run: RunSummary) -> str | None:
    """The measure that fits the kind of run; None where it has none."""
    if run.answers or measure in (*RANKING, "auroc"):
        return measure
    return f"gate_{measure}" if f"gate_{measure}" in GATE else None


def _other_groups(runs: Sequence[RunSummary]) -> dict[str, tuple[str, ...]]:
    """The measures that the table of depths lacks, by group."""
    at_depths = (*_AT_DEPTHS, *_OF_SPANS)
    return {
        group: tuple(name for name in measures if name.partition("@")[0] not in at_depths)
        for group, measures in GROUPS.items()
        if group not in OF_ANSWERS or any(run.answers for run in runs)
    }


def _severity(changed: ChangedQuestion) -> tuple[int, int, str]:
    """What got worse first; within it errors, verdicts, lost places, and the rest."""
    serious = _SERIOUS.index(changed.what) if changed.what in _SERIOUS else len(_SERIOUS)
    return list(_DIRECTIONS).index(changed.direction), serious, changed.question.key


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


def _breakdown_cells(
    run: RunSummary, results: Sequence[EvalResult], measures: Sequence[str], t: Phrases
) -> Iterator[ReportCell | str]:
    errors = sum(result.error is not None for result in results)
    yield t.number(len(results))
    yield ReportCell(t.number(errors), tone="bad" if errors else "")
    columns = columns_of(results)
    for name in measures:
        if name in MEANS:
            values = values_of(results, name)
            value = fmean(values) if values else None
        else:
            gate = not run.answers and name in REFUSAL
            value = statistic(f"gate_{name}" if gate else name, columns)
        applies = run.answers or name not in _BREAKDOWN_ANSWERS
        yield format_value(name, value, t) if applies else t("report-not-applicable")
