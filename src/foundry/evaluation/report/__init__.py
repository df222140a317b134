"""Reports over runs: one HTML page, or Markdown, in English or Dutch."""

from foundry.evaluation.report.questions import find_faulty
from foundry.evaluation.report.report import FORMATS, WORST, Format, Report, make_report
from foundry.evaluation.report.run_summary import RunSummary
