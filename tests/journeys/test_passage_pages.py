"""Places on pages and pictures of pages, through parser processes, of the files of a project."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from fpdf import FPDF

from foundry.errors import ReadError
from foundry.journeys.ingest import ingest
from foundry.journeys.passages.correction_requests import CorrectionRequest
from foundry.journeys.passages.corrections import add_correction
from foundry.journeys.passages.pages import (
    ORIGINALS,
    PICTURES,
    PictureCache,
    choose_region,
    find_places,
    list_page_sizes,
    open_original,
    open_page_desk,
    order_lines,
    read_lines,
    render_page,
    render_region,
)
from foundry.messages import Message
from foundry.readers.pages.requests import PageDesk, PageRequest
from foundry.records import Box, PageLine, PagePicture, PageSize, Placement, Source
from foundry.workspace import Workspace, open_workspace

SENTENCE = "The pump stops at a pressure of 5 bar."


def build_pdf(*pages: str) -> bytes:
    pdf = FPDF()
    pdf.set_font("helvetica", size=12)
    for text in pages:
        pdf.add_page()
        pdf.multi_cell(150, 8, text)
    return bytes(pdf.output())


def build_mail(pdf: bytes) -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"] = "Offer", "an@example.be"
    mail.set_content("The manual is attached.")
    mail.add_attachment(pdf, maintype="application", subtype="pdf", filename="manual.pdf")
    return bytes(mail)


@pytest.fixture(scope="module")
def paged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("paged")
    (root / "sources").mkdir()
    (root / "foundry.yaml").write_text("project: {id: prj_test}\n", encoding="utf-8")
    (root / "sources/pump.pdf").write_bytes(build_pdf("An introduction to the pump.", SENTENCE))
    (root / "sources/offer.eml").write_bytes(build_mail(build_pdf(SENTENCE)))
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
    return root


@pytest.fixture(scope="module")
def desk(paged: Path) -> Iterator[PageDesk]:
    with (
        open_workspace(paged, environment={}, cwd=paged) as workspace,
        open_page_desk(workspace, 1) as opened,
    ):
        yield opened


@pytest.fixture
def workspace(paged: Path, tmp_path: Path) -> Iterator[Workspace]:
    root = shutil.copytree(paged, tmp_path / "project")
    with open_workspace(root, environment={}, cwd=root) as opened:
        yield opened


def get(workspace: Workspace, path: str) -> Source:
    source = workspace.store.find_source(path)
    assert source
    return source


def find(workspace: Workspace, desk: PageDesk, path: str, quote: str) -> Placement:
    source = get(workspace, path)
    start = workspace.store.source_text(source.id).index(quote)
    return find_places(workspace, desk, source, (start, start + len(quote)))


def test_a_quote_is_placed_on_its_page(workspace: Workspace, desk: PageDesk) -> None:
    placement = find(workspace, desk, "sources/pump.pdf", "a pressure of 5 bar")
    (marked,) = placement.pages
    assert (marked.page.number, len(marked.boxes), placement.reason) == (2, 1, None)
    (share,) = marked.list_shares(marked.boxes)
    assert 0 < share.x0 < share.x1 < 1
    assert 0 < share.y0 < share.y1 < 0.2


def test_a_corrected_word_is_placed_where_it_is_printed(
    workspace: Workspace, desk: PageDesk
) -> None:
    before = find(workspace, desk, "sources/pump.pdf", "a pressure of 5 bar")
    wanted = CorrectionRequest("pressure of 5", read="pressure of ninety", reason="Print.")
    add_correction(workspace, "sources/pump.pdf", wanted, "Ann")
    assert find(workspace, desk, "sources/pump.pdf", "a pressure of ninety bar") == before


def test_a_file_that_changed_is_a_reason_and_no_place(workspace: Workspace, desk: PageDesk) -> None:
    (workspace.root / "sources/pump.pdf").write_bytes(build_pdf("Another text.", SENTENCE))
    placement = find(workspace, desk, "sources/pump.pdf", "5 bar")
    assert placement.pages == ()
    assert placement.reason
    assert placement.reason.code == "page-file-changed"


def test_a_file_that_is_gone_is_a_reason(workspace: Workspace, desk: PageDesk) -> None:
    (workspace.root / "sources/pump.pdf").unlink()
    picture = render_page(workspace, desk, get(workspace, "sources/pump.pdf"), 1)
    assert isinstance(picture, Message)
    assert picture.code == "page-file-missing"


def test_the_original_is_only_given_as_it_was_read(workspace: Workspace) -> None:
    source = get(workspace, "sources/pump.pdf")
    path = workspace.root / source.path
    assert open_original(workspace, source) == path
    path.write_bytes(path.read_bytes() + b"\n")
    changed = open_original(workspace, source)
    assert isinstance(changed, Message)
    assert changed.code == "page-file-changed"


def test_a_format_without_pages_says_so(workspace: Workspace, desk: PageDesk) -> None:
    placement = find(workspace, desk, "sources/offer.eml", "The manual is attached")
    assert placement.reason
    assert placement.reason.code == "page-none"


def test_a_pdf_attached_to_a_mail_is_unpacked_once(workspace: Workspace, desk: PageDesk) -> None:
    for _ in range(2):
        placement = find(workspace, desk, "sources/offer.eml/manual.pdf", "5 bar")
        assert [len(page.boxes) for page in placement.pages] == [1]
    assert len(list((workspace.root / ORIGINALS).iterdir())) == 1


def test_a_picture_is_kept_for_the_content_that_it_shows(
    workspace: Workspace, desk: PageDesk
) -> None:
    source = get(workspace, "sources/pump.pdf")
    first = render_page(workspace, desk, source, 2, 1.0)
    (workspace.root / source.path).unlink()
    assert isinstance(first, PagePicture)
    assert first.data[8:15] == b"WEBPVP8"
    assert render_page(workspace, desk, source, 2, 1.1) == first


def test_a_region_shows_the_words_and_what_is_around_them(
    workspace: Workspace, desk: PageDesk
) -> None:
    (marked,) = find(workspace, desk, "sources/pump.pdf", "5 bar").pages
    picture = render_region(workspace, desk, get(workspace, "sources/pump.pdf"), marked)
    assert isinstance(picture, PagePicture)
    (box,) = marked.boxes
    assert picture.region.x0 < box.x0 < box.x1 < picture.region.x1
    assert picture.region.y0 < box.y0 < box.y1 < picture.region.y1 < marked.page.height / 2


@pytest.mark.parametrize(
    ("words", "region"),
    [((60, 260), (24.7, 381.7)), ((400, 570), (237.4, 594.4)), ((0, 595), (0, 595))],
)
def test_a_region_goes_on_where_the_page_does(
    words: tuple[int, int], region: tuple[float, float]
) -> None:
    left, right = words
    chosen = choose_region((Box(left, 100, right, 112),), PageSize(1, 595, 842))
    assert (chosen.x0, chosen.x1) == region


def test_a_page_that_is_not_there_is_a_reason(workspace: Workspace, desk: PageDesk) -> None:
    picture = render_page(workspace, desk, get(workspace, "sources/pump.pdf"), 3)
    assert isinstance(picture, Message)
    assert picture.code == "page-unknown"


def test_the_sizes_of_pages_are_listed(workspace: Workspace, desk: PageDesk) -> None:
    sizes = list_page_sizes(workspace, desk, get(workspace, "sources/pump.pdf"))
    assert isinstance(sizes, tuple)
    assert [(page.number, round(page.width)) for page in sizes] == [(1, 595), (2, 595)]


def test_a_page_that_takes_too_long_ends_only_its_process(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_text("hang")
    with PageDesk(1, 1000, 0.2, answer="tests.readers.hostile_readers:read") as desk:
        with pytest.raises(ReadError) as caught:
            desk.ask(path, PageRequest("page.txt"))
        path.write_text("well")
        assert desk.ask(path, PageRequest("page.txt"))[1]
    assert caught.value.problem.code == "readers-timeout"


def test_the_pictures_not_used_for_longest_are_removed(tmp_path: Path) -> None:
    page = PageSize(1, 100, 100)
    picture = PagePicture(b"x" * 1000, 10, 10, page, Box(0, 0, 100, 100))
    cache = PictureCache(tmp_path, max_bytes=5000)
    for number in range(10):
        cache.save(str(number), picture)
    assert cache.find("0") is None
    assert cache.find("9") == picture
    assert sum(file.stat().st_size for file in (tmp_path / PICTURES).iterdir()) <= 5000


def test_the_words_of_a_page_are_read_line_by_line(workspace: Workspace, desk: PageDesk) -> None:
    pages = read_lines(workspace, desk, get(workspace, "sources/pump.pdf"), 2, 2)
    assert not isinstance(pages, Message)
    assert " ".join(line.text for line in pages[0].lines) == SENTENCE


def test_the_words_of_two_columns_are_in_reading_order() -> None:
    left, right = Box(50, 100, 250, 200), Box(300, 100, 500, 200)
    lines = [PageLine(str(x), Box(x, 110, x + 50, 120)) for x in (310, 60)]
    heading = PageLine("between", Box(260, 110, 290, 120))
    ordered = order_lines([*lines, heading], [left, right])
    assert [line.text for line in ordered] == ["60", "between", "310"]
