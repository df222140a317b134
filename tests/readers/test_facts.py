"""What a document says of itself, from every place that may say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.readers.front.clues import read_status
from foundry.records import Document
from tests.readers.office_files import cell, paragraph, relations, table, write_docx, write_zip

_PLAIN = "# Pump manual\n\nThe pump runs.\n"


def read_text(folder: Path, text: str, name: str = "sources/pump.md") -> Document:
    path = folder / Path(name).name
    path.write_text(text, encoding="utf-8")
    return read(path, ReadOptions(name))


def list_facts(document: Document) -> dict[str, tuple[str, str]]:
    return {fact.name: (fact.value, fact.origin) for fact in document.facts}


def read_word(folder: Path, body: str, name: str = "pump.docx", **parts: str) -> Document:
    return read(write_docx(folder / "file.docx", body, **parts), ReadOptions(name))


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ("Draft for review", "draft"),
        ("CONCEPT", "draft"),
        ("voorstel", "proposal"),
        ("Definitief", "final"),
        ("Superseded by NEP 21", "superseded"),
        ("ingetrokken", "withdrawn"),
        ("not approved", None),
        ("niet vastgesteld", None),
        ("under review", None),
        ("", None),
    ],
)
def test_a_status_is_read_in_english_and_dutch(value: str, status: str | None) -> None:
    assert read_status(value) == status


def test_front_matter_says_all_four(tmp_path: Path) -> None:
    text = f"---\ntitle: Pumps\nversion: 1.3\ndate: 2026-03-12\nstatus: draft\n---\n{_PLAIN}"
    assert list_facts(read_text(tmp_path, text)) == {
        "title": ("Pumps", "front-matter"),
        "revision": ("1.3", "front-matter"),
        "date": ("2026-03-12", "front-matter"),
        "status": ("draft", "front-matter"),
    }


def test_a_switch_in_front_matter_is_a_status(tmp_path: Path) -> None:
    text = f"---\ndraft: true\n---\n{_PLAIN}"
    assert list_facts(read_text(tmp_path, text))["status"] == ("draft", "front-matter")


def test_the_last_change_goes_before_the_day_of_writing(tmp_path: Path) -> None:
    text = f"---\ndate: 2020-01-01\nlastmod: 2026-03-12\n---\n{_PLAIN}"
    assert read_text(tmp_path, text).revision_date == "2026-03-12"


def test_a_table_at_the_front_says_revision_and_status(tmp_path: Path) -> None:
    rows = "| Document version | 0.9 |\n|---|---|\n| Status | Concept |\n"
    facts = list_facts(read_text(tmp_path, f"# Pompen\n\n{rows}\nDe pomp loopt.\n"))
    assert facts["revision"] == ("version 0.9", "control-table")
    assert facts["status"] == ("draft", "control-table")


def test_the_newest_row_of_a_revision_history_counts(tmp_path: Path) -> None:
    rows = "| Version | Date | By |\n|---|---|---|\n| 1.0 | 2024-01-01 | A |\n| 1.1 | 2025-02-03 | B |\n"
    document = read_text(tmp_path, f"# Pumps\n\n## Revision history\n\n{rows}\n## Use\n\nText.\n")
    assert (document.revision, document.revision_date) == ("Version 1.1", "2025-02-03")


def test_a_table_of_releases_in_the_text_is_not_about_the_document(tmp_path: Path) -> None:
    rows = "| Version | Date |\n|---|---|\n| 1.0 | 2024-01-01 |\n"
    document = read_text(tmp_path, f"# Pumps\n\n## Releases\n\n{rows}")
    assert (document.revision, document.revision_date) == (None, None)


def test_an_example_is_not_the_documents_own(tmp_path: Path) -> None:
    code = "```yaml\nversion: 2.1\nstatus: draft\n```\n"
    prose = "Released under the Apache License,\nVersion 2.0 (the licence).\n"
    document = read_text(tmp_path, f"# Pumps\n\n{code}\n{prose}")
    assert list(list_facts(document)) == ["title"]


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("Status: Draft", "draft"),
        ("CONCEPT", "draft"),
        ("Version 0.3 (draft)", "draft"),
        ("Parking rules (proposal)", "proposal"),
        ("Versie 0.3 concept", "draft"),
        ("Oude bruggen, versie 3", None),
        ("A draft of the rules is made each year.", None),
        ("Draft horses", None),
    ],
)
def test_a_line_of_the_cover_says_the_status(tmp_path: Path, line: str, status: str | None) -> None:
    text = (
        f"De regels van de gemeente\n\n{line}\n\nDe regels gelden voor het parkeren in de stad.\n"
    )
    said = list_facts(read_text(tmp_path, text, "rules.txt")).get("status")
    assert (said and said[0]) == status


def test_the_fields_above_a_text_are_its_own(tmp_path: Path) -> None:
    head = "PEP: 256\nTitle: Docstrings\nVersion: $Revision: 4564 $\nStatus: Draft\n\nAbstract\n"
    facts = list_facts(read_text(tmp_path, head, "pep.txt"))
    assert facts["title"] == ("Docstrings", "front-matter")
    assert facts["revision"] == ("4564", "front-matter")
    assert facts["status"] == ("draft", "front-matter")


def test_a_title_between_two_rules_is_the_title(tmp_path: Path) -> None:
    text = "=====\nPumps\n=====\n\n:Author: A. Maker\n:Status: Final\n\nText.\n"
    facts = list_facts(read_text(tmp_path, text, "pumps-of-1.txt"))
    assert (facts["title"][0], facts["status"][0]) == ("Pumps", "final")


def test_docinfo_says_the_status(tmp_path: Path) -> None:
    text = "Pumps\n=====\n\n:Status: Superseded\n:Revision: 7\n\nText.\n"
    facts = list_facts(read_text(tmp_path, text, "pumps.rst"))
    assert facts["status"] == ("superseded", "front-matter")
    assert facts["revision"] == ("7", "front-matter")


def test_the_head_of_a_web_page_says_its_date(tmp_path: Path) -> None:
    meta = '<meta name="dcterms.modified" content="2026-03-12">'
    page = f"<html><head>{meta}</head><body><h1>Pumps</h1><p>Text.</p></body></html>"
    facts = list_facts(read_text(tmp_path, page, "pumps.html"))
    assert facts["date"] == ("2026-03-12", "properties")


def test_a_numbered_page_of_a_book_has_its_heading_as_title(tmp_path: Path) -> None:
    page = "<html><head><title>3. Wiring – Manual</title></head><body><h1>3. Wiring</h1><p>Text.</p></body></html>"
    assert read_text(tmp_path, page, "chapter-c.html").title == "3. Wiring"


def test_a_subtitle_belongs_to_the_front(tmp_path: Path) -> None:
    page = "<h1>Pumps</h1><h2>Guide, 6 April 2022</h2><p>Text.</p><h2>Use</h2><p>Version 7</p>"
    document = read_text(tmp_path, f"<html><body>{page}</body></html>", "pumps.html")
    assert (document.revision, document.revision_date) == (None, "2022-04-06")


def test_the_properties_of_a_word_file_say_version_and_status(tmp_path: Path) -> None:
    path = write_docx(tmp_path / "file.docx", paragraph("Pumps run."))
    core = (
        '<p:c xmlns:p="http://schemas.openxmlformats.org/package/2006/metadata/core-properties">'
        "<p:contentStatus>Draft</p:contentStatus><p:revision>37</p:revision><p:version>2.1</p:version></p:c>"
    )
    kinds = relations(
        ("r1", "officeDocument", "word/document.xml"), ("r2", "core-properties", "c.xml")
    )
    body = _read_parts(path)
    write_zip(path, {**body, "_rels/.rels": kinds, "c.xml": core})
    facts = list_facts(read(path, ReadOptions("pump.docx")))
    assert facts["revision"] == ("2.1", "properties")
    assert facts["status"] == ("draft", "properties")


def _read_parts(path: Path) -> dict[str, bytes]:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_watermark_of_word_is_a_status(tmp_path: Path) -> None:
    mark = '<w:p><w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r></w:p>'
    document = read_word(tmp_path, paragraph("Pumps run."), header=mark)
    assert list_facts(document)["status"] == ("draft", "watermark")


def test_the_cover_goes_before_the_file_name_and_the_contradiction_is_told(tmp_path: Path) -> None:
    body = table(cell("Version") + cell("1.3")) + paragraph("Pumps run.")
    document = read_word(tmp_path, body, "pump_v1.2.docx")
    assert document.revision == "Version 1.3"
    (warning,) = document.warnings
    assert (warning.code, warning.params["other"]) == ("readers-facts-differ", "v1.2")


def test_two_places_that_agree_are_surer_than_one(tmp_path: Path) -> None:
    body = table(cell("Version") + cell("1.2")) + paragraph("Pumps run.")
    document = read_word(tmp_path, body, "pump_v1.2.docx")
    assert document.warnings == ()
    assert [fact.confidence for fact in document.facts if fact.name == "revision"] == ["high"]


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("sources/archive/2019/pump.md", "archived"),
        ("sources/archief/pump.md", "archived"),
        ("sources/Old versions/pump.md", "archived"),
        ("sources/superseded/pump.md", "superseded"),
        ("sources/concepts/pump.md", None),
        ("sources/concept/pump.md", None),
        ("sources/draft.md", None),
        ("sources/restore-2-backup.md", None),
        ("sources/how-to-draft.md", None),
        ("sources/pump_v2_draft.md", "draft"),
    ],
)
def test_names_of_folders_and_files_say_the_status(
    tmp_path: Path, name: str, status: str | None
) -> None:
    text = "# Pump manual\n\nThe pump runs all day, and is switched off when the work is done.\n"
    said = list_facts(read_text(tmp_path, text, name)).get("status")
    assert (said and said[0]) == status


def test_a_dutch_word_counts_in_a_dutch_document(tmp_path: Path) -> None:
    text = "# Pomp\n\nDe pomp draait de hele dag en gaat uit wanneer het werk gedaan is.\n"
    assert list_facts(read_text(tmp_path, text, "sources/concept/pomp.md"))["status"][0] == "draft"


def test_a_folder_of_old_texts_goes_before_what_a_text_said_when_it_was_new(tmp_path: Path) -> None:
    text = f"---\nstatus: final\n---\n{_PLAIN}"
    document = read_text(tmp_path, text, "sources/archive/pump.md")
    assert list_facts(document)["status"] == ("archived", "folder")
    assert document.warnings == ()


def test_the_name_of_a_text_under_version_control_has_no_revision(tmp_path: Path) -> None:
    assert read_text(tmp_path, _PLAIN, "sources/oauth-v2.md").revision is None


def test_a_day_in_the_file_name_is_the_date(tmp_path: Path) -> None:
    facts = list_facts(read_text(tmp_path, _PLAIN, "sources/20240312 minutes.md"))
    assert facts["date"] == ("2024-03-12", "file-name")


@pytest.mark.parametrize(
    "title", ["Untitled", "Table of contents", "Microsoft Word - x.doc", "Contents"]
)
def test_a_title_that_says_nothing_is_not_the_title(tmp_path: Path, title: str) -> None:
    facts = list_facts(read_text(tmp_path, f'---\ntitle: "{title}"\n---\n{_PLAIN}'))
    assert facts["title"] == ("Pump manual", "heading")
