"""Objects, keys, cache and graph, as the services say."""

from __future__ import annotations

import time
from contextlib import AsyncExitStack
from typing import cast
from urllib.parse import quote, urlsplit

from adapters.filesystem.key_store import FileKeyStore
from adapters.filesystem.object_store import FileObjectStore
from adapters.inmemory.cache import InMemoryCache
from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from adapters.system.artifact_cipher import AesGcmArtifactCipher
from application.ingestion.artifact_vault import ArtifactVault
from domain.ports.budgets import Budgets
from domain.ports.cache import Cache
from domain.ports.key_store import KeyStore
from domain.ports.memory_engine import MemoryEngine
from domain.ports.object_store import ObjectStore
from entrypoints.bootstrap.on_demand import GraphOnDemand
from entrypoints.sections.stores import ObjectsSettings
from entrypoints.services import Services
from entrypoints.settings import Settings


def object_store(settings: ObjectsSettings, services: Services, stack: AsyncExitStack) -> ObjectStore:
    """Files in a folder, or a bucket."""
    if services.objects_folder is not None:
        return FileObjectStore(services.objects_folder)
    assert settings.bucket
    assert settings.access_key
    assert settings.secret_key
    # boto3 and its like take a tenth of a second each: only those who use them pay.
    from adapters.s3.object_store import S3Location, S3ObjectStore

    store = S3ObjectStore(
        S3Location(
            bucket=settings.bucket,
            access_key=settings.access_key,
            secret_key=settings.secret_key.get_secret_value(),
            endpoint=settings.endpoint,
            region=settings.region,
        )
    )
    stack.callback(store.close)
    return store


def key_store(services: Services) -> KeyStore:
    """Keys in a private folder."""
    return FileKeyStore(services.keys_folder)


def artifact_vault(objects: ObjectStore, keys: KeyStore, budgets: Budgets) -> ArtifactVault:
    """Where artifacts are sealed and proved, within the budgets of their scopes."""
    return ArtifactVault(objects, keys, AesGcmArtifactCipher(), budgets)


def cache(settings: Settings, services: Services, stack: AsyncExitStack) -> Cache:
    """Valkey, or memory of this process."""
    if services.cache_url is None:
        return InMemoryCache(settings.cache.memory_bytes, time.monotonic)
    from adapters.valkey.cache import ValkeyCache

    valkey = ValkeyCache(services.cache_url)
    stack.push_async_callback(valkey.close)
    return valkey


def memory_engine(
    settings: Settings, services: Services, over_the_record: MemoryEngine, stack: AsyncExitStack
) -> MemoryEngine:
    """The graph; it is imported and connects on first use, so that one that is down or unused costs nobody."""
    timeout = settings.graph.timeout_seconds

    def falkordb() -> MemoryEngine:
        from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine

        return FalkorDBMemoryEngine.at(_with_login(services), query_timeout_s=timeout)

    def neo4j() -> MemoryEngine:
        from adapters.graphiti.neo4j_engine import Neo4jMemoryEngine

        user, password = services.graph_user or "neo4j", services.graph_password or ""
        return Neo4jMemoryEngine.at(services.graph_url or "", user, password, query_timeout_s=timeout)

    if services.graph_engine not in {"falkordb", "neo4j"}:
        return over_the_record if services.graph_engine == "postgres" else InMemoryMemoryEngine()
    assert services.graph_url
    chosen = falkordb if services.graph_engine == "falkordb" else neo4j
    engine = GraphOnDemand(services.graph_engine, chosen)
    stack.push_async_callback(engine.aclose)
    return cast(MemoryEngine, engine)


def _with_login(services: Services) -> str:
    """The graph's URL with the user and password that are configured beside it, unless it has its own."""
    parts = urlsplit(services.graph_url or "")
    if parts.password or not services.graph_password:
        return parts.geturl()
    login = f"{quote(services.graph_user or 'default', safe='')}:{quote(services.graph_password, safe='')}"
    return parts._replace(netloc=f"{login}@{parts.netloc.rpartition('@')[2]}").geturl()
