"""Every key of ``foundry.yaml`` with its bound, its default and a line of documentation."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from foundry.records import Confidentiality, SearchMode

LOCAL_PROVIDERS = ("builtin", "onnx", "ollama", "ollama_chat", "none")
BUILTIN_EMBEDDING = "builtin/multilingual-e5-small"
BUILTIN_GENERATOR = "builtin/extractive"

Profile = Literal["cheap", "balanced", "premium"]
Bounds = tuple[Annotated[int, Field(ge=1, le=8000)], Annotated[int, Field(ge=1, le=8000)]]
Overlap = tuple[Annotated[int, Field(ge=0, le=4000)], Annotated[int, Field(ge=0, le=4000)]]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


class ProjectConfig(_Section):
    """Who the project is."""

    name: str = Field("Untitled project", min_length=1, description="Shown on documents.")
    id: str = Field(
        "prj_default",
        pattern=r"^[A-Za-z0-9_.-]{1,64}$",
        description="Scopes every row in the database; keep it when the folder moves.",
    )
    brief: str | None = Field(
        None, description="A text file inside the project, put verbatim before every prompt."
    )
    brief_max_tokens: int = Field(3000, ge=0, le=100_000, description="Longer briefs are cut.")

    @model_validator(mode="after")
    def _brief_is_a_file(self) -> ProjectConfig:
        if self.brief and "://" in self.brief:
            raise ValueError("brief must be a local file inside the project, not a URL")
        return self


class EmbeddingConfig(_Section):
    """How texts become vectors."""

    model: str = Field(
        BUILTIN_EMBEDDING,
        min_length=1,
        description="builtin/…, onnx:DIRECTORY or any LiteLLM embedding model.",
    )
    context_model: str = Field(
        "builtin/headings",
        min_length=1,
        description="Writes the context put before each chunk: builtin/headings, a model, or none.",
    )


class IngestConfig(_Section):
    """What is read, and how."""

    include: tuple[str, ...] = Field(("**/*",), description="Glob patterns of files to read.")
    exclude: tuple[str, ...] = Field((), description="Glob patterns of files to leave out.")
    chunk_tokens: Bounds = Field((700, 1000), description="Least and most tokens of a chunk.")
    chunk_overlap: Overlap = Field((100, 150), description="Tokens shared by neighbours.")
    summary_model: str = Field("builtin/extractive", description="Writes each source's summary.")
    summary_max_tokens: int = Field(500, ge=20, le=4000, description="Length of a summary.")
    ocr: Literal["auto", "off"] = Field("auto", description="Read scans where Tesseract is there.")
    passwords_from: str | None = Field(
        None,
        description="A file inside the project with passwords for encrypted files, one a line.",
    )
    max_file_mb: int = Field(500, ge=1, le=100_000, description="Larger files fail, with a reason.")
    parse_timeout_s: int = Field(300, ge=1, le=86_400, description="Longest time for one file.")
    parse_memory_mb: int = Field(2048, ge=256, le=1_000_000, description="Memory of one parser.")
    workers: int = Field(0, ge=0, le=256, description="Parser processes; 0 means one per core.")

    @field_validator("chunk_tokens", "chunk_overlap", mode="before")
    @classmethod
    def _two_numbers(cls, value: object) -> object:
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise ValueError("it takes two numbers, [least, most]")
        return value

    @model_validator(mode="after")
    def _bounds_in_order(self) -> IngestConfig:
        for name in ("chunk_tokens", "chunk_overlap"):
            low, high = getattr(self, name)
            if low > high:
                raise ValueError(f"{name} must be [least, most], got [{low}, {high}]")
        least = self.chunk_tokens[0]
        if self.chunk_overlap[1] >= least:
            raise ValueError(
                f"chunk_overlap {list(self.chunk_overlap)} must stay below the least chunk_tokens, "
                f"{least}: set both, such as chunk_overlap: [0, {least // 5}]"
            )
        return self


class RetrievalConfig(_Section):
    """How chunks are found, and when they are enough."""

    mode: SearchMode = Field("hybrid", description="Which channels search.")
    top_k: int = Field(10, ge=1, le=1000, description="Hits per query (per section in a document).")
    top_k_bm25: int = Field(20, ge=1, le=4000, description="Candidates of the text channel.")
    top_k_dense: int = Field(40, ge=1, le=4000, description="Candidates of the vector channel.")
    rrf_k: int = Field(60, ge=1, le=1000, description="The constant of reciprocal rank fusion.")
    fusion: Literal["rrf", "zscore"] = Field(
        "rrf",
        description="How the channels are merged: by ranks, or by scores of at least 100 candidates"
        " each (zscore).",
    )
    hyde: bool = Field(True, description="Search with a model's hypothetical answer.")
    hyde_model: str = Field("none", description="Writes the hypothetical answer.")
    reranker: str = Field("none", description="Re-orders the candidates.")
    scorer_model: str = Field("none", description="Scores each hit from 0 to 10.")
    relevance_threshold: float = Field(4, ge=0, le=10, description="Lower scores are dropped.")
    min_score: float = Field(0.20, ge=0, le=1, description="The gate: below it, no evidence.")
    min_chunks: int = Field(2, ge=1, le=100, description="Fewer good hits mean low confidence.")
    max_context_chunks: int = Field(15, ge=1, le=1000, description="Chunks in one prompt.")


class ModeModels(_Section):
    """The generator of one mode."""

    model: str | None = Field(None, description="The generator in this mode.")
    profiles: dict[Profile, str] = Field({}, description="Models for cheap, balanced, premium.")


class GenerationConfig(_Section):
    """Who writes, from how much."""

    model: str | None = Field(None, description="The generator of both modes where unset there.")
    offline: ModeModels = Field(ModeModels(), description="Used with mode: offline.")
    online: ModeModels = Field(ModeModels(), description="Used with mode: online.")
    budget_tokenizer: str = Field(
        "cl100k_base", description="Counts every budget, the same in both modes."
    )
    token_budget: int = Field(
        8192, ge=0, le=2_000_000, description="Tokens of evidence in a prompt."
    )
    max_source_summaries: int = Field(10, ge=0, le=1000, description="Summaries in a prompt.")
    max_tokens: int = Field(2048, ge=16, le=200_000, description="Longest reply of a model.")
    temperature: float = Field(0.2, ge=0, le=2, description="0 is the most repeatable.")
    language: Literal["question", "nl", "en"] = Field(
        "question", description="Language of answers: as the question, or always one."
    )


class ModelsConfig(_Section):
    """How model servers are called."""

    timeout_s: float = Field(60, gt=0, le=3600, description="Longest wait for one reply.")
    max_retries: int = Field(3, ge=0, le=10, description="Tries after a failure, 60 s at most.")
    max_concurrency: int = Field(4, ge=1, le=256, description="Calls at the same time.")
    cache: bool = Field(True, description="Keep replies, so that the same call costs nothing.")
    confirm_tokens: int = Field(
        500_000, ge=0, description="An ingest that would send more to models asks first."
    )
    confirm_cost: float = Field(
        1.0,
        ge=0,
        description="So does one that would cost more US dollars, where prices are known.",
    )
    api_base: dict[str, str] = Field({}, description="Address per provider, e.g. ollama: http://…")
    windows: dict[str, Annotated[int, Field(ge=256)]] = Field(
        {}, description="Context windows of models that LiteLLM does not know."
    )


class OutputConfig(_Section):
    """Where documents go."""

    dir: str = Field("output", description="Folder for documents, inside the project.")
    allowed_dirs: tuple[str, ...] = Field((), description="Other folders that may be written to.")


class AccessConfig(_Section):
    """What the owner may see."""

    role: Confidentiality = Field("secret", description="Highest confidentiality; flags lower it.")


class LogConfig(_Section):
    """What the query log keeps."""

    retention_days: int | None = Field(None, ge=1, le=36_500, description="Older rows are removed.")
    redact: bool = Field(False, description="Keep no question and no answer text.")


class ValidationConfig(_Section):
    """How strictly a model's text is checked."""

    min_attribution: float = Field(0.90, ge=0, le=1, description="Below it: low confidence.")
    on_unsupported: Literal["remove", "regenerate"] = Field(
        "regenerate",
        description="Ask the model again, stricter, for what no evidence carries; or only remove.",
    )
    max_regenerations: int = Field(2, ge=0, le=10, description="Stricter tries before removal.")
    repair: tuple[Literal["reattribute", "regenerate"], ...] = Field(
        ("reattribute", "regenerate"),
        description="Steps in their order before removal; one left out is not taken.",
    )
    verifier: str = Field(
        "none", description="Judges borderline sentences only: a LiteLLM model, or none."
    )

    @model_validator(mode="after")
    def _each_step_once(self) -> ValidationConfig:
        if len(set(self.repair)) < len(self.repair):
            raise ValueError("repair names a step twice")
        return self

    @property
    def regenerations(self) -> int:
        """How many stricter tries are allowed."""
        wanted = self.on_unsupported == "regenerate" and "regenerate" in self.repair
        return self.max_regenerations if wanted else 0


