"""Everything that can be configured, by section: ``ASSAY_<SECTION>__<FIELD>`` in the environment."""

from __future__ import annotations

from pydantic_settings import BaseSettings, SettingsConfigDict

from domain.errors import InvalidInput
from entrypoints.sections.audit import AuditSettings
from entrypoints.sections.identity import IdentitySettings
from entrypoints.sections.intake import FetchSettings, SensitiveSettings
from entrypoints.sections.models import (
    EmbeddingSettings,
    ExtractionSettings,
    JudgeSettings,
    ModelSettings,
    RerankingSettings,
)
from entrypoints.sections.quotas import QuotasSettings
from entrypoints.sections.reading import GroundingSettings, PacksSettings, SearchSettings
from entrypoints.sections.serving import (
    ApiSettings,
    LimitsSettings,
    McpSettings,
    RetentionSettings,
    TelemetrySettings,
    WorkerSettings,
)
from entrypoints.sections.stores import (
    CacheSettings,
    DatabaseSettings,
    EmbeddedSettings,
    GraphSettings,
    KeysSettings,
    ObjectsSettings,
)

PREFIX = "ASSAY_"


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
    sensitive: SensitiveSettings = SensitiveSettings()
    fetch: FetchSettings = FetchSettings()
    search: SearchSettings = SearchSettings()
    grounding: GroundingSettings = GroundingSettings()
    packs: PacksSettings = PacksSettings()
    limits: LimitsSettings = LimitsSettings()
    quotas: QuotasSettings = QuotasSettings()
    worker: WorkerSettings = WorkerSettings()
    retention: RetentionSettings = RetentionSettings()
    audit: AuditSettings = AuditSettings()
    api: ApiSettings = ApiSettings()
    identity: IdentitySettings = IdentitySettings()
    mcp: McpSettings = McpSettings()
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
        (bool(s.identity.issuers) and s.api.public_url is None, "API__PUBLIC_URL", "IDENTITY__ISSUERS"),
    ]  # fmt: skip
    return [
        f"{PREFIX}{name}: it is missing, and {PREFIX}{because} needs it; set it"
        for wanting, name, because in checks
        if wanting
    ]
