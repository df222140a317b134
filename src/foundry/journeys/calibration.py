"""Which calibration computes a project's scores: its own if it fits the index, else the shipped one.

A fitted calibration is valid for vectors of one fingerprint. With a new embedding model, version
or windowing it is stale: not used, and reported with every result. That of a BM25 search has words
alone, and does not depend on vectors.
"""

from __future__ import annotations

from foundry.craft.gate import (
    LEXICAL,
    GateCalibration,
    get_calibration,
    knows_signals,
    parse_calibration,
)
from foundry.messages import Message
from foundry.records import FittedCalibration, SearchMode
from foundry.workspace import Workspace

LEXICAL_FINGERPRINT = "words-1"
"""The fingerprint of lexical calibrations; changes with the meaning of their signals."""


def choose_gate_calibration(workspace: Workspace, mode: SearchMode) -> GateCalibration:
    """The gate's calibration in a search mode: the project's own, else the shipped one."""
    model = get_calibration_model(workspace, mode)
    own = find_project_calibration(workspace, model)
    if own is not None:
        return parse_calibration(model, own.gate, own=True)
    return get_calibration(model)


def get_calibration_model(workspace: Workspace, mode: SearchMode) -> str:
    """The model name that a search mode's calibration is stored under."""
    return LEXICAL if mode == "bm25" else workspace.config.embedding.model


def find_project_calibration(workspace: Workspace, model: str) -> FittedCalibration | None:
    """The project's calibration for a model, if it fits the vectors in the index."""
    fitted = next((item for item in workspace.fitted if item.model == model), None)
    return fitted if fitted is not None and is_calibration_current(workspace, fitted) else None


def find_stale_calibration(workspace: Workspace, mode: SearchMode) -> FittedCalibration | None:
    """A gate calibration that was fitted but is not used, as it is for other vectors."""
    model = get_calibration_model(workspace, mode)
    if find_project_calibration(workspace, model) is not None:
        return None
    kept = [item for item in workspace.fitted if (item.model == LEXICAL) == (model == LEXICAL)]
    return max(kept, key=lambda item: (item.model == model, item.made), default=None)


def is_calibration_current(workspace: Workspace, fitted: FittedCalibration) -> bool:
    """Whether a calibration was fitted to today's signals and to vectors like those in the index."""
    if not knows_signals(fitted.gate):
        return False
    if fitted.model == LEXICAL:
        return fitted.fingerprint == LEXICAL_FINGERPRINT
    return fitted.fingerprint == workspace.store.find_index(fitted.model)


def format_stale_notice(workspace: Workspace, mode: SearchMode) -> Message | None:
    """The notice for every result while a fitted calibration is unused, or None."""
    stale = find_stale_calibration(workspace, mode)
    if stale is None:
        return None
    return Message(
        "calibration-notice", problem=describe_stale(stale, get_calibration_model(workspace, mode))
    )


def describe_stale(stale: FittedCalibration, model: str) -> Message:
    """Why a fitted calibration is not used."""
    if stale.model != model:
        return Message("calibration-other-model", fitted=stale.model, model=model)
    return Message("calibration-other-version", model=model)
