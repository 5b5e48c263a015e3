"""AES-256-GCM from the ``cryptography`` package."""

from __future__ import annotations

import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from domain.errors import ArtifactAltered, LimitExceeded

_FORMAT = b"\x01"
_NONCE_BYTES = 12
_TAG_BYTES = 16
_MAX_BYTES = 2**31 - 1 - _TAG_BYTES


class AesGcmArtifactCipher:
    """A format byte, a random 96-bit nonce, the ciphertext and its 128-bit tag (NIST SP 800-38D).

    Random nonces are safe for 2^32 messages a key; a source has its own key, so it stays far below that.
    """

    def seal(self, key: bytes, data: bytes, context: bytes) -> bytes:
        """Encrypt; raises LimitExceeded from 2 GiB on."""
        if len(data) > _MAX_BYTES:
            raise LimitExceeded(f"An artifact has at most {_MAX_BYTES} bytes; this one has {len(data)}. Split it.")
        nonce = os.urandom(_NONCE_BYTES)
        return _FORMAT + nonce + AESGCM(key).encrypt(nonce, data, _FORMAT + context)

    def open(self, key: bytes, sealed: bytes, context: bytes) -> bytes:
        """Decrypt and verify; raises ArtifactAltered."""
        nonce = sealed[len(_FORMAT) : len(_FORMAT) + _NONCE_BYTES]
        body = sealed[len(_FORMAT) + _NONCE_BYTES :]
        if not sealed.startswith(_FORMAT) or len(body) < _TAG_BYTES:
            raise ArtifactAltered("The stored bytes are not a sealed artifact: they are cut or foreign.")
        try:
            return AESGCM(key).decrypt(nonce, body, _FORMAT + context)
        except InvalidTag:
            raise ArtifactAltered("The stored bytes were changed, or sealed under another key or place.") from None
