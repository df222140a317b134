"""``foundry sources`` over a small real project."""

from __future__ import annotations

import csv
from email.message import EmailMessage
from pathlib import Path

import pytest

from foundry.wire.commands import MODELS
from tests.faces.conftest import Run


def test_sources_list_prints_the_documented_json(run: Run, project: Path) -> None:
    document = run("sources", "list", "--json").json
    assert MODELS["sources list"].model_validate(document)
    assert [source["language"] for source in document["sources"]] == ["en", "nl"]


def test_sources_list_is_a_table(run: Run, project: Path) -> None:
    head, *rows = run("sources", "list").out.splitlines()
    assert head.split()[:3] == ["PATH", "TYPE", "LANG"]
    assert [row.split()[0] for row in rows] == ["sources/datasheet.md", "sources/onderhoud.md"]


def test_sources_show_prints_the_documented_json(run: Run, project: Path) -> None:
    document = run("sources", "show", "sources/datasheet.md", "--json").json
    assert MODELS["sources show"].model_validate(document)
    assert "3.1 Supply" in [section["title"] for section in document["sections"]]
    assert document["summary"]


def test_sources_show_takes_a_path_from_here(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "sources")
    outcome = run("sources", "show", "datasheet.md")
    assert outcome.status == 0
    assert "3.1 Supply" in outcome.out


def test_what_a_person_says_of_the_status_stays_when_the_file_is_read_again(
    run: Run, project: Path
) -> None:
    changed = run("sources", "set", "sources/datasheet.md", "--status", "superseded", "--json").json
    assert MODELS["sources set"].model_validate(changed)
    file = project / "sources" / "datasheet.md"
    file.write_text(f"{file.read_text()}\nOne more line.\n")
    run("ingest")
    assert "superseded" in run("sources", "list").out
    shown = run("sources", "set", "sources/datasheet.md", "--status", "as_read", "--json").json
    assert shown["status"] is None


def test_a_source_that_is_moved_keeps_the_status_that_a_person_said(
    run: Run, project: Path
) -> None:
    run("sources", "set", "sources/datasheet.md", "--status", "draft")
    (project / "sources" / "datasheet.md").rename(project / "sources" / "sheet.md")
    run("ingest")
    assert run("sources", "show", "sources/sheet.md", "--json").json["status"] == "draft"


def test_a_draft_is_marked_where_it_is_quoted(run: Run, project: Path) -> None:
    run("sources", "set", "sources/datasheet.md", "--status", "draft")
    out = run("ask", "What is the input voltage of the supply?").out
    assert "datasheet.md" in out
    assert ", draft" in out


def test_sources_show_says_where_each_fact_is_from(run: Run, project: Path) -> None:
    out = run("sources", "show", "sources/datasheet.md").out
    assert "Title: " in out
    assert "(in its heading, " in out


def test_sources_remove_takes_it_out_of_the_indexes(run: Run, project: Path) -> None:
    document = run("sources", "remove", "sources/datasheet.md", "--json").json
    assert document == {"removed": ["sources/datasheet.md"]}
    assert (project / "sources" / "datasheet.md").exists()
    assert run("index", "verify", "--json").json["problems"] == []
    assert len(run("sources", "list", "--json").json["sources"]) == 1


def test_nothing_is_removed_when_one_name_is_unknown(run: Run, project: Path) -> None:
    assert run("sources", "remove", "sources/datasheet.md", "sources/no.md").status == 2
    assert len(run("sources", "list", "--json").json["sources"]) == 2


def test_a_source_above_the_owners_role_is_not_shown(run: Run, project: Path) -> None:
    run("ingest", "sources/onderhoud.md", "--confidentiality", "secret")
    file = project / "foundry.yaml"
    file.write_text(file.read_text().replace("  # role: secret", "  role: internal"))
    assert len(run("sources", "list", "--json").json["sources"]) == 1
    assert run("sources", "show", "sources/onderhoud.md").status == 2


def test_no_cell_of_a_source_is_a_formula_for_a_spreadsheet(run: Run, project: Path) -> None:
    (project / "sources" / "risky.csv").write_text(
        'name,a,b,c,d\nx,=cmd|calc,+1+cmd,@SUM(1),"-5,3"\n', encoding="utf-8"
    )
    run("ingest")
    rows = list(csv.reader(run("sources", "show", "sources/risky.csv", "--csv").out.splitlines()))
    assert [row[-2] for row in rows[1:]] == ["'=cmd|calc", "'+1+cmd", "'@SUM(1)", "-5,3"]


