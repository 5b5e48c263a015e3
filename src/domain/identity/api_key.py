"""API keys: ``assay_`` and 256 random bits in base64url. Only the SHA-256 of a key is kept."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, field

from domain.errors import InvalidInput

KEY_BYTES = 32
_MARK = "assay_"
_SHOWN = len(_MARK) + 8
_FORM = re.compile(rf"{_MARK}[A-Za-z0-9_-]{{43}}\Z")


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key at the one moment when it is whole. ``prefix`` may be listed; 192 bits and more stay unknown."""

    text: str = field(repr=False)

    @classmethod
    def from_random(cls, random: bytes) -> ApiKey:
        """The key made of 32 random bytes. Raises InvalidInput for another number of bytes."""
        if len(random) != KEY_BYTES:
            raise InvalidInput(f"An API key is made of {KEY_BYTES} random bytes, not {len(random)}.")
        return cls(_MARK + base64.urlsafe_b64encode(random).decode().rstrip("="))

    @property
    def well_formed(self) -> bool:
        """Whether the text could be a key at all."""
        return _FORM.match(self.text) is not None

    @property
    def prefix(self) -> str:
        """What a list shows of the key."""
        return self.text[:_SHOWN]

    @property
    def digest(self) -> bytes:
        """What is stored: a key has more entropy than a hash, so neither salt nor stretching adds anything."""
        return hashlib.sha256(self.text.encode()).digest()
