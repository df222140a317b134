"""The pictures of evaluation: plain values in, an SVG to stand in a page out.

Text stays text, colours are told apart by everyone, and in grey the markers, dashes and hatches
do. Equal input gives equal bytes.
"""

from __future__ import annotations

from foundry.evaluation.plots.calibration import plot_reliability

__all__ = ["plot_reliability"]
