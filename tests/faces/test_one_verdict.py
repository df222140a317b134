"""One sentence with the same evidence has one verdict, whatever face it comes through."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from foundry.journeys.ask import ask
from foundry.journeys.drafts import verify_draft
from foundry.journeys.generate import generate
from foundry.journeys.ingest import ingest
from foundry.journeys.verify import verify, verify_text
from foundry.records import ClaimCheck
from foundry.web.app import make_app
from foundry.web.site import open_site
from foundry.workspace import Workspace, open_workspace
from tests.faces.mcp.test_tools import detail
from tests.journeys.answers import FUSE, RATED, chat, online
from tests.journeys.draft_files import FUSE as QUOTED
from tests.journeys.draft_files import put_draft
from tests.journeys.draft_runs import feature
from tests.support.model_server import Json, ModelServer, Request

SOURCE = """# DX-4 datasheet

## 3 Electrical

### 3.1 Supply

The input fuse is rated at 3.15 A slow. The store held 969 fuses in May, and 982 in June.

| Fuse | Current |
|---|---|
| Input fuse F1 | 3.15 A |
| Output fuse F2 | 1.6 A |
"""
LOOSE = "A slow fuse of 3.15 A protects the input."
WITHOUT_JUDGE = {
    RATED: "exact",
    "The input fuse is rated at 6.3 A slow.": "contradicted",
    "The current of the input fuse F1 is 3.15 A.": "exact",
    "The current of the input fuse F1 is 1.6 A.": "contradicted",
    "The store held 982 fuses in June, 13 more than the 969 in May.": "unclear",
    "The input fuse of article 4455 is rated as slow.": "unclear",
    LOOSE: "unclear",
}
WITH_JUDGE = {
    (LOOSE, "supported"): "supported",
    (LOOSE, "partly"): "partly",
    (LOOSE, "not"): "unsupported",
    ("A slow fuse of 1.6 A protects the input.", "supported"): "unclear",
    ("The input fuse of article 4455 is rated as slow.", "supported"): "unclear",
    ("The current of the input fuse F1 is 1.6 A.", "supported"): "contradicted",
    (RATED, "not"): "exact",
}


@dataclass
class Face:
    """A project whose model writes one sentence, on which a judge says ``verdict``."""

    workspace: Workspace
    server: ModelServer

    def script(self, sentence: str, verdict: str) -> None:
        self.server.default = lambda request: _reply(request, sentence, verdict)

    def ask(self, _sentence: str) -> list[ClaimCheck]:
        return [*ask(self.workspace, FUSE).checks]

    def chat(self, _sentence: str) -> list[ClaimCheck]:
        return [*chat(self.workspace, FUSE, []).answer.checks]

    def generate(self, _sentence: str) -> list[ClaimCheck]:
        draft = generate(self.workspace, "The DX-4", feature=feature("The input fuse"), fresh=True)
        return [*draft.sections[0].checks]

    def verify_draft(self, sentence: str) -> list[ClaimCheck]:
        record = put_draft(self.workspace, QUOTED, feature=None)
        path = self.workspace.root / record.path
        written = path.read_text(encoding="utf-8").replace(f"{QUOTED}[", f"{sentence}[", 1)
        path.write_text(written, encoding="utf-8")
        checked = verify_draft(self.workspace, record.path).verification
        return [one.check for one in checked.statements] if checked else []

    def verify(self, sentence: str) -> list[ClaimCheck]:
        return [one.check for one in verify_text(self.workspace, sentence.encode()).statements]

    def verify_file(self, sentence: str) -> list[ClaimCheck]:
        path = self.workspace.root / "letter.md"
        path.write_text(f"{sentence} [source: datasheet.md]\n", encoding="utf-8")
        return [one.check for one in verify(self.workspace, path).statements]

    def http(self, sentence: str) -> list[dict[str, str]]:
        site = open_site(self.workspace, "127.0.0.1")
        with TestClient(make_app(site), base_url="http://127.0.0.1") as client:
            reply = client.post("/api/v2/verify", json={"text": sentence}).json()
        return list(reply["statements"])

    def mcp(self, sentence: str) -> list[dict[str, str]]:
        return list(
            detail(self.workspace, "verify_text", text=sentence).structured_content["statements"]
        )


FACES = ("ask", "chat", "generate", "verify_draft", "verify", "verify_file", "http", "mcp")


def _reply(request: Request, sentence: str, verdict: str) -> Json:
    lines = dict(re.findall(r"^(S\d+)\| (.*)$", request.prompt, re.MULTILINE)[::-1])
    if not str(request.messages[-1]["content"]).startswith("Judge statements"):
        return Json({"sentences": [{"text": sentence, "citations": [*lines]}]})
    quotes = [
        {"passage": id_, "quote": RATED}
        for id_, line in re.findall(r"^(S\d+)\| (.*)$", request.prompt, re.MULTILINE)
        if RATED in line
    ]
    claims = re.findall(r"^(C\d+)\| (?:\[.*?\] )?(.+)$", request.prompt, re.MULTILINE)
    said = [(id_, verdict if text == sentence else "not") for id_, text in claims]
    return Json({"verdicts": [{"id": id_, "quotes": quotes, "verdict": one} for id_, one in said]})


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("one") / "project"
    (root / "sources").mkdir(parents=True)
    (root / "foundry.yaml").write_text("project: {id: prj_one}\n", encoding="utf-8")
    (root / "sources" / "datasheet.md").write_text(SOURCE, encoding="utf-8")
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
    return root


@pytest.fixture(scope="module", params=["none", "openai/judge"], ids=["rules", "judge"])
def face(root: Path, request: pytest.FixtureRequest) -> Iterator[Face]:
    remove = {"FOUNDRY_VALIDATION__ON_UNSUPPORTED": "remove"}
    judge = {"FOUNDRY_VALIDATION__VERIFIER": str(request.param)}
    with ModelServer() as server, online(root, server, **remove, **judge) as workspace:
        yield Face(workspace, server)


def _read_verdict(face: Face, name: str, sentence: str) -> str:
    get: Callable[[str], list[ClaimCheck] | list[dict[str, str]]] = getattr(face, name)
    found = get(sentence)
    assert len(found) == 1, found
    (check,) = found
    return check.verdict if isinstance(check, ClaimCheck) else check["verdict"]


@pytest.mark.parametrize("face", ["none"], indirect=True)
@pytest.mark.parametrize(("sentence", "verdict"), WITHOUT_JUDGE.items())
def test_the_rules_say_the_same_through_every_face(face: Face, sentence: str, verdict: str) -> None:
    face.script(sentence, "")
    found = {name: _read_verdict(face, name, sentence) for name in FACES}
    assert found == dict.fromkeys(FACES, verdict)


@pytest.mark.parametrize("face", ["openai/judge"], indirect=True)
@pytest.mark.parametrize(("said", "verdict"), WITH_JUDGE.items())
def test_a_judge_decides_the_same_through_every_face(
    face: Face, said: tuple[str, str], verdict: str
) -> None:
    sentence, judged = said
    face.script(sentence, judged)
    found = {name: _read_verdict(face, name, sentence) for name in FACES}
    assert found == dict.fromkeys(FACES, verdict)
