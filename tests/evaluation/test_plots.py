"""The plots of evaluation: SVG that fits into a page, with its facts as text."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from selectolax.lexbor import LexborHTMLParser

from foundry.evaluation.metrics.statistics import Bin
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.plots import (
    PlottedChange,
    plot_differences,
    plot_gate_scores,
    plot_recall_curves,
    plot_reliability,
)

FOUND = {"recall@1": 0.5, "recall@10": 0.875, "ndcg@1": 0.5, "ndcg@10": None}
EVERY = {
    "reliability": lambda **more: plot_reliability(BINS, **more),
    "recall": lambda **more: plot_recall_curves({"first": FOUND, "second": FOUND}, **more),
    "gate": lambda **more: plot_gate_scores([0.8, 0.9], [0.1], [0.5], threshold=0.2, **more),
    "differences": lambda **more: plot_differences(
        [PlottedChange("f1", "second", 0.1, 0.05, 0.15), PlottedChange("mrr", "second", 0.0)],
        **more,
    ),
}
every_plot = pytest.mark.parametrize("plot", EVERY.values(), ids=EVERY)
BINS = [Bin(0.1, 0.2, 4, 0.15, 0.25), Bin(0.8, 0.9, 1200, 0.85, 0.8)]


def texts(svg: str) -> list[str]:
    return [one.text() for one in LexborHTMLParser(svg).css("svg text")]


def ids(svg: str) -> list[str]:
    return re.findall(r' id="([^"]+)"', svg)


def test_a_reliability_plot_shows_how_many_are_in_each_bin_in_both_languages() -> None:
    assert {"4", "1,200", "0.2"} <= set(texts(plot_reliability(BINS)))
    dutch = plot_reliability(BINS, phrases=Phrases("nl"))
    assert {"1.200", "0,2", "aandeel dat waar is"} <= set(texts(dutch))


@every_plot
def test_a_plot_names_no_address_and_styles_nothing_around_it(plot: Callable[..., str]) -> None:
    svg = plot()
    assert re.findall(r"\w+://[^\"]+", svg) == ["http://www.w3.org/2000/svg"]
    assert "<style" not in svg
    assert "<!" not in svg
    assert "<?xml" not in svg


@pytest.mark.parametrize("plot", [EVERY["reliability"], EVERY["gate"]], ids=["reliability", "gate"])
def test_two_plots_on_one_page_share_no_id(plot: Callable[..., str]) -> None:
    first, second = plot(key="a"), plot(key="b")
    assert ids(first)
    assert not set(ids(first)) & set(ids(second))
    assert len(set(ids(first))) == len(ids(first))


@every_plot
def test_every_reference_of_a_plot_leads_somewhere(plot: Callable[..., str]) -> None:
    svg = plot()
    named = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
    assert named
    assert named <= set(ids(svg))


@every_plot
def test_the_same_figures_give_the_same_bytes(plot: Callable[..., str]) -> None:
    assert plot() == plot()


@every_plot
def test_every_plot_speaks_dutch(plot: Callable[..., str]) -> None:
    assert texts(plot(phrases=Phrases("nl"))) != texts(plot())


def test_a_plot_is_described_in_words() -> None:
    page = LexborHTMLParser(plot_reliability(BINS, title="The <gate>"))
    svg = page.css_first("svg")
    named = (svg.attributes["aria-labelledby"] or "").split()
    assert page.css_first(f"#{named[0]}").text() == "The <gate>"
    assert "expected calibration error 0.050" in page.css_first(f"#{named[1]}").text()


def test_a_plot_of_a_score_that_decided_nothing_says_so() -> None:
    assert texts(plot_reliability([])) == ["Nothing to show."]


@pytest.mark.parametrize("name", ["_hidden", "$x_1$", "<b>&amp;", "بحث", "a\x00\u202eb\ud800", " "])
def test_a_name_is_shown_as_it_is_whatever_it_contains(name: str) -> None:
    shown = {"a\x00\u202eb\ud800": "ab", " ": "–"}.get(name, name)
    assert shown in texts(plot_recall_curves({name: FOUND}))


def test_the_threshold_of_the_gate_and_the_size_of_each_kind_are_written_out() -> None:
    shown = texts(plot_gate_scores([0.8, 0.9], [0.1], threshold=0.25))
    assert {"answerable (n = 2)", "unanswerable (n = 1)", "gate closes below 0.25"} <= set(shown)
    assert not any(one.startswith("not labelled") for one in shown)


def test_an_undefined_figure_has_no_point() -> None:
    both = plot_recall_curves({"a": {"recall@1": 0.5, "recall@10": 0.9}})
    assert plot_recall_curves({"a": {"recall@1": 0.5, "recall@10": None}}).count(
        "<use"
    ) < both.count("<use")
