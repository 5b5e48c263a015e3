"""Workers are killed at random points of an erasure's clean-up, and the certificate is issued all the same."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from adapters.embedded.resp_server import RespAddress
from adapters.filesystem.key_store import FileKeyStore
from adapters.filesystem.object_store import FileObjectStore
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.system.artifact_cipher import AesGcmArtifactCipher
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from adapters.system.signer import Ed25519Signer
from application.erasure.erase import Erase
from application.erasure.queries import verified
from application.ingestion.artifact_vault import ArtifactVault
from application.ingestion.sources import SourceSpec
from application.ingestion.streams import Streams
from application.knowledge.change import ChangeWriter
from domain.errors import ContentSuppressed
from domain.identity.ids import SourceId
from tests.contracts.projection_contract import recorded
from tests.integration.erasure.scanning import dump_has, places_of
from tests.integration.erasure.stores import in_folder
from tests.integration.erasure.test_erase import notes, says, sentences, source_named, whole
from tests.integration.worker.doing_jobs import until
from tests.services.database import Database
from tests.services.world import World

pytestmark = [pytest.mark.services, pytest.mark.slow]

ROOT = Path(__file__).parents[3]
CANARY = "Quaxolotl"
KILLS = 10
LONGEST_LIFE = 0.6
"""Seconds from a worker's start to its end: a whole clean-up takes about as long."""


@pytest.fixture
async def forking() -> AsyncIterator[asyncio.subprocess.Process]:
    """The program that makes workers."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(Path(__file__).with_name("erasing.py")),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
    )
    yield process
    assert process.stdin is not None
    process.stdin.close()
    await asyncio.wait_for(process.wait(), 60)


async def test_the_certificate_is_issued_although_workers_are_killed_ten_times(
    world: World,
    database: Database,
    falkordb_server: RespAddress,
    valkey_server: RespAddress,
    forking: asyncio.subprocess.Process,
    tmp_path: Path,
) -> None:
    world.keys, world.objects = FileKeyStore(tmp_path / "keys"), FileObjectStore(tmp_path / "objects")  # type: ignore[assignment]
    vault = ArtifactVault(world.objects, world.keys, AesGcmArtifactCipher())
    world.streams = Streams(world.unit_of_work, vault, SystemClock(), TimeOrderedIds())
    for source in ("a", "b", "c"):
        await world.say(says("Acme", "headquartered in", "Lyon"), source=source)
    for number in range(40):
        await world.say(notes(f"{CANARY} {number}", "has note", f"the {CANARY} plan {number}"), source="b")
    engine = FalkorDBMemoryEngine.at(falkordb_server.url)
    administrator = await asyncpg.connect(database.administrator)
    async with in_folder(world.pool, engine, tmp_path, valkey_server.url) as stores:
        wide = await stores.resolver.for_organization(world.access.organization_id, world.access.write_scope)
        await stores.projector(wide)
        await stores.embed(wide)
        erase = Erase(
            stores.resolver, world.unit_of_work, ChangeWriter(TimeOrderedIds()), world.keys, SystemClock(),
            TimeOrderedIds(),
        )  # fmt: skip
        target = await source_named(world, "b")
        sealed = await stored_under(tmp_path, target.id)
        assert sealed
        erasure = await erase(world.access, target, "the contract ended")
        await kill_ten_times(world, database, falkordb_server, valkey_server, forking, tmp_path, administrator)
    async with world.unit_of_work(world.access) as tx:
        row = await tx.erasures.erasure(erasure.id)
    assert row is not None
    assert row.certificate is not None
    certificate = verified(row.certificate, Ed25519Signer())
    scan: Any = certificate.statement["scan"]
    assert (scan["canaries"], scan["found"]) == (len(erasure.canaries), 0)
    assert sorted(scan["stores"]) == ["cache", "database", "graph", "objects"]
    assert await places_of(administrator, CANARY) == []
    assert await dump_has(administrator, CANARY) == []
    assert await stored_under(tmp_path, target.id) == []
    for path in (tmp_path / "keys" / "sources").rglob(f"{target.id.hex}/*"):
        assert path.read_bytes() == b""
    assert await engine.digest(world.access.organization_id) == await recorded(world)
    assert await sentences(world) == ["Acme is headquartered in Lyon"]
    await whole(world)
    with pytest.raises(ContentSuppressed):
        await world.streams.open(world.access, SourceSpec("b", "record_export"), "stream", "typed")
    await engine.aclose()
    await administrator.close()


async def kill_ten_times(
    world: World,
    database: Database,
    falkordb_server: RespAddress,
    valkey_server: RespAddress,
    forking: asyncio.subprocess.Process,
    folder: Path,
    administrator: asyncpg.Connection,
) -> None:
    """Ten workers that die after a random time, then one that lives until the certificate is there."""
    addresses = {
        "application": database.application, "queue": database.worker, "graph": falkordb_server.url,
        "cache": valkey_server.url, "folder": str(folder),
    }  # fmt: skip
    assert forking.stdin is not None
    assert forking.stdout is not None
    chance = random.Random(11)
    open_at_kill = 0
    for _ in range(KILLS):
        worker = await started(forking, addresses)
        await asyncio.sleep(chance.uniform(0.05, LONGEST_LIFE))
        os.kill(worker, signal.SIGKILL)
        open_at_kill += await administrator.fetchval("SELECT count(*) FROM assay.erasures WHERE state = 'open'")
        # The dead worker's jobs are another's as soon as its sign of life is too old, at once here.
        await administrator.execute("UPDATE assay.pgqueuer SET heartbeat = heartbeat - interval '1 hour'")
        await administrator.execute(
            "UPDATE assay.projections SET lease_until = NULL; UPDATE assay.pgqueuer SET headers = headers - 'deaths'"
        )
    assert open_at_kill >= 3
    worker = await started(forking, addresses)

    async def done() -> bool:
        return not await administrator.fetchval("SELECT count(*) FROM assay.erasures WHERE state = 'open'")

    await until(done, seconds=90.0)
    os.kill(worker, signal.SIGTERM)


async def started(forking: asyncio.subprocess.Process, addresses: dict[str, str]) -> int:
    assert forking.stdin is not None
    assert forking.stdout is not None
    forking.stdin.write(json.dumps(addresses).encode() + b"\n")
    await forking.stdin.drain()
    return int(await forking.stdout.readline())


async def stored_under(folder: Path, source_id: SourceId | object) -> list[str]:
    """The objects of a source."""
    objects = FileObjectStore(folder / "objects")
    return [key async for key in objects.list("") if str(source_id) in key or getattr(source_id, "hex", "") in key]
