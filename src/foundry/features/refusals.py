"""Why a specification may not be written from, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

from foundry.craft.features import told_approval
from foundry.errors import RuleError
from foundry.features.files import FOLDER
from foundry.records import Feature, SpecProblem


def refusal(feature: Feature) -> str:
    """Why a specification may not be written from, as a sentence; empty where it may."""
    if feature.status == "broken":
        return f"{feature.name} cannot be read: {' '.join(told(p) for p in feature.problems)}"
    if feature.status == "changed":
        return _no_longer(feature)
    if feature.status == "draft":
        return f"{feature.name} is a draft: nobody approved it yet."
    return "" if feature.sections else f"{feature.name} names no sections."


def _no_longer(feature: Feature) -> str:
    if feature.approval is None:
        return f"{feature.name} says approved, but no approval is recorded with it."
    if feature.approval.content_hash == feature.content_hash:
        wrong = " ".join(told(one) for one in feature.problems if one.blocking)
        return f"{feature.name} cannot stand as approved: {wrong}"
    since = told_approval(feature.approval)
    return f"{feature.name} was changed since {since}; it is no longer approved."


def not_usable(feature: Feature) -> RuleError:
    """The refusal to write from this specification."""
    fix = f"Run `foundry feature check {feature.name}` and mend what it lists"
    if feature.status != "broken" and not _blocked(feature):
        fix = f"Review {feature.path}, then run `foundry feature approve {feature.name}`"
    return RuleError(refusal(feature), where=feature.path, fix=f"{fix}.")


def _blocked(feature: Feature) -> bool:
    return any(problem.blocking for problem in feature.problems)


def none_approved(features: Sequence[Feature]) -> RuleError:
    """The refusal where no specification is approved: which there are, and what to do first."""
    if not features:
        return RuleError(
            "There is no feature specification, so there is nothing approved to write from.",
            where=FOLDER,
            fix="Run `foundry feature new NAME`, fill it in, and `foundry feature approve NAME`.",
        )
    listed = ", ".join(f"{feature.name} ({feature.status})" for feature in features)
    ready = next((one for one in features if not _blocked(one) and one.status != "broken"), None)
    first = ready or features[0]
    verb = "approve" if ready else "check"
    return RuleError(
        f"No feature specification is approved: {listed}.",
        where=FOLDER,
        fix=f"Run `foundry feature {verb} {first.name}`" + (" after a review." if ready else "."),
    )


def told(problem: SpecProblem) -> str:
    """A problem with its line."""
    return f"line {problem.line}: {problem.message}" if problem.line else problem.message
