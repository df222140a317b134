"""Generated inputs of any size: a manual as PDF, and a folder of small text sources."""

from __future__ import annotations

import random
from pathlib import Path

from fpdf import FPDF

SUBJECTS = [
    "controller",
    "cable",
    "fixture",
    "dimmer",
    "splitter",
    "connector",
    "display",
    "menu",
    "scene",
    "channel",
]
VERBS = [
    "accepts",
    "limits",
    "reports",
    "stores",
    "repeats",
    "measures",
    "protects",
    "drives",
    "monitors",
    "releases",
]
OBJECTS = (
    *("the signal", "the address", "the current", "the temperature", "each packet"),
    "the refresh rate",
)
TAILS = (
    "when the input is lost",
    "within {n} milliseconds",
    "up to {n} metres from the rack",
    "at {n} percent of the rated load",
    "after {n} hours of operation",
    "unless mode {n} is selected",
)


def write_sentences(rng: random.Random, count: int) -> str:
    """Sentences with numbers, all different."""
    return " ".join(
        f"The {rng.choice(SUBJECTS)} {rng.choice(VERBS)} {rng.choice(OBJECTS)} "
        f"{rng.choice(TAILS).format(n=rng.randint(2, 9999))}."
        for _ in range(count)
    )


def write_manual(path: Path, pages: int, seed: int = 1) -> None:
    """A manual with an outline, numbered sections, prose and a table on every fifth page."""
    rng = random.Random(seed)
    pdf = FPDF()
    pdf.set_font("Helvetica", size=11)
    for number in range(1, pages + 1):
        pdf.add_page()
        title = f"{number // 10 + 1}.{number % 10 + 1} Section on {rng.choice(SUBJECTS)}"
        pdf.start_section(title)
        pdf.set_font("Helvetica", "B", 14)
        pdf.multi_cell(0, 8, title, new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("Helvetica", size=11)
        for _ in range(6):
            pdf.multi_cell(0, 5.5, write_sentences(rng, 5), new_x="LMARGIN", new_y="NEXT")
            pdf.ln(2)
        if number % 5 == 0:
            with pdf.table() as table:
                for row in range(6):
                    values = (rng.choice(SUBJECTS), rng.randint(1, 500), f"row {row}")
                    table.row([str(value) for value in values])
    pdf.output(str(path))


def write_sources(folder: Path, count: int, seed: int = 2) -> None:
    """Small Markdown sources of two sections each."""
    rng = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        text = f"# Note {number}\n\n## 1 Use\n\n{write_sentences(rng, 6)}\n\n"
        text += f"## 2 Limits\n\n{write_sentences(rng, 6)}\n"
        (folder / f"note-{number:03d}.md").write_text(text)
