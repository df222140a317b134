"""A small bilingual project to ask questions of: tables, definitions, a transcript, two data sheets."""

from __future__ import annotations

from pathlib import Path

from foundry.journeys.ingest import ingest
from foundry.workspace import open_workspace

RANGE = "The supply range is 18 V to 32 V."
SHEET = """# DX-4 - Data sheet, Rev. {revision}

## 1 General

The DX-4 is a lighting controller for one universe of 512 slots.

{range}

## 2 Electrical

| Parameter | Min | Max | Unit |
|---|---|---|---|
| Input current | 120 | {most} | mA |
| Break time | 92 | 176 | µs |

Each output drives up to 32 unit loads.
"""
MANUAL = """# DX-4 - Handleiding

## 3 Onderhoud

### 3.1 Zekering vervangen

Neem eerst de spanning weg en open het klepje van de houder.

### 3.2 Foutcodes

| Code | Betekenis |
|---|---|
| E01 | Voedingsspanning te laag |
| E05 | Temperatuur te hoog |

De bufferaccu van de klok gaat 8 jaar mee. De pincode bij levering is 5120.
"""
CALL = """WEBVTT

00:00:01.200 --> 00:00:04.000
<v Ann>The hall opens again on the twelfth.

00:00:05.700 --> 00:00:09.000
<v Bob>Then the new units must be there in May.
"""
FILES = {
    "sheets/a/sheet.md": SHEET.format(revision="A", most=350, range=RANGE),
    "sheets/b/sheet.md": SHEET.format(revision="B", most=400, range=RANGE),
    "handleiding.md": MANUAL,
    "call.vtt": CALL,
}
A, B, HANDLEIDING = (
    "sources/sheets/a/sheet.md",
    "sources/sheets/b/sheet.md",
    "sources/handleiding.md",
)


def make_project(root: Path) -> Path:
    """The project, ingested."""
    (root / "sources").mkdir(parents=True)
    (root / "foundry.yaml").write_text("project: {id: prj_questions}\n", encoding="utf-8")
    for name, text in FILES.items():
        path = root / "sources" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
    return root
