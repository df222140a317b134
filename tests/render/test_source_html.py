"""HTML of a source's blocks: every element with offsets contains exactly that part of the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from foundry.records import Block, CorrectedPart, Table, TableCell
from foundry.render.source_html import render_source

KINDS = ("heading", "paragraph", "list_item", "table", "code", "caption", "cue", "contents")


@dataclass
class Leaves(HTMLParser):
    """The texts of elements with offsets, and the tags of all elements."""

    spans: list[tuple[int, int, str]] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag != "hr":
            self.tags.append(tag)
            self._depth += bool(self._depth)
        if "data-start" in found:
            assert not self._depth
            self.spans.append((int(found["data-start"] or 0), int(found["data-end"] or 0), ""))
            self._depth = 1

    def handle_endtag(self, tag: str) -> None:
        self._depth -= bool(self._depth)

    def handle_data(self, data: str) -> None:
        if self._depth:
            start, end, text = self.spans[-1]
            self.spans[-1] = (start, end, text + data)


def read_leaves(text: str, blocks: list[Block], kind: str = "txt") -> Leaves:
    leaves = Leaves()
    leaves.feed(render_source(text, blocks, kind))
    return leaves


TEXTS = st.text(st.sampled_from("ab12 \n|*_`[]()#<>&\"'-\\\r\0é😀"), min_size=1, max_size=120)


@given(TEXTS, st.sampled_from(KINDS), st.sampled_from(["md", "txt", "eml", "xlsx", "vtt"]))
def test_every_element_has_exactly_the_words_of_its_offsets(
    text: str, block_kind: str, kind: str
) -> None:
    block = Block(block_kind, 0, len(text), page=1, time_start=2.0, speaker="<An>")  # type: ignore[arg-type]
    leaves = read_leaves(text, [block], kind)
    for start, end, shown in leaves.spans:
        assert shown == text[start:end].replace("\0", "\ufffd")
    covered = {place for start, end, _ in leaves.spans for place in range(start, end)}
    rest = {char for place, char in enumerate(text) if place not in covered}
    assert rest <= set(" \n\r|-:")


def test_markup_in_a_source_is_text() -> None:
    text = "<img src=x onerror=alert(1)> & <script>alert(2)</script>"
    leaves = read_leaves(text, [Block("paragraph", 0, len(text))])
    assert leaves.tags == ["p"]
    assert leaves.spans == [(0, len(text), text)]


def test_a_table_has_header_cells_for_columns_and_rows() -> None:
    text = "Part | Pressure\nPump | 5 bar"
    cell = TableCell(("Pump",), ("Pressure",), "5 bar", 23, 28)
    table = Table(cells=(cell,), header=("Part | Pressure",))
    html = render_source(text, [Block("table", 0, len(text), table=table)], "xlsx")
    assert '<th scope="col" data-start="7" data-end="15">Pressure</th>' in html
    assert '<th scope="row" data-start="16" data-end="20">Pump</th>' in html
    assert '<td data-start="23" data-end="28">5 bar</td>' in html


def test_a_table_that_goes_on_repeats_its_header_without_offsets() -> None:
    table = Table(header=("Part | Pressure",), continued=True)
    html = render_source("Pump | 5 bar", [Block("table", 0, 12, table=table)], "xlsx")
    assert '<th scope="col" class="repeated">Pressure</th>' in html


def test_a_value_whose_labels_are_in_doubt_says_so_outside_its_words() -> None:
    cell = TableCell(("Pump",), ("Pressure",), "5 bar", 7, 12, certain=False)
    html = render_source("Pump | 5 bar", [Block("table", 0, 12, table=Table(cells=(cell,)))], "pdf")
    said = "The row or column of this value is doubtful."
    assert f'<td title="{said}" class="doubt" data-start="7" data-end="12">5 bar</td>' in html


def test_a_value_of_two_columns_is_one_cell() -> None:
    cells = tuple(TableCell(("Pump",), (name,), "5 bar", 7, 12) for name in ("Hot", "Cold"))
    html = render_source("Pump | 5 bar", [Block("table", 0, 12, table=Table(cells=cells))], "pdf")
    assert '<td colspan="2" data-start="7" data-end="12">5 bar</td>' in html


def test_an_empty_first_cell_keeps_the_others_in_their_columns() -> None:
    html = render_source(" | 2025 | 2026", [Block("table", 0, 14)], "pdf")
    assert html.count("<td></td>") == 1
    assert '<td data-start="3" data-end="7">2025</td>' in html


def test_a_cue_shows_its_time_and_speaker() -> None:
    block = Block("cue", 0, 5, time_start=72.5, speaker="Iris")
    html = render_source("Good.", [block], "vtt")
    assert '<time data-time="72.5">01:12</time> <b>Iris</b>' in html


def test_the_header_of_a_mail_is_a_list_of_names_and_values() -> None:
    text = "Subject: Offer\nFrom: An <an@example.be>"
    leaves = read_leaves(text, [Block("paragraph", 0, len(text))], "eml")
    assert [shown for _, _, shown in leaves.spans] == [
        "Subject:",
        "Offer",
        "From:",
        "An <an@example.be>",
    ]


def test_a_new_page_is_marked_with_its_label() -> None:
    blocks = [Block("paragraph", 0, 2, page=3), Block("paragraph", 3, 5, page=4, page_label="iv")]
    html = render_source("one two", blocks, "pdf")
    assert html.count("<hr") == 2
    assert '<hr data-page="4" data-label="iv">' in html


def test_corrected_words_show_what_was_read() -> None:
    part = CorrectedPart("cor_1", "words", 4, 9, "l6 mm", "16 mm", "Print.")
    block = Block("paragraph", 0, 10, corrections=(part,))
    shown = render_source("It: 16 mm.", [block], "png")
    assert 'It: <ins title="corrected: “16 mm”, read as “l6 mm”">16 mm</ins>.</p>' in shown
