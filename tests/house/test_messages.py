"""The catalogue: every code in both languages with the same placeholders, and nothing unused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import get_args

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import Junk, Message, VariableReference
from fluent.syntax.visitor import Visitor

from foundry.evaluation.calibration import FIGURES
from foundry.evaluation.comparison import Direction
from foundry.evaluation.metrics.measures import SPENT, TIMES
from foundry.evaluation.report.report import FAULTS
from foundry.evaluation.report.tables import GROUPS
from foundry.journeys.doctor import Status
from foundry.journeys.fitness.check import PlantedError
from foundry.messages import LANGUAGES
from foundry.messages.catalogue import PLACES, ROUTES, Face, name_actions
from foundry.models.privacy import NO_CONTENT
from foundry.ports import Phase, Unit
from foundry.prompts import OPTIONAL, PLACEHOLDERS
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    AgentOutput,
    ClaimVerdict,
    DocumentStatus,
    DraftState,
    FactConfidence,
    FactName,
    FactOrigin,
    FileState,
    JobStatus,
    NameKind,
    RunKind,
    SourceStatus,
    SpecificationStatus,
    UnreadStatus,
    Verdict,
)
from foundry.records.extraction import RowKind
from foundry.records.kinds import SectionForm
from foundry.records.revisions import TraceKind
from foundry.web.pages import source_list
from tests.house.modules import SOURCE, list_nodes, read_name

CATALOGUE = SOURCE / "messages"
TEMPLATES = sorted(SOURCE.rglob("*.jinja"))
AREAS = sorted({path.name for path in CATALOGUE.glob("*/*.ftl")})

MEASURES = frozenset(name.partition("@")[0] for group in GROUPS.values() for name in group)
KINDS = ("answerable", "unanswerable", "unlabelled")
FACTS = (
    "number kind sets state started duration questions judged answered errors unknown_sources "
    "questions_hash index_hash versions overrides"
)


class ColumnNames:
    """What every ``list_columns("…")`` names; looked for once a test asks."""

    def __iter__(self) -> Iterator[str]:
        calls = (n for nodes in list_nodes().values() for n in nodes if isinstance(n, ast.Call))
        named = [call for call in calls if read_name(call.func) == "list_columns"]
        words = (node for call in named for word in call.args for node in ast.walk(word))
        return iter({word.value for word in words if isinstance(word, ast.Constant)})


PLACED = {
    name for table in (PLACEHOLDERS, OPTIONAL) for names in table.values() for name in names
} - NO_CONTENT
SENT = [*sorted(name.replace("_", "-") for name in PLACED), "answers"]
FAMILIES: dict[str, tuple[str, Iterable[str]]] = {
    "answer-change-": (
        "render/answer.py",
        ("reattributed", "regenerated", "removed", "recited"),
    ),
    "action-": ("messages/catalogue.py", (*(key.replace(" ", "-") for key in PLACES), "server")),
    "agent-output-": ("cli/specifications.py", get_args(AgentOutput)),
    "agent-try-": ("cli/specifications.py", get_args(AgentOutput)),
    "agent-writes-": ("journeys/agents.py", get_args(AgentOutput)),
    "column-": ("cli/table.py", ColumnNames()),
    "table-column-": (
        "render/delivery/extraction.py",
        (
            *(
                "source",
                "title",
                "section",
                "question",
                "value",
                "state",
                "place",
                "quote",
                "notes",
            ),
            *("hash", "answer"),
        ),
    ),
    "table-count-": (
        "render/delivery/extraction.py",
        ("sources", "sections", "questions", "run"),
    ),
    "table-sheet-": ("render/delivery/extraction.py", ("values", "cells")),
    "draft-quote-": ("cli/drafts.py", get_args(TraceKind)),
    "source-fact-": ("cli/sources.py", get_args(FactName)),
    "source-origin-": ("cli/sources.py", get_args(FactOrigin)),
    "source-confidence-": ("cli/sources.py", get_args(FactConfidence)),
    "source-is-": ("render/places.py", get_args(DocumentStatus)),
    "doctor-name-": (
        "cli/start.py",
        [
            "configuration",
            "office",
            "outside",
            "sources",
            "folder",
            "output",
            "database",
            "files",
            "index",
            "calibration",
            "embedding",
            "generator",
            "models",
            "keys",
            "hosts",
            "server",
            "window",
            "ocr",
            "disk",
        ],
    ),
    "source-name-": ("cli/sources.py", get_args(NameKind)),
    "fitness-error-": ("cli/models.py", get_args(PlantedError)),
    "models-reach-": ("cli/models.py", ["ready", "failed", "not-asked"]),
    "doctor-sign-": ("cli/start.py", get_args(Status)),
    "document-": (
        "render/delivery/plan.py",
        [
            "path",
            "title",
            "revision",
            "date",
            "section",
            "sentences",
            "supported",
            "shown",
            "remark",
            "chapter",
            "owner",
            "approved",
            "accepted",
        ],
    ),
    "eval-count-": ("cli/eval/questions.py", (*KINDS, "unreviewed")),
    "eval-changed-": ("cli/eval/runs.py", ("error", "verdict")),
    "eval-field-": (
        "cli/eval/questions.py",
        ("question", "language", "answerable", "answer", "tags", "note", "expected"),
    ),
    "eval-figure-": (
        "cli/eval/figures.py",
        ("undefined", "ms", "cost", "whole", "share", "score", "percent"),
    ),
    "eval-label-": ("cli/eval/figures.py", ("true", "false")),
    "eval-moved-": ("cli/eval/runs.py", get_args(Direction)),
    "ingest-count-": ("journeys/ingest.py", (*get_args(SourceStatus), "waiting")),
    "ingest-status-": ("cli/ingest.py", get_args(SourceStatus)),
    "eval-trust-": ("cli/eval/figures.py", ("shown", *get_args(Verdict))),
    "report-trust-": ("evaluation/report/tables.py", ("shown", "right", "wrong", "unjudged")),
    "progress-phase-": ("cli/progress.py", get_args(Phase)),
    "progress-unit-": ("cli/progress.py", set(get_args(Unit)) - {"bytes", ""}),
    "site-order-": ("web/templates/sources.html.jinja", source_list.ORDERS),
    "site-column-": ("web/templates/sources.html.jinja", source_list.COLUMNS),
    "site-file-": ("web/templates/sources.html.jinja", get_args(FileState)),
    "site-done-": ("web/templates/sources.html.jinja", ("changed", "removed", "waiting")),
    "site-folder-": ("web/templates/adding.html.jinja", ("new", "changed", "gone")),
    "site-stage-": (
        "web/templates/queue.html.jinja",
        ("read", "store", "embed", "summaries", "prefixes"),
    ),
    "site-kind-": ("web/templates/log.html.jinja", ("ask", "chat", "generate", "verify", "eval")),
    "site-outcome-": (
        "web/templates/log.html.jinja",
        ("answer", "low-confidence", "passages", "no-evidence", "error"),
    ),
    "site-specification-": ("web/templates/parts.html.jinja", get_args(SpecificationStatus)),
    "site-draft-": (
        "web/templates/documents.html.jinja",
        [state.replace(" ", "-") for state in get_args(DraftState)],
    ),
    "site-form-": ("web/templates/specification.html.jinja", get_args(SectionForm)),
    "site-view-": ("web/templates/specification.html.jinja", ("form", "markdown")),
    "site-format-": ("web/templates/documents.html.jinja", ("docx", "pdf", "html", "md")),
    "site-output-": ("web/templates/agents.html.jinja", get_args(AgentOutput)),
    "site-facet-": (
        "web/templates/search.html.jinja",
        ("type", "tag", "folder", "confidentiality", "year", "revision"),
    ),
    "site-period-": ("web/templates/people.html.jinja", ("12h", "7d", "30d", "90d", "52w")),
    "site-figure-": (
        "web/templates/quality.html.jinja",
        [name.replace("_", "-") for name in (*TIMES, *SPENT)],
    ),
    "site-table-by-": ("web/templates/tables.html.jinja", get_args(RowKind)),
    "site-run-": ("web/templates/quality.html.jinja", ("worse", "better")),
    "site-level-": ("web/templates/sources.html.jinja", CONFIDENTIALITY_LEVELS),
    "site-judge-passages-": ("web/templates/answer.html.jinja", ("correct", "wrong-source")),
    "site-judge-": (
        "web/templates/answer.html.jinja",
        ("correct", "wrong-source", "wrong-fact", "missing"),
    ),
    "eval-fit-": ("evaluation/calibration.py", ("before", "after")),
    "eval-fit-column-": (
        "evaluation/calibration.py",
        FIGURES,
    ),
    "eval-set-": (
        "evaluation/dataset/beir.py",
        [
            "skipped_files",
            "duplicate_documents",
            "duplicate_queries",
            "unknown_documents",
            "wrong_spans",
        ],
    ),
    "draft-state-": ("cli/drafts.py", ("as-written", "edited", "missing")),
    "draft-verdict-": (
        "cli/drafts.py",
        ("answer", "low-confidence", "passages", "no-evidence"),
    ),
    "feature-status-": ("cli/specifications.py", get_args(SpecificationStatus)),
    "report-breakdown-": ("evaluation/report/tables.py", ("set", "language", "tag")),
    "report-by-": ("evaluation/report/tables.py", ("set", "language", "tag")),
    "report-fact-": ("evaluation/report/tables.py", FACTS.split()),
    "report-group-": ("evaluation/report/tables.py", GROUPS),
    "report-kind-": ("evaluation/report/report.py", KINDS),
    "report-means-": ("evaluation/report/report.py", MEASURES),
    "report-moved-": ("evaluation/report/tables.py", ("better", "worse", "changed")),
    "report-name-": ("evaluation/report/tables.py", MEASURES),
    "report-run-": ("evaluation/report/tables.py", get_args(RunKind)),
    "report-short-": ("evaluation/report/report.py", FAULTS),
    "report-summary-": ("evaluation/report/report.py", ("better", "worse")),
    "report-fault-": ("evaluation/report/report.html.jinja", FAULTS),
    "report-": (
        "evaluation/report/report.html.jinja",
        [
            f"{name}-title"
            for name in [
                "summary",
                "runs",
                "measures",
                "moved",
                "plots",
                "breakdown",
                "worst",
                "questions",
                "meanings",
                "settings",
            ]
        ],
    ),
    "report-verdict-": ("evaluation/report/report.py", get_args(Verdict)),
    "privacy-sends-": ("models/privacy.py", SENT),
    "source-status-": ("cli/sources.py", get_args(UnreadStatus)),
    "verification-": ("render/verification.py", get_args(ClaimVerdict)),
    "sarif-help-": ("render/sarif.py", get_args(ClaimVerdict)),
    "work-status-": ("cli/ingest.py", get_args(JobStatus)),
}
"""Codes that are put together: their beginning, where that happens, and what can follow."""

Signature = dict[str, frozenset[str]]


class _Variables(Visitor):
    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: VariableReference) -> None:  # noqa: N802
        self.names.add(node.id.name)


def find_variables(node: object) -> frozenset[str]:
    visitor = _Variables()
    visitor.visit(node)
    return frozenset(visitor.names)


@cache
def read_area(language: str, area: str) -> dict[str, Signature]:
    """Code → part ("" or an attribute) → the variables of its text."""
    path = CATALOGUE / language / area
    entries = FluentParser().parse(path.read_text(encoding="utf-8")).body if path.exists() else []
    assert not [entry.content for entry in entries if isinstance(entry, Junk)]
    found: dict[str, Signature] = {}
    for entry in entries:
        if isinstance(entry, Message):
            assert entry.id.name not in found, f"{entry.id.name} twice in {path}"
            parts = {"": entry.value, **{part.id.name: part for part in entry.attributes}}
            found[entry.id.name] = {name: find_variables(part) for name, part in parts.items()}
    return found


@cache
def read_catalogue() -> dict[str, Signature]:
    return {code: parts for area in AREAS for code, parts in read_area("en", area).items()}


def find_messages() -> Iterator[tuple[str, ast.Call, str]]:
    """Place, call and code of every ``Message("code", …)``, ``SomeError("code", …)``, ``words(…)``."""
    for path, nodes in list_nodes().items():
        for node in nodes:
            if isinstance(node, ast.Call) and node.args:
                first, name = node.args[0], read_name(node.func)
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    code = first.value
                    if name in CALLS and " " not in code:
                        yield f"{path}:{node.lineno}", node, code


def _list_errors() -> frozenset[str]:
    from foundry import errors

    return frozenset(name for name in vars(errors) if isinstance(getattr(errors, name), type))


ERRORS = _list_errors() | {"WriteError", "ExportFailed"}
CALLS = ERRORS | {"Message", "OverwriteRefused", "words", "phrases", "t"}


def test_every_code_has_both_languages_with_the_same_placeholders():
    for area in AREAS:
        first, *others = [read_area(language, area) for language in LANGUAGES]
        assert all(other == first for other in others), area


def test_a_code_begins_with_its_area():
    for area in AREAS:
        stem = area.removesuffix(".ftl")
        codes = read_area("en", area)
        assert [c for c in codes if c != stem and not c.startswith(f"{stem}-")] == []


def test_every_message_has_its_text_and_all_its_parameters():
    catalogue, wrong = read_catalogue(), []
    for place, call, code in find_messages():
        given = {item.arg for item in call.keywords if item.arg}
        given |= {f"{name}-fix" for name in given}
        spread = any(item.arg is None for item in call.keywords)
        needed = frozenset().union(*catalogue.get(code, {}).values())
        if code not in catalogue or (needed - given and not spread):
            wrong.append(f"{place}: {code} needs {sorted(needed - given)}")
    assert wrong == []


ELSEWHERE = ("help-",)
"""Codes made from names: ``tests/faces/test_program.py`` compares those of the help."""


def test_every_text_is_used():
    texts = {
        node.value
        for nodes in list_nodes().values()
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    texts |= {code for path in TEMPLATES for code in re.findall(r'"([\w-]+)"', path.read_text())}
    texts |= {f"{start}{end}" for start, (_place, ends) in FAMILIES.items() for end in ends}
    unused = [code for code in read_catalogue() if code not in texts]
    assert [code for code in unused if not code.startswith(ELSEWHERE)] == []


def test_a_code_that_is_put_together_has_a_text_for_every_end():
    for start, (place, ends) in FAMILIES.items():
        code = (SOURCE / place).read_text(encoding="utf-8")
        assert re.search(rf'["\']{start}(?:\{{|" ~)', code), start
        assert [end for end in ends if f"{start}{end}" not in read_catalogue()] == [], start


def test_a_template_uses_texts_that_exist():
    texts = [path.read_text(encoding="utf-8") for path in TEMPLATES]
    codes = [code for text in texts for code in re.findall(r'\bt\("([\w-]*\w)"', text)]
    assert [code for code in codes if code not in read_catalogue()] == []


TERMINAL_ONLY = {"help.ftl", "governor.ftl"}
"""Areas of which nothing is said on a page or by the API."""


@pytest.mark.parametrize("face", ["page", "api"])
def test_neither_a_page_nor_the_api_tells_anybody_to_type_a_command(face: Face):
    for path in sorted(CATALOGUE.glob("*/*.ftl")):
        if path.name not in TERMINAL_ONLY:
            text = re.sub(r"^#.*", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
            shown = name_actions(text, face, lambda code: code)
            assert re.findall(r"\bfoundry [a-z].*", shown) == [], path


def test_every_route_that_is_named_exists():
    from fastapi import FastAPI

    from foundry.web.app import make_api

    app = FastAPI()
    app.include_router(make_api())
    known = {
        f"{method.upper()} {path}"
        for path, item in app.openapi()["paths"].items()
        for method in item
    }
    plain = {re.sub(r"\{[^}]*\}", "ID", route) for route in known}
    assert [r for r in ROUTES.values() if re.sub(r"/[A-Z]+(?=/|$)", "/ID", r) not in plain] == []
