"""The plots of evaluation: plain values in, an SVG for an HTML page out.

Text stays text. Markers, dashes and hatches tell runs apart without colour. Equal input gives
equal bytes.
"""

from foundry.evaluation.plots.runs import (
    PlottedChange,
    plot_differences,
    plot_latency,
    plot_recall_curves,
)
from foundry.evaluation.plots.scores import plot_coverage, plot_gate_scores, plot_reliability
