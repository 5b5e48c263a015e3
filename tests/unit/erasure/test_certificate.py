"""What is signed is the same for everybody who follows the format."""

from __future__ import annotations

from uuid import UUID

import pytest

from adapters.system.signer import Ed25519Signer
from application.erasure.queries import verified
from domain.erasure.certificate import FORMAT, Certificate, signed_bytes
from domain.erasure.targets import checked_reason, content_fingerprint, record_fingerprint
from domain.errors import InvalidInput
from domain.identity.ids import GroupId, SourceId

SEED = bytes(range(32))
STATEMENT = {"revision": 7, "format": FORMAT, "reason": "Hà Nội", "residue": ["b", "a"]}


def test_the_signed_bytes_are_the_shortest_json_with_sorted_keys() -> None:
    expected = f'{FORMAT}\n{{"format":"{FORMAT}","reason":"Hà Nội","residue":["b","a"],"revision":7}}'
    assert signed_bytes(STATEMENT) == expected.encode()


def certificate() -> Certificate:
    signer = Ed25519Signer()
    return Certificate(STATEMENT, "key 1", signer.public_key(SEED), signer.sign(SEED, signed_bytes(STATEMENT)))


def test_a_certificate_is_read_back_and_verified_whatever_its_white_space() -> None:
    signer, data = Ed25519Signer(), certificate().to_bytes()
    assert Certificate.from_bytes(data) == certificate()
    assert verified(data.replace(b"\n ", b"\n      "), signer).statement == STATEMENT
    assert verified(data, signer, signer.public_key(SEED).hex().upper()).key_id == "key 1"


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b'"x"', b'{"certificate": {}, "signed": {}}', b"\xff"])
def test_what_is_no_certificate_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="no certificate"):
        verified(data, Ed25519Signer())


def test_another_key_and_a_changed_statement_are_refused() -> None:
    signer, data = Ed25519Signer(), certificate().to_bytes()
    with pytest.raises(InvalidInput, match="another key"):
        verified(data, signer, "00" * 32)
    with pytest.raises(InvalidInput, match="was changed"):
        verified(data.replace(b'"revision": 7', b'"revision": 8'), signer)
    with pytest.raises(InvalidInput, match="was changed"):
        verified(data.replace(certificate().public_key.hex().encode(), b"00" * 32), signer)


def test_fingerprints_differ_by_key_scope_source_and_kind() -> None:
    one, two, here = SourceId(UUID(int=1)), SourceId(UUID(int=2)), GroupId("w_a")
    found = {
        record_fingerprint(b"k", here, one, "x"), record_fingerprint(b"k", here, two, "x"),
        record_fingerprint(b"l", here, one, "x"), record_fingerprint(b"k", here, one, "y"),
        record_fingerprint(b"k", GroupId("w_b"), one, "x"),
        content_fingerprint(b"k", "x"), content_fingerprint(b"l", "x"),
    }  # fmt: skip
    assert len(found) == 7
    assert {len(fingerprint) for fingerprint in found} == {32}


def test_a_reason_is_trimmed_and_must_be_there() -> None:
    assert checked_reason("  asked for ") == "asked for"
    for reason in ("", "   ", "x" * 2_001):
        with pytest.raises(InvalidInput):
            checked_reason(reason)
