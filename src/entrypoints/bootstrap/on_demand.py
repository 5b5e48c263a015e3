"""Parts that are made when they are first used: their packages take long to import, and many a command needs none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from domain.ingestion.parsed import ParsedDocument
from domain.ingestion.sensitive import Finding
from domain.ports.document_parser import DocumentParser
from domain.ports.sensitive_finder import SensitiveFinder


class GraphOnDemand:
    """A ``MemoryEngine`` of graphiti that is imported and connected by its first question.

    What it says of itself is known without it.
    """

    reads_history = False
    projected = True
    swaps_atomically = True

    def __init__(self, name: str, make: Callable[[], Any]) -> None:
        self.name = name
        self._make = make
        self._made: Any = None

    def __getattr__(self, method: str) -> Any:
        """A method of the engine itself."""
        if self._made is None:
            self._made = self._make()
        return getattr(self._made, method)

    async def aclose(self) -> None:
        """Close the engine, if there is one."""
        if self._made is not None:
            await self._made.aclose()


class ParserOnDemand:
    """A ``DocumentParser`` of all content types that is imported with the first document."""

    def __init__(self, upload_bytes: int) -> None:
        self._upload_bytes = upload_bytes
        self._made: DocumentParser | None = None

    def parse(self, data: bytes, content_type: str, filename: str | None) -> ParsedDocument:
        """As the port says."""
        if self._made is None:
            from adapters.parsing.registry import ContentParsers

            self._made = ContentParsers(self._upload_bytes)
        return self._made.parse(data, content_type, filename)


class FinderOnDemand:
    """A ``SensitiveFinder`` that is imported with the first text."""

    def __init__(self, regions: Sequence[str]) -> None:
        self._regions = regions
        self._made: SensitiveFinder | None = None

    def find(self, text: str) -> Sequence[Finding]:
        """As the port says."""
        if self._made is None:
            from adapters.screening.sensitive_finder import PatternSensitiveFinder

            self._made = PatternSensitiveFinder(self._regions)
        return self._made.find(text)
