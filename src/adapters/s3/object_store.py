"""An object store in a bucket of any S3-compatible service."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, FlexibleChecksumError

from domain.errors import ArtifactAltered, ArtifactMissing, AssayError, StorageFull, Unavailable, shown
from domain.ports.object_store import checked_key, checked_prefix

_MISSING = {"404", "NoSuchKey", "NotFound"}
_REFUSED = {"401", "403", "AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken"}
_FULL = {"507", "InsufficientStorage", "QuotaExceeded", "XMinioStorageFull"}
_NO_VERSIONS = {"NotImplemented", "MethodNotAllowed", "AccessDenied", "InvalidRequest", "403", "405", "501"}
"""What a service says that has no versions, or does not let go of one."""
_ALREADY_OURS = {"BucketAlreadyOwnedByYou", "BucketAlreadyExists"}


@dataclass(frozen=True, slots=True)
class S3Location:
    """Which bucket, and how to reach it. ``endpoint`` None means AWS; times in seconds."""

    bucket: str
    access_key: str
    secret_key: str
    endpoint: str | None = None
    region: str = "us-east-1"
    connect_timeout: float = 3.0
    read_timeout: float = 30.0
    attempts: int = 3
    connections: int = 16

    def __repr__(self) -> str:
        return f"S3Location(bucket={self.bucket!r}, endpoint={self.endpoint!r})"


class S3ObjectStore:
    """Objects in one bucket, by path addressing; SHA-256 is sent with each upload and checked on each download."""

    def __init__(self, location: S3Location) -> None:
        self._location = location
        self._client: Any = boto3.client(
            "s3",
            endpoint_url=location.endpoint,
            region_name=location.region,
            aws_access_key_id=location.access_key,
            aws_secret_access_key=location.secret_key,
            config=Config(
                signature_version="s3v4",
                s3={"addressing_style": "path"},
                connect_timeout=location.connect_timeout,
                read_timeout=location.read_timeout,
                retries={"total_max_attempts": location.attempts, "mode": "standard"},
                max_pool_connections=location.connections,
            ),
        )

    async def ensure_bucket(self) -> None:
        """Create the bucket unless it exists. Idempotent; raises Unavailable."""
        await asyncio.to_thread(self._ensure_bucket)

    async def put(self, key: str, data: bytes) -> None:
        """Upload in one request, which the service applies whole or not at all."""
        await asyncio.to_thread(self._put, checked_key(key), data)

    async def get(self, key: str) -> bytes:
        """Download; raises ArtifactMissing, or ArtifactAltered when the bytes do not match their checksum."""
        return await asyncio.to_thread(self._get, checked_key(key))

    async def exists(self, key: str) -> bool:
        """Whether the key is there, by a HEAD request."""
        return await asyncio.to_thread(self._exists, checked_key(key))

    async def delete(self, key: str) -> None:
        """Remove the key; in a versioned bucket this leaves its history, which ``purge`` does not."""
        await asyncio.to_thread(self._delete, checked_key(key))

    async def purge(self, key: str) -> bool:
        """Remove the key, then each of its versions and marks of deletion.

        False when the service lists no versions, or keeps one that is locked.
        """
        return await asyncio.to_thread(self._purge, checked_key(key))

    async def list(self, prefix: str) -> AsyncIterator[str]:
        """Keys, in order. All of them are read first: not every service sorts as S3 does (SeaweedFS goes by folder)."""
        for key in await asyncio.to_thread(self._keys, checked_prefix(prefix)):
            yield key

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _ensure_bucket(self) -> None:
        with translated(self._location):
            try:
                self._client.create_bucket(Bucket=self._location.bucket)
            except ClientError as error:
                if _code(error) not in _ALREADY_OURS:
                    raise

    def _put(self, key: str, data: bytes) -> None:
        checksum = base64.b64encode(hashlib.sha256(data).digest()).decode("ascii")
        with translated(self._location, key):
            self._client.put_object(Bucket=self._location.bucket, Key=key, Body=data, ChecksumSHA256=checksum)

    def _get(self, key: str) -> bytes:
        with translated(self._location, key):
            reply = self._client.get_object(Bucket=self._location.bucket, Key=key, ChecksumMode="ENABLED")
            with reply["Body"] as body:
                return bytes(body.read())

    def _exists(self, key: str) -> bool:
        try:
            with translated(self._location, key):
                self._client.head_object(Bucket=self._location.bucket, Key=key)
        except ArtifactMissing:
            return False
        return True

    def _delete(self, key: str) -> None:
        with translated(self._location, key):
            self._client.delete_object(Bucket=self._location.bucket, Key=key)

    def _purge(self, key: str) -> bool:
        self._delete(key)
        with translated(self._location, key):
            try:
                for version_id in self._versions(key):
                    self._client.delete_object(Bucket=self._location.bucket, Key=key, VersionId=version_id)
                return not self._versions(key)
            except ClientError as error:
                if _code(error) not in _NO_VERSIONS:
                    raise
                return False

    def _versions(self, key: str) -> Sequence[str]:
        """The ids of a key's versions and marks; where versions are off, there are none once the key is deleted."""
        pages = self._client.get_paginator("list_object_versions").paginate(Bucket=self._location.bucket, Prefix=key)
        items = [each for page in pages for kind in ("Versions", "DeleteMarkers") for each in page.get(kind, ())]
        return [item["VersionId"] for item in items if item["Key"] == key]

    def _keys(self, prefix: str) -> Sequence[str]:
        with translated(self._location):
            pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._location.bucket, Prefix=prefix)
            return sorted(item["Key"] for page in pages for item in page.get("Contents", ()))


@contextmanager
def translated(location: S3Location, key: str | None = None) -> Iterator[None]:
    """Turn boto's errors into ours, with the bucket and what to do about it."""
    try:
        yield
    except FlexibleChecksumError as error:
        raise ArtifactAltered(
            f"The object under {shown(key)} does not match the checksum it was stored with. Restore it from a backup."
        ) from error
    except ClientError as error:
        raise _refusal(error, location, key) from error
    except BotoCoreError as error:
        raise Unavailable(
            f"The object store at {location.endpoint or 'AWS'} does not answer ({type(error).__name__}). "
            "Check that it runs and that its address and credentials are set."
        ) from error


def _refusal(error: ClientError, location: S3Location, key: str | None) -> AssayError:
    code = _code(error)
    where = f"bucket {shown(location.bucket)} at {location.endpoint or 'AWS'}"
    if code in _MISSING and key is not None:
        return ArtifactMissing(f"The object store holds nothing under {shown(key)}.")
    if code == "NoSuchBucket":
        return Unavailable(f"There is no {where}. Create it, or correct the bucket name.")
    if code in _REFUSED:
        return Unavailable(
            f"The object store refuses access to {where}. Check the access key, the secret key and the bucket's policy."
        )
    if code in _FULL:
        return StorageFull(f"No room is left in {where}. Free space or raise the quota; nothing was stored.")
    return Unavailable(f"The object store failed on {where} ({code}). Try again; see its own log if it stays.")


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", "unknown"))
