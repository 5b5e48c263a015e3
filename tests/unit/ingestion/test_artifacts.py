from __future__ import annotations

from uuid import UUID

import pytest

from domain.errors import InvalidInput
from domain.identity.ids import GroupId, OrganizationId, SourceId
from domain.ingestion.artifacts import content_hash, object_key
from domain.ports.object_store import checked_key

ACME = OrganizationId(UUID(int=1))
WIKI = SourceId(UUID(int=10))
GROUP = GroupId("w_" + "0" * 31 + "7")


def test_the_content_hash_is_sha_256_in_hexadecimal() -> None:
    assert content_hash(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_an_object_lies_at_organization_group_source_and_hash() -> None:
    key = object_key(ACME, GROUP, WIKI, content_hash(b"abc"))
    assert key == (
        "00000000-0000-0000-0000-000000000001/w_00000000000000000000000000000007/"
        "00000000-0000-0000-0000-00000000000a/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    assert checked_key(key) == key


@pytest.mark.parametrize("group", ["", "w_1", "x_" + "0" * 32, "w_" + "0" * 32 + "/..", "W_" + "0" * 32])
def test_a_malformed_group_is_refused(group: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        object_key(ACME, GroupId(group), WIKI, content_hash(b""))
    assert refusal.value.field == "group_id"


@pytest.mark.parametrize("digest", ["", "abc", "0" * 63, "G" * 64, "0" * 64 + "\n"])
def test_a_malformed_hash_is_refused(digest: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        object_key(ACME, GROUP, WIKI, digest)
    assert refusal.value.field == "content_hash"
