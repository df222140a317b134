"""Every key of ``foundry.yaml`` with its bounds, its default and its documentation.

Defaults that decide what users see: ``rrf_k`` 60 is the constant of Cormack et al. (2009);
``bench/fit_gate.py`` reports false and missed refusals at ``min_score`` 0.20; the other
defaults are plain choices.
"""

from __future__ import annotations

import zoneinfo
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from foundry.records import Confidentiality, SearchMode


def make_rule_error(code: str, **params: Any) -> PydanticCustomError:
    """The error of a rule that Pydantic does not know, as a code of the catalogue."""
    # Pydantic declares literal types, which a parameter cannot have.
    name: Any = code
    return PydanticCustomError(name, name, params)


class KeySection(BaseModel):
    """A section: frozen, without unknown keys, its defaults checked too."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


class SpendingConfig(KeySection):
    """What calls of models may cost; a call that would exceed a limit is not made."""

    cost_per_run: float | None = Field(
        None, ge=0, description="Most US dollars of one command; for serve, while it runs."
    )
    cost_per_day: float | None = Field(
        None, ge=0, description="Most US dollars of the project in a day, by all processes."
    )
    tokens_per_run: int | None = Field(
        None, ge=0, description="Most tokens, sent and received, of one command."
    )
    tokens_per_day: int | None = Field(
        None,
        ge=0,
        description="Most tokens of the project in a day. Set it for models without a known price,"
        " which no limit of cost stops.",
    )
    time_zone: str | None = Field(
        None,
        description="Where a day begins at midnight, such as Europe/Amsterdam; by default the"
        " machine's own zone.",
    )

    @field_validator("time_zone")
    @classmethod
    def _is_a_zone(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                zoneinfo.ZoneInfo(value)
            except (OSError, ValueError, KeyError) as error:
                raise make_rule_error("config-time-zone", zone=value) from error
        return value

    def get_zone(self) -> zoneinfo.ZoneInfo | None:
        """The zone of a day; None for the machine's own."""
        return zoneinfo.ZoneInfo(self.time_zone) if self.time_zone else None


Profile = Literal["cheap", "balanced", "premium"]


class ProfileModels(KeySection):
    """The models of the profiles that agents ask for."""

    cheap: str | None = Field(
        None, min_length=1, description="The generator of agents with profile: cheap."
    )
    balanced: str | None = Field(
        None,
        min_length=1,
        description="That of profile: balanced; a profile may name another one, such as cheap.",
    )
    premium: str | None = Field(None, min_length=1, description="That of profile: premium.")

    @model_validator(mode="after")
    def _lead_to_models(self) -> ProfileModels:
        for name in PROFILES:
            chain = [name]
            while (following := getattr(self, chain[-1])) in PROFILES:
                if following in chain:
                    raise make_rule_error("config-profile-cycle", names=[*chain, following])
                chain.append(following)
        return self

    def get_model(self, profile: Profile) -> str | None:
        """The model of a profile; None if it has none."""
        model: str | None = getattr(self, profile)
        while model in PROFILES:
            model = getattr(self, model)
        return model

    def list_models(self) -> dict[str, str]:
        """Profile → model, for those that have one."""
        found = {name: self.get_model(name) for name in PROFILES}
        return {name: model for name, model in found.items() if model}


PROFILES: tuple[Profile, ...] = get_args(Profile)


class ModeModels(KeySection):
    """The generators of one mode."""

    model: str | None = Field(None, description="The generator in this mode.")
    profiles: ProfileModels = Field(
        ProfileModels(), description="Those of agents; without any, agents use the mode's."
    )


class GenerationConfig(KeySection):
    """Which model writes, and how much it reads."""

    model: str | None = Field(None, description="The generator of modes that set none.")
    offline: ModeModels = Field(ModeModels(), description="Used with mode: offline.")
    online: ModeModels = Field(ModeModels(), description="Used with mode: online.")
    budget_tokenizer: str = Field(
        "cl100k_base", description="The tokenizer that counts all budgets, in both modes."
    )
    token_budget: int = Field(
        8192, ge=0, le=2_000_000, description="Maximum tokens of evidence in a prompt."
    )
    max_source_summaries: int = Field(
        10, ge=0, le=1000, description="Maximum summaries in a prompt."
    )
    max_tokens: int = Field(
        2048, ge=16, le=200_000, description="Maximum tokens of a model's reply."
    )
    temperature: float = Field(0.2, ge=0, le=2, description="0 gives the most repeatable replies.")
    language: Literal["question", "nl", "en"] = Field(
        "question", description="Language of answers: that of the question, or always nl or en."
    )


