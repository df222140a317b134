"""The pictures of evaluation: SVG that a page can hold, with the facts as text in it."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

from foundry.evaluation.phrases import phrases_for
from foundry.evaluation.plots import plot_reliability
from foundry.evaluation.reliability import Bin

BINS = [Bin(0.1, 0.2, 4, 0.15, 0.25), Bin(0.8, 0.9, 1200, 0.85, 0.8)]


def texts(svg: str) -> list[str]:
    return [one.text() for one in LexborHTMLParser(svg).css("svg text")]


def ids(svg: str) -> list[str]:
    return re.findall(r' id="([^"]+)"', svg)


def test_a_reliability_plot_tells_how_many_are_in_each_bin_in_both_languages() -> None:
    assert {"4", "1,200", "0.2"} <= set(texts(plot_reliability(BINS)))
    dutch = plot_reliability(BINS, phrases=phrases_for("nl"))
    assert {"1.200", "0,2", "aandeel dat waar is"} <= set(texts(dutch))


def test_a_plot_names_no_address_and_styles_nothing_around_it() -> None:
    svg = plot_reliability(BINS)
    assert re.findall(r"\w+://[^\"]+", svg) == ["http://www.w3.org/2000/svg"]
    assert "<style" not in svg
    assert "<!" not in svg
    assert "<?xml" not in svg


def test_two_plots_on_one_page_share_no_id() -> None:
    first, second = plot_reliability(BINS, key="a"), plot_reliability(BINS, key="b")
    assert ids(first)
    assert not set(ids(first)) & set(ids(second))
    assert len(set(ids(first))) == len(ids(first))


def test_every_reference_of_a_plot_leads_somewhere() -> None:
    svg = plot_reliability(BINS)
    named = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
    assert named
    assert named <= set(ids(svg))


def test_the_same_figures_give_the_same_bytes() -> None:
    assert plot_reliability(BINS) == plot_reliability(list(BINS))


def test_a_plot_is_described_in_words() -> None:
    page = LexborHTMLParser(plot_reliability(BINS, title="The <gate>"))
    svg = page.css_first("svg")
    named = (svg.attributes["aria-labelledby"] or "").split()
    assert page.css_first(f"#{named[0]}").text() == "The <gate>"
    assert "expected calibration error 0.050" in page.css_first(f"#{named[1]}").text()


def test_a_plot_of_nothing_says_so() -> None:
    assert texts(plot_reliability([])) == ["Nothing to show."]
