"""``foundry.yaml``: every key with its bound, its default and a line of documentation.

Read once by ``load_config``, frozen, and passed down; nothing reads the
environment later. Unknown keys are errors that name the nearest known key. Keys
and passwords have no place here: they stay in the environment or in a file that
the configuration names.
"""

from __future__ import annotations

import difflib
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from foundry.errors import ConfigError, ProjectNotFound
from foundry.records import Confidentiality, SearchMode

CONFIG_NAME = "foundry.yaml"
ENVIRONMENT_PREFIX = "FOUNDRY_"
LOCAL_PROVIDERS = ("builtin", "onnx", "ollama", "ollama_chat", "none")
BUILTIN_EMBEDDING = "builtin/multilingual-e5-small"
BUILTIN_GENERATOR = "builtin/extractive"

Profile = Literal["cheap", "balanced", "premium"]
Bounds = tuple[Annotated[int, Field(ge=1, le=8000)], Annotated[int, Field(ge=1, le=8000)]]
Overlap = tuple[Annotated[int, Field(ge=0, le=4000)], Annotated[int, Field(ge=0, le=4000)]]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


class ProjectConfig(_Part):
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


class EmbeddingConfig(_Part):
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


class IngestConfig(_Part):
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

    @model_validator(mode="after")
    def _bounds_in_order(self) -> IngestConfig:
        for name in ("chunk_tokens", "chunk_overlap"):
            low, high = getattr(self, name)
            if low > high:
                raise ValueError(f"{name} must be [least, most], got [{low}, {high}]")
        if self.chunk_overlap[1] >= self.chunk_tokens[0]:
            raise ValueError("chunk_overlap must stay below the least chunk_tokens")
        return self


class RetrievalConfig(_Part):
    """How chunks are found, and when they are enough."""

    mode: SearchMode = Field("hybrid", description="Which channels search.")
    top_k: int = Field(10, ge=1, le=1000, description="Hits per query (per section in a document).")
    top_k_bm25: int = Field(20, ge=1, le=4000, description="Candidates of the text channel.")
    top_k_dense: int = Field(40, ge=1, le=4000, description="Candidates of the vector channel.")
    rrf_k: int = Field(60, ge=1, le=1000, description="The constant of reciprocal rank fusion.")
    fusion: Literal["rrf"] = Field("rrf", description="How the channels are merged.")
    hyde: bool = Field(True, description="Search with a model's hypothetical answer.")
    hyde_model: str = Field("none", description="Writes the hypothetical answer.")
    reranker: str = Field("none", description="Re-orders the candidates.")
    scorer_model: str = Field("none", description="Scores each hit from 0 to 10.")
    relevance_threshold: float = Field(4, ge=0, le=10, description="Lower scores are dropped.")
    min_score: float = Field(0.20, ge=0, le=1, description="The gate: below it, no evidence.")
    min_chunks: int = Field(2, ge=1, le=100, description="Fewer good hits mean low confidence.")
    max_context_chunks: int = Field(15, ge=1, le=1000, description="Chunks in one prompt.")


class ModeModels(_Part):
    """The generator of one mode."""

    model: str | None = Field(None, description="The generator in this mode.")
    profiles: dict[Profile, str] = Field({}, description="Models for cheap, balanced, premium.")


class GenerationConfig(_Part):
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


class ModelsConfig(_Part):
    """How model servers are called."""

    timeout_s: float = Field(60, gt=0, le=3600, description="Longest wait for one reply.")
    max_retries: int = Field(3, ge=0, le=10, description="Tries after a failure, 60 s at most.")
    max_concurrency: int = Field(4, ge=1, le=256, description="Calls at the same time.")
    cache: bool = Field(True, description="Keep replies, so that the same call costs nothing.")
    api_base: dict[str, str] = Field({}, description="Address per provider, e.g. ollama: http://…")
    windows: dict[str, Annotated[int, Field(ge=256)]] = Field(
        {}, description="Context windows of models that LiteLLM does not know."
    )


class OutputConfig(_Part):
    """Where documents go."""

    dir: str = Field("output", description="Folder for documents, inside the project.")
    allowed_dirs: tuple[str, ...] = Field((), description="Other folders that may be written to.")


class AccessConfig(_Part):
    """What the owner may see."""

    role: Confidentiality = Field("secret", description="Highest confidentiality; flags lower it.")


class LogConfig(_Part):
    """What the query log keeps."""

    retention_days: int | None = Field(None, ge=1, le=36_500, description="Older rows are removed.")
    redact: bool = Field(False, description="Keep no question and no answer text.")


class ValidationConfig(_Part):
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


