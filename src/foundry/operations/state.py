"""The indexes, and whether the project is sound."""

from __future__ import annotations

from foundry.journeys.calibration import choose_gate_calibration, format_stale_notice
from foundry.journeys.doctor import check_setup
from foundry.messages import Message
from foundry.operations.table import Scope, operation
from foundry.wire.base import hide_places
from foundry.wire.projects import DoctorJson, IndexStatusJson


@operation("GET", "/index", IndexStatusJson)
def show_index(on: Scope) -> IndexStatusJson:
    """The sizes of the indexes, as far as the caller may see."""
    config = on.workspace.config
    index = on.workspace.store.index_status(config.embedding.model)
    own = choose_gate_calibration(on.workspace, config.retrieval.mode).own
    stale = format_stale_notice(on.workspace, config.retrieval.mode)
    recall = on.workspace.store.find_recall(config.embedding.model)
    notices = [stale] if stale else []
    is_exact = not index.vectors or index.ways.vectors.code == "index-vectors-compared"
    if recall and recall.outdated:
        notices.append(Message("index-recall-outdated"))
    elif not recall and not is_exact and on.workspace.principal.sees_all:
        notices.append(Message("index-recall-unknown"))
    return IndexStatusJson.copy_fields(
        index, constants="project" if own else "shipped", recall=recall, notices=notices
    )


@operation("GET", "/doctor", DoctorJson, owner=True)
def examine(on: Scope, quick: bool = False) -> DoctorJson:
    """Configuration, database, models, keys and OCR, with a fix for each problem; the owner's."""
    root, environment = on.workspace.root, on.workspace.environment
    checks = check_setup(root, environment=environment, cwd=root, quick=quick)
    failed = any(check.status == "fail" for check in checks)
    found = DoctorJson(ok=not failed, checks=checks).model_dump(mode="json")
    return DoctorJson.model_validate(hide_places(found, root))
