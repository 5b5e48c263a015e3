"""JSON Web Encryption of what a browser carries between two requests."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from joserfc import jwe
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

LONGEST = 4_000
_HEAD = {"alg": "dir", "enc": "A256GCM"}
_ALGORITHMS = ["dir", "A256GCM"]


class JweSeal:
    """Implements ``Seal`` with AES-GCM, under a key of the clients' secrets: every process has the same.

    Where no client has a secret the key is random, and an answer must come back to the process that asked.
    """

    def __init__(self, client_secrets: Sequence[str], now: Callable[[], float] = time.time) -> None:
        material = "\n".join(sorted(client_secrets)) or secrets.token_hex(32)
        self._key = OctKey.import_key(hashlib.sha256(f"assay login state\n{material}".encode()).digest())
        self._now = now

    def close(self, content: Mapping[str, Any], seconds: float) -> str:
        text = json.dumps({"content": content, "until": self._now() + seconds})
        return jwe.encrypt_compact(_HEAD, text, self._key, algorithms=_ALGORITHMS)

    def open(self, text: str) -> Mapping[str, Any] | None:
        if len(text) > LONGEST:
            return None
        try:
            plain = jwe.decrypt_compact(text, self._key, algorithms=_ALGORITHMS).plaintext
            found = json.loads(plain or b"")
        except (JoseError, ValueError, TypeError, AssertionError):
            return None
        content: Mapping[str, Any] = found["content"]
        return content if found["until"] > self._now() else None
