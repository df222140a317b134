"""Reports over runs: one HTML page, in English or Dutch."""

from foundry.evaluation.report.questions import find_faulty
from foundry.evaluation.report.report import WORST, Report, make_report
from foundry.evaluation.report.tables import RunSummary
