"""What an extraction is made with. Equal recipes on equal content give equal claims, and need not be run again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from application.ingestion.sources import CollectionSettings
from domain.ingestion.parsed import ParsedDocument
from domain.ports.claim_extractor import ClaimExtractor
from domain.ports.documents import CollectionRow

RECORDS = "records"
RECORDS_VERSION = "1"


class Recipes:
    """Names recipes: extractor, its version, model, prompt, sizes; or for records the mapping. Never the vocabulary."""

    def __init__(self, extractor: ClaimExtractor) -> None:
        self.extractor = extractor

    def of(self, parsed: ParsedDocument, collection: CollectionRow | None, mapping: Mapping[str, object] | None) -> str:
        """The recipe of a document, as a readable text."""
        sizes = CollectionSettings.of(collection)
        chunks = f"chunks {sizes.chunk_size}/{sizes.chunk_overlap}"
        if parsed.records:
            return f"{RECORDS} {RECORDS_VERSION} mapping {_digest(mapping)} {chunks}"
        e = self.extractor
        made = " ".join(part for part in (e.name, e.version, e.model, e.prompt_version) if part)
        declared = f" entities {_digest(dict(collection.entities))}" if collection and collection.entities else ""
        return f"{made} windows {sizes.window_size}/{sizes.window_overlap} {chunks}{declared}"


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12] if value else "none"
