"""Reading the bytes of documents."""

from __future__ import annotations

from typing import Protocol

from domain.ingestion.parsed import ParsedDocument


class DocumentParser(Protocol):
    """Turns bytes of many content types into text, records and messages. Deterministic CPU work without I/O."""

    def parse(self, data: bytes, content_type: str, filename: str | None) -> ParsedDocument:
        """Read ``data``; the type comes from ``content_type``, else the file name, else the bytes.

        Raises InvalidInput (a type that is not accepted), DocumentUnreadable (empty, corrupt, encrypted or wrongly
        encoded bytes) or LimitExceeded (too large), and nothing else whatever the bytes are.
        """
        ...
