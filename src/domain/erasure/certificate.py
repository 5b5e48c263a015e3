"""The certificate of an erasure: what it says, and the bytes that are signed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from domain.errors import InvalidInput

FORMAT = "assay/erasure-certificate/1"
ALGORITHM = "Ed25519"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate with its signature. ``statement`` is plain JSON; key and signature are 32 and 64 bytes."""

    statement: Mapping[str, object]
    key_id: str
    public_key: bytes
    signature: bytes

    def to_bytes(self) -> bytes:
        """The file that is handed out: one JSON object, UTF-8."""
        signed = {
            "algorithm": ALGORITHM,
            "key_id": self.key_id,
            "public_key": self.public_key.hex(),
            "signature": self.signature.hex(),
        }
        return json.dumps({"certificate": self.statement, "signed": signed}, ensure_ascii=False, indent=1).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Certificate:
        """Raises InvalidInput for what is no certificate."""
        try:
            found = json.loads(data)
            signed, statement = found["signed"], found["certificate"]
            if statement["format"] != FORMAT or signed["algorithm"] != ALGORITHM:
                raise ValueError("another format")
            return cls(
                statement,
                str(signed["key_id"]),
                bytes.fromhex(signed["public_key"]),
                bytes.fromhex(signed["signature"]),
            )
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InvalidInput(f"this is no certificate in the format {FORMAT}", field="file") from error


def signed_bytes(statement: Mapping[str, object]) -> bytes:
    """What the signature is of: the format, a line feed, and the statement as JSON in its shortest form.

    Keys are sorted by code point, there is no white space, and characters stand for themselves in UTF-8; numbers are
    whole. Two programs that follow this get the same bytes.
    """
    text = json.dumps(statement, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f"{FORMAT}\n{text}".encode()


def moment(at: datetime) -> str:
    """A time as a certificate writes it."""
    return at.isoformat(timespec="microseconds")
