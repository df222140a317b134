from foundry.readers.pdf.lines import Row, Segment
from foundry.readers.pdf.listings import PageRows, RunningLines
from foundry.readers.pdf.words import PLAIN, Word

Line = tuple[str, float]


def row(y: float, *cells: str) -> Row:
    """A row whose cells begin at 50, 250, 450."""
    starts = [50 + 200 * number for number in range(len(cells))]
    words = [Word(c, (x, x + 5 * len(c)), y, 10, PLAIN) for c, x in zip(cells, starts, strict=True)]
    return Row([Segment([word]) for word in words])


def left(pages: list[list[Row]], labels: tuple[str | None, ...] = ()) -> list[list[str]]:
    shown = [
        PageRows(number, rows, labels[number - 1] if labels else None)
        for number, rows in enumerate(pages, 1)
    ]
    RunningLines().remove(shown, range(1, len(pages) + 1))
    return [[row.text for row in page.rows] for page in shown]


def body(number: int) -> list[Row]:
    return [row(300 + 12 * line, f"Body {'abcdefgh'[number]}{line}") for line in range(4)]


def test_a_line_on_three_pages_is_removed_and_one_on_two_pages_stays() -> None:
    pages = [[row(30, "The manual"), *body(n)] for n in range(3)]
    assert all(len(rows) == 4 for rows in left(pages))
    assert all(len(rows) == 5 for rows in left([[row(30, "The manual"), *body(n)] for n in (0, 1)]))


def test_a_paragraph_that_starts_alike_on_every_page_stays_whole() -> None:
    lines = ("This form is", "filled in by", "the installer", "at once")
    pages = [[*(row(60 + 12 * i, t) for i, t in enumerate(lines)), *body(n)] for n in range(3)]
    assert all(rows[0] == "This form is" for rows in left(pages))


def test_the_header_of_a_table_on_every_page_stays_with_its_rows() -> None:
    pages = [
        [row(30, "Part", "Volt"), *(row(52 + 22 * i, f"{n}{i} x", f"{n}{i} V") for i in range(6))]
        for n in range(3)
    ]
    assert all(rows[0] == "Part Volt" for rows in left(pages))


def test_a_title_beside_a_running_name_stays() -> None:
    pages = [[row(30, "Brandname", f"Title {'xyz'[n]}"), *body(n)] for n in range(3)]
    assert [rows[0] for rows in left(pages)] == ["Title x", "Title y", "Title z"]


def test_a_title_between_running_lines_protects_the_lines_below_it() -> None:
    pages = [[row(30, f"Part {'xyz'[n]}"), row(60, "Same"), *body(n)] for n in range(3)]
    assert all(rows[1] == "Same" for rows in left(pages))


def test_page_numbers_match_by_label_and_by_offset() -> None:
    for shown, labels in ((("i", "ii", "1"), ("i", "ii", "1")), (("11", "12", "13"), ())):
        pages = [[*body(n), row(780, shown[n])] for n in range(3)]
        assert all(len(rows) == 4 for rows in left(pages, labels))


def test_a_page_number_is_found_where_the_text_ends() -> None:
    pages = [[*body(n), row(500 + 40 * n, str(n + 7))] for n in range(3)]
    assert all(len(rows) == 4 for rows in left(pages))


def test_a_worded_page_number_is_removed_from_two_pages() -> None:
    pages = [[row(30, "The manual"), *body(n), row(780, f"Page {n + 1} of 2")] for n in (0, 1)]
    assert all(rows[0] == "The manual" and len(rows) == 5 for rows in left(pages))


def test_left_and_right_pages_may_differ() -> None:
    pages = [[row(30, f"{('Left', 'Right')[n % 2]} header"), *body(n)] for n in range(6)]
    assert all(len(rows) == 4 for rows in left(pages))


def test_a_page_of_running_lines_only_keeps_them() -> None:
    pages = [[row(30, "The manual")], *([row(30, "The manual"), *body(n)] for n in range(3))]
    assert left(pages)[0] == ["The manual"]
