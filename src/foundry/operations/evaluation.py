"""Evaluation runs."""

from __future__ import annotations

from foundry.errors import NotFound
from foundry.evaluation.comparison import Comparison, compare_runs
from foundry.evaluation.gate_curve import GateCurve, draw_gate_curve
from foundry.evaluation.metrics.statistics import intervals_of
from foundry.evaluation.questions import (
    DraftReport,
    ImportReport,
    accept_questions,
    count_sets,
    draft_questions,
    import_feedback,
    select_questions,
)
from foundry.evaluation.questions.files import ReviewResult
from foundry.evaluation.runs import RunRequest, run_questions
from foundry.evaluation.runs.history import figures_so_far, get_run
from foundry.evaluation.runs.run import require_remote_keys
from foundry.operations.table import Scope, Text, operation
from foundry.wire.evaluation import (
    ComparisonJson,
    EvalAcceptJson,
    EvalDraftJson,
    EvalImportJson,
    EvalListJson,
    EvalRunJson,
    EvalRunsJson,
    GateCurveJson,
)
from foundry.wire.requests import (
    EvaluationRequest,
    QuestionDraftRequest,
    QuestionReviewRequest,
)


@operation("GET", "/evaluation/runs", EvalRunsJson)
def list_runs(on: Scope) -> EvalRunsJson:
    """The runs that the caller may see, latest first."""
    runs = [EvalRunJson.from_run(run) for run in on.workspace.store.evaluation.list_runs()]
    return EvalRunsJson(runs=runs, questions=[], indexes=[], removed=[], cleared=[])


@operation("GET", "/evaluation/compare", ComparisonJson)
def compare(on: Scope, first: Text, second: Text) -> Comparison:
    """What changed from one run to another: measures, and questions one by one."""
    return compare_runs(on.workspace, get_run(on.workspace, first), get_run(on.workspace, second))


@operation(
    "POST",
    "/evaluation/questions/feedback",
    EvalImportJson,
    owner=True,
    audit="evaluation.feedback",
)
def make_questions(on: Scope) -> ImportReport:
    """Make a question of each answer that somebody judged; the owner's alone."""
    return import_feedback(on.workspace)


@operation("GET", "/evaluation/questions", EvalListJson)
def list_questions(on: Scope) -> EvalListJson:
    """The stored questions, with the drafts that wait for a review."""
    found = select_questions(on.workspace, reviewed_only=False)
    return EvalListJson(questions=found, sets=count_sets(found))


@operation(
    "POST",
    "/evaluation/questions/draft",
    EvalDraftJson,
    owner=True,
    slow=True,
    audit="evaluation.draft",
)
def propose_questions(on: Scope, asked: QuestionDraftRequest) -> DraftReport:
    """Draft questions from the sources; they count in no run until accepted. The owner's alone."""
    return draft_questions(on.workspace, number=asked.number, progress=on.progress)


@operation(
    "POST",
    "/evaluation/questions/review",
    EvalAcceptJson,
    owner=True,
    audit="evaluation.review",
)
def review_questions(on: Scope, asked: QuestionReviewRequest) -> ReviewResult:
    """Accept drafted questions by their keys, or remove them; the owner's alone."""
    return accept_questions(on.workspace, asked.questions, reject=asked.reject)


@operation("GET", "/evaluation/runs/{run}/gate", GateCurveJson)
def show_gate_curve(on: Scope, run: str) -> GateCurve:
    """What the gate would refuse and let through at other thresholds, from the scores of a run."""
    found = get_run(on.workspace, run)
    curve = draw_gate_curve(found, on.workspace.store.evaluation.results(found.id))
    if curve is None:
        raise NotFound("eval-no-curve", where=run)
    return curve


@operation("GET", "/evaluation/runs/{run}", EvalRunsJson)
def show_run(on: Scope, run: str) -> EvalRunsJson:
    """A run with its figures and what each question gave."""
    found = get_run(on.workspace, run)
    results = on.workspace.store.evaluation.results(found.id)
    shown = EvalRunJson.from_run(figures_so_far(found, results), intervals_of(results))
    return EvalRunsJson(runs=[shown], questions=results, indexes=[], removed=[], cleared=[])


@operation(
    "POST",
    "/evaluation/runs",
    EvalRunJson,
    owner=True,
    slow=True,
    audit="evaluation.run",
    plain=False,
    stream=("start_run", ""),
)
def start_run(on: Scope, asked: EvaluationRequest) -> EvalRunJson:
    """Ask the stored questions and measure the answers, step by step; the owner's alone.

    A run that is broken off resumes with the same request. Its ``overrides`` name no models or hosts.
    """
    require_remote_keys(asked.overrides)
    request = RunRequest(
        sets=tuple(asked.sets),
        tags=tuple(asked.tags),
        name=asked.name,
        kind="retrieval" if asked.retrieval_only else "ask",
        overrides=tuple(f"{key}={value}" for key, value in asked.overrides.items()),
        limit=asked.limit,
    )
    run, results = run_questions(on.workspace, request, progress=on.progress)
    return EvalRunJson.from_run(run, intervals_of(results))
