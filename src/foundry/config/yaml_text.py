"""YAML as people write it: safe, without repeated keys and aliases, and with the lines of its keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml
from yaml.error import MarkedYAMLError

from foundry.errors import ConfigError


class RepeatedKey(MarkedYAMLError):
    """A mapping has a key twice, of which YAML would take the last without a word."""

    def __init__(self, key: str, first: yaml.Mark, second: yaml.Mark) -> None:
        self.key, self.lines = key, (str(first.line + 1), str(second.line + 1))
        problem = f"{key} appears twice, on lines {self.lines[0]} and {self.lines[1]}"
        super().__init__(None, None, problem, second)


class AliasFound(MarkedYAMLError):
    """A text repeats a value by a name: some bytes of such names can stand for gigabytes."""


class _PlainLoader(yaml.SafeLoader):
    """YAML without repeated keys, aliases, and keys merged from another mapping."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise AliasFound(None, None, "aliases (*name) are not supported", mark)
        return super().compose_node(parent, index)

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node: yaml.MappingNode = super().compose_mapping_node(anchor)
        seen: dict[str, yaml.Mark] = {}
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.tag == "tag:yaml.org,2002:merge":
                    raise MarkedYAMLError(None, None, "<< is not supported", key.start_mark)
                if key.value in seen:
                    raise RepeatedKey(key.value, seen[key.value], key.start_mark)
                seen[key.value] = key.start_mark
        return node


def compose_yaml(text: str) -> yaml.Node | None:
    """The nodes of a YAML text, which have their lines; raises ``yaml.YAMLError``."""
    return yaml.compose(text, Loader=_PlainLoader)


def construct_yaml(node: yaml.Node | None) -> Any:
    """The value of nodes; raises ``ValueError`` for a date or number that does not exist, too."""
    if node is None:
        return None
    try:
        return _PlainLoader("").construct_document(node)
    except (AttributeError, IndexError, KeyError) as error:  # "!!bool x"
        raise yaml.YAMLError("a value is not what its tag says") from error


def load_yaml(text: str) -> Any:
    """The value of a YAML text without aliases; raises ``yaml.YAMLError``."""
    try:
        return construct_yaml(compose_yaml(text))
    except RecursionError as error:
        raise yaml.YAMLError("it is nested too deeply") from error
    except ValueError as error:
        # A number of thousands of digits, or a date that does not exist.
        raise yaml.YAMLError(str(error)) from error


def parse_mapping(text: str, where: str, *, other: str = "config-not-mapping") -> dict[str, Any]:
    """The keys and values of a YAML file; none for an empty one.

    Raises ``ConfigError`` with the line, and with the code ``other`` for a list or a single value.
    """
    try:
        values = load_yaml(text)
    except RepeatedKey as error:
        first, second = error.lines
        raise ConfigError(
            "config-key-twice", where=f"{where}:{second}", key=error.key, first=first, second=second
        ) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error)
        raise ConfigError("config-not-yaml", where=f"{where}{line}", cause=problem) from error
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ConfigError(other, where=where)
    return values


def find_line(text: str, path: Sequence[str | int]) -> int | None:
    """The line (from 1) of the value at ``path``, or of the nearest one around it that is there."""
    node, line = compose_yaml(text), None
    for part in path:
        if isinstance(node, yaml.MappingNode):
            pair = next((pair for pair in node.value if pair[0].value == part), None)
            if pair is None:
                break
            line, node = pair[0].start_mark.line + 1, pair[1]
        elif (
            isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value)
        ):
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            break
    return line
