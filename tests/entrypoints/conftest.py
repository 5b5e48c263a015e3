"""Settings on the test's own database, with files in a temporary folder and no models."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from entrypoints.sections.models import EmbeddingSettings
from entrypoints.sections.serving import LimitsSettings
from entrypoints.sections.stores import CacheSettings, DatabaseSettings, GraphSettings, KeysSettings, ObjectsSettings
from entrypoints.settings import Settings
from tests.services.database import Database


@pytest.fixture
def settings(database: Database, tmp_path: Path) -> Settings:
    return settings_of(database, tmp_path)


def settings_of(database: Database, folder: Path) -> Settings:
    """Real PostgreSQL; the other services are those that need no server."""
    return Settings(
        database=DatabaseSettings(
            url=SecretStr(database.application),
            worker_url=SecretStr(database.worker),
            administrator_url=SecretStr(database.administrator),
            pool_size=4,
        ),
        graph=GraphSettings(engine="memory"),
        cache=CacheSettings(engine="memory"),
        objects=ObjectsSettings(folder=folder / "objects"),
        keys=KeysSettings(folder=folder / "keys"),
        embedding=EmbeddingSettings(provider="deterministic"),
        limits=LimitsSettings(consistency_seconds=0.1),
    )
