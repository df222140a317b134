"""Reading data sets: what cannot be used is left out, counted and named; the rest is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.errors import UsageError
from foundry.evaluation.dataset.beir import Dataset, read_dataset

CORPUS = '{"_id": "d1", "text": "The fuse is 3 A."}\n{"id": "d2", "text": "The lamp is red."}\n'
QUERIES = '{"id": "q1", "text": "fuse"}\n{"id": "q2", "text": "lamp", "answerable": true}\n'


def read(
    folder: Path, corpus: str = CORPUS, queries: str = QUERIES, qrels: str = "q1\td1\t1\n"
) -> Dataset:
    for name, text in (("corpus.jsonl", corpus), ("queries.jsonl", queries), ("qrels.tsv", qrels)):
        (folder / name).write_text(text)
    return read_dataset(folder)


@pytest.mark.parametrize("header", ["", "query-id\tdoc-id\tscore\n"])
def test_qrels_are_read_with_and_without_a_header(tmp_path: Path, header: str) -> None:
    dataset = read(tmp_path, qrels=f"{header}q1\td1\t2\nq2\t0\td2\t1.0\n")
    assert dataset.qrels == {"q1": {"d1": 2}, "q2": {"d2": 1}}
    assert dataset.notices == ()


def test_qrels_may_lie_in_a_folder(tmp_path: Path) -> None:
    read(tmp_path)
    (tmp_path / "qrels.tsv").unlink()
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("q2\td2\t1\n")
    assert read_dataset(tmp_path).qrels == {"q1": {}, "q2": {"d2": 1}}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id": ', "not JSON"),
        ("[" * 100_000, "nested"),
        ("[1]", "not an object"),
        ('{"text": "x"}', "neither id nor _id"),
        ('{"id": "q9"}', "no question"),
        ('{"id": "q9", "text": 5}', "not a whole text"),
        ('{"id": "q9", "text": " "}', "no question"),
        ('{"id": "q9", "text": "x", "answerable": "perhaps"}', "not true or false"),
    ],
)
def test_a_broken_line_is_named_and_the_rest_kept(tmp_path: Path, line: str, reason: str) -> None:
    dataset = read(tmp_path, queries=f"{line}\n{QUERIES}")
    assert [query.id for query in dataset.queries] == ["q1", "q2"]
    assert (dataset.skipped[0].line, dataset.counts["skipped_lines"]) == (1, 1)
    assert reason in str(dataset.notices[0])


def test_half_a_surrogate_pair_in_a_document_is_read_as_a_question_mark(tmp_path: Path) -> None:
    dataset = read(tmp_path, corpus='{"id": "d1", "text": "a \\ud800 b \\ud83d\\ude00"}\n')
    assert dataset.documents[0].text == "a ? b \U0001f600"


def test_a_byte_order_mark_is_not_part_of_the_first_line(tmp_path: Path) -> None:
    assert len(read(tmp_path, queries="\ufeff" + QUERIES).queries) == 2


@pytest.mark.parametrize("text", ["", "\n\n", "no json\n", '{"id": "d1"}'])
def test_a_file_without_a_usable_line_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match="no usable line") as raised:
        read(tmp_path, corpus=text)
    assert raised.value.where.endswith("corpus.jsonl")


def test_the_first_of_two_documents_with_one_id_is_kept(tmp_path: Path) -> None:
    dataset = read(tmp_path, queries=QUERIES + '{"id": "q1", "text": "another"}\n')
    assert dataset.queries[0].text == "fuse"
    assert dataset.counts["duplicate_queries"] == 1
    assert "q1" in str(dataset.notices[0])


def test_judgements_of_what_is_not_there_are_counted_and_named(tmp_path: Path) -> None:
    dataset = read(tmp_path, qrels="q1\td1\t1\nq1\tgone\t1\nnobody\td1\t1\n")
    assert dataset.qrels == {"q1": {"d1": 1}, "q2": {}}
    assert (dataset.counts["unknown_documents"], dataset.counts["unknown_queries"]) == (1, 1)
    notices = " ".join(map(str, dataset.notices))
    assert "gone" in notices
    assert "nobody" in notices


def test_the_first_of_two_judgements_of_a_pair_counts(tmp_path: Path) -> None:
    dataset = read(tmp_path, qrels="q1\td1\t2\nq1\td1\t0\n")
    assert dataset.qrels["q1"]["d1"] == 2


def test_a_line_of_qrels_without_a_number_is_named(tmp_path: Path) -> None:
    dataset = read(tmp_path, qrels="q1\td1\t1\nq2 d2 1\nq2\td2\tmuch\n")
    assert [line.line for line in dataset.skipped] == [2, 3]


def test_files_are_documents_and_spans_are_judgements_of_them(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "manual.md").write_text("# Één\n\nThe fuse is 3 A.\n")
    (tmp_path / "files" / "photo.png").write_bytes(b"\x89PNG")
    query = (
        '{"id": "q", "text": "fuse", "doc": "manual", "spans": [[7, 23]], "references": ["%s"]}\n'
    )
    (tmp_path / "queries.jsonl").write_text(query % "The fuse is 3 A.")
    dataset = read_dataset(tmp_path)
    (place,) = dataset.queries[0].places
    assert (place.source, place.spans) == ("manual", ((7, 23),))
    assert dataset.qrels == {"q": {"manual": 1}}
    assert "photo.png" in str(dataset.notices[0])


@pytest.mark.parametrize("spans", ["[[0, 99]]", "[[4, 8]]"])
def test_spans_that_do_not_fit_their_document_are_left_out(tmp_path: Path, spans: str) -> None:
    place = f'"doc": "d1", "spans": {spans}, "references": ["The fuse"]'
    dataset = read(tmp_path, queries=f'{{"id": "q1", "text": "fuse", {place}}}\n')
    assert dataset.queries[0].places[0].spans == ()
    assert dataset.counts["wrong_spans"] == 1
