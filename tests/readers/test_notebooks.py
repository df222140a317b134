import json
from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.records import Document
from tests.readers.sample_files import list_blocks, read_file


def read_cells(folder: Path, *cells: dict[str, object]) -> Document:
    return read_file(folder, "a.ipynb", json.dumps({"cells": cells, "nbformat": 4}))


def code(source: str, **output: object) -> dict[str, object]:
    return {"cell_type": "code", "source": [source], "outputs": [output] if output else []}


def test_text_is_markdown_and_code_is_code(tmp_path: Path) -> None:
    text = {"cell_type": "markdown", "source": ["# Top\n", "\n", "Some *words*."]}
    document = read_cells(tmp_path, text, code("x = 1"))
    assert list_blocks(document) == [
        ("heading", "Top"),
        ("paragraph", "Some words."),
        ("code", "x = 1"),
    ]
    assert document.title == "Top"


def test_a_table_in_an_output_is_a_table(tmp_path: Path) -> None:
    html = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
    data = {"text/html": [html], "text/plain": ["a b"]}
    document = read_cells(tmp_path, code("x", output_type="execute_result", data=data))
    assert list_blocks(document)[1] == ("table", "a | b\n1 | 2")


def test_a_picture_is_counted_and_its_bytes_are_no_text(tmp_path: Path) -> None:
    data = {"image/png": "iVBORw0KGgo=", "text/plain": "<Figure>"}
    document = read_cells(tmp_path, code("plot()", output_type="display_data", data=data))
    assert document.text == "plot()"
    assert document.warnings == (Message("readers-pictures-left-out", number=1),)


def test_printed_lines_have_no_colours(tmp_path: Path) -> None:
    said = code("run()", output_type="stream", text=["\x1b[31mdone\x1b[0m\n"])
    assert list_blocks(read_cells(tmp_path, said)) == [("code", "run()\ndone")]


def test_other_json_is_no_notebook(tmp_path: Path) -> None:
    with pytest.raises(ReadError) as error:
        read_file(tmp_path, "a.ipynb", '{"a": 1}')
    assert error.value.problem.code == "readers-notebook-unknown"
