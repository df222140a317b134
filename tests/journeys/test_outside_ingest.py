"""An ingest with a service that reads pages: when it reads again, and what may leave the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.config import override_config
from foundry.errors import ConfigError
from foundry.journeys.doctor import check_setup
from foundry.journeys.ingest import ingest
from foundry.records import IngestReport
from foundry.workspace import open_workspace
from tests.journeys.conftest import write_project
from tests.readers.pdf_files import scanned
from tests.support.page_server import PageServer, docling, text


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_project(tmp_path)
    scanned(tmp_path / "sources/scan.pdf", ["Pressure 2.5 bar"], typed="A typed page. " * 20)
    return tmp_path


def run(project: Path, address: str) -> IngestReport:
    variables = {
        "FOUNDRY_INGEST__OCR": "'off'",
        "FOUNDRY_INGEST__OUTSIDE__PAGES": "scans",
        "FOUNDRY_INGEST__OUTSIDE__ADDRESS": address,
    }
    with open_workspace(project, environment=variables, cwd=project) as workspace:
        report = ingest(workspace)
        assert workspace.maintenance().verify() == []
    return report


def status(report: IngestReport) -> str:
    return next(file.status for file in report.files if file.path.endswith("scan.pdf"))


def test_a_page_that_was_not_read_is_read_once_the_service_is_back(project: Path) -> None:
    with PageServer(docling(text("Pressure 2.5 bar"))) as server:
        address = server.url
    down = run(project, address)
    assert [notice.code for notice in down.notices] == ["outside-unavailable"]
    assert status(run(project, address)) == "unchanged"
    with PageServer(docling(text("Pressure 2.5 bar"))) as server:
        assert status(run(project, server.url)) == "updated"
        assert status(run(project, server.url)) == "unchanged"


def test_another_version_of_the_service_reads_again(project: Path) -> None:
    with PageServer(docling(text("Pressure 2.5 bar"))) as server:
        run(project, server.url)
        server.version = "1.39.0"
        assert status(run(project, server.url)) == "updated"
        assert len(server.sent) == 2


def test_a_new_version_that_fails_does_not_replace_what_was_read(project: Path) -> None:
    with PageServer(docling(text("Pressure 2.5 bar"))) as server:
        run(project, server.url)
        server.version, server.fail = "1.39.0", 413
        report = run(project, server.url)
    (scan,) = [file for file in report.files if file.path.endswith("scan.pdf")]
    assert scan.status == "unchanged"
    assert [warning.code for warning in scan.warnings] == ["outside-failed"]


def test_what_was_read_outside_stays_while_the_service_is_away(project: Path) -> None:
    with PageServer(docling(text("Pressure 2.5 bar"))) as server:
        run(project, server.url)
    assert status(run(project, server.url)) == "unchanged"


def test_offline_no_page_goes_to_another_machine(project: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        run(project, "http://pages.example.org")
    assert caught.value.problem.code == "outside-not-local"


def test_a_key_is_not_sent_over_a_network_in_clear(project: Path) -> None:
    variables = {
        "FOUNDRY_MODE": "online",
        "FOUNDRY_INGEST__OUTSIDE__PAGES": "scans",
        "FOUNDRY_INGEST__OUTSIDE__ADDRESS": "http://pages.example.org",
        "DOCLING_SERVE_API_KEY": "k-12345678",
    }
    checks = check_setup(project, environment=variables, cwd=project)
    (outside,) = [check for check in checks if check.name == "outside"]
    assert outside.problem.code == "outside-key-in-clear"


def test_doctor_names_the_service_that_answers(project: Path) -> None:
    with PageServer(docling()) as server:
        variables = {
            "FOUNDRY_INGEST__OUTSIDE__PAGES": "scans",
            "FOUNDRY_INGEST__OUTSIDE__ADDRESS": server.url,
        }
        checks = check_setup(project, environment=variables, cwd=project)
    (outside,) = [check for check in checks if check.name == "outside"]
    assert outside.status == "ok"
    assert "docling-serve 1.38.2" in outside.message


def test_a_service_needs_an_address(project: Path) -> None:
    with (
        open_workspace(project, environment={}, cwd=project) as workspace,
        pytest.raises(Exception, match="pages needs"),
    ):
        override_config(workspace.config, {"ingest.outside.pages": "scans"})