class StorageConfig(_Section):
    """Where the database is."""

    url: str = Field("sqlite:///.foundry/foundry.db", description="sqlite:///PATH.")


class WebConfig(_Section):
    """The browser application."""

    host: str = Field("127.0.0.1", description="Loopback, unless tokens are set.")
    port: int = Field(8765, ge=0, le=65_535, description="0 takes a free port.")
    tokens: str | None = Field(None, description="A file inside the project with one token a line.")


class Config(_Section):
    """The whole of ``foundry.yaml``."""

    project: ProjectConfig = Field(ProjectConfig(), description="Who the project is.")
    mode: Literal["offline", "online"] = Field(
        "offline", description="Chooses generation.offline or generation.online, nothing else."
    )
    embedding: EmbeddingConfig = Field(EmbeddingConfig(), description="Texts to vectors.")
    ingest: IngestConfig = Field(IngestConfig(), description="Reading sources.")
    retrieval: RetrievalConfig = Field(RetrievalConfig(), description="Finding evidence.")
    generation: GenerationConfig = Field(GenerationConfig(), description="Writing answers.")
    models: ModelsConfig = Field(ModelsConfig(), description="Calling model servers.")
    output: OutputConfig = Field(OutputConfig(), description="Writing documents.")
    access: AccessConfig = Field(AccessConfig(), description="Confidentiality.")
    log: LogConfig = Field(LogConfig(), description="The query log.")
    validation: ValidationConfig = Field(ValidationConfig(), description="Checking answers.")
    prompts: dict[str, str] = Field({}, description="Prompt name to a file of the project's own.")
    storage: StorageConfig = Field(StorageConfig(), description="The database.")
    web: WebConfig = Field(WebConfig(), description="The browser application.")
    agents: dict[str, dict[str, Any]] = Field({}, description="Agents of the project's own.")

    def generator(self) -> str:
        """The generator of the configured mode: the mode's own, else ``generation.model``."""
        chosen = getattr(self.generation, self.mode).model
        return str(chosen or self.generation.model or BUILTIN_GENERATOR)

    def models_in_use(self) -> dict[str, str]:
        """Key → model for every model that this configuration can call, ``none`` left out."""
        named = {
            "embedding.model": self.embedding.model,
            "embedding.context_model": self.embedding.context_model,
            "ingest.summary_model": self.ingest.summary_model,
            "retrieval.hyde_model": self.retrieval.hyde_model if self.retrieval.hyde else "none",
            "retrieval.reranker": self.retrieval.reranker,
            "retrieval.scorer_model": self.retrieval.scorer_model,
            "validation.verifier": self.validation.verifier,
            f"generation.{self.mode}.model": self.generator(),
        }
        profiles = getattr(self.generation, self.mode).profiles
        named |= {f"generation.{self.mode}.profiles.{name}": m for name, m in profiles.items()}
        return {key: model for key, model in named.items() if model != "none"}


def parse_provider(model: str) -> str:
    """The part of a model name that says who runs it: ``openai/gpt-4o`` → ``openai``."""
    if model == "none":
        return "none"
    if model.startswith("onnx:"):
        return "onnx"
    return model.split("/", 1)[0]
