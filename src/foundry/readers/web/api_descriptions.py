"""Reads descriptions of HTTP APIs (OpenAPI 3 and Swagger 2) in JSON or YAML: a heading for each operation.

Parameters, requests, responses and schemas are tables. A schema that another one names is named and
not repeated, so a circle of references ends. Other files that it names are not read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, TypeGuard

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers.decoding import DecodedText
from foundry.readers.transcripts import read_youtube
from foundry.readers.web.markdown import render_page
from foundry.readers.web.written import (
    WrittenPage,
    build_page,
    load_text,
    lower_page,
    write_code,
    write_heading,
    write_table,
)
from foundry.records import Document

_KEY = re.compile(r"""(?m)^\s*[{,]?\s*["']?(?:openapi|swagger)["']?\s*:\s*["']?[\d]""")
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_MAX_NODES = 2_000_000
"""Most values once aliases of YAML are written out; the largest real description has some 500,000."""
_MAX_LEVELS = 100
_MAX_ROWS = 200_000
_MAX_NESTED = 8
"""Levels of objects within objects that one table shows."""
_LIMITS = {
    "default": "default",
    "minimum": "minimum",
    "exclusiveMinimum": "exclusive minimum",
    "maximum": "maximum",
    "exclusiveMaximum": "exclusive maximum",
    "multipleOf": "multiple of",
    "minLength": "minimum length",
    "maxLength": "maximum length",
    "minItems": "minimum items",
    "maxItems": "maximum items",
    "pattern": "pattern",
    "const": "always",
    "example": "example",
}
_MARKS = {"readOnly": "read only", "writeOnly": "write only", "deprecated": "deprecated"}
_JOINS = (("allOf", " and "), ("oneOf", " or "), ("anyOf", " or "))


def read_json(path: Path, options: ReadOptions) -> Document:
    """Read an API description, or else a transcript."""
    decoded = load_text(path)
    if is_known_api(decoded.text):
        try:
            data = json.loads(decoded.text, parse_float=str, parse_int=str)
        except ValueError:
            data = None
        if _is_api(data):
            return _build(data, decoded, options)
    return read_youtube(path, options)


def read_yaml(path: Path, options: ReadOptions) -> Document:
    """Read an API description in YAML. Raises ``ReadError`` for other YAML."""
    decoded = load_text(path)
    data = _load_yaml(decoded.text) if is_known_api(decoded.text) else None
    if not _is_api(data):
        raise ReadError("readers-yaml-unknown")
    return _build(data, decoded, options)


def is_known_api(head: str) -> bool:
    """Whether a text has the key of an API description."""
    return _KEY.search(head) is not None


def _is_api(data: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(data, dict) and bool(data.get("openapi") or data.get("swagger"))


def _load_yaml(text: str) -> Any:
    """Load YAML with its scalars as they are written. Raises ``ReadError`` for a bomb."""
    # Imported here: most files are no YAML, and workers start often.
    import yaml

    loader = _build_loader()(text)
    try:
        _refuse_depth(yaml.parse(text, type(loader)))
        node = loader.get_single_node()
        if node is None:
            return None
        sizes: dict[int, int] = {}
        _measure(node, sizes, 0)
        return loader.construct_document(node)
    except (yaml.YAMLError, ValueError) as error:
        raise ReadError("readers-damaged", cause=" ".join(str(error).split())[:200]) from error
    finally:
        loader.dispose()


def _refuse_depth(events: Iterable[Any]) -> None:
    """Raise ``ReadError`` for nesting at which the loader, which calls itself, would crash."""
    level = 0
    for event in events:
        name = type(event).__name__
        level += name.endswith("StartEvent") - name.endswith("EndEvent")
        if level > _MAX_LEVELS:
            raise ReadError("readers-html-nested", limit=_MAX_LEVELS)


@cache
def _build_loader() -> Any:
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    merge = {"<": [("tag:yaml.org,2002:merge", re.compile(r"^<<$"))]}
    # "1.10" is a version and "no" a country: only the merge key has a meaning of its own.
    return type("Loader", (base,), {"yaml_implicit_resolvers": merge})


def _measure(node: Any, sizes: dict[int, int], level: int) -> int:
    """Count the values below a node with its aliases written out, each node once."""
    known = sizes.get(id(node))
    if known is not None:
        if known < 0:
            raise ReadError("readers-written-bomb")
        return known
    if level > _MAX_LEVELS:
        raise ReadError("readers-html-nested", limit=_MAX_LEVELS)
    sizes[id(node)] = -1
    size = 1
    if isinstance(node.value, list):
        for item in node.value:
            for child in item if isinstance(item, tuple) else (item,):
                size += _measure(child, sizes, level + 1)
    if size > _MAX_NODES:
        raise ReadError("readers-written-bomb")
    sizes[id(node)] = size
    return size


def _build(data: dict[str, Any], decoded: DecodedText, options: ReadOptions) -> Document:
    page = WrittenPage()
    info = _take(data, "info")
    page.properties = {key: info[key] for key in ("title", "version") if info.get(key)}
    page.html = "".join(_Writer(data, page).write(info))
    return build_page("openapi", page, options.name, decoded.warning)


def _take(value: Any, key: str) -> dict[str, Any]:
    """The object under a key, or an empty one."""
    found = value.get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, dict) else {}


def _list(value: Any, key: str) -> list[Any]:
    found = value.get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, list) else []


def _say(value: Any) -> str:
    """A value as HTML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and not any(isinstance(item, list | dict) for item in value):
        return ", ".join(map(_say, value))
    if isinstance(value, list | dict):
        return escape(json.dumps(value, ensure_ascii=False, default=str)[:1000])
    return "" if value is None else escape(str(value), quote=False)


def _is_true(value: Any) -> bool:
    return value is True or value == "true"


class _Writer:
    """Writes the parts of a description as HTML, in its order."""

    def __init__(self, data: dict[str, Any], page: WrittenPage) -> None:
        self._data = data
        self._page = page
        self._rows = 0

    def write(self, info: dict[str, Any]) -> Iterator[str]:
        title, version = str(info.get("title") or ""), info.get("version")
        yield write_heading(title, 1) if title else ""
        yield f"<p>Version {_say(version)}</p>\n" if version else ""
        yield self._write_markdown(info.get("summary"), 1)
        yield self._write_markdown(info.get("description"), 1)
        data = self._data
        servers = [[_say(item.get("url")), self._inline(item)] for item in _list(data, "servers") if isinstance(item, dict)]  # fmt: skip
        if data.get("host"):
            servers.append([_say(f"{data['host']}{data.get('basePath') or ''}"), ""])
        yield write_table(("Server", "Description"), servers)
        tags = [[_say(item.get("name")), self._inline(item)] for item in _list(data, "tags") if isinstance(item, dict)]  # fmt: skip
        yield write_table(("Tag", "Description"), tags)
        yield from self._write_security()
        for kind in ("paths", "webhooks"):
            for path, item in _take(data, kind).items():
                yield from self._write_path(str(path), self._resolve(item))
        yield from self._write_schemas()

    def _write_security(self) -> Iterator[str]:
        components = _take(self._data, "components")
        schemes = _take(components, "securitySchemes") or _take(self._data, "securityDefinitions")
        found = [(name, self._resolve(item)) for name, item in schemes.items()]
        keys = ("type", "scheme", "in", "name", "bearerFormat")
        rows = [[_say(name), *(_say(item.get(key)) for key in keys), self._inline(item)] for name, item in found]  # fmt: skip
        if rows:
            yield write_heading("Security", 2)
            yield write_table(
                ("Scheme", "Type", "HTTP", "In", "Name", "Format", "Description"), rows
            )

    def _write_path(self, path: str, item: dict[str, Any]) -> Iterator[str]:
        for method in _METHODS:
            operation = item.get(method)
            if isinstance(operation, dict):
                yield from self._write_operation(f"{method.upper()} {path}", operation, item)

    def _write_operation(
        self, name: str, operation: dict[str, Any], path: dict[str, Any]
    ) -> Iterator[str]:
        yield write_heading(name, 2)
        for part in (path, operation):
            yield self._write_markdown(part.get("summary"), 2)
            yield self._write_markdown(part.get("description"), 2)
        if _is_true(operation.get("deprecated")):
            yield "<p>Deprecated</p>\n"
        if operation.get("operationId"):
            yield f"<p>Operation: {_say(operation['operationId'])}</p>\n"
        parameters = [self._resolve(item) for item in _list(path, "parameters") + _list(operation, "parameters")]  # fmt: skip
        yield self._write_parameters([item for item in parameters if item.get("in") != "body"])
        for body in (item for item in parameters if item.get("in") == "body"):
            yield from self._write_body("Request body", {"content": {"": body}} | body)
        yield from self._write_body("Request body", self._resolve(operation.get("requestBody")))
        yield from self._write_responses(_take(operation, "responses"))
        for called in _take(operation, "callbacks").values():
            for address, item in self._resolve(called).items():
                yield from self._write_path(str(address), self._resolve(item))

    def _write_parameters(self, parameters: list[dict[str, Any]]) -> str:
        rows = []
        for item in parameters:
            schema = item.get("schema") or item
            needed = "yes" if _is_true(item.get("required")) else "no"
            kind = self._name_type(schema) if isinstance(schema, dict) else ""
            limits = self._say_limits(schema) if isinstance(schema, dict) else ""
            rows.append([_say(item.get("name")), _say(item.get("in")), kind, needed, limits, self._inline(item)])  # fmt: skip
        header = ("Parameter", "In", "Type", "Required", "Limits", "Description")
        return write_table(header, rows)

    def _write_body(self, title: str, body: dict[str, Any]) -> Iterator[str]:
        if not body:
            return
        needed = " (required)" if _is_true(body.get("required")) else ""
        yield f"<p>{title}{needed}</p>{self._inline(body)}\n"
        yield from self._write_content(_take(body, "content"))

    def _write_content(self, content: dict[str, Any]) -> Iterator[str]:
        for media, item in content.items():
            schema = _take(item, "schema")
            kind = ": ".join(filter(None, (_say(media), self._name_type(schema))))
            if kind:
                yield f"<p>{kind}</p>\n"
            if "$ref" not in schema:
                yield self._write_properties(schema)
            if isinstance(item, dict) and isinstance(item.get("example"), dict | list):
                yield write_code(json.dumps(item["example"], indent=1, ensure_ascii=False))

    def _write_responses(self, responses: dict[str, Any]) -> Iterator[str]:
        rows, inner = [], []
        for status, item in responses.items():
            response = self._resolve(item)
            content = _take(response, "content")
            schemas = [_take(value, "schema") for value in content.values()]
            schemas += [schema for schema in [_take(response, "schema")] if schema]
            kinds = dict.fromkeys(map(self._name_type, schemas))
            headers = ", ".join(map(_say, _take(response, "headers")))
            rows.append([_say(status), self._inline(response), ", ".join(content), ", ".join(kinds), headers])  # fmt: skip
            inner += [
                self._write_properties(schema, f"Response {_say(status)}")
                for schema in schemas
                if "$ref" not in schema
            ]
        yield write_table(("Response", "Description", "Content", "Type", "Headers"), rows)
        yield from inner

    def _write_schemas(self) -> Iterator[str]:
        components = _take(self._data, "components")
        schemas = _take(components, "schemas") | _take(self._data, "definitions")
        if schemas:
            yield write_heading("Schemas", 2)
        for name, schema in schemas.items():
            if not isinstance(schema, dict):
                continue
            yield write_heading(str(name), 3)
            yield self._write_markdown(schema.get("description"), 3)
            kind, limits = self._name_type(schema), self._say_limits(schema)
            yield f"<p>Type: {kind}{', ' if limits else ''}{limits}</p>\n" if kind else ""
            yield self._write_properties(schema)

    def _write_properties(self, schema: dict[str, Any], caption: str = "") -> str:
        rows = list(self._list_properties(schema, "", 0))
        header = ("Property", "Type", "Required", "Limits", "Description")
        return write_table(header, rows, caption)

    def _list_properties(
        self, schema: dict[str, Any], above: str, level: int
    ) -> Iterator[list[str]]:
        """The rows of a table of properties; those of objects within are "a.b"."""
        if "$ref" in schema or level > _MAX_NESTED:
            return
        needed = {str(name) for name in _list(schema, "required")}
        for name, item in _take(schema, "properties").items():
            self._rows += 1
            if self._rows > _MAX_ROWS:
                raise ReadError("readers-written-bomb")
            if not isinstance(item, dict):
                continue
            full = f"{above}{name}"
            must = "yes" if str(name) in needed else "no"
            yield [_say(full), self._name_type(item), must, self._say_limits(item), self._inline(item)]  # fmt: skip
            yield from self._list_properties(item, f"{full}.", level + 1)
        if _take(schema, "items"):
            yield from self._list_properties(
                _take(schema, "items"), f"{above.rstrip('.')}[].", level + 1
            )
        for key, _ in _JOINS:
            for part in _list(schema, key):
                if isinstance(part, dict):
                    yield from self._list_properties(part, above, level + 1)

    def _name_type(self, schema: dict[str, Any], level: int = 0) -> str:
        """The type of a schema in words: "array of Pet", "string (date)"."""
        reference = schema.get("$ref")
        if isinstance(reference, str):
            if not reference.startswith("#"):
                self._page.includes.append(reference.partition("#")[0])
            return escape(reference.rpartition("/")[2])
        if level > _MAX_NESTED:
            return "…"
        for key, word in _JOINS:
            parts = [self._name_type(part, level + 1) for part in _list(schema, key) if isinstance(part, dict)]  # fmt: skip
            if any(parts):
                return word.join(part for part in dict.fromkeys(parts) if part)
        kind = schema.get("type")
        words = " or ".join(map(_say, kind)) if isinstance(kind, list) else _say(kind)
        if _take(schema, "items"):
            inner = self._name_type(_take(schema, "items"), level + 1)
            words = f"{words or 'array'} of {inner}" if inner else words
        if _take(schema, "additionalProperties"):
            inner = self._name_type(_take(schema, "additionalProperties"), level + 1)
            words = f"{words or 'object'} of {inner}" if inner else words
        words = words or ("object" if schema.get("properties") else "")
        return f"{words} ({_say(schema['format'])})" if schema.get("format") else words

    def _say_limits(self, schema: dict[str, Any]) -> str:
        said = [f"{word} {_say(schema[key])}" for key, word in _LIMITS.items() if schema.get(key) is not None]  # fmt: skip
        said += [word for key, word in _MARKS.items() if _is_true(schema.get(key))]
        if _is_true(schema.get("nullable")):
            said.append("null allowed")
        values = _list(schema, "enum") or _list(schema.get("items"), "enum")
        if values:
            said.append(f"one of {_say(values)}")
        return "; ".join(said)

    def _resolve(self, value: Any) -> dict[str, Any]:
        """The object that a local reference names, through a few of them."""
        for _ in range(_MAX_NESTED):
            if not isinstance(value, dict):
                return {}
            reference = value.get("$ref")
            if not isinstance(reference, str):
                return value
            if not reference.startswith("#/"):
                self._page.includes.append(reference.partition("#")[0])
                return {"description": reference}
            value = self._data
            for part in reference[2:].split("/"):
                key = part.replace("~1", "/").replace("~0", "~")
                value = value.get(key) if isinstance(value, dict) else None
        return {}

    def _write_markdown(self, text: Any, level: int) -> str:
        if not isinstance(text, str) or not text.strip():
            return ""
        html, found = render_page(text)
        self._page.includes += found.includes
        return f"<div>{lower_page(html, level)}</div>\n"

    def _inline(self, item: dict[str, Any]) -> str:
        """The description of an item within a cell or line."""
        return lower_page(self._write_markdown(item.get("description"), 0), 6).strip()
