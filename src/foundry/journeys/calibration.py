"""Which constants make a project's scores: its own, where they hold for its vectors, or the shipped.

Fitted constants hold for vectors of one fingerprint. Under another (a new embedding model or
version, other windows) they are stale: never used, and always told. Those that weigh words alone,
the verifier's and the gate's in a search by words, hold whatever the vectors are.
"""

from __future__ import annotations

from foundry.craft.gate import LEXICAL, GateCalibration, get_calibration, parse_calibration
from foundry.craft.grounding import (
    ClaimCalibration,
    get_claim_calibration,
    parse_claim_calibration,
)
from foundry.records import FittedCalibration, SearchMode
from foundry.workspace import Workspace

LEXICAL_FINGERPRINT = "words-1"
"""The fingerprint of what weighs words alone; it changes with the meaning of their signals."""

FIX_HINT = "Run `foundry eval calibrate`, or `foundry eval calibrate --reset` to forget them."


def choose_gate_calibration(workspace: Workspace, mode: SearchMode) -> GateCalibration:
    """The gate's constants in a search mode: the project's own, else those of its model."""
    model = get_calibration_model(workspace, mode)
    own = find_project_calibration(workspace, model)
    if own is not None and own.gate is not None:
        return parse_calibration(model, own.gate, own=True)
    return get_calibration(model)


def choose_verifier_calibration(workspace: Workspace) -> ClaimCalibration:
    """The constants of a statement's score: the project's own, else the shipped ones."""
    own = find_project_calibration(workspace, LEXICAL)
    if own is not None and own.verifier is not None:
        return parse_claim_calibration(own.verifier)
    return get_claim_calibration()


def get_calibration_model(workspace: Workspace, mode: SearchMode) -> str:
    """The name under which a search mode's constants are kept."""
    return LEXICAL if mode == "bm25" else workspace.config.embedding.model


def find_project_calibration(workspace: Workspace, model: str) -> FittedCalibration | None:
    """The project's constants for a model, if they hold for the vectors that are searched."""
    found = next((one for one in workspace.fitted if one.model == model), None)
    return found if found is not None and is_calibration_current(workspace, found) else None


def find_stale_calibration(workspace: Workspace, mode: SearchMode) -> FittedCalibration | None:
    """Constants that somebody fitted and that are not used: they are for other vectors."""
    model = get_calibration_model(workspace, mode)
    if find_project_calibration(workspace, model) is not None:
        return None
    kept = [one for one in workspace.fitted if (one.model == LEXICAL) == (model == LEXICAL)]
    kept = [one for one in kept if one.gate is not None]
    return max(kept, key=lambda one: (one.model == model, one.made), default=None)


def is_calibration_current(workspace: Workspace, fitted: FittedCalibration) -> bool:
    """Whether constants were fitted to vectors like those in the index."""
    if fitted.model == LEXICAL:
        return fitted.fingerprint == LEXICAL_FINGERPRINT
    return fitted.fingerprint == workspace.store.find_index(fitted.model)


def format_stale_notice(workspace: Workspace, mode: SearchMode) -> str | None:
    """What to say with every result while fitted constants lie unused; None where none do."""
    stale = find_stale_calibration(workspace, mode)
    if stale is None:
        return None
    return f"{describe_stale(stale, get_calibration_model(workspace, mode))} {FIX_HINT}"


def describe_stale(stale: FittedCalibration, model: str) -> str:
    """Why constants are not used."""
    kept = "The gate's constants that were fitted to this project's questions are not used"
    if stale.model != model:
        return f"{kept}: they are for {stale.model}, not {model}."
    return f"{kept}: they are for vectors that another version of {model} made."
