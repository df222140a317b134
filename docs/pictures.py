"""Make the pictures of ``docs/pictures/`` from the example project.

    .venv/bin/python docs/pictures.py

Approves both specifications of the example in a folder of its own, writes their drafts
with the built-in writer, accepts and builds them, and keeps some pages of the PDF as
pictures; asks the example's questions, and keeps how the gate scored them. Needs no
network and no model.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pypdfium2

from foundry.evaluation.plots import plot_gate_scores
from foundry.evaluation.questions import import_questions
from foundry.evaluation.runs import RunRequest, run_questions
from foundry.journeys.delivery import build, choose_targets
from foundry.journeys.drafts import accept_draft, register_draft
from foundry.journeys.generate import generate
from foundry.journeys.ingest import ingest
from foundry.journeys.specifications import approve_specification
from foundry.render.files import write_document
from foundry.render.markdown import render_markdown
from foundry.workspace import Workspace, open_workspace

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
PEOPLE = {"wiring-guide": "Daan Verbeke", "veiligheid": "Sanne Kuiper"}


def main(folder: Path) -> None:
    """Build the example's document in ``folder`` and take the pictures."""
    shutil.copytree(ROOT / "examples" / "dmx-controller", folder, dirs_exist_ok=True)
    with open_workspace(folder, environment={}, cwd=folder) as workspace:
        ingest(workspace)
        for name, person in PEOPLE.items():
            write_accepted_draft(workspace, name, person)
        targets = choose_targets(workspace)
        title = "LC-512 DMX lighting controller"
        build(
            workspace,
            targets,
            created=datetime.now(UTC),
            title=title,
            language="en",
            allow_stale=True,
            overwrite=True,
        )
        draw_gate_scores(workspace)
    take_pictures(targets.files["pdf"])


def write_accepted_draft(workspace: Workspace, name: str, person: str) -> None:
    """Approve a specification, write its draft and accept it."""
    feature = approve_specification(workspace, name, person)
    draft = generate(workspace, feature.title, feature=feature)
    path = workspace.root / "output" / f"{name}.md"
    text = render_markdown(draft)
    write_document(path, text, overwrite=True)
    record = register_draft(workspace, draft, path, text)
    accept_draft(workspace, record.path, person)


def draw_gate_scores(workspace: Workspace) -> None:
    """Ask the example's questions, and draw the gate's scores as the report does."""
    import_questions(workspace, [ROOT / "examples" / "questions.jsonl"])
    _, results = run_questions(workspace, RunRequest(kind="retrieval"))
    plot = plot_gate_scores(
        [one.score or 0.0 for one in results if one.question.answerable],
        [one.score or 0.0 for one in results if one.question.answerable is False],
        threshold=workspace.config.retrieval.min_score,
    )
    (PICTURES / "gate-scores.svg").write_text(plot, encoding="utf-8")


def take_pictures(pdf: Path) -> None:
    """The cover, the contents, the first pages of text and the register, 16 colours each."""
    PICTURES.mkdir(exist_ok=True)
    document = pypdfium2.PdfDocument(pdf)
    pages = {"cover": 0, "contents": 1, "chapter": 2}
    texts = [page.get_textpage().get_text_bounded() for page in document]
    pages["register"] = next(
        at for at, text in enumerate(texts) if at > 1 and "Source register" in text[:200]
    )
    for name, at in pages.items():
        picture = document[at].render(scale=1.25).to_pil().convert("L").quantize(16)
        picture.save(PICTURES / f"delivery-{name}.png", optimize=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as made:
            main(Path(made) / "example")
