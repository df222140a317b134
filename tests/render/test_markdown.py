"""Documents: footnotes by first use, provenance in front, and source words that break nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from foundry.messages import Message
from foundry.records import (
    ExcerptLine,
    GroundingChange,
    Quote,
    ScopeItem,
    Section,
    SectionForm,
    Sentence,
)
from foundry.render.escapes import escape
from foundry.render.markdown import render_markdown
from foundry.text.references import strip_own_marks
from tests.render.samples import cite, cited, draft, evidence, excerpt, row, with_blocks

HOSTILE = [
    "[^1]: fake.pdf §9", "<script>alert(1)</script>", "[x](javascript:alert(1))", "# Heading",
    "1. item", "- item", "> quote", "---", "***", "`code` and ~~gone~~", "![x](y)", "&lt;b&gt;",
    "a | b", "https://evil.example/x www.evil.example me@evil.example", "```\nfence", "x\n\n# y",
    "$x$ ^y^", "\u202eright to left", "\\[^1\\]", "    four", "+ item", "=====",
]  # fmt: skip


def body(text: str) -> str:
    return text.split("\n---\n", 1)[1]


def front(text: str) -> dict[str, object]:
    loaded: dict[str, object] = yaml.safe_load(text.split("\n---\n", 1)[0].removeprefix("---\n"))
    return loaded


def test_a_document() -> None:
    assert body(render_markdown(draft())) == (
        "\n# Power supply\n\n## Supply\n\n"
        "The supply is 5 V.[^1] It must not exceed 6 V.[^1]\n\n"
        "[^1]: sheet.pdf §3.2, p. xiv\n\n"
        "    > The supply is 5 V.\n\n"
        "    > It must not exceed 6 V.\n"
    )


def test_the_front_matter_says_where_it_comes_from() -> None:
    head = front(render_markdown(draft(changes=(GroundingChange("x", "removed", "y"),))))
    wanted = "title topic created foundry generator verdict coverage sources conflicts changes"
    assert set(wanted.split()) <= set(head)
    assert head["generator"] == {"model": "builtin/extractive", "mode": "offline"}
    assert head["coverage"] == {"attribution": 1.0, "shown": 1.0}
    assert head["sources"] == [
        {"path": "docs/sheet.pdf", "title": "Manual", "revision": None, "revision_date": None,
         "sha256": "c0ffee"}
    ]  # fmt: skip
    assert (head["conflicts"], head["changes"]) == ([], {"removed": 1})


def test_footnotes_are_numbered_by_first_use_across_sections() -> None:
    one, two = evidence("S1", "one.pdf"), evidence("S2", "two.pdf")
    sections = (
        Section("A", cite(two, 0), cited((two, cite(two, 0)))),
        Section("B", cite(one, 0) + cite(two, 1), cited((one, cite(one, 0)), (two, cite(two, 1)))),
    )
    lines = render_markdown(draft(*sections)).splitlines()
    notes = [line for line in lines if line.startswith("[^")]
    assert notes == ["[^1]: two.pdf §3.2, p. xiv", "[^2]: one.pdf §3.2, p. xiv"]


def test_a_section_without_number_is_named_and_a_transcript_has_a_time() -> None:
    made = with_blocks(
        evidence(source="call.vtt"), page=None, page_label=None, time_start=754.0,
        heading_path=("Opening",),
    )  # fmt: skip
    sentences = cite(made, 0)
    text = render_markdown(draft(Section("A", sentences, cited((made, sentences)))))
    assert '[^1]: call.vtt "Opening", t=12:34\n' in text


def test_a_place_without_page_or_section_is_just_the_file() -> None:
    made = with_blocks(evidence(source="note.docx"), page=None, page_label=None, heading_path=())
    sentences = cite(made, 0)
    text = render_markdown(draft(Section("A", sentences, cited((made, sentences)))))
    assert "[^1]: note.docx\n" in text


def test_an_empty_section_says_so_and_the_front_matter_why() -> None:
    text = render_markdown(draft(Section("Costs", (), reason="No hits.", verdict="no_evidence")))
    assert "## Costs\n\n*No supporting documentation found in indexed sources.*\n" in text
    assert front(text)["sections"] == [
        {
            "title": "Costs",
            "verdict": "no_evidence",
            "coverage": None,
            "completeness": None,
            "reason": "No hits.",
        }
    ]


def test_a_section_named_like_the_topic_has_no_second_heading() -> None:
    made = evidence()
    text = render_markdown(
        draft(Section("Power supply", cite(made, 0), cited((made, cite(made, 0)))))
    )
    assert "## " not in text


def test_rows_and_notes_without_a_full_stop_become_a_list() -> None:
    made = evidence()
    first, second, third = cite(made, 0, 1, 2)
    rows = (first, replace(second, text="Min: 3 V"), replace(third, text="Max: 5 V"))
    text = body(render_markdown(draft(Section("A", rows, cited((made, rows))))))
    assert "The supply is 5 V.[^1]\n\n- Min: 3 V[^1]\n- Max: 5 V[^1]\n" in text


def test_a_sentence_that_ends_in_a_quotation_gets_no_second_full_stop() -> None:
    made = evidence()
    (first,) = cite(made, 0)
    said = (replace(first, text="It says “go.”"),)
    text = body(render_markdown(draft(Section("A", said, cited((made, said))))))
    assert "It says “go.”[^1]\n" in text


def test_a_file_name_with_underscores_stays_readable() -> None:
    made = evidence(source="LC-512_manual_v2.pdf")
    text = render_markdown(draft(Section("A", cite(made, 0), cited((made, cite(made, 0))))))
    assert "[^1]: LC-512_manual_v2.pdf §3.2, p. xiv\n" in text


def test_low_confidence_is_marked() -> None:
    assert "> LOW CONFIDENCE" in render_markdown(draft(verdict="low_confidence"))


@pytest.mark.parametrize("words", HOSTILE)
def test_text_of_a_source_stays_text(words: str) -> None:
    html = (
        MarkdownIt("commonmark", {"html": True})
        .enable(["table", "strikethrough"])
        .render(escape(words))
    )
    assert html.startswith("<p>")
    assert html.count("<") == 2


@pytest.mark.parametrize("words", HOSTILE)
def test_a_hostile_sentence_heading_or_name_adds_no_footnote(words: str) -> None:
    made = with_blocks(evidence(source=f"{words.replace('/', '')}.pdf"), heading_path=(words,))
    sentences = tuple(replace(sentence, text=words) for sentence in cite(made, 0))
    text = render_markdown(draft(Section(words, sentences, cited((made, sentences))), topic=words))
    notes = [line for line in body(text).splitlines() if line.startswith("[^")]
    assert len(notes) == 1
    assert front(text)["topic"] == words


@example("\u200b -")
@given(st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=60))
def test_any_text_stays_text(words: str) -> None:
    html = MarkdownIt("commonmark", {"html": True}).render(escape(words))
    assert html.count("<") in {0, 2}


def quoted(*lines: ExcerptLine, **changes: object) -> str:
    """The section of these lines, or of a passage of three sentences, as it is rendered."""
    passage = excerpt() if not lines else excerpt(lines=lines)
    sentences = tuple(Sentence(line.text, ("S1",), line.quotes) for line in passage.lines)
    section = Section(
        "Supply", sentences, cited((passage.evidence, sentences)), excerpts=(passage,)
    )
    return body(render_markdown(draft(replace(section, **changes)))).split("\n[^1]:")[0]  # type: ignore[arg-type]


def test_a_document_of_quotations_says_so_and_names_source_and_heading() -> None:
    text = quoted()
    assert "> Nothing here was written: every line is quoted" in text
    assert "### Manual\n\n#### Supply\n\nThe supply is 5 V.[^1]" in text


def test_rows_of_a_passage_are_a_table() -> None:
    rows = [row(("Name", name), ("Type", kind)) for name, kind in (("X1", "XLR"), ("X2", "USB"))]
    assert "| Name | Type |\n| --- | --- |\n| X1 | XLR[^1] |\n| X2 | USB[^1] |" in quoted(*rows)


def test_steps_keep_their_numbers_and_items_get_a_bullet() -> None:
    texts = ("1. Open the cover.", "2. Replace the fuse.", "# not a heading")
    lines = [ExcerptLine(t, (Quote("S1", t, n, n + 1),), "list_item") for n, t in enumerate(texts)]
    assert "1. Open the cover.[^1]\n2. Replace the fuse.[^1]\n- \\# not a heading[^1]" in quoted(
        *lines
    )


def test_what_was_asked_and_is_not_there_is_named_below_the_section() -> None:
    scope = (ScopeItem("the fuse", "missing"), ScopeItem("the price", "not_found"))
    text = quoted(scope=scope)
    assert "*Asked, and not found in these words: the fuse.*" in text
    assert "*Asked, and not found in the sources: the price.*" in text


def test_a_row_without_any_cell_breaks_nothing() -> None:
    assert "| [^1] |  |" in quoted(row(("Drawing", ""), ("Photo", "")))


def written(form: SectionForm, *texts: str, **changes: object) -> str:
    """A section of that form that a model wrote."""
    made = evidence()
    sentences = tuple(
        replace(one, text=text) for one, text in zip(cite(made, 0, 1, 2), texts, strict=False)
    )
    section = Section("Supply", sentences, cited((made, sentences)), form=form, **changes)  # type: ignore[arg-type]
    return body(render_markdown(draft(section))).split("\n[^1]:")[0]


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("steps", "1. Open it.[^1]\n2. Close it.[^1]\n"),
        ("list", "- Open it.[^1]\n- Close it.[^1]\n"),
        ("quote", "> Open it.[^1]\n\n> Close it.[^1]\n"),
        ("prose", "Open it.[^1] Close it.[^1]\n"),
    ],
)
def test_each_sentence_of_a_section_is_an_item_of_its_form(form: SectionForm, shown: str) -> None:
    assert shown in written(form, "Open it.", "Close it.")


def test_rows_of_two_cells_are_a_table_where_a_table_is_asked() -> None:
    text = written("table", "Part: F1; Rating: 3.15 A", "Part: F2; Rating: 2 A")
    assert "| Part | Rating |\n| --- | --- |\n| F1 | 3.15 A[^1] |\n| F2 | 2 A[^1] |" in text


def test_sentences_in_a_table_section_that_are_no_rows_stay_sentences() -> None:
    assert "| " not in written("table", "Part: F1; Rating: 3.15 A", "The rest is unknown.")


def test_what_was_left_out_of_a_list_is_said_below_it() -> None:
    gone = GroundingChange("Shake it.", "removed", Message("claim-orphan"))
    assert "*Left out here, because no source was found that carries it: one step.*" in written(
        "steps", "Open it.", "Close it.", changes=(gone,)
    )
    assert "Left out here" not in written("prose", "Open it.", changes=(gone,))


def test_a_word_list_keeps_each_term_with_its_meaning() -> None:
    texts = ("Basepoint: the local origin.", "It may move.", "Survey point: the shared origin.")
    lines = [ExcerptLine(t, (Quote("S1", t, n, n + 1),)) for n, t in enumerate(texts)]
    assert (
        "- Basepoint: the local origin.[^1] It may move.[^1]\n- Survey point: the shared origin.[^1]"
        in quoted(*lines, form="list")
    )


def test_captions_are_a_list_of_figures() -> None:
    lines = [ExcerptLine("Figure 3: Wiring", (Quote("S1", "x", 1, 2),), "caption")]
    assert "- Figure 3: Wiring[^1]" in quoted(*lines, form="figures")


@pytest.mark.parametrize(("language", "mark"), [("en", "not verified"), ("nl", "niet bevestigd")])
def test_a_sentence_that_is_not_verified_has_a_mark_of_its_own(language: str, mark: str) -> None:
    made = evidence()
    first, second = cite(made, 0, 1)
    shown = (replace(first, verified=False), second)
    section = Section("Supply", shown, cited((made, shown)))
    text = body(render_markdown(draft(section, language=language)))
    assert f"The supply is 5 V.[^1] *({mark})* It must not exceed 6 V.[^1]\n" in text


def test_a_row_that_is_not_verified_has_the_mark_in_its_last_cell() -> None:
    made = evidence()
    shown = (replace(cite(made, 0)[0], text="Part: F1; Rating: 3 A", verified=False),)
    section = Section("Supply", shown, cited((made, shown)), form="table")
    assert "| F1 | 3 A[^1] *(not verified)* |" in render_markdown(draft(section))


def test_words_of_a_source_are_no_mark() -> None:
    assert strip_own_marks(written("prose", "Open it *(not verified)*.")) == written(
        "prose", "Open it *(not verified)*."
    )


def test_all_sentences_of_a_step_are_in_one_item() -> None:
    texts = ("1. Open the cover.", "It is tight.", "2. Close it.")
    lines = [ExcerptLine(t, (Quote("S1", t, n, n + 1),), "list_item") for n, t in enumerate(texts)]
    lines[1] = replace(lines[1], continues=True)
    assert "1. Open the cover.[^1] It is tight.[^1]\n2. Close it.[^1]" in quoted(*lines)
