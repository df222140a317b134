"""The token budget as the specification prints it (§9)."""

from __future__ import annotations

from foundry.records import Budget

_LABEL, _NUMBER = 17, 6
_RULE = "─" * 29


def budget_warning(budget: Budget) -> str:
    """What the parts of a prompt take of the window, and what to change."""
    limit = budget.window or 0
    # Rounded down, as the specification prints it.
    share = f"{100 * budget.total // limit}%" if limit else "no window"
    rows = [
        ("brief:", f"{budget.brief:,}", "tokens"),
        ("feature spec:", f"{budget.spec:,}", "tokens"),
        (
            "source summaries:",
            f"{budget.summaries:,}",
            f"tokens (max_source_summaries={budget.max_summaries})",
        ),
        ("chunk budget:", f"{budget.chunks:,}", "tokens"),
    ]
    lines = [f"  {label:<{_LABEL}}{number:>{_NUMBER}} {rest}" for label, number, rest in rows]
    total = f"  {'Total:':<{_LABEL}}{budget.total:>{_NUMBER},} / {limit:,} limit ({share})"
    consider = "  Consider: fewer summaries, smaller brief, or larger generation.model"
    return "\n".join(["⚠ Token budget warning:", *lines, f"  {_RULE}", total, consider])
