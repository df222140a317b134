"""Names and words: one meaning per class name, nouns for modules, plain English for users."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.house.modules import MODULES, SOURCE, list_nodes, parse_modules

FIELD_TERMS = {
    "chunking": "cutting documents into chunks",
    "decoding": "bytes to text",
    "folding": "case folding",
    "grounding": "tying statements to evidence",
    "matching": "statements to passages",
    "prompting": "building prompts",
    "ranking": "an ordered list",
    "writing": "what a model writes",
}
"""Module names in -ing that are nouns of the field; the list only shrinks."""

NOT_VERBS = {
    *("at", "by", "for", "from", "in", "into", "of", "on", "out", "over", "to", "under"),
    *("with", "without", "within"),
    *("told", "said", "kept", "held", "found", "known", "left", "made", "given", "taken"),
    *("shown", "written", "stood", "drawn"),
}
PARTICIPLE = re.compile(r"(?!embed|feed|need|seed|speed|bleed|exceed|proceed|shed)[a-z]+ed")
CONVERSIONS = {"from", "to", "with", "as"}
"""A method may open with one of these, as ``Path.with_suffix`` does."""

BANNED = re.compile(
    r"\b(told|anew|mend(s|ed|ing)?|stands?|say so|said so|goes on where|(?<!there )is no(?= [a-z])"
    r"(?! (longer|more|better|less|other|need))|hereby|thereof)\b",
    re.IGNORECASE,
)


def test_a_public_class_name_is_defined_once() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path, tree in parse_modules().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(SOURCE)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_a_module_is_named_by_a_noun() -> None:
    leaves = {path.parent.name if path.stem == "__init__" else path.stem for path in MODULES}
    gerunds = {leaf.rpartition("_")[2] for leaf in leaves if leaf.endswith("ing")}
    assert sorted(gerunds - FIELD_TERMS.keys()) == []


def test_the_field_terms_are_still_needed() -> None:
    words = {word for path in MODULES for word in (*path.stem.split("_"), path.parent.name)}
    assert sorted(FIELD_TERMS.keys() - words) == []


def _functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef, bool]]:
    for path, nodes in list_nodes().items():
        classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
        methods = {id(item) for node in classes for item in node.body}
        for node in nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield path, node, id(node) in methods


def _is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = {getattr(item, "id", getattr(item, "attr", "")) for item in node.decorator_list}
    return any(name.endswith("property") for name in names)


def test_a_function_is_named_by_a_verb() -> None:
    """No participle or preposition opens a function's name; properties may be adjectives."""
    odd = []
    for path, node, is_method in _functions():
        first = node.name.lstrip("_").split("_")[0]
        if _is_property(node) or (is_method and first in CONVERSIONS):
            continue
        if first in NOT_VERBS or PARTICIPLE.fullmatch(first):
            odd.append(f"{path.relative_to(SOURCE)}:{node.lineno} {node.name}")
    assert odd == []


def _shown(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Sentences that may reach a user: strings that are not docstrings."""
    bare = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        text = node.value if isinstance(node, ast.Constant) and id(node) not in bare else None
        if isinstance(text, str) and " " in text:
            yield node.lineno, text


def test_the_catalogue_is_in_plain_english() -> None:
    texts = [path.read_text("utf-8") for path in (SOURCE / "messages/en").glob("*.ftl")]
    assert [line for text in texts for line in text.splitlines() if BANNED.search(line)] == []


def test_what_a_user_reads_is_plain_english() -> None:
    odd = [
        f"{path}:{line}: {text[:80]}"
        for path, nodes in list_nodes().items()
        for line, text in _shown(nodes)
        if BANNED.search(text)
    ]
    assert odd == []
