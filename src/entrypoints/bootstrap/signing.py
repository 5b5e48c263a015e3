"""What verifies a certificate, without a running Assay."""

from __future__ import annotations

from adapters.system.signer import Ed25519Signer
from domain.ports.erasure import Signer


def signer() -> Signer:
    """Ed25519."""
    return Ed25519Signer()
