from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config

from adapters.filesystem.key_store import FileKeyStore
from adapters.s3.object_store import S3Location, S3ObjectStore
from domain.errors import Unavailable
from domain.ports.key_store import KeyStore
from domain.ports.object_store import ObjectStore
from tests.contracts.artifact_vault_contract import ArtifactVaultContract
from tests.contracts.object_store_contract import ObjectStoreContract
from tests.services.seaweedfs import S3Server

pytestmark = pytest.mark.services
_buckets = count(1)


@pytest.fixture
def location(seaweedfs_server: S3Server) -> S3Location:
    server = seaweedfs_server
    return S3Location(f"objects-{next(_buckets)}", server.access_key, server.secret_key, server.endpoint)


@pytest.fixture
async def bucket(location: S3Location) -> AsyncIterator[S3ObjectStore]:
    store = S3ObjectStore(location)
    await store.ensure_bucket()
    yield store
    store.close()


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def client_of(location: S3Location) -> Any:
    """What looks at the bucket from outside."""
    return boto3.client(
        "s3",
        endpoint_url=location.endpoint,
        region_name=location.region,
        aws_access_key_id=location.access_key,
        aws_secret_access_key=location.secret_key,
        config=Config(s3={"addressing_style": "path"}),
    )


def versions_of(client: Any, location: S3Location, prefix: str) -> list[str]:
    """The keys of all versions and marks of deletion."""
    listed = client.list_object_versions(Bucket=location.bucket, Prefix=prefix)
    return sorted(each["Key"] for kind in ("Versions", "DeleteMarkers") for each in listed.get(kind, ()))


async def failure_of(location: S3Location) -> str:
    """What each method says when the store cannot be used; they all say the same."""
    store = S3ObjectStore(location)
    messages = set()
    for call in (store.put("a", b"1"), store.get("a"), store.exists("a"), store.delete("a"), anext(store.list(""))):
        with pytest.raises(Unavailable) as failure:
            await call
        assert failure.value.code == "unavailable"
        messages.add(failure.value.message)
    store.close()
    assert len(messages) == 1
    return messages.pop()


class TestS3ObjectStore(ObjectStoreContract):
    @pytest.fixture
    def store(self, bucket: S3ObjectStore) -> ObjectStore:
        return bucket

    async def test_making_the_bucket_again_keeps_what_is_in_it(self, bucket: S3ObjectStore) -> None:
        await bucket.put("a", b"1")
        await bucket.ensure_bucket()
        assert await bucket.get("a") == b"1"

    async def test_purging_removes_every_former_version_where_the_bucket_keeps_them(
        self, bucket: S3ObjectStore, location: S3Location
    ) -> None:
        client = client_of(location)
        client.put_bucket_versioning(Bucket=location.bucket, VersioningConfiguration={"Status": "Enabled"})
        for key, data in (("a", b"first"), ("a", b"second"), ("ab", b"other")):
            await bucket.put(key, data)
        await bucket.delete("a")
        assert len(versions_of(client, location, "a")) == 4
        assert await bucket.purge("a")
        assert versions_of(client, location, "a") == ["ab"]
        assert await bucket.get("ab") == b"other"
        client.close()

    async def test_a_server_that_is_down_is_unavailable(self, location: S3Location) -> None:
        endpoint = f"http://127.0.0.1:{unused_port()}"
        message = await failure_of(replace(location, endpoint=endpoint, attempts=1))
        assert message == (
            f"The object store at {endpoint} does not answer (EndpointConnectionError). "
            "Check that it runs and that its address and credentials are set."
        )

    async def test_a_server_that_never_answers_is_unavailable(self, location: S3Location) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
            message = await failure_of(replace(location, endpoint=endpoint, attempts=1, read_timeout=0.1))
        assert "does not answer (ReadTimeoutError)" in message

    async def test_wrong_credentials_are_unavailable_with_what_to_check(
        self, bucket: S3ObjectStore, location: S3Location
    ) -> None:
        message = await failure_of(replace(location, secret_key="wrong"))
        assert "refuses access" in message
        assert "Check the access key" in message
        assert "wrong" not in message

    async def test_a_missing_bucket_is_unavailable_not_a_missing_artifact(self, location: S3Location) -> None:
        store = S3ObjectStore(replace(location, bucket="no-such-bucket"))
        with pytest.raises(Unavailable, match="There is no bucket 'no-such-bucket'") as failure:
            await store.get("a")
        assert failure.value.code == "unavailable"
        store.close()

    async def test_the_checksum_is_stored_beside_the_object(self, bucket: S3ObjectStore, location: S3Location) -> None:
        await bucket.put("a", b"abc")
        client = client_of(location)
        head = client.head_object(Bucket=location.bucket, Key="a", ChecksumMode="ENABLED")
        client.close()
        assert head["ChecksumSHA256"] == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="

    def test_the_secret_is_not_shown(self, location: S3Location) -> None:
        assert location.secret_key not in repr(location)


class TestArtifactVaultInS3(ArtifactVaultContract):
    @pytest.fixture
    def objects(self, bucket: S3ObjectStore) -> ObjectStore:
        return bucket

    @pytest.fixture
    def keys(self, tmp_path: Path) -> KeyStore:
        return FileKeyStore(tmp_path / "keys")
