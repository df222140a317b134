"""The Protocols of what there is several of: readers of files and models.

An adapter matches one by its methods and inherits nothing. The store has one implementation, and
journeys use its classes (``foundry.store``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Generator as Pieces
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, runtime_checkable

from foundry.messages import Message
from foundry.records import Document, Usage

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]
else:
    # Parser processes import this module and do not need numpy.
    Vectors = Any
"""Embeddings, shape (n, dimension), rows of length 1."""

CountTokens = Callable[[str], int]
"""Counts the tokens of a text in the tokenizer shared by all budgets of a project."""

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosines of one text to each of the others, from an embedder that knows their languages."""


@dataclass(frozen=True, slots=True)
class ChunkVectors:
    """The vectors of a chunk: ``whole``, shape (dimension,), and ``windows``, shape (n, dimension).

    ``whole`` is the mean of prefix and windows, scaled to length 1; it finds candidates. The
    windows, in the order of ``craft.windows.cut_windows``, decide how near they are. ``packed``
    is how a store has the windows that it returns: another one keeps them so, without a loss.
    """

    whole: Vectors
    windows: Vectors
    packed: bytes = b""


class Embedder(Protocol):
    """One embedding model."""

    @property
    def model(self) -> str:
        """The configured name, such as ``builtin/multilingual-e5-small``."""

    @property
    def local(self) -> bool:
        """True if no text leaves this machine."""

    @property
    def lanes(self) -> int:
        """How many batches to embed at the same time."""

    def dimension(self) -> int:
        """Length of a vector; may call the model once."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), dimension)."""

    def embed_query(self, text: str) -> Vectors:
        """The vector of one query, shape (dimension,)."""

    def fingerprint(self) -> str:
        """A hash of model, dimension and prefixes; vectors compare only under the same one."""


class Reranker(Protocol):
    """A model that reads a question and a passage together."""

    @property
    def model(self) -> str:
        """The configured name, such as ``builtin/late-interaction``."""

    @property
    def local(self) -> bool:
        """True if no text leaves this machine."""

    def score_passages(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """A score for each passage, comparable within the call; raises ``ModelError``."""


@runtime_checkable
class Classifier(Protocol):
    """A judge that only knows yes and no, without a prompt: a model of inference."""

    @property
    def model(self) -> str:
        """The configured name, such as ``onnx:models/nli``."""

    @property
    def local(self) -> bool:
        """True if no text leaves this machine."""

    def entails(self, passage: str, statement: str) -> float:
        """How probably the passage says all that the statement says, 0 to 1."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt; ``role`` is "system", "user" or "assistant"."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply. ``data`` is the parsed object if a schema was given, else None.

    ``notices`` report what the gateway had to do ("The model ignored the schema; its reply was
    read as prose.").
    """

    text: str
    data: Mapping[str, Any] | None
    usage: Usage
    model: str
    notices: tuple[Message, ...] = ()


class Generator(Protocol):
    """One language model."""

    @property
    def model(self) -> str:
        """The configured LiteLLM name."""

    @property
    def local(self) -> bool:
        """True if no text leaves this machine."""

    def generate(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """One completion, structured if a JSON Schema is given; raises ``ModelError``."""

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Pieces[str, None, Reply]:
        """Yields pieces of text, then returns the ``Reply``; closing it cancels the call."""

    def window(self) -> int:
        """The context window in tokens."""


Progress = Callable[["Step"], None]
"""Receives every step of long work; a face draws the progress bar."""


Phase = Literal[
    "measure",
    "fit",
    "judge",
    "verify",
    "search",
    "draft",
    "import",
    "ask",
    "read",
    "outside",
    "cut",
    "store",
    "check",
    "summaries",
    "prefixes",
    "settle",
    "plan",
    "stop",
    "copy",
    "embed",
    "wait",
    "note",
    "write",
    "render",
]
"""What work may be at; the catalogue has a word for each, as for each unit."""
Unit = Literal[
    "files",
    "runs",
    "folds",
    "questions",
    "passages",
    "sources",
    "documents",
    "statements",
    "chunks",
    "tokens",
    "sections",
    "formats",
    "bytes",
    "",
]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of long work: ``done`` of ``total`` ``unit`` in a ``phase``, now at ``item``."""

    phase: Phase
    done: int
    total: int
    unit: Unit
    item: str | Message = ""


Event = TypeVar("Event")
Result = TypeVar("Result")


def run_to_end(
    steps: Pieces[Event, None, Result], on_event: Callable[[Event], None] = lambda _event: None
) -> Result:
    """Run to the end, showing each event; whatever ends it closes the model's call."""
    with closing(steps):
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                result: Result = end.value
                return result
            on_event(event)


class PageService(Protocol):
    """A service that reads pages; it can be sent to another process."""

    @property
    def kind(self) -> str:
        """Whose replies it gives: "docling" or "mineru"."""

    @property
    def name(self) -> str:
        """Its name and version."""

    @property
    def all_pages(self) -> bool:
        """Whether it gets every page, or only those without text of their own."""

    @property
    def problem(self) -> Message | None:
        """Why it cannot be asked, if it cannot."""

    def read_pages(self, pages: Iterable[bytes]) -> Iterator[object]:
        """The reply for each page, a PDF of its own: JSON, or the ``FoundryError`` that it met."""


class Reader(Protocol):
    """Reads a file; raises ``ReadError``, and never returns an empty document silently."""

    def __call__(self, path: Path, options: ReadOptions) -> Document: ...


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a reader may need besides the file.

    ``name`` is the file's path in the project, for messages; ``passwords`` are tried in turn on
    encrypted files; ``ocr`` is the value of ``ingest.ocr``; ``temporary`` is a folder for scratch
    files; ``time_s`` is the time limit for the file, or None. ``as_written`` keeps the markup and
    the lines of Markdown, for a text that is checked itself or has places in it. ``outside`` is the
    service that reads pages, if one does.
    """

    name: str
    passwords: tuple[str, ...] = ()
    ocr: str = "auto"
    temporary: Path | None = None
    time_s: float | None = None
    as_written: bool = False
    outside: PageService | None = None
