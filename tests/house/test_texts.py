"""No sentence for people outside the catalogue, except in modules that are still to be converted.

A finished sentence is a string with spaces that is given to an error, printed, returned, or kept as
a reason, a notice or a warning. Prompts, the lexicon, help texts and markup are no messages.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from tests.house.modules import SOURCE, list_nodes, read_name
from tests.house.test_messages import CALLS

PRINTED = frozenset({"say", "show", "echo", "say_notices", "note", "tell", "confirm"})
KEPT = frozenset({"reason", "reasons", "notice", "notices", "warning", "warnings", "fix", "rule"})
LEFT_OUT = ("prompts/", "lexicon/", "messages/")
ALLOWED = {
    "store/sqlite/conversion.py": "CREATE TABLE old (embedding)",
    "craft/prompting.py": "The specification asks for:\n…",  # in a prompt
    "journeys/chat.py": "Question: …\nAnswer: …",  # in a prompt
    "models/replies.py": "Reply with one JSON object that fits this JSON Schema, and with nothing"
    " else:\n…",  # in a prompt
    "models/providers.py": "this process",  # stands for a host, and is never shown
    "journeys/drafts/state.py": "as written",  # a value of the JSON
    "journeys/project.py": " One of ….",  # in foundry.yaml, which is English
    "evaluation/runs/history.py": "not installed",  # stored as a version
}
_SENTENCE = re.compile(r"[^\W\d]{2,}\b.*\s.*\b[^\W\d]{2,}", re.DOTALL)
_MARKUP = re.compile(r"</?\w[^<>]*>")


def read_text(node: ast.AST) -> str:
    """The words of a literal, with … for each value that is filled in; else nothing."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(read_text(part) or "…" for part in node.values)
    return ""


def find_literals(node: ast.AST) -> Iterator[str]:
    """The texts that an expression can be: of a choice each, of a list every one."""
    if text := read_text(node):
        yield text
    elif isinstance(node, ast.IfExp):
        yield from (*find_literals(node.body), *find_literals(node.orelse))
    elif isinstance(node, ast.BinOp):
        yield from (*find_literals(node.left), *find_literals(node.right))
    elif isinstance(node, ast.List | ast.Tuple):
        yield from (text for item in node.elts for text in find_literals(item))
    elif isinstance(node, ast.GeneratorExp | ast.ListComp):
        yield from find_literals(node.elt)


def list_given(node: ast.AST) -> list[ast.AST]:
    """The values that a statement or call shows or keeps."""
    if isinstance(node, ast.Call):
        name, owner = read_name(node.func), getattr(node.func, "value", node)
        keywords = [item.value for item in node.keywords if item.arg in KEPT]
        appended = name in {"append", "extend"} and read_name(owner) in KEPT
        shown = name in CALLS - {"t", "words", "phrases"} or name in PRINTED or appended
        return [*(node.args if shown else []), *keywords]
    if isinstance(node, ast.Yield | ast.Return) and node.value:
        return [node.value]
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = {read_name(target) for target in targets}
        return [node.value] if names & KEPT else []
    return []


def find_sentences(nodes: Iterable[ast.AST]) -> list[str]:
    given = (value for node in nodes for value in list_given(node))
    texts = (text for value in given for text in find_literals(value))
    return [text for text in texts if _SENTENCE.search(text) and not _MARKUP.search(text)]


def test_no_module_has_a_sentence_outside_the_catalogue() -> None:
    modules = {path.relative_to(SOURCE).as_posix(): nodes for path, nodes in list_nodes().items()}
    found = [
        f"{name}: {text}"
        for name, nodes in modules.items()
        if not name.startswith(LEFT_OUT)
        for text in find_sentences(nodes)
        if text != ALLOWED.get(name)
    ]
    assert found == []


def test_a_sentence_is_found_where_it_is_yielded() -> None:
    code = 'def tell():\n    yield f"Took {x} s in all"\n    yield "a"\n'
    assert find_sentences(ast.walk(ast.parse(code))) == ["Took … s in all"]


def test_a_sentence_is_found_where_it_is_returned() -> None:
    code = 'def tell():\n    return f"It took {x} s" if x else "<b>some words</b>"\n'
    assert find_sentences(ast.walk(ast.parse(code))) == ["It took … s"]


def test_a_sentence_is_found_where_it_is_raised_and_kept() -> None:
    code = 'raise StoreError(f"It broke: {x}")\nreason = "no luck" if x else ""\nfolder = "a b"\n'
    assert sorted(find_sentences(ast.walk(ast.parse(code)))) == ["It broke: …", "no luck"]
