import pytest

from foundry.readers.front.document_names import find_document_names
from foundry.records import Block, DocumentName


def names(text: str, title: str = "") -> tuple[DocumentName, ...]:
    return find_document_names(text, [Block("paragraph", 0, len(text), page=9)], title)


@pytest.mark.parametrize(
    ("text", "name", "alias"),
    [
        ('Larch Pumps, Inc. (the "Company") sells pumps.', "Larch Pumps, Inc.", "Company"),
        ("Meridian B.V., gevestigd te Utrecht, hierna te noemen: Koper.", "Meridian B.V.", "Koper"),
        ('Agreed with Oak Lines Ltd., hereinafter "Supplier".', "Oak Lines Ltd.", "Supplier"),
        ("De Algemene ouderdomswet (AOW) geldt.", "Algemene ouderdomswet", "AOW"),
        ("The Office of Foreign Trade (OFT) decides.", "Office of Foreign Trade", "OFT"),
        ('The Oak Lines Ltd. Stock Plan (the "Plan") ends.', "Stock Plan", "Plan"),
    ],
)
def test_a_defined_name_keeps_its_alias(text: str, name: str, alias: str) -> None:
    (found,) = names(text)
    assert (found.name, found.place, found.page) == (name, "text", 9)
    assert alias in found.aliases


@pytest.mark.parametrize(
    "text",
    ["It holds water (H2O).", 'They spoke (see "Notes") at length.', "Turn it on (ON) or off."],
)
def test_other_parentheses_define_nothing(text: str) -> None:
    assert names(text) == ()


def test_the_front_names_parties_products_and_type_numbers() -> None:
    text = "Supplier: Oak Lines\nProduct | Cable reel\nLarch Pumps, Inc."
    found = find_document_names(text, [Block("paragraph", 0, len(text))], "Guide to the TS485-H")
    assert [(item.kind, item.name) for item in found] == [
        ("organisation", "Oak Lines"),
        ("product", "Cable reel"),
        ("organisation", "Larch Pumps, Inc."),
        ("identifier", "TS485-H"),
    ]
    assert {item.place for item in found} == {"front"}
    assert found[2].aliases == ("Larch Pumps",)
