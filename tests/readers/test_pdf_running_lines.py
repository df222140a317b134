from foundry.readers.pdf.layout import PageLayout, RawBlock
from foundry.readers.pdf.running_lines import remove_running_lines
from foundry.readers.pdf.tables import PrintedLine
from foundry.records import BlockKind, Box

Line = tuple[str, float]


def page(number: int, *blocks: tuple[BlockKind, tuple[Line, ...]]) -> PageLayout:
    """A page of 800 points; each block is its kind and its lines by their height."""
    raw, edges = [], []
    for kind, lines in blocks:
        printed = [PrintedLine((text,), Box(50, y, 300, y + 10)) for text, y in lines]
        text = " ".join(text for text, _ in lines)
        raw.append(RawBlock(kind, text, number, Box(50, lines[0][1], 300, lines[-1][1] + 10)))
        edges += [line for line in printed if not 144 < line.box.y0 < 656]
    return PageLayout(number, 800, tuple(raw), tuple(edges))


def left(pages: list[PageLayout], labels: tuple[str | None, ...] = ()) -> list[list[str]]:
    found = remove_running_lines(pages, labels or (None,) * len(pages))
    return [[block.text for block in page.blocks] for page in found]


def body(number: int) -> tuple[BlockKind, tuple[Line, ...]]:
    return "paragraph", ((f"Body of {'abcdefgh'[number]}", 300),)


def test_a_running_line_merged_into_a_paragraph_is_cut_from_it() -> None:
    pages = [
        page(n, ("paragraph", (("The manual", 30), (f"Words {'abc'[n - 1]}", 60))))
        for n in (1, 2, 3)
    ]
    assert left(pages) == [["Words a"], ["Words b"], ["Words c"]]


def test_a_paragraph_that_starts_alike_on_every_page_stays_whole() -> None:
    lines = (("This form is", 60), ("filled in by", 72), ("the installer", 84), ("at once", 96))
    pages = [page(n, ("paragraph", lines), body(n)) for n in (1, 2, 3)]
    assert all(
        blocks[0] == "This form is filled in by the installer at once" for blocks in left(pages)
    )


def test_a_table_is_never_cut() -> None:
    pages = [page(n, ("table", (("Part | Volt", 30),)), body(n)) for n in (1, 2, 3)]
    assert all(blocks[0] == "Part | Volt" for blocks in left(pages))


def test_a_running_line_mistaken_for_a_table_row_is_removed_too() -> None:
    kinds: tuple[BlockKind, ...] = ("paragraph", "paragraph", "table")
    pages = [page(n, (kinds[n - 1], (("Name | Data sheet", 30),)), body(n)) for n in (1, 2, 3)]
    assert [len(blocks) for blocks in left(pages)] == [1, 1, 1]


def test_a_header_in_two_blocks_is_removed_but_a_title_beside_it_stays() -> None:
    def headed(number: int) -> PageLayout:
        line = PrintedLine(("Brandname", f"Title {'xyz'[number]}"), Box(50, 30, 500, 40))
        parts = [
            RawBlock("paragraph", words, number + 1, Box(x, 30, x + 60, 40))
            for x, words in zip((50, 440), line.cells, strict=True)
        ]
        text = RawBlock("paragraph", "Body", number + 1, Box(50, 300, 300, 310))
        return PageLayout(number + 1, 800, (*parts, text), (line,))

    assert left([headed(n) for n in range(3)]) == [[f"Title {one}", "Body"] for one in "xyz"]


def test_a_title_between_running_lines_protects_the_lines_below_it() -> None:
    pages = [
        page(
            n,
            ("paragraph", ((f"Part {'xyz'[n - 1]}", 30),)),
            ("paragraph", (("Same", 60),)),
            body(n),
        )
        for n in (1, 2, 3)
    ]
    assert all(blocks[1] == "Same" for blocks in left(pages))


def test_page_numbers_match_by_label_and_by_offset() -> None:
    numbers = {"labels": ("i", "ii", "1"), "offset": ("11", "12", "13")}
    for name, shown in numbers.items():
        pages = [page(n, body(n), ("paragraph", ((shown[n - 1], 780),))) for n in (1, 2, 3)]
        labels = shown if name == "labels" else (None,) * 3
        assert [len(blocks) for blocks in left(pages, labels)] == [1, 1, 1]


def test_a_line_on_two_pages_is_running_only_with_a_worded_page_number() -> None:
    pages = [
        page(
            n,
            ("paragraph", (("The manual", 30),)),
            body(n),
            ("paragraph", ((f"Page {n} of 2", 780),)),
        )
        for n in (1, 2)
    ]
    assert [len(blocks) for blocks in left(pages)] == [2, 2]


def test_left_and_right_pages_may_differ() -> None:
    names = ("Left", "Right")
    pages = [
        page(n, ("paragraph", ((f"{names[n % 2]} header", 30),)), body(n)) for n in range(1, 7)
    ]
    assert all(len(blocks) == 1 for blocks in left(pages))
