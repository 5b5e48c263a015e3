"""Ed25519 from the ``cryptography`` package."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


class Ed25519Signer:
    """Implements ``Signer`` (RFC 8032)."""

    def public_key(self, seed: bytes) -> bytes:
        """The public key of a 32-byte seed."""
        return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()

    def sign(self, seed: bytes, message: bytes) -> bytes:
        """64 bytes, the same for the same message."""
        return Ed25519PrivateKey.from_private_bytes(seed).sign(message)

    def verify(self, public_key: bytes, signature: bytes, message: bytes) -> bool:
        """False also for bytes that are no key or no signature."""
        try:
            Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True
