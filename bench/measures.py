"""The project's own size, in one table: ``python -m bench.measures``.

Lines and modules, what was admitted to be a guess, helpers with one caller, and how much of the code
a single question loads.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from bench.example import copy_example
from bench.example import run as run_foundry
from bench.tables import write_head, write_row

ROOT = Path(__file__).parents[1]
SMALL = 60
COMMANDS = (("ask", "What is the supply voltage?"), ("search", "supply voltage"))

_LOADED = """
import sys
from pathlib import Path
from foundry.cli import main
sys.argv = ["foundry", *sys.argv[1:]]
try:
    main()
except SystemExit:
    pass
modules = [one for name, one in sys.modules.items() if name.partition(".")[0] == "foundry"]
files = {one.__file__ for one in modules if getattr(one, "__file__", None)}
lines = sum(len(Path(file).read_text(encoding="utf-8").splitlines()) for file in files)
print(len(files), lines, file=sys.stderr)
"""


def measure() -> Iterator[str]:
    """What this checkout holds, and what one command of it loads."""
    source = _read(ROOT / "src" / "foundry")
    trees = [ast.parse(text) for text in source.values()]
    functions = [one for tree in trees for one in _list_private_functions(tree)]
    yield from write_head("measure", "figure")
    yield write_row("lines in src", _count_lines(source))
    yield write_row("modules in src", len(source))
    small = sum(len(text.splitlines()) < SMALL for text in source.values())
    yield write_row(f"modules under {SMALL} lines", small)
    yield write_row("`re.compile`", sum(text.count("re.compile(") for text in source.values()))
    yield write_row("constants that their docstring calls a guess", sum(map(_count_guesses, trees)))
    yield write_row("private functions", len(functions))
    yield write_row("private functions with one reference", sum(map(_count_single_uses, trees)))
    for folder in ("tests", "bench"):
        texts = _read(ROOT / folder)
        yield write_row(f"lines in {folder}", _count_lines(texts))
        yield write_row(f"modules in {folder}", len(texts))
    yield from _measure_loading()


def _read(folder: Path) -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}


def _count_lines(texts: dict[Path, str]) -> int:
    return sum(len(text.splitlines()) for text in texts.values())


def _list_private_functions(tree: ast.AST) -> list[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    names = (one.name for one in ast.walk(tree) if isinstance(one, kinds))
    return [name for name in names if name.startswith("_") and not name.endswith("__")]


def _count_single_uses(tree: ast.Module) -> int:
    """Private functions that their module names once, apart from their definition."""
    nodes = list(ast.walk(tree))
    used = Counter(one.id for one in nodes if isinstance(one, ast.Name))
    used += Counter(one.attr for one in nodes if isinstance(one, ast.Attribute))
    return sum(used[name] == 1 for name in _list_private_functions(tree))


def _count_guesses(tree: ast.Module) -> int:
    """Constants whose docstring, which may speak of those above it too, says "guess"."""
    scopes: list[ast.Module | ast.ClassDef] = [tree]
    scopes += (one for one in ast.walk(tree) if isinstance(one, ast.ClassDef))
    pairs = (pair for scope in scopes for pair in pairwise(scope.body))
    return sum(
        isinstance(one, ast.Assign | ast.AnnAssign)
        and isinstance(after, ast.Expr)
        and re.search(r"\bguess", ast.unparse(after), re.IGNORECASE) is not None
        for one, after in pairs
    )


def _measure_loading() -> Iterator[str]:
    with copy_example() as project:
        run_foundry(project, "ingest", "-q")
        for words in COMMANDS:
            modules, lines = _load(project, words)
            yield write_row(f"modules that `foundry {words[0]}` loads", modules)
            yield write_row(f"lines that `foundry {words[0]}` loads", lines)


def _load(project: Path, words: Sequence[str]) -> tuple[int, int]:
    command = [sys.executable, "-c", _LOADED, *words]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=True)
    modules, lines = done.stderr.split()[-2:]
    return int(modules), int(lines)


if __name__ == "__main__":
    print(*measure(), sep="\n")
