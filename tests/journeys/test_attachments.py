"""Attachments: sources of their own, under the path of the file that they came in."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from fpdf import FPDF

from foundry.errors import Interrupted
from foundry.journeys.drafts import state
from foundry.journeys.index import IngestOptions
from foundry.journeys.ingest import ingest
from foundry.journeys.search import search
from foundry.journeys.source_files import read_queue
from foundry.journeys.sources import find_parent, get_source, list_attached, parse_filters
from foundry.records import FileReport
from foundry.render.places import shorten_paths
from foundry.workspace import Workspace, open_workspace

PRICES = b"Item,Price\nFilter,12 euro\n"


@pytest.fixture
def mailbox(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "sources").mkdir()
    (tmp_path / "foundry.yaml").write_text("project: {id: prj_test}\n", encoding="utf-8")
    with open_workspace(tmp_path, environment={}, cwd=tmp_path) as workspace:
        yield workspace


def build_mail(*files: tuple[str, bytes]) -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"] = "Offer", "an@example.be"
    mail.set_content("The offer is attached.")
    for name, data in files:
        mail.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return bytes(mail)


def write(workspace: Workspace, name: str, data: bytes) -> Path:
    path = workspace.root / "sources" / name
    path.write_bytes(data)
    return path


def paths(workspace: Workspace) -> list[str]:
    known = (path for one in workspace.store.list_sources() for path in (one.path, *one.copies))
    return sorted(path.removeprefix("sources/") for path in known)


def unread(workspace: Workspace) -> dict[str, str]:
    rows = workspace.store.list_unread()
    return {row.path.removeprefix("sources/"): row.reason.code for row in rows}


def test_an_attachment_is_a_source_under_the_path_of_its_mail(mailbox: Workspace) -> None:
    write(mailbox, "a.eml", build_mail(("prices.csv", PRICES)))
    ingest(mailbox)
    assert paths(mailbox) == ["a.eml", "a.eml/prices.csv"]
    child = get_source(mailbox, "sources/a.eml/prices.csv")
    parent = find_parent(mailbox, child)
    assert parent
    assert list_attached(mailbox, parent) == [child]
    assert child.modified == parent.modified


def test_the_filter_for_a_mail_finds_its_attachments_and_names_both(mailbox: Workspace) -> None:
    write(mailbox, "a.eml", build_mail(("prices.csv", PRICES)))
    write(mailbox, "other.txt", b"A filter is 99 euro.")
    ingest(mailbox)
    filters = parse_filters(mailbox, ["source=sources/a.eml"])
    hits = search(mailbox, "filter euro", filters=filters, mode="bm25").hits
    found = [hit.source.path for hit in hits]
    assert found == ["sources/a.eml/prices.csv"]
    assert shorten_paths(found)[found[0]] == "a.eml/prices.csv"


def test_files_inside_a_pdf_are_read_even_if_its_pages_are_empty(mailbox: Workspace) -> None:
    pdf = FPDF()
    pdf.add_page()
    pdf.embed_file(basename="prices.csv", bytes=PRICES)
    write(mailbox, "a.pdf", bytes(pdf.output()))
    ingest(mailbox)
    assert paths(mailbox) == ["a.pdf", "a.pdf/prices.csv"]


def test_files_pinned_to_a_page_are_read(mailbox: Workspace) -> None:
    pdf = FPDF()
    pdf.set_font("helvetica")
    pdf.add_page()
    pdf.cell(text="See the pin.")
    path = mailbox.root / "prices.csv"
    path.write_bytes(PRICES)
    pdf.file_attachment_annotation(path, 20, 20)
    write(mailbox, "a.pdf", bytes(pdf.output()))
    ingest(mailbox)
    assert paths(mailbox) == ["a.pdf", "a.pdf/prices.csv"]


def test_what_cannot_be_read_is_named_with_its_reason(mailbox: Workspace) -> None:
    files = (("a.zip", b"PK"), ("b.pdf", b"no pdf"), ("c.txt", b""))
    write(mailbox, "a.eml", build_mail(*files))
    report = ingest(mailbox)
    assert paths(mailbox) == ["a.eml"]
    assert unread(mailbox) == {
        "a.eml/a.zip": "readers-type-left-out",
        "a.eml/b.pdf": "ingest-failed",
        "a.eml/c.txt": "ingest-failed",
    }
    assert [notice.code for notice in report.notices] == ["ingest-attachments-left-out"]


def test_an_attachment_that_failed_is_tried_again(mailbox: Workspace) -> None:
    write(mailbox, "a.eml", build_mail(("a.csv", PRICES), ("b.pdf", b"no pdf"), ("c.zip", b"PK")))
    ingest(mailbox)
    again = [(file.path[8:], file.status) for file in ingest(mailbox).files]
    assert again == [
        ("a.eml", "unchanged"),
        ("a.eml/a.csv", "unchanged"),
        ("a.eml/b.pdf", "failed"),
    ]
    assert len(unread(mailbox)) == 2


def test_mails_in_mails_are_read_to_a_depth(mailbox: Workspace) -> None:
    data = build_mail(("prices.csv", PRICES))
    for _ in range(read_queue.MAX_DEPTH):
        data = build_mail(("in.eml", data))
    write(mailbox, "a.eml", data)
    ingest(mailbox)
    assert paths(mailbox)[-1] == "a.eml" + "/in.eml" * read_queue.MAX_DEPTH
    assert list(unread(mailbox).values()) == ["ingest-attachment-deep"]


def test_one_file_has_a_limit_on_all_its_attachments(
    mailbox: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_queue, "MAX_ATTACHMENTS", 2)
    inner = build_mail(("1.csv", PRICES), ("2.csv", PRICES), ("3.csv", PRICES))
    write(mailbox, "a.eml", build_mail(("in.eml", inner)))
    ingest(mailbox)
    assert paths(mailbox) == ["a.eml", "a.eml/in.eml", "a.eml/in.eml/1.csv"]
    assert unread(mailbox) == {"a.eml/in.eml/2.csv": "ingest-attachments-limit"}


def test_attachments_take_the_labels_of_their_mail(mailbox: Workspace) -> None:
    write(mailbox, "a.eml", build_mail(("prices.csv", PRICES)))
    ingest(mailbox, options=IngestOptions(tags=("hr",), confidentiality="secret"))
    write(mailbox, "a.eml", build_mail(("new.csv", PRICES), ("a.zip", b"PK")))
    ingest(mailbox)
    labels = [(item.tags, item.confidentiality) for item in mailbox.store.list_sources()]
    assert labels == [(("hr",), "secret")] * 2
    assert [row.confidentiality for row in mailbox.store.list_unread()] == ["secret"]
    ingest(mailbox, options=IngestOptions(confidentiality="public"))
    assert {item.confidentiality for item in mailbox.store.list_sources()} == {"public"}


def test_what_is_no_longer_attached_is_removed(mailbox: Workspace) -> None:
    write(mailbox, "a.eml", build_mail(("in.eml", build_mail(("old.csv", PRICES)))))
    ingest(mailbox)
    write(mailbox, "a.eml", build_mail(("new.csv", b"Item,Price\nPump,80 euro\n")))
    ingest(mailbox)
    assert paths(mailbox) == ["a.eml", "a.eml/new.csv"]


def test_a_draft_is_stale_when_the_mail_of_its_source_changed(mailbox: Workspace) -> None:
    write(mailbox, "a.eml", build_mail(("prices.csv", PRICES)))
    ingest(mailbox)
    child = get_source(mailbox, "sources/a.eml/prices.csv")
    assert not state._has_changed_on_disk(mailbox, child)
    write(mailbox, "a.eml", build_mail(("prices.csv", PRICES + b"Pump,80 euro\n")))
    assert state._has_changed_on_disk(mailbox, child)


def test_attachments_are_moved_and_pruned_with_their_mail(mailbox: Workspace) -> None:
    path = write(mailbox, "a.eml", build_mail(("prices.csv", PRICES)))
    write(mailbox, "copy.eml", build_mail(("prices.csv", PRICES), ("b.txt", b"Bye.")))
    ingest(mailbox)
    path.rename(path.with_name("b.eml"))
    ingest(mailbox)
    assert paths(mailbox)[:2] == ["b.eml", "b.eml/prices.csv"]
    path.with_name("b.eml").unlink()
    ingest(mailbox, options=IngestOptions(prune=True))
    assert paths(mailbox) == ["copy.eml", "copy.eml/b.txt", "copy.eml/prices.csv"]


def test_an_interrupted_run_reads_the_attachments_next_time(
    mailbox: Workspace,
) -> None:
    write(mailbox, "a.eml", build_mail(("1.csv", PRICES), ("2.csv", PRICES)))

    def stop(file: FileReport) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        ingest(mailbox, on_file=stop)
    assert len(paths(mailbox)) == 1
    ingest(mailbox)
    assert paths(mailbox) == ["a.eml", "a.eml/1.csv", "a.eml/2.csv"]


def test_an_unchanged_mail_is_not_read_again(mailbox: Workspace) -> None:
    write(mailbox, "a.eml", build_mail(("prices.csv", PRICES)))
    ingest(mailbox)
    assert [file.status for file in ingest(mailbox).files] == ["unchanged", "unchanged"]