class StorageConfig(_Part):
    """Where the database is."""

    url: str = Field("sqlite:///.foundry/foundry.db", description="sqlite:///PATH.")


class WebConfig(_Part):
    """The browser application."""

    host: str = Field("127.0.0.1", description="Loopback, unless tokens are set.")
    port: int = Field(8765, ge=0, le=65_535, description="0 takes a free port.")
    tokens: str | None = Field(None, description="A file inside the project with one token a line.")


class Config(_Part):
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


def provider_of(model: str) -> str:
    """The part of a model name that says who runs it: ``openai/gpt-4o`` → ``openai``."""
    if model == "none":
        return "none"
    if model.startswith("onnx:"):
        return "onnx"
    return model.split("/", 1)[0]


def find_project(start: Path) -> Path:
    """The nearest folder at or above ``start`` with a ``foundry.yaml``."""
    for folder in (start, *start.parents):
        if (folder / CONFIG_NAME).is_file():
            return folder
    raise ProjectNotFound(
        f"There is no {CONFIG_NAME} here or in a folder above.",
        where=str(start),
        fix="Run `foundry init` to make a project here, or name one with --project DIR.",
    )


def load_config(project: Path, environment: Mapping[str, str]) -> Config:
    """Read ``project/foundry.yaml`` with overrides such as ``FOUNDRY_RETRIEVAL__TOP_K``."""
    path = project / CONFIG_NAME
    values = _merge(_read_yaml(path), _environment_values(environment))
    return _validated(values, str(path))


def parse_config(text: str, where: str = CONFIG_NAME) -> Config:
    """The configuration in a YAML text, without the environment."""
    return _validated(_parse_yaml(text, where), where)


def _read_yaml(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"The configuration cannot be read: {error}.",
            where=str(path),
            fix="Check the file's permissions, and that it is UTF-8 text.",
        ) from error
    return _parse_yaml(text, str(path))


def _parse_yaml(text: str, where: str) -> dict[str, Any]:
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error)
        raise ConfigError(
            f"This is not valid YAML: {problem}.",
            where=f"{where}{line}",
            fix="Mend that line; strings with a colon or a # need quotes.",
        ) from error
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ConfigError(
            "The configuration must be a mapping of keys to values.",
            where=where,
            fix="Start from the file that `foundry init` writes.",
        )
    return values


def _environment_values(environment: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    sections = {name.upper(): name for name in Config.model_fields}
    for variable, text in sorted(environment.items()):
        path = variable.removeprefix(ENVIRONMENT_PREFIX).split("__")
        if not variable.startswith(ENVIRONMENT_PREFIX) or path[0] not in sections:
            continue
        if len(path) == 1 and path[0] != "MODE":
            continue
        part = values
        for name in path[:-1]:
            part = part.setdefault(name.lower(), {})
        try:
            part[path[-1].lower()] = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise ConfigError(
                f"The value is not valid YAML: {text!r}.",
                where=variable,
                fix="Quote it, or remove the variable.",
            ) from error
    return values


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        merged[key] = (
            _merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
        )
    return merged


def _validated(values: Mapping[str, Any], where: str) -> Config:
    # A section that holds only comments reads as null: it means the defaults.
    present = {key: value for key, value in values.items() if value is not None}
    try:
        return Config.model_validate(present)
    except ValidationError as error:
        problems = [_explain(dict(item)) for item in error.errors()]
        raise ConfigError(
            " ".join(problems),
            where=where,
            fix="Correct the keys named; docs/configuration.md lists every key with its bounds.",
        ) from error


def _explain(item: dict[str, Any]) -> str:
    path = [str(part) for part in item["loc"]]
    name = ".".join(path)
    if item["type"] == "extra_forbidden":
        near = difflib.get_close_matches(path[-1], _known_keys(path[:-1]), n=1, cutoff=0.0)
        hint = f"; the nearest known key is {'.'.join([*path[:-1], near[0]])}" if near else ""
        return f"Unknown key {name}{hint}."
    message = str(item["msg"]).removeprefix("Value error, ")
    return f"{name or 'The file'}: {message} (got {item.get('input')!r})."


def _known_keys(path: list[str]) -> list[str]:
    model: type[BaseModel] = Config
    for name in path:
        annotation = model.model_fields[name].annotation if name in model.model_fields else None
        inner = _model_in(annotation)
        if inner is None:
            return []
        model = inner
    return list(model.model_fields)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    options = (
        get_args(annotation)
        if get_origin(annotation) in (Union, types.UnionType)
        else (annotation,)
    )
    for option in options:
        if isinstance(option, type) and issubclass(option, BaseModel):
            return option
    return None
