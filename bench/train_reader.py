"""Trains a reader of question and passage together, and judges it on groups left out.

    python -m bench.train_reader prepare --data DIR --out FOLDER
    python -m bench.train_reader fit --out FOLDER [--balanced --passes 2]

Needs ``torch`` and ``scikit-learn`` beside Foundry. The lower layers are the built-in embedder's
own and never change: ``prepare`` runs them once for every pair. ``fit`` trains the layers above
and three heads, once for each part of the groups left out, and prints the figures there. *Wording*
is the same label after each question got another passage: what it is above .5 was learnt from the
questions alone. The verdict on it: docs/evaluation/experiments.md.
"""

from __future__ import annotations

import argparse
import json
import pickle
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  (its usual name)
from torch import Tensor, nn

from bench.reader_figures import report
from bench.reader_pairs import (
    NO,
    Pair,
    PairWriter,
    Searched,
    write_claims,
    write_halves,
    write_questions,
)
from bench.written import judge_retrieval, load_questions, open_project, retrieve_written
from foundry.config import get_cache_folder
from foundry.models.e5.graph import EPSILON
from foundry.models.e5.tokenizer import PieceTokenizer, index_pieces
from foundry.models.e5.weights import (
    END,
    HEADS,
    HIDDEN,
    INNER,
    LAYERS,
    START,
    E5Weights,
    read_weights,
)

FROZEN = 9
SEED = 1
BATCH = 16
RATE, HEAD_RATE, DECAY = 2e-4, 1e-3, 0.9
"""Of the probe: 1.5e-4 to 2e-4 with 0.9 a layer; not searched."""
PARTS = (
    ("filings", "product", "example"), ("developer",), ("guidance", "encyclopedia"),
)  # fmt: skip
"""Groups left out together."""
HALVES = ("clapnq", "squad2_half")
"""Published sets: judged, never trained on."""
TASKS = ("answer", "support", "relevant")


def prepare(data: Path, out: Path, sample: int | None) -> None:
    """Write the pairs and what the frozen layers make of them."""
    out.mkdir(parents=True, exist_ok=True)
    weights = read_weights(get_cache_folder({}))
    tokenizer = PieceTokenizer(weights, *index_pieces(weights))
    writer, searched = PairWriter(weights, tokenizer), list(search(data, sample))
    pairs = [
        *write_questions(writer, data, searched),
        *write_claims(writer, data),
        *write_halves(writer, data, "clapnq", 300),
        *write_halves(writer, data, "squad2_half", 300),
    ]
    known = {
        one.question.id: (one.gate, max((c.cosine for c in one.candidates), default=0.0))
        for one in searched
    }
    (out / "untrained.json").write_text(json.dumps(known))
    print(len(pairs), "pairs", flush=True)
    np.save(out / "lengths.npy", run_lower(weights, tokenizer, pairs, out / "states.npy"))
    (out / "pairs.pkl").write_bytes(pickle.dumps(pairs))


def search(data: Path, sample: int | None) -> Iterator[Searched]:
    """What the product finds for the written questions, and its gate's score."""
    with open_project(data) as workspace:
        for question in load_questions(data)[:sample]:
            found = retrieve_written(workspace, question)
            group = judge_retrieval(workspace, question, found).group
            yield Searched(question, group, found.candidates, found.gate.score)


@torch.no_grad()
def run_lower(
    weights: E5Weights, tokenizer: PieceTokenizer, pairs: Sequence[Pair], path: Path
) -> np.ndarray:
    """Write the states after the frozen layers; tokens up to the passage, and of each pair."""
    inputs, lengths = join_tokens(tokenizer, pairs)
    ends = np.cumsum(lengths[:, 1])
    states = np.lib.format.open_memmap(path, "w+", np.float16, (int(ends[-1]), HIDDEN))
    layers = [Layer(weights, number).eval() for number in range(FROZEN)]
    norm, order = read_norm(weights, "emb.ln"), np.argsort(lengths[:, 1], kind="stable")
    for place in range(0, len(order), 2 * BATCH):
        batch = order[place : place + 2 * BATCH]
        rows = np.zeros((len(batch), lengths[batch, 1].max(), HIDDEN), np.float32)
        for row, one in enumerate(batch):
            rows[row, : lengths[one, 1]] = weights.read_rows(inputs[one])
        mask = make_mask(torch.arange(rows.shape[1])[None] < torch.tensor(lengths[batch, 1:]))
        with torch.autocast("cpu", torch.bfloat16):
            found = norm(torch.tensor(rows)).bfloat16()
            for layer in layers:
                found = layer(found, mask)
        for row, one in enumerate(batch):
            size = lengths[one, 1]
            states[ends[one] - size : ends[one]] = found[row, :size].float().numpy()
    return lengths


