"""Reports over runs: one HTML page, in English or Dutch."""

from foundry.evaluation.report.report import WORST, Report, find_faulty, make_report
from foundry.evaluation.report.tables import RunSummary