def test_the_tables_of_a_source_are_shown_cell_by_cell(run: Run, project: Path) -> None:
    (project / "sources" / "sales.csv").write_text("Zone,2022,2021\nEUR,9467,9283\nAOA,5,6\n")
    run("ingest")
    document = run("sources", "show", "sources/sales.csv", "--tables", "--json").json
    assert MODELS["sources show --tables"].model_validate(document)
    (table,) = document["tables"]
    assert table["cells"][0] == {
        "row": ["EUR"],
        "column": ["2022"],
        "value": "9467",
        "certain": True,
    }
    assert "EUR, 2022: 9467" in run("sources", "show", "sources/sales.csv", "--tables").out
    assert run("sources", "show", "sources/sales.csv", "--csv").out.splitlines()[1] == (
        "1,,,,EUR,2022,9467,"
    )


@pytest.fixture
def mail(run: Run, project: Path) -> str:
    """The path of an ingested mail with an attachment."""
    message = EmailMessage()
    message["Subject"] = "Offer"
    message.set_content("The offer is attached.")
    message.add_attachment("A filter is 12 euro.", filename="offer.txt")
    (project / "sources" / "a.eml").write_bytes(bytes(message))
    run("ingest")
    return "sources/a.eml"


def test_a_mail_and_its_attachment_name_each_other(run: Run, mail: str) -> None:
    assert f"Attachments: {mail}/offer.txt" in run("sources", "show", mail).out
    assert f"Attached to {mail}" in run("sources", "show", f"{mail}/offer.txt").out
    assert run("sources", "show", mail, "--json").json["attachments"] == [f"{mail}/offer.txt"]


def test_an_attachment_is_removed_with_its_mail(run: Run, mail: str) -> None:
    removed = run("sources", "remove", mail, "--json").json["removed"]
    assert removed == [mail, f"{mail}/offer.txt"]


def test_a_bare_file_name_leads_to_the_path(run: Run, project: Path) -> None:
    failed = run("sources", "show", "Datasheet.md")
    assert failed.status == 2
    assert "Did you mean sources/datasheet.md?" in failed.err


def test_sources_diff_shows_old_and_new_words(run: Run, project: Path) -> None:
    text = (project / "sources/datasheet.md").read_text(encoding="utf-8")
    (project / "sources/later.md").write_text(text.replace("44 Hz", "60 Hz"), encoding="utf-8")
    run("ingest")
    asked = ("sources", "diff", "sources/datasheet.md", "sources/later.md")
    assert "1 changed, 0 added, 0 removed" in run(*asked).out
    document = run(*asked, "--json").json
    assert MODELS["sources diff"].model_validate(document)
    assert "60 Hz" in document["changes"][0]["new"]["text"]


def test_draft_impact_exits_with_1_if_words_are_gone(run: Run, project: Path) -> None:
    run("ask", "How is the input fuse rated?")
    assert run("draft", "impact", "sources/datasheet.md").status == 0
    path = project / "sources/datasheet.md"
    path.write_text(path.read_text(encoding="utf-8").replace("3.15 A", "4 A"), encoding="utf-8")
    run("ingest")
    outcome = run("draft", "impact", "sources/datasheet.md")
    assert outcome.status == 1
    assert "+ The input fuse is rated at 4 A slow." in outcome.out


def test_sources_list_shows_what_matches_and_is_in_a_state(run: Run, project: Path) -> None:
    paths = [one["path"] for one in run("sources", "list", "--json").json["sources"]]
    (project / paths[0]).write_text("# Changed\n")
    for options in (("--state", "changed"), ("--search", paths[0])):
        listed = run("sources", "list", *options, "--json").json
        assert [one["path"] for one in listed["sources"]] == paths[:1]


def test_sources_set_changes_several_and_names_those_that_it_cannot(
    run: Run, project: Path
) -> None:
    paths = [one["path"] for one in run("sources", "list", "--json").json["sources"]]
    outcome = run("sources", "set", *paths, "gone.md", "--add-tag", "a", "--json")
    done = outcome.json
    assert outcome.status == 1
    assert MODELS["sources set --filter"].model_validate(done)
    assert (done["changed"], [one["path"] for one in done["failed"]]) == (paths, ["gone.md"])
    done = run("sources", "set", "--filter", "tag=a", "--remove-tag", "a", "--json").json
    assert done["changed"] == paths


def test_sources_remove_deletes_files_when_that_is_asked(run: Run, project: Path) -> None:
    path = project / "sources/datasheet.md"
    run("sources", "remove", "sources/datasheet.md", "--files")
    assert not path.exists()
