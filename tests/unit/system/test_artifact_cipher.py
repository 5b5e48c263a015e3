from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.system.artifact_cipher import AesGcmArtifactCipher
from domain.errors import ArtifactAltered

KEY = bytes(range(32))
PLACE = b"organization/group/source/hash"
cipher = AesGcmArtifactCipher()


@given(st.binary())
def test_what_is_sealed_opens_again(data: bytes) -> None:
    assert cipher.open(KEY, cipher.seal(KEY, data, PLACE), PLACE) == data


def test_sealing_twice_gives_different_bytes_and_hides_the_content() -> None:
    first, second = (cipher.seal(KEY, b"salary 50000", PLACE) for _ in range(2))
    assert first != second
    assert b"salary" not in first
    assert len(first) == len(b"salary 50000") + 1 + 12 + 16


@given(st.integers(min_value=0, max_value=8 * 41 - 1))
def test_one_changed_bit_is_found(bit: int) -> None:
    sealed = bytearray(cipher.seal(KEY, b"salary 50000", PLACE))
    assert len(sealed) == 41
    sealed[bit // 8] ^= 1 << (bit % 8)
    with pytest.raises(ArtifactAltered):
        cipher.open(KEY, bytes(sealed), PLACE)


@given(st.binary(max_size=64))
def test_foreign_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ArtifactAltered):
        cipher.open(KEY, data, PLACE)


def test_another_key_or_place_does_not_open_it() -> None:
    sealed = cipher.seal(KEY, b"salary 50000", PLACE)
    with pytest.raises(ArtifactAltered):
        cipher.open(bytes(32), sealed, PLACE)
    with pytest.raises(ArtifactAltered):
        cipher.open(KEY, sealed, b"organization/group/other/hash")
