"""The pictures of evaluation: plain values in, an SVG to stand in a page out.

Text stays text, colours are told apart by everyone, and in grey the markers, dashes and hatches
do. Equal input gives equal bytes.
"""

from __future__ import annotations

from foundry.evaluation.plots.calibration import plot_reliability
from foundry.evaluation.plots.curves import plot_recall_curves
from foundry.evaluation.plots.differences import Difference, plot_differences
from foundry.evaluation.plots.latency import plot_latency
from foundry.evaluation.plots.strips import plot_coverage, plot_gate_scores

__all__ = [
    "Difference",
    "plot_coverage",
    "plot_differences",
    "plot_gate_scores",
    "plot_latency",
    "plot_recall_curves",
    "plot_reliability",
]
