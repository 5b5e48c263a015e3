"""Where Assay keeps things."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import SecretStr

from entrypoints.sections.values import Positive, Seconds, Section


class DatabaseSettings(Section):
    """The record. Without ``url`` Assay starts its own servers in ``EMBEDDED__FOLDER``."""

    url: SecretStr | None = None
    administrator_url: SecretStr | None = None
    worker_url: SecretStr | None = None
    pool_size: Positive = 10


class GraphSettings(Section):
    """The graph that traversal walks. ``engine`` unset: what the embedded servers offer, else postgres."""

    engine: Literal["falkordb", "neo4j", "postgres", "memory"] | None = None
    url: str | None = None
    user: str | None = None
    password: SecretStr | None = None
    timeout_seconds: Seconds = 10.0


class CacheSettings(Section):
    """The cache. ``engine`` unset: the embedded Valkey where there is one, else memory."""

    engine: Literal["valkey", "memory"] | None = None
    url: SecretStr | None = None
    memory_bytes: Positive = 64 * 1024 * 1024


class ObjectsSettings(Section):
    """Where artifacts lie. ``folder`` unset: a folder of the embedded data folder."""

    engine: Literal["files", "s3"] = "files"
    folder: Path | None = None
    endpoint: str | None = None
    bucket: str | None = None
    region: str = "us-east-1"
    access_key: str | None = None
    secret_key: SecretStr | None = None


class KeysSettings(Section):
    """Where the keys of organizations and sources lie. ``folder`` unset: a folder of the embedded data folder."""

    folder: Path | None = None


class EmbeddedSettings(Section):
    """The servers that Assay starts itself, and their data."""

    folder: Path = Path(".assay")
