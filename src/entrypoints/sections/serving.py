"""The processes: what they accept, do at once, keep and say."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, SecretStr

from entrypoints.sections.values import Address, Amounts, Days, Jobs, Names, Origin, Port, Positive, Seconds, Section


class LimitsSettings(Section):
    """The most that one request may bring."""

    upload_bytes: Positive = 50 * 1024 * 1024
    body_bytes: Positive = 2 * 1024 * 1024
    stream_bytes: Positive = 4 * 1024 * 1024 * 1024
    consistency_seconds: Annotated[float, Field(ge=0.0, le=60.0)] = 10.0
    head_bytes: Annotated[int, Field(ge=1024, le=1024 * 1024)] = 64 * 1024
    head_seconds: Seconds = 10.0
    body_pause_seconds: Seconds = 15.0
    body_bytes_per_second: Positive = 1024
    unread_seconds: Seconds = 30.0
    idle_seconds: Annotated[int, Field(ge=1, le=600)] = 20
    connections: Positive = 2_000


class WorkerSettings(Section):
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


class RetentionSettings(Section):
    """How long is kept what is of no worth later: answers for idempotency keys, and lines of the queue's log.

    ``backup_days`` is for how long you keep backups of the database: certificates of erasure say it.
    """

    idempotency_days: Days = 7.0
    job_log_days: Days = 7.0
    backup_days: Days | None = None


class ApiSettings(Section):
    """The HTTP server.

    ``public_url`` is the address that clients reach it at, with nothing behind the host; it names the resources that
    tokens are made for. ``operator_key`` lets its holder make organizations over HTTP and see the metrics,
    ``metrics_key`` only the metrics; each has 32 characters or more, and what has no key is not served.
    """

    host: str = "127.0.0.1"
    port: Port = 8080
    public_url: Origin | None = None
    allowed_hosts: Names = ("127.0.0.1", "localhost", "[::1]")
    allowed_origins: Names = ()
    trusted_proxies: Names = ()
    operator_key: Annotated[SecretStr, Field(min_length=32)] | None = None
    metrics_key: Annotated[SecretStr, Field(min_length=32)] | None = None


class McpSettings(Section):
    """What agents are offered over MCP at most, and how many calls a minute each of them has of each tool.

    ``tool_calls_per_minute`` sets single tools apart, as ``search_knowledge=30,get_context_pack=10``; 0 is no limit.
    """

    profile: Literal["reader", "contributor", "curator"] = "curator"
    calls_per_minute: Annotated[int, Field(ge=0, le=1_000_000)] = 600
    tool_calls_per_minute: Amounts = Field(default_factory=dict)


class TelemetrySettings(Section):
    """Logs go to standard error; traces to an OTLP collector where one is named."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "console"] | None = None
    otlp_endpoint: str | None = None
    service_name: str = "assay"
