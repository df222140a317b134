"""Sections of an agent by the built-in writer: chosen by meaning, heading by heading."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from foundry.craft.quoting import SectionRequest, compose_sections
from foundry.records import Evidence
from tests.craft.samples import make_evidence

NOTES = make_evidence(
    "# 1 Complaints\n"
    "Seven units came back. The stock must be replaced.\n"
    "# 2 Line test\n"
    "The line passed at 250 m. Decision: specify 250 m.",
    "S1",
    title="Notes",
)
DUTCH = make_evidence(
    "# 3 Klachten\nZeven exemplaren kwamen terug.", "S2", source="notities.md", language="nl"
)
Scores = dict[str, float]


def read(scores: Scores) -> Callable[[Sequence[str]], list[float]]:
    """How near each text is: the score of the first words that it contains."""
    return lambda texts: [
        next((score for words, score in scores.items() if words in text), 0.0) for text in texts
    ]


def compose(*asked: Scores, evidence: Sequence[Evidence] = (NOTES,)) -> list[list[str]]:
    requests = [
        SectionRequest(f"Part {n}", (), tuple(evidence), read=read(scores))
        for n, scores in enumerate(asked)
    ]
    return [[one.text for one in section] for section in compose_sections(requests, "en")]


def test_a_heading_that_speaks_of_what_is_asked_comes_whole() -> None:
    (section,) = compose({"Seven units": 0.7, "stock": 0.3})
    assert section == ["Seven units came back.", "The stock must be replaced."]


def test_of_another_heading_comes_what_is_near_alone() -> None:
    passed = {"Decision": 0.7, "Seven units": 0.5, "line passed": 0.1, "stock": 0.1}
    (section,) = compose(passed, evidence=[NOTES])
    assert "Seven units came back." not in section


def test_what_is_not_near_is_not_shown() -> None:
    assert compose({"Seven units": 0.44, "Decision": 0.3}) == [[]]


def test_a_heading_goes_to_the_section_that_it_is_nearest_to() -> None:
    first, second = compose({"Seven": 0.5, "stock": 0.5}, {"Seven": 0.8, "stock": 0.8})
    assert first == []
    assert second == ["Seven units came back.", "The stock must be replaced."]


def test_another_language_must_be_nearer() -> None:
    assert compose({"Zeven": 0.55}, evidence=[DUTCH]) == [[]]
    assert compose({"Zeven": 0.65}, evidence=[DUTCH]) == [["Zeven exemplaren kwamen terug."]]


def test_a_heading_comes_from_the_latest_revision() -> None:
    old = make_evidence("# 1 Load\nThe line carries 300 m.", "S1", source="a.md")
    new = make_evidence("# 2 Load\nThe line carries 250 m.", "S2", source="b.md")
    newer = {old.hit.chunk.source_id: new.hit.chunk.source_id}
    asked = SectionRequest("Load", (), (old, new), read=read({"line": 0.7}), newer=newer)
    ((sentence,),) = compose_sections([asked], "en")
    assert sentence.text == "The line carries 250 m."


def test_what_says_no_more_than_the_ask_is_not_shown() -> None:
    listed = make_evidence("# 1 Delivered\nNumber | Part\n1 | DX-4 unit\n2 | Cable\n", "S1")
    asked = SectionRequest("Part", ("DX-4 unit", "Number"), (listed,), read=read({"DX": 0.7}))
    assert compose_sections([asked], "en") == ((),)
