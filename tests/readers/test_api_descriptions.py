import json
from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.messages import Message
from tests.readers.sample_files import find_path, list_blocks, read_file

API = """
openapi: 3.0.0
info: {title: Pets, version: 1.10, description: A *store*.}
paths:
  /pets/{id}:
    get:
      summary: Read a pet
      parameters: [{$ref: '#/components/parameters/P'}]
      responses: {200: {description: The pet, content: {text/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
components:
  parameters: {P: {name: id, in: path, required: true, schema: {type: integer, minimum: 1}}}
  schemas:
    Pet:
      required: [kind]
      properties:
        kind: {type: string, enum: [cat, no], description: Of **animal**}
        own: {type: object, properties: {parent: {$ref: '#/components/schemas/Pet'}}}
"""


def test_an_operation_is_a_section_with_its_tables(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.yaml", API)
    assert find_path(document, "Read a pet") == ("Pets", "GET /pets/{id}")
    tables = [words for kind, words in list_blocks(document) if kind == "table"]
    assert tables[0].endswith("id | path | integer | yes | minimum 1")
    assert "200 | The pet | text/json | Pet" in tables[1]


def test_a_schema_is_a_table_and_a_circle_of_references_ends(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.yaml", API)
    rows = document.text.split("\n")
    assert "kind | string | yes | one of cat, no | Of animal" in rows
    assert "own.parent | Pet | no" in rows
    assert find_path(document, "own.parent") == ("Pets", "Schemas", "Pet")


def test_a_version_is_read_as_it_is_written(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.yaml", API)
    assert (document.title, document.revision) == ("Pets", "1.10")


def test_json_is_an_api_description_or_a_transcript(tmp_path: Path) -> None:
    data = {"swagger": "2.0", "info": {"title": "T", "version": "1"}, "definitions": {"A": {"type": "string"}}}  # fmt: skip
    assert read_file(tmp_path, "a.json", json.dumps(data)).type == "openapi"
    cues = [{"text": "Hello", "start": 0, "duration": 1}]
    assert read_file(tmp_path, "b.json", json.dumps(cues)).type == "youtube"


def test_another_file_that_it_names_is_not_read(tmp_path: Path) -> None:
    text = "openapi: 3.0.0\ninfo: {title: T}\ncomponents: {schemas: {A: {properties: {b: {$ref: 'c.yaml#/d'}}}}}"
    document = read_file(tmp_path, "a.yaml", text)
    assert document.warnings == (Message("readers-written-includes", names=("c.yaml",)),)


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("a: 1", "readers-yaml-unknown"),
        ("openapi: 3.0.0\na: &a [*a]", "readers-written-bomb"),
        ("openapi: 3.0.0\na: " + "[" * 5000 + "]" * 5000, "readers-html-nested"),
        ("openapi: 3.0.0\na0: &a0 [x]\n"
         + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)), "readers-written-bomb"),
    ],
)  # fmt: skip
def test_other_and_hostile_yaml_is_refused(tmp_path: Path, written: str, code: str) -> None:
    with pytest.raises(ReadError) as error:
        read_file(tmp_path, "a.yaml", written)
    assert error.value.problem.code == code


def test_json_that_is_nested_too_deeply_is_no_transcript(tmp_path: Path) -> None:
    deep = '{"openapi": "3.0.0", "a": ' + "[" * 100_000 + "]" * 100_000 + "}"
    with pytest.raises(ReadError) as error:
        read_file(tmp_path, "a.json", deep)
    assert error.value.problem.params["cause"] == Message("readers-nested-deeply")
