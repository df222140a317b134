"""A public caller cannot tell whether a project has sources that the caller may not see.

Every command runs in two projects that differ in what is hidden; what it prints and returns must be
the same, byte for byte, but for times and random ids.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faces.conftest import Run
from tests.support.guarded_projects import SECRET_WORD, build_projects, mask

Projects = tuple[Path, Path]
Attempt = Callable[..., str]

NORMAL = "What is the rating of the input fuse?"
SECRET = f"When does the takeover of {SECRET_WORD} close?"
UNHEARD = "When does the takeover of Quaggacorp close?"
DUTCH = "Waarmee wordt de zekering van de regelaar vervangen?"
HIDDEN_PATH = "sources/secret/takeover.md"

JSON_ONLY = [
    *(("search", question, "--mode", mode) for question in (NORMAL, SECRET, DUTCH)
      for mode in ("hybrid", "dense", "bm25")),
    ("search", UNHEARD),
    ("search", NORMAL, "--filter", "type=csv"),
    ("search", NORMAL, "--filter", "from=2027-01-01"),
    ("verify", "letter.md"),
    ("generate", "--topic", SECRET_WORD, "--output", "output/new.md", "--dry-run"),
    ("generate", "--topic", SECRET_WORD, "--output", "output/new.md", "--fresh"),
    ("draft", "verify", "output/public.md"),
    ("eval", "run", "--name", "owner"),
    ("eval", "report", "first", "second", "--output", "output/report.html"),
]  # fmt: skip
"""What shows the same in words, and takes long."""

BOTH_FORMS = [
    *(("ask", question) for question in (NORMAL, SECRET, UNHEARD, DUTCH)),
    ("ask", SECRET_WORD, "--mode", "bm25"),
    ("ask", "-v", "Which fuse and supply does the controller have?"),
    ("search", NORMAL),
    ("search", NORMAL, "--filter", f"source={HIDDEN_PATH}"),
    ("search", NORMAL, "--filter", "tag=secret"),
    ("verify", "letter.md", "-v", "--mode", "bm25"),
    ("generate", "--topic", "The DX-4", "--output", "output/new.md", "--dry-run"),
    ("generate", "--topic", "The DX-4", "--output", "output/new.md", "-v"),
    ("draft", "list"),
    ("draft", "show", "output/public.md"),
    ("draft", "show", "output/owner.md"),
    ("draft", "accept", "output/owner.md", "--by", "Eve"),
    ("build", "--format", "md,html"),
    ("sources", "list"),
    ("sources", "show", "sources/datasheet.md"),
    ("sources", "show", HIDDEN_PATH),
    ("sources", "remove", HIDDEN_PATH),
    ("ingest",),
    ("index", "status"),
    ("index", "verify"),
    ("index", "rebuild"),
    ("doctor",),
    ("log", "list"),
    ("log", "list", "--kind", "eval"),
    ("log", "list", "--verdict", "no_evidence"),
    ("log", "show", "qry_owner"),
    ("log", "stats", "--by", "day"),
    ("log", "feedback", "qry_owner", "--correct"),
    ("feature", "list"),
    ("feature", "check", "dx4"),
    ("feature", "show", "dx4"),
    ("eval", "list"),
    ("eval", "show", "manual/deal"),
    ("eval", "show", "manual/fuse"),
    ("eval", "runs"),
    ("eval", "runs", "owner"),
    ("eval", "runs", "lower", "--questions"),
    ("eval", "runs", "first", "--questions"),
    ("eval", "compare", "first", "second"),
    ("eval", "export", "--output", "output/questions.jsonl"),
    ("eval", "run", "--retrieval-only", "--name", "third"),
    ("eval", "run", "-o", "ingest.summary_max_tokens=90"),
    ("eval", "add", "Why?", "--source", HIDDEN_PATH),
    ("eval", "import", "questions.jsonl"),
    ("eval", "import", "--feedback"),
    ("eval", "draft", "--number", "2"),
    ("eval", "accept", "manual/deal"),
    ("eval", "remove", "manual/deal"),
    ("eval", "calibrate", "--dry-run"),
]  # fmt: skip


@pytest.fixture(scope="session")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Projects:
    """Without and with hidden sources, built once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OLLAMA_HOST", "127.0.0.1:1")
        return build_projects(tmp_path_factory.mktemp("roles"))


@pytest.fixture
def attempt(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Attempt:
    """Run a public caller's words in a copy of a project: status, streams and files as one text."""
    root = tmp_path / "demo"

    def call(project: Path, *words: str, text: str | None = None) -> str:
        shutil.copytree(project, root)
        with monkeypatch.context() as patch:
            patch.chdir(root)
            done = run(*words, "--role", "public", text=text)
        files = sorted(path for path in (root / "output").rglob("*") if path.is_file())
        written = [f"{path.name}:\n{mask(path.read_text(encoding='utf-8'))}" for path in files]
        shutil.rmtree(root)
        return "\n\n".join([str(done.status), mask(done.out), mask(done.err), *written])

    return call


@pytest.mark.parametrize("words", BOTH_FORMS, ids=" ".join)
def test_a_public_caller_sees_no_difference(
    projects: Projects, attempt: Attempt, words: tuple[str, ...]
) -> None:
    plain, guarded = projects
    assert attempt(guarded, *words) == attempt(plain, *words)


@pytest.mark.parametrize("words", [*BOTH_FORMS, *JSON_ONLY], ids=" ".join)
def test_a_public_caller_sees_no_difference_in_json(
    projects: Projects, attempt: Attempt, words: tuple[str, ...]
) -> None:
    plain, guarded = projects
    assert attempt(guarded, *words, "--json") == attempt(plain, *words, "--json")


def test_a_public_chat_with_a_follow_up_sees_no_difference(
    projects: Projects, attempt: Attempt
) -> None:
    text = f"{NORMAL}\nAnd its supply?\n{SECRET}\nAnd in euro?\n"
    plain, guarded = projects
    assert attempt(guarded, "chat", text=text) == attempt(plain, "chat", text=text)