def join_tokens(
    tokenizer: PieceTokenizer, pairs: Sequence[Pair]
) -> tuple[list[list[int]], np.ndarray]:
    """Tokens of each pair; how many come before the passage, and how many there are."""
    before, passage = tokenizer.split_text("query:"), tokenizer.split_text("passage:")
    first = [[START, *before, *pair.asked, END] for pair in pairs]
    whole = [[*a, *passage, *p.passage, END] for a, p in zip(first, pairs, strict=True)]
    return whole, np.array([(len(a), len(b)) for a, b in zip(first, whole, strict=True)])


def make_mask(whole: Tensor) -> Tensor:
    """What attention adds: nothing where there is a token."""
    return torch.zeros(whole.shape).masked_fill(~whole, -1e4)[:, None, None].bfloat16()


def read_norm(weights: E5Weights, name: str) -> nn.LayerNorm:
    """A normalisation of the packed weights."""
    norm = nn.LayerNorm(HIDDEN, eps=EPSILON)
    norm.weight.data = torch.tensor(weights.read_vector(f"{name}.w"))
    norm.bias.data = torch.tensor(weights.read_vector(f"{name}.b"))
    return norm


class Layer(nn.Module):
    """One layer of the encoder, from the packed weights."""

    def __init__(self, weights: E5Weights, number: int) -> None:
        super().__init__()
        sizes = {"qkv": (HIDDEN, 3 * HIDDEN), "ao": (HIDDEN, HIDDEN), "fi": (HIDDEN, INNER),
                 "fo": (INNER, HIDDEN)}  # fmt: skip
        names = {"qkv": ("q", "k", "v")}
        for part, size in sizes.items():
            parts = [f"l{number}.{one}" for one in names.get(part, (part,))]
            linear = nn.Linear(*size)
            linear.weight.data = torch.tensor(weights.read_matrix(*(f"{p}.w" for p in parts)))
            linear.bias.data = torch.tensor(weights.read_vector(*(f"{p}.b" for p in parts)))
            setattr(self, part, linear)
        for part in ("aln", "oln"):
            setattr(self, part, read_norm(weights, f"l{number}.{part}"))

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """States of the next layer."""
        count, length, _ = states.shape
        heads = self.qkv(states).view(count, length, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(*heads, attn_mask=mask)
        seen = seen.transpose(1, 2).reshape(count, length, HIDDEN)
        drop = 0.1 if self.training else 0.0
        states = self.aln(states + F.dropout(self.ao(seen), drop, self.training))
        inner = self.fo(F.gelu(self.fi(states)))
        return cast("Tensor", self.oln(states + F.dropout(inner, drop, self.training)))


class JointReader(nn.Module):
    """The upper layers and three heads on ``<s>``, the mean question and the mean passage."""

    def __init__(self, weights: E5Weights) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(weights, number) for number in range(FROZEN, LAYERS))
        self.heads = nn.Sequential(
            nn.Linear(3 * HIDDEN, 256), nn.GELU(), nn.Dropout(0.1), nn.Linear(256, len(TASKS))
        )

    def forward(self, states: Tensor, first: Tensor, ends: Tensor) -> Tensor:
        """Logits of the three tasks, shape (pairs, 3)."""
        places = torch.arange(states.shape[1])[None]
        whole = places < ends[:, None]
        mask = make_mask(whole)
        for layer in self.layers:
            states = layer(states, mask)
        states, asked = states.float(), places < first[:, None]
        means = [_average(states, one) for one in (asked, whole & ~asked)]
        return cast("Tensor", self.heads(torch.cat([states[:, 0], *means], dim=1)))


def _average(states: Tensor, chosen: Tensor) -> Tensor:
    return (states * chosen[..., None]).sum(1) / chosen.sum(1, keepdim=True).clamp(min=1)


class PairStore:
    """The prepared pairs."""

    def __init__(self, folder: Path) -> None:
        self.pairs: list[Pair] = pickle.loads((folder / "pairs.pkl").read_bytes())
        self._lengths = np.load(folder / "lengths.npy")
        self._states = np.load(folder / "states.npy")
        self._ends = np.cumsum(self._lengths[:, 1])

    def batch(self, chosen: Sequence[int]) -> tuple[Tensor, Tensor, Tensor]:
        """States, padded; where the passage begins; where the pair ends."""
        lengths = self._lengths[chosen]
        states = np.zeros((len(chosen), lengths[:, 1].max(), HIDDEN), np.float16)
        for row, (one, size) in enumerate(zip(chosen, lengths[:, 1], strict=True)):
            states[row, :size] = self._states[self._ends[one] - size : self._ends[one]]
        return (torch.tensor(states).bfloat16(), torch.tensor(lengths[:, 0]),
                torch.tensor(lengths[:, 1]))  # fmt: skip

    def divide(self, chosen: Sequence[int], chance: np.random.Generator | None) -> list[list[int]]:
        """Batches of similar length; in random order with ``chance``."""
        order = chance.permutation(chosen) if chance else np.array(chosen)
        found = []
        for start in range(0, len(order), BATCH * 12):
            part = order[start : start + BATCH * 12]
            part = part[np.argsort(self._lengths[part, 1])]
            found += [part[n : n + BATCH].tolist() for n in range(0, len(part), BATCH)]
        if chance:
            chance.shuffle(found)
        return found


