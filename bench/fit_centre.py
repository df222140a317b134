"""The mean vector of the built-in model's tokens: ``python -m bench.fit_centre --write``.

Over the passages of the example project, Dutch and English. The mean of other sets has a cosine of
.95 with it and ranks the same.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np

from bench.example import open_example
from foundry.config import get_cache_folder
from foundry.craft.windows import cut_windows
from foundry.models.builtin_embedder import load_builtin
from foundry.models.e5.weights import END, START, WINDOW

CENTRE = Path(__file__).parents[1] / "src/foundry/models/e5/centre.bin"


def compute_centre() -> np.ndarray:
    """Shape (384,), half precision."""
    model = load_builtin(get_cache_folder(os.environ))
    before = model.tokenizer.split_text("passage:")
    found = []
    with open_example() as workspace:
        for source in workspace.store.list_sources():
            for chunk in workspace.store.source_chunks(source.id):
                for window in cut_windows(chunk):
                    tokens = [*before, *model.tokenizer.split_text(window.text)][:WINDOW]
                    rows = model.weights.read_rows([START, *tokens, END])
                    found.append(model.engine.encode_tokens(rows)[1 + len(before) : -1])
    return np.concatenate(found).mean(axis=0).astype(np.float16)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write centre.bin")
    centre = compute_centre()
    print(f"length {np.linalg.norm(centre.astype(np.float32)):.2f}")
    if parser.parse_args().write:
        CENTRE.write_bytes(centre.tobytes())
