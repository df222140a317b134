"""Documents without a model: whole parts of sources, the nearest for each thing asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from foundry.analysis import analyse, analyse_query
from foundry.craft.conflicts.resolution import order_sources
from foundry.craft.outline import AskedItem
from foundry.craft.quotations import MAX_ROWS, Quotation, Quoter, find_continuations
from foundry.records import Evidence, Excerpt, Question, Quote, SectionForm
from tests.craft.samples import make_evidence

MANUAL = make_evidence(
    "# 1 Supply\n"
    "The voltage of the supply is low. A fuse protects the input.\n"
    "# 2 Connections\n"
    "The controller has the following connectors:\n"
    "- two XLR-5 outputs\n"
    "- one USB port\n"
    "# 3 Ratings\n"
    "Parameter | Min | Max | Unit\n"
    "Ambient temperature | -20 | 60 | °C\n"
    "Relative humidity | 10 | 90 | %",
    "S1",
    title="Lumo manual",
)


def read_words(asked: str, passages: Sequence[Sequence[str]]) -> list[float]:
    """The share of the words asked that a passage has: a model as simple as can be."""
    words = set(analyse(asked, "en"))
    texts = (set(analyse(" ".join(parts), "en")) for parts in passages)
    return [len(words & text) / max(len(words), 1) for text in texts]


def ask(said: str, *evidence: Evidence) -> AskedItem:
    words = tuple(analyse_query(said, ("en",)))
    question = Question(said, "en", words, chunks=10, languages=frozenset({"en"}))
    return AskedItem(said, (said,), (words,), question, tuple(item.hit for item in evidence))


def quote(
    *said: str,
    evidence: Sequence[Evidence] = (MANUAL,),
    hierarchy: Sequence[str] = (),
    most: int = 12,
    form: SectionForm | None = None,
) -> tuple[Excerpt, ...]:
    order = order_sources("", [item.hit.source for item in evidence], hierarchy)
    asked = [ask(one, *evidence) for one in said]
    return Quoter(read_words, order, "").quote("", asked, evidence, most, form=form).excerpts


def split_in_two(text: str, at: str) -> tuple[Evidence, Evidence]:
    """The evidence of a source in two chunks, of which the second begins with ``at``."""
    whole = make_evidence(text, "S1")
    chunk, place = whole.hit.chunk, text.index(at)
    blocks = chunk.blocks
    halves = (
        replace(
            chunk,
            id=f"chk_{number}",
            position=number,
            start=start,
            end=end,
            text=text[start:end],
            blocks=tuple(block for block in blocks if start <= block.start < end),
        )
        for number, (start, end) in enumerate(((0, place), (place, len(text))))
    )
    first, second = (replace(whole.hit, chunk=half) for half in halves)
    return replace(whole, hit=first), Evidence("S2", second)


def list_texts(excerpts: Sequence[Excerpt]) -> list[list[str]]:
    return [[line.text for line in excerpt.lines] for excerpt in excerpts]


def test_what_is_below_a_heading_is_quoted_whole() -> None:
    assert list_texts(quote("supply voltage")) == [
        ["The voltage of the supply is low.", "A fuse protects the input."]
    ]


def test_a_list_keeps_the_sentence_that_opens_it_once() -> None:
    (lines,) = list_texts(quote("connectors"))
    assert lines == [
        "The controller has the following connectors:",
        "two XLR-5 outputs",
        "one USB port",
    ]


def test_rows_keep_their_labels() -> None:
    (excerpt,) = quote("ambient temperature")
    assert excerpt.headings == ("3 Ratings",)
    assert ("Max", "60") in excerpt.lines[0].cells


def test_passages_of_one_source_stand_in_reading_order() -> None:
    headings = [excerpt.headings for excerpt in quote("ambient temperature", "supply voltage")]
    assert headings == [("1 Supply",), ("3 Ratings",)]


def test_where_nothing_comes_near_nothing_is_quoted() -> None:
    assert quote("swimming lessons") == ()


def test_of_the_same_words_those_of_the_source_first_in_the_hierarchy_are_quoted() -> None:
    text = "# 1 Supply\nThe supply voltage is 5 V."
    copies = [make_evidence(text, f"S{n}", source=path) for n, path in enumerate(("a.md", "b.md"))]
    (excerpt,) = quote("supply voltage", evidence=copies, hierarchy=["b.md"])
    assert excerpt.evidence.hit.source.path == "b.md"


def test_a_superseded_revision_gives_way_to_the_new_one() -> None:
    old, new = (
        make_evidence(
            f"# 1 Supply\nThe supply voltage is {volts} V.", f"S{volts}", source=f"{volts}.md"
        )
        for volts in (5, 9)
    )
    sheets = [
        replace(item, hit=replace(item.hit, source=replace(item.hit.source, title="Lumo sheet", revision=mark)))
        for item, mark in ((old, "Rev. A"), (new, "Rev. B"))
    ]  # fmt: skip
    assert list_texts(quote("supply voltage", evidence=sheets)) == [["The supply voltage is 9 V."]]


def test_of_a_long_table_the_nearest_rows_are_quoted_in_order() -> None:
    rows = "\n".join(f"Part {n} | {n} V" for n in range(30))
    table = make_evidence(f"# 1 Parts\nPart | Voltage\n{rows}", "S1")
    (excerpt,) = quote("voltage of Part 29", evidence=[table])
    starts = [line.quotes[0].start for line in excerpt.lines]
    assert len(starts) <= MAX_ROWS
    assert starts == sorted(starts)
    assert excerpt.lines[-1].text.startswith("Part 29")


def test_what_nothing_names_has_the_nearest_passages_and_says_so() -> None:
    said = make_evidence("# 2 Use\nAll risks of its use are small.", "S1")
    order = order_sources("", [said.hit.source])
    asked = replace(ask("risks of use", said), is_name=True)
    quoter = Quoter(read_words, order, "")
    assert quoter.quote("", [asked], [said], 12) == Quotation((), named=False)
    found = quoter.quote_nearest("", [asked], [said])
    assert (list_texts(found.excerpts), found.named) == (
        [["All risks of its use are small."]],
        False,
    )


def test_what_is_only_near_is_not_shown_in_a_second_section() -> None:
    said = make_evidence("# 2 Use\nAll risks of its use are small.", "S1")
    quoter = Quoter(read_words, order_sources("", [said.hit.source]), "")
    asked = [replace(ask("risks of use", said), is_name=True)]
    assert quoter.quote_nearest("", asked, [said]).excerpts
    assert not quoter.quote_nearest("", asked, [said]).excerpts


def test_a_line_of_an_agent_is_answered_only_below_what_names_it() -> None:
    said = make_evidence("# 2 Use\nAll risks of its use are small.", "S1", source="a.md")
    named = make_evidence("# 7 Risks\nThe hands get very hot.", "S2", source="b.md")
    order = order_sources("", [said.hit.source, named.hit.source])
    asked = replace(ask("risks", said, named), is_name=True)
    found = Quoter(read_words, order, "").quote("", [asked], [said, named], 12).excerpts
    assert list_texts(found) == [["The hands get very hot."]]


def test_what_is_not_about_a_narrow_topic_is_not_quoted() -> None:
    fan, pump = (
        make_evidence(f"# 3 {name}\nThe speed of the {name} is low.", name, source=f"{name}.md")
        for name in ("fan", "pump")
    )
    order = order_sources("", [fan.hit.source, pump.hit.source])
    quoter = Quoter(read_words, order, "pump", narrow=True)
    found = quoter.quote("pump", [ask("speed", fan, pump)], [fan, pump], 12).excerpts
    assert list_texts(found) == [["The speed of the pump is low."]]


def test_a_list_that_two_chunks_share_is_quoted_whole() -> None:
    first, second = split_in_two(
        "# 1 Steps\nReplace the fuse:\n- Open the lid.\n- Pull it.\n- Close.\n", "- Pull"
    )
    assert find_continuations([first.hit.chunk, second.hit.chunk], {first.hit.chunk.id})
    steps = [ask("replace the fuse", first)]
    order = order_sources("", [first.hit.source])
    found = Quoter(read_words, order, "").quote("", steps, [first, second], 12).excerpts
    assert list_texts(found) == [["Replace the fuse:", "Open the lid.", "Pull it.", "Close."]]


def test_the_same_words_of_two_sources_are_quoted_once() -> None:
    text = "# 1 Lid\nThe lid of the lamp closes with a click and stays shut, {}."
    first, second = (
        make_evidence(text.format(end), end, source=f"{end}.md") for end in ("always", "ever")
    )
    assert len(quote("lid of the lamp", evidence=[first, second])) == 1


def test_of_a_long_list_every_item_is_quoted() -> None:
    items = "".join(f"- Part {number} of the lamp\n" for number in range(MAX_ROWS + 3))
    lamp = make_evidence(f"# 1 Parts\nThe lamp has these parts:\n{items}", "S1")
    (lines,) = list_texts(quote("parts of the lamp", evidence=[lamp], most=30))
    assert len(lines) == MAX_ROWS + 4


@pytest.mark.parametrize(("mark", "shown"), [("- ", True), ("", False)])
def test_what_prevails_is_quoted_instead_and_beside_a_step(mark: str, shown: bool) -> None:
    text = "Replace the fuse by one of 1 A."
    old = make_evidence(f"# 5 Fuse\nThe fuse ages fast:\n{mark}{text}", "S1")
    new = make_evidence("# 4 Action\nDealers fit 1.6 A in its place.", "S2", source="b.md")
    start = old.hit.chunk.text.index(text)
    rival = (Quote("S1", text, start, start + 9), Quote("S2", "", 12, 20))
    quoter = Quoter(read_words, order_sources("", [old.hit.source, new.hit.source]), "")
    found = quoter.quote(
        "", [ask("replace the fuse", old, new)], [old, new], 12, rivals=[rival]
    ).excerpts
    lines = [line.text for excerpt in found for line in excerpt.lines]
    assert "Dealers fit 1.6 A in its place." in lines
    assert (text in lines) is shown


def test_no_more_lines_than_asked_for_after_the_first_passage() -> None:
    assert len(quote("supply voltage", "ambient temperature", most=2)) == 1


def test_page_furniture_is_never_quoted() -> None:
    noise = make_evidence("# 1 Supply\nPage 3 of 12\nThe supply voltage is 5 V.", "S1")
    assert list_texts(quote("supply voltage", evidence=[noise])) == [["The supply voltage is 5 V."]]


FORMED = make_evidence(
    "# 1 Fuse\nThe fuse protects the input of the fuse board.\n"
    "# 2 Replacing the fuse\n- Open the cover of the fuse.\n- Replace the fuse.\n"
    "# 3 Fuse types\nPart | Rating\nFuse F1 | 3.15 A\nFuse F2 | 2 A\n"
    "# 4 Fuse terms\nFuse: a wire that melts first.\nFuse board: what holds the fuse.",
    "S1",
)


@pytest.mark.parametrize(
    ("form", "heading"),
    [("steps", "2 Replacing the fuse"), ("table", "3 Fuse types"), ("prose", "1 Fuse")],
)
def test_of_what_is_near_the_form_of_the_section_is_quoted(form: SectionForm, heading: str) -> None:
    assert quote("fuse", evidence=[FORMED], form=form, most=2)[0].headings == (heading,)


def test_a_list_is_of_items_or_of_terms() -> None:
    found = {excerpt.headings for excerpt in quote("fuse", evidence=[FORMED], form="list")}
    assert found <= {("2 Replacing the fuse",), ("4 Fuse terms",)}


def test_where_no_part_has_the_form_the_nearest_is_quoted() -> None:
    assert quote("fuse", evidence=[FORMED], form="figures")


def test_of_figures_only_the_captions_are_quoted() -> None:
    made = make_evidence("# 1 Wiring\nThe wiring is simple.\nFigure 3: Wiring of the board", "S1")
    first, text, last = made.hit.chunk.blocks
    chunk = replace(made.hit.chunk, blocks=(first, text, replace(last, kind="caption")))
    drawn = replace(made, hit=replace(made.hit, chunk=chunk))
    (lines,) = list_texts(quote("wiring", evidence=[drawn], form="figures"))
    assert lines == ["Figure 3: Wiring of the board"]


def test_a_further_sentence_of_a_step_belongs_to_it() -> None:
    said = make_evidence("# 1 Use\n- Open the cover. It is tight.\n- Close the cover.", "S1")
    (excerpt,) = quote("cover", evidence=[said])
    assert [line.continues for line in excerpt.lines] == [False, True, False]


def test_a_document_whose_only_heading_is_its_title_is_named_by_it() -> None:
    said = make_evidence("# Checklist\n- Fill the tank.\n- Close it.", "S1", title="Checklist")
    asked = replace(ask("checklist", said), is_name=True)
    quoter = Quoter(read_words, order_sources("", [said.hit.source]), "")
    assert quoter.quote("", [asked], [said], 12).named