def train(
    store: PairStore, reader: JointReader, chosen: Sequence[int], passes: int, seed: int
) -> None:
    """Train the reader on these pairs."""
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    optimizer = open_optimizer(reader)
    base = [group["lr"] for group in optimizer.param_groups]
    batches = [one for _ in range(passes) for one in store.divide(chosen, chance)]
    losses = []
    for step, batch in enumerate(batches):
        share = min(1.0, (step + 1) / (0.08 * len(batches))) * (1 - 0.9 * step / len(batches))
        for group, rate in zip(optimizer.param_groups, base, strict=True):
            group["lr"] = rate * share
        labels = torch.tensor(
            [[getattr(store.pairs[one], task) for task in TASKS] for one in batch]
        )
        with torch.autocast("cpu", torch.bfloat16):
            logits = reader(*store.batch(batch)).float()
        known = labels != NO
        loss = F.binary_cross_entropy_with_logits(logits[known], labels[known].float())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        losses.append(float(loss))
        if step % 50 == 49:
            used = f"{time.process_time():.0f} core-s"
            print(step + 1, len(batches), f"loss {np.mean(losses[-50:]):.4f}", used, flush=True)


def open_optimizer(reader: JointReader) -> torch.optim.Optimizer:
    """AdamW; the deeper a layer, the slower it learns."""
    parameters: list[dict[str, Any]] = [{"params": reader.heads.parameters(), "lr": HEAD_RATE}]
    for depth, layer in enumerate(reversed(reader.layers)):
        parameters.append({"params": layer.parameters(), "lr": RATE * DECAY**depth})
    return torch.optim.AdamW(parameters, weight_decay=0.01)


@torch.no_grad()
def score(store: PairStore, reader: JointReader, chosen: Sequence[int]) -> np.ndarray:
    """Logits, shape (pairs, 3)."""
    reader.eval()
    found = {}
    for batch in store.divide(chosen, None):
        with torch.autocast("cpu", torch.bfloat16):
            found.update(zip(batch, reader(*store.batch(batch)).float().numpy(), strict=True))
    reader.train()
    return np.array([found[one] for one in chosen])


def choose_pairs(
    pairs: Sequence[Pair], left_out: Sequence[str], *, balanced: bool
) -> Iterator[int]:
    """The pairs to train on: written ones of other groups, with a label, each window once.

    ``balanced``: only questions with an answer, each with windows that have it and that have
    not, so that a question's wording says nothing about the label.
    """
    seen = set()
    for number, pair in enumerate(pairs):
        labels = (pair.answer, pair.support, pair.relevant)
        key = (pair.asked, pair.passage)
        judged_only = pair.group in (*left_out, *HALVES)
        if balanced and (pair.truth != 1 or pair.use.startswith("claim")):
            continue
        if judged_only or labels == (NO,) * 3 or key in seen:
            continue
        seen.add(key)
        yield number


def fit(out: Path, name: str, passes: int, *, balanced: bool) -> None:
    """Train once for each part left out, and print the figures of its groups."""
    torch.set_num_threads(1)
    store, weights = PairStore(out), read_weights(get_cache_folder({}))
    scores = np.full((len(store.pairs), len(TASKS)), np.nan, np.float32)
    for part in PARTS:
        chosen = list(choose_pairs(store.pairs, part, balanced=balanced))
        print(part, len(chosen), "pairs", flush=True)
        reader = JointReader(weights)
        train(store, reader, chosen, passes, SEED)
        groups = (*part, *HALVES) if part == PARTS[-1] else part
        rest = [n for n, one in enumerate(store.pairs) if one.group in groups]
        scores[rest] = score(store, reader, rest)
        np.save(out / f"scores-{name}.npy", scores)
        torch.save(reader.state_dict(), out / f"reader-{name}-{part[0]}.pt")
    untrained = json.loads((out / "untrained.json").read_text())
    for line in report(store.pairs, scores, untrained):
        print(line)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("prepare", "fit"))
    parser.add_argument("--data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sample", type=int, help="questions")
    parser.add_argument("--passes", type=int, default=1)
    parser.add_argument("--balanced", action="store_true")
    parser.add_argument("--name", default="first")
    given = parser.parse_args()
    if given.step == "prepare":
        prepare(given.data, given.out, given.sample)
    else:
        fit(given.out, given.name, given.passes, balanced=given.balanced)


if __name__ == "__main__":
    main()
