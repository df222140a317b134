"""Which constants make a project's scores: its own, where they hold for its vectors, or the shipped.

Fitted constants hold for vectors of one fingerprint. Under another (a new embedding model or
version, other windows) they are stale: never used, and always told. Those that weigh words alone,
the verifier's and the gate's in a search by words, hold whatever the vectors are.
"""

from __future__ import annotations

from foundry.craft.gate import LEXICAL, Calibration, find_calibration, read_calibration
from foundry.craft.grounding import Constants, get_constants, read_constants
from foundry.records import Fitted, SearchMode
from foundry.workspace import Workspace

WORDS = "words-1"
"""The fingerprint of what weighs words alone; it changes with the meaning of their signals."""

MEND = "Run `foundry eval calibrate`, or `foundry eval calibrate --reset` to forget them."


def gate_constants(workspace: Workspace, mode: SearchMode) -> Calibration:
    """The gate's constants in a search mode: the project's own, else those of its model."""
    model = model_of(workspace, mode)
    own = find_own(workspace, model)
    if own is not None and own.gate is not None:
        return read_calibration(model, own.gate, own=True)
    return find_calibration(model)


def verifier_constants(workspace: Workspace) -> Constants:
    """The constants of a statement's score: the project's own, else the shipped ones."""
    own = find_own(workspace, LEXICAL)
    if own is not None and own.verifier is not None:
        return read_constants(own.verifier)
    return get_constants()


def model_of(workspace: Workspace, mode: SearchMode) -> str:
    """The name under which a search mode's constants are kept."""
    return LEXICAL if mode == "bm25" else workspace.config.embedding.model


def find_own(workspace: Workspace, model: str) -> Fitted | None:
    """The project's constants for a model, if they hold for the vectors that are searched."""
    found = next((one for one in workspace.fitted if one.model == model), None)
    return found if found is not None and holds(workspace, found) else None


def find_stale(workspace: Workspace, mode: SearchMode) -> Fitted | None:
    """Constants that somebody fitted and that are not used: they are for other vectors."""
    model = model_of(workspace, mode)
    if find_own(workspace, model) is not None:
        return None
    kept = [one for one in workspace.fitted if (one.model == LEXICAL) == (model == LEXICAL)]
    kept = [one for one in kept if one.gate is not None]
    return max(kept, key=lambda one: (one.model == model, one.made), default=None)


def holds(workspace: Workspace, fitted: Fitted) -> bool:
    """Whether constants were fitted to vectors like those in the index."""
    if fitted.model == LEXICAL:
        return fitted.fingerprint == WORDS
    return fitted.fingerprint == workspace.store.find_index(fitted.model)


def stale_notice(workspace: Workspace, mode: SearchMode) -> str | None:
    """What to say with every result while fitted constants lie unused; None where none do."""
    stale = find_stale(workspace, mode)
    if stale is None:
        return None
    return f"{describe_stale(stale, model_of(workspace, mode))} {MEND}"


def describe_stale(stale: Fitted, model: str) -> str:
    """Why constants are not used."""
    kept = "The gate's constants that were fitted to this project's questions are not used"
    if stale.model != model:
        return f"{kept}: they are for {stale.model}, not {model}."
    return f"{kept}: they are for vectors that another version of {model} made."
