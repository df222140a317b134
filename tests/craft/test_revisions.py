"""What a revision changed: sentences, items, rows and cells."""

from foundry.craft.revisions import QuoteTracer, compare_revisions
from foundry.records import RevisedCell
from foundry.text.passages import find_passages
from tests.craft.samples import make_evidence

TABLE = "Parameter | Min | Max\nSupply voltage | 3 V | 5 V\nOutput current | 10 mA | 20 mA"


def compare(old: str, new: str) -> list[tuple[str, str, str]]:
    """Kind, old and new words of each change."""
    ours, theirs = (find_passages(make_evidence(text).hit.chunk) for text in (old, new))
    return [
        (change.kind, change.old.text if change.old else "", change.new.text if change.new else "")
        for change in compare_revisions(ours, theirs)[0]
    ]


def test_the_same_words_change_nothing() -> None:
    assert compare("One thing. Another  thing.", "One thing.\nAnother thing.") == []


def test_a_sentence_with_another_value_is_one_that_changed() -> None:
    old = "The fuse is of 2 A. The lid is open when it runs."
    assert compare(old, old.replace("2 A", "3 A")) == [
        ("changed", "The fuse is of 2 A.", "The fuse is of 3 A.")
    ]


def test_a_unit_in_other_case_is_a_change() -> None:
    assert len(compare("It takes 5 mW at rest.", "It takes 5 MW at rest.")) == 1


def test_what_is_new_is_added_and_what_is_gone_removed() -> None:
    old, new = "First point here. Clean the lens weekly.", "First point here. Call us for help."
    assert compare(old, new) == [
        ("removed", "Clean the lens weekly.", ""),
        ("added", "", "Call us for help."),
    ]


def test_a_sentence_in_another_place_is_no_change() -> None:
    one, two, three = "It is red and big.", "The lid opens upwards.", "Clean it with water."
    assert compare(f"{one} {two} {three}", f"{three} {one} {two}") == []


def test_a_row_that_changed_names_its_cells() -> None:
    ours, theirs = (
        find_passages(make_evidence(text).hit.chunk)
        for text in (TABLE, TABLE.replace("5 V", "6 V"))
    )
    (change,), same = compare_revisions(ours, theirs)
    assert same == 1
    assert change.kind == "changed"
    assert change.cells == (RevisedCell("Max", "5 V", "6 V"),)


def test_a_removed_row_leaves_the_others_as_they_are() -> None:
    rows = TABLE.split("\n")
    assert [kind for kind, *_ in compare(TABLE, "\n".join([rows[0], rows[2]]))] == ["removed"]


def test_a_renamed_heading_is_a_heading_that_changed() -> None:
    assert compare("# 2 Safety of the lid\nText.", "# 3 Safety of the lid\nText.") == [
        ("changed", "2 Safety of the lid", "3 Safety of the lid")
    ]


def trace(quote: str, text: str) -> tuple[str, str]:
    chunk = make_evidence(text).hit.chunk
    found = QuoteTracer(chunk.text, find_passages(chunk)).trace(quote)
    return found.kind, found.now.text if found.now else ""


def test_a_quote_whose_words_still_stand_is_kept() -> None:
    assert trace("The fuse is of  2 A.", "New lead. The fuse is of 2 A.") == ("kept", "")


def test_a_quote_whose_value_is_another_shows_what_stands_there_now() -> None:
    assert trace("The fuse is of 2 A.", "The fuse is of 3 A.") == ("changed", "The fuse is of 3 A.")


def test_a_value_within_another_is_not_kept() -> None:
    for text in ("It is 5 Vac.", "It is 1.5 V.", "It is -5 V.", "It is 0,5 V"):
        assert trace("5 V", text)[0] != "kept"
    assert trace("5 V", "It is (5 V).")[0] == "kept"


def test_hidden_characters_of_a_source_change_no_quote() -> None:
    assert trace("The fuse is of 2 A.", "The fu\u00adse is\u200b of 2 A.") == ("kept", "")


def test_a_quote_that_nothing_is_like_is_lost() -> None:
    assert trace("The fuse is of 2 A.", "Clean the lens once a week.") == ("lost", "")