BUILTIN_EMBEDDING = "builtin/multilingual-e5-small"
BUILTIN_RERANKER = "builtin/late-interaction"
BUILTIN_GENERATOR = "builtin/passages"
FORMER_GENERATOR = "builtin/extractive"
"""The name of the rule writer that ``builtin/passages`` replaced: configurations may still have it."""

Bounds = tuple[Annotated[int, Field(ge=1, le=8000)], Annotated[int, Field(ge=1, le=8000)]]
Overlap = tuple[Annotated[int, Field(ge=0, le=4000)], Annotated[int, Field(ge=0, le=4000)]]


class ProjectConfig(KeySection):
    """The project's identity."""

    name: str = Field("Untitled project", min_length=1, description="Shown on documents.")
    id: str = Field(
        "prj_default",
        pattern=r"^[A-Za-z0-9_.-]{1,64}$",
        description="Part of every id in the database; keep it when the folder moves.",
    )
    brief: str | None = Field(
        None, description="A text file inside the project, added verbatim to every prompt."
    )
    brief_max_tokens: int = Field(3000, ge=0, le=100_000, description="Longer briefs are cut.")
    glossary: str | None = Field(
        None,
        description="A TOML file inside the project: synonyms, so that sources in different words"
        " or languages can be compared.",
    )

    @field_validator("brief", "glossary")
    @classmethod
    def _is_a_file(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value and "://" in value:
            raise make_rule_error("config-file-is-url", key=info.field_name)
        return value


class EmbeddingConfig(KeySection):
    """How texts become vectors."""

    model: str = Field(
        BUILTIN_EMBEDDING,
        min_length=1,
        description="builtin/…, onnx:DIRECTORY or any LiteLLM embedding model.",
    )
    context_model: str = Field(
        "builtin/headings",
        min_length=1,
        description="Writes the context prefix of each chunk: builtin/headings, a model, or none.",
    )
    batch_texts: int = Field(
        64, ge=1, le=2048, description="Most texts of one request to a server of vectors."
    )


class OutsideConfig(KeySection):
    """A service that reads pages: what it gets, and how it is called."""

    pages: Literal["never", "scans", "all"] = Field(
        "never",
        description="Which pages are sent: none, those without text of their own (and images), or"
        " every page of PDFs and images.",
    )
    kind: Literal["docling", "mineru"] = Field(
        "docling", description="Whose API it speaks: docling-serve's or MinerU's."
    )
    address: str | None = Field(
        None,
        pattern=r"^https?://[^/\s?#@]+(/[^\s?#@]*)?$",
        description="Where it is, such as http://127.0.0.1:5001. A key for it is read from"
        " DOCLING_SERVE_API_KEY or MINERU_API_KEY.",
    )
    timeout_s: float = Field(
        120,
        gt=0,
        le=3600,
        description="Time limit of one page, in seconds; at most a quarter of parse_timeout_s.",
    )
    max_mb: float = Field(
        20, gt=0, le=1000, description="Larger pages are not sent, in MB as a PDF of one page."
    )
    options: dict[str, str | bool | int | float] = Field(
        {}, description="What else the service is asked, such as do_chart_extraction: true."
    )

    @model_validator(mode="after")
    def _has_address(self) -> OutsideConfig:
        if self.pages != "never" and not self.address:
            raise make_rule_error("config-outside-address")
        return self


class IngestConfig(KeySection):
    """Which files are read, and how."""

    include: tuple[str, ...] = Field(("**/*",), description="Glob patterns of files to read.")
    exclude: tuple[str, ...] = Field((), description="Glob patterns of files to skip.")
    chunk_tokens: Bounds = Field((700, 1000), description="Minimum and maximum tokens per chunk.")
    chunk_overlap: Overlap = Field(
        (100, 150), description="Minimum and maximum tokens that neighbouring chunks share."
    )
    summary_model: str = Field(
        "builtin/extractive", description="Writes the summary of each source."
    )
    summary_max_tokens: int = Field(500, ge=20, le=4000, description="Maximum tokens of a summary.")
    ocr: Literal["auto", "tesseract", "rapidocr", "both", "off"] = Field(
        "auto",
        description="Reads scanned pages and pictures of text: auto with every engine that is installed.",
    )
    outside: OutsideConfig = Field(
        OutsideConfig(), description="A service that reads scans, charts and drawings."
    )
    passwords_from: str | None = Field(
        None,
        description="A file inside the project with passwords for encrypted files, one per line.",
    )
    max_file_mb: int = Field(
        500, ge=1, le=100_000, description="Larger files are reported as failed."
    )
    parse_timeout_s: int = Field(
        300, ge=1, le=86_400, description="Time limit per file, in seconds."
    )
    parse_memory_mb: int = Field(
        2048, ge=256, le=1_000_000, description="Memory limit per parser process, in MB."
    )
    workers: int = Field(
        0, ge=0, le=256, description="Number of parser processes; 0 means one per core."
    )
    ray: str = Field(
        "", description="A Ray cluster that reads and embeds: HOST:PORT or local; --ray overrides."
    )

    @field_validator("ocr", mode="before")
    @classmethod
    def _off_is_a_word(cls, value: object) -> object:
        # YAML reads an unquoted off as false.
        return "off" if value is False else value

    @field_validator("chunk_tokens", "chunk_overlap", mode="before")
    @classmethod
    def _two_numbers(cls, value: object) -> object:
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise make_rule_error("config-takes-two-numbers")
        return value

    @model_validator(mode="after")
    def _bounds_in_order(self) -> IngestConfig:
        for name in ("chunk_tokens", "chunk_overlap"):
            low, high = getattr(self, name)
            if low > high:
                raise make_rule_error("config-bounds-reversed", key=name, got=f"[{low}, {high}]")
        least = self.chunk_tokens[0]
        if self.chunk_overlap[1] >= least:
            got, example = str(list(self.chunk_overlap)), str([0, least // 5])
            raise make_rule_error("config-overlap-too-large", got=got, least=least, example=example)
        return self


class RetrievalConfig(KeySection):
    """How chunks are found, and when they suffice for an answer."""

    mode: SearchMode = Field(
        "hybrid", description="Which retrievers search: both, dense (vectors) or bm25 (text)."
    )
    top_k: int = Field(
        10, ge=1, le=1000, description="Hits per query, or per section of a document."
    )
    top_k_bm25: int = Field(20, ge=1, le=4000, description="Candidates from the text index.")
    top_k_dense: int = Field(40, ge=1, le=4000, description="Candidates from the vector index.")
    rrf_k: int = Field(60, ge=1, le=1000, description="The constant k of reciprocal rank fusion.")
    fusion: Literal["rrf", "zscore"] = Field(
        "zscore",
        description="How the two rankings are merged: by the scores of at least 100 candidates each"
        " (zscore), or by rank (rrf).",
    )
    reranker: str = Field(
        "auto",
        min_length=1,
        description="Orders the first hits again, reading each with the question:"
        " builtin/late-interaction, onnx:DIRECTORY, any LiteLLM reranking model, or none; auto is"
        " the built-in one where hits are in another language than the question.",
    )
    rerank_candidates: int = Field(6, ge=2, le=100, description="How many hits the reranker reads.")
    hyde: bool = Field(
        True, description="Also search with a hypothetical answer written by a model."
    )
    hyde_model: str = Field("none", description="The model that writes it, or none.")
    scorer_model: str = Field("none", description="Scores each hit from 0 to 10: a model, or none.")
    relevance_threshold: float = Field(
        4, ge=0, le=10, description="Hits that scorer_model scores lower are dropped."
    )
    min_score: float = Field(
        0.20, ge=0, le=1, description="The gate: lower relevance counts as no evidence."
    )
    min_chunks: int = Field(
        2,
        ge=1,
        le=100,
        description="Fewer hits above min_score mean low confidence. It matters for gate scores"
        " from 0.60 to 0.75: lower ones are of low confidence anyway, higher ones need one hit.",
    )
    max_context_chunks: int = Field(15, ge=1, le=1000, description="Maximum chunks in one prompt.")


class AnswerConfig(KeySection):
    """What is shown where no model writes, and how much is read for a list."""

    passages: int = Field(3, ge=1, le=20, description="Maximum passages shown for a question.")
    max_read: int = Field(
        300,
        ge=1,
        le=100_000,
        description="Maximum passages read for a question that asks for all of something;"
        " the answer says how many were left.",
    )


class ModelsConfig(KeySection):
    """How model servers are called."""

    timeout_s: float = Field(60, gt=0, le=3600, description="Time limit for one reply, in seconds.")
    max_retries: int = Field(
        3, ge=0, le=10, description="Retries after a failure, within 60 seconds."
    )
    max_concurrency: int = Field(4, ge=1, le=256, description="Maximum calls at the same time.")
    cache: bool = Field(True, description="Cache replies, so that a repeated call costs nothing.")
    confirm_tokens: int = Field(
        500_000,
        ge=0,
        description="An ingest that would send more tokens to models asks for confirmation.",
    )
    confirm_cost: float = Field(
        1.0,
        ge=0,
        description="An ingest that would cost more (in US dollars) also asks, if prices are known.",
    )
    api_base: dict[str, str] = Field(
        {}, description="Address per provider, such as ollama: http://…"
    )
    windows: dict[str, Annotated[int, Field(ge=256)]] = Field(
        {}, description="Context windows, in tokens, of models that LiteLLM does not know."
    )


class OutputConfig(KeySection):
    """Where documents go."""

    dir: str = Field("output", description="Folder for documents, inside the project.")
    allowed_dirs: tuple[str, ...] = Field(
        (), description="Other folders that documents may be written to."
    )
    docx_template: str | None = Field(
        None, description="Word file in the project whose styles, theme and margins DOCX takes."
    )


class AccessConfig(KeySection):
    """What the project's owner may see."""

    role: Confidentiality = Field(
        "secret",
        description="The role of every command: it sees sources up to this confidentiality; --role lowers it.",
    )


class LogConfig(KeySection):
    """What the query log keeps, and for how long."""

    retention_days: int | None = Field(None, ge=1, le=36_500, description="Remove older rows.")
    redact: bool = Field(False, description="Do not store the text of questions and answers.")


class ValidationConfig(KeySection):
    """How strictly a model's text is checked."""

    min_attribution: float = Field(
        0.90, ge=0, le=1, description="Lower attribution means low confidence."
    )
    on_unsupported: Literal["remove", "regenerate"] = Field(
        "regenerate",
        description="Ask the model again, more strictly, for unsupported sentences; or remove them.",
    )
    max_regenerations: int = Field(
        2, ge=0, le=10, description="Maximum stricter attempts before removal."
    )
    repair: tuple[Literal["reattribute", "regenerate"], ...] = Field(
        ("reattribute", "regenerate"),
        description="The repair steps before removal, in this order.",
    )
    verifier: str = Field(
        "same",
        description="Judges the sentences that the rules cannot settle: same (the model that"
        " writes), a LiteLLM model, onnx:DIRECTORY with a model of inference, or none.",
    )

    @model_validator(mode="after")
    def _each_step_once(self) -> ValidationConfig:
        if len(set(self.repair)) < len(self.repair):
            raise make_rule_error("config-step-twice", key="repair")
        return self

    @property
    def regenerations(self) -> int:
        """How many stricter attempts are allowed."""
        wanted = self.on_unsupported == "regenerate" and "regenerate" in self.repair
        return self.max_regenerations if wanted else 0


class StorageConfig(KeySection):
    """Where the database is, and a search engine beside it."""

    url: str = Field(
        "sqlite:///.foundry/foundry.db",
        description="The database: sqlite:///PATH, or postgresql://USER@HOST/DATABASE for a team.",
    )
    engine_url: str = Field("", description="For giant projects: lancedb:///FOLDER, lancedb+s3://…")
    engine_fallback: Literal["store", "error"] = Field(
        "store", description="If the engine fails: the database searches, or the search does."
    )


class OidcConfig(KeySection):
    """An identity provider through which people sign in; tokens go on to work beside it."""

    issuer: str = Field("", description="The provider's address, with https; empty for none.")
    client_id: str = Field("", description="Its name there; its secret is FOUNDRY_OIDC_SECRET.")
    name: str = Field("email", min_length=1, description="The claim that names a person.")
    groups: str = Field("groups", min_length=1, description="The claim that has a person's groups.")
    roles: dict[str, Confidentiality] = Field(
        {}, description="The role of each group; the highest of a person's groups counts."
    )
    role: Literal["none", "public", "internal", "confidential", "secret"] = Field(
        "none", description="The role of whoever signs in and is in none of these groups."
    )

    @model_validator(mode="after")
    def _require_client(self) -> OidcConfig:
        if self.issuer and not self.client_id:
            raise make_rule_error("config-oidc-client")
        return self


class WebConfig(KeySection):
    """What ``foundry serve`` offers, and to whom."""

    host: str = Field(
        "127.0.0.1", min_length=1, description="The address to serve on; 127.0.0.1 is this machine."
    )
    port: int = Field(8765, ge=0, le=65_535, description="The port; 0 takes a free one.")
    hosts: tuple[str, ...] = Field(
        (), description="The names by which others reach the server; with one, tokens are needed."
    )
    tokens: Literal["auto", "required"] = Field(
        "auto", description="Who needs a token: callers from elsewhere (auto), or everyone."
    )
    session_hours: int = Field(
        12, ge=1, le=720, description="How long a browser stays logged in, in hours."
    )
    requests_per_minute: int = Field(
        600, ge=1, le=1_000_000, description="Requests that one token may make in a minute."
    )
    worker: bool = Field(
        True,
        description="Whether the server reads uploaded files itself, or leaves them to others.",
    )
    max_answers: int = Field(
        8, ge=1, le=256, description="Answers made at the same time; more wait for their turn."
    )
    oidc: OidcConfig = Field(OidcConfig(), description="Signing in through a provider.")
    shutdown_s: int = Field(
        30, ge=0, le=3600, description="How long running answers may take after a stop, in seconds."
    )


class Config(KeySection):
    """The whole of ``foundry.yaml``."""

    project: ProjectConfig = Field(ProjectConfig(), description="The project's identity.")
    language: Literal["en", "nl"] = Field(
        "en",
        description="The language of messages, notices and errors; --language and"
        " FOUNDRY_LANGUAGE override it. Answers are in generation.language.",
    )
    mode: Literal["offline", "online"] = Field(
        "offline",
        description="Offline allows only local models; selects generation.offline or .online.",
    )
    embedding: EmbeddingConfig = Field(EmbeddingConfig(), description="Embedding model.")
    ingest: IngestConfig = Field(IngestConfig(), description="Reading sources.")
    retrieval: RetrievalConfig = Field(RetrievalConfig(), description="Finding evidence.")
    generation: GenerationConfig = Field(GenerationConfig(), description="Writing answers.")
    answer: AnswerConfig = Field(AnswerConfig(), description="Passages and lists.")
    models: ModelsConfig = Field(ModelsConfig(), description="Calling model servers.")
    spending: SpendingConfig = Field(SpendingConfig(), description="Limits of cost.")
    output: OutputConfig = Field(OutputConfig(), description="Writing documents.")
    access: AccessConfig = Field(AccessConfig(), description="Confidentiality.")
    log: LogConfig = Field(LogConfig(), description="The query log.")
    validation: ValidationConfig = Field(ValidationConfig(), description="Checking answers.")
    prompts: dict[str, str] = Field({}, description="Replacement files for prompts, by name.")
    storage: StorageConfig = Field(StorageConfig(), description="The database.")
    web: WebConfig = Field(WebConfig(), description="The web application and HTTP API.")

    def generator(self) -> str:
        """The generator of the current mode: the mode's own, else ``generation.model``."""
        model = self._get_get_named_generator()
        return BUILTIN_GENERATOR if model == FORMER_GENERATOR else model

    def names_former_generator(self) -> bool:
        """Whether the generator is named as the rule writer that ``builtin/passages`` replaced."""
        return self._get_get_named_generator() == FORMER_GENERATOR

    def _get_get_named_generator(self) -> str:
        chosen = getattr(self.generation, self.mode).model
        return str(chosen or self.generation.model or BUILTIN_GENERATOR)

    def profiles(self) -> ProfileModels:
        """The models of the current mode's profiles."""
        models: ModeModels = getattr(self.generation, self.mode)
        return models.profiles

    def reranker(self) -> str:
        """The reranker's model; ``auto`` names the built-in one."""
        model = self.retrieval.reranker
        return BUILTIN_RERANKER if model == "auto" else model

    def models_in_use(self) -> dict[str, str]:
        """Configuration key → model, for every model that can be called; ``none`` is left out.

        A verifier that is ``same`` as the generator is left out too.
        """
        named = {
            "embedding.model": self.embedding.model,
            "embedding.context_model": self.embedding.context_model,
            "ingest.summary_model": self.ingest.summary_model,
            "retrieval.reranker": self.reranker(),
            "retrieval.hyde_model": self.retrieval.hyde_model if self.retrieval.hyde else "none",
            "retrieval.scorer_model": self.retrieval.scorer_model,
            "validation.verifier": self.validation.verifier,
            f"generation.{self.mode}.model": self.generator(),
            **{
                f"generation.{self.mode}.profiles.{name}": model
                for name, model in self.profiles().list_models().items()
            },
        }
        return {key: model for key, model in named.items() if model not in {"none", "same"}}


def parse_provider(model: str) -> str:
    """The provider in a model name: ``openai/gpt-4o`` → ``openai``."""
    if model == "none":
        return "none"
    if model.startswith("onnx:"):
        return "onnx"
    return model.split("/", 1)[0]
