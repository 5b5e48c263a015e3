"""Where the raw bytes of a document version lie, and what they are known by."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from domain.errors import InvalidInput, shown
from domain.identity.ids import GroupId, OrganizationId, SourceId

_GROUP = re.compile(r"[owpu]_[0-9a-f]{32}\Z")
_HASH = re.compile(r"[0-9a-f]{64}\Z")


@dataclass(frozen=True, slots=True)
class StoredArtifact:
    """Raw bytes in the object store, sealed: ``content_hash`` and ``size`` (bytes) are of the unsealed content."""

    content_hash: str
    object_key: str
    key_id: str
    size: int


def content_hash(data: bytes) -> str:
    """SHA-256 of ``data``: 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def object_key(organization_id: OrganizationId, group_id: GroupId, source_id: SourceId, digest: str) -> str:
    """``organization/group/source/hash``: equal content in two scopes never shares an object.

    Raises InvalidInput when a part is malformed.
    """
    if not _GROUP.match(group_id):
        raise InvalidInput(f"{shown(group_id)} is not a group id.", field="group_id")
    if not _HASH.match(digest):
        raise InvalidInput(f"{shown(digest)} is not a SHA-256 in hexadecimal.", field="content_hash")
    return f"{organization_id}/{group_id}/{source_id}/{digest}"
