"""The table of commands with the model of what each prints with ``--json``.

``docs/json/`` and the answers of ``foundry schema`` are generated from it.
"""

from __future__ import annotations

from typing import Any

from foundry import records
from foundry.models.privacy import PrivacyReport
from foundry.wire import (
    access,
    agents,
    answers,
    calibration,
    corrections,
    datasets,
    documents,
    evaluation,
    extraction,
    fitness,
    governor,
    projects,
    remote_calls,
    tools,
    verification,
)
from foundry.wire.base import ErrorJson, SchemaListJson, WireModel, get_model

_PRINTED: dict[str, type[Any]] = {
    "init": projects.InitJson,
    "doctor": projects.DoctorJson,
    "models": fitness.ModelsJson,
    "version": projects.VersionJson,
    "schema": SchemaListJson,
    "ingest": projects.IngestJson,
    "work run": projects.WorkJson,
    "work list": projects.JobListJson,
    "work cancel": projects.WorkCancelJson,
    "sources list": projects.SourceListJson,
    "sources show": projects.SourceDetailsJson,
    "sources show --tables": projects.SourceTablesJson,
    "sources diff": records.RevisionComparison,
    "sources remove": projects.RemovedSourcesJson,
    "correction add": corrections.CorrectionJson,
    "correction blocks": corrections.NumberedBlocksJson,
    "correction list": corrections.CorrectionListJson,
    "correction show": corrections.CorrectionJson,
    "correction remove": corrections.CorrectionJson,
    "search": answers.SearchJson,
    "ask": answers.AnswerJson,
    "chat": answers.TurnJson,
    "verify": verification.VerificationJson,
    "table run": extraction.ExtractionWholeJson,
    "table list": extraction.ExtractionListJson,
    "table show": extraction.ExtractionWholeJson,
    "table review": extraction.ExtractionCellJson,
    "table remove": extraction.ExtractionTableJson,
    "feature new": records.Specification,
    "feature list": documents.SpecificationListJson,
    "feature show": documents.SpecificationTextJson,
    "feature check": documents.SpecificationCheckJson,
    "feature diff": records.SpecificationComparison,
    "feature approve": records.Specification,
    "feature revoke": records.Specification,
    "agent list": agents.AgentListJson,
    "agent show": agents.AgentJson,
    "agent new": agents.AgentJson,
    "agent check": agents.AgentCheckJson,
    "generate": documents.DraftJson,
    "generate --dry-run": documents.DraftPlanJson,
    "draft list": documents.DraftListJson,
    "draft show": documents.DraftDetailsJson,
    "draft impact": records.Impact,
    "draft notes": documents.DraftNotesJson,
    "draft diff": documents.DraftComparisonJson,
    "draft verify": documents.DraftVerificationJson,
    "draft accept": documents.DraftStatusJson,
    "build": documents.BuildJson,
    "serve": projects.ServeJson,
    "mcp": tools.ToolServerJson,
    "token new": access.NewTokenJson,
    "token list": access.TokenListJson,
    "token revoke": records.Token,
    "log audit": access.AuditListJson,
    "index status": projects.IndexStatusJson,
    "index rebuild": projects.IndexRebuildJson,
    "index verify": projects.IndexVerifyJson,
    "copy": projects.CopyJson,
    "log list": projects.QueryListJson,
    "log show": projects.QueryJson,
    "log stats": projects.LogStatsJson,
    "privacy": PrivacyReport,
    "log cost": remote_calls.SpendingJson,
    "log feedback": records.Feedback,
    "eval calibrate": calibration.CalibrationJson,
    "eval dataset": datasets.DatasetJson,
    "eval run": evaluation.RunOutcomeJson,
    "eval runs": evaluation.EvalRunsJson,
    "eval compare": evaluation.ComparisonJson,
    "eval report": evaluation.ReportJson,
    "eval add": records.EvalQuestion,
    "eval import": evaluation.EvalImportJson,
    "eval draft": evaluation.EvalDraftJson,
    "eval list": evaluation.EvalListJson,
    "eval show": evaluation.EvalShowJson,
    "eval accept": evaluation.EvalAcceptJson,
    "eval remove": evaluation.EvalRemoveJson,
    "eval export": evaluation.EvalExportJson,
    "governor check": governor.GovernorCheckJson,
    "governor install": governor.GovernorInstallJson,
}

MODELS: dict[str, type[WireModel]] = {name: get_model(kind) for name, kind in _PRINTED.items()}
_ALL: tuple[type[WireModel], ...] = (*MODELS.values(), evaluation.EvalRunJson, ErrorJson)

DOCUMENTS: dict[str, type[WireModel]] = {model.get_name(): model for model in _ALL}
"""Every document by its name: of the commands, of the Python API, and of errors."""
